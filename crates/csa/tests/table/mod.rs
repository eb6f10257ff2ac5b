//! A server that follows a script, and clients' configurations for tests.

// Each test file uses a part of this.
#![allow(dead_code)]

use arena::EngineSpec;
use csa::client::{ClientConfig, Mode, Ponder};
use csa::clock::ResumeClock;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::time::Duration;

pub const ENGINE: &str = env!("CARGO_BIN_EXE_scripted_engine");

pub fn engine(arguments: &str) -> EngineSpec {
    let args = format!("args={arguments}");
    EngineSpec::from_words(["name=scripted", &format!("cmd={ENGINE}"), &args]).unwrap()
}

pub fn config(port: u16, name: &str, engine: EngineSpec) -> ClientConfig {
    ClientConfig {
        host: "127.0.0.1".to_owned(),
        port,
        tls: false,
        tls_ca: None,
        name: name.to_owned(),
        game: None,
        mode: Mode::Floodgate,
        engine,
        ponder: Ponder::Off,
        patience_ms: 30_000,
        pv_moves: Some(20),
        mate_scores: true,
        trust_win: false,
        resume_clock: ResumeClock::Safe,
        retry_ms: 20,
    }
}

/// Other people's scenarios, or a line that says that they are not there.
pub fn public(folder: &str) -> Option<PathBuf> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(3)?.join("shared/public").join(folder);
    let other = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(4)?.join("shared/public").join(folder);
    let found = [path, other].into_iter().find(|path| path.is_dir());
    if found.is_none() {
        println!("skipped: shared/public/{folder} is not there");
    }
    found
}

/// Lines that one side says in a row, or the end of a connection.
#[derive(Debug)]
pub enum Step {
    Say(String),
    Hear(String),
    Cut,
}

/// Reads `send:…`, `recv:…`, `disconnect:` and comments.
pub fn script(text: &str) -> Vec<Step> {
    let mut steps: Vec<Step> = Vec::new();
    for line in text.lines() {
        if let Some(said) = line.strip_prefix("send:") {
            match steps.last_mut() {
                Some(Step::Say(before)) => {
                    before.push_str(said);
                    before.push('\n');
                }
                _ => steps.push(Step::Say(format!("{said}\n"))),
            }
        } else if let Some(heard) = line.strip_prefix("recv:") {
            steps.push(Step::Hear(heard.to_owned()));
        } else if line.starts_with("disconnect") {
            steps.push(Step::Cut);
        }
    }
    steps
}

/// Plays the server of a script; the error says where a client said something else.
pub fn serve(listener: &TcpListener, steps: &[Step]) -> Result<(), String> {
    let mut connection = accept(listener)?;
    for (index, step) in steps.iter().enumerate() {
        let at = format!("step {}", index + 1);
        match step {
            Step::Say(text) => {
                connection.0.write_all(text.as_bytes()).map_err(|error| format!("{at}: {error}"))?;
            }
            Step::Hear(expected) => {
                let heard = hear(&mut connection.1);
                if heard.as_deref() != Some(expected) {
                    return Err(format!("{at}: expected `{expected}`, heard {heard:?}"));
                }
            }
            Step::Cut => connection = accept(listener)?,
        }
    }
    let mut rest = String::new();
    connection.1.read_to_string(&mut rest).map_err(|error| error.to_string())?;
    if rest.is_empty() { Ok(()) } else { Err(format!("after the end: {rest:?}")) }
}

pub type Side = (TcpStream, BufReader<TcpStream>);

pub fn accept(listener: &TcpListener) -> Result<Side, String> {
    let (stream, _) = listener.accept().map_err(|error| error.to_string())?;
    Ok(side(stream))
}

pub fn side(stream: TcpStream) -> Side {
    stream.set_read_timeout(Some(Duration::from_mins(1))).unwrap();
    let reader = BufReader::new(stream.try_clone().unwrap());
    (stream, reader)
}

/// The next line, if one comes.
pub fn hear(reader: &mut impl BufRead) -> Option<String> {
    let mut line = String::new();
    match reader.read_line(&mut line) {
        Ok(0) | Err(_) => None,
        Ok(_) => Some(line.trim_end_matches('\n').to_owned()),
    }
}
