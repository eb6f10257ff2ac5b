//! The keys of a section, and their effect on the rules.

use crate::board::square::{MOST_FILES, MOST_RANKS};
use crate::definition::betza;
use crate::definition::ini::{Entry, shown};
use crate::definition::piece::{PieceId, PieceSet};
use crate::definition::region::{Region, file_number};
use crate::definition::rules::{ByColor, ChoiceGroup, Defined, MOST_GROUPS, Rules, Verdict};

/// Why a value was refused: with the whole variant, or only a part of the line.
pub(crate) enum Fault {
    Error(String),
    Warning(String),
}

type Taken = Result<(), Fault>;

fn error<T>(text: impl Into<String>) -> Result<T, Fault> {
    Err(Fault::Error(text.into()))
}

/// The effect of a key.
enum Key {
    Flag(fn(&mut Rules) -> &mut bool),
    Number(fn(&mut Rules, u32), u32, u32),
    Result(fn(&mut Rules, Option<Verdict>) -> bool),
    Squares(fn(&mut Rules) -> [&mut Region; 2], Whose),
    Piece(fn(&mut Rules) -> Vec<&mut Option<PieceId>>, Whose),
    Special(fn(&mut Rules, &str) -> Taken),
    /// Ignored: for programs that draw boards, or states what is always true here.
    Ignored,
}

/// The players to whom a key applies.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Whose {
    Both,
    White,
    Black,
}

impl Whose {
    /// The indices of the players; the file's White is the first player.
    fn colors(self) -> &'static [usize] {
        match self {
            Self::Both => &[0, 1],
            Self::White => &[0],
            Self::Black => &[1],
        }
    }
}

const BYTE: u32 = u8::MAX as u32;

