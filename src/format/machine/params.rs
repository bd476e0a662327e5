//! Parameters with an opener and a closer each, whose values are text.
//!
//! ```text
//! params ::= (open KEY … value close)*
//! ```
//!
//! A closer ends a value only where the grammar goes on after it, so that code with tags of its own
//! is read as it is. Nothing is pending for that: where the next piece of the grammar comes before another
//! closer, the one before has ended the value, and the call is malformed for the text between them.
//!
//! ```text
//! x</p> y</p></f>      the first is part of the value
//! x</p> y<p b>         it was the end: ` y` is stray, and the call malformed
//! x<p b>2</p> y</p>    tags in pairs are text
//! x<p b>2</p></f>      the value swallowed an opening tag: malformed, or a repair of the row
//! x<p x>2</p></f>      it mentions one: `x` is no parameter of the tool, or has come before
//! x<f g>2</p></f>      a call's opener is a mention too, unless a call goes on after it
//! x</f></section>      the last closer is missing, unless one comes that ends the value
//! ```
//!
//! An opener counts only where the row's template has one: at a line's start, if it writes parameters on lines of
//! their own. Then the program is asked about its name ([`Ask::Open`](super::Ask::Open)).
//!
//! So a value comes out while it is written. What follows a closer decides as it does everywhere: `src/xml/closer.rs`.
//! Blocks, segments and Morph can't take back what they emitted, and wait for it instead.
//!
//! Source: spec/format.md, rule 1; spec/policy.md, 4 to 6.

use super::look::{LONGEST_NAME, Marker, Step, Tag, record_part, starts_with};
use super::payload::{Move, Payload, emit_text};
use super::segment::Segment;
use super::{Answer, LONGEST_SPACE, Op, Why};
use crate::format::head::{self, Head};
use crate::format::names::ToolNames;
use crate::format::op::Repair;
use crate::format::row::{Body, Closer, Flag, Part, Row, Slot, Trim};
use crate::format::table::{In, Table};
use crate::scan::{AtLast, Short, Sight, after, at_most, is_space, pass_space, space_len};
use crate::text::{Sink, Stretch};
use crate::xml::{After, CDATA_CLOSER, CDATA_OPENER, Closing, FURTHEST_CLOSER, TreeOp, references};

/// Longest reference, in bytes.
const LONGEST_REFERENCE: usize = 12;

/// The value that is being read.
#[derive(Clone, Copy, Debug)]
#[cfg_attr(feature = "debug", derive(serde::Serialize))]
pub(super) struct Value {
    /// Up to where its text was emitted.
    pub(super) emitted: u32,
    /// Whether what is trimmed at its start may come.
    pub(super) is_fresh: bool,
    cdata: Cdata,
    /// Openers in it that are not closed in it, of parameters and of calls; whether there was any.
    params: u32,
    calls: u32,
    is_mixed: bool,
    /// Whether a closer came after which the grammar didn't go on.
    is_stray: bool,
    /// Where it ended if its closer is missing: a closer of the call follows.
    ended: Option<u32>,
    /// Whether its parameter had its name between opener and closer: it goes up to the next.
    is_nameless: bool,
    /// Where the opener stands in it that the program is asked about.
    opened: Option<u32>,
    /// The place of its parameter's opener in the list.
    opener: usize,
    /// Whether the program is asked about the element after a closer.
    asks_sibling: bool,
    /// Whether nothing but blanks was read since a line of it began.
    is_at_line: bool,
}

/// Whether a place is in CDATA.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "debug", derive(serde::Serialize))]
enum Cdata {
    /// Outside.
    Outside,
    /// In a section that is a part of the value.
    Part,
    /// In one that is all of it.
    Whole,
    /// After that.
    Over,
}

impl Cdata {
    /// Where a place is after a section's opener or closer.
    fn turned(self) -> Cdata {
        match self {
            Cdata::Outside => Cdata::Part,
            Cdata::Part => Cdata::Outside,
            Cdata::Whole => Cdata::Over,
            Cdata::Over => Cdata::Whole,
        }
    }
}

impl Value {
    pub(super) const START: Value = Value::at(0, false, false);

    const fn at(emitted: u32, is_fresh: bool, is_nameless: bool) -> Value {
        Value {
            emitted,
            is_fresh,
            cdata: Cdata::Outside,
            params: 0,
            calls: 0,
            is_mixed: false,
            is_stray: false,
            ended: None,
            is_nameless,
            opened: None,
            opener: 0,
            asks_sibling: false,
            is_at_line: false,
        }
    }

    /// Whether more of its text may be passed without reading it.
    pub(super) fn is_plain(&self) -> bool {
        !self.is_fresh && !self.is_at_line && self.ended.is_none() && matches!(self.cdata, Cdata::Outside | Cdata::Part)
    }

    pub(super) fn release(&mut self, units: u32) {
        self.emitted = self.emitted.saturating_sub(units);
        for place in [&mut self.ended, &mut self.opened] {
            *place = place.map(|at| at.saturating_sub(units));
        }
    }

    /// Whether a closer had ended it, now that the grammar goes on.
    fn had_ended(&self) -> bool {
        self.is_stray && After::Structure.decides() == Closing::Ends
    }

