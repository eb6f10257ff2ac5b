use super::info::Info;
use super::probe::{Probe, ms, multipv_option, position, seconds};
use super::{Trouble, Verdict, fail, warn};
use game::Position as _;
use std::collections::BTreeMap;

/// Words that may end a PV although they are not moves.
const PV_ENDS: [&str; 7] = ["win", "resign", "rep_draw", "rep_win", "rep_lose", "rep_sup", "rep_inf"];

/// The first illegal move of a PV.
fn illegal_move<'a>(command: &str, pv: &[&'a str]) -> Option<&'a str> {
    let mut position = position(command);
    for word in pv {
        if PV_ENDS.contains(word) {
            return None;
        }
        match position.parse_move(word) {
            Ok(m) => position.do_move(m),
            Err(_) => return Some(word),
        }
    }
    None
}

pub(super) fn moves_in_time(probe: &mut Probe) -> Verdict {
    probe.begin()?;
    let command = "startpos moves 7g7f 3c3d";
    let answered = probe.ask(command, "go btime 0 wtime 0 byoyomi 1000", seconds(10))?;
    let best = answered.answer.best.as_str();
    if let Some(ponder) = &answered.answer.ponder
        && illegal_move(command, &[best, ponder]).is_some()
    {
        return fail(format!("illegal `ponder {ponder}` after {best}"));
    }
    let mut last = None;
    for info in answered.before.iter().filter_map(|line| Info::read(line)) {
        let Some(pv) = &info.pv else { continue };
        if let Some(word) = illegal_move(command, pv) {
            return fail(format!("illegal `{word}` in the PV {}", pv.join(" ")));
        }
        if info.multipv() == "1" {
            last = Some(info);
        }
    }
    let Some((last, pv)) = last.as_ref().and_then(|last| Some((last, last.pv.as_ref()?))) else {
        return fail("no info line with a PV");
    };
    if pv.first() != Some(&best) {
        return fail(format!("the last PV begins with {}, but bestmove is {best}", pv.join(" ")));
    }
    if answered.took > seconds(1) {
        return fail(format!("took {:.3} s of 1 s", answered.took.as_secs_f64()));
    }
    if last.is_bound {
        warn("the last PV has only a bound, which some hosts take for its score")
    } else {
        Ok(())
    }
}

pub(super) fn info_is_clean(probe: &mut Probe) -> Verdict {
    probe.begin()?;
    let answered = probe.ask("startpos", "go movetime 700", seconds(10))?;
    for line in answered.before.iter().filter(|line| !line.trim().is_empty()) {
        if let Some(what) = fault_of_info(line) {
            return fail(format!("{what}: `{}`", line.chars().take(100).collect::<String>()));
        }
    }
    Ok(())
}

fn fault_of_info(line: &str) -> Option<String> {
    let Some(info) = Info::read(line) else { return Some("not an info line".into()) };
    if let Some(word) = info.unknown.first() {
        return Some(format!("unknown word `{word}`"));
    }
    if line.contains("  ") && !line.contains("string") {
        return Some("two blanks".into());
    }
    if info.pv.is_some() {
        let missing = ["nodes", "time"].into_iter().find(|key| info.value(key).is_none());
        if let Some(key) = missing.or_else(|| info.score.is_none().then_some("score")) {
            return Some(format!("a PV without {key}"));
        }
    }
    if let Some((kind, value)) = info.score {
        let number = value.parse::<i64>().ok();
        let sane = match kind {
            "cp" => number.is_some(),
            "mate" => number.is_some_and(|plies| plies != 0),
            _ => false,
        };
        if !sane {
            return Some(format!("score {kind} {value}"));
        }
    }
    let fullness = info.value("hashfull")?;
    let sane = fullness.parse::<u32>().is_ok_and(|permille| permille <= 1000);
    (!sane).then(|| format!("hashfull {fullness}"))
}

pub(super) fn takes_all_clocks(probe: &mut Probe) -> Verdict {
    probe.begin()?;
    for go in [
        "go btime 1500.5 wtime 1500.5 binc 200 winc 200",
        "go btime 2000 wtime 2000 byoyomi 0",
        "go btime 3000 wtime 3000 binc 100 winc 100 byoyomi 100",
        "go movetime 200 wtime 10000 btime 10000 byoyomi 1000",
        "go wtime 2000 btime 2000",
    ] {
        probe.ask("startpos", go, seconds(8))?;
    }
    Ok(())
}

