//! Splits files with many games, with one game in memory at a time.

use crate::format::csa::is_summary;
use crate::format::kif;
use crate::format::read::read_text;
use crate::text::encoding::decode;
use crate::text::lines::byte_lines;
use crate::{Format, Loaded, ReadError, ReadOptions, detect, read};
use std::io::{self, BufRead};

/// Splits a stream of bytes into the bytes of single games.
///
/// CSA files separate games by a line `/`; logs of CSA servers start each with its summary; USI and USEN have one per
/// line; JKF may have one object after another, or an array of them; in KIF and KI2 a header starts a new game. Only
/// the current game is in memory.
///
/// ```
/// use record::{Games, ReadOptions};
/// let text = "startpos moves 7g7f\nstartpos moves 2g2f 8c8d\n";
/// let games: Vec<_> = Games::new(text.as_bytes(), ReadOptions::default())?.collect::<Result<_, _>>()?;
/// assert_eq!(games.len(), 2);
/// let second = record::read(&games[1], &ReadOptions::default())?;
/// assert_eq!(second.record.moves().count(), 2);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Games<R> {
    input: io::Chain<io::Cursor<Vec<u8>>, R>,
    cutter: Cutter,
    /// A line already read that belongs to the next game.
    held: Vec<u8>,
    given: bool,
}

/// Where games end.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Rule {
    /// Each line is a game.
    Line,
    /// At a line `/`, or after moves at a version line or a server's summary.
    Csa,
    /// At a line of a header after moves.
    Kakinoki,
    /// At a closing brace.
    Json,
    /// Everything is one game.
    Whole,
}

impl From<Option<Format>> for Rule {
    fn from(format: Option<Format>) -> Self {
        match format {
            Some(Format::Usi | Format::Usen) => Self::Line,
            Some(Format::Csa | Format::Csa3) => Self::Csa,
            Some(Format::Kif | Format::Ki2) => Self::Kakinoki,
            Some(Format::Jkf) => Self::Json,
            Some(Format::Bod) | None => Self::Whole,
        }
    }
}

/// Examines a game line by line to find the beginning of the next.
struct Cutter {
    rule: Rule,
    /// Whether the current game has moves (or a summary, which precedes them).
    moves_seen: bool,
}

/// Where a line separates two games.
#[derive(PartialEq, Eq)]
enum Cut {
    Nowhere,
    /// Before it: it is the first line of the next game.
    Before,
    /// It belongs to neither.
    Between,
}

impl Cutter {
    fn look(&mut self, line: &[u8]) -> Cut {
        match (self.rule, self.moves_seen) {
            (Rule::Csa, _) if is_separator(line) => return Cut::Between,
            (Rule::Csa, true) if is_version(line) || is_summary(line) => return Cut::Before,
            (Rule::Csa, false) => self.moves_seen = is_csa_move(line) || is_summary(line),
            (Rule::Kakinoki, true) if kif::begins_game(line) => return Cut::Before,
            (Rule::Kakinoki, false) => self.moves_seen = kif::is_move(line),
            _ => {}
        }
        Cut::Nowhere
    }
}

/// Reads every game of a file in memory. A file with a single game, the usual case, is read without being split.
///
/// ```
/// let text = "startpos moves 7g7f\nstartpos moves 2g2f 8c8d\n";
/// let games = record::read_all(text.as_bytes(), record::ReadOptions::default());
/// assert_eq!(games.map(|game| game.map_or(0, |game| game.record.moves().count())).collect::<Vec<_>>(), [1, 2]);
/// ```
pub fn read_all(bytes: &[u8], options: ReadOptions) -> impl Iterator<Item = Result<Loaded, ReadError>> {
    let only = read_only_game(bytes, options);
    // Reading from memory does not fail.
    let games = only.is_none().then(|| Games::new(bytes, options).into_iter().flatten().flatten());
    only.into_iter().chain(games.into_iter().flatten().map(move |game| read(&game, &options)))
}

/// Reads a file that contains exactly one game; `None` for all others.
fn read_only_game(bytes: &[u8], options: ReadOptions) -> Option<Result<Loaded, ReadError>> {
    if bytes.len() > PEEK || utf16(bytes).is_some() {
        return None;
    }
    let decoded = decode(bytes);
    let format = options.format.or_else(|| detect(&decoded.text, options.promised))?;
    let rest = &bytes[decoded.encoding.mark().len()..];
    is_one_game(rest, Rule::from(Some(format))).then(|| read_text(&decoded, format, options.illegal))
}

/// Whether a rule by lines would not split some bytes.
fn is_one_game(bytes: &[u8], rule: Rule) -> bool {
    let mut cutter = match rule {
        Rule::Csa | Rule::Kakinoki | Rule::Whole => Cutter { rule, moves_seen: false },
        Rule::Line | Rule::Json => return false,
    };
    byte_lines(bytes).all(|line| cutter.look(line) == Cut::Nowhere)
}

/// Number of bytes used for detecting the format.
const PEEK: usize = 1 << 16;