    /// A marker stands in it.
    fn take_marker(&mut self, marker: Marker) {
        match marker {
            Marker::ParamOpen => self.params = self.params.saturating_add(1),
            Marker::CallOpen => self.calls = self.calls.saturating_add(1),
            Marker::ParamClose if self.params > 0 => self.params -= 1,
            Marker::ParamClose => self.is_stray = true,
            Marker::CallClose => self.calls = self.calls.saturating_sub(1),
        }
        self.is_mixed |= matches!(marker, Marker::ParamOpen | Marker::CallOpen);
    }

    /// Whether the program is asked about the element after one of its closers.
    pub(super) fn is_sibling(&self) -> bool {
        self.asks_sibling
    }

    /// A closer came that was not its end.
    pub(super) fn goes_on(&mut self) {
        self.is_stray = true;
        self.asks_sibling = false;
    }

    /// Emits its text up to here.
    pub(super) fn emit(&mut self, here: u32, sink: &mut impl Sink) {
        let here = self.ended.map_or(here, |at| here.min(at));
        let is_cdata = matches!(self.cdata, Cdata::Whole | Cdata::Over);
        emit_text(if is_cdata { TreeOp::CData } else { TreeOp::Text }, &mut self.emitted, here, sink);
    }

    /// Whether a line has begun after so many bytes of a text, with nothing but blanks in it.
    fn line_after(&self, text: &[u8], length: usize) -> bool {
        let passed = at_most(text, length);
        let line = passed.iter().rposition(|&byte| byte == b'\n').map(|at| after(passed, at + 1));
        (line.is_some() || self.is_at_line) && line.unwrap_or(passed).iter().all(|byte| b" \t".contains(byte))
    }

    /// So many bytes of a text are passed.
    fn step(&mut self, length: usize, text: &mut Stretch<'_>) {
        self.is_at_line = self.line_after(text.rest(), length);
        text.pass(length);
    }

    /// So many bytes are text of it, which is emitted with what follows: a record for each would be many.
    fn pass(&mut self, length: usize, text: &mut Stretch<'_>, sink: &mut impl Sink) {
        self.step(length, text);
        let here = text.here();
        if self.emitted + LONGEST_SPACE < here {
            self.emit(here, sink);
        }
    }

    /// So many bytes are no text of it.
    fn leave_out(&mut self, length: usize, text: &mut Stretch<'_>, sink: &mut impl Sink) {
        self.emit(text.here(), sink);
        self.step(length, text);
        self.emitted = text.here();
    }

    /// Where it ended, if its closer is missing.
    pub(super) fn ended(&self) -> Option<u32> {
        self.ended
    }
}

impl Segment {
    /// Whether a parameter begins at the start of a text, in whatever way.
    pub(super) fn begins_param(&self, row: &Row, text: &[u8]) -> Sight<bool> {
        let begins = row.fits(Part::ParamOpen, text, self.is_last)? > 0
            || self.nameless(row, text)? > 0
            || self.empty_param(row, text)? > 0;
        Ok(begins || matches!(self.element_param(row, text)?, Tag::Open { .. }))
    }

    /// The tag of a parameter that is an element at the start of a text.
    fn element_param(&self, row: &Row, text: &[u8]) -> Sight<Tag> {
        if !row.is(Flag::ElementParams) || text.first().is_some_and(|&byte| byte != b'<') {
            return Ok(Tag::Other);
        }
        for part in [Part::SectionOpen, Part::CallOpen, Part::ReasoningOpen] {
            if row.fits(part, text, self.is_last)? > 0 {
                return Ok(Tag::Other);
            }
        }
        self.tag(row, text)
    }

    /// The length of a tag that is no parameter at the start of a text, or 0: `<parameter/>`.
    fn empty_param(&self, row: &Row, text: &[u8]) -> Sight<usize> {
        for mark in row.list(Part::ParamOpen) {
            let Some(front) = mark.strip_suffix(b"=").filter(|_| !row.is(Flag::Strict)) else { continue };
            let length = row.fit(front, text).at_last(self.is_last)?;
            let end = length + space_len(at_most(after(text, length), LONGEST_SPACE as usize));
            if length > 0 && starts_with(after(text, end), &[b"/>"], self.is_last)? {
                return Ok(end + 2);
            }
        }
        Ok(0)
    }

    /// The length of the opener of a parameter without a name at the start of a text, or 0.
    #[inline(never)]
    pub(super) fn nameless(&self, row: &Row, text: &[u8]) -> Sight<usize> {
        if !row.is(Flag::NamelessParams) {
            return Ok(0);
        }
        let Some((_, front)) = row.list(Part::ParamOpen).next().and_then(<[u8]>::split_last) else { return Ok(0) };
        let length = row.fit(front, text).at_last(self.is_last)?;
        if length == 0 {
            return Ok(0);
        }
        Ok(if starts_with(after(text, length), &[b">"], self.is_last)? { length + 1 } else { 0 })
    }
}

