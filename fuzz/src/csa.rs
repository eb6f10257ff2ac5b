//! What servers and clients of the CSA protocol say.
#![allow(dead_code, reason = "each target uses one of them")]

use csa::clock::{Clocks, ResumeClock};
use csa::summary::SummaryReader;
use csa::wire::{ClientLine, ServerLine, client_line, server_line};
use game::{Color, Game};
use shogi::Shogi;
use std::time::Duration;

/// No line of a server does harm; a summary that is accepted can be played, and its clocks never run backwards.
pub fn csa_server(data: &[u8]) {
    let text = String::from_utf8_lossy(data);
    let mut reader = SummaryReader::default();
    for line in text.lines() {
        if let ServerLine::Move { text, time, .. } = server_line(line) {
            assert!(text.len() == 7 && text.is_ascii(), "{text:?}");
            assert!(time.is_none_or(|time| time < Duration::from_secs(1_000_000_000)), "{line:?}");
        }
        match reader.line(line) {
            Ok(None) => {}
            Err(error) => assert!(error.to_string().len() < 2000, "a long message: {error}"),
            Ok(Some(summary)) => {
                let opening = summary.opening();
                let position = Shogi::default().position_command(&opening);
                assert!(position.is_ok(), "{opening}");
                let mut clocks = Clocks::new(summary.rules, &summary.setup_times(), ResumeClock::Safe);
                for side in Color::ALL {
                    assert!(clocks.left(side) <= summary.rules[side.index()].total);
                    clocks.spend(side, Duration::MAX);
                    assert_eq!(clocks.left(side), Duration::ZERO);
                    assert!(clocks.usi_words(side).starts_with("btime "));
                }
                let _ = summary.text(Color::White);
                reader = SummaryReader::default();
            }
        }
    }
}

/// No line of a client does harm.
pub fn csa_client(data: &[u8]) {
    let text = String::from_utf8_lossy(data);
    for line in text.lines() {
        match client_line(line) {
            ClientLine::Move { text, .. } => assert!(text.len() == 7 && text.is_ascii(), "{text:?}"),
            ClientLine::Login { name, password, .. } => {
                assert!(!name.contains(' ') && !password.contains(' ') && !name.is_empty(), "{line:?}");
            }
            ClientLine::Blank => assert_eq!(line.trim_end(), ""),
            _ => {}
        }
    }
}
