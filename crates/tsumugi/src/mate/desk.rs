//! `tsumugi mate generate`, `improve` and `duplicates`: the composer's helpers.

use crate::language;
use crate::terminal::{print, tell};
use ::mate::composition::{Custom, Theme, improve as try_changes, pieces, problem_key, spoken_solution};
use ::mate::problems::{self, Generated, Generator, Wanted};
use anyhow::{bail, ensure};
use platform::ProgressLine;
use record::{Record, ShowOptions};
use serde_json::json;
use shogi::Position;
use std::collections::BTreeMap;
use std::time::Instant;

/// Generate problems: unique by the custom, with no piece that could be left out (`YaneuraOu`'s `test genmate`).
#[derive(clap::Args, PartialEq, Debug)]
pub struct GenerateArgs {
    /// Number of problems.
    #[arg(long, value_name = "N", default_value_t = 10)]
    count: usize,
    /// Minimum number of plies.
    #[arg(long, value_name = "PLIES", default_value_t = 3)]
    min: u32,
    /// Maximum number of plies.
    #[arg(long, value_name = "PLIES", default_value_t = 9)]
    max: u32,
    /// The same seed gives the same problems.
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// The custom by which they are sound: strict, modern or loose.
    #[arg(long, value_name = "CUSTOM", default_value = "strict")]
    custom: Custom,
    /// Themes that the main line must show, for example `不成,中合` or `sacrifice`.
    #[arg(long, value_name = "THEMES", value_delimiter = ',')]
    theme: Vec<String>,
    /// Maximum number of pieces, on the board and in the attacker's hand.
    #[arg(long, value_name = "N", default_value_t = 12)]
    pieces: u32,
    /// Problems that must not come again, mirrored or with the colours exchanged.
    #[arg(long, value_name = "PROBLEM")]
    known: Vec<String>,
    /// One JSON object per line, with length, solution and themes.
    #[arg(long)]
    json: bool,
    /// No progress.
    #[arg(short, long)]
    quiet: bool,
}

/// Try every single change of a problem: pieces removed, added, moved or replaced, everything shifted. The sound ones are
/// listed, the longest first.
#[derive(clap::Args, PartialEq, Debug)]
pub struct ImproveArgs {
    /// The problem, as for solving.
    #[arg(required = true, value_name = "PROBLEM")]
    problem: Vec<String>,
    /// The custom that judges: strict, modern or loose.
    #[arg(long, value_name = "CUSTOM", default_value = "modern")]
    custom: Custom,
    /// Changes listed.
    #[arg(long, value_name = "N", default_value_t = 30)]
    most: usize,
    /// Time limit in seconds.
    #[arg(long, value_name = "SECONDS")]
    time: Option<f64>,
    /// One JSON object per line instead of text.
    #[arg(long)]
    json: bool,
    /// No progress.
    #[arg(short, long)]
    quiet: bool,
}

/// List problems that are the same but for mirror and colours.
#[derive(clap::Args, PartialEq, Debug)]
pub struct DuplicatesArgs {
    /// The problems, as for solving.
    #[arg(required = true, value_name = "PROBLEM")]
    problems: Vec<String>,
}

/// A diagram as text.
pub fn diagram(position: &Position) -> String {
    let options = ShowOptions { ply: Some(0), ..ShowOptions::default() };
    record::show(&Record::new(position.setup()), &options).trim_end().to_owned()
}

/// Names of themes that can be asked for, in both languages.
fn themes() -> [Theme; 11] {
    use Theme::{
        CentreMate, CounterCheck, DoubleCheck, FarInterposition, Interposition, MovedInterposition,
        PawnDropAvoided, PawnDropMate, Sacrifice, TwoKings, Underpromotion,
    };
    [
        TwoKings,
        Underpromotion(0),
        PawnDropMate(0),
        PawnDropAvoided(0),
        Interposition(0),
        FarInterposition(0),
        MovedInterposition(0),
        CounterCheck(0),
        Sacrifice(0),
        DoubleCheck(0),
        CentreMate,
    ]
}