/// Where a payload in tags is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "debug", derive(serde::Serialize))]
pub(super) enum Place {
    /// Between parameters.
    Params,
    /// In the value of one, or in the text of an element.
    Value,
    /// Between elements.
    Members,
    /// After an opening tag: elements or text follow, which began at the unit.
    Look(u32),
    /// The body could not be read as elements: it may be one text, up to the tool's closing tag.
    Message,
}

/// A payload in tags: parameters, or elements.
#[derive(Clone, Copy, Debug)]
#[cfg_attr(feature = "debug", derive(serde::Serialize))]
pub(super) struct Tagged {
    pub(super) place: Place,
    pub(super) value: Value,
}

impl Tagged {
    pub(super) const START: Tagged = Tagged { place: Place::Params, value: Value::START };

    /// Whether more text may be passed without reading it.
    pub(super) fn takes_text(&self) -> bool {
        self.place == Place::Value && self.value.is_plain()
    }

    /// Text was passed so, up to here.
    pub(super) fn pass(&mut self, here: u32) {
        self.value.emitted = self.value.emitted.max(here);
    }

    /// Where what was waited for is read again, now that the stream ends, of what was read up to `read`.
    pub(super) fn again(&self, segment: &Segment, waits: bool, read: u32, held: u32) -> u32 {
        let ends_at_last = segment.ends_at_last();
        match (self.place, self.value.ended()) {
            // Nothing came after the last argument: the end of the stream may close the call.
            (Place::Params | Place::Members, _) if segment.payload_end == held && ends_at_last => segment.mark,
            (Place::Members, _) if ends_at_last => segment.payload_end,
            (Place::Params, _) => segment.payload_end,
            // What may have ended the value has.
            (Place::Value, Some(ended)) if !waits => ended,
            (Place::Value, _) if !waits => held,
            (Place::Value | Place::Members | Place::Look(_) | Place::Message, _) => read,
        }
    }

    /// Between parameters.
    #[inline(never)]
    pub(super) fn read_params(
        &mut self,
        segment: &mut Segment,
        table: &Table,
        text: &mut Stretch<'_>,
        sink: &mut impl Sink,
    ) -> Move {
        let row = table.row(segment.row);
        let from = segment.payload_end;
        if text.here() < from {
            return Move::At(from);
        }
        if !pass_space(text, from, LONGEST_SPACE) {
            return Move::Fail(Why::Malformed, from);
        }
        if text.is_at_end() && !segment.is_last {
            return Move::Stop;
        }
        let Ok((opener, length)) = row.fitting(Part::ParamOpen, text.rest(), segment.is_last) else {
            return Move::Wait;
        };
        let Ok(nameless) = segment.nameless(row, text.rest()) else { return Move::Wait };
        if length == 0 && nameless > 0 {
            return self.read_nameless(segment, row, nameless, text, sink);
        }
        let Ok(empty) = segment.empty_param(row, text.rest()) else { return Move::Wait };
        if length == 0 && empty > 0 {
            segment.known.repairs |= Repair::StrayCloseTag.bit();
            text.pass(empty);
            segment.payload_end = text.here();
            return Move::Go;
        }
        if length == 0 {
            return match segment.element_param(row, text.rest()) {
                Err(Short) => Move::Wait,
                Ok(Tag::Cut | Tag::Other) => self.params_ended(segment, from, table, text),
                Ok(Tag::Open { name, len, is_empty }) => {
                    self.begin_element_param(segment, name, len, is_empty, text, sink)
                }
            };
        }
        let head = head::read(row, None, row.param_head(), after(text.rest(), length), segment.is_last);
        let Ok(found) = head else { return Move::Wait };
        let key = found.and_then(|head| head.slot(Slot::Key)).filter(|(from, to)| from < to);
        let (Some(head), Some(key)) = (found, key) else { return Move::Fail(Why::Malformed, from) };
        segment.known.has_params = true;
        text.pass(length);
        record_part(TreeOp::Open.word(), key, text, sink);
        record_types(&head, text, sink);
        text.pass(head.len);
        let here = text.here();
        if head.is_empty {
            return self.end_value(segment, here, here, sink);
        }
        self.begin_value(here, false);
        self.value.opener = opener;
        Move::Go
    }

    /// No parameter begins: the parameters end with the last one, if the program or what follows says so.
    fn params_ended(&mut self, segment: &mut Segment, from: u32, table: &Table, text: &mut Stretch<'_>) -> Move {
        let row = table.row(segment.row);
        let Ok(ends) = segment.ends_turn(table, text.rest()) else { return Move::Wait };
        if segment.ends_at_last() && (text.is_at_end() || ends > 0 || segment.is_cut_closer(row, text.rest())) {
            return Move::Ask(super::Ask::Ends);
        }
        if !row.is(Flag::AsksWhole) && segment.known.has_params {
            return Move::Ended(from);
        }
        match segment.after(table, false, text.rest()) {
            Err(Short) => Move::Wait,
            Ok(super::After::Other) => {
                Move::Fail(if text.is_at_end() { Why::Unfinished } else { Why::Malformed }, from)
            }
            Ok(_) => Move::Ask(super::Ask::Whole),
        }
    }

