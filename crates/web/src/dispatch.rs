//! Each verb and what it does.

use crate::app_state::AppState;
use crate::board::{Document, SharedBoard, lock};
use crate::engine::OWN;
use crate::play::Game;
use crate::protocol::{self as ask};
use crate::protocol::{
    Boards, BookOpened, CursorMoved, Deleted, Done, Edited, Event, Exported, LibraryGameOpened, Opened,
    Pasted, Played, Preview, Refusal, RefusalCode, Undone, Verb, Words,
};
use crate::tab::Tab;
use crate::{diagram, explorer, tsume};
use record::{Format, encoding::Encoding};
use serde::Serialize;
use std::sync::Arc;

/// Lines that are added or shown have at most so many moves.
const LONGEST_LINE: usize = 1000;

/// Whether an answer may take longer than a moment.
#[must_use]
pub fn is_long(verb: &Verb) -> bool {
    matches!(
        verb,
        Verb::Hint(_)
            | Verb::AnalyseGame(_)
            | Verb::BookList
            | Verb::BookOpen(_)
            | Verb::BookSave(_)
            | Verb::BookMinmax(_)
            | Verb::BookMine(_)
            | Verb::LibraryList
            | Verb::LibraryExplore(_)
            | Verb::LibraryGames(_)
            | Verb::LibraryOpen(_)
            | Verb::TsumeTree(_)
            | Verb::TsumeJudge(_)
            | Verb::RunsList
            | Verb::RunsWatch(_)
            | Verb::RunsGames(_)
            | Verb::RunsOpen(_)
    )
}

/// Answers a request, as JSON.
#[allow(clippy::too_many_lines, reason = "a table: one arm for each verb")]
pub fn answer(app: &Arc<AppState>, tab: &Arc<Tab>, verb: Verb) -> Result<String, Refusal> {
    let board = |id: &str| app.boards.get(id);
    match verb {
        Verb::About => say(app.about()),
        Verb::Boards => say(Boards { boards: app.boards.entries() }),
        Verb::Settings(args) => say(app.settings(args.set)?),
        Verb::Rules(args) => say(app.games.get(&args.game)?.rules()),
        Verb::Open(args) => say(open(app, &args)?),
        Verb::RemoveBoard(args) => {
            app.analyses.stop_board(&args.board);
            app.tsume.stop(&args.board);
            let removed = app.boards.remove(&args.board)?;
            // A game that is played on it ends.
            let _ = app.ongoing.stop(&removed);
            app.tell_all(&Event::Lists);
            done()
        }
        Verb::Subscribe(args) => {
            let board = board(&args.board)?;
            app.ongoing.wake(&board);
            let subscribed = lock(&board).subscribe(tab, args.rev);
            // The tab may have gone while the request waited.
            if !app.has(tab.id) {
                app.boards.unsubscribe(tab.id);
            }
            say(subscribed)
        }
        Verb::Unsubscribe(args) => {
            lock(&*board(&args.board)?).unsubscribe(tab.id);
            done()
        }
        Verb::GoTo(args) => {
            let board = board(&args.board)?;
            let board = lock(&board);
            let scene = board.scene(args.node)?;
            board.looked(tab.id, &Event::Cursor(CursorMoved { board: args.board, node: args.node }));
            say(scene)
        }
        Verb::Follow(args) => {
            lock(&*board(&args.board)?).follow(tab.id, args.on);
            done()
        }
        Verb::Play(args) => say(play(app, &board(&args.board)?, args.node, &args.text)?),
        Verb::AddLine(args) => say(add_line(&board(&args.board)?, args.node, &args.moves)?),
        Verb::Preview(args) => say(preview(&board(&args.board)?, args.node, &args.moves)?),
        Verb::Expand(args) => {
            let line = lock(&*board(&args.board)?).document().line(args.node)?;
            say(line.expand(&args.base)?)
        }
        Verb::Comment(_)
        | Verb::Mark(_)
        | Verb::PromoteLine(_)
        | Verb::Delete(_)
        | Verb::Undo(_)
        | Verb::Redo(_)
        | Verb::Header(_) => change(app, verb),
        Verb::EditPosition(args) => say(edit_position(app, &args)?),
        Verb::Paste(args) => say(paste(app, &board(&args.board)?, &args.text)?),
        Verb::Export(args) => say(export(&board(&args.board)?, &args.format, args.node)?),
        Verb::Analyse(_)
        | Verb::AnalyseGame(_)
        | Verb::NewGame(_)
        | Verb::Resign(_)
        | Verb::StopGame(_)
        | Verb::Declare(_)
        | Verb::MoveNow(_)
        | Verb::Hint(_)
        | Verb::Takeback(_)
        | Verb::SwitchSides(_) => with_engines(app, verb),
        Verb::BookList
        | Verb::BookOpen(_)
        | Verb::BookShow(_)
        | Verb::BookEdit(_)
        | Verb::BookSave(_)
        | Verb::BookMinmax(_)
        | Verb::BookMine(_)
        | Verb::BookMineStop(_)
        | Verb::BookClose(_) => with_books(app, verb),
        Verb::LibraryList => say(app.explorer.list()?),
        Verb::LibraryExplore(args) => {
            let document = document_at(app, &args.board, args.node)?;
            say(app.explorer.explore(&args, &document)?)
        }
        Verb::LibraryGames(args) => {
            let document = document_at(app, &args.board, args.node)?;
            say(app.explorer.games(&args, &document)?)
        }
        Verb::LibraryOpen(args) => say(open_library_game(app, &args)?),
        Verb::TsumeSolve(args) => {
            app.tsume.solve(&board(&args.board)?, args.node)?;
            done()
        }
        Verb::TsumeReport(args) => {
            app.tsume.report(&board(&args.board)?, args.node)?;
            done()
        }
        Verb::TsumeTree(args) => say(tsume::tree(&board(&args.board)?, args.node, &args.moves)?),
        Verb::TsumeJudge(args) => say(tsume::judge(&board(&args.board)?, args.node, &args.text)?),
        Verb::TsumeStop(args) => {
            app.tsume.stop(&args.board);
            done()
        }
        Verb::RunsList => say(app.runs.list()?),
        Verb::RunsWatch(args) => say(app.runs.watch(app, tab, &args.run)?),
        Verb::RunsUnwatch(args) => {
            app.runs.unwatch(tab.id, &args.run);
            done()
        }
        Verb::RunsGames(args) => say(app.runs.games(&args.run, args.skip, args.count)?),
        Verb::RunsOpen(args) => {
            let (text, game) = app.runs.record(&args.run, args.number)?;
            let opened = crate::files::open_as(app, text.as_bytes(), &game)?;
            let first = opened.into_iter().next();
            say(first.ok_or_else(|| Refusal::new(RefusalCode::Position, "the file holds no game"))?)
        }
    }
}

