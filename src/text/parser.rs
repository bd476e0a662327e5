//! The parsers for Rust programs: a machine, its pending text, and
//! what emits events for its records.

use super::journal::{Journal, Stage};
use super::machine::{Machine, Outcome};
use super::pending::Pending;
use super::record::Record;
use super::span::{Span, byte_of, units_of};
use super::stretch::Stretch;
use crate::error::Error;

/// Longest stretch in bytes. A question ends a stretch, and the rest of it is
/// read again.
const LONGEST: usize = 16_384;

/// A record with what it names.
pub struct Piece<'a> {
    /// What happened.
    pub record: Record,
    /// The text at its place.
    pub text: &'a str,
    /// Its place in the stream.
    pub span: Span,
    /// Whether the end of the stream made it.
    pub is_at_end: bool,
}

/// What emits events for a machine's records, and answers its questions.
pub trait Emitter: Clone {
    /// The parser's name in snapshots.
    const NAME: &'static str;
    /// What it is made of.
    type Options;
    /// The machine.
    type Machine: Machine;
    /// What comes out.
    type Event;

    /// At the start of a stream.
    fn of(options: Self::Options) -> Self;

    /// The options that a snapshot's have to equal: their names, and texts of their values.
    fn options(&self) -> Vec<OptionText>;

    /// A machine at the start of a stream.
    fn machine(&self) -> Self::Machine;

    /// What the machine shares with others of the same options.
    fn table(&self) -> &<Self::Machine as Machine>::Table;

    /// Forgets the stream.
    fn reset(&mut self);

    /// Gives what the prompt began of the stream, which is read first.
    fn prompt(&self) -> &str {
        ""
    }

    /// How much of a call may be pending, in UTF-16 code units.
    fn longest(&self) -> u32 {
        u32::MAX
    }

    /// Whether a record's text is looked up. Not where its place isn't one, or is
    /// far back, since the way there costs.
    fn takes_text(&self, _record: Record) -> bool {
        true
    }

    /// Emits the events of a record.
    fn emit(&mut self, piece: &Piece<'_>, events: &mut Vec<Self::Event>);

    /// Answers a question.
    fn answer(
        &mut self,
        machine: &Self::Machine,
        ask: <Self::Machine as Machine>::Ask,
        events: &mut Vec<Self::Event>,
    ) -> <Self::Machine as Machine>::Answer;

    /// Text was read, up to the chunk's end or to where a call may be too long.
    fn pause(&mut self, _events: &mut Vec<Self::Event>) {}

    /// The stream has ended at this unit.
    fn finish(&mut self, _at: u64, _events: &mut Vec<Self::Event>) {}
}

/// An option: its name, and a text of its value.
pub type OptionText = (&'static str, String);

/// All options of a struct but those that can't be compared: none is forgotten.
macro_rules! option_texts {
    ($Options:ident $options:expr; $($name:ident),*; $($other:ident: $text:expr),*) => {{
        let $Options { $($name,)* $($other),* } = $options;
        vec![$( (stringify!($name), format!("{:?}", $name)), )* $( (stringify!($other), $text($other)) ),*]
    }};
}

pub(crate) use option_texts;

/// What each of the five parsers is: chunks go in, events come out.
///
/// It keeps the text that it was fed until [`reset`](Parser::reset), so that [`snapshot`](Parser::snapshot) can save it:
/// as many bytes as the stream has so far.
///
/// ```
/// use tokenweir::block::{BlockEmitter, BlockParser, Options};
/// use tokenweir::text::Parser;
///
/// let mut parser: Parser<BlockEmitter> = BlockParser::new(Options::default());
/// assert_eq!(parser.feed("1 <invo")?.len(), 2); // the block starts, and its first chunk
/// assert_eq!(parser.held(), 5);
/// assert_eq!(parser.finish().len(), 2); // `<invo` is text after all
/// assert!(parser.feed("2").is_err());
/// parser.reset();
/// assert!(parser.feed("2").is_ok());
/// # Ok::<(), tokenweir::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Parser<E: Emitter> {
    pub(crate) emitter: E,
    pub(crate) machine: E::Machine,
    pending: Pending,
    /// What a snapshot is made of: the parser follows from it and the options.
    pub(super) journal: Journal,
}

impl<E: Emitter> Parser<E> {
    /// A parser at the start of a stream.
    // Hidden: a program has `new` of each parser.
    #[doc(hidden)]
    pub fn of(emitter: E) -> Parser<E> {
        Parser { machine: emitter.machine(), emitter, pending: Pending::default(), journal: Journal::default() }
    }

