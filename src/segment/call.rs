//! The arguments of one API tool call, as their JSON text is written: the
//! top-level strings that are asked for, and where the object ends.
//!
//! Source: spec/segment.md, "API tool calls".
//! Differences: by the JSON tokenizer, so that `\u` escapes are characters and
//! a `path` further inside is not the path (the reference's extractor handles neither).

use super::op::CallOp;
use super::word::Word;
use crate::json::{Container, DEEPEST, Kind, RuleSet, STRING_STOPS, Tokenizer};
use crate::text::{Machine, Nothing, Outcome, Sink, Stretch, numbered};

/// Most strings that are asked for.
const NAMES: usize = 2;

/// The machine. Plain bytes without pointers, so that it can be copied.
#[derive(Clone, Copy, Debug)]
#[cfg_attr(feature = "debug", derive(serde::Serialize))]
pub struct CallMachine {
    json: Tokenizer,
    names: [Word; NAMES],
    /// Names whose strings came, a bit each: the first of a name counts.
    seen: u8,
    key: Word,
    /// The name whose value comes next or is open.
    current: Option<u8>,
    is_over: bool,
    has_begun: bool,
}

impl CallMachine {
    /// A machine at the start of the arguments. None if a name is too long, or one is too many.
    #[must_use]
    pub fn new(names: &[&[u8]]) -> Option<CallMachine> {
        let mut machine = CallMachine::REST;
        for (at, name) in names.iter().enumerate() {
            *machine.names.get_mut(at)? = Word::of(name)?;
        }
        Some(machine)
    }

    /// A machine that looks for no strings.
    pub const REST: CallMachine = CallMachine {
        json: Tokenizer::new(RuleSet::Call.rules(), DEEPEST),
        names: [Word::EMPTY; NAMES],
        seen: 0,
        key: Word::EMPTY,
        current: None,
        is_over: false,
        has_begun: false,
    };

    /// The string that is emitted now.
    fn open(&self) -> Option<u8> {
        self.current.filter(|_| self.json.depth() == 1)
    }

    /// What the end of the stream after `held` pending units adds.
    fn end(&mut self, held: u32, sink: &mut impl Sink) {
        if self.is_over {
            return;
        }
        if let (Some(half), Some(name)) = (self.json.open_half(), self.open()) {
            sink.record(CallOp::Character(name, u32::from(half)).at(0, held));
            return;
        }
        let last = self.json.finish(held);
        if let (Some(token), false) = (last, self.has_begun) {
            self.fail(token.start, sink);
            return;
        }
        if let Some(token) = last.filter(|token| token.start < token.end)
            && let (Kind::Piece { is_key: false } | Kind::Text { is_key: false }, Some(name)) =
                (token.kind, self.open())
        {
            sink.record(CallOp::Piece(name).at(token.start, token.end));
        }
    }

    fn take(&mut self, kind: Kind, start: u32, end: u32, text: &mut Stretch<'_>, sink: &mut impl Sink) {
        if !std::mem::replace(&mut self.has_begun, true) && kind != Kind::Push(Container::Object) {
            self.fail(start, sink);
            return;
        }
        let depth = self.json.depth();
        match kind {
            Kind::Pop(_) if depth == 0 => {
                self.is_over = true;
                sink.record(CallOp::Closed.at(end, end));
            }
            Kind::Stumble | Kind::Fault(_) => self.fail(start, sink),
            // A value of another type than string.
            Kind::Pop(_) | Kind::Push(_) | Kind::Number | Kind::CutNumber | Kind::Word(_) => self.current = None,
            Kind::Piece { is_key: true } if depth == 1 => self.key.add(slice(text, start, end)),
            Kind::Character { is_key: true, code } if depth == 1 => {
                let c = char::from_u32(code).unwrap_or(char::REPLACEMENT_CHARACTER);
                self.key.add(c.encode_utf8(&mut [0; 4]).as_bytes());
            }
            Kind::Text { is_key: true } if depth == 1 => {
                self.key.add(slice(text, start, end));
                let key = self.key.text().filter(|key| !key.is_empty());
                let name = self.names.iter().position(|name| name.text() == key && key.is_some()).map(|at| at as u8);
                self.current = name.filter(|name| self.seen & 1 << name == 0);
                self.key.clear();
            }
            Kind::Piece { is_key: false } if start < end => self.emit(CallOp::Piece, start, end, sink),
            Kind::Character { is_key: false, code } => {
                self.emit(|name| CallOp::Character(name, code), start, end, sink);
            }
            Kind::Text { is_key: false } => {
                if start < end {
                    self.emit(CallOp::Piece, start, end, sink);
                }
                self.emit(CallOp::End, end, end, sink);
                if let (1, Some(name)) = (depth, self.current.take()) {
                    self.seen |= 1 << name;
                }
            }
            Kind::Piece { .. } | Kind::Character { .. } | Kind::Text { .. } => {}
        }
    }

    fn emit(&mut self, op: impl FnOnce(u8) -> CallOp, start: u32, end: u32, sink: &mut impl Sink) {
        if let Some(name) = self.open() {
            sink.record(op(name).at(start, end));
        }
    }

    fn fail(&mut self, at: u32, sink: &mut impl Sink) {
        self.is_over = true;
        sink.record(CallOp::Bad.at(at, at));
    }
}

