//! 戦型: what both sides' rooks, bishops and pawns do.

use super::side::{Side, When};
use shogi::Color;

/// A name and when a side has it, seen from its side.
struct Rule {
    name: &'static str,
    holds: fn(&Side, &Side) -> bool,
}

const fn rule(name: &'static str, holds: fn(&Side, &Side) -> bool) -> Rule {
    Rule { name, holds }
}

/// Whether something happened within so many moves of its side.
fn by(when: When, most: u32) -> bool {
    when.is_some_and(|when| when <= most)
}

/// Whether something happened before something else, or that never happened.
fn before(when: When, other: When) -> bool {
    when.is_some_and(|when| other.is_none_or(|other| when <= other))
}

fn ranging(side: &Side, file: u8) -> bool {
    side.ranging_file() == Some(file)
}

fn both_static(us: &Side, them: &Side) -> bool {
    !us.is_ranging() && !them.is_ranging()
}

/// Whether bishops were exchanged within so many moves.
fn bishops_exchanged(us: &Side, them: &Side, most: u32) -> bool {
    by(us.bishop_lost, most) && by(them.bishop_lost, most)
}

/// When the bishops were gone, if they are.
fn exchange_of_bishops(us: &Side, them: &Side) -> When {
    Some(us.bishop_lost?.max(them.bishop_lost?))
}

/// White took first, on 8八, before the pawn of the rook was on 8五, and is a move behind.
fn loses_a_tempo(us: &Side) -> bool {
    us.color == Color::White
        && us
            .bishop_taken
            .is_some_and(|(square, when)| square == 22 && when <= 10 && !before(us.pawn[25], Some(when)))
}

/// The bishop comes back on 4五, off its own diagonal.
fn drops_beside(us: &Side) -> bool {
    us.bishop_drop.is_some_and(|(square, when)| square == 45 && when <= 8)
}

fn took_side_pawn(us: &Side, them: &Side) -> bool {
    by(us.pawn_beside, 25) && both_static(us, them)
}

/// Both advance the pawns of their rooks while one diagonal at least is closed, or before any bishop is exchanged.
fn double_wing(us: &Side, them: &Side) -> bool {
    let advanced = |side: &Side| by(side.pawn[25], 12) || by(side.rook_pawn_exchanged, 15);
    let exchanged = |side: &Side| by(side.rook_pawn_exchanged, 20);
    // In 角換わり and 矢倉 one side blocks the file first, by ▲7七角 or ▲7七銀.
    let blocks = |side: &Side| {
        let block = [side.bishop[77], side.silver[77]].into_iter().flatten().min();
        before(block, side.rook_pawn_exchanged) && by(block, 12)
    };
    both_static(us, them)
        && advanced(us)
        && advanced(them)
        && (exchanged(us) || exchanged(them))
        && !bishops_exchanged(us, them, 10)
        && !blocks(us)
        && !blocks(them)
        && us.pawn_beside.is_none()
        && them.pawn_beside.is_none()
}

fn is_yagura(side: &Side) -> bool {
    by(side.silver[77], 30) && (by(side.pawn[66], 30) || by(side.pawn[56], 20))
}

fn is_gangi(side: &Side) -> bool {
    by(side.pawn[66], 20) && by(side.silver[67], 30) && by(side.gold[78], 30) && side.silver[77].is_none()
}

