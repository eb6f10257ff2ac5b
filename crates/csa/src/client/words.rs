use super::Ponder;
use arena::{EngineSpec, WordError};

/// Parses the description of an engine such as `cmd=./engine option.Threads=2 ponder=early`, given as separate words or
/// several in one text: a piece without `=` belongs to the word before it. Without `cmd=` the engine is `own`.
pub fn engine(words: &[String], own: &str) -> Result<(EngineSpec, Ponder), WordError> {
    let mut whole: Vec<String> = Vec::new();
    for text in words {
        for (index, piece) in text.split_whitespace().enumerate() {
            match whole.last_mut().filter(|_| index > 0 && !piece.contains('=')) {
                Some(last) => *last = format!("{last} {piece}"),
                None => whole.push(piece.to_owned()),
            }
        }
    }
    let mut ponder = Ponder::Off;
    let mut kept = Vec::new();
    for word in whole {
        match word.strip_prefix("ponder=") {
            Some("off") => ponder = Ponder::Off,
            Some("on") => ponder = Ponder::On,
            Some("early") => ponder = Ponder::Early,
            Some(_) => return Err(WordError::Value { word, expected: "`on`, `early` or `off`" }),
            None => kept.push(word),
        }
    }
    if !kept.iter().any(|word| word.starts_with("cmd=")) {
        kept.insert(0, format!("cmd={own}"));
    }
    let mut spec = EngineSpec::from_words(kept.iter().map(String::as_str))?;
    if spec.time.is_limited() {
        let word = kept
            .iter()
            .find(|word| !["cmd", "name", "args", "dir", "option."].iter().any(|key| word.starts_with(key)));
        return Err(WordError::Value {
            word: word.cloned().unwrap_or_default(),
            expected: "no limit: the server keeps the time",
        });
    }
    spec.ponder = ponder != Ponder::Off;
    Ok((spec, ponder))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(words: &[&str]) -> Result<(EngineSpec, Ponder), String> {
        let words: Vec<_> = words.iter().map(ToString::to_string).collect();
        engine(&words, "/bin/own").map_err(|error| error.to_string())
    }

    #[test]
    fn words_come_in_one_text_or_in_many() {
        let (spec, ponder) = read(&["cmd=/e/a b option.X=1 option.Y=two words ponder=early"]).unwrap();
        assert_eq!(spec.command.to_str(), Some("/e/a b"));
        assert_eq!(spec.options[1], ("Y".to_owned(), "two words".to_owned()));
        assert!(spec.ponder && ponder == Ponder::Early);
        let (own, ponder) = read(&["option.Threads=1", "restart=on"]).unwrap();
        assert!(own.restart && !own.ponder && ponder == Ponder::Off);
        assert_eq!((own.command.to_str(), own.name.as_str()), (Some("/bin/own"), "own"));
        assert!(read(&["ponder=late"]).unwrap_err().contains("`on`, `early` or `off`"));
        assert!(read(&["byoyomi=1000"]).unwrap_err().contains("the server keeps the time"));
    }
}