#[expect(clippy::unnecessary_wraps, reason = "the arms of `answer` end with it")]
fn say<T: Serialize>(answer: T) -> Result<String, Refusal> {
    // Answers are strings, numbers, lists and maps with texts for keys, which JSON always has.
    Ok(serde_json::to_string(&answer).unwrap_or_else(|_| "null".to_owned()))
}

fn done() -> Result<String, Refusal> {
    say(Done {})
}

fn open(app: &AppState, args: &ask::Open) -> Result<Opened, Refusal> {
    let (document, notices) = if let Some(text) = &args.text {
        read(app, text, args.game.as_deref())?
    } else {
        let game = args.game.as_deref().unwrap_or("shogi");
        (Document::new(app.games.get(game)?, args.start.as_deref())?, Vec::new())
    };
    let board = app.boards.add(document);
    app.tell_all(&Event::Lists);
    let board = lock(&board).id.clone();
    Ok(Opened { board, notices })
}

/// A board as it is now, if it has the node.
fn document_at(app: &AppState, board: &str, node: u32) -> Result<Document, Refusal> {
    let board = app.boards.get(board)?;
    let document = lock(&board).document().clone();
    document.get(node)?;
    Ok(document)
}

fn open_library_game(app: &AppState, args: &ask::GameOfLibrary) -> Result<LibraryGameOpened, Refusal> {
    let (document, notices) = app.explorer.document(&app.games, &args.library, args.number)?;
    let node = explorer::node_at(&document, args.ply);
    let board = app.boards.add(document);
    app.tell_all(&Event::Lists);
    let board = lock(&board).id.clone();
    Ok(LibraryGameOpened { board, node, notices })
}

/// The first record of a text.
fn read(app: &AppState, text: &str, hint: Option<&str>) -> Result<(Document, Vec<String>), Refusal> {
    let records = app.games.read(text.as_bytes(), None, hint.unwrap_or("shogi"))?;
    let first = records.first().ok_or_else(|| {
        Refusal::new(RefusalCode::Position, "no record or position: paste KIF, KI2, CSA, USI, SFEN or BOD")
            .ja("棋譜や局面として読めません。KIF、KI2、CSA、USI、SFEN、BOD を貼り付けてください。")
    })?;
    let (document, mut notices) = Document::of_record(app.games.get(&first.game)?, first)?;
    if records.len() > 1 {
        notices.push(format!("the text holds {} games: this is the first", records.len()));
    }
    Ok((document, notices))
}

