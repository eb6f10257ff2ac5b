//! `tsumugi play`.

use crate::records::VariantChoice;
use crate::{games, language};
use anyhow::{Context, bail};
use arena::setup::{SHOGI, choose_variant};
use arena::{ENGINE_WORDS, EngineSpec, GameFiles, TimeControl};
use engines::Visitor;
use game::Color;
use play::{Advisor, Face, Opponent, Plain, Screen, Seat, Session, Table, Words};
use record::{Format, IllegalMoves, ReadOptions, WriteOptions};
use std::io::{self, IsTerminal};
use std::num::NonZeroU32;
use std::path::PathBuf;
use usi::options::Options;
use usi::{Engine, Games};

/// Play in the terminal: shogi, Freeze shogi, Binarsi or any variant, against an engine or another person.
///
/// Moves are typed (76歩, 7g7f, 同歩) or, on a full screen, chosen with arrows and Enter. `help` shows the commands: undo, hint,
/// analyze, save, resign and others. Without a terminal it reads and writes plain lines.
///
///     tsumugi play --level 10k
///     tsumugi play --variant minishogi --you white --time 300 --byoyomi 10
///     tsumugi play game.kif --you both
#[derive(clap::Args, PartialEq, Debug)]
#[command(verbatim_doc_comment)]
pub struct PlayArgs {
    /// A record to continue; its game is played unless --variant says otherwise.
    #[arg(value_name = "RECORD")]
    record: Option<PathBuf>,
    #[command(flatten)]
    variant: VariantChoice,
    /// The start position: startpos or sfen …, optionally followed by moves MOVE...
    #[arg(long, value_name = "POSITION", conflicts_with = "record")]
    position: Option<String>,
    /// The sides played by people.
    #[arg(long, value_enum, default_value_t = People::Black, value_name = "SIDES")]
    you: People,
    /// Strength of the engine: 15k (weakest) … 1k, 1d … 9d, also 15級 … 九段, or steps 1 … 24; full strength by default.
    #[arg(long, value_name = "LEVEL")]
    level: Option<String>,
    #[arg(long, num_args = 1.., value_name = "KEY=VALUE", help = engine_help())]
    engine: Vec<String>,
    /// Main time per player in seconds.
    #[arg(long, default_value_t = 0, value_name = "S")]
    time: u64,
    /// Byoyomi in seconds.
    #[arg(long, default_value_t = 0, value_name = "S")]
    byoyomi: u64,
    /// Increment per move in seconds.
    #[arg(long, default_value_t = 0, value_name = "S", conflicts_with = "byoyomi")]
    increment: u64,
    /// Milliseconds per move of the engine without a clock.
    #[arg(long, default_value_t = 1000, value_name = "MS")]
    think: u64,
    /// Draw the game after this many moves.
    #[arg(long, value_name = "N")]
    max_moves: Option<u32>,
    /// Save the game to this record after each move (.kifu, .kif, .csa or .usi); an existing one is replaced only if it
    /// is the one being continued.
    #[arg(long, value_name = "FILE")]
    save: Option<PathBuf>,
    /// Use plain lines even on a terminal.
    #[arg(long)]
    plain: bool,
}

/// The sides played by people.
#[derive(Clone, Copy, PartialEq, Eq, Debug, clap::ValueEnum)]
enum People {
    Black,
    White,
    Both,
    None,
}

fn engine_help() -> String {
    format!("The engine, if not our own, or its options: {ENGINE_WORDS}")
}

/// Runs the command.
pub fn run(args: &PlayArgs) -> anyhow::Result<()> {
    let games = games::with_file(args.variant.path())?;
    let (name, line) = if let Some(path) = &args.record {
        read(args, path)?
    } else {
        let name = args.variant.name().unwrap_or(SHOGI).to_owned();
        (name, args.position.clone().unwrap_or_else(|| "startpos".to_owned()))
    };
    if let Some(path) = args.save.as_ref().filter(|path| path.exists() && args.record.as_ref() != Some(path))
    {
        bail!("--save {}: exists already; choose another name", path.display());
    }
    let play = Play { args, name: &name, line };
    games
        .visit(&name, play)
        .unwrap_or_else(|_| bail!("unknown variant '{name}'; expected one of {}", games.names().join(" ")))
}

