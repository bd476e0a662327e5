//! One JSON text from its start to its end, for the border; or one object or array
//! in a text that goes on after it.

use super::op::{JsonFlag, fault_record};
use super::state::{Fault, Place, State};
use super::tokenizer::{Kind, Token, Tokenizer};
use super::tolerance::Rules;
use crate::text::{Machine, Nothing, Outcome, Sink, Stretch};

/// Reads one text up to its first fault. Records are those of `op.rs`.
#[derive(Clone, Copy, Debug)]
#[cfg_attr(feature = "debug", derive(serde::Serialize))]
pub struct JsonReading {
    json: Tokenizer,
    /// Whether it reads one object or array, and not all of the text.
    is_value: bool,
    has_failed: bool,
    has_ended: bool,
    lacks_closers: bool,
}

impl JsonReading {
    /// Before a text.
    #[must_use]
    pub const fn new(rules: Rules, max_depth: u16) -> JsonReading {
        JsonReading {
            json: Tokenizer::new(rules, max_depth),
            is_value: false,
            has_failed: false,
            has_ended: false,
            lacks_closers: false,
        }
    }

    /// Before the opening bracket of an object or array, which ends at the bracket
    /// that closes it. After a fault nothing is recorded, but its end is still found.
    #[must_use]
    pub const fn of_value(rules: Rules, max_depth: u16) -> JsonReading {
        JsonReading { is_value: true, ..JsonReading::new(rules, max_depth) }
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

    /// Whether the object or array was closed; the last `run` gave the unit after it.
    #[must_use]
    pub fn has_ended(&self) -> bool {
        self.has_ended
    }

    /// Whether nothing but closing brackets was missing at the end of the text: it
    /// ends after a complete value.
    #[must_use]
    pub fn lacks_closers(&self) -> bool {
        self.lacks_closers
    }

    /// Whether there is nothing more to read.
    fn is_over(&self) -> bool {
        self.has_ended || (self.has_failed && !self.is_value)
    }

    /// What the end of the text, which is `length` units long, adds.
    fn end(&mut self, length: u32, sink: &mut impl Sink) {
        if self.has_failed || self.has_ended {
            return;
        }
        let (is_whole, has_ended, state) = (self.json.is_whole(), self.json.can_end(), self.json.state());
        let number = self.json.open_number(length);
        let last = self.json.finish(length);
        self.lacks_closers = !is_whole && (number.is_some() || state.0 == State::At(Place::After));
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
        while !self.is_over() && !sink.lacks_room_for(3) {
            let Some(token) = self.json.next(text) else { break };
            self.has_ended = self.is_value && matches!(token.kind, Kind::Pop(_)) && self.json.depth() == 0;
            if self.has_failed {
                // What follows a fault is read for the closing bracket alone.
            } else if let Some(fault) = self.json.fault_of(token) {
                self.fail(fault, token.start, sink);
            } else if let Some(record) = token.record() {
                sink.record(record);
            }
        }
        if text.is_at_end()
            && !self.has_failed
            && !self.has_ended
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

    /// Whether it has failed, whether the object or array has ended, and whether it lacks closing brackets alone.
    fn flags(&self) -> u32 {
        let bit = |is_set: bool, flag: JsonFlag| if is_set { flag as u32 } else { 0 };
        bit(self.has_failed, JsonFlag::Failed)
            | bit(self.has_ended, JsonFlag::Ended)
            | bit(self.lacks_closers, JsonFlag::LacksClosers)
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

    /// Reads the object or array at the start of a text in pieces of a size: its end,
    /// whether there was a fault, and whether it lacks closing brackets alone.
    fn value(text: &str, size: usize) -> (Option<u32>, bool, bool) {
        let mut reading = JsonReading::of_value(Rules::CALL.without(Rule::UnescapedQuote), 512);
        let (mut records, mut at, mut end) = (Vec::new(), 0, 0);
        while end < text.len() && !reading.has_ended() {
            end = (end + size).min(text.len());
            let mut stretch = Stretch::new(text.as_bytes().get(at as usize..end).unwrap_or_default(), at, false);
            at = reading.run(&(), &mut stretch, &mut records).next;
        }
        reading.finish(text.len() as u32, &mut records);
        let end = reading.has_ended().then_some(at);
        assert!(end.is_none() || !reading.lacks_closers(), "{text}");
        (end, reading.has_failed(), reading.lacks_closers())
    }

    #[test]
    fn a_value_ends_at_its_closing_bracket() {
        for size in 1..40 {
            assert_eq!(value(r#"{"a": [1, "}"]} and }"#, size), (Some(15), false, false));
            assert_eq!(value("[{}]x", size), (Some(4), false, false));
            // Its end is found after a fault, too.
            assert_eq!(value(r#"{"a": "b" c", "d": {"e": 1}} x"#, size), (Some(28), true, false));
            assert_eq!(value(r#"{"a": <b>, "d": {"e": 1}} x"#, size), (Some(25), true, false));
            assert_eq!(value("{a b [c] {d}} x", size), (Some(13), true, false));
        }
    }

    #[test]
    fn what_is_missing_at_the_end_is_known() {
        let lacking =
            [r#"{"a": {"b": 1"#, r#"{"a": "b""#, r#"[{"a": 1.5} "#, r#"{"a": true"#, r#"{"a": []"#, "{\"a\": null\n"];
        for text in lacking {
            assert_eq!(value(text, 99), (None, true, true), "{text}");
        }
        let others = [
            "{",
            r#"{"a"#,
            r#"{"a""#,
            r#"{"a":"#,
            r#"{"a": "b"#,
            r#"{"a": tru"#,
            r#"{"a": yes"#,
            r#"{"a": -"#,
            r#"{"a": 1."#,
            r#"{"a": 1,"#,
            r#"{"a": 1 //"#,
            "[",
            "[1 2",
        ];
        for text in others {
            assert_eq!(value(text, 99), (None, true, false), "{text}");
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
