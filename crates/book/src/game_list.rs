//! A list of games, brought into an order in which games that begin alike follow each other.

use crate::error::LineFault;
use crate::game_lines::{GameLine, each_line_of, where_moves_begin};
use crate::game_walk::{Entering, GameWalk, Taking};
use crate::slips::{Boxes, boxes_for, window_of};
use crate::text_sort::{Key, TextSort, key_of};
use platform::workers::gather;
use std::hash::{DefaultHasher, Hasher};
use std::ops::Range;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

/// A line of a list.
#[derive(Clone, Copy)]
struct GameSlip {
    /// Where it is, where its moves begin in it, and how long it is.
    at: u64,
    moves: u32,
    length: u32,
    /// What it begins with: 0 for the start position, else a number that hardly any other beginning has.
    beginning: u32,
}

impl GameSlip {
    fn beginning<'t>(&self, list: &'t [u8]) -> &'t [u8] {
        &list[self.at as usize..][..self.moves as usize]
    }

    fn moves<'t>(&self, list: &'t [u8]) -> &'t [u8] {
        &list[self.at as usize..][self.moves as usize..self.length as usize]
    }
}

/// The games of a list in boxes, in each of them those that begin alike.
pub(crate) struct GameList<'t> {
    list: &'t [u8],
    boxes: Boxes,
    /// Those of each thread.
    filled: Vec<Vec<Vec<GameSlip>>>,
    /// Where something is wrong first.
    pub(crate) fault: Option<(usize, LineFault)>,
}

/// A word that is no move: where its line is, the line, and the word.
pub(crate) struct Complaint {
    pub(crate) at: usize,
    pub(crate) line: String,
    pub(crate) word: String,
}

/// About the bytes of a move in a list.
const BYTES_A_MOVE: usize = 6;
/// Smaller pieces of a list are not worth a thread.
const LEAST_PIECE: usize = 1 << 16;
const PIECES_A_THREAD: usize = 8;
/// From so many lines a list is judged at most.
const MOST_SAMPLED: usize = 512;
/// Boxes of games for each thread, so that none has to wait long for another.
const BOXES_A_THREAD: usize = 16;

impl<'t> GameList<'t> {
    /// Finds the games of a list.
    pub(crate) fn new(list: &'t [u8], threads: usize) -> Self {
        let mut sample = Vec::new();
        for line in sampled_lines(list) {
            // What is wrong with it will be told later.
            each_line_of(list, line, |_, line| {
                sample.push(window_of(&line.as_bytes()[where_moves_begin(line).0..], 0));
                Ok(())
            })
            .ok();
        }
        let boxes = Boxes::new(sample, BOXES_A_THREAD * threads);
        let pieces = cut_lines(list, (list.len() / (PIECES_A_THREAD * threads)).max(LEAST_PIECE));
        let found = gather(
            &pieces,
            threads,
            || (vec![Vec::new(); boxes.count()], None::<(usize, LineFault)>),
            |(filled, fault), _, piece| {
                let found = find_games(list, piece.clone(), &boxes, filled);
                *fault = fault.take().into_iter().chain(found.err()).min_by_key(|(at, _)| *at);
            },
        );
        let (filled, faults): (Vec<_>, Vec<_>) = found.into_iter().unzip();
        let fault = faults.into_iter().flatten().min_by_key(|(at, _)| *at);
        Self { list, boxes, filled, fault }
    }

    /// How many games there are.
    pub(crate) fn count(&self) -> u64 {
        self.filled.iter().flatten().map(|games| games.len() as u64).sum()
    }

    /// Boxes that the positions of these games would fill alike, as some of them tell.
    pub(crate) fn boxes_for_positions(&self, taking: Taking) -> Boxes {
        let single = Boxes::new(Vec::new(), 1);
        let entering = Entering { taking, boxes: &single };
        let mut walk = GameWalk::new(1);
        for line in sampled_lines(self.list) {
            each_line_of(self.list, line, |_, line| {
                let game = GameLine::parse(line, taking.most.saturating_add(1))?;
                walk.begin(&game.start, entering);
                walk.enter_moves(&game.moves, 0, entering);
                Ok(())
            })
            .ok();
        }
        walk.go_back(0, entering);
        Boxes::new(walk.filled.windows(), boxes_for(self.list.len() / BYTES_A_MOVE))
    }

    /// Enters all games, on as many threads as there are walks. `time` is when the list begins.
    pub(crate) fn enter(&self, walks: &mut [GameWalk], time: u64, entering: Entering<'_>) -> Vec<Complaint> {
        let next = AtomicUsize::new(0);
        let complaints = Mutex::new(Vec::new());
        let worker = |walk: &mut GameWalk| {
            let (mut own, mut keys) = (Vec::new(), Vec::new());
            loop {
                let number = next.fetch_add(1, Ordering::Relaxed);
                if number >= self.boxes.count() {
                    break;
                }
                self.enter_box(number, walk, time, entering, &mut keys, &mut own);
            }
            complaints.lock().unwrap_or_else(PoisonError::into_inner).append(&mut own);
        };
        if let Some((first, others)) = walks.split_first_mut() {
            std::thread::scope(|scope| {
                for walk in others {
                    scope.spawn(|| worker(walk));
                }
                worker(first);
            });
        }
        let mut complaints = complaints.into_inner().unwrap_or_else(PoisonError::into_inner);
        complaints.sort_unstable_by_key(|complaint| complaint.at);
        complaints
    }

