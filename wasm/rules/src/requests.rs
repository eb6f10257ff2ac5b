//! Requests being done.

use crate::records::{Reading, detect};
use crate::request::Request;
use crate::state::AnyState;
use crate::states;
use game::Script;
use serde_json::{Value, json};

/// The answer to a request.
pub fn answer(request: &[u8]) -> Vec<u8> {
    let (line, data) = match request.iter().position(|byte| *byte == b'\n') {
        Some(end) => (&request[..end], &request[end + 1..]),
        None => (request, &[][..]),
    };
    let mut bytes = Vec::new();
    let done = serde_json::from_slice(line)
        .map_err(|error| format!("not a request: {error}"))
        .and_then(|request| obey(request, data, &mut bytes));
    let told = match done {
        Ok(value) => json!({ "ok": value }),
        Err(message) => json!({ "error": message }),
    };
    // Strings of JSON have no line ends.
    let mut answer = told.to_string().into_bytes();
    if !bytes.is_empty() {
        answer.push(b'\n');
        answer.append(&mut bytes);
    }
    answer
}

fn with<T>(id: u32, act: impl FnOnce(&mut dyn AnyState) -> T) -> Result<T, String> {
    states::with(id, act).ok_or_else(|| "this game has been closed".to_owned())
}

fn obey(request: Request, data: &[u8], bytes: &mut Vec<u8>) -> Result<Value, String> {
    Ok(match request {
        Request::Games {} => json!(states::names()),
        Request::Open { game, variants } => json!(states::open(&game, variants.as_deref())?),
        Request::Close { id } => {
            states::close(id);
            Value::Null
        }
        Request::Copy { id } => {
            let copy = with(id, |state| state.boxed())?;
            json!(states::keep(copy))
        }
        Request::Set { id, position } => {
            with(id, |state| state.set(&position))??;
            Value::Null
        }
        Request::State { id } => json!(with(id, |state| state.state())?),
        Request::Moves { id } => json!(with(id, |state| state.moves())?),
        Request::Check { id, r#move } => match with(id, |state| state.check(&r#move))? {
            Ok(canonical) => json!({ "move": canonical }),
            Err(why) => json!({ "why": why }),
        },
        Request::Play { id, r#move } => json!(with(id, |state| state.play(&r#move))??),
        Request::Undo { id } => json!(with(id, |state| state.undo())?),
        Request::Picture { id, kanji } => {
            let script = if kanji { Script::Kanji } else { Script::Ascii };
            json!(with(id, |state| state.picture(script))?)
        }
        Request::Diagram { id } => json!(with(id, |state| state.board())?),
        Request::Write { id, moves } => json!(with(id, |state| state.write(&moves))??),
        Request::Parse { id, text } => json!(with(id, |state| state.parse(&text))??),
        Request::Detect {} => json!(detect(data)),
        Request::Read { game, variants, keep_illegal } => {
            let reading = Reading::new(game.as_deref(), variants, keep_illegal.unwrap_or(false))?;
            json!(reading.read(data)?)
        }
        Request::Convert { to, game, variants, encoding, keep_illegal } => {
            let reading = Reading::new(game.as_deref(), variants, keep_illegal.unwrap_or(false))?;
            let (games, written) = reading.convert(data, &to, encoding.as_deref())?;
            *bytes = written;
            json!(games)
        }
    })
}
