//! A game between people and engines, from the first question to the last.

use crate::advisor::Advisor;
use crate::face::{Face, Input};
use crate::opponent::{Opponent, Reply, Thinking};
use crate::pointing::Pointing;
use crate::table::{SaveError, Table};
use crate::typed::{Typed, read_typed};
use crate::view::{Look, Mark, Row, Tone, line, width, wrapped};
use crate::words::Words;
use arena::{Answer, GameFiles, Reason, SearchInfo, Verdict};
use game::{Color, Declaration, Position};
use platform::Language;
use record::notation::{Diagram, MoveOf};
use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// Who plays a side.
pub enum Seat {
    /// A person.
    Person(String),
    /// An engine; absent while it thinks.
    Engine(String, Option<Box<Opponent>>),
}

/// Black's and White's.
pub type Seats = [Seat; 2];

/// Why a game cannot go on.
#[derive(Debug, thiserror::Error)]
pub enum PlayError {
    /// The terminal is gone.
    #[error(transparent)]
    Face(#[from] io::Error),
    /// An engine cannot play.
    #[error("{0}")]
    Engine(String),
    /// The record cannot be written.
    #[error(transparent)]
    Save(#[from] SaveError),
}

/// How often the screen is looked after.
const TICK: Duration = Duration::from_millis(100);
/// What pipes and schedulers may add to an engine's time.
const MARGIN: Duration = Duration::from_millis(100);
/// Moves that are listed.
const MOST_LISTED: usize = 60;

/// A game between people and engines.
pub struct Session<'a, G: GameFiles> {
    table: Table<G>,
    seats: Seats,
    advisor: Advisor,
    face: &'a mut dyn Face,
    words: Words,
    /// Written after each move.
    save: Option<PathBuf>,
    flipped: bool,
    pointing: Pointing,
    /// Moves to choose from by their numbers.
    menu: Vec<MoveOf<G>>,
    messages: Vec<(String, Tone)>,
    thinking: Option<Thinking>,
    /// When the player to move began.
    since: Instant,
    /// Something is to be shown.
    dirty: bool,
    done: bool,
}

impl<'a, G: GameFiles> Session<'a, G> {
    /// A game that is about to begin, or to go on.
    pub fn new(
        table: Table<G>,
        seats: Seats,
        advisor: Advisor,
        face: &'a mut dyn Face,
        words: Words,
        save: Option<PathBuf>,
    ) -> Self {
        let flipped = matches!(seats, [Seat::Engine(..), Seat::Person(_)]);
        let diagram = G::diagram(table.position());
        let pointing = Pointing::at(diagram.cells.len() / 2);
        Self {
            table,
            seats,
            advisor,
            face,
            words,
            save,
            flipped,
            pointing,
            menu: Vec::new(),
            messages: vec![(
                words.say("help shows the commands", "help でコマンド一覧").to_owned(),
                Tone::Faint,
            )],
            thinking: None,
            since: Instant::now(),
            dirty: true,
            done: false,
        }
    }

    /// Plays until the user leaves.
    pub fn run(mut self) -> Result<(), PlayError> {
        for seat in &mut self.seats {
            if let Seat::Engine(_, Some(engine)) = seat {
                engine.start().map_err(PlayError::Engine)?;
            }
        }
        self.since = Instant::now();
        while !self.done {
            self.let_engine_think()?;
            self.hear_engine()?;
            self.watch_clock();
            if self.dirty {
                self.show()?;
            }
            if !self.face.is_screen() && self.table.verdict().is_none() && !self.is_persons_turn() {
                // Lines wait until it is the person's turn.
                std::thread::sleep(Duration::from_millis(2));
                continue;
            }
            match self.face.input(TICK)? {
                Some(input) => self.take(input)?,
                None => self.dirty |= self.face.is_screen() && self.is_timed(),
            }
        }
        Ok(())
    }

    fn names(&self) -> [&str; 2] {
        [seat_name(&self.seats[0]), seat_name(&self.seats[1])]
    }

