//! The course of games: moves of people and engines, ends, taking back.

use super::Game;
use crate::board::{Board, lock};
use crate::engine::{InfoLine, Pool, PooledEngine, Seat, Think};
use crate::games::Line;
use crate::protocol::{ClockEvent, Event, Hint, NodeEval, Player, Refusal, RefusalCode, Side, Value, Words};
use engines::Rank;
use record::Ending;
use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

/// The strongest level.
pub const LEVELS: u32 = engines::Level::STEPS as u32;
/// Hints are thought about so long.
const HINT: &str = "movetime 1500";
/// How long an engine waits for another one to finish.
const WAITING: Duration = Duration::from_mins(1);

/// A board that tabs and engines share.
type Shared = Arc<Mutex<Board>>;

/// All games in progress.
pub struct OngoingGames {
    pool: Arc<Pool>,
    /// By board: set to make its engine move now.
    stops: Mutex<HashMap<String, Arc<AtomicBool>>>,
}

fn not_now(text: &str, ja: &str) -> Refusal {
    Refusal::new(RefusalCode::State, text).ja(ja)
}

fn engines_turn() -> Refusal {
    not_now("it is the engine's turn", "エンジンの手番です。")
}

/// The option that sets a level, or full strength.
fn level_option(level: Option<u32>) -> (String, String) {
    let rank = level.and_then(|level| Rank::all().nth(level.clamp(1, LEVELS) as usize - 1));
    ("USI_Level".to_owned(), rank.unwrap_or(Rank::FULL).number())
}

impl OngoingGames {
    /// No games.
    #[must_use]
    pub fn new(pool: Arc<Pool>) -> Arc<Self> {
        Arc::new(Self { pool, stops: Mutex::default() })
    }

    /// Begins a game at a node of a board.
    pub fn begin(
        self: &Arc<Self>,
        board: &Shared,
        node: u32,
        game: impl FnOnce(Side) -> Game,
    ) -> Result<(), Refusal> {
        let mut locked = lock(board);
        locked.not_playing()?;
        let line = locked.document().line(node)?;
        if line.outcome().is_some() {
            return Err(not_now(
                "the game is over at this position: choose another one",
                "この局面で対局は終わっています。別の局面を選んでください。",
            ));
        }
        let game = game(line.side());
        let name = locked.document().game.rules().game.game.clone();
        for side in &game.sides {
            if let Player::Engine { engine, level } = side {
                self.pool.check(engine, &name)?;
                if level.is_some_and(|level| !(1..=LEVELS).contains(&level)) {
                    return Err(Refusal::new(
                        RefusalCode::Unsupported,
                        format!("levels go from 1 to {LEVELS}"),
                    ));
                }
            }
        }
        let document = locked.document();
        let levels = &document.game.rules().game.levels;
        let header = with_players(document.header.to_vec(), &game.sides, levels);
        locked.amend(|document| document.header = Arc::new(header));
        locked.game = Some(game);
        locked.tell_play();
        drop(locked);
        self.think(board);
        Ok(())
    }

    /// A tab looks at a board: a game that was kept over the end of a server goes on.
    pub fn wake(self: &Arc<Self>, board: &Shared) {
        let woken = lock(board).game.as_mut().is_some_and(Game::wake);
        if woken {
            self.think(board);
        }
    }

    /// A move of a person in a game in progress, at the node where the game is; `None` if the move is not part of the game.
    pub fn play(self: &Arc<Self>, board: &Shared, node: u32, text: &str) -> Option<Result<u32, Refusal>> {
        let result = {
            let mut locked = lock(board);
            let game = locked.game.as_ref().filter(|game| !game.over)?;
            if game.node != node {
                return Some(Err(not_now(
                    "a game is in progress elsewhere on this board: play at its last move",
                    "対局は別の局面で続いています。最後の手に戻って指してください。",
                )));
            }
            if game.engine_to_move().is_some() {
                return Some(Err(engines_turn()));
            }
            advance(&mut locked, text, None)
        };
        if result.is_ok() {
            self.think(board);
        }
        Some(result)
    }

    /// Lets the engine think if it is its turn.
    fn think(self: &Arc<Self>, board: &Shared) {
        let (games, board) = (self.clone(), board.clone());
        {
            let mut locked = lock(&board);
            let Some(game) = locked.game.as_mut().filter(|game| !game.over && !game.thinking) else { return };
            if game.engine_to_move().is_none() {
                return;
            }
            game.thinking = true;
            locked.tell_play();
        }
        let thread = std::thread::Builder::new().name("player".to_owned());
        // Without a thread the side to move stays to move, and people can take back or stop.
        let _ = thread.spawn(move || games.engine_moves(&board));
    }

