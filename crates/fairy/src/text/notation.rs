//! Moves as Japanese records write them: ３四銀(35), 同　歩成(54), ２二角打.
//!
//! Pieces that shogi lacks are written with their letters; 返 marks a demotion.

use crate::board::kind::{Form, Kind, Piece};
use crate::board::moves::{Move, Turn};
use crate::board::square::Square;
use crate::position::{Position, hand_kinds};
use crate::text::picture;
use game::{Color, Position as _};
use std::fmt::Write;

const RANKS: [char; 10] = ['一', '二', '三', '四', '五', '六', '七', '八', '九', '十'];
const WIDE_ZERO: u32 = '０' as u32;

impl Position {
    /// A legal move as KIF writes it.
    ///
    /// ```
    /// use game::{Game, Position};
    /// let game = fairy::Library::shipped().game("minishogi").unwrap();
    /// let position = game.startpos();
    /// let text = position.kif_move(position.parse_move("3e3d").unwrap());
    /// assert_eq!(text, "３四銀(35)");
    /// assert_eq!(position.read_kif_move(&text).map(|(m, _)| m.to_string()), Some("3e3d".to_owned()));
    /// ```
    #[must_use]
    pub fn kif_move(&self, m: Move) -> String {
        let mut text = if self.last_move().is_some_and(|last| last.to() == m.to()) {
            "同　".to_owned()
        } else {
            square_name(m.to())
        };
        let form = match (m.from(), m.dropped()) {
            (Some(from), _) => self.piece_at(from).map(Piece::form),
            (None, kind) => kind.map(Form::plain),
        };
        text += &form.map(|form| self.name_in_move(form)).unwrap_or_default();
        text += match m.turn() {
            Turn::Stay => "",
            Turn::Promote => "成",
            Turn::Demote => "返",
        };
        let _ = match m.from().map(|from| (from.column() + 1, from.row() + 1)) {
            Some((file @ 1..=9, rank @ 1..=9)) => write!(text, "({file}{rank})"),
            Some((file, rank)) => write!(text, "({file}-{rank})"),
            None => text.write_char('打'),
        };
        text
    }

    /// Reads a move as [`Position::kif_move`] writes it; returns it with the rest of the text. `None` if it is
    /// malformed or illegal.
    #[must_use]
    pub fn read_kif_move<'a>(&self, text: &'a str) -> Option<(Move, &'a str)> {
        let (to, rest) = match text.strip_prefix('同') {
            Some(rest) => (self.last_move()?.to(), rest.trim_start()),
            None => read_square(text)?,
        };
        let (form, rest) = self.read_name(rest)?;
        let endings = [("不成", Turn::Stay), ("成", Turn::Promote), ("返", Turn::Demote)];
        let turned = endings.iter().find_map(|(word, turn)| Some((*turn, rest.strip_prefix(word)?)));
        let (turn, rest) = turned.unwrap_or((Turn::Stay, rest));
        let (m, rest) = if let Some(rest) = rest.strip_prefix('打') {
            (Move::drop(form.origin(), to, turn), rest)
        } else {
            let (origin, rest) = rest.strip_prefix('(')?.split_once(')')?;
            (Move::board(read_origin(origin)?, to, turn), rest)
        };
        self.is_legal(m).then_some((m, rest))
    }

    /// The kanji of a piece that exists in shogi.
    #[must_use]
    pub fn sign(&self, form: Form) -> Option<String> {
        picture::kanji(self.variant(), form).map(str::to_owned)
    }

    /// The pieces that a player has in hand, with their numbers, in the order of SFEN.
    #[must_use]
    pub fn held(&self, color: Color) -> Vec<(Kind, u8)> {
        let kinds = hand_kinds(self.variant()).into_iter();
        kinds.map(|kind| (kind, self.in_hand(color, kind))).filter(|(_, count)| *count > 0).collect()
    }

    fn name_in_move(&self, form: Form) -> String {
        match picture::kanji(self.variant(), form) {
            Some("杏") => "成香".to_owned(),
            Some("圭") => "成桂".to_owned(),
            Some("全") => "成銀".to_owned(),
            Some(kanji) => kanji.to_owned(),
            None if form.is_promoted() => format!("+{}", form.origin().letter(Color::Black)),
            None => form.origin().letter(Color::Black).to_string(),
        }
    }

    /// The longest name of a piece at the beginning of a text.
    fn read_name<'a>(&self, text: &'a str) -> Option<(Form, &'a str)> {
        let kinds: Vec<Kind> = hand_kinds(self.variant());
        let forms = kinds.iter().flat_map(|kind| [Form::plain(*kind), Form::promoted(*kind)]);
        let names = forms.map(|form| (form, self.name_in_move(form)));
        let (form, name) = names.filter(|(_, name)| text.starts_with(name)).max_by_key(|(form, name)| {
            // If two kinds have the same name, a drop means the unpromoted one that is in hand.
            let held = self.in_hand(self.side(), form.origin()) > 0;
            (name.len(), !form.is_promoted(), held)
        })?;
        Some((form, &text[name.len()..]))
    }
}

