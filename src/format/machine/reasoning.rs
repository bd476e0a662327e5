//! Reasoning: see `src/reasoning` for where it may begin.

use super::begin::Begin;
use super::{Flow, LONGEST_HEAD, Machine, Op, Phase, ROW_UNKNOWN};
use crate::format::row::{Flag, Kind, MOST_MARKS, Part, Row};
use crate::format::table::{In, Table};
use crate::scan::{AtLast, Short, Sight, at_most, is_space, space_len};
use crate::text::{Sink, Stretch};

/// What ends reasoning.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "debug", derive(serde::Serialize))]
pub(super) enum Closer {
    /// The closing marker of the opening marker with this place in its list; where there is none, any of the row's.
    Of(usize),
    /// Any row's.
    Any,
    /// Any row's, before anything else came: a server may repeat the opening marker.
    Echo,
    /// Any row's, at the start of the stream.
    AtStart,
    /// The end of the message.
    Message,
}

impl Machine {
    /// Reasoning begins with a marker of so many bytes.
    pub(super) fn begin_reasoning(
        &mut self,
        (row, closer): (u8, Closer),
        length: usize,
        text: &mut Stretch<'_>,
        sink: &mut impl Sink,
    ) -> Flow {
        let here = text.here();
        self.emit(self.text_op(), here, sink);
        self.segment.row = row;
        self.turn.owed = None;
        text.pass(length);
        self.emitted = text.here();
        sink.record(Op::Reasoning.at(here, self.emitted));
        self.segment.is_in_section = false;
        self.turn.is_after_call = false;
        self.phase = Phase::Reasoning(closer);
        Flow::Go
    }

    pub(super) fn end_reasoning(&mut self, length: usize, text: &mut Stretch<'_>, sink: &mut impl Sink) -> Flow {
        self.end_reasoning_with(Op::Reasoned, length, text, sink)
    }

    /// Ends reasoning whose last text, before the closing marker, has the op `before`.
    pub(super) fn end_reasoning_with(
        &mut self,
        before: Op,
        length: usize,
        text: &mut Stretch<'_>,
        sink: &mut impl Sink,
    ) -> Flow {
        let here = text.here();
        self.emit(before, here, sink);
        let ends_line = length.checked_sub(1).and_then(|last| text.rest().get(last)) == Some(&b'\n');
        text.pass(length);
        self.emitted = text.here();
        if ends_line {
            self.turn.line_start = Some(self.emitted);
        }
        sink.record(Op::ReasoningEnd.at(here, self.emitted));
        self.opening.pass_segment();
        self.turn.is_lead = true;
        self.phase = Phase::Text;
        Flow::Go
    }

    /// In reasoning: up to what ends it.
    #[inline(never)]
    pub(super) fn read_reasoning(
        &mut self,
        closer: Closer,
        table: &Table,
        text: &mut Stretch<'_>,
        sink: &mut impl Sink,
    ) -> Flow {
        if matches!(closer, Closer::AtStart | Closer::Echo) {
            return self.read_echo(closer, table, text, sink);
        }
        let plain = text.rest().iter().take_while(|&&byte| !table.stops(byte, In::Reasoning)).count();
        text.pass(plain);
        if text.is_at_end() {
            return Flow::Stop;
        }
        if closer == Closer::Message {
            return match self.message_boundary(table, text.rest()) {
                Err(Short) => Flow::Wait,
                Ok(None) => {
                    text.pass(1);
                    Flow::Go
                }
                // The message's own end is read as text is.
                Ok(Some(_)) => {
                    self.turn.message = Some(Kind::Text);
                    self.end_reasoning(0, text, sink)
                }
            };
        }
        let Ok(length) = self.closes(closer, table, text.rest()) else { return Flow::Wait };
        if length > 0 {
            return self.end_reasoning(length, text, sink);
        }
        match self.segment.ends_turn(table, text.rest()) {
            Err(Short) => return Flow::Wait,
            Ok(0) => {}
            Ok(length) => return self.pass_markup(length, text, sink),
        }
        let row = self.segment.row(table);
        if row.is(Flag::EndsAtCall) && !self.turn.is_mention && !self.segment.settles {
            match self.interrupts(table, row, text.rest()) {
                Err(Short) => return Flow::Wait,
                Ok(Some(begin)) => return self.interrupt(closer, begin, table, text, sink),
                Ok(None) => {}
            }
        }
        self.turn.is_mention = false;
        match self.citation(row, text.rest()).map(|citation| citation.len) {
            Err(Short) => Flow::Wait,
            Ok(0) => {
                text.pass(1);
                Flow::Go
            }
            Ok(length) => self.pass_markup(length, text, sink),
        }
    }

    /// A marker of so many bytes is no reasoning.
    fn pass_markup(&mut self, length: usize, text: &mut Stretch<'_>, sink: &mut impl Sink) -> Flow {
        self.emit(Op::Reasoned, text.here(), sink);
        text.pass(length);
        self.emit(Op::Markup, text.here(), sink);
        Flow::Go
    }