    /// The tag of a parameter that is an element is at the place.
    fn begin_element_param(
        &mut self,
        segment: &mut Segment,
        name: (usize, usize),
        len: usize,
        is_empty: bool,
        text: &mut Stretch<'_>,
        sink: &mut impl Sink,
    ) -> Move {
        if !segment.elements.begin_param(text.rest().get(name.0..name.1).unwrap_or_default()) {
            return Move::Fail(Why::Malformed, text.here());
        }
        segment.known.has_params = true;
        let here = text.here();
        sink.record(Op::Named { is_nameless: false, is_element: true }.at(here, here));
        record_part(TreeOp::Open.word(), name, text, sink);
        text.pass(len);
        let here = text.here();
        if is_empty {
            return self.end_value(segment, here, here, sink);
        }
        self.begin_value(here, false);
        Move::Go
    }

    /// The length of the closer of the value's parameter at the start of a text, or 0.
    fn param_closer(&self, segment: &Segment, row: &Row, text: &[u8]) -> Sight<usize> {
        if !segment.elements.is_in_param() {
            return row.closes(Part::ParamClose, self.value.opener, text, segment.is_last);
        }
        segment.elements.closes_param(text).at_last(segment.is_last)
    }

    pub(super) fn begin_value(&mut self, here: u32, is_nameless: bool) {
        self.value = Value::at(here, !is_nameless, is_nameless);
        self.place = Place::Value;
    }

    /// `<parameter>name</parameter>`, and its value after it.
    fn read_nameless(
        &mut self,
        segment: &mut Segment,
        row: &Row,
        length: usize,
        text: &mut Stretch<'_>,
        sink: &mut impl Sink,
    ) -> Move {
        let from = segment.payload_end;
        let rest = after(text.rest(), length);
        let at = text.at() + length;
        let key_len = rest.iter().take(LONGEST_NAME).position(|&byte| byte == b'<');
        let Some(key_len) = key_len else {
            return if rest.len() < LONGEST_NAME && !segment.is_last {
                Move::Wait
            } else {
                Move::Fail(Why::Malformed, from)
            };
        };
        let Ok(close) = row.fits(Part::ParamClose, after(rest, key_len), segment.is_last) else {
            return Move::Wait;
        };
        let key = crate::text::trim(rest.get(..key_len).unwrap_or_default());
        let is_name = key.first().is_some_and(|byte| byte.is_ascii_alphabetic() || *byte == b'_')
            && key.iter().all(|byte| byte.is_ascii_alphanumeric() || b"_.-".contains(byte));
        if close == 0 || !is_name {
            return Move::Fail(Why::Malformed, from);
        }
        let place = at + space_len(rest);
        segment.known.repairs |= Repair::NamelessParams.bit();
        segment.known.has_params = true;
        sink.record(Op::Named { is_nameless: true, is_element: false }.at(from, from));
        sink.record(TreeOp::Open.at(text.unit_at(place), text.unit_at(place + key.len())));
        text.set_at(at + key_len + close);
        let here = text.here();
        self.begin_value(here, true);
        Move::Go
    }

    /// The program said whether what was read last begins an argument.
    pub(super) fn open_answered(
        &mut self,
        segment: &mut Segment,
        answer: Answer,
        table: &Table,
        text: &mut Stretch<'_>,
        sink: &mut impl Sink,
    ) -> Move {
        let accepts = answer == Answer::Accept;
        if segment.elements.is_line() {
            self.line_answered(segment, accepts, text.here())
        } else if segment.is_in_elements() || self.value.is_sibling() {
            self.sibling_answered(segment, accepts, table, text, sink)
        } else {
            self.value_answered(segment, answer, table.row(segment.row), text, sink)
        }
    }

    /// Whether the opener in a value names a parameter that may begin there: it ends the value before it where the row
    /// repairs that, and else the value has swallowed it. Otherwise it is text.
    fn value_answered(
        &mut self,
        segment: &mut Segment,
        answer: Answer,
        row: &Row,
        text: &mut Stretch<'_>,
        sink: &mut impl Sink,
    ) -> Move {
        let here = self.value.opened.take().unwrap_or(self.value.emitted);
        self.place = Place::Value;
        if answer != Answer::Reject && self.value.had_ended() {
            return self.value_refused(segment, row, here, sink);
        }
        if answer == Answer::Accept && row.is(Flag::OpenParams) {
            segment.known.repairs |= Repair::OpenParams.bit();
            return self.end_value(segment, here, here, sink).at(here);
        }
        if answer != Answer::Reject && text.rest().first().is_some_and(|&byte| !is_space(byte)) {
            self.value.take_marker(Marker::ParamOpen);
        }
        self.value.step(1, text);
        Move::Go
    }

    pub(super) fn end_value(&mut self, segment: &mut Segment, from: u32, to: u32, sink: &mut impl Sink) -> Move {
        segment.elements.end_param();
        self.value.asks_sibling = false;
        sink.record(TreeOp::Close.at(from, to));
        segment.payload_end = to;
        self.place = Place::Params;
        // Markers in a string of JSON are its own.
        if std::mem::take(&mut self.value.calls) > 0 { Move::Ask(super::Ask::Member) } else { Move::Go }
    }