#[rustfmt::skip]
const KEYS: &[(&str, Key)] = &[
    ("maxRank", Key::Special(|rules, text| size(&mut rules.ranks, text, MOST_RANKS))),
    ("maxFile", Key::Special(|rules, text| size(&mut rules.files, text, MOST_FILES))),
    ("startFen", Key::Special(|rules, text| { text.clone_into(&mut rules.start); Ok(()) })),
    ("variantTemplate", Key::Ignored),
    ("pieceToCharTable", Key::Ignored),
    ("pocketSize", Key::Ignored),
    ("pieceValueMg", Key::Special(values)),
    ("pieceValueEg", Key::Ignored),
    ("soldierPromotionRank", Key::Number(|rules, n| rules.soldier_promotion_rank = n as u8, 1, MOST_RANKS as u32)),
    ("promotionRegionWhite", Key::Squares(|r| r.promotion_region.each_mut(), Whose::White)),
    ("promotionRegionBlack", Key::Squares(|r| r.promotion_region.each_mut(), Whose::Black)),
    ("promotedPieceType", Key::Special(promoted)),
    ("promotionLimit", Key::Special(promotion_limit)),
    ("mandatoryPiecePromotion", Key::Flag(|r| &mut r.mandatory_promotion)),
    ("piecePromotionOnCapture", Key::Flag(|r| &mut r.promotion_on_capture)),
    ("pieceDemotion", Key::Flag(|r| &mut r.demotion)),
    ("promotionPieceTypes", Key::Special(|_, text| chess_pawn("promotionPieceTypes", text == "-"))),
    ("mandatoryPawnPromotion", Key::Ignored),
    ("pieceDrops", Key::Flag(|r| &mut r.drops)),
    ("capturesToHand", Key::Flag(|r| &mut r.captures_to_hand)),
    ("dropLoop", Key::Flag(|r| &mut r.drop_loop)),
    ("dropPromoted", Key::Flag(|r| &mut r.drop_promoted)),
    ("dropRegion", Key::Squares(|r| r.drop_region.each_mut(), Whose::Both)),
    ("dropRegionWhite", Key::Squares(|r| r.drop_region.each_mut(), Whose::White)),
    ("dropRegionBlack", Key::Squares(|r| r.drop_region.each_mut(), Whose::Black)),
    ("dropNoDoubled", Key::Piece(|r| vec![&mut r.no_doubled], Whose::White)),
    ("dropNoDoubledCount", Key::Number(|rules, n| rules.no_doubled_count = n as u8, 1, BYTE)),
    ("dropChecks", Key::Flag(|r| &mut r.drop_checks)),
    ("immobilityIllegal", Key::Flag(|r| &mut r.immobility_illegal)),
    ("shogiPawnDropMateIllegal", Key::Flag(|r| &mut r.pawn_drop_mate_illegal)),
    ("firstRankPawnDrops", Key::Flag(|r| &mut r.first_rank_pawn_drops)),
    ("promotionZonePawnDrops", Key::Flag(|r| &mut r.promotion_zone_pawn_drops)),
    ("mustDrop", Key::Flag(|r| &mut r.must_drop)),
    ("mustDropType", Key::Piece(|r| vec![&mut r.must_drop_kind], Whose::White)),
    ("mustCapture", Key::Flag(|r| &mut r.must_capture)),
    ("checking", Key::Flag(|r| &mut r.checking)),
    ("flyingGeneral", Key::Flag(|r| &mut r.flying_general)),
    ("checkCounting", Key::Flag(|r| &mut r.check_counting)),
    ("checkmateValue", Key::Result(|rules, value| value.map(|value| rules.checkmate = value).is_some())),
    ("stalemateValue", Key::Result(|rules, value| value.map(|value| rules.stalemate = value).is_some())),
    ("extinctionValue", Key::Result(|rules, value| { rules.extinction.value = value; true })),
    ("extinctionPieceTypes", Key::Special(extinction)),
    ("extinctionPieceCount", Key::Number(|rules, n| rules.extinction.count = n as u8, 0, BYTE)),
    ("extinctionOpponentPieceCount", Key::Number(|rules, n| rules.extinction.opponent_count = n as u8, 0, BYTE)),
    ("extinctionPseudoRoyal", Key::Flag(|r| &mut r.extinction.pseudo_royal)),
    ("flagPiece", Key::Piece(|r| r.flag.piece.iter_mut().collect(), Whose::Both)),
    ("flagPieceWhite", Key::Piece(|r| r.flag.piece.iter_mut().collect(), Whose::White)),
    ("flagPieceBlack", Key::Piece(|r| r.flag.piece.iter_mut().collect(), Whose::Black)),
    ("flagRegion", Key::Squares(|r| r.flag.region.each_mut(), Whose::Both)),
    ("flagRegionWhite", Key::Squares(|r| r.flag.region.each_mut(), Whose::White)),
    ("flagRegionBlack", Key::Squares(|r| r.flag.region.each_mut(), Whose::Black)),
    ("flagPieceCount", Key::Number(|rules, n| rules.flag.count = n as u8, 1, BYTE)),
    ("flagPieceSafe", Key::Flag(|r| &mut r.flag.safe)),
    ("flagMove", Key::Flag(|r| &mut r.flag.grants_move)),
    ("nFoldRule", Key::Number(|rules, n| rules.n_fold = n as u8, 0, BYTE)),
    ("nFoldValue", Key::Result(|rules, value| value.map(|value| rules.n_fold_value = value).is_some())),
    ("nFoldValueAbsolute", Key::Flag(|r| &mut r.n_fold_absolute)),
    ("perpetualCheckIllegal", Key::Flag(|r| &mut r.perpetual_check_illegal)),
    ("moveRepetitionIllegal", Key::Flag(|r| &mut r.move_repetition_illegal)),
    ("nMoveRule", Key::Number(|rules, n| rules.n_move = n as u16, 0, 1000)),
    ("doubleStep", Key::Special(|_, text| chess_feature(text))),
    ("castling", Key::Special(|_, text| chess_feature(text))),
    ("castlingKingPiece", Key::Ignored),
    ("setupDrops", Key::Flag(|r| &mut r.setup.drops)),
    ("setupMustDrop", Key::Flag(|r| &mut r.setup.must_drop)),
    ("setupDropRegion", Key::Special(|rules, text| setup_region(rules, Whose::Both, text))),
    ("setupDropRegionWhite", Key::Special(|rules, text| setup_region(rules, Whose::White, text))),
    ("setupDropRegionBlack", Key::Special(|rules, text| setup_region(rules, Whose::Black, text))),
    ("setupDropPieceTypes", Key::Special(|rules, text| setup_kinds(rules, Whose::Both, text))),
    ("setupDropPieceTypesWhite", Key::Special(|rules, text| setup_kinds(rules, Whose::White, text))),
    ("setupDropPieceTypesBlack", Key::Special(|rules, text| setup_kinds(rules, Whose::Black, text))),
    ("pieceChoiceGroup", Key::Special(|rules, text| groups(rules, Whose::Both, text))),
    ("pieceChoiceGroupWhite", Key::Special(|rules, text| groups(rules, Whose::White, text))),
    ("pieceChoiceGroupBlack", Key::Special(|rules, text| groups(rules, Whose::Black, text))),
];

/// The order in which keys are applied, whatever their order in the file: sizes, pieces, common keys, keys of a colour.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Round {
    Size,
    Pieces,
    Common,
    OfOneColor,
    Unknown,
}