    /// Reads a chunk.
    ///
    /// # Errors
    /// `finished`: the stream has ended. Text itself is never refused.
    pub fn feed(&mut self, chunk: &str) -> Result<Vec<E::Event>, Error> {
        if self.journal.stage == Stage::Finished {
            return Err(Error::finished(self.pending.start()));
        }
        self.journal.stage = Stage::Open;
        self.journal.text.push_str(chunk);
        let mut events = self.read_prompt();
        let longest = self.emitter.longest();
        let (mut rest, mut units) = (chunk, units_in(chunk));
        while units > 0 && u64::from(self.pending.units()) + units > u64::from(longest) {
            let (mut front, mut after) = split(rest, longest.saturating_sub(self.pending.units()));
            if front.is_empty() && self.machine.is_in_call() {
                self.end_call(false, &mut events, |machine, held, records| machine.give_up(held, records));
                continue;
            }
            if front.is_empty() {
                // No call is pending yet. Whatever the cuts, one is seen as soon as it begins.
                (front, after) = rest.split_at(rest.chars().next().map_or(0, char::len_utf8));
            }
            self.read_part(front, &mut events);
            units -= units_in(front);
            rest = after;
        }
        if !rest.is_empty() {
            self.read_part(rest, &mut events);
        }
        Ok(events)
    }

    /// The end of the stream: pending text comes out, and what is open ends.
    pub fn finish(&mut self) -> Vec<E::Event> {
        if std::mem::replace(&mut self.journal.stage, Stage::Finished) == Stage::Finished {
            return Vec::new();
        }
        let mut events = self.read_prompt();
        while !self.end_call(true, &mut events, |machine, held, records| machine.finish(held, records)) {}
        self.emitter.finish(self.pending.start(), &mut events);
        events
    }

    /// The end of a stream that was cut off, as by a limit of tokens or a lost connection: a call that lacks its own end
    /// marker is not a call, and a number at the end is not whole.
    ///
    /// ```
    /// use tokenweir::tool_call::{Event, EventKind, Options, ToolCallParser};
    ///
    /// let text = "<function=add><parameter=a>1</parameter>";
    /// let calls = |end: fn(&mut ToolCallParser) -> Vec<Event>| {
    ///     let mut parser = ToolCallParser::new(Options::formats(&[tokenweir::format::Format::find("qwen3-coder").unwrap()]));
    ///     parser.feed(text).unwrap();
    ///     end(&mut parser).iter().filter(|event| matches!(event.kind, EventKind::CallDone { .. })).count()
    /// };
    /// assert_eq!(calls(ToolCallParser::finish), 1); // the model left its end marker out
    /// assert_eq!(calls(ToolCallParser::finish_cut_off), 0);
    /// ```
    pub fn finish_cut_off(&mut self) -> Vec<E::Event> {
        self.machine.cut_off();
        self.finish()
    }

    /// The start of a new stream, with the same options.
    pub fn reset(&mut self) {
        self.emitter.reset();
        self.machine = self.emitter.machine();
        self.pending = Pending::default();
        self.journal = Journal::default();
    }

    /// How many UTF-16 code units are pending.
    #[must_use]
    pub fn held(&self) -> u32 {
        self.pending.units()
    }

