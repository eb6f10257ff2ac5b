//! Moves as people type them: `76歩`, `▲７六歩`, `同銀`, `P-7f`.

use crate::protocol::{NamedMove, Refusal, RefusalCode};

/// The one legal move that a typed text means.
pub(super) fn find<M>(text: &str, legal: impl Iterator<Item = (M, NamedMove)>) -> Result<M, Refusal> {
    let refused = |text: String, ja: String| Refusal::new(RefusalCode::Illegal, text).ja(ja);
    let how = "7g7f, 76歩, P-7f";
    let shown: String = text.chars().take(40).collect();
    let typed = plain(text);
    if typed.is_empty() {
        let ja = format!("指し手がありません。{how} のように書いてください。");
        return Err(refused(format!("no move was typed: write it like {how}"), ja));
    }
    let mut found: Vec<(M, NamedMove)> = legal
        .filter(|(_, name)| {
            let japanese = plain(&name.ja);
            let same = |written: &str| written == typed || written.trim_end_matches("不成") == typed;
            same(&japanese) || plain(&name.en) == typed || same(&with_square(&japanese, &name.text))
        })
        .collect();
    match (found.pop(), found.is_empty()) {
        (Some((m, _)), true) => Ok(m),
        (Some(_), false) => Err(refused(
            format!("`{shown}`: more than one move is written so: name the square it comes from"),
            format!("{shown}：当てはまる手が二つ以上あります。元の升も書いてください。"),
        )),
        (None, _) => Err(refused(
            format!("`{shown}`: no legal move is written so: write it like {how}"),
            format!("{shown}：指せる手に当てはまりません。{how} のように書いてください。"),
        )),
    }
}

/// A move that begins with 同 with its square.
fn with_square(japanese: &str, text: &str) -> String {
    let Some(rest) = japanese.strip_prefix('同') else { return japanese.to_owned() };
    let (_, to) = super::sfen::ends_of(text);
    let square: String = to
        .chars()
        .map(|c| if c.is_ascii_lowercase() { char::from(b'1' + (c as u8 - b'a')) } else { c })
        .collect();
    format!("{square}{rest}")
}

/// Digits plain, blanks and signs of sides left out, letters small.
fn plain(text: &str) -> String {
    const RANKS: [char; 9] = ['一', '二', '三', '四', '五', '六', '七', '八', '九'];
    text.chars()
        .filter(|c| !c.is_whitespace() && !"▲△☗☖▼▽-".contains(*c))
        .map(|c| match c {
            '０'..='９' => char::from(b'0' + (c as u32 - '０' as u32) as u8),
            _ => match RANKS.iter().position(|rank| *rank == c) {
                Some(rank) => char::from(b'1' + rank as u8),
                None => c.to_ascii_lowercase(),
            },
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn legal() -> Vec<(u8, NamedMove)> {
        let name =
            |text: &str, ja: &str, en: &str| NamedMove { text: text.into(), ja: ja.into(), en: en.into() };
        vec![
            (1, name("7g7f", "７六歩", "P-7f")),
            (2, name("8h2b+", "２二角成", "Bx2b+")),
            (3, name("8h2b", "２二角不成", "Bx2b")),
            (4, name("3a2b", "同　銀", "Sx2b")),
        ]
    }

    #[test]
    fn what_people_type() {
        for (text, found) in [
            ("76歩", Some(1)),
            ("▲７六歩", Some(1)),
            ("７６歩", Some(1)),
            ("p-7f", Some(1)),
            ("22角成", Some(2)),
            ("22角", Some(3)),
            ("同銀", Some(4)),
            ("22銀", Some(4)),
            ("77歩", None),
            ("", None),
        ] {
            assert_eq!(find(text, legal().into_iter()).ok(), found, "{text}");
        }
    }
}
