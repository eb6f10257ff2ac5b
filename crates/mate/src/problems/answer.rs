//! Answers to problems, as text or JSON.

use super::files::Problem;
use super::solve::Settings;
use crate::composition::spoken_solution;
use crate::{HelpVerdict, Helpmate, MateLength, Verdict};
use platform::Language;
use serde_json::{Value, json};
use shogi::Move;
use std::fmt;
use std::time::Duration;

/// The answer to a problem.
pub struct Answer {
    /// The kind, for the summary.
    pub kind: AnswerKind,
    /// The text to print.
    pub text: String,
}

/// The kind of an answer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum AnswerKind {
    /// A mate of exactly this length.
    Exact,
    /// A mate of at most this length.
    AtMost,
    /// There is no mate.
    NoMate,
    /// Not solved.
    Unknown,
}

/// The kinds of all answers, counted.
pub struct Summary<'a> {
    /// One for each problem.
    pub kinds: &'a [AnswerKind],
    /// For all problems together.
    pub time: Duration,
}

impl fmt::Display for Summary<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let count = |kind| self.kinds.iter().filter(|other| **other == kind).count();
        writeln!(f, "problems          {:>6}", self.kinds.len())?;
        writeln!(f, "mate, exactly     {:>6}", count(AnswerKind::Exact))?;
        writeln!(f, "mate, at most     {:>6}", count(AnswerKind::AtMost))?;
        writeln!(f, "no mate           {:>6}", count(AnswerKind::NoMate))?;
        writeln!(f, "unknown           {:>6}", count(AnswerKind::Unknown))?;
        write!(f, "time              {:>6.1} s", self.time.as_secs_f64())
    }
}

/// The word for a length in JSON.
pub(super) fn certainty(length: MateLength) -> &'static str {
    if length.is_exact() { "exact" } else { "at most" }
}

fn moves(line: &[Move]) -> Vec<String> {
    line.iter().map(ToString::to_string).collect()
}

/// What is found out about a problem, without the time that it took.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Finding {
    /// By the strict count.
    pub verdict: Verdict,
    /// By the customary count, if it was asked for and there is a mate.
    pub customary: Option<Verdict>,
    /// Positions searched for the strict one.
    pub nodes: u64,
}

impl Finding {
    /// The answer, with the time if it is given; for people the solution, unless a report gives it.
    #[must_use]
    pub fn answer(
        &self,
        problem: &Problem,
        seconds: Option<f64>,
        settings: &Settings,
        with_solution: bool,
    ) -> Answer {
        let text = if settings.json {
            self.json(problem, seconds).to_string()
        } else {
            self.text(problem, seconds, settings.language, with_solution)
        };
        Answer { kind: self.kind(), text }
    }

    fn kind(&self) -> AnswerKind {
        match &self.verdict {
            Verdict::Mate(mate) if mate.length.is_exact() => AnswerKind::Exact,
            Verdict::Mate(_) => AnswerKind::AtMost,
            Verdict::NoMate => AnswerKind::NoMate,
            Verdict::Unknown(_) => AnswerKind::Unknown,
        }
    }

    fn text(
        &self,
        problem: &Problem,
        seconds: Option<f64>,
        language: Language,
        with_solution: bool,
    ) -> String {
        let Self { verdict, nodes, .. } = self;
        let mut text = match seconds {
            Some(seconds) => format!("{}: {verdict} ({nodes} positions, {seconds:.3} s)", problem.name),
            None => format!("{}: {verdict} ({nodes} positions)", problem.name),
        };
        if let Verdict::Mate(mate) = verdict
            && with_solution
        {
            text = text + "\n  " + &spoken_solution(&problem.position, &mate.line, language);
        }
        if let Some(customary) = &self.customary {
            text = text + "\n  without futile interpositions: " + &customary.to_string();
        }
        text
    }

    fn json(&self, problem: &Problem, seconds: Option<f64>) -> Value {
        let mut value = json!({
            "name": problem.name,
            "sfen": problem.position.sfen(),
            "nodes": self.nodes,
        });
        if let Some(seconds) = seconds {
            value["seconds"] = json!(seconds);
        }
        match &self.verdict {
            Verdict::Mate(mate) => {
                value["result"] = json!("mate");
                value["plies"] = json!(mate.length.plies());
                value["certainty"] = json!(certainty(mate.length));
                value["line"] = json!(moves(&mate.line));
            }
            Verdict::NoMate => value["result"] = json!("nomate"),
            Verdict::Unknown(reason) => {
                value["result"] = json!("unknown");
                value["reason"] = json!(reason.to_string());
            }
        }
        if let Some(Verdict::Mate(mate)) = &self.customary {
            value["customary"] = json!({
                "plies": mate.length.plies(), "certainty": certainty(mate.length), "line": moves(&mate.line),
            });
        }
        value
    }
}

/// The answer to a helpmate.
pub(super) fn helpmate_answer(
    problem: &Problem,
    verdict: &HelpVerdict,
    seconds: f64,
    as_json: bool,
) -> Answer {
    let name = &problem.name;
    let (kind, json, text) = match verdict {
        HelpVerdict::Mate(found) => {
            let solutions = match found.solutions {
                1 => "one solution".to_owned(),
                Helpmate::MANY => "too many solutions to count".to_owned(),
                n => format!("{n} solutions"),
            };
            let line = moves(&found.line);
            let length = MateLength::Exact(u32::try_from(found.plies()).unwrap_or(u32::MAX));
            let text =
                format!("{name}: helpmate in {length}, {solutions} ({seconds:.3} s)\n  {}", line.join(" "));
            let json = json!({
                "name": name, "sfen": problem.position.sfen(), "result": "helpmate", "plies": found.plies(),
                "certainty": "exact", "solutions": found.solutions, "line": line, "seconds": seconds,
            });
            (AnswerKind::Exact, json, text)
        }
        HelpVerdict::NoMate => (
            AnswerKind::NoMate,
            json!({ "name": name, "result": "nomate", "seconds": seconds }),
            format!("{name}: no helpmate ({seconds:.3} s)"),
        ),
        HelpVerdict::Unknown => (
            AnswerKind::Unknown,
            json!({ "name": name, "result": "unknown", "seconds": seconds }),
            format!("{name}: unknown (stopped, out of --hash, or the attacker is not to move)"),
        ),
    };
    Answer { kind, text: if as_json { json.to_string() } else { text } }
}