/// ３四, １０十
fn square_name(square: Square) -> String {
    let wide = |c: char| char::from_u32(WIDE_ZERO + u32::from(c) - u32::from('0')).unwrap_or(c);
    let file = (square.column() + 1).to_string().chars().map(wide).collect::<String>();
    format!("{file}{}", RANKS[usize::from(square.row())])
}

fn read_square(text: &str) -> Option<(Square, &str)> {
    let digit = |c: char| c.to_digit(10).or_else(|| (c as u32).checked_sub(WIDE_ZERO).filter(|d| *d < 10));
    let end = text.find(|c: char| digit(c).is_none())?;
    let file = text[..end]
        .chars()
        .filter_map(digit)
        .try_fold(0, |n: u8, d| n.checked_mul(10)?.checked_add(d as u8))?;
    let rank = text[end..].chars().next()?;
    let row = RANKS.iter().position(|c| *c == rank)?;
    Some((Square::at(file.checked_sub(1)?, row as u8)?, &text[end + rank.len_utf8()..]))
}

/// `77`, `10-7`
fn read_origin(text: &str) -> Option<Square> {
    let (file, rank) = match text.split_once('-') {
        Some(parts) => parts,
        None if text.len() == 2 && text.is_ascii() => text.split_at(1),
        None => return None,
    };
    let number = |text: &str| text.parse::<u8>().ok()?.checked_sub(1);
    Square::at(number(file)?, number(rank)?)
}

#[cfg(test)]
mod tests {
    use crate::Library;
    use game::{Game, Position};

    #[test]
    fn every_move_reads_back() {
        let library = Library::shipped();
        for name in library.names() {
            let Some(game) = library.game(name) else { continue };
            let mut position = game.startpos();
            for ply in 0..60 {
                let moves = position.legal_moves();
                for m in moves.iter() {
                    let text = position.kif_move(*m);
                    let line = format!("{text} ( 0:01/)");
                    let read = position.read_kif_move(&line);
                    assert_eq!(
                        read,
                        Some((*m, " ( 0:01/)")),
                        "{name}: {text} for {m} in {}",
                        position.to_text()
                    );
                }
                let Some(m) = moves.get((ply * 31) % moves.len().max(1)) else { break };
                position.do_move(*m);
            }
        }
    }

    #[test]
    fn what_is_no_move_here() {
        let position = Library::shipped().game("minishogi").unwrap().startpos();
        for text in [
            "",
            "同　銀(35)",
            "３四",
            "３四銀",
            "３四銀打",
            "９九銀(35)",
            "３四銀(3)",
            "３三銀(35)",
            "３四銀(３５)",
            "１0十一",
        ] {
            assert_eq!(position.read_kif_move(text), None, "{text}");
        }
    }
}
