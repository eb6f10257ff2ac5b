//! Binarsi: stones, lines, operators, targets.

use super::record::{ReadRecord, WriteStep, WrittenText};
use super::shown::Shown;
use super::variant::{formats, variant_records, write_variant};
use crate::protocol::{
    Cell, Choice, EditedPosition, GameName, Palette, PieceFace, Refusal, Scene, Side, StartName, TargetScene,
    WayScene, Words,
};
use ::binarsi::{Binarsi, Gate, Move, Operator, Position, Target, Way};
use ::record::{Format, encoding::Encoding};
use game::{Game, Position as _};

const FILES: usize = 7;
const RANKS: usize = 6;

/// Rows of `x` (black, 1), `o` (white, 0) and `.`.
fn stones(text: &str) -> Vec<char> {
    let board = text.split(' ').next().unwrap_or_default();
    let mut stones = Vec::with_capacity(FILES * RANKS);
    for c in board.chars().filter(|c| *c != '/') {
        match c.to_digit(10) {
            Some(empty) => stones.extend(std::iter::repeat_n('-', empty as usize)),
            None => stones.push(if c == 'x' { '1' } else { '0' }),
        }
    }
    stones.resize(FILES * RANKS, '-');
    stones
}

/// The cells of a line from top to bottom or from left to right.
fn line(stones: &[char], way: Way) -> String {
    if way.is_file() {
        (0..RANKS).map(|row| stones[row * FILES + way.index()]).collect()
    } else {
        let row = way.index() - FILES;
        stones[row * FILES..(row + 1) * FILES].iter().collect()
    }
}

fn operator_words(operator: Operator, file: bool) -> Words {
    let (lower, higher) = if file { ("左", "右") } else { ("上", "下") };
    let (lower_en, higher_en) = if file { ("left", "right") } else { ("upper", "lower") };
    match operator {
        Operator::Shift(places) => Words::new(format!("シフト{places}"), format!("shift {places}")),
        Operator::Not => Words::new("隣の否定", "NOT of the neighbour"),
        Operator::NotLower => Words::new(format!("{lower}の否定"), format!("NOT {lower_en}")),
        Operator::NotHigher => Words::new(format!("{higher}の否定"), format!("NOT {higher_en}")),
        Operator::Gate(gate) => {
            let name = match gate {
                Gate::And => "AND",
                Gate::Or => "OR",
                Gate::Nor => "NOR",
                Gate::Xor => "XOR",
                Gate::Nand => "NAND",
                Gate::Xnor => "XNOR",
            };
            Words::new(name, name)
        }
    }
}

fn target_scene(position: &Position, target: Target) -> TargetScene {
    let (side, length, shape, ja) = match target {
        Target::Black3 => (Side::Black, 3, "horizontal", "黒3横"),
        Target::Black4 => (Side::Black, 4, "diagonal", "黒4斜"),
        Target::Black5 => (Side::Black, 5, "vertical", "黒5縦"),
        Target::White3 => (Side::White, 3, "vertical", "白3縦"),
        Target::White4 => (Side::White, 4, "diagonal", "白4斜"),
        Target::White5 => (Side::White, 5, "horizontal", "白5横"),
    };
    let color = if side == Side::Black { "black" } else { "white" };
    TargetScene {
        target: target.name().to_owned(),
        name: Words::new(ja, format!("{length} {color}, {shape}")),
        side,
        length,
        shape: shape.to_owned(),
        lit: position.board().clears().number(target).map(u32::from),
    }
}

impl Shown for Binarsi {
    fn about(&self) -> GameName {
        GameName {
            levels: super::level_names(game::Game::has_ranks(self)),
            game: "binarsi".to_owned(),
            name: Words::new("ビナーシ", "Binarsi"),
            files: FILES as u8,
            ranks: RANKS as u8,
            starts: vec![StartName {
                name: Words::new("初期配置", "Start"),
                position: self.startpos().to_text(),
            }],
            formats: formats(),
            tsume: false,
            books: false,
        }
    }

    fn palette(&self) -> Palette {
        let stone = |kind: &str, ja: &str, en: &str| PieceFace {
            kind: kind.to_owned(),
            letter: kind.to_owned(),
            name: Words::new(ja, en),
            ..PieceFace::default()
        };
        Palette { pieces: vec![stone("1", "黒石", "black stone"), stone("0", "白石", "white stone")] }
    }

