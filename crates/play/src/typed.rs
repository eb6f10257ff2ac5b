//! Moves as people type them: 76歩, ７六歩, 7g7f, 同歩, 22角成, 55角打.

use game::{MoveTextError, Position};
use record::notation::{MoveOf, Readable};

/// What was typed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Typed<M> {
    /// A legal move.
    Move(M),
    /// Words that fit more than one legal move.
    Several(Vec<M>),
    /// A move that the rules forbid, and why where the game says so.
    Illegal(Option<String>),
    /// No move at all.
    NotAMove,
}

/// Kanji of numbers, from one.
const NUMBERS: [char; 10] = ['一', '二', '三', '四', '五', '六', '七', '八', '九', '十'];
/// Names that are written in more than one way; a promoted piece must not look like a promotion.
const NAMES: [(&str, &str); 6] =
    [("成香", "杏"), ("成桂", "圭"), ("成銀", "全"), ("竜", "龍"), ("王", "玉"), ("不成", "不")];

/// The words of a move without what may be left out: marks, blanks, wide digits.
fn plain(text: &str) -> String {
    let mut words = String::new();
    for c in text.chars() {
        let wide = (c as u32).checked_sub('０' as u32).filter(|digit| *digit < 10);
        match (wide, NUMBERS.iter().position(|number| *number == c)) {
            (Some(digit), _) => words += &digit.to_string(),
            (_, Some(number)) => words += &(number + 1).to_string(),
            _ if "▲△☗☖▼▽ \u{3000}".contains(c) => {}
            _ => words.push(c),
        }
    }
    NAMES.iter().fold(words, |words, (name, other)| words.replace(name, other))
}

/// Without the square that the piece comes from, and without 打.
fn short(words: &str) -> String {
    let text = match words.split_once('(').and_then(|(before, rest)| Some((before, rest.split_once(')')?.1)))
    {
        Some((before, after)) => format!("{before}{after}"),
        None => words.to_owned(),
    };
    text.replace('打', "")
}

/// How well typed words fit a move; smaller is better.
fn fit<G: Readable>(position: &G::Position, m: MoveOf<G>, typed: &str) -> Option<u8> {
    let full = plain(&G::move_text(position, m));
    let mut forms = vec![full];
    if let Some(rest) = forms[0].strip_prefix('同') {
        // The square may be named all the same.
        let diagram = G::diagram(position);
        let square = G::touched(position, m).last().copied().unwrap_or_default();
        let files = diagram.files.len().max(1);
        let rank = (square / files + 1).to_string();
        forms.push(diagram.files.get(square % files).cloned().unwrap_or_default() + &rank + rest);
    }
    let refuses = typed.ends_with('不');
    let typed = typed.trim_end_matches('不');
    forms
        .iter()
        .filter_map(|form| {
            let unpromoted = |form: &str| form.strip_suffix('成').map(str::to_owned);
            if form == typed {
                Some(0)
            } else if short(form) == short(typed)
                && (typed.contains('(') <= form.contains('('))
                && !typed.contains('(')
            {
                Some(u8::from(typed.contains('打') != form.contains('打')))
            } else if !refuses
                && !typed.contains('(')
                && unpromoted(&short(form)).is_some_and(|form| form == short(typed))
            {
                // 22角 may mean 22角成: that must be asked.
                Some(1)
            } else {
                None
            }
        })
        .min()
}

/// Whether words begin with a square and go on with a Japanese piece, as moves do.
fn names_a_square(words: &str) -> bool {
    let rest = words.strip_prefix('同').or_else(|| {
        let digits = words.bytes().take_while(u8::is_ascii_digit).count();
        words.get(digits..).filter(|_| digits >= 2)
    });
    rest.and_then(|rest| rest.chars().next()).is_some_and(|piece| !piece.is_ascii())
}

