//! A list of Python calls: `[f(a=1, b='x'), g()]`, or one after another.

use super::begin::after;
use super::braces::json;
use super::{Ask, Flow, Machine, Op, Phase};
use crate::json::{JsonOp, Kind, Rules};
use crate::scan::space_len;
use crate::text::{Sink, Stretch, state};

/// Longest name, in bytes.
const LONGEST_NAME: usize = 256;

state! {
    /// Where the place is.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub(super) enum Place {
        /// Before the list.
        Open,
        /// Before a call.
        Name,
        /// After its opening bracket.
        Bracket,
        /// Before an argument, or the closing bracket.
        Argument,
        /// In a value.
        Value,
        /// After one.
        After,
        /// After a call.
        AfterCall,
    }
}

/// Whether a list of calls is at the start of a text.
pub(super) fn begins(text: &[u8], is_last: bool) -> Option<bool> {
    let inside = text.strip_prefix(b"[").map_or(text, |inside| after(inside, space_len(inside)));
    Some(called(inside, is_last)? > 0)
}

/// The length of a name before a bracket at the start of a text, or 0.
fn called(text: &[u8], is_last: bool) -> Option<usize> {
    let len = text.iter().take(LONGEST_NAME).take_while(|byte| is_in_name(**byte)).count();
    if text.first().is_some_and(|byte| byte.is_ascii_digit() || matches!(byte, b'.' | b'-')) {
        return Some(0);
    }
    match text.get(len) {
        None if len == text.len() && !is_last => None,
        Some(b'(') if len > 0 => Some(len),
        _ => Some(0),
    }
}

/// Whether a byte may be in the name of a tool or of an argument.
fn is_in_name(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'.' | b'-') || byte >= 0x80
}

impl Machine {
    pub(super) fn start_python(&mut self) -> Phase {
        self.levels = 0;
        Phase::Python(Place::Open)
    }

    fn python(&mut self, place: Place) -> Flow {
        self.phase = Phase::Python(place);
        Flow::Go
    }

    /// The name was accepted: its bracket follows.
    pub(super) fn python_named(&mut self) -> Flow {
        self.python(Place::Bracket)
    }

    #[inline(never)]
    pub(super) fn read_python(&mut self, place: Place, text: &mut Stretch<'_>, sink: &mut impl Sink) -> Flow {
        if place == Place::Value {
            return self.read_python_value(text, sink);
        }
        let space = space_len(text.rest());
        text.pass(space);
        let here = text.here();
        let Some(&byte) = text.rest().first() else {
            if place == Place::AfterCall && self.levels == 0 && self.is_last {
                return self.payload_ended(self.payload_end);
            }
            return Flow::Stop;
        };
        match (place, byte) {
            (Place::Open, b'[') => {
                text.pass(1);
                self.levels = 1;
                self.python(Place::Name)
            }
            (Place::Open | Place::Name, _) => {
                let Some(len) = called(text.rest(), self.is_last) else { return Flow::Wait };
                if len == 0 {
                    return self.malformed(here, sink);
                }
                if self.has_done {
                    sink.record(Op::Begin { row: self.row, is_bare: self.is_bare }.at(self.mark, here));
                }
                text.pass(len);
                let end = text.here();
                sink.record(Op::Name.at(here, end));
                sink.record(Op::NameEnd { is_alias: false }.at(end, end));
                self.ask(Ask::Name)
            }
            (Place::Bracket, _) => {
                text.pass(1);
                sink.record(Op::Arguments.at(here, here));
                sink.record(json(JsonOp::Object, here, here + 1));
                self.python(Place::Argument)
            }
            (Place::Argument | Place::After, b')') => {
                text.pass(1);
                sink.record(json(JsonOp::Close, here, here + 1));
                self.payload_end = here + 1;
                self.done(here + 1, sink);
                self.python(Place::AfterCall)
            }
            (Place::After, b',') => {
                text.pass(1);
                self.python(Place::Argument)
            }
            (Place::Argument, _) => {
                let rest = text.rest();
                let front = rest.get(..LONGEST_NAME).unwrap_or(rest);
                let Some(len) = front.iter().position(|byte| matches!(byte, b'=' | b',' | b')' | b'"' | b'\'')) else {
                    if front.len() < LONGEST_NAME && !self.is_last {
                        return Flow::Wait;
                    }
                    return self.malformed(here, sink);
                };
                let key = crate::text::trim(front.get(..len).unwrap_or_default());
                let is_name = !key.is_empty() && key.iter().all(|byte| is_in_name(*byte));
                if front.get(len) != Some(&b'=') || !is_name {
                    return self.malformed(here, sink);
                }
                let end = text.unit_at(text.at() + key.len());
                sink.record(json(JsonOp::KeyEnd, here, end));
                text.pass(len + 1);
                self.json.restart(Rules::PYTHON, Rules::STRICT);
                let mut bracket = Stretch::new(b"[", text.here(), true);
                let _ = self.json.next(&mut bracket);
                self.python(Place::Value)
            }
            (Place::AfterCall, b',' | b';') if self.levels == 0 => {
                match called(after(text.rest(), 1 + space_len(after(text.rest(), 1))), self.is_last) {
                    None => return Flow::Wait,
                    Some(0) => {
                        let end = self.payload_end;
                        return self.payload_ended(end);
                    }
                    Some(_) => text.pass(1),
                }
                self.python(Place::Name)
            }
            (Place::AfterCall, b',') if self.levels == 1 => {
                text.pass(1);
                self.python(Place::Name)
            }
            (Place::AfterCall, b']') if self.levels == 1 => {
                text.pass(1);
                self.mark = here + 1;
                self.emit(Op::Markup, here + 1, sink);
                self.payload_ended(here + 1)
            }
            (Place::AfterCall, _) if self.levels == 0 => {
                let Some(len) = called(text.rest(), self.is_last) else { return Flow::Wait };
                if len > 0 {
                    return self.python(Place::Name);
                }
                let end = self.payload_end;
                self.payload_ended(end)
            }
            (Place::After | Place::AfterCall | Place::Value, _) => self.malformed(here, sink),
        }
    }

    fn read_python_value(&mut self, text: &mut Stretch<'_>, sink: &mut impl Sink) -> Flow {
        let Some(token) = self.json.next(text) else {
            let is_at_end = text.is_at_end();
            if let Some(piece) = self.json.rest(text)
                && let Some(record) = piece.record()
            {
                sink.record(record);
            }
            return if is_at_end { Flow::Stop } else { Flow::Wait };
        };
        if let Kind::Stumble | Kind::Fault(_) = token.kind {
            return self.malformed(token.start, sink);
        }
        let depth = self.json.depth();
        if depth == 0 {
            return self.malformed(token.start, sink);
        }
        if let Some(record) = token.record() {
            sink.record(record);
        }
        let is_end = match token.kind {
            Kind::Pop(_) | Kind::Number | Kind::Word(_) => depth == 1,
            Kind::Text { is_key } => depth == 1 && !is_key,
            Kind::Push(_)
            | Kind::Piece { .. }
            | Kind::Character { .. }
            | Kind::CutNumber
            | Kind::Stumble
            | Kind::Fault(_) => false,
        };
        if is_end { self.python(Place::After) } else { Flow::Go }
    }
}
