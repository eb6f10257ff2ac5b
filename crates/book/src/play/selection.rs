//! Selects a move from a book, with YaneuraOu's rules and messages.

use crate::grow::collection::Plies;
use crate::{BookMove, Library};
use platform::Random;
use shogi::{Color, Move, MoveList, MoveSet, Position, Promotions};

/// The book options; those for each side are indexed by colour.
#[derive(Clone, PartialEq, Eq, Debug)]
#[allow(clippy::struct_excessive_bools, reason = "each is an option of its own")]
pub struct SelectionRules {
    /// `USI_OwnBook`.
    pub own_book: bool,
    /// `NarrowBook`: leave out moves with less than a tenth of the total count.
    pub narrow: bool,
    /// `BookMoves`: the last move number for which the book is used.
    pub moves: u32,
    /// `BookIgnoreRate`, in percent.
    pub ignore_rate: u32,
    /// `BookEvalDiff`.
    pub eval_diff: [i32; 2],
    /// `BookEvalBlackLimit`, `BookEvalWhiteLimit`.
    pub eval_limit: [i32; 2],
    /// `BookDepthLimit`; 0 for none.
    pub depth_limit: [i32; 2],
    /// `ConsiderBookMoveCount`.
    pub consider_count: bool,
    /// `BookPvMoves`.
    pub pv_moves: usize,
    /// `IgnoreBookPly`.
    pub plies: Plies,
    /// `FlippedBook`.
    pub flipped: bool,
    /// Which optional promotions to leave out (`GenerateAllLegalMoves`).
    pub promotions: Promotions,
    /// The option names in messages: the second set has one for each colour.
    pub names: OptionNames,
}

/// The set of option names.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum OptionNames {
    /// `BookEvalDiff`, `BookDepthLimit`.
    #[default]
    First,
    /// `BookEvalBlackDiff`, `BookDepthWhiteLimit` and so on.
    Second,
}

impl OptionNames {
    const fn eval_diff(self, side: Color) -> &'static str {
        match (self, side) {
            (Self::First, _) => "BookEvalDiff",
            (Self::Second, Color::Black) => "BookEvalBlackDiff",
            (Self::Second, Color::White) => "BookEvalWhiteDiff",
        }
    }

    const fn depth_limit(self, side: Color) -> &'static str {
        match (self, side) {
            (Self::First, _) => "BookDepthLimit",
            (Self::Second, Color::Black) => "BookDepthBlackLimit",
            (Self::Second, Color::White) => "BookDepthWhiteLimit",
        }
    }
}

impl Default for SelectionRules {
    fn default() -> Self {
        Self {
            own_book: true,
            narrow: false,
            moves: 16,
            ignore_rate: 0,
            eval_diff: [30; 2],
            eval_limit: [0, -140],
            depth_limit: [0; 2],
            consider_count: false,
            pv_moves: 8,
            plies: Plies::Matter,
            flipped: true,
            promotions: Promotions::Sensible,
            names: OptionNames::First,
        }
    }
}

/// The selected move and the expected reply.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Choice {
    /// The move.
    pub best: Move,
    /// The reply.
    pub reply: Option<Move>,
}

/// A source of random numbers.
pub trait Lots {
    /// A number below `bound`, which is at least 1.
    fn below(&mut self, bound: u64) -> u64;
}

impl Lots for Random {
    fn below(&mut self, bound: u64) -> u64 {
        Self::below(self, bound as usize) as u64
    }
}

/// Selects moves from books.
pub struct Selector<'a, L> {
    /// The books.
    pub library: &'a Library,
    /// The rules.
    pub rules: &'a SelectionRules,
    /// The random numbers.
    pub lots: &'a mut L,
    /// Prints lines for the host.
    pub say: &'a mut dyn FnMut(&str),
}