    /// One move of an engine.
    fn engine_moves(self: &Arc<Self>, board: &Shared) {
        let (turn, engine, level, command, go, name, id) = {
            let locked = lock(board);
            let Some(game) = locked.game.as_ref().filter(|game| !game.over) else { return };
            let Some((engine, level)) = game.engine_to_move() else { return };
            let document = locked.document();
            let name = document.game.rules().game.game.clone();
            (game.turns, engine, level, document.command(game.node), game.go(), name, locked.id.clone())
        };
        let stop = Arc::new(AtomicBool::new(false));
        lock(&self.stops).insert(id.clone(), stop.clone());
        let options = level.map_or_else(Vec::new, |level| vec![level_option(Some(level))]);
        let answer = self.ask(&engine, &name, &command, &go, &options, &stop);
        self.forget(&id, &stop);
        let mut locked = lock(board);
        let current = locked.game.as_ref().is_some_and(|game| game.turns == turn && !game.over);
        if !current {
            return;
        }
        match answer {
            Ok((best, value)) => {
                let done = match best.as_str() {
                    "resign" => end(&mut locked, &Ending::Resign),
                    "win" => end(&mut locked, &Ending::Declaration),
                    best => advance(&mut locked, best, value.map(|value| (value, engine.clone())).as_ref())
                        .map(|_| ()),
                };
                if let Err(refusal) = done {
                    fail(&mut locked, &engine, &refusal.text);
                }
            }
            Err(refusal) => fail(&mut locked, &engine, &refusal.text),
        }
        drop(locked);
        self.think(board);
    }

    /// The search of a board has ended; a later one may have begun.
    fn forget(&self, board: &str, stop: &Arc<AtomicBool>) {
        let mut stops = lock(&self.stops);
        if stops.get(board).is_some_and(|known| Arc::ptr_eq(known, stop)) {
            stops.remove(board);
        }
    }

    /// What an engine plays, and its value for the side to move.
    fn ask(
        &self,
        engine: &str,
        game: &str,
        command: &str,
        go: &str,
        options: &[(String, String)],
        stop: &AtomicBool,
    ) -> Result<(String, Option<Value>), Refusal> {
        let _seat = self.seat()?;
        let mut all = vec![("MultiPV".to_owned(), "1".to_owned())];
        if engine == crate::engine::OWN && options.is_empty() {
            all.push(level_option(None));
        }
        all.extend_from_slice(options);
        let patience = Some(Duration::from_hours(1));
        let think = Think { position: command, go, options: &all, stop, patience };
        let mut at_work = PooledEngine::take(&self.pool, engine, game)?;
        let search = |session: &mut arena::Session| {
            let mut value = None;
            let answer = think.run(session, &mut |line| {
                if let Some(info) = line.and_then(InfoLine::read).filter(|info| info.rank == 1) {
                    value = info.score.or(value);
                }
            })?;
            Ok((answer.best, value))
        };
        // A game does not end because a program does.
        let answer = at_work.run(search, |_| ())?;
        if engine == crate::engine::OWN {
            // The next one that takes it may want to analyse.
            let _ = at_work.session().set_options(&[level_option(None)]);
        }
        at_work.give_back();
        Ok(answer)
    }

    /// A seat as soon as one is free.
    fn seat(&self) -> Result<Seat, Refusal> {
        let until = Instant::now() + WAITING;
        loop {
            match self.pool.seat() {
                Err(_) if Instant::now() < until => std::thread::sleep(Duration::from_millis(50)),
                other => return other,
            }
        }
    }

    /// Makes the engine of a board move.
    pub fn move_now(&self, board: &str) -> Result<(), Refusal> {
        match lock(&self.stops).get(board) {
            Some(stop) => {
                stop.store(true, Ordering::Relaxed);
                Ok(())
            }
            None => Err(not_now("no engine is thinking about its move", "考えているエンジンはありません。")),
        }
    }

    fn interrupt(&self, board: &str) {
        if let Some(stop) = lock(&self.stops).get(board) {
            stop.store(true, Ordering::Relaxed);
        }
    }