numbered! {
    /// What a chunk of a call's arguments may be without being read.
    #[repr(u8)]
    pub enum CallMode {
        /// It has to be read.
        Read = 0,
        /// Without `"`, a backslash and control characters it is more of a string that wasn't asked for.
        Other = 1,
        /// Without those it is more of the first string that was asked for.
        First = 2,
        /// Without those it is more of the second string that was asked for.
        Second = 3,
    }
}

impl CallMode {
    /// What may end text of the mode.
    #[must_use]
    pub const fn stops(self) -> &'static [u8] {
        match self {
            CallMode::Read => b"",
            CallMode::Other | CallMode::First | CallMode::Second => &STRING_STOPS,
        }
    }
}

impl Machine for CallMachine {
    type Ask = Nothing;
    type Answer = Nothing;
    type Mode = CallMode;
    type Table = ();

    fn run(&mut self, (): &(), text: &mut Stretch<'_>, sink: &mut impl Sink) -> Outcome<Nothing> {
        while !self.is_over && !sink.lacks_room_for(2) {
            let Some(token) = self.json.next(text) else { break };
            self.take(token.kind, token.start, token.end, text, sink);
        }
        if self.is_over {
            text.set_at(text.bytes().len());
            return Outcome::new(text.here(), text.here());
        }
        let here = text.here();
        if text.is_at_end()
            && let Some(token) = self.json.rest(text)
        {
            self.take(token.kind, token.start, token.end, text, sink);
        }
        let held_from = self.json.held_from(here);
        self.json.release(held_from);
        Outcome::new(here, held_from)
    }

    fn finish(&mut self, held: u32, sink: &mut impl Sink) -> Outcome<Nothing> {
        self.end(held, sink);
        Outcome::new(held, held)
    }

    fn answer(&mut self, _: Nothing) {}

    fn mode(&self) -> CallMode {
        if self.is_over || !self.json.is_in_plain_string() {
            return CallMode::Read;
        }
        match self.open() {
            None => CallMode::Other,
            Some(0) => CallMode::First,
            Some(_) => CallMode::Second,
        }
    }
}

/// The text of a token; one with half a surrogate pair before the stretch is not one of the names.
fn slice<'a>(text: &mut Stretch<'a>, start: u32, end: u32) -> &'a [u8] {
    text.slice(start, end).unwrap_or("\u{FFFD}".as_bytes())
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test that can't go on fails")]
mod tests {
    use super::*;

    /// A machine that asks for `path`, after the pieces of a text, and its ops.
    fn after(pieces: &[&str]) -> (CallMachine, Vec<Option<CallOp>>) {
        let mut machine = CallMachine::new(&[b"path"]).unwrap();
        let (mut records, mut held) = (Vec::new(), 0);
        for piece in pieces {
            let outcome = machine.run(&(), &mut Stretch::new(piece.as_bytes(), held, true), &mut records);
            assert_eq!(outcome.next as usize, held as usize + piece.len());
            held = outcome.next - outcome.held_from;
        }
        (machine, records.into_iter().map(CallOp::of).collect())
    }

    #[test]
    fn whose_string_plain_text_is() {
        for (text, expected) in [
            (r#"{"path": "a"#, CallMode::First),
            (r#"{"other": "a"#, CallMode::Other),
            (r#"{"path": 5, "x"#, CallMode::Read),
            (r#"{"path": {"a": "x"#, CallMode::Other),
            (r#"{"a": {"path": "x"#, CallMode::Other),
            (r#"{"a": {"path": 1}, "x": "y"#, CallMode::Other),
            (r#"{"path": "a", "path": "b"#, CallMode::Other),
            (r#"{"path": "a\"#, CallMode::Read),
            (r#"{"path": "#, CallMode::Read),
            (r#"{"path": "a"} "b"#, CallMode::Read),
        ] {
            assert_eq!(after(&[text]).0.mode(), expected, "{text}");
        }
    }

    #[test]
    fn a_name_further_inside_is_nothing_to_one_outside() {
        let (_, ops) = after(&[r#"{"a": {"pa"#, r#"th": 1}, "path": "x"}"#]);
        assert_eq!(ops, [CallOp::Piece(0), CallOp::End(0), CallOp::Closed].map(Some));
        let (_, ops) = after(&[r#"{"a": {"p\u0061": 1}, "path": "x"}"#]);
        assert_eq!(ops, [CallOp::Piece(0), CallOp::End(0), CallOp::Closed].map(Some));
    }

    #[test]
    fn the_stream_ends_in_half_a_pair() {
        let half = CallOp::Character(0, 0xD83D).at(0, 6);
        for (text, expected) in [
            (r#"{"path": "a\ud83d"#, &[half][..]),
            (r#"{"other": "a\ud83d"#, &[]),
            (r#"{"path": 5, "x\ud83d"#, &[]),
            (r#"{"path": {"a": "\ud83d"#, &[]),
            (r#"{"path": {"a": 1}, "x\ud83d"#, &[]),
        ] {
            let (mut machine, _) = after(&[text]);
            let mut records = Vec::new();
            machine.finish(6, &mut records);
            assert_eq!(records, expected, "{text}");
        }
    }
}
