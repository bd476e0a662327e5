//! A list of Python calls: `[f(a=1, b='x'), g()]`, or one after another.
//!
//! Values are Python's literals as far as JSON has them; tuples are lists. A call of a list is
//! emitted when it is known what follows it, so that a list without its bracket is a repair of its
//! last call.

use super::braces::json;
use super::json::ends_value;
use super::look::LONGEST_NAME;
use super::payload::{Move, Payload};
use super::segment::Segment;
use super::{Ask, Op, Why};
use crate::format::op::Repair;
use crate::format::row::{Flag, Part, Row};
use crate::format::table::Table;
use crate::json::{Container, End, Fault, JsonOp, Kind, Place as JsonPlace, Rule, Rules, State, Token};
use crate::scan::{Short, Sight, after, space_len};
use crate::text::{Sink, Stretch};

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

/// Where the place is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "debug", derive(serde::Serialize))]
enum Place {
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

/// Whether a list of calls is at the start of a text.
pub(super) fn begins(text: &[u8], is_last: bool) -> Sight<bool> {
    let inside = text.strip_prefix(b"[").map_or(text, |inside| after(inside, space_len(inside)));
    Ok(called(inside, is_last)? > 0)
}

/// The length of a name before a bracket at the start of a text, or 0.
fn called(text: &[u8], is_last: bool) -> Sight<usize> {
    let len = text.iter().take(LONGEST_NAME).take_while(|byte| is_in_name(**byte)).count();
    if text.first().is_some_and(|byte| byte.is_ascii_digit() || matches!(byte, b'.' | b'-')) {
        return Ok(0);
    }
    match text.get(len) {
        None if len == text.len() && !is_last => Err(Short),
        Some(b'(') if len > 0 => Ok(len),
        _ => Ok(0),
    }
}

/// Whether a byte may be in the name of a tool or of an argument.
fn is_in_name(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'.' | b'-') || byte >= 0x80
}

/// A list of calls that is read.
#[derive(Clone, Copy, Debug)]
#[cfg_attr(feature = "debug", derive(serde::Serialize))]
pub(super) struct Python {
    place: Place,
    /// Containers in a value in two bits each, above a set bit if the calls are in a list.
    levels: u64,
}

impl Python {
    pub(super) const START: Python = Python { place: Place::Open, levels: 0 };

    fn at(&mut self, place: Place) -> Move {
        self.place = place;
        Move::Go
    }

    /// The name was accepted: its bracket follows.
    pub(super) fn named(&mut self) {
        self.place = Place::Bracket;
    }

    /// Whether the place is after a call, and the call in no list: it is whole.
    pub(super) fn ends_at_last(&self) -> Option<bool> {
        (self.place == Place::AfterCall).then_some(self.levels == 0)
    }

    /// Where what was waited for is read again, now that the stream ends.
    pub(super) fn again(&self, segment: &mut Segment, held: u32) -> Option<u32> {
        match self.place {
            Place::AfterCall => Some(segment.payload_end),
            // Nothing more can follow a quote.
            Place::Value => Some(segment.tokens.stop_waiting().unwrap_or(held)),
            Place::Open | Place::Name | Place::Bracket | Place::Argument | Place::After => None,
        }
    }

    /// Before a call: its name, up to its bracket.
    fn read_name(&mut self, segment: &Segment, text: &mut Stretch<'_>, sink: &mut impl Sink) -> Move {
        let here = text.here();
        let Ok(len) = called(text.rest(), segment.is_last) else { return Move::Wait };
        if len == 0 {
            return Move::Fail(Why::Malformed, here);
        }
        if segment.known.has_done {
            sink.record(segment.begin_op().at(segment.mark, here));
        }
        text.pass(len);
        let end = text.here();
        sink.record(Op::Name.at(here, end));
        sink.record(Op::NameEnd { is_alias: false }.at(end, end));
        Move::Ask(Ask::Name)
    }

