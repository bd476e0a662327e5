//! A body that is any text, up to the closer of the call or the end. The program reads it.
//!
//! Only where the text is a JSON object, and nothing else, another call may follow at the start
//! of a line: in any other text an opener is data.

use super::Ask;
use super::payload::{Move, Payload, emit_text};
use super::segment::Segment;
use crate::format::row::{Part, Row};
use crate::format::table::Table;
use crate::text::{Sink, Stretch, state};
use crate::xml::TreeOp;

state! {
    /// Where such a body is read.
    #[derive(Clone, Copy, Debug)]
    pub(super) struct Plain {
        emitted: u32,
        is_line_start: bool,
        /// Whether the program is asked if it is a JSON object: once, so that no text is read over and over.
        may_be_object: bool,
    }
}

impl Plain {
    pub(super) const START: Plain = Plain { emitted: 0, is_line_start: false, may_be_object: true };

    /// Another call seemed to begin here, but the text before it is not an object: it goes on.
    pub(super) fn goes_on(&mut self) {
        self.is_line_start = false;
        self.may_be_object = false;
    }

    /// Reads up to where the body may end; the question is whether it does.
    fn read_on(&mut self, segment: &mut Segment, table: &Table, text: &mut Stretch<'_>) -> Move {
        let row = segment.row(table);
        loop {
            let question = match text.rest() {
                [] if !segment.is_last => return Move::Stop,
                [] => Some(Ask::Whole),
                [byte, ..] => {
                    let Some(closer) = row.fits(Part::CallClose, text.rest(), segment.is_last) else {
                        return Move::Wait;
                    };
                    let begins = closer == 0 && self.is_line_start && self.may_be_object;
                    let begins = if begins { self.begins_call(segment, table, text.rest()) } else { Some(false) };
                    let Some(begins) = begins else { return Move::Wait };
                    self.is_line_start = *byte == b'\n';
                    if closer > 0 { Some(Ask::Whole) } else { begins.then_some(Ask::Open) }
                }
            };
            if let Some(question) = question {
                segment.payload_end = text.here();
                return Move::Ask(question);
            }
            text.pass(1);
        }
    }

    /// Whether another call begins at the start of a text.
    fn begins_call(&self, segment: &Segment, table: &Table, text: &[u8]) -> Option<bool> {
        let opener = segment.row(table).fits(Part::CallOpen, text, segment.is_last)?;
        if opener > 0 { segment.begins(table, text).is_there() } else { Some(false) }
    }
}

impl Payload for Plain {
    fn begin(&mut self, segment: &mut Segment, _: &Row, here: u32) {
        segment.payload_end = here;
        *self = Plain { emitted: here, ..Plain::START };
    }

    fn read(&mut self, segment: &mut Segment, table: &Table, text: &mut Stretch<'_>, sink: &mut impl Sink) -> Move {
        let step = self.read_on(segment, table, text);
        emit_text(TreeOp::Text, &mut self.emitted, text.here(), sink);
        step
    }

    fn release(&mut self, units: u32) {
        self.emitted = self.emitted.saturating_sub(units);
    }
}
