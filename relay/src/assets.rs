//! The client, as it was built into the binary: pages, scripts, pictures.

use std::collections::HashMap;
use std::fmt::Write as _;
use std::io::Write as _;

use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse as _, Response};
use base64::Engine as _;
use base64::engine::general_purpose::{STANDARD, URL_SAFE_NO_PAD};
use bytes::Bytes;
use sha2::{Digest as _, Sha256};

use crate::config::BasePath;

/// A file of the built client: its path below `dist`, and its bytes as they are, as brotli and as
/// gzip. Where it would gain nothing, and in builds for development, the latter two are empty.
type Built = (&'static str, &'static [u8], &'static [u8], &'static [u8]);

/// Every file of the built client; none when it was not built.
static DIST: &[Built] = include!(concat!(env!("OUT_DIR"), "/dist.rs"));

const PAGE: &str = "index.html";

/// A name with a hash of the content in it never means other content.
const FOR_EVER: HeaderValue = HeaderValue::from_static("public, max-age=31536000, immutable");
const ASK_AGAIN: HeaderValue = HeaderValue::from_static("no-cache");

/// The files of the client, ready to be sent.
#[derive(Debug)]
pub(crate) struct Assets {
    files: HashMap<&'static str, Asset>,
    policy: HeaderValue,
}

#[derive(Debug)]
struct Asset {
    content_type: HeaderValue,
    cache: HeaderValue,
    hash: String,
    plain: Bytes,
    /// The same compressed, if that makes it smaller.
    packed: Option<Packed>,
}

#[derive(Debug)]
struct Packed {
    brotli: Bytes,
    gzip: Bytes,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Encoding {
    Plain,
    Gzip,
    Brotli,
}

impl Assets {
    /// The client as it is served below `base`.
    pub(crate) fn new(base: &BasePath) -> Assets {
        Assets::of(DIST, base)
    }

    fn of(dist: &[Built], base: &BasePath) -> Assets {
        let mut inline = Vec::new();
        let files = dist
            .iter()
            .map(|&(name, bytes, brotli, gzip)| {
                let asset = match std::str::from_utf8(bytes) {
                    Ok(html) if name == PAGE => {
                        let html = with_base(html, base, dist.iter().map(|&(name, ..)| name));
                        let html = with_commit(&html, env!("TANDEM_COMMIT"));
                        inline.extend(inline_scripts(&html).map(csp_hash));
                        // It depends on where it is served, so it is compressed only now.
                        let packed = Packed::new(html.as_bytes());
                        Asset::new(name, Bytes::from(html), Some(packed))
                    }
                    _ => {
                        let packed = (!brotli.is_empty()).then_some(Packed {
                            brotli: Bytes::from_static(brotli),
                            gzip: Bytes::from_static(gzip),
                        });
                        Asset::new(name, Bytes::from_static(bytes), packed)
                    }
                };
                (name, asset)
            })
            .collect();
        Assets {
            files,
            policy: policy(&inline),
        }
    }

    /// What the page may load and run: what comes from here, and the scripts that stand in the
    /// page itself as it was built.
    pub(crate) fn content_security_policy(&self) -> HeaderValue {
        self.policy.clone()
    }

    /// The file at `path`, which has no slash in front. Paths without an extension are places in
    /// the client and give its page.
    pub(crate) fn answer(&self, path: &str, request: &HeaderMap) -> Response {
        let is_place = path
            .rsplit('/')
            .next()
            .is_some_and(|last| !last.contains('.'));
        let asset = match self.files.get(path) {
            None if is_place => self.files.get(PAGE),
            found => found,
        };
        match asset {
            Some(asset) => asset.answer(request),
            None if is_place => (
                StatusCode::SERVICE_UNAVAILABLE,
                "The client is not in this binary: run `cargo xtask build`.\n",
            )
                .into_response(),
            None => (StatusCode::NOT_FOUND, "not found").into_response(),
        }
    }
}

impl Asset {
    fn new(name: &str, plain: Bytes, packed: Option<Packed>) -> Asset {
        Asset {
            content_type: HeaderValue::from_static(content_type(name)),
            cache: if has_hash(name) { FOR_EVER } else { ASK_AGAIN },
            hash: URL_SAFE_NO_PAD.encode(&Sha256::digest(&plain)[..12]),
            plain,
            packed,
        }
    }

