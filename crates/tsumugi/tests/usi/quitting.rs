//! The ways to leave.

use crate::host::Host;

const SEARCHES: [&str; 4] =
    ["go infinite", "go ponder btime 1000 wtime 1000", "go movetime 3600000", "go mate infinite"];

#[test]
fn quit_when_idle() {
    Host::ready().quit();
    Host::start().quit();
}

#[test]
fn quit_in_the_middle_of_a_search() {
    for go in SEARCHES {
        let mut host = Host::ready();
        host.send(&format!("position startpos\n{go}"));
        host.quit_searching();
    }
}

#[test]
fn quit_right_after_isready() {
    let mut host = Host::start();
    host.send("usi\nsetoption name USI_Hash value 64\nisready");
    host.quit();
}

#[test]
fn the_input_ends_when_idle() {
    let mut host = Host::ready();
    host.close_input();
    assert!(host.exit_status().success());
}

#[test]
fn the_input_ends_in_the_middle_of_a_search() {
    for go in SEARCHES {
        let mut host = Host::ready();
        host.send(&format!("position startpos\n{go}"));
        host.close_input();
        assert!(host.exit_status().success(), "{go}");
    }
}

#[test]
#[cfg(unix)]
fn sigterm() {
    for lines in ["", "position startpos\ngo infinite"] {
        let mut host = Host::ready();
        host.send(lines);
        host.so_far();
        host.terminate();
    }
}

#[test]
fn quit_at_any_moment() {
    for round in 0..25 {
        let mut host = Host::ready();
        host.send(&format!("position startpos\n{}", SEARCHES[round % SEARCHES.len()]));
        // The moments differ; which ones they are does not matter.
        std::thread::sleep(std::time::Duration::from_micros(round as u64 * 331 % 5_000));
        host.quit_searching();
    }
}
