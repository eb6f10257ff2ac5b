//! What engines say and what users write for matches.

use arena::openings::{self, Order};
use arena::result_log::ResultLog;
use arena::stats::{Pentanomial, Sprt};
use arena::tune::ParametersFile;
use arena::{Answer, EngineSpec, Rule, SearchInfo};
use platform::svg;

/// Any bytes are read or refused in few words; what was read survives being written and read.
pub fn arena(data: &[u8]) {
    let text = String::from_utf8_lossy(data);
    match ParametersFile::read(&text) {
        Ok(file) => assert_eq!(ParametersFile::read(&file.to_string()).as_ref(), Ok(&file)),
        Err(error) => assert!(error.to_string().len() < 500 + text.len()),
    }

    let mut log = ResultLog::default();
    log.read(data).expect("bytes in memory can be read");
    let table = log.to_string();
    assert!(table.starts_with("total : "));
    let picture = svg::draw(&log.charts());
    assert!(!picture.contains("NaN"));

    let mut search_info = SearchInfo::default();
    for line in text.lines() {
        search_info.hear(line);
        assert_eq!(Answer::read(line).is_some(), line.split_ascii_whitespace().next() == Some("bestmove"));
        if let Ok(pairs) = line.parse::<Pentanomial>() {
            assert!(pairs.elo().value.is_finite() && (0.0..=1.0).contains(&pairs.los()));
            assert!(Sprt::default().llr(&pairs).is_finite());
        }
        let words = || line.split_ascii_whitespace();
        let _ = (EngineSpec::from_words(words()), Rule::from_words(words()), Sprt::from_words(words()));
    }

    for ply in [None, Some(3)] {
        if let Ok(list) = openings::parse(data, ply, Order::Shuffled(1)) {
            assert!(list.iter().all(|opening| !opening.is_empty() && !opening.contains('\n')));
        }
    }
}
