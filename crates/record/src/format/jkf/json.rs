//! A JSON parser without recursion: branches, and hostile files, may be nested to any depth.

use crate::ReadError;
use std::fmt::Write;

/// The index of a value in a [`Document`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Id(usize);

#[derive(Clone, PartialEq, Debug)]
pub(super) enum Value {
    Null,
    Bool(bool),
    Number(f64),
    Text(String),
    Array(Vec<Id>),
    /// In the order of the file; among equal names the last counts.
    Object(Vec<(String, Id)>),
}

/// All values of one JSON text.
#[derive(Debug)]
pub(super) struct Document {
    values: Vec<Value>,
}

impl Document {
    pub const ROOT: Id = Id(0);

    pub fn value(&self, id: Id) -> &Value {
        &self.values[id.0]
    }

    /// A member of an object, unless it is missing or null.
    pub fn member(&self, id: Id, name: &str) -> Option<Id> {
        let Value::Object(members) = self.value(id) else { return None };
        let (_, id) = members.iter().rev().find(|(key, _)| key == name)?;
        (*self.value(*id) != Value::Null).then_some(*id)
    }

    pub fn array(&self, id: Id) -> &[Id] {
        match self.value(id) {
            Value::Array(ids) => ids,
            _ => &[],
        }
    }

    pub fn text(&self, id: Id) -> Option<&str> {
        match self.value(id) {
            Value::Text(text) => Some(text),
            _ => None,
        }
    }

    /// A non-negative integer.
    pub fn count(&self, id: Id) -> Option<u64> {
        match self.value(id) {
            Value::Number(n) if *n >= 0.0 && *n <= 1e15 => Some(*n as u64),
            _ => None,
        }
    }

    pub fn truth(&self, id: Id) -> bool {
        matches!(self.value(id), Value::Bool(true))
    }

    pub fn parse(text: &str) -> Result<Self, ReadError> {
        Parser { text, at: 0, values: Vec::new() }.document()
    }
}

struct Parser<'a> {
    text: &'a str,
    at: usize,
    values: Vec<Value>,
}

/// An array or object that is not closed yet; the name is that of the member being read.
struct Open {
    id: Id,
    name: Option<String>,
}

impl Parser<'_> {
    fn expected(&self, expected: &'static str) -> ReadError {
        ReadError::Json { at: self.at, expected }
    }

    fn peek(&mut self) -> Option<u8> {
        let rest = &self.text.as_bytes()[self.at..];
        let blanks = rest.iter().take_while(|b| b" \t\r\n".contains(b)).count();
        self.at += blanks;
        rest.get(blanks).copied()
    }

    fn eat(&mut self, byte: u8) -> bool {
        let found = self.peek() == Some(byte);
        self.at += usize::from(found);
        found
    }

    fn document(mut self) -> Result<Document, ReadError> {
        let mut open: Vec<Open> = Vec::new();
        loop {
            let id = self.opening_or_scalar()?;
            // Attach it to its parent.
            if let Some(parent) = open.last_mut() {
                let name = parent.name.take();
                match &mut self.values[parent.id.0] {
                    Value::Array(ids) => ids.push(id),
                    Value::Object(members) => members.push((name.unwrap_or_default(), id)),
                    _ => {}
                }
            }
            let opened = matches!(self.values[id.0], Value::Array(_) | Value::Object(_));
            if opened {
                open.push(Open { id, name: None });
            }
            if self.next_value(&mut open, opened)? {
                break;
            }
        }
        match self.peek() {
            None => Ok(Document { values: self.values }),
            Some(_) => Err(self.expected("the end")),
        }
    }

    /// Closes what ends here and moves to the next value; returns true when everything is closed.
    fn next_value(&mut self, open: &mut Vec<Open>, mut first: bool) -> Result<bool, ReadError> {
        loop {
            let Some(parent) = open.last_mut() else { return Ok(true) };
            let is_object = matches!(self.values[parent.id.0], Value::Object(_));
            if self.eat(if is_object { b'}' } else { b']' }) {
                open.pop();
                first = false;
                continue;
            }
            if !std::mem::take(&mut first) && !self.eat(b',') {
                return Err(self.expected(if is_object { "`,` or `}`" } else { "`,` or `]`" }));
            }
            if is_object {
                if self.peek() != Some(b'"') {
                    return Err(self.expected("a name in quotes"));
                }
                parent.name = Some(self.string()?);
                if !self.eat(b':') {
                    return Err(self.expected("`:`"));
                }
            }
            return Ok(false);
        }
    }

    fn opening_or_scalar(&mut self) -> Result<Id, ReadError> {
        let value = match self.peek() {
            Some(b'{') => {
                self.at += 1;
                Value::Object(Vec::new())
            }
            Some(b'[') => {
                self.at += 1;
                Value::Array(Vec::new())
            }
            Some(b'"') => Value::Text(self.string()?),
            Some(b'-' | b'0'..=b'9') => self.number()?,
            _ => self.word()?,
        };
        self.values.push(value);
        Ok(Id(self.values.len() - 1))
    }

    fn word(&mut self) -> Result<Value, ReadError> {
        for (word, value) in
            [("null", Value::Null), ("true", Value::Bool(true)), ("false", Value::Bool(false))]
        {
            if self.text[self.at..].starts_with(word) {
                self.at += word.len();
                return Ok(value);
            }
        }
        Err(self.expected("a value"))
    }

    fn number(&mut self) -> Result<Value, ReadError> {
        let rest = &self.text[self.at..];
        let end = rest.find(|c: char| !(c.is_ascii_digit() || "+-.eE".contains(c))).unwrap_or(rest.len());
        let number = rest[..end].parse().map_err(|_| self.expected("a number"))?;
        self.at += end;
        Ok(Value::Number(number))
    }

    fn string(&mut self) -> Result<String, ReadError> {
        self.at += 1;
        let mut out = String::new();
        loop {
            let rest = &self.text[self.at..];
            let Some(end) = rest.find(['"', '\\']) else { return Err(self.expected("a closing `\"`")) };
            out.push_str(&rest[..end]);
            self.at += end + 1;
            if rest.as_bytes()[end] == b'"' {
                return Ok(out);
            }
            self.escape(&mut out)?;
        }
    }

    fn escape(&mut self, out: &mut String) -> Result<(), ReadError> {
        let wrong = self.expected("an escape such as \\n or \\u3042");
        let byte = *self.text.as_bytes().get(self.at).ok_or_else(|| wrong.clone())?;
        self.at += 1;
        out.push(match byte {
            b'"' | b'\\' | b'/' => char::from(byte),
            b'b' => '\u{8}',
            b'f' => '\u{c}',
            b'n' => '\n',
            b'r' => '\r',
            b't' => '\t',
            b'u' => {
                let high = self.hex4().ok_or(wrong)?;
                let pair = (0xd800..0xdc00).contains(&high) && self.text[self.at..].starts_with("\\u");
                if pair {
                    self.at += 2;
                    let low = self.hex4().unwrap_or(0);
                    let code = 0x10000 + ((high - 0xd800) << 10) + (low.wrapping_sub(0xdc00) & 0x3ff);
                    char::from_u32(code).unwrap_or(char::REPLACEMENT_CHARACTER)
                } else {
                    char::from_u32(high).unwrap_or(char::REPLACEMENT_CHARACTER)
                }
            }
            _ => {
                self.at -= 1;
                return Err(wrong);
            }
        });
        Ok(())
    }

    fn hex4(&mut self) -> Option<u32> {
        let digits = self.text.get(self.at..self.at + 4)?;
        let value = u32::from_str_radix(digits, 16).ok()?;
        self.at += 4;
        Some(value)
    }
}