    fn answer(&self, request: &HeaderMap) -> Response {
        let (bytes, suffix, name) = match (&self.packed, accepted(request)) {
            (None, _) | (_, Encoding::Plain) => (&self.plain, "", None),
            (Some(packed), Encoding::Gzip) => (&packed.gzip, "-gz", Some("gzip")),
            (Some(packed), Encoding::Brotli) => (&packed.brotli, "-br", Some("br")),
        };
        let tag = format!("\"{}{suffix}\"", self.hash);
        let mut headers = HeaderMap::new();
        headers.insert(header::CACHE_CONTROL, self.cache.clone());
        headers.insert(header::VARY, HeaderValue::from_static("accept-encoding"));
        let known = request
            .get(header::IF_NONE_MATCH)
            .and_then(|value| value.to_str().ok())
            .is_some_and(|tags| {
                tags.split(',')
                    .map(|known| known.trim().trim_start_matches("W/"))
                    .any(|known| known == tag || known == "*")
            });
        if let Ok(tag) = HeaderValue::try_from(tag) {
            headers.insert(header::ETAG, tag);
        }
        if known {
            return (StatusCode::NOT_MODIFIED, headers).into_response();
        }
        headers.insert(header::CONTENT_TYPE, self.content_type.clone());
        if let Some(name) = name {
            headers.insert(header::CONTENT_ENCODING, HeaderValue::from_static(name));
        }
        (headers, bytes.clone()).into_response()
    }
}

impl Packed {
    fn new(bytes: &[u8]) -> Packed {
        Packed {
            brotli: brotli(bytes),
            gzip: gzip(bytes),
        }
    }
}

fn gzip(bytes: &[u8]) -> Bytes {
    let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::best());
    // Writing to memory does not fail.
    let _ = gzip.write_all(bytes);
    gzip.finish().unwrap_or_default().into()
}

fn brotli(bytes: &[u8]) -> Bytes {
    let mut compressed = Vec::new();
    // Quality 9 is within a few hundredths of the best and takes a tenth of the time: a start waits.
    let mut brotli = brotli::CompressorWriter::new(&mut compressed, 4096, 9, 22);
    // Writing to memory does not fail; what is left is written when the writer goes.
    let _ = brotli.write_all(bytes);
    drop(brotli);
    compressed.into()
}

/// The best encoding a request accepts.
fn accepted(request: &HeaderMap) -> Encoding {
    let mut best = Encoding::Plain;
    for value in request.get_all(header::ACCEPT_ENCODING) {
        for choice in value.to_str().unwrap_or_default().split(',') {
            let mut parts = choice.split(';').map(str::trim);
            let name = parts.next().unwrap_or_default();
            let refused = parts.any(|part| {
                part.strip_prefix("q=")
                    .and_then(|q| q.parse::<f32>().ok())
                    .is_some_and(|q| q <= 0.0)
            });
            match name {
                "br" if !refused => return Encoding::Brotli,
                "gzip" if !refused => best = Encoding::Gzip,
                _ => {}
            }
        }
    }
    best
}

/// The type of a file by its name.
fn content_type(name: &str) -> &'static str {
    match name.rsplit('.').next().unwrap_or_default() {
        "html" => "text/html; charset=utf-8",
        "js" | "mjs" => "text/javascript; charset=utf-8",
        "wasm" => "application/wasm",
        "css" => "text/css; charset=utf-8",
        "svg" => "image/svg+xml",
        "json" | "map" => "application/json",
        "webmanifest" => "application/manifest+json",
        "txt" => "text/plain; charset=utf-8",
        "png" => "image/png",
        "webp" => "image/webp",
        "ico" => "image/x-icon",
        "woff2" => "font/woff2",
        "mp3" => "audio/mpeg",
        "ogg" | "opus" => "audio/ogg",
        "wav" => "audio/wav",
        _ => "application/octet-stream",
    }
}

/// Whether Trunk has put a hash into this name: a hyphen and 64 bits in hexadecimal digits, without
/// zeros in front.
fn has_hash(name: &str) -> bool {
    name.split('-').skip(1).any(|part| {
        let digits = part.bytes().take_while(u8::is_ascii_hexdigit).count();
        let end = part.as_bytes().get(digits);
        (12..=16).contains(&digits) && matches!(end, Some(b'.' | b'_'))
    })
}

