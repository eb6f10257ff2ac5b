//! The reports of problems as one page that needs no other file.

use super::diagram::diagram_svg;
use super::examine::Examination;
use super::inquiry::after;
use super::report::report_text;
use super::words::{spoken_line, verdict};
use platform::Language;
use platform::svg::escape;
use std::fmt::Write;

const STYLE: &str = "body{font-family:sans-serif;max-width:60rem;margin:1rem auto;padding:0 1rem;color:#222;background:#fff}\
section{border-top:1px solid #999;padding:1rem 0}figure{display:inline-block;margin:0 1rem 0 0;vertical-align:top}\
figcaption{font-size:.9rem}pre{white-space:pre-wrap;font-family:inherit}li{margin:.2rem 0}td,th{text-align:left;padding:.1rem .6rem}";

/// The page. Each problem comes with its name.
#[must_use]
pub fn html_report(problems: &[(String, Examination)], language: Language) -> String {
    let title = language.say("Mate report", "詰将棋検討");
    let mut page = format!(
        "<!DOCTYPE html>\n<html lang=\"{}\"><head><meta charset=\"utf-8\"><meta name=\"viewport\" content=\"width=device-width\">\
         <title>{title}</title><style>{STYLE}</style></head><body><h1>{title}</h1>\n<table>\n",
        language.say("en", "ja")
    );
    // Writing to a string cannot fail.
    for (index, (name, found)) in problems.iter().enumerate() {
        let _ = writeln!(
            page,
            "<tr><td><a href=\"#p{index}\">{}</a></td><td>{}</td><td>{}</td></tr>",
            escape(name),
            found.line.len(),
            escape(&verdict(found, language))
        );
    }
    page += "</table>\n";
    for (index, (name, found)) in problems.iter().enumerate() {
        problem(&mut page, index, name, found, language);
    }
    page + "</body></html>\n"
}

fn problem(page: &mut String, index: usize, name: &str, found: &Examination, language: Language) {
    let _ = writeln!(page, "<section id=\"p{index}\"><h2>{}</h2>", escape(name));
    let figure = |page: &mut String, moves: &[shogi::Move], caption: &str| {
        let picture = diagram_svg(&after(&found.start, moves), found.attacker, caption);
        let _ = writeln!(page, "<figure>{picture}<figcaption>{}</figcaption></figure>", escape(caption));
    };
    figure(page, &[], language.say("problem", "問題"));
    if !found.line.is_empty() {
        figure(page, &found.line, language.say("end of the main line", "詰上り"));
    }
    let _ = writeln!(page, "<pre>{}</pre>", escape(&report_text(found, language)));
    for (mates, heading) in
        [(true, language.say("Variations", "変化")), (false, language.say("Tries", "紛れ"))]
    {
        let branches: Vec<_> = found.branches.iter().filter(|branch| branch.mates == mates).collect();
        if branches.is_empty() {
            continue;
        }
        let _ = writeln!(page, "<h3>{heading}</h3><ul>");
        for branch in branches {
            let moves = [&[branch.m], branch.line.as_slice()].concat();
            let words = spoken_line(&found.start, &branch.before, &moves, language).join(" ");
            let _ = writeln!(page, "<li>{}. {}</li>", branch.before.len() + 1, escape(&words));
        }
        page.push_str("</ul>\n");
    }
    page.push_str("</section>\n");
}