/// The round in which a key is applied.
pub(crate) fn round(key: &str) -> Round {
    match key {
        "maxRank" | "maxFile" => Round::Size,
        _ if PieceId::named(key).is_some() => Round::Pieces,
        _ if key.starts_with("mobilityRegion") || find(key).is_some() => {
            if key.ends_with("White") || key.ends_with("Black") { Round::OfOneColor } else { Round::Common }
        }
        _ => Round::Unknown,
    }
}

fn find(key: &str) -> Option<&'static Key> {
    KEYS.iter().find(|(name, _)| *name == key).map(|(_, key)| key)
}

/// Applies a line to the rules.
pub(crate) fn apply(rules: &mut Rules, entry: &Entry) -> Taken {
    let Entry { key, value, .. } = entry;
    let value = value.as_str();
    if let Some(piece) = PieceId::named(key) {
        return define(rules, piece, value);
    }
    if let Some(rest) = key.strip_prefix("mobilityRegion") {
        return mobility(rules, rest, value);
    }
    let Some(known) = find(key) else { return Err(Fault::Warning("unknown key; ignored".to_owned())) };
    match known {
        Key::Ignored => Ok(()),
        Key::Flag(flag) => {
            *flag(rules) = match value {
                "true" => true,
                "false" => false,
                _ => return error(format!("expected true or false, found `{}`", shown(value))),
            };
            Ok(())
        }
        Key::Number(set, min, max) => match value.parse::<u32>() {
            Ok(number) if (*min..=*max).contains(&number) => {
                set(rules, number);
                Ok(())
            }
            _ => error(format!("expected a whole number from {min} to {max}, found `{}`", shown(value))),
        },
        Key::Result(set) => {
            let verdict = match value {
                "win" => Some(Verdict::Win),
                "loss" => Some(Verdict::Loss),
                "draw" => Some(Verdict::Draw),
                "none" => None,
                _ => return error(format!("expected win, loss or draw, found `{}`", shown(value))),
            };
            if set(rules, verdict) { Ok(()) } else { error("expected win, loss or draw, found `none`") }
        }
        Key::Squares(region, whose) => {
            let parsed = region_on_board(rules, value)?;
            let regions = region(rules);
            for (color, target) in regions.into_iter().enumerate() {
                if whose.colors().contains(&color) {
                    *target = parsed;
                }
            }
            Ok(())
        }
        Key::Piece(target, whose) => {
            let piece = one_piece(rules, value)?;
            for (color, target) in target(rules).into_iter().enumerate() {
                if whose.colors().contains(&color) {
                    *target = piece;
                }
            }
            Ok(())
        }
        Key::Special(set) => set(rules, value),
    }
}

/// A number, or the letter of a file, which Fairy-Stockfish accepts, too.
fn size(target: &mut u8, text: &str, most: u8) -> Taken {
    let number = text.parse().ok().or_else(|| file_number(text).map(|file| file + 1));
    match number {
        Some(number) if (1..=most).contains(&number) => {
            *target = number;
            Ok(())
        }
        _ => error(format!("expected a number from 1 to {most}, found `{}`", shown(text))),
    }
}

/// `shogiPawn = p`, `customPiece1 = a:WF`, `king = k:N`, `gold = -`.
fn define(rules: &mut Rules, piece: PieceId, text: &str) -> Taken {
    if text == "-" {
        rules.pieces[piece.index()] = None;
        return Ok(());
    }
    let (letter, notation) = match text.split_once(':') {
        Some((letter, notation)) => (letter.trim(), Some(notation.trim())),
        None => (text, None),
    };
    let &[letter] = letter.as_bytes() else {
        return error(format!("expected a letter or `-`, found `{}`", shown(text)));
    };
    if !letter.is_ascii_alphabetic() {
        return error(format!("expected a letter or `-`, found `{}`", shown(text)));
    }
    let takes_notation = piece.betza().is_none() || piece == PieceId::KING;
    let notation = match (notation, piece.betza()) {
        (Some(notation), _) if takes_notation => notation,
        (None, None) => return error("expected `letter:moves` in Betza's notation, found only a letter"),
        (Some(_), Some(betza)) => {
            return error(format!("{} moves as {betza}; other moves need a customPiece", piece.name()));
        }
        (_, betza) => betza.unwrap_or_default(),
    };
    betza::parse(notation).map_err(|fault| Fault::Error(format!("`{}`: {fault}", shown(notation))))?;
    let letter = letter.to_ascii_lowercase() - b'a';
    for other in &mut rules.pieces {
        if other.as_ref().is_some_and(|defined| defined.letter == letter) {
            *other = None;
        }
    }
    rules.pieces[piece.index()] = Some(Defined { letter, betza: notation.to_owned() });
    Ok(())
}

