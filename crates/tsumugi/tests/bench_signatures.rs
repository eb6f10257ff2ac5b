//! The node counts of `bench`, pinned: a change of the search in any game is noticed.

mod program;

use program::{feed, tsumugi};

/// What `bench` counts.
fn nodes(game: &str, evaluation: &str, depth: &str) -> String {
    let material = if evaluation == "material" && game == "shogi" { "EvalDir <material>\n" } else { "" };
    let input = format!(
        "Threads 1\nUSI_Hash 16\nsetoption name USI_Variant value {game}\n{material}bench 16 1 {depth}\nquit\n"
    );
    let output = feed(&mut tsumugi(&[]), input);
    let said = String::from_utf8(output.stdout).unwrap();
    assert!(output.status.success() && !said.contains("Error!"), "{said}");
    let count = said.lines().find_map(|line| line.strip_prefix("Nodes searched  : "));
    count.unwrap_or_else(|| panic!("{said}")).to_owned()
}

#[test]
fn bench_signatures_are_what_they_were() {
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../../testdata/search/bench_signatures.txt");
    let pinned = std::fs::read_to_string(file).unwrap();
    let pinned: Vec<&str> = pinned.lines().filter(|line| !line.starts_with('#')).collect();
    assert!(pinned.len() >= 6, "{pinned:?}");
    let now: Vec<String> = pinned
        .iter()
        .map(|line| {
            let [game, evaluation, depth, _] = line.split(' ').collect::<Vec<_>>()[..] else {
                panic!("{line}: expected GAME EVALUATION DEPTH NODES")
            };
            format!("{game} {evaluation} {depth} {}", nodes(game, evaluation, depth))
        })
        .collect();
    assert_eq!(now, pinned, "the search has changed");
}