    /// What an engine would play at a node.
    pub fn hint(&self, board: &Shared, node: Option<u32>, engine: &str) -> Result<Hint, Refusal> {
        let (node, line, command, name) = {
            let locked = lock(board);
            let playing = locked.game.as_ref().filter(|game| !game.over).map(|game| game.node);
            let node = node.or(playing).unwrap_or_else(|| locked.document().end_of(crate::board::ROOT));
            let line = locked.document().line(node)?;
            (node, line, locked.document().command(node), locked.document().game.rules().game.game.clone())
        };
        if line.outcome().is_some() {
            return Err(not_now("the game is over at this position", "この局面で対局は終わっています。"));
        }
        let stop = AtomicBool::new(false);
        let (best, value) = self.ask(engine, &name, &command, HINT, &[], &stop)?;
        let best = line.name(&best).map_err(|_| {
            not_now(
                &format!("{engine} would play no move here: {best}"),
                &format!("{engine} はここで指す手がありません（{best}）。"),
            )
        })?;
        let score = value.map(|value| if line.side() == Side::Black { value } else { value.negated() });
        Ok(Hint { node, best, score })
    }

    /// A side gives up: the one that is named, else the person to move, else the only person.
    pub fn resign(&self, board: &Shared, side: Option<Side>) -> Result<(), Refusal> {
        let mut locked = lock(board);
        let game = playing(&locked)?;
        let turn = game.turn().ok_or_else(|| not_now("the game is over", "対局は終わっています。"))?;
        let people: Vec<Side> = Side::ALL
            .into_iter()
            .filter(|side| matches!(game.sides[side.index()], Player::Human { .. }))
            .collect();
        let loser = side.unwrap_or(match people.as_slice() {
            [only] => *only,
            _ => turn,
        });
        // Out of turn: the opponent, who is to move, has won.
        let ending = if loser == turn { Ending::Resign } else { Ending::Won };
        end(&mut locked, &ending)?;
        let id = locked.id.clone();
        drop(locked);
        self.interrupt(&id);
        Ok(())
    }

    /// Breaks a game off.
    pub fn stop(&self, board: &Shared) -> Result<(), Refusal> {
        let mut locked = lock(board);
        playing(&locked)?;
        end(&mut locked, &Ending::Interrupt)?;
        let id = locked.id.clone();
        drop(locked);
        self.interrupt(&id);
        Ok(())
    }

    /// The person to move declares a win.
    pub fn declare(board: &Shared) -> Result<(), Refusal> {
        let mut locked = lock(board);
        let game = playing(&locked)?;
        if game.engine_to_move().is_some() {
            return Err(engines_turn());
        }
        if !locked.document().line(game.node)?.may_declare() {
            return Err(Refusal::new(RefusalCode::Illegal, "the conditions of the declaration are not met")
                .ja("入玉宣言の条件を満たしていません。"));
        }
        end(&mut locked, &Ending::Declaration)
    }

    /// Takes back to the last position in which a person was to move.
    pub fn take_back(self: &Arc<Self>, board: &Shared) -> Result<(), Refusal> {
        let mut locked = lock(board);
        let game = playing(&locked)?;
        let first = game.first;
        let people = Side::ALL.map(|side| matches!(game.sides[side.index()], Player::Human { .. }));
        let mut node = game.node;
        loop {
            if node == first {
                return Err(not_now("nothing to take back", "戻せる手がありません。"));
            }
            node = locked.document().get(node)?.shown.parent.unwrap_or(first);
            if people[locked.document().line(node)?.side().index()] {
                break;
            }
        }
        let side = locked.document().line(node)?.side();
        let old = game.node;
        let next = locked.document().path(old).into_iter().skip_while(|id| *id != node).nth(1);
        locked.amend(|document| {
            if let Some(next) = next {
                // The node was found above.
                let _ = document.delete(next);
            }
        });
        if let Some(game) = &mut locked.game {
            game.go_to(node, side);
        }
        locked.tell_play();
        let id = locked.id.clone();
        drop(locked);
        self.interrupt(&id);
        self.think(board);
        Ok(())
    }

    /// The players change sides.
    pub fn switch_sides(self: &Arc<Self>, board: &Shared) -> Result<(), Refusal> {
        let mut locked = lock(board);
        playing(&locked)?;
        let document = locked.document();
        let (header, levels) = (document.header.to_vec(), document.game.rules().game.levels.clone());
        if let Some(game) = &mut locked.game {
            game.sides.swap(0, 1);
            game.thinking = false;
            game.turns += 1;
            let header = with_players(header, &game.sides, &levels);
            locked.amend(|document| document.header = Arc::new(header));
        }
        locked.tell_play();
        let id = locked.id.clone();
        drop(locked);
        self.interrupt(&id);
        self.think(board);
        Ok(())
    }