fn play(app: &Arc<AppState>, board: &SharedBoard, node: u32, text: &str) -> Result<Played, Refusal> {
    let node = match app.ongoing.play(board, node, text) {
        Some(played) => played?,
        None => add(board, node, std::slice::from_ref(&text.to_owned()))?,
    };
    let scene = lock(board).scene(node)?;
    Ok(Played { node, scene })
}

fn add_line(board: &SharedBoard, node: u32, moves: &[String]) -> Result<Played, Refusal> {
    lock(board).not_playing()?;
    let node = add(board, node, moves)?;
    let scene = lock(board).scene(node)?;
    Ok(Played { node, scene })
}

/// Plays moves from a node on; branches come into being where they are new.
fn add(board: &SharedBoard, node: u32, moves: &[String]) -> Result<u32, Refusal> {
    if moves.len() > LONGEST_LINE {
        return Err(Refusal::new(RefusalCode::TooMuch, format!("a line has at most {LONGEST_LINE} moves")));
    }
    let mut board = lock(board);
    if board.document().count() + moves.len() > crate::board::document::MOST_NODES {
        let text = "the board is full: delete lines, or open another board";
        return Err(Refusal::new(RefusalCode::TooMuch, text)
            .ja("この盤は手が多すぎます。分岐を消すか、別の盤を開いてください。"));
    }
    if board.document().get(node)?.shown.ending.is_some() {
        let text = "nothing follows the end of a game: play at the move before";
        return Err(Refusal::new(RefusalCode::Illegal, text)
            .ja("対局の終わりの後には指せません。一手戻ってから指してください。"));
    }
    let mut line = board.document().line(node)?;
    let mut named = Vec::with_capacity(moves.len());
    for text in moves {
        let side = line.side();
        named.push((line.play(text)?, side));
    }
    board.edit(node, |document| {
        let mut at = node;
        for (m, side) in named {
            at = document.add_named(at, m.text, m.ja, m.en, side).0;
        }
        Ok(at)
    })
}

fn preview(board: &SharedBoard, node: u32, moves: &[String]) -> Result<Preview, Refusal> {
    let mut line = lock(board).document().line(node)?;
    let mut named = Vec::new();
    let mut stopped = None;
    for text in moves.iter().take(LONGEST_LINE) {
        match line.play(text) {
            Ok(m) => named.push(m),
            Err(refusal) => {
                stopped = Some(Words::new(format!("`{text}` は指せません"), refusal.text));
                break;
            }
        }
    }
    Ok(Preview { scene: line.scene(), line: named, stopped })
}

/// Changes of notes, order and header.
fn change(app: &AppState, verb: Verb) -> Result<String, Refusal> {
    let board = |id: &str| app.boards.get(id);
    match verb {
        Verb::Comment(args) => {
            if args.text.len() > crate::board::document::LONGEST_COMMENT {
                return Err(Refusal::new(RefusalCode::TooMuch, "a comment has at most 64 KiB"));
            }
            lock(&*board(&args.board)?).edit(args.node, |document| {
                document.get(args.node)?;
                document.change(args.node, |node| node.shown.comment = args.text);
                Ok(())
            })?;
            done()
        }
        Verb::Mark(args) => {
            const MARKS: [&str; 7] = ["!", "!!", "?", "??", "!?", "?!", "bookmark"];
            if let Some(strange) = args.marks.iter().find(|mark| !MARKS.contains(&mark.as_str())) {
                let strange: String = strange.chars().take(20).collect();
                return Err(Refusal::new(
                    RefusalCode::Message,
                    format!("mark `{strange}`: expected one of {}", MARKS.join(" ")),
                ));
            }
            lock(&*board(&args.board)?).edit(args.node, |document| {
                document.get(args.node)?;
                document.change(args.node, |node| node.shown.marks = args.marks);
                Ok(())
            })?;
            done()
        }
        Verb::PromoteLine(args) => {
            let board = board(&args.board)?;
            let mut board = lock(&board);
            board.not_playing()?;
            board.edit(args.node, |document| document.promote(args.node))?;
            done()
        }
        Verb::Delete(args) => {
            let board = board(&args.board)?;
            let mut board = lock(&board);
            board.not_playing()?;
            let node = board.edit(args.node, |document| document.delete(args.node))?;
            say(Deleted { node })
        }
        Verb::Undo(args) => say(Undone { node: lock(&*board(&args.board)?).step_back(false)? }),
        Verb::Redo(args) => say(Undone { node: lock(&*board(&args.board)?).step_back(true)? }),
        Verb::Header(args) => {
            let bytes: usize = args.header.iter().flatten().map(String::len).sum();
            if args.header.len() > 200 || bytes > 64 << 10 {
                return Err(Refusal::new(RefusalCode::TooMuch, "a header has at most 200 fields and 64 KiB"));
            }
            lock(&*board(&args.board)?).edit(crate::board::ROOT, |document| {
                document.header = Arc::new(args.header);
                Ok(())
            })?;
            app.tell_all(&Event::Lists);
            done()
        }
        _ => Err(Refusal::new(RefusalCode::Message, "not a change")),
    }
}

