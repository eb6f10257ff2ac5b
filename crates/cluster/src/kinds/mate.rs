//! Problems solved.

use super::{json, read, share};
use crate::blobs::BlobCache;
use crate::envelope::Job;
use crate::kind::{Craft, Failure, Kind, Pulse};
use ::mate::problems::{Finding, Outputs, Problem, Settings, solve_one};
use ::mate::{Goal, Mate, MateLength, Reason, Solver, Verdict};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use shogi::{Move, Position};

/// The word of this kind.
pub const NAME: &str = "mate";

/// How problems are solved.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MateSettings {
    /// Megabytes of the table.
    pub megabytes: usize,
    /// Limit of positions.
    pub nodes: Option<u64>,
    /// Stop at the first mate found.
    pub first: bool,
    /// Solve by the customary count as well.
    pub customary: bool,
}

impl MateSettings {
    fn settings(&self) -> Settings {
        Settings {
            megabytes: self.megabytes,
            threads: 1,
            jobs: 1,
            time: None,
            nodes: self.nodes,
            goal: if self.first { Goal::Any } else { Goal::Shortest },
            helpmate: false,
            customary: self.customary,
            report_nodes: None,
            json: false,
            timed: false,
            outputs: Outputs::default(),
        }
    }
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Work {
    settings: MateSettings,
    problems: Vec<String>,
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "lowercase", deny_unknown_fields)]
enum SentVerdict {
    Mate { plies: u32, exact: bool, line: Vec<String> },
    NoMate,
    Stopped,
    TooDeep,
}

impl SentVerdict {
    fn of(verdict: &Verdict) -> Self {
        match verdict {
            Verdict::Mate(mate) => Self::Mate {
                plies: mate.length.plies(),
                exact: mate.length.is_exact(),
                line: mate.line.iter().map(ToString::to_string).collect(),
            },
            Verdict::NoMate => Self::NoMate,
            Verdict::Unknown(Reason::Stopped) => Self::Stopped,
            Verdict::Unknown(Reason::TooDeep) => Self::TooDeep,
        }
    }

    fn verdict(self) -> Result<Verdict, String> {
        Ok(match self {
            Self::Mate { plies, exact, line } => {
                let length = if exact { MateLength::Exact(plies) } else { MateLength::AtMost(plies) };
                let moves =
                    line.iter().map(|word| word.parse::<Move>().map_err(|_| format!("`{word}` is no move")));
                Verdict::Mate(Mate { length, line: moves.collect::<Result<_, _>>()? })
            }
            Self::NoMate => Verdict::NoMate,
            Self::Stopped => Verdict::Unknown(Reason::Stopped),
            Self::TooDeep => Verdict::Unknown(Reason::TooDeep),
        })
    }
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct SentFinding {
    verdict: SentVerdict,
    customary: Option<SentVerdict>,
    nodes: u64,
}

/// Problems to be solved.
pub struct Mates<'a> {
    /// How.
    pub settings: MateSettings,
    /// Which.
    pub problems: &'a [Problem],
}

impl Mates<'_> {
    fn problems(&self, n: u64) -> &[Problem] {
        let share = share(self.problems.len());
        let first = (n as usize).saturating_mul(share).min(self.problems.len());
        &self.problems[first..(first + share).min(self.problems.len())]
    }

    /// The problems of a job with what was found.
    pub fn findings(&self, n: u64, output: &[u8]) -> Result<Vec<(&Problem, Finding)>, String> {
        let sent: Vec<SentFinding> = serde_json::from_slice(output).map_err(|error| error.to_string())?;
        let problems = self.problems(n);
        if sent.len() != problems.len() {
            return Err(format!("{} problems instead of {}", sent.len(), problems.len()));
        }
        let one = |(problem, sent): (_, SentFinding)| {
            let customary = sent.customary.map(SentVerdict::verdict).transpose()?;
            let finding = Finding { verdict: sent.verdict.verdict()?, customary, nodes: sent.nodes };
            self.check_finding(problem, &finding)?;
            Ok((problem, finding))
        };
        problems.iter().zip(sent).map(one).collect()
    }

    fn check_finding(&self, problem: &Problem, finding: &Finding) -> Result<(), String> {
        let bad = |text: &str| Err(format!("{}: {text}", problem.name));
        match &finding.verdict {
            Verdict::Mate(mate) => {
                if let Err(text) = check_line(&problem.position, mate, true) {
                    return bad(&text);
                }
                if self.settings.customary != finding.customary.is_some() {
                    return bad("the customary count was not done as asked for");
                }
            }
            Verdict::Unknown(Reason::Stopped)
                if self.settings.nodes.is_none_or(|nodes| finding.nodes < nodes) =>
            {
                return bad("stopped before the limit of positions");
            }
            _ if finding.customary.is_some() => return bad("a customary count without a mate"),
            _ => {}
        }
        if let Some(Verdict::Mate(mate)) = &finding.customary
            && let Err(text) = check_line(&problem.position, mate, false)
        {
            return bad(&text);
        }
        Ok(())
    }
}

