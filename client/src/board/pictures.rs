//! The pieces as pictures.
//!
//! The page has one drawing of each kind, in `client/assets/pieces.svg`. From it a picture is made for
//! each piece of each colour, as a rule of the style sheet. A piece is then one box with a background,
//! where a copy of the drawing would be seven elements to build and to style.

use leptos::prelude::*;
use leptos::wasm_bindgen::JsCast;
use leptos::web_sys::{CssStyleSheet, js_sys};
use tandem_core::{Color, Piece, Role};

/// The kinds of colour in a drawing, as it calls them and as the tokens do.
const PAINTS: [&str; 4] = ["fill", "shade", "line", "detail"];

/// Makes the pictures. To be called once, before a board is shown.
pub fn draw() {
    let sheet = document().style_sheets().item(0);
    let sheet = sheet.and_then(|sheet| sheet.dyn_into::<CssStyleSheet>().ok());
    let root = document().document_element();
    let tokens = root.and_then(|root| window().get_computed_style(&root).ok().flatten());
    let (Some(sheet), Some(tokens)) = (sheet, tokens) else {
        return;
    };
    for color in Color::ALL {
        let side = if color == Color::White { 'w' } else { 'b' };
        let paints = PAINTS.map(|paint| {
            let value = tokens.get_property_value(&format!("--{side}-{paint}"));
            (format!("var(--pc-{paint})"), value.unwrap_or_default())
        });
        for role in Role::ALL {
            let Some(drawing) = document().get_element_by_id(&role.letter().to_string()) else {
                continue;
            };
            let drawing = paints
                .iter()
                .fold(drawing.inner_html(), |drawing, (name, value)| {
                    drawing.replace(name, value)
                });
            let picture = format!(
                "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 48 48\">{drawing}</svg>"
            );
            let picture = js_sys::encode_uri_component(&picture);
            let code = Piece { color, role }.code();
            // Fails only for what is no rule.
            let _ = sheet.insert_rule(&format!(
                ".pc.{code} {{ background-image: url(\"data:image/svg+xml,{picture}\") }}"
            ));
        }
    }
}

/// A picture of a piece.
pub fn piece_view(piece: Piece) -> impl IntoView {
    view! { <i class=class(Some(piece))></i> }
}

/// The class of the picture of a piece; of none, where there is none at the moment.
pub fn class(piece: Option<Piece>) -> String {
    format!("pc {}", piece.map_or("", Piece::code))
}