    /// Before an argument: its name, up to the sign after it. Its value begins.
    fn read_key(&mut self, segment: &mut Segment, row: &Row, text: &mut Stretch<'_>, sink: &mut impl Sink) -> Move {
        let here = text.here();
        let rest = text.rest();
        let front = rest.get(..LONGEST_NAME).unwrap_or(rest);
        let Some(len) = front.iter().position(|byte| matches!(byte, b'=' | b',' | b')' | b'"' | b'\'')) else {
            if front.len() < LONGEST_NAME && !segment.is_last {
                return Move::Wait;
            }
            return Move::Fail(Why::Malformed, here);
        };
        let key = crate::text::trim(front.get(..len).unwrap_or_default());
        let is_name = !key.is_empty() && key.iter().all(|byte| is_in_name(*byte));
        if front.get(len) != Some(&b'=') || !is_name {
            return Move::Fail(Why::Malformed, here);
        }
        let end = text.unit_at(text.at() + key.len());
        sink.record(json(JsonOp::KeyEnd, here, end));
        text.pass(len + 1);
        let repairs = if row.is(Flag::Strict) { Rules::STRICT } else { REPAIRS };
        segment.tokens.reset(Rules::of_bits(PYTHON.bits() | repairs.bits()), Rules::STRICT);
        let mut bracket = Stretch::new(b"[", text.here(), true);
        let _ = segment.tokens.next(&mut bracket);
        self.at(Place::Value)
    }

    /// After a call without a list around it: another call, or the end of the payload.
    fn read_next_call(&mut self, segment: &Segment, byte: u8, text: &mut Stretch<'_>) -> Move {
        let rest = text.rest();
        let sign = usize::from(matches!(byte, b',' | b';'));
        let gap = if sign > 0 { sign + space_len(after(rest, sign)) } else { 0 };
        match called(after(rest, gap), segment.is_last) {
            Err(Short) => Move::Wait,
            Ok(0) => Move::Ended(segment.payload_end),
            Ok(_) => {
                text.pass(sign);
                self.place = Place::Name;
                Move::Done(text.here())
            }
        }
    }

    /// Where a bracket should stand: the call's closer may stand there, and brackets are missing.
    fn read_closer(&self, segment: &mut Segment, row: &Row, text: &mut Stretch<'_>, sink: &mut impl Sink) -> Move {
        let here = text.here();
        let is_guess = row.is(Flag::Strict) || segment.known.used.has(Rule::UnescapedQuote);
        match if segment.form.has_close && !is_guess {
            row.fits(Part::CallClose, text.rest(), segment.is_last)
        } else {
            Ok(0)
        } {
            Err(Short) => return Move::Wait,
            Ok(0) => return Move::Fail(Why::Malformed, here),
            Ok(_) => {}
        }
        if self.place == Place::After {
            close_arguments(segment, here, here, sink);
        }
        segment.known.repairs |= Repair::MissingCloser.bit();
        Move::CallsEnded(segment.payload_end)
    }

    fn read_value(&mut self, segment: &mut Segment, row: &Row, text: &mut Stretch<'_>, sink: &mut impl Sink) -> Move {
        let Some((token, is_paren)) = self.token(segment, row, text) else {
            let is_at_end = text.is_at_end();
            if let Some(piece) = segment.tokens.rest(text)
                && let Some(record) = piece.record()
            {
                sink.record(record);
            }
            return if is_at_end { Move::Stop } else { Move::Wait };
        };
        if token.kind == Kind::Fault(Fault::Quote) {
            return Move::Go;
        }
        let depth = segment.tokens.depth();
        if matches!(token.kind, Kind::Stumble | Kind::Fault(_))
            || depth == 0
            || !self.fits_tuple(segment, token.kind, is_paren)
        {
            return Move::Fail(Why::Malformed, token.start);
        }
        if let Some(record) = token.record() {
            sink.record(record);
        }
        let is_end = depth == 1 && ends_value(token.kind);
        if is_end {
            let repaired = segment.tokens.used().bits() & REPAIRS.bits();
            segment.known.used = Rules::of_bits(segment.known.used.bits() | repaired);
            return self.at(Place::After);
        }
        Move::Go
    }

    /// The next token, and whether it is a bracket of a tuple. To JSON these are the brackets of a list.
    fn token(&mut self, segment: &mut Segment, row: &Row, text: &mut Stretch<'_>) -> Option<(Token, bool)> {
        let end = End::of_argument(row.list(Part::CallClose).next().unwrap_or_default());
        if let (State::At(_), _) = segment.tokens.state() {
            let is_layout = |byte: &&u8| matches!(byte, b' ' | b'\t' | b'\n' | b'\r' | b',' | b':');
            let layout = text.rest().iter().take_while(is_layout).count();
            let front = text.rest().get(..layout).unwrap_or_default();
            let token = segment.tokens.next(&mut Stretch::new(front, text.here(), true));
            text.pass(layout);
            if let Some(token) = token {
                return Some((token, false));
            }
            let bracket: &[u8] = match (text.rest().first(), segment.tokens.state()) {
                (Some(b'('), (State::At(JsonPlace::Value | JsonPlace::FirstElement | JsonPlace::Element), _)) => b"[",
                (Some(b')'), (State::At(_), Container::Array)) if segment.tokens.depth() > 1 => {
                    let is_after_comma = segment.tokens.state().0 == State::At(JsonPlace::Element);
                    if self.levels & MORE == ONE && is_after_comma {
                        // With its comma one element is a tuple.
                        self.levels |= MORE;
                    }
                    b"]"
                }
                _ => return segment.tokens.next_before(text, end).map(|token| (token, false)),
            };
            let token = segment.tokens.next(&mut Stretch::new(bracket, text.here(), true));
            text.pass(1);
            return token.map(|token| (token, true));
        }
        segment.tokens.next_before(text, end).map(|token| (token, false))
    }