    fn is_timed(&self) -> bool {
        self.table.verdict().is_none() && self.table.clock(self.table.side()).has_clock()
    }

    fn is_persons_turn(&self) -> bool {
        matches!(self.seats[self.table.side().index()], Seat::Person(_))
    }

    fn say(&mut self, text: impl Into<String>, tone: Tone) {
        self.messages.push((text.into(), tone));
        self.dirty = true;
    }

    fn let_engine_think(&mut self) -> Result<(), PlayError> {
        if self.thinking.is_some() || self.table.verdict().is_some() {
            return Ok(());
        }
        let side = self.table.side();
        if let Seat::Engine(_, engine) = &mut self.seats[side.index()] {
            let Some(engine) = engine.take() else {
                return Err(PlayError::Engine("the engine is gone".to_owned()));
            };
            self.thinking = Some(engine.think(self.table.command().to_owned(), self.table.go()));
            self.since = Instant::now();
        }
        Ok(())
    }

    fn hear_engine(&mut self) -> Result<(), PlayError> {
        let Some((engine, reply)) = self.thinking.as_ref().and_then(Thinking::poll) else { return Ok(()) };
        self.thinking = None;
        let elapsed = self.since.elapsed().saturating_sub(MARGIN);
        if let Seat::Engine(_, seat) = &mut self.seats[self.table.side().index()] {
            *seat = engine.map(Box::new);
        }
        match reply {
            Ok(Reply { answer, search_info }) => {
                self.messages.clear();
                self.table.answer(&answer, elapsed, search_info);
                self.after_move();
                Ok(())
            }
            Err(error) => {
                // The game is not lost with its engine.
                let saved = self.save.clone();
                if let Some(path) = saved {
                    self.table.save(&path, self.names())?;
                }
                Err(PlayError::Engine(error))
            }
        }
    }

    fn watch_clock(&mut self) {
        if self.table.verdict().is_none()
            && self.is_persons_turn()
            && self.table.is_late(self.since.elapsed())
        {
            self.table.end(Verdict::loss(self.table.side(), Reason::Time, None));
            self.after_move();
        }
    }

    /// After a move, or the end of the game.
    fn after_move(&mut self) {
        self.menu.clear();
        self.pointing.cancel();
        self.since = Instant::now();
        self.dirty = true;
        if let Some(path) = self.save.clone()
            && let Err(error) = self.table.save(&path, self.names())
        {
            self.say(error.to_string(), Tone::Alert);
        }
    }

    fn play(&mut self, m: MoveOf<G>) {
        self.messages.clear();
        self.table.play(m, self.since.elapsed(), SearchInfo::default());
        self.after_move();
    }

    fn take(&mut self, input: Input) -> Result<(), PlayError> {
        self.dirty |= self.face.is_screen();
        let diagram = G::diagram(self.table.position());
        match input {
            Input::End => self.done = true,
            Input::Resized => self.dirty = true,
            Input::Line(text) => self.command(&text)?,
            Input::Move(right, down) => {
                let way = if self.flipped { -1 } else { 1 };
                self.pointing.step(way * right, way * down, diagram.files.len(), diagram.ranks.len());
            }
            Input::Cancel => {
                self.pointing.cancel();
                self.menu.clear();
                self.messages.clear();
            }
            Input::Hand | Input::Choose if self.table.verdict().is_some() || !self.is_persons_turn() => {}
            Input::Hand | Input::Choose if diagram.stones => {
                let text = self.words.say("type the move, for example ", "指し手を入力してください（例 ");
                let example = self.example();
                self.messages.clear();
                self.say(format!("{text}{example}{}", self.words.say("", "）")), Tone::Plain);
            }
            Input::Hand => {
                let piece = self.pointing.next_in_hand::<G>(self.table.position());
                self.messages.clear();
                let none = self.words.say("nothing to drop", "打てる駒がありません");
                let text = piece.map_or(none.to_owned(), |piece| piece.trim_end_matches('*').to_owned());
                self.say(text, Tone::Plain);
            }
            Input::Choose => {
                let moves = self.pointing.choose::<G>(self.table.position());
                self.offer(moves);
            }
        }
        Ok(())
    }

