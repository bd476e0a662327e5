//! The header of a sentinel.
//!
//! ```text
//! sentinel ::= '[[SEG_START' space* object space* ']]' content '[[SEG_END]]'
//! ```
//!
//! Source: seeds/000, "Sentinel Format". The object is JSON as RFC 8259 has it;
//! the member `type` says what the segment is.

use super::op::SegmentType;
use super::word::Word;
use crate::json::{Container, DEEPEST, Kind, Rules, Tokenizer};
use crate::text::{Stretch, trim};

/// What `type` may be besides the names of the types, in any case of letters.
const ALIASES: [(&str, SegmentType); 2] = [("tool", SegmentType::ToolCall), ("run_terminal_cmd", SegmentType::RunBash)];

/// Reads one header's object.
#[derive(Clone, Copy, Debug)]
#[cfg_attr(feature = "debug", derive(serde::Serialize))]
pub(super) struct Header {
    json: Tokenizer,
    /// The member's name, or its value where that counts.
    word: Word,
    is_type: bool,
    /// The tool's name, which of the members has it, and where it stands.
    name: Word,
    named_by: Option<Naming>,
    name_at: Option<(u32, u32)>,
    /// The member whose value is being read, and where it begins.
    naming: Option<Naming>,
    value_from: Option<u32>,
    /// The last `type` counts, as it does in JavaScript.
    segment_type: Option<SegmentType>,
    /// Where the object begins, once it does.
    from: Option<u32>,
}

/// The members that name a tool. The first one goes before the second.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[cfg_attr(feature = "debug", derive(serde::Serialize))]
enum Naming {
    ToolName,
    Name,
}

/// What a stretch led to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum HeaderState {
    /// The stretch is at its end.
    Pending,
    /// The object is whole, and stands at the place.
    Whole { from: u32, to: u32 },
    /// Malformed from this place on.
    Bad(u32),
}

impl Header {
    pub(super) const START: Header = Header {
        json: Tokenizer::new(Rules::KEPT, DEEPEST),
        word: Word::EMPTY,
        is_type: false,
        name: Word::EMPTY,
        named_by: None,
        name_at: None,
        naming: None,
        value_from: None,
        segment_type: None,
        from: None,
    };

    /// What the segment is.
    pub(super) fn segment_type(&self) -> Option<SegmentType> {
        self.segment_type
    }

    /// The tool's name, if it isn't too long.
    pub(super) fn name(&self) -> Option<&[u8]> {
        self.named_by.and_then(|_| self.name.text())
    }

    /// Where the tool's name stands, as it is written in a JSON string.
    pub(super) fn name_at(&self) -> Option<(u32, u32)> {
        self.name_at
    }

    /// Reads on.
    pub(super) fn read(&mut self, text: &mut Stretch<'_>) -> HeaderState {
        while let Some(token) = self.json.next(text) {
            let depth = self.json.depth();
            match token.kind {
                Kind::Push(Container::Object) if depth == 1 => self.from = Some(token.start),
                Kind::Pop(_) if depth == 0 => {
                    return HeaderState::Whole { from: self.from.unwrap_or(token.start), to: token.end };
                }
                Kind::Stumble | Kind::Fault(_) => return HeaderState::Bad(token.start),
                _ if self.from.is_none() => return HeaderState::Bad(token.start),
                kind @ (Kind::Push(_)
                | Kind::Pop(_)
                | Kind::Piece { .. }
                | Kind::Character { .. }
                | Kind::Text { .. }
                | Kind::Number
                | Kind::CutNumber
                | Kind::Word(_)) => {
                    if depth == 1 {
                        self.member(kind, (token.start, token.end), text.slice(token.start, token.end));
                    }
                }
            }
        }
        if let Some(token) = self.json.rest(text) {
            if self.from.is_none() {
                return HeaderState::Bad(token.start);
            }
            if self.json.depth() == 1 {
                self.member(token.kind, (token.start, token.end), text.slice(token.start, token.end));
            }
        }
        HeaderState::Pending
    }

    /// What is undecided begins further back by so many units.
    pub(super) fn release(&mut self, units: u32) {
        self.json.release(units);
        let back = |place: u32| place.saturating_sub(units);
        self.from = self.from.map(back);
        self.value_from = self.value_from.map(back);
        self.name_at = self.name_at.map(|(from, to)| (back(from), back(to)));
    }

