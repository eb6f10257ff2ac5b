//! The checks find what is wrong with the zoo's engines and nothing wrong with what is right.

use arena::EngineSpec;
use arena::compliance::{CHECKS, Finding, Grade};

fn check(id: &str, arguments: &str) -> Finding {
    let engine = env!("CARGO_BIN_EXE_faulty_engine");
    let words = [format!("cmd={engine}"), format!("args={arguments}")];
    let spec = EngineSpec::from_words(words.iter().map(String::as_str)).unwrap();
    CHECKS.iter().find(|check| check.id == id).unwrap().make(&spec)
}

#[test]
fn faults_are_found() {
    for (id, arguments, grade, what) in [
        ("H1", "none", Grade::Pass, ""),
        ("H3", "none", Grade::Pass, ""),
        ("H9", "none", Grade::Pass, ""),
        ("P3", "none", Grade::Pass, ""),
        ("Q1", "none", Grade::Pass, ""),
        ("Q4", "none", Grade::Pass, ""),
        ("H8", "none", Grade::Fail, "no option MultiPV or USI_MultiPV"),
        ("G4", "none", Grade::Fail, "before stop"),
        ("P1", "illegal 1", Grade::Fail, "illegal `5e5d`"),
        ("P1", "crash 1", Grade::Dead, "closed its output"),
        ("G1", "stray 1", Grade::Fail, "no info line with a PV"),
        ("G2", "stray 1", Grade::Fail, "not an info line: `hello there`"),
        ("E1", "illegal 1", Grade::Fail, "bestmove 5e5d instead of resign"),
        ("M1", "none", Grade::Fail, "instead of checkmate"),
    ] {
        let finding = check(id, arguments);
        assert_eq!(finding.grade, grade, "{id} {arguments}: {finding:?}");
        assert!(finding.what.contains(what), "{id} {arguments}: {finding:?}");
        assert_eq!(finding.talk.is_empty(), grade == Grade::Pass);
    }
}

#[test]
fn an_engine_that_is_not_there_is_no_panic() {
    let spec = EngineSpec::from_words(["cmd=/nowhere/engine"]).unwrap();
    let finding = CHECKS[0].make(&spec);
    assert_eq!(finding.grade, Grade::Dead);
    assert!(finding.what.starts_with("cannot start `/nowhere/engine`"));
}
