//! One JSON text from its start to its end, for the border.

use super::op::fault_record;
use super::state::{Fault, Place, State};
use super::tokenizer::{Token, Tokenizer};
use super::tolerance::Rules;
use crate::text::{Machine, Nothing, Outcome, Sink, Stretch};

/// Reads one text up to its first fault. Records are those of `op.rs`.
#[derive(Clone, Copy, Debug)]
#[cfg_attr(feature = "debug", derive(serde::Serialize))]
pub struct JsonReading {
    json: Tokenizer,
    has_failed: bool,
}

impl JsonReading {
    /// Before a text.
    #[must_use]
    pub const fn new(rules: Rules, max_depth: u16) -> JsonReading {
        JsonReading { json: Tokenizer::new(rules, max_depth), has_failed: false }
    }

    /// The rules that something was read by.
    #[must_use]
    pub fn used(&self) -> Rules {
        self.json.used()
    }

    /// Whether a fault was recorded.
    #[must_use]
    pub fn has_failed(&self) -> bool {
        self.has_failed
    }

    /// What the end of the text, which is `length` units long, adds.
    fn end(&mut self, length: u32, sink: &mut impl Sink) {
        if self.has_failed {
            return;
        }
        let (is_whole, has_ended, state) = (self.json.is_whole(), self.json.can_end(), self.json.state());
        let number = self.json.open_number(length);
        let last = self.json.finish(length);
        // What ends with the text is recorded, though what is around it may be open.
        if let Some(record) = number.or(last).filter(|_| is_whole || has_ended).and_then(Token::record) {
            sink.record(record);
        }
        if !is_whole {
            self.has_failed = true;
            let place = if has_ended { State::At(Place::After) } else { state.0 };
            sink.record(fault_record(None, place, state.1, length));
        }
    }

    fn fail(&mut self, fault: Fault, at: u32, sink: &mut impl Sink) {
        self.has_failed = true;
        let (state, inside) = self.json.place_of_fault();
        sink.record(fault_record(Some(fault), state, inside, at));
    }
}

/// Places count from the start of the text: all of it is pending up to its end.
impl Machine for JsonReading {
    type Ask = Nothing;
    type Answer = Nothing;
    type Mode = Nothing;
    type Table = ();

    fn run(&mut self, (): &(), text: &mut Stretch<'_>, sink: &mut impl Sink) -> Outcome<Nothing> {
        while !self.has_failed && !sink.lacks_room_for(3) {
            let Some(token) = self.json.next(text) else { break };
            if let Some(fault) = self.json.fault_of(token) {
                self.fail(fault, token.start, sink);
            } else if let Some(record) = token.record() {
                sink.record(record);
            }
        }
        if text.is_at_end()
            && !self.has_failed
            && let Some(piece) = self.json.rest(text)
            && let Some(record) = piece.record()
        {
            sink.record(record);
        }
        Outcome::new(text.here(), 0)
    }

    fn finish(&mut self, held: u32, sink: &mut impl Sink) -> Outcome<Nothing> {
        self.end(held, sink);
        Outcome::new(held, 0)
    }

    fn answer(&mut self, _: Nothing) {}

    fn mode(&self) -> Nothing {
        Nothing::Read
    }
}

#[cfg(test)]
mod tests {
    use super::super::op::JsonOp;
    use super::super::tolerance::Rule;
    use super::*;

    /// The records of a text in pieces of a size: the op's number and the text of its place.
    fn recorded(text: &str, size: usize, rules: Rules) -> (JsonReading, Vec<String>) {
        let mut reading = JsonReading::new(rules, 512);
        let (mut records, mut at) = (Vec::new(), 0);
        let mut end = 0;
        while end < text.len() {
            end = (end + size).min(text.len());
            let mut stretch = Stretch::new(text.as_bytes().get(at as usize..end).unwrap_or_default(), at, false);
            at = reading.run(&(), &mut stretch, &mut records).next;
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
        let (reading, lines) = recorded(r#"{"a": [1, "b"], "c": null}"#, 99, Rules::STRICT);
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
        assert_eq!(recorded("-12", 99, Rules::STRICT).1, [line(Number, "-12")]);
        // The string so far is recorded at the end of each stretch.
        assert_eq!(recorded("\"abcd\"", 3, Rules::STRICT).1, [line(JsonOp::Piece, "ab"), line(End, "cd")]);
    }

    #[test]
    fn after_a_fault_nothing_is_recorded() {
        for (text, before) in [("[1 2]", 2), ("[@, 1]", 1), ("[1, 2", 3), (r#"["a\q", 1]"#, 2), ("[1]]", 3)] {
            let (reading, lines) = recorded(text, 99, Rules::STRICT);
            assert!(reading.has_failed() && lines.len() == before + 1, "{text}: {lines:?}");
            assert!(lines.last().is_some_and(|last| *last == line(JsonOp::Fault, "")), "{text}: {lines:?}");
        }
    }

    #[test]
    fn what_escapes_nothing_may_be_text() {
        let strings = |text: &str| recorded(text, 99, Rules::KEPT).1.concat();
        for kept in [r"\q", r"\'b", r"\x41", r"\u12zz"] {
            let expected = [line(JsonOp::Piece, "a"), line(JsonOp::End, kept)].concat();
            assert_eq!(strings(&format!("\"a{kept}\"")), expected, "{kept}");
        }
    }

    #[test]
    fn the_rules_that_were_needed_are_known() {
        let rules = Rules::STRICT.with(Rule::TrailingComma);
        assert_eq!(recorded("[1,]", 99, rules).0.used(), rules);
        assert_eq!(recorded("[1]", 99, rules).0.used(), Rules::STRICT);
    }
}