fn edit_position(app: &AppState, args: &ask::EditPosition) -> Result<Edited, Refusal> {
    let board = args.board.as_deref().map(|id| app.boards.get(id)).transpose()?;
    let game = match (&board, args.game.as_deref()) {
        (Some(board), None) => lock(board).document().game.clone(),
        (_, Some(game)) => app.games.get(game)?,
        (None, None) => return Err(Refusal::new(RefusalCode::Message, "name a board or a game")),
    };
    let edited = match (&args.position, &args.text) {
        (Some(position), _) => game.compose(position),
        (None, Some(text)) => {
            let examined = game.examine(text);
            match examined.problem {
                None => examined,
                // A diagram (BOD), or a record whose start is meant.
                Some(_) => match app.games.read(text.as_bytes(), None, &game.rules().game.game) {
                    Ok(records) => records.first().map_or(examined, |record| game.examine(&record.start)),
                    Err(_) => examined,
                },
            }
        }
        (None, None) => return Err(Refusal::new(RefusalCode::Message, "name a text or a position")),
    };
    if let (Some(board), Some(text), None) = (board, &edited.text, &edited.problem) {
        let mut board = lock(&board);
        board.not_playing()?;
        let mut document = Document::new(game, Some(text))?;
        board.edit(crate::board::ROOT, |old| {
            document.header = old.header.clone();
            *old = document;
            Ok(())
        })?;
        board.game = None;
    }
    Ok(edited)
}

fn paste(app: &AppState, board: &SharedBoard, text: &str) -> Result<Pasted, Refusal> {
    let hint = {
        let board = lock(board);
        board.not_playing()?;
        board.document().game.rules().game.game.clone()
    };
    let (document, notices) = read(app, text, Some(&hint))?;
    let node = document.end_of(crate::board::ROOT);
    let mut board = lock(board);
    board.game = None;
    board.edit(crate::board::ROOT, |old| {
        *old = document;
        Ok(())
    })?;
    drop(board);
    app.tell_all(&Event::Lists);
    Ok(Pasted { node, notices })
}

fn export(board: &SharedBoard, format: &str, node: Option<u32>) -> Result<Exported, Refusal> {
    let (document, id) = {
        let board = lock(board);
        (board.document().clone(), board.id.clone())
    };
    let at = node.unwrap_or_else(|| document.end_of(crate::board::ROOT));
    let (text, losses) = match format {
        "sfen" => (document.line(at)?.text(), Vec::new()),
        "svg" => (diagram::draw(&document.line(at)?.scene(), document.game.rules()), Vec::new()),
        _ => {
            let wanted: Format = format.parse().map_err(|_| {
                Refusal::new(
                    RefusalCode::Unsupported,
                    format!(
                        "no format `{}`: `about` lists them",
                        format.chars().take(20).collect::<String>()
                    ),
                )
            })?;
            let document = match (wanted, node) {
                // A diagram is of one position, and a line of USI of the line that is shown.
                (Format::Bod, _) => Document::new(document.game.clone(), Some(&document.line(at)?.text()))?,
                _ => document,
            };
            let written = document.write(wanted, Encoding::Utf8)?;
            (String::from_utf8_lossy(&written.bytes).into_owned(), written.losses)
        }
    };
    Ok(Exported { name: format!("{id}.{}", extension(format)), text, losses })
}

/// The extension of files in a format.
fn extension(format: &str) -> &str {
    match format {
        "kif" => "kifu",
        "ki2" => "ki2u",
        "csa3" => "csa",
        other => other,
    }
}

