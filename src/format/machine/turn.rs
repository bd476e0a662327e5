//! What is known of the turn outside of calls: how it has begun, and what stands directly before the place.

use super::Start;
use super::reasoning::Closer;
use crate::format::row::Kind;

#[derive(Clone, Copy, Debug)]
#[cfg_attr(feature = "debug", derive(serde::Serialize))]
pub(super) struct Turn {
    /// Whether only white space and reasoning came in it.
    pub(super) is_start: bool,
    /// Whether only white space came in it, or since reasoning has ended.
    pub(super) is_lead: bool,
    /// Whether a header begins here.
    pub(super) is_header: bool,
    /// The message that the place is in, if messages are read.
    pub(super) message: Option<Kind>,
    /// Whether a call or its opener stands directly before the place.
    pub(super) is_after_call: bool,
    /// Whether a call of the section was read.
    pub(super) has_called: bool,
    /// The row of the last call.
    pub(super) called: Option<u8>,
    /// Whether a call seems to have come without its opener, and as text.
    pub(super) has_lost: bool,
    /// Whether a segment has failed: what closes it may yet come, and is text.
    pub(super) has_failed: bool,
    /// Whether a token has ended it.
    pub(super) has_ended: bool,
    /// Whether an opener has failed in a run of text that settles.
    pub(super) has_mentioned: bool,
    /// Where a line starts without a line end before it in the text that is read.
    pub(super) line_start: Option<u32>,
    /// Whether a call ended the reasoning of this row, so that its closing marker may yet come.
    pub(super) owed: Option<u8>,
    /// The reasoning that a call seems to end whose name is not known yet, and whether the opener at the place
    /// didn't begin one.
    pub(super) inside: Option<Closer>,
    pub(super) is_mention: bool,
}

impl Turn {
    /// A turn at the start of a stream.
    pub(super) const fn new(start: Start) -> Turn {
        let is_start = !matches!(start, Start::Text);
        Turn {
            is_start,
            is_lead: is_start,
            is_header: matches!(start, Start::Header),
            message: None,
            is_after_call: false,
            has_called: false,
            called: None,
            has_lost: false,
            has_failed: false,
            has_ended: false,
            has_mentioned: false,
            line_start: Some(0),
            owed: None,
            inside: None,
            is_mention: false,
        }
    }

    /// Text of so many units is not pending any more.
    pub(super) fn release(&mut self, units: u32) {
        self.line_start = self.line_start.and_then(|at| at.checked_sub(units));
    }
}
