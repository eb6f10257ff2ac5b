use super::Verdict;
use super::probe::{Probe, ms, seconds};

pub(super) fn is_tolerant(probe: &mut Probe) -> Verdict {
    probe.begin()?;
    let start = shogi::STARTPOS_SFEN;
    let unnumbered = start.strip_suffix(" 1").unwrap_or(start);
    for command in [
        format!("sfen {unnumbered}"),
        format!("sfen {start} moves"),
        format!("sfen {start} moves "),
        "startpos moves".to_owned(),
        "  startpos   moves   7g7f".to_owned(),
    ] {
        probe.ask(&command, "go movetime 100", seconds(10))?;
    }
    Ok(())
}

pub(super) fn takes_long_games(probe: &mut Probe) -> Verdict {
    probe.begin()?;
    let command = format!("startpos moves{}", " 2h3h 8b7b 3h2h 7b8b".repeat(125));
    probe.ask(&command, "go movetime 200", seconds(10)).map(|_| ())
}

pub(super) fn survives_nonsense(probe: &mut Probe) -> Verdict {
    probe.begin()?;
    for command in [
        "position startpos moves 7g7f 1a1b 9i9a+",
        "position sfen 9/9/9 b - 1",
        "position sfen xx w zz 1 moves 7g7f",
    ] {
        probe.say(command)?;
        probe.listen_for(ms(300))?;
    }
    probe.ask("startpos", "go movetime 100", seconds(10)).map(|_| ())
}

pub(super) fn takes_one_king(probe: &mut Probe) -> Verdict {
    probe.begin()?;
    probe.say("position sfen 4k4/9/4G4/9/9/9/9/9/9 b G2r2b2g4s4n4l18p 1")?;
    probe.say("go movetime 200")?;
    probe.bestmove(seconds(10)).map(|_| ())
}
