//! Games of a variants.ini.

use super::record::{ReadRecord, WriteStep, WrittenText, from_record, to_record, unreadable};
use super::shown::{Shown, no_format};
use super::{faces, named_pieces, sfen};
use crate::protocol::{
    Cell, Choice, FormatName, GameName, GroupScene, Palette, PieceFace, Refusal, Scene, SetupScene, Side,
    StartName, StepFace, Words,
};
use fairy::betza::{Manner, Way};
use fairy::{FairyGame, Form, Kind, Move, Position};
use game::{Color, Game, Position as _};
use record::Format;
use record::encoding::{Encoding, decode, encode};
use record::variant::{KifGame, read, write_kif, write_usi};

/// KIF, lines of USI, positions.
pub(super) fn formats() -> Vec<FormatName> {
    [("kif", false, "kif"), ("usi", false, "usi"), ("sfen", true, "sfen"), ("svg", true, "svg")]
        .map(|(format, position, extension)| FormatName {
            format: format.to_owned(),
            position,
            extension: extension.to_owned(),
        })
        .into()
}

/// Names of games that players know by another one than the file's.
const NAMES: [(&str, &str, &str); 17] = [
    ("66shogi", "66将棋", "66shogi"),
    ("66shogi-free", "66将棋（自由配置）", "66shogi, free setup"),
    ("checkshogi", "王手将棋", "Check shogi"),
    ("shoshogi", "小将棋", "Sho shogi"),
    ("minishogi", "5五将棋", "Minishogi"),
    ("kyotoshogi", "京都将棋", "Kyoto shogi"),
    ("micro", "四五将棋", "Micro shogi"),
    ("dobutsu", "どうぶつしょうぎ", "Dobutsu shogi"),
    ("gorogoro", "ごろごろどうぶつしょうぎ", "Gorogoro"),
    ("gorogoroplus", "ごろごろ＋", "Gorogoro Plus"),
    ("judkins", "ジャドキンス将棋", "Judkins shogi"),
    ("torishogi", "禽将棋", "Tori shogi"),
    ("euroshogi", "ユーロ将棋", "EuroShogi"),
    ("yarishogi", "槍将棋", "Yari shogi"),
    ("okisakishogi", "お妃将棋", "Okisaki shogi"),
    ("cannonshogi", "大砲将棋", "Cannon shogi"),
    ("antiminishogi", "取らせ5五将棋", "Antiminishogi"),
];

fn key(form: Form) -> String {
    let letter = form.origin().letter(Color::Black);
    if form.is_promoted() { format!("+{letter}") } else { letter.to_string() }
}

fn kind_key(kind: Kind) -> String {
    kind.letter(Color::Black).to_string()
}

fn step(way: Way) -> StepFace {
    let purpose = match (way.quiet, way.captures) {
        (true, false) => "move",
        (false, true) => "capture",
        _ => "both",
    };
    let range = match way.manner {
        Manner::Leap | Manner::Lame | Manner::Grasshop => 1,
        Manner::Ride(most) | Manner::Hop(most) => most.map_or(0, u32::from),
    };
    StepFace { right: way.right.into(), forward: way.up.into(), range, purpose: purpose.to_owned() }
}

impl Shown for FairyGame {
    fn about(&self) -> GameName {
        let name = self.name();
        let known = NAMES.iter().find(|(known, ..)| *known == name);
        let rules = self.variant().rules();
        GameName {
            levels: super::level_names(game::Game::has_ranks(self)),
            game: name.to_owned(),
            name: known.map_or_else(|| Words::new(name, name), |(_, ja, en)| Words::new(*ja, *en)),
            files: rules.files,
            ranks: rules.ranks,
            starts: vec![StartName {
                name: Words::new("平手", "Even"), position: self.startpos().to_text()
            }],
            formats: formats(),
            tsume: false,
            books: false,
        }
    }

    fn palette(&self) -> Palette {
        let variant = self.variant();
        let kinds = variant.kinds_in_play();
        let plain = kinds.iter().map(|kind| Form::plain(*kind));
        let promoted = kinds
            .iter()
            .filter(|kind| variant.promotion_of(**kind).is_some())
            .map(|kind| Form::promoted(*kind));
        let face = |form: Form| {
            let kind = key(form);
            let named = named_pieces::of(self.name(), &kind);
            let glyph = named.as_ref().map(|(sign, _)| *sign).or_else(|| variant.kanji(form));
            let known = glyph.and_then(faces::of_kanji);
            let moves_as = variant.moves_as(form);
            let file_name = variant.name_of(moves_as).filter(|name| !name.starts_with("customPiece"));
            let english = file_name.unwrap_or_else(|| kind.clone());
            PieceFace {
                glyph: glyph.map(str::to_owned),
                glyph2: known.as_ref().map(|(two, _)| (*two).to_owned()),
                letter: kind.clone(),
                name: named.or(known).map_or_else(|| Words::new(kind.clone(), english), |(_, words)| words),
                promoted: form.is_promoted(),
                promotes_to: (!form.is_promoted() && variant.promotion_of(form.origin()).is_some())
                    .then(|| format!("+{kind}")),
                in_hand: variant.rules().captures_to_hand.then(|| kind_key(form.origin())),
                royal: variant.is_royal(moves_as),
                moves: variant.ways_of(moves_as).into_iter().map(step).collect(),
                kind,
            }
        };
        Palette { pieces: plain.chain(promoted).map(face).collect() }
    }

