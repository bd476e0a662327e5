//! The one contract of all state machines: text and answers go in, records and
//! an outcome come out.

use super::numbered;
use super::record::Sink;
use super::stretch::Stretch;

/// What a call of a machine came to. Units count from the start of the pending text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Outcome<Ask> {
    /// Where to read on: at the end of the stretch, unless there was too much for
    /// one call, the machine asks, or an earlier place has to be read again.
    pub next: u32,
    /// Where the undecided text begins; `next` if all is decided.
    pub held_from: u32,
    /// What the machine asks; it reads on once it has the answer.
    pub ask: Option<Ask>,
    /// Whether nothing more can be read before more text comes. Of `finish`: whether
    /// there was no room for all records, so that it has to be called again.
    pub waits: bool,
}

impl<Ask> Outcome<Ask> {
    /// Read up to `next`, and decided up to `held_from`; asks nothing.
    #[must_use]
    pub const fn new(next: u32, held_from: u32) -> Outcome<Ask> {
        Outcome { next, held_from, ask: None, waits: false }
    }
}

numbered! {
    /// The questions or the modes of a machine that has none.
    #[repr(u8)]
    pub enum Nothing {
        /// Everything is read.
        Read = 0,
    }
}

/// A state machine: plain bytes without pointers, so that it can be copied.
pub trait Machine: Copy {
    /// Its questions, one variant each, numbered from 1 (0 at the border is "asks nothing").
    type Ask: Copy;
    /// What answers them.
    type Answer;
    /// What the caller may do with the next chunk without a call (`Read`, 0, is nothing).
    type Mode: Copy;
    /// What streams with the same options share (the tag table, the names of tools).
    type Table;

    /// Reads a stretch, whose first byte comes after the pending units that were read before.
    fn run(&mut self, table: &Self::Table, text: &mut Stretch<'_>, sink: &mut impl Sink) -> Outcome<Self::Ask>;

    /// The end of the stream after `held` pending units. Where `next` is before
    /// their end, they have to be read again from there; then it is called again.
    fn finish(&mut self, held: u32, sink: &mut impl Sink) -> Outcome<Self::Ask>;

    /// Before `finish`: the stream is cut off. What lacks its own end marker is not whole then.
    fn cut_off(&mut self) {}

    /// Answers the last question.
    fn answer(&mut self, answer: Self::Answer);

    /// What the caller may do with the next chunk without a call.
    fn mode(&self) -> Self::Mode;

    /// The machine's own bits of the word that crosses the border.
    fn flags(&self) -> u32 {
        0
    }

    /// Whether it holds a call whose end decides about it, which may be long.
    fn is_in_call(&self) -> bool {
        false
    }

    /// Gives up the call that has `held` pending units: it is too long.
    fn give_up(&mut self, held: u32, _sink: &mut impl Sink) -> Outcome<Self::Ask> {
        Outcome::new(held, held)
    }

    /// A run of text has ended after `held` pending units outside of a call: they
    /// are text, whatever comes later.
    fn settle(&mut self, held: u32, _sink: &mut impl Sink) -> Outcome<Self::Ask> {
        Outcome::new(held, held)
    }

    /// Moves made so far.
    #[cfg(not(target_arch = "wasm32"))]
    fn steps(&self) -> u64 {
        0
    }

    /// The caller emitted so many units without a call, as the mode allows.
    fn pass(&mut self, _units: u32) {}
}
