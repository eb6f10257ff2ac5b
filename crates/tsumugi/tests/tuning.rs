//! The program built for tuning: `cargo test -p tsumugi --features tuning --test tuning`.
#![cfg(feature = "tuning")]

use std::process::Command;

/// The procedure of the documents: an engine that varies its numbers plays another one, and its log is counted.
#[test]
fn an_engine_that_varies_its_numbers_logs_them() {
    let folder = tempfile::tempdir().unwrap();
    let tsumugi = env!("CARGO_BIN_EXE_tsumugi");
    let log = folder.path().join("param_%%THREAD_NUMBER%%.log");
    let played = Command::new(tsumugi)
        .current_dir(folder.path())
        .args(["match", "--games", "6", "--concurrency", "2", "--max-moves", "40", "--records", "none"])
        .args(["--engine", "name=varied", &format!("cmd={tsumugi}")])
        .arg(format!("option.PARAMETERS_LOG_FILE_PATH={}", log.display()))
        .args(["--engine", "name=base", &format!("cmd={tsumugi}")])
        .args(["--each", "nodes=50", "threads=1", "hash=1", "option.EvalDir=<material>", "--out", "run"])
        .output()
        .unwrap();
    assert!(played.status.success(), "{}", String::from_utf8_lossy(&played.stderr));
    let counted = Command::new(tsumugi).arg("analyze-log").arg(&log).output().unwrap();
    let table = String::from_utf8(counted.stdout).unwrap();
    let total = table.lines().next().and_then(|line| line.strip_prefix("total : ")).unwrap_or_default();
    let games: Vec<u32> = total
        .split('(')
        .next()
        .unwrap_or_default()
        .split(" - ")
        .filter_map(|count| count.trim().parse().ok())
        .collect();
    assert_eq!(games.iter().sum::<u32>(), 6, "{table}");
    assert!(counted.stderr.is_empty(), "{}", String::from_utf8_lossy(&counted.stderr));
    // Two games with the same numbers are next to impossible.
    let values = |name: &str| {
        let lines = table.lines().skip_while(|line| *line != format!("{name}:")).skip(1);
        lines.take_while(|line| line.starts_with(' ')).count()
    };
    assert!(
        ["futility_per_depth", "reduction_scale", "probcut_margin"].iter().any(|name| values(name) > 1),
        "{table}"
    );
    assert_eq!(values("null_move_verification_depth"), 0, "it is not tuned: {table}");
}
