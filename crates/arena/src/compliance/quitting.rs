use super::probe::{Probe, ms, seconds};
use super::{Verdict, fail, warn};
use std::time::Instant;

fn quits(probe: &mut Probe) -> Verdict {
    let start = Instant::now();
    probe.say("quit")?;
    let Some(status) = probe.end(seconds(5))? else { return fail("still there 5 s after quit") };
    if !status.success() {
        return fail(format!("ended with {status}"));
    }
    let took = start.elapsed();
    if took > seconds(1) { warn(format!("{:.1} s", took.as_secs_f64())) } else { Ok(()) }
}

pub(super) fn when_idle(probe: &mut Probe) -> Verdict {
    probe.begin()?;
    quits(probe)
}

pub(super) fn during_a_search(probe: &mut Probe) -> Verdict {
    probe.begin()?;
    probe.say_all(&["position startpos", "go infinite"])?;
    probe.no_bestmove_for(ms(300), "before stop")?;
    quits(probe)
}

pub(super) fn end_of_input(probe: &mut Probe) -> Verdict {
    probe.begin()?;
    probe.say_all(&["position startpos", "go infinite"])?;
    probe.no_bestmove_for(ms(200), "before stop")?;
    probe.close_input();
    if probe.end(seconds(3))?.is_some() { Ok(()) } else { fail("still there 3 s after its input was closed") }
}

pub(super) fn terminated(probe: &mut Probe) -> Verdict {
    probe.begin()?;
    if !probe.terminate() {
        return warn("not tried: there is no SIGTERM on this system");
    }
    if probe.end(ms(500))?.is_some() { Ok(()) } else { fail("still there 0.5 s after SIGTERM") }
}