/// The table: what is more telling stands first.
#[rustfmt::skip]
const RULES: &[Rule] = &[
    // Both rooks on their files.
    rule("筋違い角", |us, _| drops_beside(us)),
    rule("横歩取り", |us, them| took_side_pawn(us, them) || took_side_pawn(them, us)),
    rule("一手損角換わり", |us, them| both_static(us, them) && loses_a_tempo(us) && bishops_exchanged(us, them, 12)
        && us.bishop_drop.is_none_or(|(_, when)| when > 8)),
    rule("角換わり", |us, them| both_static(us, them) && bishops_exchanged(us, them, 20)
        && us.pawn_beside.is_none() && them.pawn_beside.is_none() && !double_wing(us, them)
        && !drops_beside(us) && !drops_beside(them)
        && [us, them].iter().any(|side| by(side.silver[77], 20) || by(side.silver[88], 20))),
    rule("相掛かり", double_wing),
    rule("矢倉", |us, them| both_static(us, them) && is_yagura(us)
        && exchange_of_bishops(us, them).is_none_or(|when| when > 20)),
    rule("雁木", |us, them| both_static(us, them) && is_gangi(us)
        && exchange_of_bishops(us, them).is_none_or(|when| when > 20)),
    rule("右四間飛車", |us, _| !us.is_ranging() && us.rook_was_on(4, 25) && (by(us.pawn[46], 30) || by(us.pawn[45], 35))),
    rule("袖飛車", |us, _| !us.is_ranging() && us.rook_was_on(3, 20)),
    rule("ひねり飛車", |us, them| both_static(us, them) && by(us.rook[76], 25) && by(us.rook[26], 25) && by(us.pawn[75], 30)),
    rule("嬉野流", |us, _| by(us.silver[68], 3) && by(us.bishop[79], 8) && us.pawn[76].is_none_or(|when| when > 8)),
    rule("早繰り銀", |us, them| both_static(us, them) && by(us.silver[46], 25) && by(us.pawn[36], 25)),
    rule("腰掛け銀", |us, them| both_static(us, them) && by(us.silver[56], 30) && bishops_exchanged(us, them, 20)),
    rule("棒銀", |us, _| !us.is_ranging() && (by(us.silver[26], 25) || by(us.silver[15], 30)) && by(us.pawn[25], 30)),
    rule("右玉", |us, _| !us.is_ranging() && (by(us.king[38], 40) || by(us.king[48], 30))
        && by(us.knight[37], 40) && (by(us.rook[29], 40) || by(us.rook[89], 45))),
    // Ranging rooks.
    rule("ゴキゲン中飛車", |us, _| ranging(us, 5) && us.pawn[66].is_none_or(|when| when > 12) && by(us.pawn[76], 6)
        && by(us.pawn[55], 12)),
    rule("早石田", |us, _| ranging(us, 7) && by(us.pawn[75], 4)),
    rule("石田流", |us, _| (ranging(us, 7) || ranging(us, 6)) && by(us.rook[76], 30) && by(us.pawn[75], 30)),
    rule("鬼殺し", |us, _| by(us.knight[65], 6) && by(us.pawn[75], 6)),
    rule("藤井システム", |us, them| ranging(us, 6) && !them.is_ranging() && by(us.pawn[46], 25) && by(us.pawn[36], 30)
        && by(us.knight[37], 40) && us.king[28].is_none() && by(us.silver[38], 25)),
    rule("中飛車", |us, _| ranging(us, 5)),
    rule("四間飛車", |us, _| ranging(us, 6)),
    rule("三間飛車", |us, _| ranging(us, 7)),
    rule("向かい飛車", |us, _| ranging(us, 8)),
    rule("九間飛車", |us, _| ranging(us, 9)),
    rule("角交換振り飛車", |us, them| us.is_ranging() && !them.is_ranging() && bishops_exchanged(us, them, 12)),
    rule("相振り飛車", |us, them| us.is_ranging() && them.is_ranging()),
    rule("振り飛車", |us, _| us.is_ranging()),
    rule("対振り飛車", |us, them| !us.is_ranging() && them.is_ranging()),
    rule("居飛車", |us, _| !us.is_ranging()),
];

/// Games of fewer moves show nothing.
const LEAST_MOVES: u32 = 2;

/// The names of what a side plays, the most telling first.
pub(super) fn names(us: &Side, them: &Side) -> Vec<&'static str> {
    if us.moves < LEAST_MOVES {
        return Vec::new();
    }
    RULES.iter().filter(|rule| (rule.holds)(us, them)).map(|rule| rule.name).collect()
}