    /// Moves of the machine so far.
    // Hidden: the tests of growth read it.
    #[doc(hidden)]
    #[cfg(not(target_arch = "wasm32"))]
    #[must_use]
    pub fn steps(&self) -> u64 {
        self.machine.steps()
    }

    /// Reads what the prompt began, before anything else.
    fn read_prompt(&mut self) -> Vec<E::Event> {
        let mut events = Vec::new();
        if self.pending.start() == 0 && self.pending.units() == 0 && !self.emitter.prompt().is_empty() {
            let prompt = self.emitter.prompt().to_owned();
            self.read_part(&prompt, &mut events);
        }
        events
    }

    fn read_part(&mut self, part: &str, events: &mut Vec<E::Event>) {
        let (held, from) = self.pending.read();
        self.pending.push(part);
        self.read(held, from, events);
        self.emitter.pause(events);
    }

    /// A call that reads all of the pending text to its end. What it decides to be
    /// nothing is read again; false if there was such text.
    fn end_call(
        &mut self,
        is_at_end: bool,
        events: &mut Vec<E::Event>,
        call: impl FnOnce(&mut E::Machine, u32, &mut Vec<Record>) -> Outcome<<E::Machine as Machine>::Ask>,
    ) -> bool {
        let held = self.pending.units();
        let mut records = Vec::new();
        let outcome = call(&mut self.machine, held, &mut records);
        emit(&mut self.emitter, &self.pending, &records, (0, 0), is_at_end, events);
        self.pending.release(outcome.held_from);
        self.pending.leave((0, 0));
        if outcome.next < held {
            let again = outcome.next.saturating_sub(outcome.held_from);
            self.read(again, self.pending.byte_at(again), events);
        }
        outcome.next == held && !outcome.waits
    }

    /// Reads what comes after the first `held` units, which are `from` bytes.
    fn read(&mut self, mut held: u32, mut from: usize, events: &mut Vec<E::Event>) {
        loop {
            let stretch = front(self.pending.text().get(from..).unwrap_or_default());
            let is_last = from + stretch.len() >= self.pending.text().len();
            let mut records = Vec::new();
            let mut text = Stretch::new(stretch.as_bytes(), held, stretch.is_ascii());
            let Outcome { next, held_from, ask, waits } =
                self.machine.run(self.emitter.table(), &mut text, &mut records);
            emit(&mut self.emitter, &self.pending, &records, (held, from), false, events);
            if let Some(ask) = ask {
                let answer = self.emitter.answer(&self.machine, ask, events);
                self.machine.answer(answer);
            }
            // Counted from here, since the pending text may be long.
            let byte = match next.checked_sub(held) {
                Some(units) => from + byte_of(stretch, units),
                None => byte_before(self.pending.text().get(..from).unwrap_or_default(), held - next),
            };
            from = byte - self.pending.release(held_from);
            held = next - held_from;
            if ask.is_none() && (from >= self.pending.text().len() || waits && is_last) {
                self.pending.leave((self.pending.units() - held, self.pending.text().len() - from));
                return;
            }
        }
    }
}

/// Emits the records of a call, which stand near `known`: a unit, and the byte that
/// stands there. They go forward, so the text is walked once, not once a record.
fn emit<E: Emitter>(
    emitter: &mut E,
    pending: &Pending,
    records: &[Record],
    known: (u32, usize),
    is_at_end: bool,
    events: &mut Vec<E::Event>,
) {
    let mut slices = pending.slices(known);
    for &record in records {
        let text = if emitter.takes_text(record) { slices.slice(record.start, record.end) } else { "" };
        let at = |unit| pending.start() + u64::from(unit);
        let span = Span { start: at(record.start), end: at(record.end) };
        emitter.emit(&Piece { record, text, span, is_at_end }, events);
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

/// A text before so many units and after them; no character is cut.
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

/// The byte of a text that stands so many units before its end.
fn byte_before(text: &str, units: u32) -> usize {
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
