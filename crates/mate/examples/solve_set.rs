//! Solves the problems of a JSONL file and compares with the answers that it gives.
//!
//! `cargo run --release -p tsumugi-mate --example solve_set -- FILE [--mb 1024] [--nodes N] [--seconds S] [--any] [--threads T] [--only PART]`

use mate::{Goal, Limits, MateLength, Solver, Verdict};
use serde_json::Value;
use shogi::Position;
use std::time::{Duration, Instant};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let named = |name: &str| words.iter().position(|word| word == name).and_then(|i| words.get(i + 1));
    let number = |name: &str| named(name).and_then(|word| word.parse::<u64>().ok());
    let megabytes = number("--mb").unwrap_or(1024) as usize;
    let seconds = number("--seconds").unwrap_or(10);
    let nodes = number("--nodes");
    let goal = if words.iter().any(|word| word == "--any") { Goal::Any } else { Goal::Shortest };
    let only = named("--only").map_or("", String::as_str);
    let helpmates = words.iter().any(|word| word == "--help-mates");
    let file = words.first().ok_or("which file?")?;

    let mut solver = Solver::new(megabytes << 20)?;
    solver.set_threads(number("--threads").unwrap_or(1) as usize);
    solver.warm_up();
    let (mut right, mut open, mut wrong) = (0, 0, 0);
    for line in std::fs::read_to_string(file)?.lines() {
        let problem: Value = serde_json::from_str(line)?;
        let id = problem["id"].as_str().unwrap_or("?");
        if !id.contains(only) || (problem["rule"] == "helpmate") != helpmates {
            continue;
        }
        if helpmates {
            help(&problem, id, megabytes)?;
            continue;
        }
        let position = Position::from_sfen(problem["sfen"].as_str().unwrap_or_default())?;
        let start = Instant::now();
        let cpu = cpu_seconds();
        let stop = || start.elapsed() > Duration::from_secs(seconds);
        let verdict = solver.solve(&position, goal, Limits { nodes, plies: None, stop: &stop, report: None });
        let time =
            cpu_seconds().zip(cpu).map_or_else(|| start.elapsed().as_secs_f64(), |(now, then)| now - then);
        let strict = problem["strict_len"].as_u64();
        let is_mate = problem["result"] == "mate";
        let (text, fits) = match &verdict {
            Verdict::Mate(mate) => {
                let fits = match mate.length {
                    MateLength::Exact(n) => {
                        strict.is_none_or(|strict| strict == u64::from(n)) && mate.line.len() as u32 == n
                    }
                    MateLength::AtMost(n) => strict.is_none_or(|strict| strict <= u64::from(n)),
                };
                let mut end = position.clone();
                let legal = mate.line.iter().all(|&m| {
                    end.is_legal(m) && {
                        end.do_move(m);
                        true
                    }
                });
                (mate.length.to_string(), Some(is_mate && fits && legal && end.is_mated()))
            }
            Verdict::NoMate => ("no mate".to_owned(), Some(!is_mate)),
            Verdict::Unknown(reason) => (format!("{reason:?}"), None),
        };
        let mark = match fits {
            Some(true) => {
                right += 1;
                "ok"
            }
            Some(false) => {
                wrong += 1;
                "WRONG"
            }
            None => {
                open += 1;
                "open"
            }
        };
        println!("{id}\t{time:.3}\t{}\t{text}\t{mark}\t(strict {strict:?})", solver.progress().nodes);
    }
    println!("{right} right, {open} open, {wrong} wrong");
    Ok(())
}

/// Time that this thread has run, where the system tells (Linux): the clock on the wall is shared with others.
fn cpu_seconds() -> Option<f64> {
    let text = std::fs::read_to_string("/proc/self/schedstat").ok()?;
    let nanoseconds: f64 = text.split_whitespace().next()?.parse().ok()?;
    Some(nanoseconds / 1e9)
}

fn help(problem: &Value, id: &str, megabytes: usize) -> Result<(), Box<dyn std::error::Error>> {
    let position = Position::from_sfen(problem["sfen"].as_str().unwrap_or_default())?;
    let cpu = cpu_seconds();
    let positions = std::cell::Cell::new(0);
    let stop = |progress: mate::HelpProgress| {
        positions.set(progress.positions);
        false
    };
    let verdict = mate::solve_helpmate(&position, &mate::HelpLimits { bytes: megabytes << 20, stop: &stop });
    let time = cpu_seconds().zip(cpu).map_or(0.0, |(now, then)| now - then);
    let expected = problem["strict_len"].as_u64().or(problem["published_len"].as_u64());
    let text = match &verdict {
        mate::HelpVerdict::Mate(found) => {
            let mut end = position.clone();
            let legal = found.line.iter().all(|&m| {
                end.is_legal(m) && {
                    end.do_move(m);
                    true
                }
            });
            let fits = legal && end.is_mated() && expected == Some(found.plies() as u64);
            format!(
                "{} plies, {} solutions\t{}",
                found.plies(),
                found.solutions,
                if fits { "ok" } else { "WRONG" }
            )
        }
        other => format!("{other:?}\topen"),
    };
    println!("{id}\t{time:.3}\t{}\t{text}\t(expected {expected:?})", positions.get());
    Ok(())
}