    /// A token of a member of the header. A text that isn't in the stretch has
    /// half a surrogate pair, and is not a word that counts.
    fn member(&mut self, kind: Kind, at: (u32, u32), text: Option<&[u8]>) {
        let is_value = match kind {
            Kind::Piece { is_key } | Kind::Character { is_key, .. } | Kind::Text { is_key } => !is_key,
            Kind::Number | Kind::CutNumber | Kind::Word(_) | Kind::Push(_) | Kind::Pop(_) => {
                if std::mem::take(&mut self.is_type) {
                    self.segment_type = None;
                }
                // A number names nothing, and if a member comes twice, the last one counts.
                if let Some(naming) = self.naming.take()
                    && self.named_by == Some(naming)
                {
                    self.named_by = None;
                    self.name_at = None;
                }
                return;
            }
            Kind::Stumble | Kind::Fault(_) => return,
        };
        if is_value {
            self.value_from.get_or_insert(at.0);
        }
        if let Kind::Character { code, .. } = kind {
            let mut bytes = [0; 4];
            let c = char::from_u32(code).unwrap_or(char::REPLACEMENT_CHARACTER);
            self.word.add(c.encode_utf8(&mut bytes).as_bytes());
            return;
        }
        self.word.add(text.unwrap_or("\u{FFFD}".as_bytes()));
        if !matches!(kind, Kind::Text { .. }) {
            return;
        }
        if is_value {
            if std::mem::take(&mut self.is_type) {
                self.segment_type = self.word.text().and_then(type_of);
            }
            let from = self.value_from.take().unwrap_or(at.0);
            if let Some(naming) = self.naming.take()
                && self.named_by.is_none_or(|other| naming <= other)
            {
                let is_blank = self.word.text().is_some_and(|name| trim(name).is_empty());
                if !is_blank || self.named_by == Some(naming) {
                    self.named_by = (!is_blank).then_some(naming);
                    self.name_at = (!is_blank).then_some((from, at.1));
                    self.name = self.word;
                }
            }
        } else {
            self.is_type = self.word.text() == Some(b"type");
            self.value_from = None;
            self.naming = match self.word.text() {
                Some(b"tool_name") => Some(Naming::ToolName),
                Some(b"name") => Some(Naming::Name),
                _ => None,
            };
        }
        self.word.clear();
    }
}

/// The type of a name, with any white space around it.
fn type_of(name: &[u8]) -> Option<SegmentType> {
    let name = trim(name);
    let is_it = |known: &str| known.as_bytes().eq_ignore_ascii_case(name);
    let named = SegmentType::NAMES.iter().position(|known| is_it(known));
    let named = named.and_then(|at| SegmentType::from_number(at as u32)).filter(|&known| known != SegmentType::Own);
    named.or_else(|| ALIASES.iter().find(|(known, _)| is_it(known)).map(|&(_, segment_type)| segment_type))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> (HeaderState, Option<SegmentType>) {
        let mut header = Header::START;
        let mut stretch = Stretch::new(text.as_bytes(), 0, text.is_ascii());
        (header.read(&mut stretch), header.segment_type())
    }

    #[test]
    fn the_type_is_the_last_string_of_that_name_at_the_first_level() {
        for (text, segment_type) in [
            (r#"{"type":"write_file"}"#, Some(SegmentType::WriteFile)),
            (r#" {"a":{"type":"text"},"type":" RUN_bash "}"#, Some(SegmentType::RunBash)),
            (r#"{"type":"tool","type":"text"}"#, Some(SegmentType::Text)),
            (r#"{"type":"tool","type":5}"#, None),
            (r#"{"type":["text"]}"#, None),
            (r#"{"t\u0079pe":"\u0074ext"}"#, Some(SegmentType::Text)),
            (r#"{"x":"type","y":"text"}"#, None),
            (r#"{"type":"nope"}"#, None),
            ("{}", None),
        ] {
            let (reading, read) = read(text);
            assert!(matches!(reading, HeaderState::Whole { .. }), "{text} {reading:?}");
            assert_eq!(read, segment_type, "{text}");
        }
    }

    #[test]
    fn other_json_is_no_header() {
        for (text, at) in [("5 ", 0), ("\"x\"", 1), ("[1]", 0), ("null ", 0), ("{type}", 1), ("{\"a\":}", 5), ("", 9)] {
            let expected = if at == 9 { HeaderState::Pending } else { HeaderState::Bad(at) };
            assert_eq!(read(text).0, expected, "{text}");
        }
    }
}