impl<R: BufRead> Games<R> {
    /// Detects the format from the beginning of the input.
    pub fn new(mut input: R, options: ReadOptions) -> io::Result<Self> {
        let mut head = Vec::new();
        while head.len() < PEEK {
            let buffer = input.fill_buf()?;
            if buffer.is_empty() {
                break;
            }
            let taken = buffer.len().min(PEEK - head.len());
            head.extend_from_slice(&buffer[..taken]);
            input.consume(taken);
        }
        let head = match utf16(&head) {
            None => head,
            // Other encodings are rare enough to be converted as a whole.
            Some(encoding) => {
                input.read_to_end(&mut head)?;
                encoding.decode(&head).0.into_owned().into_bytes()
            }
        };
        let decoded = decode(&head);
        let rule = options.format.or_else(|| detect(&decoded.text, options.promised)).into();
        let skip = decoded.encoding.mark().len() as u64;
        let mut head = io::Cursor::new(head);
        head.set_position(skip);
        Ok(Self {
            input: io::Read::chain(head, input),
            cutter: Cutter { rule, moves_seen: false },
            held: Vec::new(),
            given: false,
        })
    }

    fn line(&mut self) -> io::Result<Vec<u8>> {
        let mut line = Vec::new();
        self.input.read_until(b'\n', &mut line)?;
        Ok(line)
    }

    fn next_game(&mut self) -> io::Result<Option<Vec<u8>>> {
        match self.cutter.rule {
            Rule::Line => self.next_line(),
            Rule::Json => self.next_object(),
            Rule::Csa | Rule::Kakinoki | Rule::Whole => self.next_block(),
        }
    }

    fn next_line(&mut self) -> io::Result<Option<Vec<u8>>> {
        loop {
            let line = self.line()?;
            if line.is_empty() {
                return Ok(None);
            }
            if !line.trim_ascii().is_empty() && !line.starts_with(b"#") {
                return Ok(Some(line));
            }
        }
    }

    fn next_block(&mut self) -> io::Result<Option<Vec<u8>>> {
        let mut game = std::mem::take(&mut self.held);
        self.cutter.moves_seen = is_summary(&game);
        loop {
            let start = game.len();
            self.input.read_until(b'\n', &mut game)?;
            if game.len() == start {
                // An empty input counts as one (invalid) game, so that an error is reported.
                let any = !game.trim_ascii().is_empty() || !self.given;
                return Ok(any.then_some(game));
            }
            match self.cutter.look(&game[start..]) {
                Cut::Nowhere => {}
                Cut::Before => {
                    self.held = game.split_off(start);
                    return Ok(Some(game));
                }
                Cut::Between => {
                    game.truncate(start);
                    if !game.trim_ascii().is_empty() {
                        return Ok(Some(game));
                    }
                    game.clear();
                }
            }
        }
    }

    /// The next object at depth zero, or at depth one inside an array.
    fn next_object(&mut self) -> io::Result<Option<Vec<u8>>> {
        let mut object = Vec::new();
        let (mut depth, mut quoted, mut escaped) = (0usize, false, false);
        loop {
            let buffer = self.input.fill_buf()?;
            if buffer.is_empty() {
                return Ok((!object.is_empty() || !self.given).then_some(object));
            }
            let mut used = 0;
            let mut complete = false;
            for &byte in buffer {
                used += 1;
                if depth == 0 && byte != b'{' {
                    // Skips brackets, commas and blanks around objects; anything else is left to the reader.
                    if !b"[], \t\r\n".contains(&byte) {
                        object.push(byte);
                    }
                    continue;
                }
                object.push(byte);
                if quoted {
                    quoted = escaped || byte != b'"';
                    escaped = byte == b'\\' && !escaped;
                    continue;
                }
                match byte {
                    b'"' => quoted = true,
                    b'{' => depth += 1,
                    b'}' => depth -= 1,
                    _ => {}
                }
                if depth == 0 {
                    complete = true;
                    break;
                }
            }
            self.input.consume(used);
            if complete {
                return Ok(Some(object));
            }
        }
    }
}

impl<R: BufRead> Iterator for Games<R> {
    type Item = io::Result<Vec<u8>>;

    fn next(&mut self) -> Option<io::Result<Vec<u8>>> {
        let game = self.next_game().transpose();
        self.given = true;
        game
    }
}

fn utf16(head: &[u8]) -> Option<&'static encoding_rs::Encoding> {
    match head {
        [0xff, 0xfe, ..] => Some(encoding_rs::UTF_16LE),
        [0xfe, 0xff, ..] => Some(encoding_rs::UTF_16BE),
        _ => None,
    }
}

fn is_separator(line: &[u8]) -> bool {
    matches!(line, [b'/', rest @ ..] if rest.trim_ascii_end().is_empty())
}

fn is_version(line: &[u8]) -> bool {
    match line {
        [b'V', b'1'..=b'9', rest @ ..] => matches!(rest.trim_ascii_end(), [] | [b'.', ..]),
        _ => line.starts_with(b"'CSA encoding="),
    }
}

