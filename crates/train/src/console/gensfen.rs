//! The console command `gensfen …`: plays games of the engine against itself and writes records of 40 bytes.

use super::words::{flag, number, value};
use super::{ConsoleError, Say};
use crate::generate::{Chance, Openings, RandomMoves, Recipe, SelfPlay, Wanted};
use crate::output::Output;
use crate::{DataError, DataFormat, TrainingGame};
use eval::Evaluator;
use platform::{AtPath, FileError, Random};
use shogi::PackedSfenValue;
use std::fs::{File, OpenOptions};
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::time::{Duration, Instant};

/// The console command `gensfen`.
pub struct Gensfen<'a> {
    /// The evaluation used for play.
    pub evaluation: &'a Evaluator,
    /// `Threads`.
    pub threads: usize,
    /// Whether `stop` or `quit` was given.
    pub stopped: &'a (dyn Fn() -> bool + Sync),
}

/// All arguments, for messages.
const USAGE: &str = "gensfen [depth N] [depth2 N] [nodes N] [loop POSITIONS] [output_file_name FILE] [eval_limit SCORE] \
    [write_minply PLY] [write_maxply PLY] [random_move_minply PLY] [random_move_maxply PLY] [random_move_count N] \
    [random_move_like_apery N] [random_multi_pv N] [random_multi_pv_diff SCORE] [random_multi_pv_depth N] \
    [save_every POSITIONS] [random_file_name 0|1] [use_draw_in_training_data_generation 0|1] [hash MB] [seed N] [force]";

/// Time between progress lines.
const REPORT_INTERVAL: Duration = Duration::from_secs(5);

/// Number of successive games without a new position after which the settings are assumed to allow none.
const MOST_IN_VAIN: u32 = 1000;

/// A `gensfen` command.
#[derive(Clone, PartialEq, Debug)]
struct Command {
    recipe: Recipe,
    /// Number of positions to write.
    count: u64,
    out: PathBuf,
    /// The range of plies to write.
    plies: (u16, u16),
    draws: bool,
    /// Number of positions per file.
    save_every: Option<u64>,
    random_file_name: bool,
    /// Whether to replace a file of another kind.
    force: bool,
}

impl FromStr for Command {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let mut command = Self {
            recipe: Recipe {
                nodes: u64::MAX,
                depth: Some(3),
                start_limit: i16::MAX,
                decided_plies: 1,
                max_moves: 400,
                seed: Random::fresh_seed(),
                ..Recipe::default()
            },
            count: 8_000_000_000,
            out: "generated_kifu.bin".into(),
            plies: (16, 400),
            draws: false,
            save_every: None,
            random_file_name: false,
            force: false,
        };
        let mut random_moves = RandomMoves { from: 1, to: 24, count: 5, by: Chance::Legal };
        let (mut one_in, mut lines, mut window, mut lines_depth) = (0, 0, 32_000, None);
        let recipe = &mut command.recipe;
        let mut words = text.split_whitespace();
        while let Some(word) = words.next() {
            let mut value = || value(word, &mut words);
            match word {
                "depth" => recipe.depth = Some(number(word, value()?)?),
                "depth2" => recipe.deepest = Some(number(word, value()?)?),
                "nodes" => recipe.nodes = number(word, value()?)?,
                "loop" => command.count = number(word, value()?)?,
                "output_file_name" => command.out = value()?.into(),
                "eval_limit" => recipe.score_limit = number(word, value()?)?,
                "write_minply" => command.plies.0 = number(word, value()?)?,
                "write_maxply" => command.plies.1 = number(word, value()?)?,
                "random_move_minply" => match value()? {
                    "-1" => {
                        return Err(format!(
                            "{word}: moves of a book come with `train generate --openings`, not with -1"
                        ));
                    }
                    found => random_moves.from = number(word, found)?,
                },
                "random_move_maxply" => random_moves.to = number(word, value()?)?,
                "random_move_count" => random_moves.count = number(word, value()?)?,
                "random_move_like_apery" => one_in = number(word, value()?)?,
                "random_multi_pv" => lines = number(word, value()?)?,
                "random_multi_pv_diff" => window = number(word, value()?)?,
                "random_multi_pv_depth" => lines_depth = Some(number(word, value()?)?),
                "save_every" => command.save_every = Some(number(word, value()?)?),
                "random_file_name" => command.random_file_name = flag(word, value()?)?,
                "use_draw_in_training_data_generation" => {
                    command.draws = flag(word, value()?)?;
                }
                "hash" => recipe.hash = number(word, value()?)?,
                "seed" => recipe.seed = number(word, value()?)?,
                "force" => command.force = true,
                // Accepted without effect: there is no such table.
                "use_eval_hash" => drop(value()?),
                _ => return Err(format!("unknown word `{word}`")),
            }
        }
        random_moves.by = match (lines, one_in) {
            (0, 0) => Chance::Legal,
            (0, one_in) => Chance::Kings { one_in },
            (count, _) => Chance::Lines { count, window, depth: lines_depth },
        };
        recipe.random_moves = Some(random_moves);
        recipe.max_moves = command.plies.1.into();
        command.check(&random_moves)?;
        Ok(command)
    }
}

