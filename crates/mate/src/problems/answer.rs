//! Answers to problems, as text or JSON.

use super::files::Problem;
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

/// The results for a problem: by the strict count and, if requested, by the customary one.
pub(super) struct Solved<'a> {
    pub(super) problem: &'a Problem,
    pub(super) verdict: &'a Verdict,
    pub(super) customary: Option<&'a Verdict>,
    pub(super) nodes: u64,
    pub(super) seconds: f64,
}

impl Solved<'_> {
    pub(super) fn kind(&self) -> AnswerKind {
        match self.verdict {
            Verdict::Mate(mate) if mate.length.is_exact() => AnswerKind::Exact,
            Verdict::Mate(_) => AnswerKind::AtMost,
            Verdict::NoMate => AnswerKind::NoMate,
            Verdict::Unknown(_) => AnswerKind::Unknown,
        }
    }

    /// The answer for people; the solution only if no report gives it.
    pub(super) fn text(&self, language: Language, with_solution: bool) -> String {
        let Self { problem, verdict, nodes, seconds, .. } = self;
        let mut text = format!("{}: {verdict} ({nodes} positions, {seconds:.3} s)", problem.name);
        if let Verdict::Mate(mate) = verdict
            && with_solution
        {
            text = text + "\n  " + &spoken_solution(&problem.position, &mate.line, language);
        }
        if let Some(customary) = self.customary {
            text = text + "\n  without futile interpositions: " + &customary.to_string();
        }
        text
    }

    pub(super) fn json(&self) -> Value {
        let mut value = json!({
            "name": self.problem.name,
            "sfen": self.problem.position.sfen(),
            "nodes": self.nodes,
            "seconds": self.seconds,
        });
        match self.verdict {
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
        if let Some(Verdict::Mate(mate)) = self.customary {
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
