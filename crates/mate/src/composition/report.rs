//! The examination as text and as JSON.

use super::custom::{FlawKind, Ruling};
use super::examine::{Examination, Flaw, Soundness};
use super::words::{hand, length, spoken_line, spoken_solution, verdict};
use crate::Interpositions;
use platform::Language;
use serde_json::{Value, json};
use shogi::Move;
use std::fmt::Write;

/// Flaws of one kind that the text lists; JSON lists all.
const MOST_LISTED: usize = 10;
/// Moves of a line in the text.
const MOST_MOVES: usize = 15;

/// The report for people.
#[must_use]
pub fn report_text(found: &Examination, language: Language) -> String {
    let mut out = String::new();
    let say = |english: &'static str, japanese: &'static str| language.say(english, japanese);
    // Writing to a string cannot fail.
    if !found.line.is_empty() {
        let solution = spoken_solution(&found.start, &found.line, language);
        let name =
            if found.is_intended { say("intended line", "作意") } else { say("main line", "作意") };
        let _ = writeln!(out, "  {name}: {solution}");
    }
    let _ = writeln!(
        out,
        "  {}{}{}{}: {}",
        say("verdict", "判定"),
        say(" (", "（"),
        found.custom,
        say(")", "）"),
        verdict(found, language)
    );
    for kind in FlawKind::ALL {
        kind_text(&mut out, found, kind, language);
    }
    for refutation in found.refutations.iter().take(MOST_LISTED) {
        let moves: Vec<Move> = refutation.check.into_iter().chain(refutation.defence).collect();
        let words = spoken_line(&found.start, &[], &moves, language).join(" ");
        let _ = match (refutation.check, refutation.defence) {
            (_, Some(_)) => writeln!(out, "  {words} {}", say("escapes", "で逃れ")),
            _ => writeln!(
                out,
                "  {words} {}",
                say("fails; the defence was not found", "は不詰（受けは未確認）")
            ),
        };
    }
    if found.refutations.is_empty() && found.line.is_empty() && found.unsolved.is_none() {
        let _ = writeln!(out, "  {}", say("there is no check", "王手がない"));
    }
    more(&mut out, found.refutations.len(), language);
    for open in found.open.iter().take(MOST_LISTED) {
        let m = spoken_line(&found.start, &open.before, &[open.m], language).join("");
        let ply = open.before.len() + 1;
        let _ = match language {
            Language::Japanese => writeln!(out, "  {ply}手目 {m} は未確定（--report-nodes を増やす）"),
            Language::English => writeln!(out, "  ply {ply}: {m} was not decided (--report-nodes)"),
        };
    }
    more(&mut out, found.open.len(), language);
    if !found.line.is_empty() {
        tail(&mut out, found, language);
    }
    out.truncate(out.trim_end().len());
    out
}

fn tail(out: &mut String, found: &Examination, language: Language) {
    let coverage = found.coverage;
    if coverage.examined + coverage.left_out > 0 {
        let rest = if coverage.is_cut { language.say(" and what follows them", "とその先") } else { "" };
        let _ = match language {
            Language::Japanese => write!(out, "  変化の中の余詰: {}局面を検査", coverage.examined),
            Language::English => {
                write!(out, "  cooks in variations: {} positions examined", coverage.examined)
            }
        };
        let _ = match (language, coverage.left_out) {
            (_, 0) => writeln!(out),
            (Language::Japanese, left) => writeln!(out, "、{left}局面{rest}は未検査（--variation-nodes）"),
            (Language::English, left) => writeln!(out, ", {left}{rest} not (--variation-nodes)"),
        };
    }
    if !found.is_chosen {
        let _ = writeln!(
            out,
            "  {}",
            language.say("not all lines of optimal play were compared", "最善の手順をすべては比べていない")
        );
    }
    if !found.themes.is_empty() {
        let themes = found.themes.iter().map(|theme| {
            let name = match language {
                Language::Japanese => theme.japanese(),
                Language::English => theme.english(),
            };
            theme.ply().map_or_else(|| name.to_owned(), |ply| format!("{name} {ply}"))
        });
        let themes = themes.collect::<Vec<_>>().join(language.say(", ", "、"));
        let _ = writeln!(out, "  {}: {themes}", language.say("themes", "主題"));
    }
    let _ = writeln!(
        out,
        "  {}",
        match (found.interpositions, language) {
            (Interpositions::Useful, Language::English) => "futile interpositions do not count",
            (Interpositions::Useful, Language::Japanese) => "無駄合は数えない",
            (Interpositions::All, Language::English) => "all interpositions count",
            (Interpositions::All, Language::Japanese) => "合駒はすべて数える",
        }
    );
}

fn more(out: &mut String, all: usize, language: Language) {
    if all > MOST_LISTED {
        let rest = all - MOST_LISTED;
        let _ = match language {
            Language::Japanese => writeln!(out, "  ほか{rest}件（--json ですべて）"),
            Language::English => writeln!(out, "  and {rest} more (--json lists all)"),
        };
    }
}

