//! The segment that is read: where it stands, by which row, and what is known of its call.
//!
//! A payload sees its own state and the segment. Text, reasoning, messages and the end of a call are the machine's.
//! Whether something begins or ends at a place is asked of the segment too, since that depends on the row.

use super::open::Open;
use crate::format::op::{Op, Repair};
use crate::format::row::{Body, Row};
use crate::format::table::Table;
use crate::json::{DEEPEST, Rules, Tokenizer};
use crate::text::{SearchBudget, Sink};

/// What is not a call in a segment, and so what closes it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "debug", derive(serde::Serialize))]
pub(super) enum Dead {
    /// A call, by its closer or its section's.
    Call,
    /// What follows a call's opener; the same closes it.
    Mention,
    /// What follows a section's opener, by the section's closer.
    Section,
    /// A message of another, by its end or the next one.
    Message,
    /// Another's turn, by nothing.
    Turn,
    /// What goes up to its own closer.
    Own(Ends),
    /// A value of JSON, by its closing bracket.
    Value,
}

/// What ends a segment that goes up to its own closer and isn't a call, besides that.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "debug", derive(serde::Serialize))]
pub(super) enum Ends {
    /// Nothing: the stream ended in it.
    Closer,
    /// The start of another call.
    Call,
    /// Any opener.
    AnyOpener,
}

/// How a call is written, by its row and its opener.
#[derive(Clone, Copy, Debug)]
#[cfg_attr(feature = "debug", derive(serde::Serialize))]
pub(super) struct Form {
    /// Whether it began without an opener.
    pub(super) is_bare: bool,
    /// Whether it has a closer, and whether it goes up to that whatever stands in it.
    pub(super) has_close: bool,
    pub(super) has_own_end: bool,
    /// Whether it has an opener of its own.
    pub(super) has_opener: bool,
    /// Whether its tag closed itself.
    pub(super) is_empty: bool,
    /// Whether the end of the stream closes it.
    pub(super) end_closes: bool,
    /// Whether it is a value in prose, which is one up to its closing bracket whatever stands in it.
    pub(super) is_value: bool,
}

/// What is known of a call so far.
#[derive(Clone, Copy, Debug)]
#[cfg_attr(feature = "debug", derive(serde::Serialize))]
pub(super) struct Known {
    /// Whether a call of the segment is done.
    pub(super) has_done: bool,
    /// Whether a parameter of it was read.
    pub(super) has_params: bool,
    /// What was repaired in it, and the rules of JSON by which it was read.
    pub(super) repairs: u64,
    pub(super) used: Rules,
}

#[derive(Clone, Copy, Debug)]
#[cfg_attr(feature = "debug", derive(serde::Serialize))]
pub(super) struct Segment {
    /// By which row it is read.
    pub(super) row: u8,
    /// Where it begins.
    pub(super) mark: u32,
    /// Where its payload does, and where that has ended.
    pub(super) payload: u32,
    pub(super) payload_end: u32,
    /// No more text comes: nothing is waited for.
    pub(super) is_last: bool,
    /// Whether the text is cut off there.
    pub(super) is_cut_off: bool,
    /// Nothing is waited for in this run of text, in which no call begins any more.
    pub(super) settles: bool,
    /// Whether a section is open.
    pub(super) is_in_section: bool,
    /// Whether a fence is open that began with a value.
    pub(super) is_in_fence: bool,
    /// How its payload is written.
    pub(super) body: Body,
    pub(super) form: Form,
    pub(super) known: Known,
    /// What reads JSON in its payload, or what is like JSON.
    pub(super) tokens: Tokenizer,
    /// What reading text again may still cost.
    pub(super) budget: SearchBudget,
    /// The tags in it that are open, and the tool's own.
    pub(super) elements: Open,
}

impl Segment {
    /// No segment, of a row.
    pub(super) const fn new(row: u8) -> Segment {
        Segment {
            row,
            mark: 0,
            payload: 0,
            payload_end: 0,
            is_last: false,
            is_cut_off: false,
            settles: false,
            is_in_section: false,
            is_in_fence: false,
            body: Body::Nothing,
            form: Form {
                is_bare: false,
                has_close: true,
                has_own_end: false,
                has_opener: true,
                is_empty: false,
                end_closes: true,
                is_value: false,
            },
            known: Known { has_done: false, has_params: false, repairs: 0, used: Rules::STRICT },
            tokens: Tokenizer::new(Rules::STRICT, DEEPEST),
            budget: SearchBudget::START,
            elements: Open::NONE,
        }
    }

    /// Text of so many units is not pending any more.
    pub(super) fn release(&mut self, units: u32) {
        for place in [&mut self.mark, &mut self.payload, &mut self.payload_end] {
            *place = place.saturating_sub(units);
        }
        self.tokens.release(units);
        self.elements.release(units);
        self.budget.pass(units);
    }

    /// The end of the stream closes the call: a repair where more parameters may have been meant.
    pub(super) fn note_end(&mut self) {
        if self.form.has_close && self.body.is_tagged() {
            self.known.repairs |= Repair::EndCloses.bit();
        }
    }

    /// Whether a call that is open where the stream is cut off may be whole without its closer: not while its arguments
    /// could go on.
    pub(super) fn may_be_whole(&self) -> bool {
        !self.is_cut_off || !(self.body.is_tagged() || matches!(self.body, Body::Text | Body::Tree))
    }

    /// A call is whole: the rules of JSON in the place, the repairs in the op.
    pub(super) fn record_done(&self, here: u32, sink: &mut impl Sink) {
        let repairs = (self.known.repairs >> 32) as u32;
        sink.record(Op::Done { repairs }.at(self.known.used.bits() | self.known.repairs as u32, here));
    }

    pub(super) fn row<'a>(&self, table: &'a Table) -> &'a Row {
        table.row(self.row)
    }
}
