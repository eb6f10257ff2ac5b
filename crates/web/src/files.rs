//! Files in and out: records that are sent here, boards that are downloaded.

use crate::app_state::AppState;
use crate::assets::plain;
use crate::board::{Document, ROOT, lock};
use crate::diagram;
use crate::protocol::{Event, Opened, Refusal, RefusalCode};
use axum::body::Body;
use axum::http::{HeaderValue, Response, StatusCode, header};
use record::Format;
use record::encoding::Encoding;

/// More games of one file are not opened: boards that are older would have to go.
const MOST_OPENED: usize = 20;

/// Opens every game of a file on a board of its own.
pub fn open(app: &AppState, bytes: &[u8]) -> Result<Vec<Opened>, Refusal> {
    open_as(app, bytes, "shogi")
}

/// The same for bytes that may be of a game that they do not name.
pub fn open_as(app: &AppState, bytes: &[u8], hint: &str) -> Result<Vec<Opened>, Refusal> {
    let records = app.games.read(bytes, None, hint)?;
    let mut opened = Vec::new();
    for record in records.iter().take(MOST_OPENED) {
        let (document, notices) = Document::of_record(app.games.get(&record.game)?, record)?;
        let board = app.boards.add(document);
        let board = lock(&board).id.clone();
        opened.push(Opened { board, notices });
    }
    if let Some(first) = opened.first_mut().filter(|_| records.len() > MOST_OPENED) {
        first.notices.push(format!("the file holds more games: the first {MOST_OPENED} are open"));
    }
    app.tell_all(&Event::Lists);
    Ok(opened)
}

/// The answer to a file that was sent.
pub fn answer(result: &Result<Vec<Opened>, Refusal>) -> Response<Body> {
    let (status, text) = match result {
        // Answers are strings and lists, which JSON always has.
        Ok(opened) => (StatusCode::OK, serde_json::to_string(opened).unwrap_or_default()),
        Err(refusal) => {
            (StatusCode::UNPROCESSABLE_ENTITY, serde_json::to_string(refusal).unwrap_or_default())
        }
    };
    let mut response = plain(status, text);
    response.headers_mut().insert(header::CONTENT_TYPE, HeaderValue::from_static("application/json"));
    response
}

/// `ID.kif` with `node=N` and `encoding=shift-jis` in the query.
pub fn download(app: &AppState, name: &str, query: &str) -> Response<Body> {
    match written(app, name, query) {
        Ok((bytes, kind)) => {
            let mut response = Response::new(Body::from(bytes));
            let headers = response.headers_mut();
            headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(kind));
            headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
            if let Ok(value) = HeaderValue::from_str(&format!("attachment; filename=\"{name}\"")) {
                headers.insert(header::CONTENT_DISPOSITION, value);
            }
            response
        }
        Err(refusal) => {
            let status = match refusal.code {
                RefusalCode::Unknown | RefusalCode::Node => StatusCode::NOT_FOUND,
                _ => StatusCode::UNPROCESSABLE_ENTITY,
            };
            plain(status, refusal.text)
        }
    }
}

fn written(app: &AppState, name: &str, query: &str) -> Result<(Vec<u8>, &'static str), Refusal> {
    let no_format = || {
        Refusal::new(
            RefusalCode::Unsupported,
            "the name ends in the format: kif, kifu, ki2, csa, json, usi, sfen, bod, svg",
        )
    };
    let (id, extension) = name.split_once('.').ok_or_else(no_format)?;
    let asked = |key: &str| {
        query
            .split('&')
            .filter_map(|pair| pair.split_once('='))
            .find(|(name, _)| *name == key)
            .map(|(_, value)| value)
    };
    let document = lock(&*app.boards.get(id)?).document().clone();
    let node = match asked("node") {
        Some(text) => text.parse().map_err(|_| Refusal::new(RefusalCode::Node, "node: a number"))?,
        None => document.end_of(ROOT),
    };
    match extension {
        "svg" => {
            let scene = document.line(node)?.scene();
            return Ok((diagram::draw(&scene, document.game.rules()).into_bytes(), "image/svg+xml"));
        }
        "sfen" => {
            return Ok(((document.line(node)?.text() + "\n").into_bytes(), "text/plain; charset=utf-8"));
        }
        _ => {}
    }
    let format: Format = match extension {
        "kifu" => Format::Kif,
        "ki2u" => Format::Ki2,
        "json" => Format::Jkf,
        other => other.parse().map_err(|_| no_format())?,
    };
    let usual =
        if matches!(extension, "kif" | "ki2" | "bod") { format.usual_encoding() } else { Encoding::Utf8 };
    let encoding = match asked("encoding") {
        Some(name) => name
            .parse()
            .map_err(|error| Refusal::new(RefusalCode::Unsupported, format!("encoding: {error}")))?,
        None => usual,
    };
    let document = match format {
        Format::Bod => Document::new(document.game.clone(), Some(&document.line(node)?.text()))?,
        _ => document,
    };
    Ok((document.write(format, encoding)?.bytes, "application/octet-stream"))
}
