//! Commands that take long by design: a script waits for them, a person may interrupt them.

use crate::host::Host;
use std::time::Duration;

/// Each takes much longer than any test, and says this when it is stopped.
const COMMANDS: [(&str, &str); 9] = [
    ("go perft 12", "info string go perft stopped: "),
    ("bench 1 1 200 default depth", "info string bench stopped at position "),
    ("bench 1 1 3600 current time", "info string bench stopped at position 1 of 1: "),
    ("bench 1 1 20 current perft", "info string bench stopped at position 1 of 1: "),
    ("bench 1 1 100000000 current eval", "info string bench stopped at position 1 of 1: "),
    ("test genmoves loop 100000000", "info string test genmoves stopped after "),
    ("test autoplay loop 100000 movetime 3600000", "info string test autoplay stopped after 0 of 100000"),
    ("unittest random_player_loop 1000000", "info string unittest stopped after "),
    ("wait 600000", "info string wait stopped"),
];

#[test]
fn stop_ends_every_command() {
    let mut host = Host::ready();
    for (command, stopped) in COMMANDS {
        host.send(command);
        host.insist("stop", stopped);
        host.plays("startpos", "go nodes 100");
    }
    // Waiting for a search is ended, and then the search is.
    host.send("go infinite\nwait");
    host.insist("stop", "bestmove ");
    host.send("position startpos\nsfen");
    host.until("lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1");
    host.send("quit");
    assert!(host.exit_status().success());
}

#[test]
fn a_partial_count_never_looks_like_a_whole_one() {
    let mut host = Host::ready();
    for (command, stopped) in &COMMANDS[..3] {
        host.send(command);
        let heard = host.insist("stop", stopped);
        assert!(!heard.iter().any(|line| line.starts_with("Nodes searched")), "{heard:?}");
    }
    host.quit();
}

/// Sends a command, and waits until it has been running for a while.
fn begin(command: &str, first: &str, a_while: Duration) -> Host {
    let mut host = Host::ready();
    host.send(command);
    host.listen(first, |line| line.starts_with(first));
    std::thread::sleep(a_while);
    host
}

#[test]
fn quit_ends_a_command() {
    for (command, first) in
        [("bench 1 1 200 default depth", "Position: 1/"), ("test autoplay loop 1000000 nodes 1", "")]
    {
        let mut host = begin(command, first, Duration::from_millis(500));
        // Whatever was still to be done is not.
        host.send("bench 1 1 200 default depth\nquit");
        assert!(host.exit_status().success());
    }
}

#[test]
fn the_end_of_the_input_ends_a_command() {
    let mut host = begin("bench 1 1 200 default depth", "Position: 1/", Duration::from_millis(2_500));
    host.close_input();
    assert!(host.exit_status().success());
}

#[test]
#[cfg(unix)]
fn sigterm_ends_a_command() {
    for (command, _) in COMMANDS {
        let mut host = Host::ready();
        host.send(command);
        host.terminate();
    }
}

#[test]
fn a_script_waits_for_its_commands() {
    for end in ["", "\nquit", "\nstop\nquit", "\ngameover"] {
        for (command, last) in [
            ("go perft 3", "Nodes searched: 25470"),
            ("bench 1 1 2 current", "Nodes/second    : "),
            ("test genmoves loop 10", "30 moves, "),
            ("unittest random_player_loop 1", "unittest: 1 games, "),
            ("test autoplay nodes 1\nside", "black"),
            ("wait 300\nside", "black"),
            ("go infinite\nwait 300\nstop\nwait\nside", "black"),
        ] {
            let mut host = Host::start();
            host.send_bytes(format!("Threads 1\nUSI_Hash 1\n{command}{end}\n").as_bytes());
            host.close_input();
            assert!(host.exit_status().success());
            let heard: Vec<&str> = host.heard().collect();
            assert!(heard.last().is_some_and(|line| line.starts_with(last)), "{command}: {heard:?}");
            assert!(!heard.iter().any(|line| line.contains("stopped")), "{command}: {heard:?}");
        }
    }
}
