//! The arguments of a call with each key once.
//!
//! A model may write an argument twice. What was emitted of it can't be taken back, so the arguments come again:
//! with the last value, or with all of them.

use std::collections::HashMap;

/// What an argument that comes again is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Repeats {
    /// The last value counts.
    Last,
    /// All values together are a list.
    Listed,
    /// All values together are a list, also in the objects of a value.
    ListedAnywhere,
}

/// Names that JavaScript's objects inherit.
const UNSAFE: [&str; 3] = ["\"__proto__\"", "\"constructor\"", "\"prototype\""];

/// What the keys of arguments are.
#[derive(Debug, Default)]
pub(super) struct Keys {
    /// The arguments with each key once, if one came twice.
    pub once: Option<String>,
    /// Whether one is a name that JavaScript's objects inherit.
    pub is_unsafe: bool,
}

/// A value, as the writer wrote it.
enum Value<'a> {
    Scalar(&'a str),
    List(Vec<Value<'a>>),
    Object(Vec<(&'a str, Vec<Value<'a>>)>),
}

/// Looks for keys that came twice in JSON that `JsonWriter` wrote, which has no layout.
pub(super) fn each_key_once(json: &str, repeats: Repeats) -> Keys {
    let mut reader = Reader { json, at: 0, is_twice: false, is_unsafe: false };
    let value = reader.value();
    let once = reader.is_twice.then(|| {
        let mut text = String::new();
        write(&value, repeats, &mut text);
        text
    });
    Keys { once, is_unsafe: reader.is_unsafe }
}

struct Reader<'a> {
    json: &'a str,
    at: usize,
    is_twice: bool,
    is_unsafe: bool,
}

impl<'a> Reader<'a> {
    fn byte(&self) -> u8 {
        self.json.as_bytes().get(self.at).copied().unwrap_or_default()
    }

    /// Passes a byte if it comes next.
    fn pass(&mut self, byte: u8) -> bool {
        let is_next = self.byte() == byte;
        self.at += usize::from(is_next);
        is_next
    }

    /// Nested as deep as arguments may be, and no deeper.
    fn value(&mut self) -> Value<'a> {
        if self.pass(b'[') {
            let mut items = Vec::new();
            while !self.pass(b']') && self.at < self.json.len() {
                items.push(self.value());
                self.pass(b',');
            }
            return Value::List(items);
        }
        if self.pass(b'{') {
            return Value::Object(self.members());
        }
        Value::Scalar(self.scalar())
    }

    fn members(&mut self) -> Vec<(&'a str, Vec<Value<'a>>)> {
        let mut members: Vec<(&str, Vec<Value<'_>>)> = Vec::new();
        let mut places = HashMap::new();
        while !self.pass(b'}') && self.at < self.json.len() {
            let key = self.scalar();
            self.pass(b':');
            let value = self.value();
            self.pass(b',');
            self.is_unsafe |= UNSAFE.contains(&key);
            let place = *places.entry(key).or_insert(members.len());
            match members.get_mut(place) {
                Some((_, values)) => {
                    self.is_twice = true;
                    values.push(value);
                }
                None => members.push((key, vec![value])),
            }
        }
        members
    }

    /// A string, a number or a word.
    fn scalar(&mut self) -> &'a str {
        let from = self.at;
        if self.pass(b'"') {
            while self.at < self.json.len() && !self.pass(b'"') {
                self.at += if self.byte() == b'\\' { 2 } else { 1 };
            }
        } else {
            while self.at < self.json.len() && !matches!(self.byte(), b',' | b':' | b']' | b'}') {
                self.at += 1;
            }
        }
        self.json.get(from..self.at).unwrap_or_default()
    }
}

fn write(value: &Value<'_>, repeats: Repeats, text: &mut String) {
    let inside = if repeats == Repeats::ListedAnywhere { repeats } else { Repeats::Last };
    match value {
        Value::Scalar(scalar) => text.push_str(scalar),
        Value::List(items) => list(items, inside, text),
        Value::Object(members) => {
            text.push('{');
            for (at, (key, values)) in members.iter().enumerate() {
                text.push_str(if at == 0 { "" } else { "," });
                text.push_str(key);
                text.push(':');
                match values.last() {
                    Some(last) if values.len() == 1 || repeats == Repeats::Last => write(last, inside, text),
                    _ => list(values, inside, text),
                }
            }
            text.push('}');
        }
    }
}

fn list(items: &[Value<'_>], inside: Repeats, text: &mut String) {
    text.push('[');
    for (at, item) in items.iter().enumerate() {
        text.push_str(if at == 0 { "" } else { "," });
        write(item, inside, text);
    }
    text.push(']');
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_value_counts_or_all_of_them() {
        let json = r#"{"a":1,"b":{"c":[{}],"c":"}\""},"a":[2,"]"]}"#;
        for (repeats, once) in [
            (Repeats::Last, r#"{"a":[2,"]"],"b":{"c":"}\""}}"#),
            (Repeats::Listed, r#"{"a":[1,[2,"]"]],"b":{"c":"}\""}}"#),
            (Repeats::ListedAnywhere, r#"{"a":[1,[2,"]"]],"b":{"c":[[{}],"}\""]}}"#),
        ] {
            assert_eq!(each_key_once(json, repeats).once.as_deref(), Some(once));
            assert!(each_key_once(once, repeats).once.is_none());
        }
        assert!(each_key_once(r#"{"a":{"__proto__":1}}"#, Repeats::Last).is_unsafe);
        assert!(!each_key_once(r#"{"a":"__proto__"}"#, Repeats::Last).is_unsafe);
    }
}