impl Command {
    /// Checks for limits that leave no position to write.
    fn check(&self, random_moves: &RandomMoves) -> Result<(), String> {
        let Recipe { nodes, depth, deepest, score_limit, .. } = self.recipe;
        for (word, zero) in [
            ("loop", self.count == 0),
            ("save_every", self.save_every == Some(0)),
            ("nodes", nodes == 0),
            ("depth", depth == Some(0)),
            ("eval_limit", score_limit <= 0),
            // With random depths, games differ without random moves.
            ("random_move_count", random_moves.count == 0 && deepest.is_none()),
        ] {
            if zero {
                return Err(format!("{word}: expected a number above 0"));
            }
        }
        let (least, most) = self.plies;
        let RandomMoves { from, to, .. } = *random_moves;
        if least > most {
            return Err(format!("write_minply {least}: expected at most write_maxply, which is {most}"));
        }
        if from > to {
            return Err(format!(
                "random_move_minply {from}: expected at most random_move_maxply, which is {to}"
            ));
        }
        // Games are recorded after the last random move and end at write_maxply.
        if to >= u32::from(most) {
            return Err(format!("random_move_maxply {to}: expected less than write_maxply, which is {most}"));
        }
        match (depth, deepest) {
            (Some(depth), Some(deepest)) if depth > deepest => {
                Err(format!("depth2 {deepest}: expected at least depth, which is {depth}"))
            }
            _ => Ok(()),
        }
    }
}

/// Why generation ended.
enum End {
    Enough,
    InVain,
    Failed(ConsoleError),
}

impl<E: Into<ConsoleError>> From<E> for End {
    fn from(error: E) -> Self {
        Self::Failed(error.into())
    }
}

impl Gensfen<'_> {
    /// Runs the command with these arguments.
    pub fn run(&self, words: &str, say: Say<'_>) -> Result<(), ConsoleError> {
        if words.trim() == "help" {
            say(USAGE);
            return Ok(());
        }
        let command: Command = words
            .parse()
            .map_err(|error| ConsoleError::Usage(format!("{error}; `gensfen help` lists all options")))?;
        let path = if command.random_file_name {
            numbered(&command.out, Random::fresh_seed() % 10_000_000)
        } else {
            command.out.clone()
        };
        let mut files = Files::open(path, command.save_every, command.force, say)?;
        say(&format!(
            "gensfen: {} positions for {}, {} threads, seed {}; `stop` ends it",
            command.count,
            files.path.display(),
            self.threads,
            command.recipe.seed
        ));
        let (start, mut told) = (Instant::now(), Instant::now());
        let (openings, mut seen) = (Openings::default(), Seen::new());
        let self_play = SelfPlay {
            recipe: &command.recipe,
            openings: &openings,
            evaluation: self.evaluation,
            threads: self.threads,
        };
        let (mut count, mut in_vain) = (0, 0);
        let wanted = || if (self.stopped)() { Wanted::None } else { Wanted::More };
        let played = self_play.play(0..u64::MAX, &wanted, |game, nodes| {
            in_vain += 1;
            for record in command.records(&game)? {
                if !seen.insert(&record) {
                    continue;
                }
                in_vain = 0;
                files.write(&record)?;
                count += 1;
                if count == command.count {
                    return Err(End::Enough);
                }
            }
            if in_vain == MOST_IN_VAIN {
                return Err(End::InVain);
            }
            if told.elapsed() >= REPORT_INTERVAL {
                told = Instant::now();
                files.flush()?;
                say(&progress(count, nodes, start.elapsed()));
            }
            Ok(())
        });
        files.finish()?;
        match played {
            Err(End::Failed(error)) => return Err(error),
            Err(End::InVain) => {
                return Err(ConsoleError::NoNewPosition { games: MOST_IN_VAIN, written: count });
            }
            Ok(()) | Err(End::Enough) => {}
        }
        say(&format!("gensfen: {count} positions written in {:.1} s", start.elapsed().as_secs_f64()));
        Ok(())
    }
}