    /// The value makes the call malformed.
    fn value_refused(&mut self, segment: &mut Segment, row: &Row, here: u32, sink: &mut impl Sink) -> Move {
        self.value.emit(here, sink);
        if segment.elements.is_open() {
            self.not_elements(segment, row, here)
        } else {
            Move::Fail(Why::Malformed, here)
        }
    }

    /// The value of a parameter or of an element has ended.
    fn close_value(&mut self, segment: &mut Segment, from: u32, to: u32, row: &Row, sink: &mut impl Sink) -> Move {
        if segment.elements.is_open() {
            self.close_element(segment, row, from, to, sink)
        } else {
            self.end_value(segment, from, to, sink)
        }
    }

    /// No closer of the value came: the call's has ended it.
    fn value_ended(&mut self, segment: &mut Segment, at: u32, row: &Row, sink: &mut impl Sink) -> Move {
        if self.value.is_mixed {
            return Move::Fail(Why::Malformed, at);
        }
        self.value.ended = None;
        segment.known.repairs |= Repair::MissingCloseTag.bit();
        self.close_value(segment, at, at, row, sink).at(at)
    }

    /// In a value.
    #[inline(never)]
    pub(super) fn read_value(
        &mut self,
        segment: &mut Segment,
        table: &Table,
        text: &mut Stretch<'_>,
        sink: &mut impl Sink,
    ) -> Move {
        let row = table.row(segment.row);
        if let Some(at) = self.value.ended
            && segment.is_last
            && text.here() == at
        {
            return self.value_ended(segment, at, row, sink);
        }
        if self.value.is_fresh
            && let Some(flow) = self.open_value(segment, row, text, sink)
        {
            return flow;
        }
        let is_stop = |byte: u8| {
            table.stops(byte, In::Value)
                || match row.trim() {
                    Trim::Nothing | Trim::Line => matches!(byte, b'\n' | b'\r'),
                    Trim::All | Trim::Block => is_space(byte),
                }
                || byte == b'<' && self.value.is_nameless
                || byte == b'&' && row.is(Flag::Entities)
                || byte == b']' && self.value.cdata != Cdata::Outside
                || self.value.cdata == Cdata::Over
        };
        let plain = text.rest().iter().take_while(|&&byte| !is_stop(byte)).count();
        self.value.step(plain, text);
        let here = text.here();
        if let Some(at) = self.value.ended
            && (here.saturating_sub(at) >= FURTHEST_CLOSER || text.is_at_end() && segment.is_last)
        {
            return self.value_ended(segment, at, row, sink);
        }
        if text.is_at_end() {
            self.value.emit(here, sink);
            return Move::Stop;
        }
        let Ok(step) = self.value_step(segment, row, table, text.rest()) else {
            self.value.emit(here, sink);
            return Move::Wait;
        };
        self.take_step(segment, step, row, text, sink)
    }

    /// At the start of a value: passes what is trimmed there, or what opens CDATA that is all of it. `None` once text of
    /// the value follows.
    fn open_value(
        &mut self,
        segment: &mut Segment,
        row: &Row,
        text: &mut Stretch<'_>,
        sink: &mut impl Sink,
    ) -> Option<Move> {
        let short = |text: &Stretch<'_>| Some(if text.is_at_end() { Move::Stop } else { Move::Wait });
        if !row.is(Flag::CData) {
            let space = space_len(at_most(text.rest(), LONGEST_SPACE as usize));
            match starts_with(after(text.rest(), space), &[CDATA_OPENER], segment.is_last) {
                Err(Short) => return short(text),
                Ok(false) => {}
                Ok(true) => {
                    text.pass(space + CDATA_OPENER.len());
                    self.value.is_fresh = false;
                    self.value.cdata = Cdata::Whole;
                    let here = text.here();
                    self.value.emitted = here;
                    // It is, even if nothing is in it.
                    sink.record(TreeOp::CData.at(here, here));
                    return Some(Move::Go);
                }
            }
        }
        if !self.trim_start(segment, row, text) {
            return short(text);
        }
        self.value.emitted = text.here();
        None
    }

