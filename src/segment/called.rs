//! The name of the tool that a JSON text calls, as the text is written.
//!
//! ```text
//! calls ::= call | '[' calls … ']' | '{' … ('tool_calls' | 'tools' | 'tool') ':' calls … '}'
//! call  ::= '{' … ('name' | 'function' | 'tool') ':' string … '}', or inside `function` or `tool`
//! ```
//!
//! The first name decides. Objects of other members, the arguments above all,
//! contain no tool names. The shapes are those of
//! `pkg-template/src/segments/json-calls.ts`, which reads the whole text.

use super::word::Word;
use crate::json::{Container, DEEPEST, Kind, RuleSet, Tokenizer};
use crate::text::{Stretch, whitespace_len};

/// What the value of a member, or the elements of a list, may be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "debug", derive(serde::Serialize))]
enum Value {
    /// The name.
    Name,
    /// What has the name in it.
    Calls,
    /// Either of these.
    Both,
    /// Neither.
    Other,
}

/// What the members are called.
const MEMBERS: [(&[u8], Value); 5] = [
    (b"name", Value::Name),
    (b"function", Value::Both),
    (b"tool", Value::Both),
    (b"tools", Value::Calls),
    (b"tool_calls", Value::Calls),
];

/// Looks for the name in one text.
#[derive(Clone, Copy, Debug)]
#[cfg_attr(feature = "debug", derive(serde::Serialize))]
pub(super) struct Called {
    json: Tokenizer,
    /// A member's name, or the tool's.
    word: Word,
    value: Value,
    /// The depth of the container that is passed over.
    passed: Option<u16>,
    /// Where the tool's name begins, once it does.
    from: Option<u32>,
    is_blank: bool,
}

/// What a stretch led to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum CalleeState {
    /// The stretch is at its end.
    Pending,
    /// The name is whole, and stands at the place.
    Name { from: u32, to: u32 },
    /// No name, or the text is not JSON.
    Nothing,
}

impl Called {
    pub(super) const START: Called = Called {
        json: Tokenizer::new(RuleSet::Call.rules(), DEEPEST),
        word: Word::EMPTY,
        value: Value::Calls,
        passed: None,
        from: None,
        is_blank: true,
    };

    /// The tool's name, if it isn't too long.
    pub(super) fn name(&self) -> Option<&[u8]> {
        self.word.text()
    }

    /// What is undecided begins further back by so many units.
    pub(super) fn release(&mut self, units: u32) {
        self.json.release(units);
        self.from = self.from.map(|from| from.saturating_sub(units));
    }

    /// Reads on.
    pub(super) fn read(&mut self, text: &mut Stretch<'_>) -> CalleeState {
        while let Some(token) = self.json.next(text) {
            if let Some(reading) = self.take(token.kind, token.start, token.end, text) {
                return reading;
            }
        }
        if let Some(token) = self.json.rest(text)
            && let Some(reading) = self.take(token.kind, token.start, token.end, text)
        {
            return reading;
        }
        CalleeState::Pending
    }

    fn take(&mut self, kind: Kind, start: u32, end: u32, text: &mut Stretch<'_>) -> Option<CalleeState> {
        let depth = self.json.depth();
        match kind {
            Kind::Stumble | Kind::Fault(_) => return Some(CalleeState::Nothing),
            Kind::Pop(_) if depth == 0 => return Some(CalleeState::Nothing),
            Kind::Pop(_) => {
                self.passed = self.passed.filter(|&passed| depth >= passed);
                self.value = if self.json.state().1 == Container::Array { Value::Calls } else { Value::Other };
            }
            _ if self.passed.is_some() => {}
            Kind::Push(container) => {
                if matches!(self.value, Value::Name | Value::Other) {
                    self.passed = Some(depth);
                }
                self.value = if container == Container::Array { Value::Calls } else { Value::Other };
                self.word.clear();
            }
            Kind::Piece { is_key } | Kind::Text { is_key } => {
                let bytes = text.slice(start, end).unwrap_or("\u{FFFD}".as_bytes());
                self.add(is_key, start, bytes);
                if matches!(kind, Kind::Text { .. }) {
                    return self.end_text(is_key, end);
                }
            }
            Kind::Character { is_key, code } => {
                let c = char::from_u32(code).unwrap_or(char::REPLACEMENT_CHARACTER);
                self.add(is_key, start, c.encode_utf8(&mut [0; 4]).as_bytes());
            }
            Kind::Number | Kind::CutNumber | Kind::Word(_) => {}
        }
        None
    }