fn with_engines(app: &Arc<AppState>, verb: Verb) -> Result<String, Refusal> {
    let board = |id: &str| app.boards.get(id);
    match verb {
        Verb::Analyse(args) => {
            let engine = args.engine.as_deref().unwrap_or(OWN);
            if args.on {
                let node = args
                    .node
                    .ok_or_else(|| Refusal::new(RefusalCode::Message, "name the node to analyse"))?;
                app.analyses.start(&board(&args.board)?, engine, node, args.lines.unwrap_or(1))?;
            } else {
                app.analyses.stop(&args.board, engine);
            }
        }
        Verb::AnalyseGame(args) => {
            let engine = args.engine.as_deref().unwrap_or(OWN);
            if args.on {
                let board = board(&args.board)?;
                let end = lock(&board).document().end_of(crate::board::ROOT);
                let time = args.time.unwrap_or(1000).clamp(10, 600_000);
                app.analyses.start_game(&board, engine, args.node.unwrap_or(end), time)?;
            } else {
                app.analyses.stop(&args.board, engine);
            }
        }
        Verb::NewGame(args) => return say(new_game(app, args)?),
        Verb::Resign(args) => app.ongoing.resign(&board(&args.board)?, args.side)?,
        Verb::StopGame(args) => app.ongoing.stop(&board(&args.board)?)?,
        Verb::Declare(args) => crate::play::OngoingGames::declare(&board(&args.board)?)?,
        Verb::MoveNow(args) => app.ongoing.move_now(&args.board)?,
        Verb::Hint(args) => {
            let engine = args.engine.as_deref().unwrap_or(OWN);
            return say(app.ongoing.hint(&board(&args.board)?, args.node, engine)?);
        }
        Verb::Takeback(args) => app.ongoing.take_back(&board(&args.board)?)?,
        Verb::SwitchSides(args) => app.ongoing.switch_sides(&board(&args.board)?)?,
        _ => return Err(Refusal::new(RefusalCode::Message, "not about engines")),
    }
    done()
}

fn new_game(app: &Arc<AppState>, args: ask::NewGame) -> Result<Opened, Refusal> {
    const MOST: u64 = 24 * 3600 * 1000;
    let ask::ClockRules { main, byoyomi, increment } = args.clock;
    if main > MOST || byoyomi > MOST || increment > MOST {
        return Err(Refusal::new(RefusalCode::TooMuch, "a clock has at most 24 hours"));
    }
    let (board, node) = if let Some(id) = &args.board {
        (app.boards.get(id)?, args.node.unwrap_or(crate::board::ROOT))
    } else {
        let game = app.games.get(args.game.as_deref().unwrap_or("shogi"))?;
        (app.boards.add(Document::new(game, args.start.as_deref())?), crate::board::ROOT)
    };
    let begun = app.ongoing.begin(&board, node, |side| Game::new(args.sides, args.clock, node, side));
    let id = lock(&board).id.clone();
    if let Err(refusal) = begun {
        if args.board.is_none() {
            // The board was made for this game.
            let _ = app.boards.remove(&id);
        }
        return Err(refusal);
    }
    app.tell_all(&Event::Lists);
    Ok(Opened { board: id, notices: Vec::new() })
}

fn with_books(app: &Arc<AppState>, verb: Verb) -> Result<String, Refusal> {
    match verb {
        Verb::BookList => say(app.books.list()?),
        Verb::BookOpen(args) => {
            let opened = app.books.open(&args.book)?;
            say(BookOpened { mining: app.minings.progress(&args.book), ..opened })
        }
        Verb::BookShow(args) => {
            let document = document_at(app, &args.board, args.node)?;
            say(app.books.show(&args.book, &document, args.node)?)
        }
        Verb::BookEdit(args) => {
            let document = document_at(app, &args.board, args.node)?;
            say(app.books.edit(&args, &document, args.node)?)
        }
        Verb::BookSave(args) => say(app.books.save(&args.book)?),
        Verb::BookMinmax(args) => say(app.books.minmax(&args.book)?),
        Verb::BookMine(args) => {
            let document = document_at(app, &args.board, args.node)?;
            app.minings.start(app, &app.pool, &args, &document, args.node)?;
            done()
        }
        Verb::BookMineStop(args) => {
            app.minings.stop(&args.book);
            done()
        }
        Verb::BookClose(args) => {
            app.books.close(&args.book);
            done()
        }
        _ => Err(Refusal::new(RefusalCode::Message, "not about books")),
    }
}