    fn enter_box(
        &self,
        number: usize,
        walk: &mut GameWalk,
        time: u64,
        entering: Entering<'_>,
        keys: &mut Vec<Key>,
        complaints: &mut Vec<Complaint>,
    ) {
        let games: Vec<GameSlip> = self.filled.iter().flat_map(|boxes| &boxes[number]).copied().collect();
        // What begins alike first, then by the moves. Whether they are really in order does not matter much.
        let key = |(game, i): (&GameSlip, u32)| {
            let text = key_of(game.moves(self.list), 0, 0) >> BEGINNING_BITS & !u128::from(u32::MAX);
            u128::from(game.beginning) >> (32 - BEGINNING_BITS) << (128 - BEGINNING_BITS)
                | text
                | u128::from(i)
        };
        keys.clear();
        keys.extend(games.iter().zip(0u32..).map(key));
        keys.sort_unstable();
        TextSort::new(|i| games[i as usize].moves(self.list)).refine(keys, TEXT_BYTES);
        let (mut beginning, mut before) = (None, &[][..]);
        for game in keys.iter().map(|key| games[*key as u32 as usize]) {
            let begins = Some(if game.beginning == 0 { &[] } else { game.beginning(self.list) });
            if beginning != begins {
                // It was looked at when it was found.
                let Ok(GameLine { start, .. }) = GameLine::parse(self.line(game), 0) else { continue };
                walk.begin(&start, entering);
                (beginning, before) = (begins, &[]);
            }
            let moves = game.moves(self.list);
            let common = common(std::mem::replace(&mut before, moves), moves);
            if let Some(word) = walk.enter_text(moves, common, time + game.at, entering) {
                let word = String::from_utf8_lossy(word).chars().take(40).collect();
                complaints.push(Complaint { at: game.at as usize, line: self.line(game).to_owned(), word });
            }
        }
        walk.go_back(0, entering);
    }

    fn line(&self, game: GameSlip) -> &'t str {
        std::str::from_utf8(&self.list[game.at as usize..][..game.length as usize]).unwrap_or_default()
    }
}

/// Bits of a key that tell how a game begins, and bytes of its moves behind them.
const BEGINNING_BITS: u32 = 16;
const TEXT_BYTES: usize = 10;

/// How many bytes two texts have in common.
fn common(a: &[u8], b: &[u8]) -> usize {
    let words = a.as_chunks::<8>().0.iter().zip(b.as_chunks::<8>().0);
    let same = words.take_while(|(a, b)| a == b).count() * 8;
    same + a[same..].iter().zip(&b[same..]).take_while(|(a, b)| a == b).count()
}

/// Puts the games of a piece into boxes.
fn find_games(
    list: &[u8],
    piece: Range<usize>,
    boxes: &Boxes,
    filled: &mut [Vec<GameSlip>],
) -> Result<(), (usize, LineFault)> {
    let mut last = "";
    each_line_of(list, piece, |at, line| {
        let (moves, at_start) = where_moves_begin(line);
        let mut beginning = 0;
        if !at_start {
            let mut hasher = DefaultHasher::new();
            hasher.write(&line.as_bytes()[..moves]);
            beginning = hasher.finish() as u32 | 1 << 31;
            if last != &line[..moves] {
                GameLine::parse(line, 0)?;
                last = &line[..moves];
            }
        }
        let window = window_of(&line.as_bytes()[moves..], 0);
        let slip = GameSlip { at: at as u64, moves: moves as u32, length: line.len() as u32, beginning };
        filled[boxes.number_of(window)].push(slip);
        Ok(())
    })
}

/// Some lines from all over a list.
fn sampled_lines(list: &[u8]) -> impl Iterator<Item = Range<usize>> {
    let boxes = boxes_for(list.len() / BYTES_A_MOVE).min(MOST_SAMPLED);
    cut_lines(list, list.len() / boxes + 1).into_iter().map(|piece| {
        let end = memchr::memchr(b'\n', &list[piece.clone()]).map_or(piece.end, |end| piece.start + end);
        piece.start..end
    })
}

/// Pieces of about `step` bytes that end with lines.
fn cut_lines(list: &[u8], step: usize) -> Vec<Range<usize>> {
    let mut pieces = Vec::new();
    let mut begin = 0;
    while begin < list.len() {
        let from = (begin + step).min(list.len());
        let end = memchr::memchr(b'\n', &list[from..]).map_or(list.len(), |at| from + at + 1);
        pieces.push(begin..end);
        begin = end;
    }
    pieces
}