    /// A call of the row that begins at the start of a text in reasoning: its opener, its head, and what comes after it.
    fn interrupts(&self, table: &Table, row: &Row, text: &[u8]) -> Sight<Option<Begin>> {
        let text = at_most(text, LONGEST_HEAD);
        let is_whole = self.segment.is_last || text.len() == LONGEST_HEAD;
        let begin = self.segment.begins_by(&table.names, row, false, text).at_last(is_whole)?;
        let Some(begin) = begin.filter(|begin| begin.opens_section || row.has(Part::CallOpen)) else {
            return Ok(None);
        };
        if !row.is(Flag::Tolerant) {
            return Ok(Some(begin));
        }
        match row.makes_call(begin.after(text)) {
            Err(Short) if is_whole => Ok(None),
            makes => Ok(makes?.then_some(begin)),
        }
    }

    /// A call seems to begin in reasoning. Where its name isn't known yet, that decides.
    fn interrupt(
        &mut self,
        closer: Closer,
        begin: Begin,
        table: &Table,
        text: &mut Stretch<'_>,
        sink: &mut impl Sink,
    ) -> Flow {
        if self.segment.row(table).is(Flag::Tolerant) {
            self.turn.owed = Some(self.segment.row);
            return self.end_reasoning(0, text, sink);
        }
        self.emit(Op::Reasoned, text.here(), sink);
        let is_start = self.turn.is_start;
        let flow = self.begin((self.segment.row, begin), table, text, sink);
        self.turn.is_start = is_start;
        self.turn.inside = Some(closer);
        flow
    }

    /// The call that seems to begin in reasoning does: its name is one.
    pub(super) fn leave_reasoning(&mut self, sink: &mut impl Sink) {
        if self.turn.inside.take().is_some() {
            self.turn.is_start = false;
            self.turn.owed = Some(self.segment.row);
            sink.record(Op::ReasoningEnd.at(self.segment.mark, self.segment.mark));
        }
    }

    /// It doesn't: its opener is a part of the reasoning, and so is what was read of it up to `at`, which is searched
    /// again. Gives the place to read on at.
    pub(super) fn resume_reasoning(&mut self, closer: Closer, at: u32) -> u32 {
        self.segment.elements.end();
        self.segment.is_in_section = false;
        self.phase = Phase::Reasoning(closer);
        self.turn.is_mention = self.segment.budget.pays(at.saturating_sub(self.segment.mark), at);
        if self.turn.is_mention { self.segment.mark } else { at }
    }

    /// Whether it is known too late that it does.
    pub(super) fn is_late(&self, here: u32) -> bool {
        self.turn.inside.is_some() && here.saturating_sub(self.segment.mark) > LONGEST_HEAD as u32
    }

    /// The length of what closes, at the start of a text, the reasoning that a call seemed to end, or 0. The line
    /// end before it is text already.
    pub(super) fn late_close(&self, row: &Row, text: &[u8]) -> Sight<usize> {
        if text.first().is_some_and(|&byte| is_space(byte)) {
            return Ok(0);
        }
        row.fits(Part::ReasoningClose, text, self.segment.is_last)
    }

    /// The length of the closing marker at the start of a text, or 0.
    fn closes(&self, closer: Closer, table: &Table, text: &[u8]) -> Sight<usize> {
        let rows = table.rows().filter(|(number, _)| !matches!(closer, Closer::Of(_)) || *number == self.segment.row);
        let mut longest = 0;
        for (_, row) in rows {
            if let Closer::Of(place) = closer
                && row.is(Flag::Pairs)
                && let Some(mark) = row.list(Part::ReasoningClose).nth(place)
            {
                longest = longest.max(crate::format::row::fit(mark, text).at_last(self.segment.is_last)?);
                continue;
            }
            longest = longest.max(row.fits(Part::ReasoningClose, text, self.segment.is_last)?);
        }
        Ok(longest)
    }

    /// At the start of a stream that begins inside reasoning.
    fn read_echo(&mut self, closer: Closer, table: &Table, text: &mut Stretch<'_>, sink: &mut impl Sink) -> Flow {
        if text.is_at_end() {
            return Flow::Stop;
        }
        if closer == Closer::AtStart {
            sink.record(Op::Reasoning.at(self.emitted, self.emitted));
            self.phase = Phase::Reasoning(Closer::Echo);
        }
        let space = space_len(text.rest());
        text.pass(space);
        if text.is_at_end() {
            return Flow::Stop;
        }
        let (mut length, mut opened) = (0, None);
        for (number, row) in table.rows() {
            match row.fitting(Part::ReasoningOpen, text.rest(), self.segment.is_last) {
                Err(Short) => return Flow::Wait,
                Ok((place, other)) if other > length => (length, opened) = (other, Some((number, place))),
                Ok(_) => {}
            }
        }
        if length > 0 {
            let tag = text.here();
            self.emit(Op::Reasoned, tag, sink);
            text.pass(length);
            self.emit(Op::Reopened, text.here(), sink);
        }
        let (row, closer) = match opened {
            Some((row, place)) => (row, Closer::Of(place)),
            None if self.segment.row == ROW_UNKNOWN => (0, Closer::Any),
            None => (self.segment.row, Closer::Of(MOST_MARKS)),
        };
        self.segment.row = row;
        self.phase = Phase::Reasoning(closer);
        Flow::Go
    }
}