    /// Acts on what was found in a value at the place.
    fn take_step(
        &mut self,
        segment: &mut Segment,
        step: Step,
        row: &Row,
        text: &mut Stretch<'_>,
        sink: &mut impl Sink,
    ) -> Move {
        let here = text.here();
        if self.value.had_ended() && step.needs_value() {
            return self.value_refused(segment, row, here, sink);
        }
        match step {
            Step::Text(length) => self.value.pass(length, text, sink),
            Step::Markup(length) => {
                self.value.leave_out(length, text, sink);
                self.value.cdata = self.value.cdata.turned();
            }
            Step::Inside(marker, length) => {
                self.value.take_marker(marker);
                self.value.step(length, text);
            }
            Step::CallEnds(_) if self.value.cdata == Cdata::Over => return self.value_ended(segment, here, row, sink),
            Step::CallEnds(length) => {
                self.value.emit(here, sink);
                self.value.ended = Some(here);
                self.value.step(length, text);
            }
            Step::NextCall => return self.value_ended(segment, self.value.ended.unwrap_or(here), row, sink),
            Step::Refused => return self.value_refused(segment, row, here, sink),
            Step::Character(code, length) => {
                self.value.leave_out(length, text, sink);
                sink.record(TreeOp::Character(code).at(here, self.value.emitted));
            }
            Step::Sibling { closer, from, to } => {
                self.value.emit(here, sink);
                record_part(Op::Next { is_param: false }.word(), (from, to), text, sink);
                self.value.asks_sibling = !segment.elements.is_open();
                return self.ask_sibling(segment, closer);
            }
            Step::Open(key_from, key_to) => {
                self.value.emit(here, sink);
                self.value.opened = Some(here);
                record_part(Op::Next { is_param: true }.word(), (key_from, key_to), text, sink);
                return Move::Ask(super::Ask::Open);
            }
            Step::End(length) => {
                self.value.ended = None;
                self.value.emit(here, sink);
                text.pass(length);
                let to = text.here();
                return self.close_value(segment, here, to, row, sink);
            }
        }
        Move::Go
    }

    /// Passes what is trimmed at the start of a value; false while it may go on.
    fn trim_start(&mut self, segment: &mut Segment, row: &Row, text: &mut Stretch<'_>) -> bool {
        if row.trim() == Trim::Nothing {
            self.value.is_fresh = false;
            return true;
        }
        if row.trim() == Trim::All {
            let space = space_len(text.rest());
            self.value.step(space, text);
            if text.is_at_end() && !segment.is_last {
                return false;
            }
        } else if row.trim() == Trim::Block {
            let space = space_len(at_most(text.rest(), LONGEST_SPACE as usize));
            if space == text.rest().len() && space < LONGEST_SPACE as usize && !segment.is_last {
                return false;
            }
            let blank = text.rest().get(..space).unwrap_or_default();
            let indent = blank.iter().rev().take_while(|&&byte| byte != b'\n').count();
            self.value.step(if indent < space { space - indent } else { space }, text);
        } else {
            match text.rest() {
                [] | [b'\r'] if !segment.is_last => return false,
                [b'\n', ..] => self.value.step(1, text),
                [b'\r', b'\n', ..] => self.value.step(2, text),
                _ => {}
            }
        }
        self.value.is_fresh = false;
        true
    }

    /// What is at a place of a value.
    #[inline(never)]
    fn value_step(&self, segment: &Segment, row: &Row, table: &Table, text: &[u8]) -> Sight<Step> {
        if self.value.is_nameless && text.first() != Some(&b'&') {
            return self.nameless_step(segment, row, text);
        }
        match self.value.cdata {
            Cdata::Part | Cdata::Whole => {
                return Ok(match starts_with(text, &[CDATA_CLOSER], segment.is_last)? {
                    true => Step::Markup(CDATA_CLOSER.len()),
                    false => Step::Text(1),
                });
            }
            Cdata::Over => return self.after_cdata(segment, row, table, text),
            Cdata::Outside => {}
        }
        if row.is(Flag::CData) && starts_with(text, &[CDATA_OPENER], segment.is_last)? {
            return Ok(Step::Markup(CDATA_OPENER.len()));
        }
        if text.first() == Some(&b'&') && row.is(Flag::Entities) {
            return self.reference(segment, text);
        }
        let space = match (row.trim(), text) {
            (Trim::Line, [b'\n', ..]) => 1,
            (Trim::Line, [b'\r', b'\n', ..]) => 2,
            (Trim::Line, [b'\r']) if !segment.is_last => return Err(Short),
            (Trim::All | Trim::Block, _) => space_len(text),
            _ => 0,
        };
        let rest = after(text, space);
        if rest.is_empty() && !segment.is_last && space < LONGEST_SPACE as usize {
            return Err(Short);
        }
        if let Some(length) = self.call_ends(segment, row, table, text)? {
            return Ok(Step::CallEnds(length));
        }
        if self.value.ended.is_some() && segment.begins(table, text)?.is_some() {
            return Ok(Step::NextCall);
        }
        if segment.elements.is_open() {
            return self.leaf_step(segment, row, table, rest, space);
        }
        // After a closer that may have ended it, an opener says that it has.
        let is_placed = !row.is(Flag::LineParams) || self.value.is_stray || self.value.line_after(text, space);
        self.param_step(segment, row, table, (rest, space), is_placed)
    }

    /// What is at a place of a value whose parameter had its name between opener and closer.
    fn nameless_step(&self, segment: &Segment, row: &Row, text: &[u8]) -> Sight<Step> {
        let is_next = |part: Part| row.fits(part, text, segment.is_last).map(|length| length > 0);
        let ends = is_next(Part::ParamOpen)?
            || segment.nameless(row, text)? > 0
            || is_next(Part::CallClose)?
            || is_next(Part::SectionClose)?;
        Ok(if ends { Step::End(0) } else { Step::Text(1) })
    }

