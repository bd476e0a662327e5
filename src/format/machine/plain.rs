//! A body that is any text, up to the closer of the call or the end. The program reads it.
//!
//! Only where the text is a JSON object, and nothing else, another call may follow at the start
//! of a line: in any other text an opener is data. A fence around the text, or around all of the turn, is not part of it.

use super::Ask;
use super::look::starts_with;
use super::payload::{Move, Payload, emit_text};
use super::segment::Segment;
use crate::format::op::Repair;
use crate::format::row::{Part, Row};
use crate::format::table::Table;
use crate::markdown::FENCE;
use crate::scan::{Short, Sight, at_most, is_space};
use crate::text::{Sink, Stretch};
use crate::xml::TreeOp;

/// Longest line that begins a fence, in bytes.
const LONGEST_FENCE: usize = 32;

/// Where such a body is read.
#[derive(Clone, Copy, Debug)]
#[cfg_attr(feature = "debug", derive(serde::Serialize))]
pub(super) struct Plain {
    emitted: u32,
    is_line_start: bool,
    /// Whether the program is asked if it is a JSON object: once, so that no text is read over and over.
    may_be_object: bool,
    /// Whether nothing of it was read.
    is_fresh: bool,
    /// Whether it is in a fence of Markdown, and whether another one is open in it.
    pub(super) is_fenced: bool,
    is_in_code: bool,
}

impl Plain {
    pub(super) const START: Plain = Plain {
        emitted: 0,
        is_line_start: false,
        may_be_object: true,
        is_fresh: true,
        is_fenced: false,
        is_in_code: false,
    };

    /// Another call seemed to begin here, but the text before it is not an object: it goes on.
    pub(super) fn goes_on(&mut self) {
        self.is_line_start = false;
        self.may_be_object = false;
    }

    /// Reads up to where the body may end; the question is whether it does.
    fn read_on(&mut self, segment: &mut Segment, table: &Table, text: &mut Stretch<'_>) -> Move {
        if self.is_fresh {
            let Ok(fence) = fence_line(text.rest(), segment.is_last) else { return Move::Wait };
            if fence > 0 {
                text.pass(fence);
                self.emitted = text.here();
                self.is_fenced = true;
                segment.known.repairs |= Repair::Fence.bit();
            }
            self.is_fresh = false;
        }
        loop {
            if self.is_fenced && self.is_line_start {
                let Ok(fence) = fence_line(text.rest(), segment.is_last) else { return Move::Wait };
                let is_bare = fence > 0 && text.rest().iter().take(fence).all(|&byte| byte == b'`' || is_space(byte));
                if is_bare && !self.is_in_code {
                    // The line end before it is not part of the text, and begins the line of the fence.
                    segment.payload_end = text.here() - 1;
                    return Move::Ask(Ask::Whole);
                }
                self.is_in_code = if fence > 0 { !is_bare } else { self.is_in_code };
            }
            let question = match text.rest() {
                [] if !segment.is_last => return Move::Stop,
                [] => Some(Ask::Whole),
                [byte, ..] => {
                    let Ok((ends, begins)) = self.ends(segment, table, text.rest()) else { return Move::Wait };
                    self.is_line_start = *byte == b'\n';
                    if ends { Some(Ask::Whole) } else { begins.then_some(Ask::Open) }
                }
            };
            if let Some(question) = question {
                segment.payload_end = text.here();
                return Move::Ask(question);
            }
            text.pass(1);
        }
    }

    /// Whether the body ends at the start of a text, and whether it does if it is an object.
    fn ends(&self, segment: &Segment, table: &Table, text: &[u8]) -> Sight<(bool, bool)> {
        let row = segment.row(table);
        let closer = row.fits(Part::CallClose, text, segment.is_last)? + segment.ends_turn(table, text)?;
        let other = row.fits(Part::OtherTurn, text, segment.is_last)? > 0;
        let ends = closer > 0 || other && self.is_line_start;
        let begins =
            !ends && self.may_be_object && (other || self.is_line_start && self.begins_call(segment, table, text)?);
        Ok((ends, begins))
    }

    /// Whether another call begins at the start of a text.
    fn begins_call(&self, segment: &Segment, table: &Table, text: &[u8]) -> Sight<bool> {
        let opener = segment.row(table).fits(Part::CallOpen, text, segment.is_last)?;
        Ok(opener > 0 && segment.begins(table, text)?.is_some())
    }
}

/// The length of a line of Markdown that begins or ends a fence at the start of a text, or 0.
fn fence_line(text: &[u8], is_last: bool) -> Sight<usize> {
    if !starts_with(text, &[FENCE], is_last)? {
        return Ok(0);
    }
    let line = at_most(text, LONGEST_FENCE);
    match line.iter().position(|&byte| byte == b'\n') {
        Some(end) => Ok(if line.iter().skip(3).take(end - 3).any(|&byte| byte == b'`') { 0 } else { end + 1 }),
        None if line.len() == LONGEST_FENCE => Ok(0),
        None => is_last.then_some(line.len()).ok_or(Short),
    }
}

impl Payload for Plain {
    fn begin(&mut self, segment: &mut Segment, _: &Row, here: u32) {
        segment.payload_end = here;
        *self = Plain { emitted: here, ..Plain::START };
    }

    fn read(&mut self, segment: &mut Segment, table: &Table, text: &mut Stretch<'_>, sink: &mut impl Sink) -> Move {
        let step = self.read_on(segment, table, text);
        if matches!(step, Move::Wait) {
            // Here it is read on where nothing more comes.
            segment.payload_end = text.here();
        }
        emit_text(TreeOp::Text, &mut self.emitted, text.here(), sink);
        step
    }

    fn release(&mut self, units: u32) {
        self.emitted = self.emitted.saturating_sub(units);
    }
}
