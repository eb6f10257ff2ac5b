//! Facts in a network file about its training.

use std::convert::Infallible;
use std::fmt::{self, Write};
use std::str::FromStr;

/// Named facts about a network, in order.
///
/// They follow the architecture in the header's text as ` {name=value; name=value}`, which other engines ignore.
/// Characters that would end a value (`;`, `{`, `}`, control characters, and `%`) are written as `%` and two
/// hexadecimal digits for each byte.
///
/// ```
/// use eval::nnue::Facts;
/// let mut facts = Facts::default();
/// facts.set("parent", "nn-2.bin");
/// facts.set("seeds", "1; 2");
/// assert_eq!(facts.to_string(), "{parent=nn-2.bin; seeds=1%3B 2}");
/// let read: Facts = "{parent=nn-2.bin; seeds=1%3B 2}".parse().unwrap();
/// assert_eq!(read.get("seeds"), Some("1; 2"));
/// ```
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Facts(Vec<(String, String)>);

impl Facts {
    /// No facts.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// A fact by its name.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&str> {
        self.0.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
    }

    /// Adds a fact or replaces it; a fact without a name is left out. Blanks around names and values are cut off.
    pub fn set(&mut self, name: &str, value: impl fmt::Display) {
        let (name, value) = (name.trim(), value.to_string().trim().to_owned());
        match self.0.iter_mut().find(|(known, _)| known == name) {
            Some(fact) => fact.1 = value,
            None if name.is_empty() => (),
            None => self.0.push((name.to_owned(), value)),
        }
    }

    /// Names and values.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &str)> {
        self.0.iter().map(|(name, value)| (name.as_str(), value.as_str()))
    }

    /// Splits a header's text into the architecture and the facts after it.
    pub(in crate::nnue) fn split(text: &str) -> (&str, Self) {
        match text.split_once(" {") {
            Some((shape, facts)) => {
                let Ok(facts) = facts.parse();
                (shape, facts)
            }
            None => (text, Self::default()),
        }
    }
}

impl fmt::Display for Facts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("{")?;
        for (index, (name, value)) in self.iter().enumerate() {
            let separator = if index == 0 { "" } else { "; " };
            write!(f, "{separator}{}={}", escaped(name, "="), escaped(value, ""))?;
        }
        f.write_str("}")
    }
}

/// Never fails: a part without `=` is a name without a value.
impl FromStr for Facts {
    type Err = Infallible;

    fn from_str(text: &str) -> Result<Self, Infallible> {
        let text = text.trim();
        let text = text.strip_prefix('{').unwrap_or(text);
        let mut facts = Self::default();
        for fact in text.strip_suffix('}').unwrap_or(text).split(';').map(str::trim) {
            let (name, value) = fact.split_once('=').unwrap_or((fact, ""));
            facts.set(&unescaped(name), unescaped(value));
        }
        Ok(facts)
    }
}

fn escaped(text: &str, also: &str) -> String {
    let mut escaped = String::new();
    for character in text.chars() {
        if "%;{}".contains(character) || also.contains(character) || character.is_control() {
            let mut bytes = [0; 4];
            for byte in character.encode_utf8(&mut bytes).bytes() {
                write!(escaped, "%{byte:02X}").expect("memory can be written");
            }
        } else {
            escaped.push(character);
        }
    }
    escaped
}

/// A `%` without two digits stands for itself; invalid UTF-8 becomes replacement characters.
fn unescaped(text: &str) -> String {
    let mut bytes = Vec::new();
    let mut rest = text.as_bytes();
    while let [first, after @ ..] = rest {
        let digit = |byte: u8| char::from(byte).to_digit(16);
        match after {
            [high, low, behind @ ..] if *first == b'%' => {
                if let (Some(high), Some(low)) = (digit(*high), digit(*low)) {
                    bytes.push((16 * high + low) as u8);
                    rest = behind;
                    continue;
                }
                bytes.push(*first);
            }
            _ => bytes.push(*first),
        }
        rest = after;
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn headers_are_divided() {
        let (shape, facts) = Facts::split("Features=X,Network=Y{LayerStack=9} {a=1; b = 2 ;c; =d;}");
        assert_eq!(shape, "Features=X,Network=Y{LayerStack=9}");
        assert_eq!(facts.iter().collect::<Vec<_>>(), [("a", "1"), ("b", "2"), ("c", "")]);
        assert_eq!(Facts::split("Features=X"), ("Features=X", Facts::default()));
    }

    proptest! {
        #[test]
        fn anything_can_be_told(told in prop::collection::vec((".*", ".*"), 0..4)) {
            let mut facts = Facts::default();
            for (name, value) in &told {
                facts.set(name, value);
            }
            let text = facts.to_string();
            prop_assert_eq!((text.matches('\n').count(), text.matches('}').count()), (0, 1));
            prop_assert_eq!(text.parse::<Facts>(), Ok(facts));
        }

        #[test]
        fn anything_can_be_read(text: String) {
            let Ok(facts) = text.parse::<Facts>();
            prop_assert_eq!(facts.to_string().parse::<Facts>(), Ok(facts));
        }
    }
}
