use super::probe::{Probe, ms, seconds};
use super::{Verdict, fail, warn};

pub(super) fn quick_stops(probe: &mut Probe) -> Verdict {
    probe.begin()?;
    let mut command = "startpos moves".to_owned();
    for _ in 0..60 {
        probe.say_all(&[&format!("position {command}"), "go infinite", "stop"])?;
        let best = probe.legal_bestmove(&command, seconds(5))?.answer.best;
        if matches!(best.as_str(), "resign" | "win") {
            break;
        }
        command = format!("{command} {best}");
    }
    Ok(())
}

/// Checks that the engine still plays.
fn plays_on(probe: &mut Probe) -> Verdict {
    probe.say("usinewgame")?;
    probe.ask("startpos", "go byoyomi 100", seconds(5)).map(|_| ())
}

pub(super) fn game_over_while_thinking(probe: &mut Probe) -> Verdict {
    probe.begin()?;
    probe.say_all(&["position startpos", "go btime 60000 wtime 60000 byoyomi 1000"])?;
    probe.no_bestmove_for(ms(100), "before stop").or_else(|_| warn("answered before stop"))?;
    probe.say_all(&["stop", "gameover lose", "isready"])?;
    let lines = probe.until("readyok", seconds(15), |line| line.trim() == "readyok")?;
    let answers = lines.iter().filter(|line| line.starts_with("bestmove")).count();
    plays_on(probe)?;
    if answers == 1 { Ok(()) } else { fail(format!("{answers} bestmoves before readyok")) }
}

pub(super) fn game_over_while_pondering(probe: &mut Probe) -> Verdict {
    probe.begin()?;
    probe.say_all(&["position startpos moves 7g7f 3c3d", "go ponder btime 1000 wtime 1000 byoyomi 300"])?;
    probe.no_bestmove_for(ms(100), "while pondering")?;
    probe.say_all(&["gameover draw", "isready"])?;
    probe.until("readyok", seconds(15), |line| line.trim() == "readyok")?;
    plays_on(probe)?;
    probe.say_all(&["gameover", "gameover unknown"])?;
    probe.ready()?;
    plays_on(probe)
}

pub(super) fn words_while_thinking(probe: &mut Probe) -> Verdict {
    probe.begin()?;
    probe.say_all(&["position startpos", "go infinite"])?;
    probe.no_bestmove_for(ms(100), "before stop")?;
    probe.say_all(&["setoption name USI_Hash value 32", "position startpos moves 7g7f", "stop"])?;
    probe.bestmove(seconds(5))?;
    probe.say("go infinite")?;
    probe.no_bestmove_for(ms(100), "before stop")?;
    probe.say("stop")?;
    probe.bestmove(seconds(5))?;
    probe.ready().map(|_| ())
}

pub(super) fn no_flood(probe: &mut Probe) -> Verdict {
    probe.begin()?;
    probe.say_all(&["position startpos", "go infinite"])?;
    let lines = probe.no_bestmove_for(seconds(2), "before stop")?.len();
    probe.say("stop")?;
    probe.bestmove(seconds(5))?;
    if lines > 600 { warn(format!("{lines} lines in 2 s")) } else { Ok(()) }
}