    /// Plays a move, or asks which of several is meant.
    fn offer(&mut self, moves: Vec<MoveOf<G>>) {
        match moves[..] {
            [] => {}
            [m] => self.play(m),
            _ => {
                self.messages.clear();
                let position = self.table.position();
                let names = moves.iter().take(MOST_LISTED).enumerate();
                let names = names.map(|(index, m)| format!("{} {}", index + 1, G::move_text(position, *m)));
                let text = names.collect::<Vec<_>>().join("  ");
                self.say(self.words.say("which one? type its number", "どれですか（番号で）"), Tone::Good);
                self.say(text, Tone::Plain);
                self.menu = moves;
            }
        }
    }

    fn command(&mut self, text: &str) -> Result<(), PlayError> {
        let text = text.trim();
        if let Some(m) =
            text.parse::<usize>().ok().and_then(|number| self.menu.get(number.checked_sub(1)?).copied())
        {
            self.play(m);
            return Ok(());
        }
        if !self.menu.is_empty() && text.parse::<usize>().is_ok() {
            let text = self.words.say("no such number", "その番号はありません");
            self.say(text, Tone::Alert);
            return Ok(());
        }
        self.menu.clear();
        self.messages.clear();
        let (word, rest) =
            text.split_once([' ', '\u{3000}']).map_or((text, ""), |(word, rest)| (word, rest.trim()));
        match word {
            "" => {}
            "quit" | "exit" | "q" | "終了" => self.done = true,
            "help" | "?" | "ヘルプ" => self.say(self.words.help(), Tone::Plain),
            "flip" | "回転" | "盤" => {
                self.flipped = !self.flipped;
                self.dirty = true;
            }
            "save" | "保存" => self.save_as(rest),
            "undo" | "待った" => self.undo(rest.parse().unwrap_or(1)),
            "moves" | "合法手" => self.list(),
            "hint" | "ヒント" => self.advise(true)?,
            "analyze" | "analyse" | "検討" => self.advise(false)?,
            _ if self.table.verdict().is_some() => {
                let text = self
                    .words
                    .say("the game is over: undo, save or quit", "対局は終わっています（undo、save、quit）");
                self.say(text, Tone::Alert);
            }
            _ if !self.is_persons_turn() => {
                self.say(self.words.say("the engine is thinking", "エンジンが考えています"), Tone::Alert);
            }
            "resign" | "投了" => {
                self.table.end(Verdict::loss(self.table.side(), Reason::Resignation, None));
                self.after_move();
            }
            "declare" | "宣言" => self.declare(),
            _ => self.typed(text),
        }
        Ok(())
    }

    fn typed(&mut self, text: &str) {
        let words = self.words;
        match read_typed::<G>(self.table.position(), text) {
            Typed::Move(m) => self.play(m),
            Typed::Several(moves) => self.offer(moves),
            Typed::Illegal(why) => {
                let why = why.map_or(String::new(), |why| format!(": {why}"));
                self.say(
                    format!("{text}: {}{why}", words.say("not legal here", "指せない手です")),
                    Tone::Alert,
                );
            }
            Typed::NotAMove => {
                let example = self.example();
                let text = match words.0 {
                    Language::English => format!("{text}: no move or command; try {example} or help"),
                    Language::Japanese => {
                        format!("{text}：指し手でもコマンドでもありません（例 {example}、help）")
                    }
                };
                self.say(text, Tone::Alert);
            }
        }
    }

    fn declare(&mut self) {
        let answer = match self.table.position().declaration() {
            Some(Declaration::Win) => Some("win".to_owned()),
            Some(Declaration::Try(m)) => Some(m.to_string()),
            None => None,
        };
        match answer {
            Some(best) => {
                self.table.answer(
                    &Answer { best, ponder: None },
                    self.since.elapsed(),
                    SearchInfo::default(),
                );
                self.after_move();
            }
            None => {
                self.say(self.words.say("the rule is not met", "宣言の条件を満たしていません"), Tone::Alert);
            }
        }
    }