fn progress(count: u64, nodes: u64, time: Duration) -> String {
    let seconds = time.as_secs_f64().max(1e-3);
    let (rate, speed) = (count as f64 / seconds, nodes as f64 / seconds);
    format!("gensfen: {count} positions, {rate:.0} a second, {speed:.0} nodes a second")
}

impl Command {
    /// The records of a game to write.
    fn records(&self, game: &TrainingGame) -> Result<Vec<PackedSfenValue>, DataError> {
        if game.winner.is_none() && !self.draws {
            return Ok(Vec::new());
        }
        let mut records = game.records()?;
        let limit = self.recipe.score_limit.unsigned_abs();
        let (least, most) = self.plies;
        records.retain(|record| (least..=most).contains(&record.ply) && record.score.unsigned_abs() <= limit);
        Ok(records)
    }
}

/// Recently written positions: openings recur.
struct Seen(Vec<u64>);

impl Seen {
    const PLACES: usize = 1 << 22;

    fn new() -> Self {
        Self(vec![0; Self::PLACES])
    }

    /// Inserts a position; returns whether it is new.
    fn insert(&mut self, record: &PackedSfenValue) -> bool {
        let key = crate::fingerprint(record.position.bytes());
        let place = &mut self.0[key as usize % Self::PLACES];
        std::mem::replace(place, key) != key
    }
}

/// A series of record files.
struct Files {
    first: PathBuf,
    path: PathBuf,
    out: BufWriter<File>,
    number: u64,
    /// Number of records in the current file, and its limit.
    filled: u64,
    room: Option<u64>,
    force: bool,
}

impl Files {
    /// Opens a file of records for appending; an incomplete record at its end, left by a kill, is removed. Files of
    /// another kind are refused, or replaced with `force`.
    fn open(path: PathBuf, room: Option<u64>, force: bool, say: Say<'_>) -> Result<Self, ConsoleError> {
        let records = Output::Data(Some(DataFormat::Psv));
        let other = records.check(&path, false);
        if !force {
            other.map_err(DataError::from)?;
        } else if other.is_err() {
            std::fs::remove_file(&path).at_path(&path)?;
        }
        let file = OpenOptions::new().create(true).append(true).open(&path).at_path(&path)?;
        let length = file.metadata().at_path(&path)?.len();
        let torn = length % PackedSfenValue::BYTES as u64;
        if torn > 0 {
            file.set_len(length - torn).at_path(&path)?;
            say(&format!("gensfen: {torn} bytes of an unfinished record cut off {}", path.display()));
        }
        let filled = length / PackedSfenValue::BYTES as u64;
        Ok(Self { first: path.clone(), path, out: BufWriter::new(file), number: 0, filled, room, force })
    }

    fn write(&mut self, record: &PackedSfenValue) -> Result<(), ConsoleError> {
        while self.room.is_some_and(|room| self.filled >= room) {
            self.flush()?;
            self.number += 1;
            *self = Self {
                number: self.number,
                first: self.first.clone(),
                ..Self::open(numbered(&self.first, self.number), self.room, self.force, &mut |_| ())?
            };
        }
        self.filled += 1;
        Ok(self.out.write_all(&record.to_bytes()).at_path(&self.path)?)
    }

    fn flush(&mut self) -> Result<(), FileError> {
        self.out.flush().at_path(&self.path)
    }

    fn finish(mut self) -> Result<(), FileError> {
        self.flush()?;
        self.out.get_ref().sync_all().at_path(&self.path)
    }
}