pub fn generate(args: &GenerateArgs) -> anyhow::Result<()> {
    ensure!(args.min <= args.max, "--min {} is more than --max {}", args.min, args.max);
    let odd = (args.min..=args.max).any(|plies| plies % 2 == 1);
    ensure!(odd, "no problem has an even number of plies: choose an odd one between --min and --max");
    for name in &args.theme {
        let names = themes().map(|theme| format!("{} ({})", theme.english(), theme.japanese()));
        if !themes().iter().any(|theme| theme.english() == name || theme.japanese() == name) {
            bail!("'{name}' is not a theme: use one of {}", names.join(", "));
        }
    }
    let wanted = Wanted {
        plies: args.min..=args.max,
        custom: args.custom,
        themes: args.theme.clone(),
        most_pieces: args.pieces,
    };
    let mut generator = Generator::new(args.seed, wanted)?;
    if !args.known.is_empty() {
        let known = problems::read(&args.known)?;
        generator.avoid(known.iter().map(|problem| &problem.position));
    }
    let start = Instant::now();
    let mut line = ProgressLine::new();
    for number in 0..args.count {
        let problem = generator.next_problem(|tried| {
            if !args.quiet {
                let seconds = start.elapsed().as_secs_f64();
                let left = seconds / f64::max(number as f64, 0.5) * (args.count - number) as f64;
                line.update(format_args!(
                    "{number}/{}, positions tried: {tried}, {seconds:.0} s, ETA {left:.0} s",
                    args.count
                ));
            }
            false
        });
        let Some(Generated { position, examination }) = problem else { break };
        line.clear();
        if args.json {
            print(json!({
                "sfen": position.sfen(),
                "plies": examination.line.len(),
                "pieces": pieces(&position),
                "line": examination.line.iter().map(ToString::to_string).collect::<Vec<_>>(),
                "spoken": spoken_solution(&position, &examination.line, language::Language::Japanese),
                "themes": examination.themes.iter().map(|theme| theme.english()).collect::<Vec<_>>(),
            }))?;
        } else {
            print(position.sfen())?;
        }
    }
    Ok(())
}

pub fn improve(args: &ImproveArgs) -> anyhow::Result<()> {
    let problems = problems::read(&args.problem)?;
    let [problem] = problems.as_slice() else {
        bail!("give one problem to improve, found {}", problems.len());
    };
    let start = Instant::now();
    let mut line = ProgressLine::new();
    let found = try_changes(&problem.position, args.custom, |tried, all| {
        let seconds = start.elapsed().as_secs_f64();
        if !args.quiet && tried > 0 {
            let left = seconds / tried as f64 * (all - tried) as f64;
            line.update(format_args!("{tried}/{all}, {seconds:.0} s, ETA {left:.0} s"));
        }
        args.time.is_some_and(|limit| seconds >= limit)
    })?;
    line.clear();
    for change in found.iter().take(args.most) {
        let (plies, sfen) = (change.line.len(), change.position.sfen());
        let solution = spoken_solution(&change.position, &change.line, language::current());
        if args.json {
            print(json!({
                "change": change.edit.to_string(), "plies": plies, "pieces": change.pieces, "sfen": sfen,
                "line": change.line.iter().map(ToString::to_string).collect::<Vec<_>>(),
            }))?;
        } else {
            tell(format_args!("{plies} plies, {} pieces: {}: {sfen}", change.pieces, change.edit))?;
            print(format_args!("  {solution}"))?;
        }
    }
    if !args.json && !args.quiet {
        tell(format_args!("sound after {} of all single changes", found.len()))?;
    }
    Ok(())
}

pub fn duplicates(args: &DuplicatesArgs) -> anyhow::Result<()> {
    let problems = problems::read(&args.problems)?;
    let mut groups: BTreeMap<String, Vec<&str>> = BTreeMap::new();
    for problem in &problems {
        groups.entry(problem_key(&problem.position)).or_default().push(&problem.name);
    }
    for (key, names) in groups.iter().filter(|(_, names)| names.len() > 1) {
        print(format_args!("{key}: {}", names.join(", ")))?;
    }
    Ok(())
}