    /// Takes back to where a person is to move.
    fn undo(&mut self, count: usize) {
        if self.thinking.is_some() {
            return self.say(self.words.say("the engine is thinking", "エンジンが考えています"), Tone::Alert);
        }
        let persons = self.seats.iter().filter(|seat| matches!(seat, Seat::Person(_))).count();
        let mut back = 0;
        for _ in 0..count.max(1) {
            back += self.table.undo(1);
            while persons == 1 && !self.is_persons_turn() && self.table.undo(1) > 0 {
                back += 1;
            }
        }
        let text = match self.words.0 {
            Language::English if back == 1 => "1 move taken back".to_owned(),
            Language::English => format!("{back} moves taken back"),
            Language::Japanese => format!("{back}手戻しました"),
        };
        self.after_move();
        self.say(text, Tone::Good);
    }

    fn list(&mut self) {
        let position = self.table.position();
        let moves = position.legal_moves();
        let names: Vec<String> = moves.iter().take(MOST_LISTED).map(|m| G::move_text(position, *m)).collect();
        let more = moves.len().saturating_sub(MOST_LISTED);
        let more = if more > 0 { format!(" (+{more})") } else { String::new() };
        self.say(names.join(" ") + &more, Tone::Plain);
    }

    fn advise(&mut self, hint: bool) -> Result<(), PlayError> {
        if self.table.verdict().is_some() {
            return Ok(());
        }
        if self.face.is_screen() {
            self.say(self.words.say("thinking …", "考えています…"), Tone::Faint);
            self.show()?;
            self.messages.clear();
        }
        let (command, text) = (self.table.command().to_owned(), self.table.position().to_text());
        let advice = if hint {
            self.advisor.hint(&command, &text, self.words)
        } else {
            self.advisor.analyse(&command, &text, self.table.side(), self.words)
        };
        match advice {
            Ok(advice) => self.say(advice, Tone::Good),
            Err(error) => self.say(error, Tone::Alert),
        }
        Ok(())
    }

    fn save_as(&mut self, name: &str) {
        let path = match (name, &self.save) {
            ("", Some(path)) => path.clone(),
            ("", None) => free_name(),
            _ => PathBuf::from(name),
        };
        let own = self.save.as_deref() == Some(&path);
        let text = if path.exists() && !own {
            let text =
                self.words.say("exists already; choose another name", "既にあります。別の名前にしてください");
            Err(format!("{}: {text}", path.display()))
        } else {
            self.table.save(&path, self.names()).map_err(|error| error.to_string())
        };
        match text {
            Ok(()) => {
                self.say(
                    format!("{}: {}", path.display(), self.words.say("saved", "保存しました")),
                    Tone::Good,
                );
                self.save = Some(path);
            }
            Err(error) => self.say(error, Tone::Alert),
        }
    }

    /// A move that can be played.
    fn example(&self) -> String {
        let position = self.table.position();
        let moves = position.legal_moves();
        let text = moves.first().map(|m| G::move_text(position, *m)).unwrap_or_default();
        text.split('(').next().unwrap_or_default().to_owned()
    }

    fn show(&mut self) -> Result<(), PlayError> {
        self.dirty = false;
        let rows = self.rows();
        let question = match self.table.verdict() {
            None => format!("{}>", self.words.side(self.table.side())),
            Some(_) => ">".to_owned(),
        };
        self.face.show(&rows, &question)?;
        if !self.face.is_screen() {
            self.messages.clear();
        }
        Ok(())
    }

