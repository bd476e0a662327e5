//! A list of Python calls: `[f(a=1, b='x'), g()]`, or one after another.
//!
//! Values are Python's literals as far as JSON has them; tuples are lists. A call of a list is
//! emitted when it is known what follows it, so that a list without its bracket is a repair of its
//! last call.

use super::braces::json;
use super::look::after;
use super::{Ask, Flow, Machine, Op, Phase};
use crate::format::op::Repair;
use crate::format::row::{Flag, Part, Row};
use crate::json::{Container, End, Fault, JsonOp, Kind, Place as JsonPlace, Rule, Rules, State, Token};
use crate::scan::space_len;
use crate::text::{Sink, Stretch, state};

/// Longest name, in bytes.
const LONGEST_NAME: usize = 256;

/// What a value is read by.
const PYTHON: Rules = Rules::PYTHON.with(Rule::PlusSign).with(Rule::BarePoint).with(Rule::HexNumber);

/// What models write besides: `07`, quotes without a backslash, and escapes that are errors in Python.
const REPAIRS: Rules = Rules::KEPT.with(Rule::LeadingZero).with(Rule::UnescapedQuote);

/// A container in a value, in two bits of `levels`: one with square brackets or braces, or a tuple by its
/// elements so far.
const OTHER: u64 = 0;
const EMPTY: u64 = 1;
const ONE: u64 = 2;
const MORE: u64 = 3;

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
    pub(super) fn read_python(
        &mut self,
        place: Place,
        row: &Row,
        text: &mut Stretch<'_>,
        sink: &mut impl Sink,
    ) -> Flow {
        if place == Place::Value {
            return self.read_python_value(row, text, sink);
        }
        if place == Place::AfterCall && self.is_bare && row.is(Flag::BareOnLine) {
            return self.read_line_end(text, sink);
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
            (Place::Open | Place::Name, _) => self.read_python_name(text, sink),
            (Place::Bracket, _) => {
                text.pass(1);
                sink.record(Op::Arguments.at(here, here));
                sink.record(json(JsonOp::Object, here, here + 1));
                self.python(Place::Argument)
            }
            (Place::Argument | Place::After, b')') => {
                text.pass(1);
                self.close_arguments(here, here + 1, sink);
                self.python(Place::AfterCall)
            }
            (Place::After, b',') => {
                text.pass(1);
                self.python(Place::Argument)
            }
            (Place::Argument, _) => self.read_python_key(row, text, sink),
            (Place::AfterCall, _) if self.levels == 0 => self.read_next_python_call(byte, text, sink),
            (Place::AfterCall, b',' | b']') if self.levels == 1 => {
                self.finish_call(self.payload_end, sink);
                text.pass(1);
                if byte == b',' {
                    return self.python(Place::Name);
                }
                self.mark = here + 1;
                self.emit(Op::Markup, here + 1, sink);
                self.payload_ended(here + 1)
            }
            (Place::After | Place::AfterCall, _) => self.read_python_closer(place, row, text, sink),
            (Place::Value, _) => self.malformed(here, sink),
        }
    }

    /// Before a call: its name, up to its bracket.
    fn read_python_name(&mut self, text: &mut Stretch<'_>, sink: &mut impl Sink) -> Flow {
        let here = text.here();
        let Some(len) = called(text.rest(), self.is_last) else { return Flow::Wait };
        if len == 0 {
            return self.malformed(here, sink);
        }
        if self.has_done {
            sink.record(self.begin_op().at(self.mark, here));
        }
        text.pass(len);
        let end = text.here();
        sink.record(Op::Name.at(here, end));
        sink.record(Op::NameEnd { is_alias: false }.at(end, end));
        self.ask(Ask::Name)
    }

    /// Before an argument: its name, up to the sign after it. Its value begins.
    fn read_python_key(&mut self, row: &Row, text: &mut Stretch<'_>, sink: &mut impl Sink) -> Flow {
        let here = text.here();
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
        let repairs = if row.is(Flag::Strict) { Rules::STRICT } else { REPAIRS };
        self.json.restart(Rules::of_bits(PYTHON.bits() | repairs.bits()), Rules::STRICT);
        let mut bracket = Stretch::new(b"[", text.here(), true);
        let _ = self.json.next(&mut bracket);
        self.python(Place::Value)
    }

    /// After a call without a list around it: another call, or the end of the payload.
    fn read_next_python_call(&mut self, byte: u8, text: &mut Stretch<'_>, sink: &mut impl Sink) -> Flow {
        let rest = text.rest();
        let sign = usize::from(matches!(byte, b',' | b';'));
        let gap = if sign > 0 { sign + space_len(after(rest, sign)) } else { 0 };
        match called(after(rest, gap), self.is_last) {
            None => Flow::Wait,
            Some(0) => self.payload_ended(self.payload_end),
            Some(_) => {
                text.pass(sign);
                self.done(self.payload_end, sink);
                self.python(Place::Name)
            }
        }
    }

    /// The stream ends after a call: one without a list around it is whole.
    pub(super) fn cut_after_python_call(&mut self, held: u32, sink: &mut impl Sink) {
        self.finish_call(self.payload_end, sink);
        if self.levels == 0 {
            self.end(self.payload_end, sink);
            self.emit(Op::Text, held, sink);
        } else {
            self.cut_call(held, sink);
        }
    }

    /// After a call on a line of its own, which ends here.
    fn read_line_end(&mut self, text: &mut Stretch<'_>, sink: &mut impl Sink) -> Flow {
        let space = text.rest().iter().take_while(|byte| matches!(byte, b' ' | b'\t' | b'\r')).count();
        match after(text.rest(), space).first() {
            None if !self.is_last => Flow::Wait,
            // Where quotes were guessed, nothing says that the call ends here.
            None | Some(b'\n') if self.used.has(Rule::UnescapedQuote) => self.malformed(self.payload_end, sink),
            None | Some(b'\n') => self.payload_ended(self.payload_end),
            Some(_) => self.malformed(self.payload_end, sink),
        }
    }

    /// The arguments end with the bracket between these units, which may be missing.
    fn close_arguments(&mut self, from: u32, to: u32, sink: &mut impl Sink) {
        sink.record(json(JsonOp::Close, from, to));
        self.payload_end = to;
    }

    /// Where a bracket should stand: the call's closer may stand there, and brackets are missing.
    fn read_python_closer(&mut self, place: Place, row: &Row, text: &mut Stretch<'_>, sink: &mut impl Sink) -> Flow {
        let here = text.here();
        let is_guess = row.is(Flag::Strict) || self.used.has(Rule::UnescapedQuote);
        match if self.has_close && !is_guess { row.fits(Part::CallClose, text.rest(), self.is_last) } else { Some(0) } {
            None => return Flow::Wait,
            Some(0) => return self.malformed(here, sink),
            Some(_) => {}
        }
        if place == Place::After {
            self.close_arguments(here, here, sink);
        }
        self.repairs |= Repair::MissingCloser.bit();
        self.finish_call(self.payload_end, sink);
        self.payload_ended(self.payload_end)
    }

    fn read_python_value(&mut self, row: &Row, text: &mut Stretch<'_>, sink: &mut impl Sink) -> Flow {
        let Some((token, is_paren)) = self.python_token(row, text) else {
            let is_at_end = text.is_at_end();
            if let Some(piece) = self.json.rest(text)
                && let Some(record) = piece.record()
            {
                sink.record(record);
            }
            return if is_at_end { Flow::Stop } else { Flow::Wait };
        };
        if token.kind == Kind::Fault(Fault::Quote) {
            return Flow::Go;
        }
        let depth = self.json.depth();
        if matches!(token.kind, Kind::Stumble | Kind::Fault(_)) || depth == 0 || !self.fits_tuple(token.kind, is_paren)
        {
            return self.malformed(token.start, sink);
        }
        if let Some(record) = token.record() {
            sink.record(record);
        }
        let is_end = depth == 1 && ends_value(token.kind);
        if is_end {
            let repaired = self.json.used().bits() & REPAIRS.bits();
            self.used = Rules::of_bits(self.used.bits() | repaired);
            return self.python(Place::After);
        }
        Flow::Go
    }

    /// The next token, and whether it is a bracket of a tuple. To JSON these are the brackets of a list.
    fn python_token(&mut self, row: &Row, text: &mut Stretch<'_>) -> Option<(Token, bool)> {
        let end = End::of_argument(row.list(Part::CallClose).next().unwrap_or_default());
        if let (State::At(_), _) = self.json.state() {
            let is_layout = |byte: &&u8| matches!(byte, b' ' | b'\t' | b'\n' | b'\r' | b',' | b':');
            let layout = text.rest().iter().take_while(is_layout).count();
            let front = text.rest().get(..layout).unwrap_or_default();
            let token = self.json.next(&mut Stretch::new(front, text.here(), true));
            text.pass(layout);
            if let Some(token) = token {
                return Some((token, false));
            }
            let bracket: &[u8] = match (text.rest().first(), self.json.state()) {
                (Some(b'('), (State::At(JsonPlace::Value | JsonPlace::FirstElement | JsonPlace::Element), _)) => b"[",
                (Some(b')'), (State::At(_), Container::Array)) if self.json.depth() > 1 => {
                    let is_after_comma = self.json.state().0 == State::At(JsonPlace::Element);
                    if self.levels & MORE == ONE && is_after_comma {
                        // With its comma one element is a tuple.
                        self.levels |= MORE;
                    }
                    b"]"
                }
                _ => return self.json.next_before(text, end).map(|token| (token, false)),
            };
            let token = self.json.next(&mut Stretch::new(bracket, text.here(), true));
            text.pass(1);
            return token.map(|token| (token, true));
        }
        self.json.next_before(text, end).map(|token| (token, false))
    }

    /// Notes a token of a value; false if it opens or closes a container that it can't. A value in
    /// round brackets alone, `(1)`, is not a tuple.
    fn fits_tuple(&mut self, kind: Kind, is_paren: bool) -> bool {
        let begins = matches!(kind, Kind::Push(_)) || ends_value(kind) && !matches!(kind, Kind::Pop(_));
        let is_inside = self.json.depth() > if matches!(kind, Kind::Push(_)) { 2 } else { 1 };
        if begins && is_inside && matches!(self.levels & MORE, EMPTY | ONE) {
            self.levels += 1;
        }
        match kind {
            Kind::Push(_) => {
                let has_room = self.levels >> 61 == 0;
                self.levels = self.levels << 2 | if is_paren { EMPTY } else { OTHER };
                has_room
            }
            Kind::Pop(_) => {
                let top = self.levels & MORE;
                self.levels >>= 2;
                is_paren == (top != OTHER) && top != ONE
            }
            Kind::Piece { .. }
            | Kind::Character { .. }
            | Kind::Text { .. }
            | Kind::Number
            | Kind::CutNumber
            | Kind::Word(_)
            | Kind::Stumble
            | Kind::Fault(_) => true,
        }
    }
}

/// Whether a value ends with a token.
fn ends_value(kind: Kind) -> bool {
    match kind {
        Kind::Pop(_) | Kind::Number | Kind::Word(_) => true,
        Kind::Text { is_key } => !is_key,
        Kind::Push(_)
        | Kind::Piece { .. }
        | Kind::Character { .. }
        | Kind::CutNumber
        | Kind::Stumble
        | Kind::Fault(_) => false,
    }
}