    /// What a possible closer or opener in the value of a parameter is, after `space` bytes of white space before it;
    /// whether the row's template may have an opener there.
    fn param_step(
        &self,
        segment: &Segment,
        row: &Row,
        table: &Table,
        (text, space): (&[u8], usize),
        is_placed: bool,
    ) -> Sight<Step> {
        let length = self.param_closer(segment, row, text)?;
        if self.value.params > 0 {
            let inner = row.fits(Part::ParamClose, text, segment.is_last)?;
            if inner > 0 {
                return Ok(Step::Inside(Marker::ParamClose, space + inner));
            }
        }
        if length == 0 {
            return self.param_open_step(segment, row, &table.names, (text, space), is_placed);
        }
        let next = after(text, length);
        let front = space + length;
        if row.closer() == Closer::First || self.follows_value(segment, row, table, next)? {
            return Ok(Step::End(front));
        }
        if let Some((from, to)) = self.element_after(segment, row, next)? {
            return Ok(Step::Sibling { closer: front, from: front + from, to: front + to });
        }
        let is_open = self.value.ended.is_none();
        Ok(if is_open { Step::Inside(Marker::ParamClose, front) } else { Step::Text(space.max(1)) })
    }

    /// What stands in the value of a parameter where no closer of its own does, after `space` bytes of white space.
    fn param_open_step(
        &self,
        segment: &Segment,
        row: &Row,
        names: &ToolNames,
        (text, space): (&[u8], usize),
        is_placed: bool,
    ) -> Sight<Step> {
        let is_front = space > 0 && !row.is(Flag::OpenParams);
        if self.value.ended.is_some() || is_front {
            return Ok(Step::Text(space.max(1)));
        }
        let is_inner = self.value.calls > 0;
        if is_placed || is_inner {
            let (open, head) = self.param_opener(segment, row, text)?;
            if let Some((head, (from, to))) = head.and_then(|head| Some((head, head.slot(Slot::Key)?)))
                && !head.is_empty
            {
                let at = space + open;
                return Ok(match (is_inner, space) {
                    (false, _) => Step::Open(at + from, at + to),
                    (true, 0) => Step::Inside(Marker::ParamOpen, open + head.len),
                    (true, _) => Step::Text(space),
                });
            }
        }
        if space > 0 {
            return Ok(Step::Text(space));
        }
        let inner = self.inner_call(segment, row, names, text)?;
        Ok(inner.unwrap_or(Step::Text(1)))
    }

    /// A parameter's opener at the start of a text: its length, which may be 0, and its head if one fits.
    fn param_opener(&self, segment: &Segment, row: &Row, text: &[u8]) -> Sight<(usize, Option<Head>)> {
        let open = row.fits(Part::ParamOpen, text, segment.is_last)?;
        if open == 0 {
            return Ok((0, None));
        }
        let head = head::read(row, None, row.param_head(), after(text, open), segment.is_last);
        Ok((open, head?))
    }

    /// The call's opener or its closer inside a value, where nothing was decided.
    fn inner_call(&self, segment: &Segment, row: &Row, names: &ToolNames, text: &[u8]) -> Sight<Option<Step>> {
        let open = row.fits(Part::CallOpen, text, segment.is_last)?;
        if open > 0
            && let Some(head) = head::read(row, Some(names), row.call_head(), after(text, open), segment.is_last)?
            && head.slot(Slot::Name).is_some()
            && !head.is_empty
        {
            let len = open + head.len;
            // Else it is a mention.
            let rest = after(text, len);
            let space = space_len(at_most(rest, LONGEST_SPACE as usize));
            if segment.begins_payload(row, Some(&head), after(rest, space))? {
                return Ok(Some(Step::Inside(Marker::CallOpen, len)));
            }
        }
        let close = if self.value.calls > 0 { row.fits(Part::CallClose, text, segment.is_last)? } else { 0 };
        Ok((close > 0).then_some(Step::Inside(Marker::CallClose, close)))
    }

    /// Whether the closer of the call is at the start of a text, and the grammar goes on after it: then the value's
    /// is missing, if none follows. How far the call's reaches.
    fn call_ends(&self, segment: &Segment, row: &Row, table: &Table, text: &[u8]) -> Sight<Option<usize>> {
        let Value { calls, ended, is_nameless, .. } = self.value;
        if calls > 0 || ended.is_some() || is_nameless || row.is(Flag::Strict) {
            return Ok(None);
        }
        let lines = match row.trim() {
            Trim::Nothing => 1,
            Trim::Line => 2,
            Trim::All | Trim::Block => usize::MAX,
        };
        let gap = if lines == usize::MAX { space_len(text) } else { lines_len(text, lines) };
        // A line end may be the value's own closer.
        if gap > 0 && self.param_closer(segment, row, text)? > 0 {
            return Ok(None);
        }
        let rest = after(text, gap);
        if rest.is_empty() && !segment.is_last && gap < LONGEST_SPACE as usize {
            return Err(Short);
        }
        let is_argument = !segment.elements.is_open() || segment.elements.is_argument();
        let length = if is_argument { segment.call_closer(row, rest)? } else { 0 };
        if length == 0 {
            return Ok(None);
        }
        let next = after(rest, length);
        let space = space_len(at_most(next, LONGEST_SPACE as usize));
        let next = after(next, space);
        if next.is_empty() && !segment.is_last {
            return if space < LONGEST_SPACE as usize { Err(Short) } else { Ok(None) };
        }
        let follows = next.is_empty() || segment.is_front_of_end(row, next) || segment.ends_call(table, next)?;
        Ok(follows.then_some(gap + length))
    }