    /// Everything that is shown, from top to bottom.
    fn rows(&self) -> Vec<Row> {
        let (position, columns) = (self.table.position(), self.face.columns());
        let diagram = G::diagram(position);
        let last = self.table.last();
        let touched = last.as_ref().map_or(Vec::new(), |(before, m)| G::touched(before, *m));
        let pointed = self.pointing.marks::<G>(position, &touched);
        let points = self.face.is_screen() && !diagram.stones;
        let mark = |cell: usize| match (points, touched.contains(&cell)) {
            (true, _) => pointed(cell),
            (false, true) => Mark::Last,
            (false, false) => Mark::None,
        };
        let look =
            Look { diagram: &diagram, marks: &mark, flipped: self.flipped, signs: !self.face.is_screen() };
        let (upper, lower) =
            if self.flipped { (Color::Black, Color::White) } else { (Color::White, Color::Black) };
        let mut rows = vec![self.player(upper, &look)];
        rows.extend(look.rows());
        rows.push(self.player(lower, &look));
        if let Some((before, m)) = &last {
            let number = before.ply();
            let side = if before.side() == Color::Black { '▲' } else { '△' };
            rows.extend(wrapped(
                &format!("{number} {side}{}", G::move_text(before, *m)),
                columns,
                Tone::Plain,
            ));
        }
        rows.extend(self.facts(&diagram, columns));
        if let Some(verdict) = self.table.verdict() {
            rows.extend(wrapped(&self.words.verdict(verdict), columns, Tone::Alert));
        } else if position.in_check() {
            rows.push(line(self.words.say("check", "王手"), Tone::Alert));
        }
        for (text, tone) in &self.messages {
            rows.extend(wrapped(text, columns, *tone));
        }
        rows
    }

    fn facts(&self, diagram: &Diagram, columns: usize) -> Vec<Row> {
        if self.table.verdict().is_some() {
            return Vec::new();
        }
        let example = self.example();
        let text = |(fact, text): &(_, String)| self.words.fact(*fact, text, &example);
        diagram.state.iter().flat_map(|fact| wrapped(&text(fact), columns, Tone::Faint)).collect()
    }

    /// `☖ name 9:58  歩2 角`
    fn player(&self, color: Color, look: &Look<'_>) -> Row {
        let mark = if color == Color::Black { '☗' } else { '☖' };
        let turn = if self.table.verdict().is_none() && self.table.side() == color { '*' } else { ' ' };
        let clock = self.clock(color);
        let mut name = String::new();
        for c in seat_name(&self.seats[color.index()]).chars() {
            if width(&name) >= 14 {
                break;
            }
            name.push(c);
        }
        let hand = look.hand(color);
        line(format!("{turn}{mark} {name}{clock}  {hand}").trim_end(), Tone::Plain)
    }

    fn clock(&self, color: Color) -> String {
        let clock = self.table.clock(color);
        if !clock.has_clock() {
            return String::new();
        }
        let runs = self.table.verdict().is_none() && self.table.side() == color;
        let used = if runs { self.since.elapsed() } else { Duration::ZERO };
        let main = Duration::from_millis(clock.left_ms());
        let byoyomi = Duration::from_millis(clock.control().byoyomi);
        let text = |time: Duration| {
            let seconds = time.as_millis().div_ceil(1000);
            format!("{}:{:02}", seconds / 60, seconds % 60)
        };
        if used <= main && main > Duration::ZERO {
            let behind =
                if byoyomi > Duration::ZERO { format!("+{}", byoyomi.as_secs()) } else { String::new() };
            format!(" {}{behind}", text(main.saturating_sub(used)))
        } else {
            format!(" {}", text((main + byoyomi).saturating_sub(used)))
        }
    }
}

fn seat_name(seat: &Seat) -> &str {
    match seat {
        Seat::Person(name) | Seat::Engine(name, _) => name,
    }
}

/// The first of `game-1.kifu`, `game-2.kifu`, … that does not exist.
fn free_name() -> PathBuf {
    let mut names = (1..).map(|number| PathBuf::from(format!("game-{number}.kifu")));
    names.find(|path: &PathBuf| !Path::exists(path)).unwrap_or_default()
}
