use super::info::Info;
use super::probe::{Probe, seconds};
use super::{Verdict, fail, warn};

pub(super) fn resigns_when_mated(probe: &mut Probe) -> Verdict {
    probe.begin()?;
    probe.say_all(&["position sfen 4k4/4G4/4P4/9/9/9/9/9/4K4 w - 1", "go byoyomi 300"])?;
    let best = probe.bestmove(seconds(5))?.answer.best;
    if best == "resign" { Ok(()) } else { fail(format!("bestmove {best} instead of resign")) }
}

pub(super) fn declares(probe: &mut Probe) -> Verdict {
    probe.begin()?;
    let entered = "position sfen 1K+R+R5/+B+B+P+P+P+P3/+P+P+P+P5/9/9/9/9/9/4k4 b 4G4S4N4L 200";
    probe.say_all(&[entered, "go byoyomi 500"])?;
    let best = probe.bestmove(seconds(5))?.answer.best;
    if best == "win" {
        Ok(())
    } else {
        warn(format!("bestmove {best} instead of win (an option may be needed)"))
    }
}

pub(super) fn mate_scores(probe: &mut Probe) -> Verdict {
    probe.begin()?;
    let answered = probe.ask("sfen 7nk/9/7GP/9/9/9/9/9/K8 b G 1", "go movetime 500", seconds(6))?;
    let last = answered.before.iter().rev().find_map(|line| Info::read(line)?.score);
    match last {
        Some(("mate", plies)) if plies.parse::<u32>().is_ok_and(|plies| plies > 0) => Ok(()),
        Some((kind, value)) => fail(format!("score {kind} {value} instead of a mate for the side to move")),
        None => fail("no score"),
    }
}
