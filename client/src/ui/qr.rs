//! QR codes as vector drawings.

use leptos::prelude::*;
use qrcodegen::{QrCode, QrCodeEcc};

use crate::text::Text;

/// A QR code of a text; nothing for one that is too long.
#[component]
pub fn QrView(content: String, label: Text) -> impl IntoView {
    QrCode::encode_binary(content.as_bytes(), QrCodeEcc::Medium)
        .ok()
        .map(|code| {
            // Two modules of quiet zone here; the frame's padding gives the rest.
            let size = code.size() + 4;
            view! {
                <svg class="qr" role="img" aria-label=label viewBox=format!("-2 -2 {size} {size}")>
                    <path d=path(&code)></path>
                </svg>
            }
        })
}

/// The dark modules, a run in each row as one rectangle.
fn path(code: &QrCode) -> String {
    let mut path = String::new();
    for y in 0..code.size() {
        let mut x = 0;
        while x < code.size() {
            let run = (x..code.size())
                .take_while(|&x| code.get_module(x, y))
                .count();
            // A row has at most 177 modules.
            let run = i32::try_from(run).unwrap_or(0);
            if run > 0 {
                path.push_str(&format!("M{x} {y}h{run}v1h-{run}z"));
            }
            x += run.max(1);
        }
    }
    path
}
