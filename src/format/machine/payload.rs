//! What a payload is to the machine: a state of its own, which reads and says what that has come to.
//!
//! ```text
//! begin ─▶ read ─▶ Go, Stop, Wait, At ─▶ read …
//!            ├─▶ Ask   ─▶ the answer ─▶ read …
//!            ├─▶ Ended ─▶ the closer, or what may follow the call
//!            └─▶ Fail  ─▶ the text of the call, as it was written
//! ```
//!
//! A payload reads its own state and the segment's, and writes what it repaired there. Phases, text and reasoning are
//! the machine's.

use super::ask::Ask;
use super::segment::Segment;
use crate::format::op::Why;
use crate::format::row::Row;
use crate::format::table::Table;
use crate::text::{Sink, Stretch};
use crate::xml::TreeOp;

/// What a move of a payload has come to.
#[derive(Clone, Copy)]
pub(super) enum Move {
    /// It reads on.
    Go,
    /// The stretch is at its end.
    Stop,
    /// Too little text follows.
    Wait,
    /// It reads on at another unit.
    At(u32),
    /// The program has to answer first.
    Ask(Ask),
    /// It is a whole call up to there, and what follows is text.
    Whole(u32),
    /// It is text, and so is what follows.
    NoCall(u32),
    /// A call of it is whole, up to the payload's end so far; it reads on there for another.
    Done(u32),
    /// Its calls are whole, and with them it has ended there.
    CallsEnded(u32),
    /// The program has to answer first, and then it reads on there.
    AskAt(Ask, u32),
    /// The tool's own closing tag has ended the call, where the payload has ended.
    Closed,
    /// The payload has ended there.
    Ended(u32),
    /// It is not a call's, and reading goes on there.
    Fail(Why, u32),
}

impl Move {
    /// This move, but reading goes on at another unit.
    pub(super) fn at(self, unit: u32) -> Move {
        if let Move::Ask(question) = self { Move::AskAt(question, unit) } else { Move::At(unit) }
    }
}

/// A kind of payload.
pub(super) trait Payload {
    /// It begins here.
    fn begin(&mut self, segment: &mut Segment, row: &Row, here: u32);

    /// Makes one move.
    fn read(&mut self, segment: &mut Segment, table: &Table, text: &mut Stretch<'_>, sink: &mut impl Sink) -> Move;

    /// Text of so many units is not pending any more.
    fn release(&mut self, _units: u32) {}
}

/// Emits the text of a value up to here, as text or CDATA. It was emitted up to `emitted`, which moves on.
#[inline(never)]
pub(super) fn emit_text(op: TreeOp, emitted: &mut u32, here: u32, sink: &mut impl Sink) {
    if here > *emitted {
        sink.record(op.at(*emitted, here));
        *emitted = here;
    }
}