impl<L: Lots> Selector<'_, L> {
    /// A move for the position, if the book has one that the rules allow; one of `only`, unless that is empty.
    pub fn choose(&mut self, position: &Position, only: &[Move]) -> Option<Choice> {
        let rules = self.rules;
        if !rules.own_book || !self.is_asked(position) {
            return None;
        }
        let mut position = position.clone();
        let mut moves = self.legal(&position, true);
        if moves.is_empty() {
            self.say_where_it_is(&position);
            return None;
        }
        self.show(&mut position, &moves);
        self.narrow(&mut moves);
        self.limit(&mut moves, position.side());
        if moves.is_empty() {
            return None;
        }
        let chosen = self.draw(&moves, rules.consider_count);
        let best = chosen.play.filter(|best| only.is_empty() || only.contains(best))?;
        let source = self.source(&position, best);
        position.do_move(best);
        let found = || self.legal_quietly(&position).first().and_then(|m| m.play);
        let reply = chosen.reply.or_else(found).filter(|reply| position.is_legal(*reply));
        position.undo_move();
        let pv = reply.map_or_else(|| best.to_string(), |reply| format!("{best} {reply}"));
        (self.say)(&format!(
            "info depth 0 multipv 1 score cp {} nodes 0 nps 0 hashfull 0 time 0 pv {pv}",
            chosen.value
        ));
        if let Some(source) = source {
            (self.say)(&format!("info string book move {best} from {source}"));
        }
        Some(Choice { best, reply })
    }

    /// Whether `BookIgnoreRate` and `BookMoves` allow using the book; if not, prints what is missed.
    fn is_asked(&mut self, position: &Position) -> bool {
        let rules = self.rules;
        let why = if u64::from(rules.ignore_rate) > self.lots.below(100) {
            format!(
                "BookIgnoreRate = {} : the book is not asked this time. BookIgnoreRate 0 would let it through.",
                rules.ignore_rate
            )
        } else if position.ply() > rules.moves {
            let ply = position.ply();
            format!(
                "BookMoves = {} : the book has move {ply}. BookMoves {ply} would let it through.",
                rules.moves
            )
        } else {
            return true;
        };
        if !self.legal_quietly(position).is_empty() {
            (self.say)(&format!("info string {why}"));
        }
        false
    }

    /// Prints which option would find a position that the book has in another form.
    fn say_where_it_is(&mut self, position: &Position) {
        let rules = self.rules;
        let has =
            |plies, flipped| self.library.find(position, plies, flipped).is_ok_and(|moves| !moves.is_empty());
        let (how, options) = if has(Plies::Ignored, rules.flipped) {
            ("after another number of moves", "IgnoreBookPly true")
        } else if has(rules.plies, true) {
            ("turned by 180 degrees", "FlippedBook true")
        } else if has(Plies::Ignored, true) {
            ("turned, after another number of moves", "IgnoreBookPly true and FlippedBook true")
        } else {
            return;
        };
        (self.say)(&format!("info string the book has this position {how}. {options} would let it through."));
    }

    fn legal_quietly(&self, position: &Position) -> Vec<BookMove> {
        let found = self.library.find(position, self.rules.plies, self.rules.flipped);
        let mut moves = found.unwrap_or_default();
        moves.retain(|m| m.play.is_some_and(|play| position.is_legal(play)));
        moves
    }

    /// The legal moves among those of the book.
    fn legal(&mut self, position: &Position, aloud: bool) -> Vec<BookMove> {
        let mut remarks = Vec::new();
        let found =
            self.library.find_with_remarks(position, self.rules.plies, self.rules.flipped, &mut |remark| {
                remarks.push(remark);
            });
        for remark in remarks.iter().filter(|_| aloud) {
            (self.say)(&format!("info string {remark}"));
        }
        let mut moves = match found {
            Ok(moves) => moves,
            Err(error) => {
                if aloud {
                    (self.say)(&format!("info string Error! : {error}"));
                }
                return Vec::new();
            }
        };
        let mut sensible = MoveList::new();
        position.generate(MoveSet::Legal, self.rules.promotions, &mut sensible);
        moves.retain(|m| {
            let legal = m.play.is_some_and(|play| position.is_legal(play));
            if !legal && aloud {
                let shown = m.play.map_or_else(|| "none".to_owned(), |play| play.to_string());
                let sfen = position.sfen();
                (self.say)(&format!(
                    "info string Error! : Illegal Move In Book DB : move = {shown} , sfen = {sfen}"
                ));
            }
            legal && m.play.is_some_and(|play| sensible.contains(&play))
        });
        moves
    }

    /// The book that a move comes from, where there are several.
    fn source(&self, position: &Position, play: Move) -> Option<String> {
        self.library.source(position, self.rules.plies, self.rules.flipped, play)
    }

    /// Prints one line for each move, before any are left out.
    fn show(&mut self, position: &mut Position, moves: &[BookMove]) {
        let total: u64 = moves.iter().map(|m| m.count).sum();
        for (number, m) in moves.iter().enumerate() {
            let Some(play) = m.play else { continue };
            let pv = self.line(position, *m, play);
            let source = self.source(position, play).map_or_else(String::new, |name| format!(" ({name})"));
            let share = if total == 0 {
                String::new()
            } else {
                format!(" ({:.2}%)", 100.0 * m.count as f64 / total as f64)
            };
            (self.say)(&format!(
                "info depth {} multipv {} score cp {} nodes 0 nps 0 hashfull 0 time 0 pv {pv}{share}{source}",
                m.depth,
                number + 1,
                m.value
            ));
        }
    }

    /// The move followed by the book's line.
    fn line(&mut self, position: &mut Position, first: BookMove, play: Move) -> String {
        let mut words = vec![play.to_string()];
        if self.rules.pv_moves >= 2 {
            let rest = if self.rules.pv_moves > 2 { self.continue_line(position, play) } else { Vec::new() };
            if rest.is_empty() {
                words.extend(first.reply.map(|reply| reply.to_string()));
            }
            words.extend(rest);
        }
        words.join(" ")
    }

    /// Continues with the best moves of the book until it ends, the line is long enough or a position repeats.
    fn continue_line(&mut self, position: &mut Position, first: Move) -> Vec<String> {
        let mut words = Vec::new();
        let mut played = 0;
        let mut next = first;
        while words.len() + 2 < self.rules.pv_moves.max(3) {
            if let Some(repetition) = position.repetition(usize::MAX) {
                words.push(repetition.to_string());
                break;
            }
            position.do_move(next);
            played += 1;
            let mut moves = self.legal(position, false);
            let Some(best_value) = moves.first().map(|m| m.value) else { break };
            moves.retain(|m| m.value >= best_value);
            let chosen = self.draw(&moves, true);
            let Some(play) = chosen.play else { break };
            words.push(play.to_string());
            next = play;
            if words.len() + 2 >= self.rules.pv_moves.max(3) {
                words.extend(chosen.reply.map(|reply| reply.to_string()));
            }
        }
        (0..played).for_each(|_| position.undo_move());
        words
    }

    fn narrow(&mut self, moves: &mut Vec<BookMove>) {
        if !self.rules.narrow {
            return;
        }
        let before = moves.len();
        let total = moves.iter().map(|m| m.count).sum::<u64>().max(1) as f64;
        moves.retain(|m| m.count as f64 / total >= 0.1);
        if moves.len() != before {
            (self.say)(&format!(
                "info string NarrowBook : {before} moves to {} moves. NarrowBook false would let all through.",
                moves.len()
            ));
        }
    }

    /// Applies the limits of depth and value, relative to the first move.
    fn limit(&mut self, moves: &mut Vec<BookMove>, side: Color) {
        let Some(first) = moves.first().copied() else { return };
        let rules = self.rules;
        let depth_limit = rules.depth_limit[side.index()];
        if depth_limit != 0 && first.depth < depth_limit {
            let name = rules.names.depth_limit(side);
            let depth = first.depth;
            (self.say)(&format!(
                "info string {name} = {depth_limit} : the book has depth {depth}. {name} {} would let it through.",
                depth.max(0)
            ));
            return moves.clear();
        }
        let (diff, limit) = (rules.eval_diff[side.index()], rules.eval_limit[side.index()]);
        let least = first.value.saturating_sub(diff).max(limit);
        let before = moves.len();
        let worst = moves.iter().map(|m| m.value).min().unwrap_or_default();
        moves.retain(|m| m.value >= least);
        if moves.len() != before {
            let limit_name = if side == Color::Black { "BookEvalBlackLimit" } else { "BookEvalWhiteLimit" };
            let diff_name = rules.names.eval_diff(side);
            let needed = first.value.saturating_sub(worst);
            let mut changes = Vec::new();
            if needed > diff {
                changes.push(format!("{diff_name} {needed}"));
            }
            if worst < limit {
                changes.push(format!("{limit_name} {worst}"));
            }
            (self.say)(&format!(
                "info string {diff_name} = {diff} , {limit_name} = {limit} , {before} moves to {} moves. {} would let \
                 all through.",
                moves.len(),
                changes.join(" and ")
            ));
        }
    }

    /// Draws one of the moves, with equal probability or by count.
    fn draw(&mut self, moves: &[BookMove], by_count: bool) -> BookMove {
        let mut chosen = moves[self.lots.below(moves.len() as u64) as usize];
        if by_count {
            let all_zero = moves.iter().all(|m| m.count == 0);
            let mut total = 0u64;
            for m in moves {
                let count = if all_zero { 1 } else { m.count };
                total = total.saturating_add(count);
                if total != 0 && self.lots.below(total) < count {
                    chosen = *m;
                }
            }
        }
        chosen
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Loading;
    use std::fs;

    /// Always draws the first.
    struct First;

    impl Lots for First {
        fn below(&mut self, _: u64) -> u64 {
            0
        }
    }

    fn ask(text: &str, rules: &SelectionRules, moves: &str) -> (Option<String>, Vec<String>) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.db");
        fs::write(&path, text).unwrap();
        let mut library = Library::default();
        library.add(&path, Loading::Memory).unwrap();
        let game = crate::GameLine::parse(moves, 999).unwrap();
        let mut position = game.start;
        game.moves.iter().for_each(|m| position.do_move(*m));
        let mut said = Vec::new();
        let mut say = |line: &str| said.push(line.to_owned());
        let mut selector = Selector { library: &library, rules, lots: &mut First, say: &mut say };
        let choice = selector.choose(&position, &[]);
        (choice.map(|choice| choice.best.to_string()), said)
    }

    const START: &str = "sfen lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1\n";

    #[test]
    fn the_lines_of_the_specification() {
        let text = format!(
            "{START}7g7f 3c3d 60 32 1\n2g2f none 40 32 1\n5g5f none 20 32 1\n1g1f none -5 32 1\n1a1b\n"
        );
        let (best, said) = ask(&text, &SelectionRules::default(), "startpos");
        assert_eq!(best.as_deref(), Some("7g7f"));
        let sfen = shogi::STARTPOS_SFEN;
        assert_eq!(
            said,
            [
                format!("info string Error! : Illegal Move In Book DB : move = 1a1b , sfen = {sfen}")
                    .as_str(),
                "info depth 32 multipv 1 score cp 60 nodes 0 nps 0 hashfull 0 time 0 pv 7g7f 3c3d (25.00%)",
                "info depth 32 multipv 2 score cp 40 nodes 0 nps 0 hashfull 0 time 0 pv 2g2f (25.00%)",
                "info depth 32 multipv 3 score cp 20 nodes 0 nps 0 hashfull 0 time 0 pv 5g5f (25.00%)",
                "info depth 32 multipv 4 score cp -5 nodes 0 nps 0 hashfull 0 time 0 pv 1g1f (25.00%)",
                "info string BookEvalDiff = 30 , BookEvalBlackLimit = 0 , 4 moves to 2 moves. BookEvalDiff 65 and \
                 BookEvalBlackLimit -5 would let all through.",
                "info depth 0 multipv 1 score cp 60 nodes 0 nps 0 hashfull 0 time 0 pv 7g7f 3c3d",
            ]
        );
    }

    #[test]
    fn what_is_refused() {
        let text = format!("{START}7g7f none 60 15 90\n2g2f none 60 15 9\n");
        let limited = SelectionRules { depth_limit: [16; 2], ..SelectionRules::default() };
        let (best, said) = ask(&text, &limited, "startpos");
        assert_eq!(best, None);
        assert_eq!(
            said[2],
            "info string BookDepthLimit = 16 : the book has depth 15. BookDepthLimit 15 would let it through."
        );
        let second = SelectionRules { names: OptionNames::Second, ..limited };
        assert!(ask(&text, &second, "startpos").1[2].starts_with("info string BookDepthBlackLimit = 16 : "));
        let narrow = SelectionRules { narrow: true, depth_limit: [0; 2], ..SelectionRules::default() };
        let (best, said) = ask(&text, &narrow, "startpos");
        assert_eq!(best.as_deref(), Some("7g7f"));
        assert_eq!(
            said[2],
            "info string NarrowBook : 2 moves to 1 moves. NarrowBook false would let all through."
        );
        let off = SelectionRules { own_book: false, ..narrow };
        assert_eq!(ask(&text, &off, "startpos"), (None, Vec::new()));
    }

    /// If an option excludes a book move, the printed line names a setting that would allow it, and that setting does.
    #[test]
    fn what_would_let_a_move_through() {
        let all = SelectionRules::default;
        let text = format!("{START}7g7f none -60 9 1\n");
        let late = text.replace(" b - 1\n", " b - 3\n");
        let turned = text.replace(" b - 1\n", " w - 1\n").replace("7g7f", "3c3d");
        let open = SelectionRules { eval_limit: [-60; 2], ..all() };
        for (text, narrow, said, wide) in [
            (
                &text,
                SelectionRules { depth_limit: [16; 2], ..open.clone() },
                "BookDepthLimit = 16 : the book has depth 9. BookDepthLimit 9 would let it through.",
                SelectionRules { depth_limit: [9; 2], ..open.clone() },
            ),
            (
                &text,
                all(),
                "BookEvalDiff = 30 , BookEvalBlackLimit = 0 , 1 moves to 0 moves. BookEvalBlackLimit -60 would let all \
                 through.",
                open.clone(),
            ),
            (
                &text,
                SelectionRules { moves: 0, ..open.clone() },
                "BookMoves = 0 : the book has move 1. BookMoves 1 would let it through.",
                SelectionRules { moves: 1, ..open.clone() },
            ),
            (
                &text,
                SelectionRules { ignore_rate: 100, ..open.clone() },
                "BookIgnoreRate = 100 : the book is not asked this time. BookIgnoreRate 0 would let it through.",
                open.clone(),
            ),
            (
                &late,
                open.clone(),
                "the book has this position after another number of moves. IgnoreBookPly true would let it through.",
                SelectionRules { plies: Plies::Ignored, ..open.clone() },
            ),
            (
                &turned,
                SelectionRules { flipped: false, ..open.clone() },
                "the book has this position turned by 180 degrees. FlippedBook true would let it through.",
                open.clone(),
            ),
        ] {
            let (best, lines) = ask(text, &narrow, "startpos");
            assert_eq!(best, None, "{said}");
            assert_eq!(lines.last().map(String::as_str), Some(&*format!("info string {said}")));
            assert_eq!(ask(text, &wide, "startpos").0.as_deref(), Some("7g7f"), "{said}");
        }
        let nothing = text.replace("LNSGKGSNL", "1NSGKGSNL");
        assert_eq!(
            ask(&nothing, &open, "startpos"),
            (None, Vec::new()),
            "a position that the book does not have"
        );
    }

    #[test]
    fn a_value_that_is_no_number_is_0_with_a_remark() {
        let text = format!("{START}7g7f none abc 32 1\n");
        let (best, said) = ask(&text, &SelectionRules::default(), "startpos");
        assert_eq!(best.as_deref(), Some("7g7f"));
        assert!(said[0].ends_with("a.db: expected a number, found `abc`: 0 is taken"), "{said:?}");
        assert!(said[1].contains("score cp 0 "), "{said:?}");
    }

    #[test]
    fn lines_end_with_a_repetition() {
        let mut text = String::new();
        let mut position = Position::startpos();
        for m in ["2h3h", "8b7b", "3h2h", "7b8b"] {
            let entry = crate::Entry::of(&position, Vec::new());
            text.extend(["sfen ", entry.place_str(), "\n", m, " none 0 32 1\n"]);
            position.do_move(m.parse().unwrap());
        }
        let rules = SelectionRules { plies: Plies::Ignored, ..SelectionRules::default() };
        let (_, said) = ask(&text, &rules, "startpos");
        assert!(said[0].ends_with("pv 2h3h 8b7b 3h2h 7b8b 2h3h rep_draw (100.00%)"), "{}", said[0]);
        let short = SelectionRules { pv_moves: 3, ..rules.clone() };
        assert!(ask(&text, &short, "startpos").1[0].ends_with("pv 2h3h 8b7b (100.00%)"));
        let one = SelectionRules { pv_moves: 1, ..rules };
        assert!(ask(&text, &one, "startpos").1[0].ends_with("pv 2h3h (100.00%)"));
    }
}