    /// Notes a token of a value; false if it opens or closes a container that it can't. A value in
    /// round brackets alone, `(1)`, is not a tuple.
    fn fits_tuple(&mut self, segment: &Segment, kind: Kind, is_paren: bool) -> bool {
        let begins = matches!(kind, Kind::Push(_)) || ends_value(kind) && !matches!(kind, Kind::Pop(_));
        let is_inside = segment.tokens.depth() > if matches!(kind, Kind::Push(_)) { 2 } else { 1 };
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

impl Payload for Python {
    fn begin(&mut self, _: &mut Segment, _: &Row, _: u32) {
        *self = Python::START;
    }

    #[inline(never)]
    fn read(&mut self, segment: &mut Segment, table: &Table, text: &mut Stretch<'_>, sink: &mut impl Sink) -> Move {
        let (place, row) = (self.place, segment.row(table));
        if place == Place::Value {
            return self.read_value(segment, row, text, sink);
        }
        if place == Place::AfterCall && segment.form.is_bare && row.is(Flag::BareOnLine) {
            return read_line_end(segment, row, text);
        }
        let space = space_len(text.rest());
        text.pass(space);
        let here = text.here();
        let Some(&byte) = text.rest().first() else {
            if place == Place::AfterCall && self.levels == 0 && segment.is_last {
                return Move::Ended(segment.payload_end);
            }
            return Move::Stop;
        };
        match (place, byte) {
            (Place::Open, b'[') => {
                text.pass(1);
                self.levels = 1;
                self.at(Place::Name)
            }
            (Place::Open | Place::Name, _) => self.read_name(segment, text, sink),
            (Place::Bracket, _) => {
                text.pass(1);
                sink.record(Op::Arguments.at(here, here));
                sink.record(json(JsonOp::Object, here, here + 1));
                self.at(Place::Argument)
            }
            (Place::Argument | Place::After, b')') => {
                text.pass(1);
                close_arguments(segment, here, here + 1, sink);
                self.at(Place::AfterCall)
            }
            (Place::After, b',') => {
                text.pass(1);
                self.at(Place::Argument)
            }
            (Place::Argument, _) => self.read_key(segment, row, text, sink),
            (Place::AfterCall, _) if self.levels == 0 => self.read_next_call(segment, byte, text),
            (Place::AfterCall, b',' | b']') if self.levels == 1 => {
                text.pass(1);
                if byte == b']' {
                    return Move::CallsEnded(here + 1);
                }
                self.place = Place::Name;
                Move::Done(text.here())
            }
            (Place::After | Place::AfterCall, _) => self.read_closer(segment, row, text, sink),
            (Place::Value, _) => Move::Fail(Why::Malformed, here),
        }
    }
}

/// After a call on a line of its own, which ends here.
fn read_line_end(segment: &Segment, row: &Row, text: &Stretch<'_>) -> Move {
    let space = text.rest().iter().take_while(|byte| matches!(byte, b' ' | b'\t' | b'\r')).count();
    let rest = after(text.rest(), space);
    match row.ends_turn(rest, segment.is_last) {
        Err(Short) => return Move::Wait,
        Ok(0) => {}
        Ok(_) => return Move::Ended(segment.payload_end),
    }
    match rest.first() {
        None if !segment.is_last => Move::Wait,
        // Where quotes were guessed, nothing says that the call ends here.
        None | Some(b'\n') if segment.known.used.has(Rule::UnescapedQuote) => {
            Move::Fail(Why::Malformed, segment.payload_end)
        }
        None | Some(b'\n') => Move::Ended(segment.payload_end),
        Some(_) => Move::Fail(Why::Malformed, segment.payload_end),
    }
}

/// The arguments end with the bracket between these units, which may be missing.
fn close_arguments(segment: &mut Segment, from: u32, to: u32, sink: &mut impl Sink) {
    sink.record(json(JsonOp::Close, from, to));
    segment.payload_end = to;
}