    /// Adds to a member's name, or to the tool's.
    fn add(&mut self, is_key: bool, start: u32, bytes: &[u8]) {
        if !is_key {
            if !matches!(self.value, Value::Name | Value::Both) {
                return;
            }
            if self.from.is_none() {
                self.from = Some(start);
                self.word.clear();
                self.is_blank = true;
            }
            let mut rest = bytes;
            while self.is_blank && !rest.is_empty() {
                let space = whitespace_len(rest);
                self.is_blank = space > 0;
                rest = rest.get(space..).unwrap_or_default();
            }
        }
        self.word.add(bytes);
    }

    /// A string is whole.
    fn end_text(&mut self, is_key: bool, end: u32) -> Option<CalleeState> {
        if is_key {
            let key = self.word.text().unwrap_or_default();
            self.value = MEMBERS.iter().find(|(name, _)| *name == key).map_or(Value::Other, |&(_, value)| value);
            self.word.clear();
            return None;
        }
        let from = self.from.take()?;
        (!self.is_blank).then_some(CalleeState::Name { from, to: end })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The name that is found, at every cut.
    fn name_in(text: &str) -> Option<String> {
        let read = |cut: usize| {
            let mut called = Called::START;
            let mut from = 0;
            for part in [text.get(..cut)?, text.get(cut..)?] {
                let mut stretch = Stretch::new(part.as_bytes(), from, part.is_ascii());
                match called.read(&mut stretch) {
                    CalleeState::Pending => from += crate::text::utf16_len(part.as_bytes()),
                    CalleeState::Nothing => return Some(None),
                    CalleeState::Name { from, to } => return Some(Some((from, to, called.name().map(<[u8]>::to_vec)))),
                }
            }
            Some(None)
        };
        let whole = read(0).flatten();
        for cut in 0..text.len() {
            if let Some(found) = read(cut) {
                assert_eq!(found, whole, "{text} cut at {cut}");
            }
        }
        let (from, to, name) = whole?;
        assert!(from < to);
        String::from_utf8(name?).ok()
    }

    #[test]
    fn the_first_name_that_is_none_of_an_argument() {
        for (text, name) in [
            (r#"{"tool":{"function":"f","parameters":{"name":"no"}}}"#, Some("f")),
            (r#"{"tool":{"parameters":{"name":"no","tool":{"name":"no"}},"function":"f"}}"#, Some("f")),
            (r#"{"function":{"arguments":"{}","name":"f"}}"#, Some("f")),
            (r#"{"tool_calls":[{"id":"x","type":"function","function":{"name":"f"}}]}"#, Some("f")),
            (r#"{"tools":[5,[{"tool":"f"}]]}"#, Some("f")),
            (r#"{"tools":["no",{"name":" "},{"name":"é🙂"}]}"#, Some("é🙂")),
            (r#"{"name":{"name":"no"},"n\u0061me":"f\u0067"}"#, Some("fg")),
            (r#"[{"a":[1,{"name":"no"}],"name":"f"}]"#, Some("f")),
            (r#"{"a":{"b":{"name":"no"}},"tool":5}"#, None),
            (r#"{"call":{"name":"no"}}"#, None),
            (r#"{"tool":{,"name":"no"}}"#, None),
            (r#"{"tool":{"name":"unclosed"#, None),
        ] {
            assert_eq!(name_in(text).as_deref(), name, "{text}");
        }
    }
}