fn kind_text(out: &mut String, found: &Examination, kind: FlawKind, language: Language) {
    let flaws: Vec<&Flaw> = found.of_kind(kind).collect();
    for flaw in flaws.iter().take(MOST_LISTED) {
        if let Some(text) = flaw_text(found, flaw, language) {
            let _ = writeln!(out, "  {text}");
        }
    }
    more(out, flaws.len(), language);
}

/// A flaw in one line; nothing for 不詰 of the whole problem, which the verdict says.
pub(super) fn flaw_text(found: &Examination, flaw: &Flaw, language: Language) -> Option<String> {
    let name = language.say(flaw.kind.english(), flaw.kind.japanese());
    let forgiven = match found.custom.ruling(flaw.kind) {
        Ruling::Fault => "",
        Ruling::Blemish => language.say(" [forgiven]", " 〔許容〕"),
    };
    let Some(m) = flaw.m else {
        let pieces = hand(flaw.left_over, language);
        return (flaw.kind == FlawKind::LeftOver).then(|| format!("{name}: {pieces}{forgiven}"));
    };
    let ply = flaw.before.len() + 1;
    let mut text = match language {
        Language::Japanese => format!("{name} {ply}手目: "),
        Language::English => format!("{name}, ply {ply}: "),
    };
    if flaw.kind == FlawKind::VariationCook {
        text += &spoken_line(&found.start, &[], &flaw.before, language).join(" ");
        text += language.say(", then ", "のとき");
    }
    let words = spoken_line(&found.start, &flaw.before, &[&[m], flaw.line.as_slice()].concat(), language);
    text += &words[0];
    if let Some(plies) = flaw.length {
        let _ = match language {
            Language::Japanese => write!(text, " 以下{}", length(plies, language)),
            Language::English => write!(text, ", {} from here", length(plies, language)),
        };
    }
    if !flaw.left_over.is_empty() {
        let _ = match language {
            Language::Japanese => write!(text, "、{}余り", hand(flaw.left_over, language)),
            Language::English => write!(text, ", {} left", hand(flaw.left_over, language)),
        };
    }
    if words.len() > 1 && words.len() <= MOST_MOVES {
        let _ = write!(text, "{}{}{}", language.say(" (", "（"), words.join(" "), language.say(")", "）"));
    }
    Some(text + forgiven)
}

/// The report for programs.
#[must_use]
pub fn report_json(found: &Examination, name: &str) -> Value {
    let usi = |moves: &[Move]| moves.iter().map(ToString::to_string).collect::<Vec<_>>();
    let flaw = |flaw: &Flaw| {
        let mut value = json!({
            "kind": flaw.kind.name(),
            "forgiven": found.custom.ruling(flaw.kind) == Ruling::Blemish,
            "ply": flaw.before.len() + 1,
            "before": usi(&flaw.before),
            "line": usi(&flaw.line),
            "left_over": flaw.left_over.to_string(),
        });
        if let Some(m) = flaw.m {
            value["move"] = json!(m.to_string());
        }
        if let Some(plies) = flaw.length {
            value["plies"] = json!(plies.plies());
            value["certainty"] = json!(if plies.is_exact() { "exact" } else { "at most" });
        }
        value
    };
    let kinds = |kinds: &[FlawKind]| kinds.iter().map(|kind| kind.name()).collect::<Vec<_>>();
    let (word, because) = match found.soundness() {
        Soundness::Sound => ("sound", Vec::new()),
        Soundness::Blemished(list) => ("blemished", kinds(&list)),
        Soundness::Unsound(list) => ("unsound", kinds(&list)),
        Soundness::Undecided => ("undecided", Vec::new()),
    };
    let solution = spoken_solution(&found.start, &found.line, Language::Japanese);
    json!({
        "name": name,
        "verdict": word,
        "because": because,
        "custom": found.custom.to_string(),
        "interpositions": match found.interpositions { Interpositions::All => "all", Interpositions::Useful => "useful" },
        "plies": found.line.len(),
        "line": usi(&found.line),
        "spoken": if found.line.is_empty() { Value::Null } else { json!(solution) },
        "intended": found.is_intended,
        "all_lines_compared": found.is_chosen,
        "left_over": found.left_over.to_string(),
        "flaws": found.flaws.iter().map(flaw).collect::<Vec<_>>(),
        "undecided": found.open.iter().map(|open| json!({ "before": usi(&open.before), "move": open.m.to_string() })).collect::<Vec<_>>(),
        "variations": { "examined": found.coverage.examined, "left_out": found.coverage.left_out, "complete": found.coverage.is_complete() },
        "refutations": found.refutations.iter().map(|refutation| json!({
            "check": refutation.check.map(|m| m.to_string()), "defence": refutation.defence.map(|m| m.to_string()),
        })).collect::<Vec<_>>(),
        "themes": found.themes.iter().map(|theme| json!({ "theme": theme.english(), "ply": theme.ply() })).collect::<Vec<_>>(),
        "nodes": found.nodes,
    })
}
