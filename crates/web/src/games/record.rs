//! Records between their own types and the texts that boards keep.

use crate::protocol::{Refusal, RefusalCode, Value};
use record::{Ending, GameRecord, Header, NodeId, Step, Tree};
use std::collections::HashMap;
use std::fmt::Display;
use std::time::Duration;

/// A game as it was read.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct ReadRecord {
    /// Which game it is.
    pub game: String,
    /// The start position as text.
    pub start: String,
    /// Names and values as KIF has them.
    pub header: Vec<[String; 2]>,
    /// What is noted at the start.
    pub root: Noted,
    /// Moves and endings; each comes after its parent.
    pub steps: Vec<ReadStep>,
    /// What could not be taken over.
    pub notices: Vec<String>,
}

/// A move or an ending of a record.
#[derive(Clone, PartialEq, Debug)]
pub struct ReadStep {
    /// Its parent: 0 the start, 1 the first step.
    pub parent: usize,
    /// The move as text, or an ending.
    pub what: Result<String, Ending>,
    /// What is noted there.
    pub noted: Noted,
}

/// What is noted at a node.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Noted {
    /// Lines with ends.
    pub comment: String,
    /// `&` in KIF.
    pub bookmark: bool,
    /// Milliseconds of thought.
    pub time: Option<u64>,
    /// What an engine noted, for black, with its depth.
    pub value: Option<(Value, Option<u32>)>,
}

/// A step to be written; each comes after its parent.
#[derive(Clone, Copy, Debug)]
pub struct WriteStep<'a> {
    /// Its parent: 0 the start, 1 the first step; the first step is the start itself with no move.
    pub parent: usize,
    /// The move, or the word of an ending; `None` for the start.
    pub what: Option<Result<&'a str, &'a str>>,
    /// What is noted there.
    pub noted: &'a Noted,
}

/// A file in some format.
#[derive(Debug)]
pub struct WrittenText {
    /// Its bytes.
    pub bytes: Vec<u8>,
    /// What the format could not hold.
    pub losses: Vec<String>,
}

/// Begins comments that hold an engine's figures; they are made anew when a record is written.
const FIGURES: [&str; 6] = ["#評価値=", "#詰み=", "#深さ=", "#読み筋=", "#エンジン=", "#ノード数="];

/// A record of any game as texts. `value` finds what engines noted where the game has more dialects than the common one.
pub(super) fn from_record<S, M: Display>(
    game: &str,
    start: String,
    record: &GameRecord<S, M>,
    mut value: impl FnMut(NodeId) -> Option<(Value, Option<u32>)>,
) -> ReadRecord {
    let tree = &record.tree;
    let header = record.header.iter().map(|(name, value)| [name.to_owned(), value.to_owned()]).collect();
    let mut places: HashMap<NodeId, usize> = HashMap::with_capacity(tree.len() + 1);
    places.insert(NodeId::ROOT, 0);
    let mut read = ReadRecord {
        game: game.to_owned(),
        start,
        header,
        root: noted(tree, NodeId::ROOT, value(NodeId::ROOT)),
        steps: Vec::with_capacity(tree.len()),
        notices: Vec::new(),
    };
    for id in tree.walk() {
        let parent = tree.parent(id).and_then(|parent| places.get(&parent).copied());
        let (Some(parent), Some(step)) = (parent, tree[id].step()) else { continue };
        let what = match step {
            Step::Move(m) => Ok(m.to_string()),
            Step::End(ending) => Err(ending.clone()),
        };
        read.steps.push(ReadStep { parent, what, noted: noted(tree, id, value(id)) });
        places.insert(id, read.steps.len());
    }
    read
}

fn noted<M>(tree: &Tree<M>, id: NodeId, value: Option<(Value, Option<u32>)>) -> Noted {
    let note = tree.note(id);
    let lines = note.comments.iter();
    let kept: Vec<&str> = lines.filter(|line| !FIGURES.iter().any(|word| line.starts_with(word))).collect();
    Noted {
        comment: kept.join("\n"),
        bookmark: note.bookmark.is_some(),
        time: tree[id].time.map(|time| time.as_millis() as u64),
        value: value.or_else(|| figures(note.comments.iter())),
    }
}

/// The common words for an engine's figures.
fn figures<'a>(lines: impl Iterator<Item = &'a str>) -> Option<(Value, Option<u32>)> {
    let (mut score, mut depth) = (None, None);
    for line in lines {
        if let Some(text) = line.strip_prefix("#評価値=") {
            score = text.trim().parse().ok().map(Value::Cp);
        } else if let Some(text) = line.strip_prefix("#深さ=") {
            depth = text.trim().split('/').next().and_then(|text| text.parse().ok());
        } else if let Some((side, plies)) =
            line.strip_prefix("#詰み=").and_then(|text| text.split_once("勝ち:"))
        {
            let plies = plies.trim_end_matches('手').parse::<i32>().ok();
            score = plies.map(|plies| Value::Mate(if side == "先手" { plies } else { -plies }));
        }
    }
    score.map(|score| (score, depth))
}

/// A record of any game, from texts.
pub(super) fn to_record<S, M>(
    start: S,
    header: &[[String; 2]],
    steps: &[WriteStep<'_>],
    read_move: impl Fn(&str) -> Option<M>,
) -> Result<GameRecord<S, M>, Refusal> {
    let mut record = GameRecord::new(start);
    record.header = Header::default();
    for [name, value] in header {
        record.header.set(name, value);
    }
    let mut places = Vec::with_capacity(steps.len());
    for step in steps {
        let id = match step.what {
            None => NodeId::ROOT,
            Some(what) => {
                let parent = places.get(step.parent).copied().unwrap_or(NodeId::ROOT);
                let step = match what {
                    Ok(text) => Step::Move(read_move(text).ok_or_else(|| {
                        Refusal::new(RefusalCode::Illegal, format!("`{text}` is not a move of this game"))
                    })?),
                    Err(word) => Step::End(Ending::from_kif(word)),
                };
                record.tree.add(parent, step)
            }
        };
        places.push(id);
        record.tree[id].time = step.noted.time.map(Duration::from_millis);
        if step.noted.bookmark {
            record.tree.note_mut(id).bookmark =
                Some(step.noted.comment.lines().next().unwrap_or("").to_owned());
        }
        for line in step.noted.comment.lines() {
            record.tree.add_comment(id, line);
        }
        if let Some((value, depth)) = step.noted.value {
            record.tree.add_comment(
                id,
                &match value {
                    Value::Cp(value) => format!("#評価値={value}"),
                    Value::Mate(plies) if plies > 0 => format!("#詰み=先手勝ち:{plies}手"),
                    Value::Mate(plies) => format!("#詰み=後手勝ち:{}手", -plies),
                },
            );
            if let Some(depth) = depth {
                record.tree.add_comment(id, &format!("#深さ={depth}"));
            }
        }
    }
    Ok(record)
}

/// A refusal for something that is no record.
pub(super) fn unreadable(error: impl Display) -> Refusal {
    let text = error.to_string();
    let ja = format!("棋譜や局面として読めません：{text}");
    Refusal::new(RefusalCode::Position, text).ja(ja)
}