/// Writes a string literal.
pub(super) fn write_text(out: &mut String, text: &str) {
    out.push('"');
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            c if c < ' ' => {
                let _ = write!(out, "\\u{:04x}", c as u32);
            }
            c => out.push(c),
        }
    }
    out.push('"');
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_of_every_kind() {
        let doc = Document::parse(
            r#" {"a":[1,-2.5e1,[],{}],"b":{"c":null,"d":true},"e":"\u3042\n\ud842\udfb7","e":"x"} "#,
        )
        .unwrap();
        let a = doc.member(Document::ROOT, "a").unwrap();
        assert_eq!(doc.array(a).len(), 4);
        assert_eq!(doc.count(doc.array(a)[0]), Some(1));
        assert_eq!(doc.value(doc.array(a)[1]), &Value::Number(-25.0));
        let b = doc.member(Document::ROOT, "b").unwrap();
        assert_eq!(doc.member(b, "c"), None);
        assert!(doc.truth(doc.member(b, "d").unwrap()));
        assert_eq!(doc.text(doc.member(Document::ROOT, "e").unwrap()), Some("x"));
        let doc = Document::parse(r#""\u3042\n\ud842\udfb7""#).unwrap();
        assert_eq!(doc.text(Document::ROOT), Some("あ\n𠮷"));
    }

    #[test]
    fn nonsense_is_named() {
        for (text, message) in [
            ("", "JSON at byte 0: expected a value"),
            ("{", "JSON at byte 1: expected a name in quotes"),
            ("[1 2]", "JSON at byte 3: expected `,` or `]`"),
            ("{\"a\" 1}", "JSON at byte 5: expected `:`"),
            ("[1]x", "JSON at byte 3: expected the end"),
            ("\"abc", "JSON at byte 1: expected a closing `\"`"),
            ("\"\\x\"", "JSON at byte 2: expected an escape such as \\n or \\u3042"),
        ] {
            assert_eq!(
                Document::parse(text).err().map(|e| e.to_string()).as_deref(),
                Some(message),
                "{text}"
            );
        }
    }

    #[test]
    fn depth_costs_no_stack() {
        let deep = "[".repeat(1_000_000) + &"]".repeat(1_000_000);
        assert!(Document::parse(&deep).is_ok());
        assert!(Document::parse(&deep[..1_500_000]).is_err());
    }

    #[test]
    fn texts_read_back() {
        let text = "a\"b\\c\n\r\t\u{1}あ𠮷";
        let mut out = String::new();
        write_text(&mut out, text);
        let doc = Document::parse(&out).unwrap();
        assert_eq!(doc.text(Document::ROOT), Some(text));
    }
}