/// `mobilityRegionWhiteKing`.
fn mobility(rules: &mut Rules, rest: &str, text: &str) -> Taken {
    let unknown = || Fault::Warning("unknown key; ignored".to_owned());
    let (color, name) = match (rest.strip_prefix("White"), rest.strip_prefix("Black")) {
        (Some(name), _) => (0, name),
        (_, Some(name)) => (1, name),
        _ => return Err(unknown()),
    };
    let mut letters = name.chars();
    let first = letters.next().ok_or_else(unknown)?;
    let piece =
        PieceId::named(&format!("{}{}", first.to_ascii_lowercase(), letters.as_str())).ok_or_else(unknown)?;
    // As in Fairy-Stockfish, an empty region means no restriction.
    let region = region_on_board(rules, text)?;
    rules.mobility[color][piece.index()] = (!region.is_none()).then_some(region);
    Ok(())
}

/// Parses a region, of which some part must be on the board.
fn region_on_board(rules: &Rules, text: &str) -> Result<Region, Fault> {
    let region = Region::parse(text).map_err(Fault::Error)?;
    if !region.is_none() && region.on_board(rules.files, rules.ranks).is_empty() {
        let (files, ranks) = (rules.files, rules.ranks);
        return error(format!("`{}` lies outside the board of {files} files and {ranks} ranks", shown(text)));
    }
    Ok(region)
}

fn piece_of(rules: &Rules, letter: char) -> Result<PieceId, Fault> {
    let number = u8::try_from(letter.to_ascii_lowercase()).ok().and_then(|l| l.checked_sub(b'a'));
    match number.and_then(|letter| rules.piece_of(letter)) {
        Some(piece) => Ok(piece),
        None => error(format!("no piece has the letter `{}`", letter.escape_debug())),
    }
}

fn one_piece(rules: &Rules, text: &str) -> Result<Option<PieceId>, Fault> {
    let mut letters = text.chars();
    match (letters.next(), letters.next()) {
        (Some('-' | '*'), None) => Ok(None),
        (Some(letter), None) => piece_of(rules, letter).map(Some),
        _ => error(format!("expected the letter of one piece or `-`, found `{}`", shown(text))),
    }
}

/// Parses letters, with or without blanks; `*` is all, `-` none.
fn piece_set(rules: &Rules, text: &str) -> Result<PieceSet, Fault> {
    let mut set = PieceSet::default();
    for letter in text.chars().filter(|letter| !letter.is_whitespace()) {
        match letter {
            '-' => break,
            '*' => PieceId::all()
                .filter(|piece| rules.letter(*piece).is_some())
                .for_each(|piece| set.insert(piece)),
            _ => set.insert(piece_of(rules, letter)?),
        }
    }
    Ok(set)
}

/// Parses `p:g s:g`: before the colon a piece; `read` parses what follows it.
fn pairs(rules: &mut Rules, text: &str, mut read: impl FnMut(&mut Rules, PieceId, &str) -> Taken) -> Taken {
    for word in text.split_whitespace().take_while(|word| *word != "-") {
        let Some((letter, value)) = word.split_once(':') else {
            return error(format!("expected `piece:value`, found `{}`", shown(word)));
        };
        let Some(piece) = one_piece(rules, letter)? else {
            return error("expected the letter of a piece before `:`");
        };
        read(rules, piece, value)?;
    }
    Ok(())
}

fn promoted(rules: &mut Rules, text: &str) -> Taken {
    pairs(rules, text, |rules, piece, to| {
        let to = one_piece(rules, to)?;
        if piece == PieceId::KING || to == Some(PieceId::KING) {
            return error("a king neither promotes nor is promoted to");
        }
        rules.promoted[piece.index()] = to;
        Ok(())
    })
}

fn promotion_limit(rules: &mut Rules, text: &str) -> Taken {
    pairs(rules, text, |rules, piece, limit| match limit.parse() {
        Ok(limit) => {
            rules.promotion_limit[piece.index()] = limit;
            Ok(())
        }
        Err(_) => error(format!("expected a number, found `{}`", shown(limit))),
    })
}

fn values(rules: &mut Rules, text: &str) -> Taken {
    pairs(rules, text, |rules, piece, value| match value.parse::<i32>() {
        Ok(value) if (0..=10_000).contains(&value) => {
            rules.values[piece.index()] = Some(value);
            Ok(())
        }
        _ => error(format!("expected a value from 0 to 10000, found `{}`", shown(value))),
    })
}

