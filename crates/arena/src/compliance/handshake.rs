use super::info::Info;
use super::probe::{Probe, ms, multipv_option, seconds};
use super::{Trouble, Verdict, fail, warn};
use std::time::Instant;

pub(super) fn greets(probe: &mut Probe) -> Verdict {
    let start = Instant::now();
    let lines = probe.usi()?;
    let took = start.elapsed();
    let last = lines.last().map_or("", String::as_str);
    if last != "usiok" {
        return fail(format!("`{last}` has more than usiok in it"));
    }
    if took > seconds(2) {
        return fail(format!("usiok after {:.1} s", took.as_secs_f64()));
    }
    if !lines.iter().any(|line| line.starts_with("id name ")) {
        return fail("no `id name`");
    }
    if !lines.iter().any(|line| line.starts_with("id author ")) {
        return warn("no `id author`");
    }
    Ok(())
}

pub(super) fn options_can_be_read(probe: &mut Probe) -> Verdict {
    let lines = probe.usi()?;
    let faults: Vec<String> = lines.iter().filter_map(|line| fault_of_line(line)).collect();
    match faults.as_slice() {
        [] => Ok(()),
        [first] => fail(first),
        [first, rest @ ..] => fail(format!("{first}; and {} more", rest.len())),
    }
}

/// The fault of a line in the answer to `usi`, if any.
fn fault_of_line(line: &str) -> Option<String> {
    let what = if line.starts_with("option ") {
        fault_of_option(line)?
    } else {
        let known = line.trim().is_empty()
            || line == "usiok"
            || ["id ", "info "].iter().any(|word| line.starts_with(word));
        (!known).then_some("neither id nor option")?
    };
    Some(format!("{what}: `{}`", line.chars().take(80).collect::<String>()))
}

fn fault_of_option(line: &str) -> Option<&'static str> {
    let words: Vec<&str> = line.split(' ').collect();
    if words.contains(&"") {
        return Some("two blanks, or one at the end");
    }
    let ["option", "name", _, "type", kind, rest @ ..] = words.as_slice() else {
        return Some("not `option name ONE_WORD type TYPE …`");
    };
    let value = |key: &str| rest.chunks(2).find(|pair| pair[0] == key).and_then(|pair| pair.get(1)).copied();
    let number = |key: &str| value(key).and_then(|word| word.parse::<i64>().ok());
    match *kind {
        "button" => None,
        "check" => (!matches!(value("default"), Some("true" | "false")))
            .then_some("default is neither true nor false"),
        "spin" => match (number("min"), number("default"), number("max")) {
            (Some(min), Some(default), Some(max)) if min <= default && default <= max => None,
            (Some(_), Some(_), Some(_)) => Some("default outside min and max"),
            _ => Some("default, min or max is missing"),
        },
        "combo" => {
            let default = value("default");
            let offered = rest.chunks(2).any(|pair| pair[0] == "var" && pair.get(1).copied() == default);
            (default.is_none() || !offered).then_some("default is none of the choices")
        }
        "string" | "filename" => value("default").is_none().then_some("no default (`<empty>` for none)"),
        _ => Some("unknown type"),
    }
}

pub(super) fn speaks_ascii(probe: &mut Probe) -> Verdict {
    let mut lines = probe.usi()?;
    probe.set_wanted_options()?;
    lines.extend(probe.ready()?);
    let plain = |line: &String| line.chars().all(|c| (' '..='~').contains(&c));
    match lines.iter().find(|line| !plain(line)) {
        Some(line) => fail(format!("`{line}` is not plain ASCII")),
        None => Ok(()),
    }
}

pub(super) fn is_ready_soon(probe: &mut Probe) -> Verdict {
    probe.usi()?;
    probe.set_wanted_options()?;
    let start = Instant::now();
    probe.ready()?;
    let took = start.elapsed();
    if took > seconds(5) { fail(format!("readyok after {:.1} s", took.as_secs_f64())) } else { Ok(()) }
}

pub(super) fn takes_its_defaults(probe: &mut Probe) -> Verdict {
    for line in probe.usi()? {
        let words: Vec<&str> = line.split(' ').collect();
        let ["option", "name", name, "type", kind, rest @ ..] = words.as_slice() else { continue };
        let Some(at) = rest.iter().position(|word| *word == "default").filter(|_| *kind != "button") else {
            continue;
        };
        let value = rest.get(at + 1).copied().filter(|value| *value != "<empty>").unwrap_or_default();
        probe.say(&format!("setoption name {name} value {value}"))?;
    }
    probe.set_wanted_options()?;
    probe.ready().map(|_| ())
}