/// `data.bin` with 3 is `data_3.bin`.
fn numbered(path: &Path, number: u64) -> PathBuf {
    let stem = path.file_stem().unwrap_or_default().to_string_lossy();
    let ending = path.extension().map_or(String::new(), |ending| format!(".{}", ending.to_string_lossy()));
    path.with_file_name(format!("{stem}_{number}{ending}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::corpus;
    use eval::{Material, MaterialLevel};
    use std::fs;

    fn run(words: &str) -> Vec<String> {
        let evaluation = Evaluator::Material(Material::new(MaterialLevel::Pieces));
        let mut said = Vec::new();
        let gensfen = Gensfen { evaluation: &evaluation, threads: 2, stopped: &|| false };
        gensfen.run(words, &mut |line| said.push(line.to_owned())).unwrap();
        said
    }

    #[test]
    fn words_of_the_documents() {
        let command: Command = "depth 6 loop 1000 output_file_name a.bin eval_limit 2000 write_minply 1 write_maxply 300 \
            random_move_minply 4 random_move_maxply 20 random_move_count 3 random_move_like_apery 3 save_every 500"
            .parse()
            .unwrap();
        let by = Chance::Kings { one_in: 3 };
        assert_eq!(command.recipe.random_moves, Some(RandomMoves { from: 4, to: 20, count: 3, by }));
        assert_eq!(
            (command.recipe.depth, command.recipe.score_limit, command.recipe.max_moves),
            (Some(6), 2000, 300)
        );
        assert_eq!((command.count, command.plies, command.save_every), (1000, (1, 300), Some(500)));
        let command: Command =
            "random_multi_pv 4 random_multi_pv_diff 50 random_multi_pv_depth 2".parse().unwrap();
        let by = Chance::Lines { count: 4, window: 50, depth: Some(2) };
        assert_eq!(command.recipe.random_moves.map(|moves| moves.by), Some(by));
        let message = |words: &str| words.parse::<Command>().unwrap_err();
        assert_eq!(message("depth x"), "depth: expected a whole number, found `x`");
        assert_eq!(message("speed 3"), "unknown word `speed`");
        for (words, expected) in [
            ("loop 0", "loop: expected a number above 0"),
            ("depth 0", "depth: expected a number above 0"),
            ("eval_limit 0", "eval_limit: expected a number above 0"),
            ("random_move_count 0", "random_move_count: expected a number above 0"),
            (
                "write_minply 300 write_maxply 200",
                "write_minply 300: expected at most write_maxply, which is 200",
            ),
            (
                "random_move_minply 30",
                "random_move_minply 30: expected at most random_move_maxply, which is 24",
            ),
            (
                "write_minply 1 write_maxply 20",
                "random_move_maxply 24: expected less than write_maxply, which is 20",
            ),
            ("depth 6 depth2 4", "depth2 4: expected at least depth, which is 6"),
        ] {
            assert_eq!(message(words), expected);
        }
    }

    #[test]
    fn files_are_continued_and_divided() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("t.bin");
        // A record, and a part of another one as left by a kill.
        run(&format!(
            "depth 1 loop 1 write_minply 5 random_move_maxply 8 eval_limit 1500 seed 4 hash 1 output_file_name {}",
            path.display()
        ));
        let record = fs::read(&path).unwrap();
        fs::write(&path, [&record[..], &[0; 25]].concat()).unwrap();
        let words = format!(
            "depth 1 loop 89 write_minply 5 random_move_maxply 8 eval_limit 1500 seed 3 hash 1 save_every 40 \
            output_file_name {}",
            path.display()
        );
        let said = run(&words);
        assert!(said[0].contains("25 bytes of an unfinished record cut off"), "{}", said[0]);
        let sizes = ["t.bin", "t_1.bin", "t_2.bin"]
            .map(|name| fs::metadata(folder.path().join(name)).unwrap().len() / 40);
        assert_eq!(sizes, [40, 40, 10]);
        let written = corpus::load(&corpus::files(&[folder.path().to_owned()]).unwrap(), 1).unwrap();
        assert_eq!(written.records.len(), 90);
        for record in &written.records {
            let position = shogi::Position::try_from(record.setup().unwrap()).unwrap();
            assert!(record.best_move().is_some_and(|m| position.is_legal(m)));
            assert!(record.ply >= 5 && record.score.unsigned_abs() <= 1500);
            assert_ne!(record.result, shogi::GameResult::Draw);
        }
    }
}
