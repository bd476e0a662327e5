//! Reasoning: see `src/reasoning` for where it may begin.

use super::{Flow, Machine, Op, Phase};
use crate::format::row::{Flag, Kind, Part, Row};
use crate::format::table::{In, Table};
use crate::scan::{is_space, space_len};
use crate::text::{Sink, Stretch, state};

state! {
    /// What ends reasoning.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub(super) enum Closer {
        /// The closing marker of the opening marker with this place in its list.
        Of(usize),
        /// Any of the row's.
        Any,
        /// The same, before anything else came: a server may repeat the opening marker.
        Echo,
        /// The same, at the start of the stream.
        AtStart,
        /// The end of the message.
        Message,
    }
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
        self.row = row;
        self.owed = None;
        text.pass(length);
        self.emitted = text.here();
        sink.record(Op::Reasoning.at(here, self.emitted));
        self.is_in_section = false;
        self.is_after_call = false;
        self.phase = Phase::Reasoning(closer);
        Flow::Go
    }

    pub(super) fn end_reasoning(&mut self, length: usize, text: &mut Stretch<'_>, sink: &mut impl Sink) -> Flow {
        self.end_reasoning_with(Op::Reasoned, length, text, sink)
    }

    /// The same; what stands before the closing marker is `before`.
    pub(super) fn end_reasoning_with(
        &mut self,
        before: Op,
        length: usize,
        text: &mut Stretch<'_>,
        sink: &mut impl Sink,
    ) -> Flow {
        let here = text.here();
        self.emit(before, here, sink);
        text.pass(length);
        self.emitted = text.here();
        sink.record(Op::ReasoningEnd.at(here, self.emitted));
        self.opening.pass_segment();
        self.is_lead = true;
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
                None => Flow::Wait,
                Some(None) => {
                    text.pass(1);
                    Flow::Go
                }
                // The message's own end is read as text is.
                Some(Some(_)) => {
                    self.message = Some(Kind::Text);
                    self.end_reasoning(0, text, sink)
                }
            };
        }
        let Some(length) = self.closes(closer, table, text.rest()) else { return Flow::Wait };
        if length > 0 {
            return self.end_reasoning(length, text, sink);
        }
        let row = self.row(table);
        if row.is(Flag::EndsAtCall) {
            for part in [Part::SectionOpen, Part::CallOpen] {
                match row.fits(part, text.rest(), self.is_last) {
                    None => return Flow::Wait,
                    Some(0) => {}
                    Some(_) => {
                        self.owed = Some(self.row);
                        return self.end_reasoning(0, text, sink);
                    }
                }
            }
        }
        match self.citation(row, text.rest()).map(|citation| citation.len) {
            None => Flow::Wait,
            Some(0) => {
                text.pass(1);
                Flow::Go
            }
            Some(length) => {
                let here = text.here();
                self.emit(Op::Reasoned, here, sink);
                text.pass(length);
                self.emit(Op::Markup, text.here(), sink);
                Flow::Go
            }
        }
    }

    /// The length of what closes, at the start of a text, the reasoning that a call seemed to end, or 0. The line
    /// end before it is text already.
    pub(super) fn late_close(&self, row: &Row, text: &[u8]) -> Option<usize> {
        if text.first().is_some_and(|&byte| is_space(byte)) {
            return Some(0);
        }
        row.fits(Part::ReasoningClose, text, self.is_last)
    }

    /// The length of the closing marker at the start of a text, or 0.
    fn closes(&self, closer: Closer, table: &Table, text: &[u8]) -> Option<usize> {
        let rows = table.rows().filter(|(number, _)| !matches!(closer, Closer::Of(_)) || *number == self.row);
        let mut longest = 0;
        for (_, row) in rows {
            if let Closer::Of(place) = closer
                && row.is(Flag::Pairs)
            {
                let Some(mark) = row.list(Part::ReasoningClose).nth(place) else { continue };
                match crate::format::row::fit(mark, text) {
                    None if self.is_last => {}
                    None => return None,
                    Some(length) => longest = longest.max(length),
                }
                continue;
            }
            longest = longest.max(row.fits(Part::ReasoningClose, text, self.is_last)?);
        }
        Some(longest)
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
        let mut length = 0;
        for (_, row) in table.rows() {
            match row.fits(Part::ReasoningOpen, text.rest(), self.is_last) {
                None => return Flow::Wait,
                Some(other) => length = length.max(other),
            }
        }
        if length > 0 {
            let tag = text.here();
            self.emit(Op::Reasoned, tag, sink);
            text.pass(length);
            self.emit(Op::Reopened, text.here(), sink);
        }
        self.phase = Phase::Reasoning(Closer::Any);
        Flow::Go
    }
}