pub(super) fn infinite_waits(probe: &mut Probe) -> Verdict {
    probe.begin()?;
    probe.say_all(&["position startpos moves 2g2f", "go infinite"])?;
    probe.no_bestmove_for(ms(1500), "before stop")?;
    probe.say("stop")?;
    let answered = probe.legal_bestmove("startpos moves 2g2f", seconds(5))?;
    probe.no_bestmove_for(ms(300), "for the second time")?;
    if answered.took > ms(500) {
        return fail(format!("bestmove {:.2} s after stop", answered.took.as_secs_f64()));
    }
    Ok(())
}

pub(super) fn infinite_waits_when_done(probe: &mut Probe) -> Verdict {
    probe.begin()?;
    for command in ["sfen 4k4/4G4/4P4/9/9/9/9/9/4K4 w - 1", "sfen 7nk/7pp/7N1/9/9/9/9/9/K8 b G 1"] {
        probe.say_all(&[&format!("position {command}"), "go infinite"])?;
        probe.no_bestmove_for(seconds(1), "before stop")?;
        probe.say("stop")?;
        probe.bestmove(seconds(5))?;
    }
    Ok(())
}

pub(super) fn first_limit_ends(probe: &mut Probe) -> Verdict {
    probe.begin()?;
    probe.ask("startpos", "go movetime 5000 depth 4 nodes 100000000", seconds(4))?;
    let answered = probe.ask("startpos", "go nodes 20000", seconds(10))?;
    let nodes =
        answered.before.iter().filter_map(|line| Info::read(line)?.value("nodes")?.parse::<u64>().ok());
    match nodes.max() {
        Some(most) if most > 60_000 => warn(format!("{most} nodes instead of 20000")),
        _ => Ok(()),
    }
}

pub(super) fn searchmoves(probe: &mut Probe) -> Verdict {
    probe.begin()?;
    probe.say_all(&["position startpos", "go searchmoves 9g9f 1g1f infinite"])?;
    probe.no_bestmove_for(ms(600), "before stop")?;
    probe.say("stop")?;
    let best = probe.bestmove(seconds(5))?.answer.best;
    if matches!(best.as_str(), "9g9f" | "1g1f") {
        Ok(())
    } else {
        fail(format!("{best} is none of the moves asked for"))
    }
}

pub(super) fn multipv(probe: &mut Probe) -> Verdict {
    let lines = probe.begin()?;
    let multipv = multipv_option(&lines).ok_or(Trouble::from("no option MultiPV or USI_MultiPV"))?;
    probe.ask("startpos", "go movetime 200", seconds(5))?;
    probe.say(&format!("setoption name {multipv} value 3"))?;
    let answered = probe.ask("startpos", "go movetime 700", seconds(8))?;
    let mut first_moves = BTreeMap::new();
    for info in answered.before.iter().filter_map(|line| Info::read(line)) {
        if let Some(first) = info.pv.as_ref().and_then(|pv| pv.first().copied()) {
            first_moves.insert(info.multipv(), first);
        }
    }
    let ranks = ["1", "2", "3"].map(|rank| first_moves.get(rank).copied());
    let [Some(a), Some(b), Some(c)] = ranks else {
        return fail(format!(
            "expected lines 1, 2 and 3, found {:?}",
            first_moves.keys().collect::<Vec<_>>()
        ));
    };
    if a == b || b == c || a == c { fail(format!("the lines begin with {a}, {b} and {c}")) } else { Ok(()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn faults_of_info_lines() {
        for good in [
            "info string anything goes",
            "info depth 1 nodes 1 time 0 score cp 5 hashfull 1000 pv 7g7f",
            "info depth 1 nodes 1 time 0 score mate -3 pv resign",
            "info currmove 7g7f nps 5",
        ] {
            assert_eq!(fault_of_info(good), None, "{good}");
        }
        for bad in [
            "hello",
            "info wdl 1 2 3",
            "info depth 1  nodes 1",
            "info depth 1 nodes 1 score cp 5 pv 7g7f",
            "info nodes 1 time 1 pv 7g7f",
            "info score mate 0",
            "info score mate +",
            "info hashfull 1001",
        ] {
            assert!(fault_of_info(bad).is_some(), "{bad}");
        }
    }

    #[test]
    fn illegal_moves_of_a_pv() {
        assert_eq!(illegal_move("startpos", &["7g7f", "3c3d"]), None);
        assert_eq!(illegal_move("startpos", &["7g7f", "7g7f"]), Some("7g7f"));
        assert_eq!(illegal_move("startpos", &["7g7f", "rep_draw", "x"]), None);
    }
}