    fn japanese(&self, _: &Position, m: Move) -> String {
        let way = m.way();
        format!("{}路{}", way.letter(), operator_words(m.operator(), way.is_file()).ja)
    }

    fn western(&self, _: &Position, m: Move) -> Option<String> {
        let way = m.way();
        Some(format!("{} {}", way.letter(), operator_words(m.operator(), way.is_file()).en))
    }

    fn ends<'a>(&self, text: &'a str) -> (&'a str, &'a str) {
        (text.get(..1).unwrap_or(text), "")
    }

    fn decorate(&self, position: &Position, scene: &mut Scene) {
        let stones = stones(&scene.text);
        scene.files = (1..=FILES).map(|file| file.to_string()).collect();
        scene.hands = [Vec::new(), Vec::new()];
        scene.cells = stones
            .iter()
            .map(|stone| {
                let side = match stone {
                    '1' => Side::Black,
                    '0' => Side::White,
                    _ => return None,
                };
                Some(Cell { kind: stone.to_string(), side, promoted: false, frozen: false })
            })
            .collect();
        // A line is one origin with one choice of operators.
        let legal = position.legal_moves();
        let state = position.state();
        let ways = Way::all().map(|way| {
            let stones_on_way = line(&stones, way);
            WayScene {
                way: way.letter().to_string(),
                locked: state.locks().contains(way),
                empty: stones_on_way.chars().all(|stone| stone == '-'),
                moves: legal.iter().filter(|m| m.way() == way).count() as u32,
                stones: stones_on_way,
                inputs: state.inputs(way).iter().map(|way| way.letter().to_string()).collect(),
            }
        });
        scene.ways = Some(ways.collect());
        scene.targets = Some(Target::ALL.into_iter().map(|target| target_scene(position, target)).collect());
    }

    fn describe(&self, position: &Position, m: Move, choice: &mut Choice) {
        let before = stones(&position.to_text());
        let after = position.board().after(m);
        let written = stones(&after.to_string());
        let way = m.way();
        let (old, new) = (line(&before, way), line(&written, way));
        let changes = old.chars().zip(new.chars()).enumerate().filter(|(_, (a, b))| a != b);
        choice.changes = Some(changes.map(|(place, _)| place as u32).collect());
        choice.preview = Some(new);
        choice.operator = Some(m.operator().text().to_owned());
        let (cleared, now) = (position.state().cleared(), after.state().cleared());
        let lights =
            Target::ALL.into_iter().filter(|target| now.contains(*target) && !cleared.contains(*target));
        choice.lights = Some(lights.map(|target| target.name().to_owned()).collect());
        let locks = after.state().locks().iter().filter(|way| !position.state().locks().contains(*way));
        choice.locks = Some(locks.map(|way| way.letter().to_string()).collect());
    }

    fn compose(&self, position: &EditedPosition) -> String {
        let mut rows = Vec::with_capacity(RANKS);
        for row in position.cells.chunks(FILES) {
            let mut text = String::new();
            let mut empty = 0;
            for cell in row {
                let Some(cell) = cell else {
                    empty += 1;
                    continue;
                };
                if empty > 0 {
                    text += &empty.to_string();
                    empty = 0;
                }
                text.push(if cell.kind == "1" { 'x' } else { 'o' });
            }
            if empty > 0 {
                text += &empty.to_string();
            }
            rows.push(text);
        }
        let side = if position.side == Side::Black { 'b' } else { 'w' };
        let locked = position.locked.as_ref().map_or_else(String::new, |locked| locked.concat());
        let locked = if locked.is_empty() { "-".to_owned() } else { locked };
        let cleared = position.cleared.as_deref().unwrap_or_default();
        let targets =
            Target::ALL.map(|target| if cleared.iter().any(|name| name == target.name()) { "0" } else { "" });
        let targets = if cleared.is_empty() { "-".to_owned() } else { targets.join("/") };
        format!("{} {side} {locked} {targets} 0", rows.join("/"))
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
        write_variant(self, start, header, steps, format, encoding, Move::from_text)
    }
}