/// The page as it is served below `base`: relative addresses are relative to that, since a table's
/// page lies deeper than the files it needs, and addresses of the `files` from the root lead there.
fn with_base<'a>(html: &str, base: &BasePath, files: impl Iterator<Item = &'a str>) -> String {
    let tag = format!("<base href=\"{base}\">");
    let mut page = html.to_owned();
    let known = [
        "<base href=\"/\">",
        "<base href=\"/\"/>",
        "<base href=\"/\" />",
    ];
    if let Some(known) = known.into_iter().find(|&known| html.contains(known)) {
        page = page.replacen(known, &tag, 1);
    } else if let Some(head) = html.find("<head>").filter(|_| !html.contains("<base ")) {
        page.insert_str(head + "<head>".len(), &tag);
    }
    if *base != BasePath::default() {
        for file in files {
            for quote in ['"', '\''] {
                let from = format!("{quote}/{file}{quote}");
                page = page.replace(&from, &format!("{quote}{base}{file}{quote}"));
            }
        }
    }
    page
}

/// The page with the commit it was built from, for its small print.
fn with_commit(html: &str, commit: &str) -> String {
    // Written by the build: hexadecimal digits, or a word.
    let meta = format!("<meta name=\"tandem-commit\" content=\"{commit}\">");
    html.replacen("</head>", &format!("{meta}</head>"), 1)
}

/// What stands in the scripts of a page that have no address.
fn inline_scripts(html: &str) -> impl Iterator<Item = &str> {
    html.split("<script").skip(1).filter_map(|rest| {
        let (attributes, rest) = rest.split_once('>')?;
        let (script, _) = rest.split_once("</script>")?;
        let has_address = attributes
            .split_ascii_whitespace()
            .any(|attribute| attribute.starts_with("src="));
        (!has_address).then_some(script)
    })
}

fn csp_hash(script: &str) -> String {
    format!("'sha256-{}'", STANDARD.encode(Sha256::digest(script)))
}

/// Workers may come from a blob: the page keeps their program, to start another when there is no network.
fn policy(inline: &[String]) -> HeaderValue {
    let mut policy = String::from(
        "default-src 'self'; img-src 'self' data:; connect-src 'self' ws: wss:; \
         object-src 'none'; base-uri 'self'; form-action 'self'; frame-ancestors 'none'; \
         worker-src 'self' blob:; \
         script-src 'self' 'wasm-unsafe-eval'",
    );
    for hash in inline {
        let _ = write!(policy, " {hash}");
    }
    let policy = HeaderValue::try_from(policy);
    // Base64 and the words above are fit for a header; were they not, nothing would be allowed.
    policy.unwrap_or(HeaderValue::from_static("default-src 'none'"))
}

#[cfg(test)]
mod tests {
    use super::*;

    const HTML: &[u8] = b"<!doctype html><html><head><base href=\"/\"><script>let a = 1</script>\
        <script type=\"module\">import './x.js'</script><script src=\"./y.js\"></script></head>";
    const STYLE: &str = "board-0123456789abcdef.css";

    fn assets(base: &str) -> Assets {
        let style: &'static [u8] = &[b' '; 4_000];
        let dist: [Built; 3] = [
            (PAGE, HTML, b"", b""),
            (STYLE, style, b"as brotli", b"as gzip"),
            ("icon.png", b"png", b"", b""),
        ];
        Assets::of(&dist, &base.parse().unwrap())
    }