pub(super) fn shrugs_off_wrong_options(probe: &mut Probe) -> Verdict {
    probe.usi()?;
    probe.say_all(&[
        "setoption name NoSuchOption value 1",
        "setoption name USI_Hash",
        "setoption name USI_Hash value abc",
        "setoption name Threads value 99999999",
        "setoption",
        "setoption name",
        "setoption name Bad Name With Spaces value 3",
    ])?;
    probe.set_wanted_options()?;
    probe.say_all(&["setoption name USI_Hash value 16", "setoption name Threads value 1"])?;
    only_info(&probe.ready()?)
}

/// Messages about bad input must be `info` lines.
fn only_info(lines: &[String]) -> Verdict {
    let stray =
        |line: &&String| !line.trim().is_empty() && !line.starts_with("info") && line.trim() != "readyok";
    match lines.iter().find(stray) {
        Some(line) => warn(format!("`{line}` is no info line")),
        None => Ok(()),
    }
}

pub(super) fn takes_all_at_once(probe: &mut Probe) -> Verdict {
    probe.usi()?;
    probe.set_wanted_options()?;
    probe.say_all(&["isready", "usinewgame", "position startpos", "go byoyomi 300"])?;
    probe.until_readyok()?;
    probe.legal_bestmove("startpos", seconds(10)).map(|_| ())
}

pub(super) fn gets_ready_again(probe: &mut Probe) -> Verdict {
    let lines = probe.usi()?;
    probe.set_wanted_options()?;
    let Some(multipv) = multipv_option(&lines) else { return fail("no option MultiPV or USI_MultiPV") };
    probe.say("usinewgame")?;
    probe.ready()?;
    probe.say(&format!("setoption name {multipv} value 3"))?;
    probe.ready()?;
    let answered =
        probe.ask(&format!("sfen {} moves ", shogi::STARTPOS_SFEN), "go movetime 500", seconds(10))?;
    let third = answered.before.iter().filter_map(|line| Info::read(line)).any(|info| info.multipv() == "3");
    if !third {
        return fail("no third line after isready");
    }
    probe.ready()?;
    probe
        .ask(&format!("sfen {} moves 7g7f", shogi::STARTPOS_SFEN), "go movetime 300", seconds(10))
        .map(|_| ())
}

pub(super) fn reads_crlf(probe: &mut Probe) -> Verdict {
    probe.say_ending("usi", "\r\n")?;
    probe.until("usiok", seconds(10), |line| line.trim() == "usiok")?;
    probe.set_wanted_options()?;
    probe.say_ending("isready", "\r\n")?;
    probe.until_readyok()?;
    probe.say_ending("position startpos moves 7g7f", "\r\n")?;
    probe.say_ending("go byoyomi 200", "\r\n")?;
    probe.legal_bestmove("startpos moves 7g7f", seconds(10)).map(|_| ())
}

pub(super) fn shrugs_off_junk(probe: &mut Probe) -> Verdict {
    probe.begin()?;
    let long = "x".repeat(20_000);
    probe.say_all(&["", "   ", "\t", "foobar", "position", "position foo", &long])?;
    let mut lines = probe.listen_for(ms(500))?;
    lines.extend(probe.ready()?);
    only_info(&lines)
}

/// For checks that find an option missing.
impl From<&str> for Trouble {
    fn from(what: &str) -> Self {
        Self::Fail(what.to_owned())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options() {
        for good in [
            "option name A type check default true",
            "option name A type spin default 1 min 0 max 2",
            "option name A type combo default x var x var y",
            "option name A type string default <empty>",
            "option name A type button",
        ] {
            assert_eq!(fault_of_option(good), None, "{good}");
        }
        for bad in [
            "option name A B type check default true",
            "option name A type check",
            "option name A type spin default 3 min 0 max 2",
            "option name A type spin default 1 min 0",
            "option name A type combo default z var x",
            "option name A type string default ",
            "option name A type string",
            "option name A type colour default red",
        ] {
            assert!(fault_of_option(bad).is_some(), "{bad}");
        }
        assert_eq!(fault_of_line("id name X"), None);
        assert!(fault_of_line("Stockfish by many").is_some());
    }
}