    /// Ends a game whose time is up.
    pub fn check_clock(&self, board: &Shared) {
        let mut locked = lock(board);
        if !locked.game.as_ref().is_some_and(|game| !game.over && game.is_out_of_time()) {
            return;
        }
        // The board is there and its game goes on, so its end can be written.
        let _ = end(&mut locked, &Ending::Timeout);
        let id = locked.id.clone();
        drop(locked);
        self.interrupt(&id);
    }
}

fn playing(board: &Board) -> Result<&Game, Refusal> {
    board
        .game
        .as_ref()
        .filter(|game| !game.over)
        .ok_or_else(|| not_now("no game is in progress on this board", "この盤では対局していません。"))
}

/// Names of players for the record, where it has none.
fn with_players(mut header: Vec<[String; 2]>, sides: &[Player; 2], levels: &[Words]) -> Vec<[String; 2]> {
    let of = |level: u32| levels.get((level as usize).wrapping_sub(1)).map_or("", |name| &name.ja);
    for (field, side) in ["先手", "後手"].into_iter().zip(sides) {
        let name = match side {
            Player::Human { name } if name.trim().is_empty() => continue,
            Player::Human { name } => name.clone(),
            Player::Engine { engine, level: Some(level) } => format!("{engine} {}", of(*level)),
            Player::Engine { engine, level: None } => engine.clone(),
        };
        match header.iter_mut().find(|[known, _]| known == field) {
            Some([_, value]) => *value = name,
            None => header.push([field.to_owned(), name]),
        }
    }
    header
}

/// Plays a move of the game and ends it if its rules say so.
fn advance(board: &mut Board, text: &str, value: Option<&(Value, String)>) -> Result<u32, Refusal> {
    let game = playing(board)?;
    let (node, time) = (game.node, game.elapsed());
    let mut line = board.document().line(node)?;
    let side = line.side();
    let named = line.play(text)?;
    let mut added = node;
    board.amend(|document| {
        let (id, _) = document.add_named(node, named.text, named.ja, named.en, side);
        added = id;
        document.change(id, |node| {
            node.shown.time = Some(time.as_millis() as u64);
            if let Some((value, engine)) = value {
                let score = if side == Side::Black { *value } else { value.negated() };
                node.shown.eval =
                    Some(NodeEval { score, depth: None, engine: Some(engine.clone()), best: None });
            }
        });
    });
    if let Some(game) = &mut board.game {
        game.end_turn(added);
    }
    if let Some(ending) = by_rules(&*line) {
        end(board, &ending)?;
    } else {
        board.tell_play();
        tell_clock(board);
    }
    Ok(added)
}

fn tell_clock(board: &Board) {
    if let Some(game) = &board.game {
        let clock = ClockEvent { board: board.id.clone(), clocks: game.clocks() };
        board.send(&Event::Clock(clock));
    }
}

/// How the rules end the game here.
fn by_rules(line: &dyn Line) -> Option<Ending> {
    let outcome = line.outcome()?;
    let won = outcome.winner.map(|winner| winner == line.side());
    Some(match (outcome.reason.as_str(), won) {
        ("repetition", None) => Ending::Repetition,
        ("move_limit", _) => Ending::MaxMoves,
        ("perpetual_check", Some(true)) => Ending::IllegalBefore,
        ("perpetual_check", Some(false)) => Ending::IllegalHere,
        ("mate", Some(false)) => Ending::Mate,
        ("declaration", Some(true)) => Ending::Declaration,
        (_, Some(true)) => Ending::Won,
        (_, Some(false)) => Ending::Lost,
        (_, None) => Ending::Draw,
    })
}

/// Ends the game and says how in the record.
fn end(board: &mut Board, ending: &Ending) -> Result<(), Refusal> {
    let game = playing(board)?;
    let node = game.node;
    let side = board.document().line(node)?.side();
    let mut last = node;
    board.amend(|document| last = document.add_ending(node, ending, side));
    if let Some(game) = &mut board.game {
        game.end(last);
    }
    board.tell_play();
    tell_clock(board);
    Ok(())
}

/// An engine that breaks down ends the game as broken off, with the reason.
fn fail(board: &mut Board, engine: &str, why: &str) {
    let why = format!("{engine}: {why}");
    if end(board, &Ending::Interrupt).is_ok()
        && let Some(node) = board.game.as_ref().map(|game| game.node)
    {
        board.amend(|document| document.change(node, |node| node.shown.comment.clone_from(&why)));
    }
    let status = crate::protocol::EngineStatus {
        board: board.id.clone(),
        engine: engine.to_owned(),
        state: crate::protocol::EngineState::Failed,
        text: why,
    };
    board.send(&Event::Engine(status));
}