    fn ask(path: &str, headers: &[(header::HeaderName, &'static str)]) -> Response {
        let headers = headers
            .iter()
            .map(|(name, value)| (name.clone(), HeaderValue::from_static(value)))
            .collect();
        assets("/").answer(path, &headers)
    }

    fn value(response: &Response, name: header::HeaderName) -> &str {
        response
            .headers()
            .get(name)
            .map_or("", |value| value.to_str().unwrap())
    }

    async fn body(response: Response) -> Bytes {
        axum::body::to_bytes(response.into_body(), usize::MAX)
            .await
            .unwrap()
    }

    #[tokio::test]
    async fn places_in_the_client_give_its_page() {
        for path in ["", "index.html", "solo", "t/K7QM2D9PXR", "review/a"] {
            let page = ask(path, &[]);
            assert_eq!(page.status(), StatusCode::OK);
            assert_eq!(value(&page, header::CACHE_CONTROL), "no-cache");
            assert_eq!(
                value(&page, header::CONTENT_TYPE),
                "text/html; charset=utf-8"
            );
            let page = body(page).await;
            let page = std::str::from_utf8(&page).unwrap();
            assert!(page.starts_with("<!doctype html><html><head><base href=\"/\">"));
            assert!(page.ends_with("</head>") && page.contains("tandem-commit"));
        }
        for path in ["missing.js", "t/missing.png", "../secret.txt"] {
            assert_eq!(ask(path, &[]).status(), StatusCode::NOT_FOUND);
        }
        let none = Assets::of(&[], &BasePath::default());
        let page = none.answer("t/K7QM2D9PXR", &HeaderMap::new());
        assert_eq!(page.status(), StatusCode::SERVICE_UNAVAILABLE);
        assert!(
            body(page)
                .await
                .starts_with(b"The client is not in this binary")
        );
    }

    #[tokio::test]
    async fn files_are_compressed_cached_and_known_again() {
        let plain = ask(STYLE, &[]);
        assert_eq!(
            value(&plain, header::CACHE_CONTROL),
            "public, max-age=31536000, immutable"
        );
        assert_eq!(value(&plain, header::CONTENT_ENCODING), "");
        assert_eq!(body(plain).await.len(), 4_000);
        for (accept, encoding) in [
            ("gzip, deflate, br, zstd", "br"),
            ("gzip;q=1.0", "gzip"),
            ("br;q=0, gzip", "gzip"),
            ("identity", ""),
        ] {
            let answer = ask(STYLE, &[(header::ACCEPT_ENCODING, accept)]);
            assert_eq!(value(&answer, header::CONTENT_ENCODING), encoding);
            assert_eq!(value(&answer, header::VARY), "accept-encoding");
            let body = body(answer).await;
            match encoding {
                "br" => assert_eq!(body, "as brotli"),
                "gzip" => assert_eq!(body, "as gzip"),
                _ => assert_eq!(body.len(), 4_000),
            }
        }
        let tag = value(&ask(STYLE, &[]), header::ETAG).to_owned();
        let tag: &'static str = tag.leak();
        let again = ask(STYLE, &[(header::IF_NONE_MATCH, tag)]);
        assert_eq!(again.status(), StatusCode::NOT_MODIFIED);
        let picture = ask("icon.png", &[(header::ACCEPT_ENCODING, "br")]);
        assert_eq!(value(&picture, header::CONTENT_TYPE), "image/png");
        assert_eq!(value(&picture, header::CONTENT_ENCODING), "");
        assert_eq!(value(&picture, header::CACHE_CONTROL), "no-cache");
    }

    #[test]
    fn what_was_compressed_can_be_read_again() {
        use std::io::Read as _;
        let bytes = "two boards, four players, ".repeat(1_000);
        let mut plain = String::new();
        let compressed = brotli(bytes.as_bytes());
        let mut reader = brotli::Decompressor::new(&compressed[..], 4096);
        reader.read_to_string(&mut plain).unwrap();
        assert_eq!(plain, bytes);
        plain.clear();
        let compressed = gzip(bytes.as_bytes());
        let mut reader = flate2::read::GzDecoder::new(&compressed[..]);
        reader.read_to_string(&mut plain).unwrap();
        assert_eq!(plain, bytes);
    }

    #[test]
    fn inline_scripts_are_allowed_by_their_hashes_only() {
        let policy = assets("/").content_security_policy();
        let policy = policy.to_str().unwrap();
        assert_eq!(policy.matches("'sha256-").count(), 2);
        // As `openssl dgst -sha256 -binary | base64` has it.
        assert!(policy.contains(&csp_hash("let a = 1")));
        assert_eq!(
            csp_hash(""),
            "'sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU='"
        );
    }

    #[tokio::test]
    async fn the_page_knows_where_it_is_served() {
        let page = assets("/a/b").answer("", &HeaderMap::new());
        let page = String::from_utf8(body(page).await.to_vec()).unwrap();
        assert!(page.contains("<base href=\"/a/b/\">"), "{page}");
        let base = "/a".parse().unwrap();
        let files = || ["x.js", "x.css"].into_iter();
        let head = "<html><head><link href=\"/x.css\"><script>import '/x.js'</script>";
        assert_eq!(
            with_base(head, &base, files()),
            "<html><head><base href=\"/a/\"><link href=\"/a/x.css\">\
             <script>import '/a/x.js'</script>"
        );
        assert_eq!(
            with_base("<html><head><meta>", &BasePath::default(), files()),
            "<html><head><base href=\"/\"><meta>"
        );
    }

    #[test]
    fn hashed_names() {
        for name in [
            "a-0123456789abcdef.js",
            "a-123456789abcdef.js",
            "tandem-client-0123456789abcdef_bg.wasm",
        ] {
            assert!(has_hash(name), "{name}");
        }
        for name in [
            "index.html",
            "icon-0123.svg",
            "a-0123456789abcdefff.js",
            "abc.js",
        ] {
            assert!(!has_hash(name), "{name}");
        }
    }
}
