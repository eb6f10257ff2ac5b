use super::probe::{Probe, ms, seconds};
use super::{Verdict, fail};

const POSITION: &str = "position startpos moves 7g7f 3c3d";
const GO: &str = "go ponder btime 1000 wtime 1000 byoyomi 300";

pub(super) fn hit(probe: &mut Probe) -> Verdict {
    probe.begin()?;
    probe.say_all(&[POSITION, GO])?;
    probe.no_bestmove_for(ms(1600), "while pondering")?;
    probe.say("ponderhit")?;
    probe.legal_bestmove("startpos moves 7g7f 3c3d", seconds(6)).map(|_| ())
}

pub(super) fn hit_with_clocks(probe: &mut Probe) -> Verdict {
    probe.begin()?;
    probe.say_all(&[POSITION, "go ponder"])?;
    probe.no_bestmove_for(ms(800), "while pondering")?;
    probe.say("ponderhit btime 0 wtime 0 byoyomi 800")?;
    let took = probe.bestmove(seconds(4))?.took;
    if took > ms(1500) {
        fail(format!("took {:.2} s of a byoyomi of 0.8 s", took.as_secs_f64()))
    } else {
        Ok(())
    }
}

pub(super) fn no_clocks(probe: &mut Probe) -> Verdict {
    probe.begin()?;
    probe.say_all(&[POSITION, "go ponder"])?;
    probe.no_bestmove_for(ms(500), "while pondering")?;
    probe.say("ponderhit")?;
    probe.bestmove(seconds(10)).map(|_| ())
}

pub(super) fn miss(probe: &mut Probe) -> Verdict {
    probe.begin()?;
    for _ in 0..5 {
        probe.say_all(&[POSITION, GO])?;
        probe.no_bestmove_for(ms(50), "while pondering")?;
        probe.say("stop")?;
        probe.bestmove(seconds(3))?;
        probe.ask("startpos moves 7g7f 8c8d", "go byoyomi 100", seconds(5))?;
    }
    Ok(())
}

pub(super) fn crossing_words(probe: &mut Probe) -> Verdict {
    probe.begin()?;
    probe.say_all(&["stop", "ponderhit"])?;
    probe.no_bestmove_for(ms(300), "without go")?;
    probe.say_all(&[POSITION, "go ponder btime 0 wtime 0 byoyomi 2000", "ponderhit", "stop", "stop"])?;
    probe.bestmove(seconds(4))?;
    probe.no_bestmove_for(ms(500), "for the second time").map(|_| ())
}
