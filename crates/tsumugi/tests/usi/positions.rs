//! `position` in all the ways it is written.

use crate::host::Host;

const START: &str = "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b -";

#[test]
fn without_ply_and_with_an_empty_list() {
    let mut host = Host::ready();
    for position in [
        format!("sfen {START}"),
        format!("sfen {START} 1 moves"),
        format!("sfen {START} 1 moves "),
        "startpos moves".to_owned(),
        "  startpos   moves   7g7f".to_owned(),
    ] {
        host.plays(&position, "go nodes 300");
    }
    host.quit();
}

#[test]
fn a_game_of_500_moves() {
    let mut host = Host::ready();
    host.plays(&format!("startpos moves{}", " 2h3h 8b7b 3h2h 7b8b".repeat(125)), "go nodes 1000");
    host.quit();
}

#[test]
fn tsume_positions_without_the_attackers_king() {
    let mut host = Host::ready();
    host.plays("sfen 4k4/9/4G4/9/9/9/9/9/9 b G2r2b2g4s4n4l18p 1", "go nodes 2000");
    host.quit();
}