fn is_csa_move(line: &[u8]) -> bool {
    match line {
        [b'+' | b'-', rest @ ..] => rest.trim_ascii_end().len() >= 6,
        _ => line.starts_with(b"%"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::encoding::{Encoding, encode};

    fn count(bytes: &[u8]) -> usize {
        let games: Vec<_> = Games::new(bytes, ReadOptions::default()).unwrap().map(Result::unwrap).collect();
        for game in &games {
            let loaded = crate::read(game, &ReadOptions::default()).expect("a game");
            assert!(loaded.faults.is_empty() && loaded.record.moves().count() > 0);
        }
        games.len()
    }

    #[test]
    fn games_of_every_format() {
        let kif = "#KIF version=2.0\n先手：a\n手合割：平手\n手数----指手--\n*note\n   1 ７六歩(77)\n   2 投了\nまで1手で先手の勝ち\n\n変化：1手\n   1 ２六歩(27)\n";
        let ki2 = "先手：a\n手合割：平手\n\n▲７六歩 △３四歩\nまで2手で後手の勝ち\n";
        for (one, between) in [
            ("V2.2\nN+a\nPI\n+\n+7776FU\nT1\n%TORYO\n", "/\n"),
            ("V2.2\nPI\n+\n+7776FU\n$END_TIME:2020/01/01\n", ""),
            ("PI\n+\n+7776FU\n", "/\n"),
            (
                "< LOGIN:a OK\n< BEGIN Game_Summary\n< BEGIN Position\n< PI\n< +\n< END Position\n\
                 < END Game_Summary\n> +7776FU\n< +7776FU,T1\n< #CHUDAN\n",
                "> LOGOUT\n",
            ),
            ("position startpos moves 7g7f\n", "\n# comment\n"),
            ("~0.6y2.\n", ""),
            (
                "{\"header\":{\"a\":\"}\\\"{\"},\"moves\":[{},{\"move\":{\"from\":{\"x\":7,\"y\":7},\"to\":{\"x\":7,\"y\":6},\"piece\":\"FU\"}}]}",
                "\n",
            ),
            (kif, ""),
            (ki2, "\n"),
        ] {
            let many = [one, between].concat().repeat(3);
            assert_eq!(count(many.as_bytes()), 3, "{one}");
            let crlf = many.replace('\n', "\r\n");
            assert_eq!(count(&[b"\xef\xbb\xbf", crlf.as_bytes()].concat()), 3, "{one}");
            assert_eq!(count(&encode(&many, Encoding::ShiftJis).bytes), 3, "{one}");
        }
        let array = "[{\"moves\":[{},{\"move\":{\"from\":{\"x\":7,\"y\":7},\"to\":{\"x\":7,\"y\":6},\"piece\":\"FU\"}}]}\n]";
        assert_eq!(count(array.as_bytes()), 1);
        let wide: Vec<u8> = ki2.encode_utf16().flat_map(u16::to_le_bytes).collect();
        assert_eq!(count(&[b"\xff\xfe".as_slice(), &wide].concat()), 1);
    }

    /// Files read as a single game give the same result when they are split.
    #[test]
    fn only_games() {
        let kif = "先手：a\n   1 ７六歩(77)\n   2 投了\nまで1手で先手の勝ち\n";
        let csa = "V2.2\nPI\n+\n+7776FU\n%TORYO\n";
        for (text, is_one) in [
            (kif.to_owned(), true),
            (kif.repeat(2), false),
            (csa.to_owned(), true),
            (csa.repeat(2), false),
            (format!("{csa}/\n"), false),
            (format!("/\n{csa}"), false),
            ("先手：a\n▲７六歩\n".to_owned(), true),
            ("startpos moves 7g7f\n".to_owned(), false),
            (format!("{kif}*{}\n", "長".repeat(PEEK)), false),
            (String::new(), false),
            ("nothing".to_owned(), false),
        ] {
            for encoding in [Encoding::Utf8, Encoding::Utf8Bom, Encoding::ShiftJis] {
                let bytes = encode(&text, encoding).bytes;
                let options = ReadOptions::default();
                let only = read_only_game(&bytes, options);
                assert_eq!(only.is_some(), is_one, "{text}");
                let Some(only) = only else { continue };
                let games: Vec<_> = Games::new(bytes.as_slice(), options).unwrap().collect();
                let [Ok(game)] = games.as_slice() else { panic!("{text}") };
                let (only, cut) = (only.unwrap(), crate::read(game, &options).unwrap());
                assert_eq!((only.record, only.format), (cut.record, cut.format), "{text}");
            }
        }
    }

    #[test]
    fn nothing_is_one_bad_game() {
        for empty in ["", "\n\n"] {
            let games: Vec<_> = Games::new(empty.as_bytes(), ReadOptions::default()).unwrap().collect();
            assert_eq!(games.len(), 1);
        }
    }
}
