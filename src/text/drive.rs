//! Reads a stream stretch by stretch, for parsers written in Rust.

use super::machine::Outcome;
use super::pending::Pending;
use super::record::Record;
use super::span::{Span, units_of};

/// Longest stretch in bytes. What is asked about ends a stretch, and the rest of
/// it is read again.
const LONGEST: usize = 16_384;

/// What a call of a machine came to. Units count from the start of the held text.
pub(crate) struct Progress {
    /// Where to read on.
    pub(crate) next: u32,
    /// Where the text begins that is still undecided.
    pub(crate) held_from: u32,
    /// Whether the machine asks for something.
    pub(crate) asks: bool,
    /// Whether nothing more can be read before more text comes.
    pub(crate) waits: bool,
}

impl<Ask> From<Outcome<Ask>> for Progress {
    fn from(outcome: Outcome<Ask>) -> Progress {
        let Outcome { next, held_from, ask, waits } = outcome;
        Progress { next, held_from, asks: ask.is_some(), waits }
    }
}

/// A machine, and what is made of its records.
pub(crate) trait Reading {
    /// Reads a stretch that stands `held` units behind the start of the held text.
    fn run(&mut self, stretch: &[u8], held: u32, ascii: bool, records: &mut Vec<Record>) -> Progress;

    /// The end of the stream behind `held` undecided units.
    fn finish(&mut self, held: u32, records: &mut Vec<Record>) -> Progress;

    /// Whether a record's text is looked up. Not that of one whose place is no
    /// place, or far back, where the way there counts.
    fn takes_text(&self, _record: Record) -> bool {
        true
    }

    /// Tells a record, with the text at its place and where in the stream that is.
    fn tell(&mut self, record: Record, text: &str, span: Span);

    /// Answers what the machine asks for.
    fn answer(&mut self, pending: &Pending, records: &[Record]);
}

/// A machine that may hold a lot: a call that is not decided yet.
pub(crate) trait Holding: Reading {
    /// Whether it holds one.
    fn is_in_call(&self) -> bool;

    /// Gives it up, behind `held` undecided units.
    fn give_up(&mut self, held: u32, records: &mut Vec<Record>) -> Progress;

    /// Text was read, up to the chunk's end or to where a call may be too long.
    fn pause(&mut self) {}
}

/// Reads a chunk, and gives up a call of which more than `longest` units would be held.
pub(crate) fn feed_within(pending: &mut Pending, chunk: &str, longest: u32, reading: &mut impl Holding) {
    let mut rest = chunk;
    let mut units = units_in(chunk);
    while units > 0 && u64::from(pending.units()) + units > u64::from(longest) {
        let (mut front, mut behind) = split(rest, longest.saturating_sub(pending.units()));
        if front.is_empty() && reading.is_in_call() {
            let mut records = Vec::new();
            let held = pending.units();
            let progress = reading.give_up(held, &mut records);
            settle(pending, &records, held, &progress, reading);
            continue;
        }
        if front.is_empty() {
            // What is held is no call yet. Whatever the cuts, one is seen as soon as it is one.
            (front, behind) = rest.split_at(rest.chars().next().map_or(0, char::len_utf8));
        }
        feed(pending, front, reading);
        reading.pause();
        units -= units_in(front);
        rest = behind;
    }
    if !rest.is_empty() {
        feed(pending, rest, reading);
        reading.pause();
    }
}

/// Reads a chunk behind what is held.
pub(crate) fn feed(pending: &mut Pending, chunk: &str, reading: &mut impl Reading) {
    let (held, behind) = pending.read();
    pending.push(chunk);
    read(pending, held, behind, reading);
}

/// The end of the stream.
pub(crate) fn finish(pending: &mut Pending, reading: &mut impl Reading) {
    loop {
        let held = pending.units();
        let mut records = Vec::new();
        let progress = reading.finish(held, &mut records);
        settle(pending, &records, held, &progress, reading);
        if progress.next == held {
            return;
        }
    }
}

/// Tells the records of a call behind which all of the `held` units was read, and
/// reads again what may have been nothing.
fn settle(pending: &mut Pending, records: &[Record], held: u32, progress: &Progress, reading: &mut impl Reading) {
    tell(pending, records, (0, 0), reading);
    pending.release(progress.held_from);
    pending.leave((0, 0));
    if progress.next < held {
        let again = progress.next - progress.held_from;
        let behind = pending.byte_at(again);
        read(pending, again, behind, reading);
    }
}

/// Reads what is behind the first `held` units, which are `behind` bytes.
fn read(pending: &mut Pending, mut held: u32, mut behind: usize, reading: &mut impl Reading) {
    loop {
        let stretch = front(pending.text().get(behind..).unwrap_or_default());
        let is_last = behind + stretch.len() >= pending.text().len();
        let mut records = Vec::new();
        let progress = reading.run(stretch.as_bytes(), held, stretch.is_ascii(), &mut records);
        tell(pending, &records, (held, behind), reading);
        if progress.asks {
            reading.answer(pending, &records);
        }
        // Counted from here, since what is held may be long.
        let next = match progress.next.checked_sub(held) {
            Some(units) => behind + byte_of(stretch, units),
            None => byte_in_front(pending.text().get(..behind).unwrap_or_default(), held - progress.next),
        };
        behind = next - pending.release(progress.held_from);
        held = progress.next - progress.held_from;
        if !progress.asks && (behind >= pending.text().len() || progress.waits && is_last) {
            pending.leave((pending.units() - held, pending.text().len() - behind));
            return;
        }
    }
}

/// Tells the records of a call, which stand near `known`: a unit, and the byte that
/// stands there. They go forward, so the text is walked once, not once a record.
fn tell(pending: &Pending, records: &[Record], known: (u32, usize), reading: &mut impl Reading) {
    let mut slices = pending.slices(known);
    for &record in records {
        let text = if reading.takes_text(record) { slices.slice(record.start, record.end) } else { "" };
        let at = |unit| pending.start() + u64::from(unit);
        reading.tell(record, text, Span { start: at(record.start), end: at(record.end) });
    }
}

/// As many whole characters as one stretch has.
fn front(text: &str) -> &str {
    if text.len() <= LONGEST {
        return text;
    }
    let end = (0..=LONGEST).rev().find(|&end| text.is_char_boundary(end));
    end.and_then(|end| text.get(..end)).unwrap_or(text)
}

/// UTF-16 code units of a text that may be longer than a number of them.
fn units_in(text: &str) -> u64 {
    text.bytes().map(|byte| u64::from(units_of(byte))).sum()
}

/// A text in front of so many units and behind them; no character is cut.
fn split(text: &str, units: u32) -> (&str, &str) {
    let mut left = units;
    for (at, c) in text.char_indices() {
        match left.checked_sub(c.len_utf16() as u32) {
            Some(less) => left = less,
            None => return text.split_at(at),
        }
    }
    (text, "")
}

/// The byte of a text at which a unit stands.
pub(super) fn byte_of(text: &str, unit: u32) -> usize {
    let mut left = unit;
    for (at, c) in text.char_indices() {
        if left == 0 {
            return at;
        }
        left = left.saturating_sub(c.len_utf16() as u32);
    }
    text.len()
}

/// The byte of a text that stands so many units in front of its end.
fn byte_in_front(text: &str, units: u32) -> usize {
    let mut left = units;
    let mut byte = text.len();
    for c in text.chars().rev() {
        if left == 0 {
            break;
        }
        left = left.saturating_sub(c.len_utf16() as u32);
        byte -= c.len_utf8();
    }
    byte
}