    /// After CDATA that is all of a value: its closer, or the call's.
    fn after_cdata(&self, segment: &Segment, row: &Row, table: &Table, text: &[u8]) -> Sight<Step> {
        if starts_with(text, &[CDATA_OPENER], segment.is_last)? {
            return Ok(Step::Markup(CDATA_OPENER.len()));
        }
        let space = space_len(at_most(text, LONGEST_SPACE as usize));
        let rest = after(text, space);
        if rest.is_empty() {
            let may_come = !segment.is_last && space < LONGEST_SPACE as usize;
            return if may_come { Err(Short) } else { Ok(Step::Refused) };
        }
        if self.call_ends(segment, row, table, rest)?.is_some() {
            return Ok(Step::CallEnds(0));
        }
        if segment.elements.is_open() {
            let step = self.leaf_step(segment, row, table, rest, space)?;
            return Ok(if matches!(step, Step::Text(_) | Step::Inside(..)) { Step::Refused } else { step });
        }
        let length = self.param_closer(segment, row, rest)?;
        let ends = length > 0
            && (self.follows_value(segment, row, table, after(rest, length))?
                || self.element_after(segment, row, after(rest, length))?.is_some());
        Ok(if ends { Step::End(space + length) } else { Step::Refused })
    }

    /// Whether the grammar goes on after a value that was closed.
    #[inline(never)]
    fn follows_value(&self, segment: &Segment, row: &Row, table: &Table, text: &[u8]) -> Sight<bool> {
        let space = space_len(text);
        let rest = after(text, space);
        if rest.is_empty() {
            return if segment.is_last || space >= LONGEST_SPACE as usize { Ok(segment.is_last) } else { Err(Short) };
        }
        if segment.is_cut_closer(row, rest) {
            return Ok(true);
        }
        if row.fits(Part::ParamOpen, rest, segment.is_last)? > 0 || segment.call_closer(row, rest)? > 0 {
            return Ok(true);
        }
        segment.ends_call(table, rest)
    }

    /// Where the name of an element stands that follows a value that was closed, and so may be the next parameter.
    fn element_after(&self, segment: &Segment, row: &Row, text: &[u8]) -> Sight<Option<(usize, usize)>> {
        let space = space_len(text);
        match segment.element_param(row, after(text, space))? {
            Tag::Open { name: (from, to), .. } => Ok(Some((space + from, space + to))),
            Tag::Cut | Tag::Other => Ok(None),
        }
    }

    /// A reference at the start of a text.
    #[inline(never)]
    fn reference(&self, segment: &Segment, text: &[u8]) -> Sight<Step> {
        let front = text.get(..LONGEST_REFERENCE).unwrap_or(text);
        let Some(end) = front.iter().position(|&byte| byte == b';') else {
            return if front.len() < LONGEST_REFERENCE && !segment.is_last { Err(Short) } else { Ok(Step::Text(1)) };
        };
        let mut step = Step::Text(1);
        references(front.get(..=end).unwrap_or_default(), |place, character| {
            if place.start == 0 {
                step = Step::Character(u32::from(character), place.end);
            }
            false
        });
        Ok(step)
    }
}

impl Payload for Tagged {
    fn begin(&mut self, segment: &mut Segment, _: &Row, here: u32) {
        if segment.body == Body::Elements {
            self.place = Place::Members;
        } else {
            segment.payload_end = here;
            self.place = Place::Params;
        }
    }

    fn read(&mut self, segment: &mut Segment, table: &Table, text: &mut Stretch<'_>, sink: &mut impl Sink) -> Move {
        match self.place {
            Place::Params => self.read_params(segment, table, text, sink),
            Place::Value => self.read_value(segment, table, text, sink),
            Place::Members => self.read_members(segment, table, text, sink),
            Place::Look(from) => self.look(segment, from, table, text),
            Place::Message => self.read_message(segment, text, sink),
        }
    }

    fn release(&mut self, units: u32) {
        self.value.release(units);
        if let Place::Look(from) = &mut self.place {
            *from = from.saturating_sub(units);
        }
    }
}

/// The length of at most so many line ends at the start of a text.
fn lines_len(text: &[u8], most: usize) -> usize {
    let mut len = 0;
    for _ in 0..most {
        len += match after(text, len) {
            [b'\n', ..] => 1,
            [b'\r', b'\n', ..] => 2,
            _ => break,
        };
    }
    len
}

/// Records what a parameter's tag says of its type.
fn record_types(head: &Head, text: &mut Stretch<'_>, sink: &mut impl Sink) {
    for (slot, op) in [(Slot::Type, Op::Type { is_flag: false }), (Slot::IsString, Op::Type { is_flag: true })] {
        if let Some(part) = head.slot(slot) {
            record_part(op.word(), part, text, sink);
        }
    }
}