/// Reads what was typed.
///
/// ```
/// use game::Game;
/// use play::{Typed, read_typed};
/// use shogi::Shogi;
/// let position = Shogi::default().startpos();
/// let expected = Typed::Move("7g7f".parse()?);
/// for text in ["7g7f", "76歩", "▲７六歩", "７六歩(77)"] {
///     assert_eq!(read_typed::<Shogi>(&position, text), expected);
/// }
/// # Ok::<(), shogi::ParseMoveError>(())
/// ```
pub fn read_typed<G: Readable>(position: &G::Position, text: &str) -> Typed<MoveOf<G>> {
    let text = text.trim();
    let usi = position.parse_move(text);
    if let Ok(m) = usi {
        return Typed::Move(m);
    }
    let words = plain(text);
    if !words.is_empty() {
        let legal = position.legal_moves();
        let fits: Vec<(u8, MoveOf<G>)> =
            legal.iter().filter_map(|m| Some((fit::<G>(position, *m, &words)?, *m))).collect();
        let best = fits.iter().map(|(fit, _)| *fit).min();
        // A promotion that was not named is asked about, however well the plain move fits.
        let named: Vec<MoveOf<G>> =
            if best == Some(0) && words.ends_with(['成', '不', ')']) || words.contains('打') {
                fits.iter().filter(|(fit, _)| Some(*fit) == best).map(|(_, m)| *m).collect()
            } else {
                fits.iter().map(|(_, m)| *m).collect()
            };
        match named[..] {
            [m] => return Typed::Move(m),
            [] => {}
            _ => {
                // 右, 左, 直 … tell apart what the square does not.
                let told = G::read_words(position, text)
                    .filter(|m| named.contains(m) && words.contains(['右', '左', '直', '上', '寄', '引']));
                return told.map_or(Typed::Several(named), Typed::Move);
            }
        }
    }
    if let Some(m) = G::read_words(position, text) {
        return if position.is_legal(m) {
            Typed::Move(m)
        } else {
            Typed::Illegal(position.why_illegal(&m.to_string()))
        };
    }
    match usi {
        Err(MoveTextError::Illegal(word)) => Typed::Illegal(position.why_illegal(&word)),
        _ if names_a_square(&words) => Typed::Illegal(None),
        _ => Typed::NotAMove,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use game::Game;
    use shogi::Shogi;

    fn read(position: &str, text: &str) -> String {
        let position = Shogi::default().position_command(position).unwrap();
        match read_typed::<Shogi>(&position, text) {
            Typed::Move(m) => m.to_string(),
            Typed::Several(all) => all.iter().map(ToString::to_string).collect::<Vec<_>>().join(" "),
            Typed::Illegal(_) => "illegal".to_owned(),
            Typed::NotAMove => "none".to_owned(),
        }
    }

    #[test]
    fn what_people_type() {
        let open = "startpos moves 7g7f 3c3d";
        let drops = "sfen 4k4/9/9/9/9/4G4/9/9/4K4 b GB2P 1";
        for (position, text, m) in [
            ("startpos", "26歩", "2g2f"),
            ("startpos", "☗２六歩", "2g2f"),
            ("startpos", "2六歩", "2g2f"),
            ("startpos", "58金", "6i5h 4i5h"),
            ("startpos", "58金右", "4i5h"),
            ("startpos", "58金(49)", "4i5h"),
            ("startpos", "75歩", "illegal"),
            ("startpos", "7g7e", "illegal"),
            ("startpos", "hello", "none"),
            ("startpos", "", "none"),
            (open, "22角成", "8h2b+"),
            (open, "22角", "8h2b+ 8h2b"),
            (open, "22角不成", "8h2b"),
            ("startpos moves 7g7f 3c3d 8h2b+", "同銀", "3a2b"),
            ("startpos moves 7g7f 3c3d 8h2b+", "22銀", "3a2b"),
            (drops, "55角打", "B*5e"),
            (drops, "55角", "B*5e"),
            (drops, "55金打", "G*5e"),
            (drops, "24歩", "P*2d"),
        ] {
            let mut read: Vec<String> = read(position, text).split(' ').map(str::to_owned).collect();
            let mut expected: Vec<String> = m.split(' ').map(str::to_owned).collect();
            read.sort();
            expected.sort();
            assert_eq!(read, expected, "{text} in {position}");
        }
    }

    #[test]
    fn every_legal_move_of_every_game_can_be_typed() {
        fn check<G: Readable>(game: &G, plies: usize) {
            let mut position = game.startpos();
            for ply in 0..plies {
                let moves = position.legal_moves();
                for m in moves.iter() {
                    for text in [m.to_string(), G::move_text(&position, *m)] {
                        match read_typed::<G>(&position, &text) {
                            Typed::Move(read) => assert_eq!(read, *m, "{text}"),
                            Typed::Several(all) => assert!(all.contains(m), "{text}"),
                            other => panic!("{text} is {other:?} in {}", position.to_text()),
                        }
                    }
                }
                let Some(m) = moves.get(ply * 31 % moves.len().max(1)).copied() else { break };
                position.do_move(m);
            }
        }
        check(&Shogi::default(), 30);
        check(&freeze::Freeze::default().for_referee(), 3);
        check(&binarsi::Binarsi, 8);
        let library = fairy::Library::shipped();
        for name in ["minishogi", "66shogi", "kyotoshogi"] {
            if let Some(game) = library.game(name) {
                check(&game, 12);
            }
        }
    }
}
