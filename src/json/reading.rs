//! One JSON text from its start to its end, for the border.

use super::op::fault_record;
use super::state::{Fault, Place, State};
use super::tokenizer::{Kind, Token, Tokenizer};
use super::tolerance::Rules;
use crate::text::{Sink, Stretch};

/// Reads one text up to its first fault. Records are those of `op.rs`.
#[derive(Clone, Copy, Debug)]
pub struct JsonReading {
    json: Tokenizer,
    keeps_escapes: bool,
    has_failed: bool,
}

impl JsonReading {
    /// In front of a text. `keeps_escapes`: a backslash that escapes nothing is
    /// text, and no fault.
    #[must_use]
    pub const fn new(rules: Rules, keeps_escapes: bool, max_depth: u16) -> JsonReading {
        JsonReading { json: Tokenizer::new(rules, max_depth), keeps_escapes, has_failed: false }
    }

    /// The rules that something was read by.
    #[must_use]
    pub fn used(&self) -> Rules {
        self.json.used()
    }

    /// Whether a fault was told.
    #[must_use]
    pub fn has_failed(&self) -> bool {
        self.has_failed
    }

    /// Reads a stretch that begins at unit `from` of the text; gives the unit
    /// where to read on.
    pub fn run(&mut self, bytes: &[u8], from: u32, sink: &mut impl Sink) -> u32 {
        let mut text = Stretch::new(bytes, from, false);
        while !self.has_failed && !sink.lacks_room_for(3) {
            let Some(token) = self.json.next(&mut text) else { break };
            if token.kind == Kind::Fault(Fault::BadEscape) && self.keeps_escapes {
                // What escapes nothing stays as it is; a quote needs no backslash.
                if text.rest().first() == Some(&b'\'') {
                    self.json.drop_backslash();
                }
            } else if let Kind::Stumble | Kind::Fault(_) = token.kind {
                self.fail(token.kind, token.start, sink);
            } else if let Some(record) = token.record() {
                sink.record(record);
            }
        }
        if text.is_at_end()
            && !self.has_failed
            && let Some(piece) = self.json.rest(&mut text)
            && let Some(record) = piece.record()
        {
            sink.record(record);
        }
        text.here()
    }

    fn fail(&mut self, kind: Kind, at: u32, sink: &mut impl Sink) {
        self.has_failed = true;
        let (state, inside) = self.json.place_of_fault();
        let fault = if let Kind::Fault(fault) = kind { fault } else { self.json.fault() };
        sink.record(fault_record(Some(fault), state, inside, at));
    }

    /// The end of the text, which is `length` units long.
    pub fn finish(&mut self, length: u32, sink: &mut impl Sink) {
        if self.has_failed {
            return;
        }
        let (is_whole, has_ended, state) = (self.json.is_whole(), self.json.can_end(), self.json.state());
        let number = self.json.open_number(length);
        let last = self.json.finish(length);
        // What ends with the text is told, though what is around it may be open.
        if let Some(record) = number.or(last).filter(|_| is_whole || has_ended).and_then(Token::record) {
            sink.record(record);
        }
        if !is_whole {
            self.has_failed = true;
            let place = if has_ended { State::At(Place::After) } else { state.0 };
            sink.record(fault_record(None, place, state.1, length));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::op::JsonOp;
    use super::super::tolerance::Rule;
    use super::*;

    /// What is told of a text in pieces of a size: the op's number and the text of its place.
    fn told(text: &str, size: usize, rules: Rules, keeps_escapes: bool) -> (JsonReading, Vec<String>) {
        let mut reading = JsonReading::new(rules, keeps_escapes, 512);
        let (mut records, mut at) = (Vec::new(), 0);
        let mut end = 0;
        while end < text.len() {
            end = (end + size).min(text.len());
            at = reading.run(text.as_bytes().get(at as usize..end).unwrap_or_default(), at, &mut records);
        }
        reading.finish(text.len() as u32, &mut records);
        let lines = records
            .iter()
            .map(|record| {
                let place = text.get(record.start as usize..record.end as usize).unwrap_or_default();
                format!("{} {place}", record.word & 0xF)
            })
            .collect();
        (reading, lines)
    }

    fn line(op: JsonOp, text: &str) -> String {
        format!("{} {text}", op as u32)
    }

    #[test]
    fn a_text_from_its_start_to_its_end() {
        use JsonOp::{Array, Close, End, KeyEnd, Number, Object, Word};
        let (reading, lines) = told(r#"{"a": [1, "b"], "c": null}"#, 99, Rules::STRICT, false);
        let expected = [
            (Object, "{"),
            (KeyEnd, "a"),
            (Array, "["),
            (Number, "1"),
            (End, "b"),
            (Close, "]"),
            (KeyEnd, "c"),
            (Word, "null"),
            (Close, "}"),
        ];
        assert_eq!(lines, expected.map(|(op, text)| line(op, text)));
        assert!(!reading.has_failed() && reading.used() == Rules::STRICT);
        assert_eq!(told("-12", 99, Rules::STRICT, false).1, [line(Number, "-12")]);
        // What is there of a string is told at the end of each stretch.
        assert_eq!(told("\"abcd\"", 3, Rules::STRICT, false).1, [line(JsonOp::Piece, "ab"), line(End, "cd")]);
    }

    #[test]
    fn after_a_fault_nothing_is_told() {
        for (text, before) in [("[1 2]", 2), ("[@, 1]", 1), ("[1, 2", 3), (r#"["a\q", 1]"#, 2), ("[1]]", 3)] {
            let (reading, lines) = told(text, 99, Rules::STRICT, false);
            assert!(reading.has_failed() && lines.len() == before + 1, "{text}: {lines:?}");
            assert!(lines.last().is_some_and(|last| *last == line(JsonOp::Fault, "")), "{text}: {lines:?}");
        }
    }

    #[test]
    fn what_escapes_nothing_may_be_text() {
        let strings = |text| told(text, 99, Rules::STRICT, true).1.concat();
        assert_eq!(strings(r#""a\q""#), [line(JsonOp::Piece, "a"), line(JsonOp::End, r"\q")].concat());
        // A quote needs no backslash.
        assert_eq!(strings(r#""a\'b""#), [line(JsonOp::Piece, "a"), line(JsonOp::End, "'b")].concat());
    }

    #[test]
    fn the_rules_that_were_needed_are_known() {
        let rules = Rules::STRICT.with(Rule::TrailingComma);
        assert_eq!(told("[1,]", 99, rules, false).0.used(), rules);
        assert_eq!(told("[1]", 99, rules, false).0.used(), Rules::STRICT);
    }
}