    /// As KIF writes it, with the square of origin or 打 only where another piece of the kind could go there.
    fn japanese(&self, position: &Position, m: Move) -> String {
        let text = position.kif_move(m);
        let kind = |m: Move| match m.from() {
            Some(from) => position.piece_at(from).map(fairy::Piece::form),
            None => m.dropped().map(Form::plain),
        };
        let rivals = position.legal_moves();
        let ambiguous = rivals
            .iter()
            .any(|other| other.to() == m.to() && other.from() != m.from() && kind(*other) == kind(m));
        let spoken = text.split('(').next().unwrap_or(&text).trim_end_matches('打');
        let spoken = if ambiguous { &text } else { spoken };
        let form = m
            .from()
            .map_or(m.dropped().map(Form::plain), |from| position.piece_at(from).map(fairy::Piece::form));
        match form.and_then(|form| Some((form, named_pieces::of(self.name(), &key(form))?))) {
            Some((form, (_, words))) => {
                let written = position.sign(form).unwrap_or_else(|| key(form));
                spoken.replacen(&written, &words.ja, 1)
            }
            None => spoken.to_owned(),
        }
    }

    fn checked(&self, position: &Position) -> Vec<String> {
        position.attacked_royals().iter().map(ToString::to_string).collect()
    }

    fn decorate(&self, position: &Position, scene: &mut Scene) {
        let variant = self.variant();
        if variant.counts_checks() {
            scene.checks = Some(position.checks_left().map(u32::from));
        }
        if !variant.has_setup() {
            return;
        }
        let sides = Color::ALL.map(|color| position.setup_progress(color));
        let locked = [0, 1]
            .map(|side: usize| -> Vec<String> { sides[side].locked.iter().copied().map(kind_key).collect() });
        for (side, hand) in scene.hands.iter_mut().enumerate() {
            for held in hand {
                held.locked = locked[side].contains(&held.kind);
            }
        }
        let start = self.startpos();
        let total = Color::ALL.map(|color| start.setup_pieces(color));
        let board = start.to_text();
        let before = sfen::cells(&board, scene.cells.len());
        let standing = |cells: &[Option<Cell>], side: Side| {
            cells.iter().flatten().filter(|cell| cell.side == side).count()
        };
        let placed = Side::ALL.map(|side| {
            let total = total[side.index()];
            let more = standing(&scene.cells, side).saturating_sub(standing(&before, side)) as u32;
            if sides[side.index()].placing { more.min(total) } else { total }
        });
        let groups = Side::ALL.into_iter().flat_map(|side| {
            sides[side.index()].groups.iter().map(move |group| GroupScene {
                side,
                kinds: group.options.iter().copied().map(kind_key).collect(),
                limit: group.limit.into(),
                chosen: group.chosen.iter().copied().map(kind_key).collect(),
                locks: group.locks_unused,
            })
        });
        scene.setup = Some(SetupScene {
            placing: [sides[0].placing, sides[1].placing],
            placed,
            total,
            groups: groups.collect(),
            locked,
        });
    }

    fn describe(&self, position: &Position, m: Move, choice: &mut Choice) {
        let mut after = position.clone();
        after.do_move(m);
        choice.becomes = after.piece_at(m.to()).map(|piece| key(piece.form()));
    }

    fn read_records(&self, bytes: &[u8], promised: Option<Format>) -> Result<Vec<ReadRecord>, Refusal> {
        variant_records(self, bytes, promised)
    }

    fn write_record(
        &self,
        start: &str,
        header: &[[String; 2]],
        steps: &[WriteStep<'_>],
        format: Format,
        encoding: Encoding,
    ) -> Result<WrittenText, Refusal> {
        write_variant(self, start, header, steps, format, encoding, |text| text.parse::<Move>().ok())
    }
}

/// All records of a game that is not shogi.
pub(super) fn variant_records<G: KifGame>(
    game: &G,
    bytes: &[u8],
    promised: Option<Format>,
) -> Result<Vec<ReadRecord>, Refusal> {
    let text = decode(bytes).text;
    let promised = promised.filter(|format| matches!(format, Format::Kif | Format::Usi));
    // A bare position is a line without moves.
    let position = text.trim();
    let loaded = match game.position(position) {
        Ok(_) if !position.is_empty() => read(game, &format!("sfen {position}"), Some(Format::Usi)),
        _ => read(game, &text, promised),
    };
    let loaded = loaded.map_err(unreadable)?;
    Ok(loaded
        .into_iter()
        .take(crate::MOST_GAMES)
        .map(|loaded| {
            let mut read = from_record(game.name(), loaded.record.start.to_text(), &loaded.record, |_| None);
            read.notices = loaded.faults.iter().map(ToString::to_string).collect();
            read
        })
        .collect())
}

/// A record of a game that is not shogi.
pub(super) fn write_variant<G: KifGame>(
    game: &G,
    start: &str,
    header: &[[String; 2]],
    steps: &[WriteStep<'_>],
    format: Format,
    encoding: Encoding,
    read_move: impl Fn(&str) -> Option<<G::Position as game::Position>::Move>,
) -> Result<WrittenText, Refusal> {
    let position = game.position(start).map_err(unreadable)?;
    let record = to_record(position, header, steps, read_move)?;
    let (text, losses) = match format {
        Format::Kif => (write_kif(game, &record), Vec::new()),
        Format::Usi => {
            let branches = record.tree.leaves().saturating_sub(1);
            let lost = (branches > 0).then(|| format!("{branches} branches: the format has one line only"));
            (write_usi(game, &record) + "\n", lost.into_iter().collect())
        }
        format => return Err(no_format(format, game.name())),
    };
    Ok(WrittenText { bytes: encode(text, encoding).bytes, losses })
}