/// The game of a record, and its moves in USI notation.
fn read(args: &PlayArgs, path: &PathBuf) -> anyhow::Result<(String, String)> {
    let shown = || path.display().to_string();
    let bytes = std::fs::read(path).with_context(shown)?;
    let notation = args.variant.notation(None, IllegalMoves::Cut)?;
    let options = ReadOptions { promised: Format::of_path(path), ..ReadOptions::default() };
    let game = notation.read_file(&bytes, &options).into_iter().next();
    let game = game.with_context(|| format!("{}: no game in it", shown()))?.with_context(shown)?;
    let written = game.write(&WriteOptions::new(Format::Usi)).with_context(shown)?;
    let text = String::from_utf8_lossy(&written.bytes);
    Ok((game.game_name().to_owned(), text.lines().next().unwrap_or_default().to_owned()))
}

struct Play<'a> {
    args: &'a PlayArgs,
    name: &'a str,
    line: String,
}

impl Play<'_> {
    /// The engine in this game.
    fn spec(&self, words: &[String]) -> anyhow::Result<EngineSpec> {
        let own = std::env::current_exe().context("this program")?;
        let own = ["name=Tsumugi".to_owned(), format!("cmd={}", own.display()), "hash=64".to_owned()];
        let is_other = words.iter().any(|word| word.starts_with("cmd="));
        let first = if is_other { &own[..0] } else { &own };
        let spec =
            EngineSpec::from_words(first.iter().chain(words).map(String::as_str)).context("--engine")?;
        let mut specs = [spec];
        let path = self.args.variant.path().map(PathBuf::from);
        choose_variant(&mut specs, self.name, path.as_deref())?;
        let [spec] = specs;
        Ok(spec)
    }
}

impl Visitor for Play<'_> {
    type Output = anyhow::Result<()>;

    fn visit<G: GameFiles, E: Engine<G>>(
        self,
        mut game: G,
        _: impl FnOnce(&G, &mut Options) -> E,
    ) -> Self::Output {
        let args = self.args;
        game.set_max_moves(args.max_moves.and_then(NonZeroU32::new));
        let words = Words(language::current());
        let second = |seconds: u64| seconds.saturating_mul(1000);
        let clock = TimeControl {
            main: second(args.time),
            byoyomi: second(args.byoyomi),
            increment: second(args.increment),
            ..TimeControl::default()
        };
        let is_person = |color| match args.you {
            People::Black => color == Color::Black,
            People::White => color == Color::White,
            People::Both => true,
            People::None => false,
        };
        let control = |color| {
            let movetime = (!clock.has_clock() && !is_person(color)).then_some(args.think.max(1));
            TimeControl { movetime, ..clock }
        };
        let seat = |color| -> anyhow::Result<Seat> {
            if is_person(color) {
                let you = words.say("You", "あなた");
                let name = if args.you == People::Both { words.side(color) } else { you };
                return Ok(Seat::Person(name.to_owned()));
            }
            let opponent = Opponent::new(self.spec(&args.engine)?, args.level.clone());
            Ok(Seat::Engine(opponent.name(), Some(Box::new(opponent))))
        };
        let seats = [seat(Color::Black)?, seat(Color::White)?];
        let (start, moves) = self.line.split_once(" moves").unwrap_or((&self.line, ""));
        let mut table =
            Table::new(game.for_referee(), start, Color::ALL.map(control)).map_err(anyhow::Error::msg)?;
        table.replay(moves);
        let catalogue = games::with_file(args.variant.path())?;
        let advisor = Advisor::new(self.spec(&[])?, catalogue, self.name);
        let whole = !args.plain && io::stdin().is_terminal() && io::stdout().is_terminal() && !is_dumb();
        let mut face: Box<dyn Face> = if whole { Box::new(Screen::new()?) } else { Box::new(Plain::new()) };
        Session::new(table, seats, advisor, &mut *face, words, args.save.clone()).run()?;
        Ok(())
    }
}

/// Whether the terminal supports only lines.
fn is_dumb() -> bool {
    std::env::var("TERM").is_ok_and(|name| name == "dumb")
}