/// Whether the moves are legal, those of the attacker checks, and the last one mate.
fn check_line(start: &Position, mate: &Mate, ends_in_mate: bool) -> Result<(), String> {
    let attacker = Solver::attacker(start);
    let mut position = Position::try_from(start.setup()).map_err(|error| error.to_string())?;
    for m in &mate.line {
        if !position.is_legal(*m) {
            return Err(format!("the line has the illegal move {m}"));
        }
        let attacks = position.side() == attacker;
        position.do_move(*m);
        if attacks && !position.in_check() {
            return Err(format!("{m} is no check"));
        }
    }
    if ends_in_mate
        && (position.side() == attacker || !position.in_check() || !position.legal_moves().is_empty())
    {
        return Err("the line does not end in mate".to_owned());
    }
    if ends_in_mate && mate.length.is_exact() && mate.line.len() != mate.length.plies() as usize {
        return Err(format!("a line of {} plies for a mate in {}", mate.line.len(), mate.length));
    }
    Ok(())
}

impl Kind for Mates<'_> {
    fn name(&self) -> &'static str {
        NAME
    }

    fn jobs(&self) -> u64 {
        self.problems.len().div_ceil(share(self.problems.len())) as u64
    }

    fn work(&self, n: u64) -> Value {
        let problems = self.problems(n).iter().map(|problem| problem.position.sfen()).collect();
        json(Work { settings: self.settings.clone(), problems })
    }

    fn check(&self, n: u64, output: &[u8]) -> Result<(), String> {
        self.findings(n, output).map(|_| ())
    }

    fn is_deterministic(&self) -> bool {
        // The number of positions searched depends on the problems that the same solver has had before, so two honest workers
        // can differ.
        false
    }
}

/// Solves problems.
#[derive(Default)]
pub struct MateCraft(Option<(usize, Solver)>);

impl Craft for MateCraft {
    fn work(&mut self, job: &Job, _: &BlobCache<'_>, pulse: &Pulse) -> Result<Vec<u8>, Failure> {
        let Work { settings, problems } = read(&job.work)?;
        if self.0.as_ref().is_none_or(|(megabytes, _)| *megabytes != settings.megabytes) {
            // The old table makes room first.
            self.0 = None;
            let solver = Solver::with_megabytes(settings.megabytes);
            self.0 = Some((settings.megabytes, solver.map_err(|error| Failure::Failed(error.to_string()))?));
        }
        // It was set above.
        let Some((_, solver)) = &mut self.0 else { return Err(Failure::Stopped) };
        let local = settings.settings();
        let mut sent = Vec::new();
        for sfen in &problems {
            let position =
                Position::from_sfen(sfen).map_err(|error| Failure::Failed(format!("{sfen}: {error}")))?;
            let problem = Problem { name: String::new(), position };
            let finding = solve_one(&problem, &local, solver, &|| pulse.must_stop());
            if pulse.is_stopped() {
                return Err(Failure::Stopped);
            }
            sent.push(SentFinding {
                verdict: SentVerdict::of(&finding.verdict),
                customary: finding.customary.as_ref().map(SentVerdict::of),
                nodes: finding.nodes,
            });
        }
        Ok(json(sent).to_string().into_bytes())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(settings: &MateSettings, output: &str) -> Result<(), String> {
        let position = Position::from_sfen("4k4/9/4P4/9/9/9/9/9/4K4 b 2G 1").unwrap();
        let problems = [Problem { name: "#1".to_owned(), position }];
        Mates { settings: settings.clone(), problems: &problems }.check(0, output.as_bytes())
    }

    #[test]
    fn what_is_no_mate_is_refused() {
        let settings = MateSettings { megabytes: 1, nodes: Some(100), first: false, customary: false };
        let mate = |line: &str, plies: u32| {
            format!(
                r#"[{{"verdict":{{"mate":{{"plies":{plies},"exact":true,"line":[{line}]}}}},"customary":null,"nodes":5}}]"#
            )
        };
        assert_eq!(check(&settings, &mate(r#""G*5b""#, 1)), Ok(()));
        for (line, plies) in [
            (r#""G*5b""#, 3),
            (r#""G*4b""#, 1),
            (r#""G*1i""#, 1),
            (r#""5c5b+""#, 1),
            (r#""G*5c""#, 1),
            ("", 0),
        ] {
            assert!(check(&settings, &mate(line, plies)).is_err(), "{line}");
        }
        let plain = |verdict: &str, nodes: u64| {
            format!(r#"[{{"verdict":"{verdict}","customary":null,"nodes":{nodes}}}]"#)
        };
        assert_eq!(check(&settings, &plain("nomate", 5)), Ok(()));
        assert_eq!(check(&settings, &plain("stopped", 100)), Ok(()));
        assert!(check(&settings, &plain("stopped", 5)).is_err());
        assert!(check(&settings, "[]").is_err());
        let customary = MateSettings { customary: true, ..settings };
        assert!(check(&customary, &mate(r#""G*5b""#, 1)).is_err());
    }
}