fn extinction(rules: &mut Rules, text: &str) -> Taken {
    rules.extinction.all_pieces = text.contains('*');
    rules.extinction.kinds = piece_set(rules, &text.replace('*', ""))?;
    Ok(())
}

fn chess_pawn(key: &str, is_nothing: bool) -> Taken {
    if is_nothing {
        Ok(())
    } else {
        Err(Fault::Warning(format!("{key} of chess pawns is not supported; ignored")))
    }
}

fn chess_feature(text: &str) -> Taken {
    match text {
        "false" => Ok(()),
        "true" => Err(Fault::Warning("a feature of chess that is not supported; ignored".to_owned())),
        _ => error(format!("expected true or false, found `{}`", shown(text))),
    }
}

fn for_colors<T: Clone>(target: &mut ByColor<T>, whose: Whose, value: &T) {
    for color in whose.colors() {
        target[*color] = value.clone();
    }
}

fn setup_region(rules: &mut Rules, whose: Whose, text: &str) -> Taken {
    let region = Some(region_on_board(rules, text)?);
    for_colors(&mut rules.setup.region, whose, &region);
    Ok(())
}

fn setup_kinds(rules: &mut Rules, whose: Whose, text: &str) -> Taken {
    let kinds = piece_set(rules, text)?;
    for_colors(&mut rules.setup.kinds, whose, &kinds);
    Ok(())
}

/// Parses `options=rb limit=1 required=true; options=gs limit=1`. A malformed group is skipped.
fn groups(rules: &mut Rules, whose: Whose, text: &str) -> Taken {
    let mut groups = Vec::new();
    let mut faults = Vec::new();
    for part in text.split(';').filter(|part| !matches!(part.trim(), "" | "-")) {
        match group(rules, part, &mut faults) {
            Ok(_) if groups.len() == MOST_GROUPS => {
                faults.push(format!("more than {MOST_GROUPS} groups; `{}` is dropped", shown(part.trim())));
            }
            Ok(group) => groups.push(group),
            Err(fault) => faults.push(format!("{fault}; the group `{}` is dropped", shown(part.trim()))),
        }
    }
    for_colors(&mut rules.setup.groups, whose, &groups);
    if faults.is_empty() { Ok(()) } else { Err(Fault::Warning(faults.join("; "))) }
}

/// Parses a truth value; adds a remark if it is none.
fn truth(key: &str, value: &str, remarks: &mut Vec<String>) -> bool {
    if !matches!(value, "true" | "1" | "false" | "0") {
        remarks.push(format!("{key} is true or false, found `{}`, which counts as false", shown(value)));
    }
    matches!(value, "true" | "1")
}

fn group(rules: &Rules, text: &str, remarks: &mut Vec<String>) -> Result<ChoiceGroup, String> {
    let mut group = ChoiceGroup::default();
    for word in text.split_whitespace() {
        let (key, value) =
            word.split_once('=').ok_or_else(|| format!("expected `key=value`, found `{}`", shown(word)))?;
        match key {
            "options" => {
                group.options = piece_set(rules, value).map_err(|fault| match fault {
                    Fault::Error(text) | Fault::Warning(text) => text,
                })?;
            }
            "limit" => {
                let limit = value.parse::<u8>().ok().filter(|limit| *limit > 0);
                group.limit =
                    limit.ok_or_else(|| format!("limit is a number above 0, found `{}`", shown(value)))?;
            }
            "required" | "requiredForSetup" => group.required = truth(key, value, remarks),
            "lockUnused" | "lockUnusedOptions" | "banUnused" => {
                group.locks_unused = truth(key, value, remarks);
            }
            _ => return Err(format!("`{}` is none of options, limit, required, lockUnused", shown(key))),
        }
    }
    match (group.options.is_empty(), group.limit) {
        (true, _) => Err("no options".to_owned()),
        (_, 0) => Err("no limit".to_owned()),
        _ => Ok(group),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_key_has_its_round() {
        for (index, (key, _)) in KEYS.iter().enumerate() {
            assert_ne!(round(key), Round::Unknown, "{key}");
            assert!(KEYS[..index].iter().all(|(other, _)| other != key), "{key} twice");
        }
        assert!(round("setupDropRegionWhite") > round("setupDropRegion"));
        assert!(round("maxFile") < round("king") && round("king") < round("promotedPieceType"));
        assert_eq!(round("wallingRule"), Round::Unknown);
    }
}
