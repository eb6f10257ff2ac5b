//! The files of the pages: built in, or read from a folder while they are developed.

use axum::body::Body;
use axum::http::{HeaderMap, HeaderValue, Response, StatusCode, header};
use flate2::read::GzDecoder;
use platform::sha256;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

/// Names and packed bytes.
static FILES: &[(&str, &[u8])] = include!(concat!(env!("OUT_DIR"), "/assets.rs"));

/// Shown where the pages are not built in.
const NO_PAGE: &str = "<!doctype html><meta charset=utf-8><title>Tsumugi</title><p>The pages are not here: \
                       start with <code>--assets crates/web/ui</code>.";

/// Longer files are not served from a folder.
const MOST_BYTES: u64 = 8 << 20;

/// Where the files come from.
pub struct Assets {
    folder: Option<PathBuf>,
}

/// Checksums of the files that are built in.
fn tags() -> &'static [String] {
    static TAGS: OnceLock<Vec<String>> = OnceLock::new();
    TAGS.get_or_init(|| FILES.iter().map(|(_, bytes)| tag(bytes)).collect())
}

fn tag(bytes: &[u8]) -> String {
    format!("\"{}\"", sha256(bytes))
}

fn kind(name: &str) -> &'static str {
    match Path::new(name).extension().and_then(|extension| extension.to_str()) {
        Some("html") => "text/html; charset=utf-8",
        Some("js") => "text/javascript; charset=utf-8",
        Some("css") => "text/css; charset=utf-8",
        Some("svg") => "image/svg+xml",
        Some("webmanifest") => "application/manifest+json",
        _ => "application/octet-stream",
    }
}

impl Assets {
    /// The files that are built in, or those of a folder.
    #[must_use]
    pub fn new(folder: Option<PathBuf>) -> Self {
        Self { folder }
    }

    /// A file by its name below the folder of the pages.
    pub fn serve(&self, name: &str, request: &HeaderMap) -> Response<Body> {
        let not_found = || plain(StatusCode::NOT_FOUND, "no such file");
        if let Some(folder) = &self.folder {
            return match read(folder, name) {
                Some(bytes) => answer(name, &tag(&bytes), request, || Body::from(bytes)),
                None => not_found(),
            };
        }
        match FILES.iter().position(|(known, _)| *known == name) {
            Some(place) => packed(name, place, request),
            None if name == "index.html" => {
                let mut page = plain(StatusCode::OK, NO_PAGE);
                page.headers_mut().insert(header::CONTENT_TYPE, HeaderValue::from_static(kind(name)));
                page
            }
            None => not_found(),
        }
    }
}

/// A file that is built in: packed, unless the other side cannot unpack.
fn packed(name: &str, place: usize, request: &HeaderMap) -> Response<Body> {
    let bytes = FILES[place].1;
    let takes = request.get(header::ACCEPT_ENCODING).and_then(|value| value.to_str().ok());
    let takes = takes.is_some_and(|takes| {
        takes
            .split(',')
            .filter(|coding| !coding.contains("q=0"))
            .any(|coding| coding.trim().starts_with("gzip"))
    });
    let mut response = answer(name, &tags()[place], request, || {
        if takes {
            return Body::from(bytes);
        }
        let mut plain = Vec::new();
        // The bytes were packed when the program was built.
        let _ = GzDecoder::new(bytes).read_to_end(&mut plain);
        Body::from(plain)
    });
    let headers = response.headers_mut();
    headers.insert(header::VARY, HeaderValue::from_static("accept-encoding"));
    if takes {
        headers.insert(header::CONTENT_ENCODING, HeaderValue::from_static("gzip"));
    }
    response
}

/// A file below a folder; links that lead out of it are not followed.
fn read(folder: &Path, name: &str) -> Option<Vec<u8>> {
    let path = crate::paths::below(folder, name).ok()?;
    let known = ["html", "js", "css", "svg", "webmanifest"];
    let extension = path.extension()?.to_str()?;
    if !known.contains(&extension) || std::fs::metadata(&path).ok()?.len() > MOST_BYTES {
        return None;
    }
    std::fs::read(path).ok()
}

fn answer(name: &str, tag: &str, request: &HeaderMap, body: impl FnOnce() -> Body) -> Response<Body> {
    let known = request.get(header::IF_NONE_MATCH).and_then(|value| value.to_str().ok());
    let mut response = if known.is_some_and(|known| known.split(',').any(|known| known.trim() == tag)) {
        let mut response = Response::new(Body::empty());
        *response.status_mut() = StatusCode::NOT_MODIFIED;
        response
    } else {
        Response::new(body())
    };
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(kind(name)));
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-cache"));
    if let Ok(tag) = HeaderValue::from_str(tag) {
        headers.insert(header::ETAG, tag);
    }
    response
}

/// A short text.
pub fn plain(status: StatusCode, text: impl Into<String>) -> Response<Body> {
    let mut response = Response::new(Body::from(text.into()));
    *response.status_mut() = status;
    let kind = HeaderValue::from_static("text/plain; charset=utf-8");
    response.headers_mut().insert(header::CONTENT_TYPE, kind);
    response
}
