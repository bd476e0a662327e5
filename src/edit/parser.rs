//! The edit parser for Rust programs: chunks in, events out.

use super::event::{Event, EventKind};
use super::machine::Machine;
use super::op::{Fault, FileOp, Flag, Format, Op, Side};
use crate::text::{Emitter, Nothing, OptionText, Parser, Piece, Span, option_texts};

/// How a stream is read.
///
/// ```
/// use tokenweir::edit::{EditParser, EventKind, Format, Options};
/// let options = Options { formats: vec![Format::Unified], ..Options::default() };
/// let events = EditParser::new(options).feed("*** Begin Patch\n")?;
/// assert_eq!(events[0].kind, EventKind::Text("*** Begin Patch\n".to_owned()));
/// # Ok::<(), tokenweir::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Options {
    /// What is looked for; all, where nothing is said.
    pub formats: Vec<Format>,
    /// The file of SEARCH/REPLACE blocks that come before any name.
    pub path: Option<String>,
    /// Whether the text is a patch and nothing else: other lines are [`Fault::UnexpectedText`].
    pub whole: bool,
    /// Whether [`EventKind::HunkDone`] has the text of the hunk.
    pub keep_text: bool,
}

impl Default for Options {
    fn default() -> Options {
        Options { formats: Format::ALL.to_vec(), path: None, whole: false, keep_text: true }
    }
}

/// Emits the edits of a stream.
///
/// ```
/// use tokenweir::edit::{EditParser, EventKind, Options};
/// let mut parser = EditParser::new(Options::default());
/// parser.feed("--- a.txt\n+++ a.txt\n@@ -1 +1 @@\n-one\n")?;
/// assert_eq!(parser.held(), 1); // the line's end, before which `\ No newline` may come
/// let events = parser.feed("+two\n")?;
/// assert!(events.iter().any(|event| matches!(&event.kind, EventKind::Delta { text, .. } if text == "two")));
/// assert!(parser.finish().iter().any(|event| event.kind == EventKind::FileDone { file: 0 }));
/// # Ok::<(), tokenweir::Error>(())
/// ```
pub type EditParser = Parser<EditEmitter>;

/// Emits the events of edits.
#[derive(Clone, Debug)]
pub struct EditEmitter {
    options: Options,
    state: State,
}

/// A file that is open.
#[derive(Clone, Debug)]
struct File {
    path: String,
    /// Where it begins.
    from: u64,
    hunks: u32,
    is_spoiled: bool,
    /// Whether blocks are its hunks: then it stays open between them.
    has_blocks: bool,
}

/// A hunk that is open.
#[derive(Clone, Debug)]
struct Hunk {
    from: u64,
    old: String,
    new: String,
}

/// What has to be remembered between records to emit events.
#[derive(Clone, Debug, Default)]
struct State {
    /// How many files there were.
    count: u32,
    file: Option<File>,
    hunk: Option<Hunk>,
    /// A line that may be a name, and the last one that was.
    word: String,
    name: String,
    /// The file of the last block.
    last: Option<String>,
    path: String,
    move_to: Option<String>,
    /// The header of a hunk: where it begins, and what is in it.
    section: u64,
    context: Vec<String>,
    range: Option<[u32; 4]>,
    /// Whether the model had finished, as far as the program knows.
    has_finished: bool,
}

impl EditParser {
    /// A parser at the start of a stream.
    #[must_use]
    pub fn new(options: Options) -> EditParser {
        Parser::of(EditEmitter::of(options))
    }

    /// The end of a stream that the model has finished, as its provider says: the last hunk of a diff is then done,
    /// whatever its header counts.
    ///
    /// ```
    /// use tokenweir::edit::{EditParser, EventKind, Options};
    /// let mut parser = EditParser::new(Options::default());
    /// parser.feed("--- a\n+++ a\n@@ ... @@\n-one\n")?;
    /// assert!(parser.finish_whole().iter().any(|event| event.kind == EventKind::FileDone { file: 0 }));
    /// # Ok::<(), tokenweir::Error>(())
    /// ```
    pub fn finish_whole(&mut self) -> Vec<Event> {
        self.emitter.state.has_finished = true;
        self.finish()
    }
}

impl Emitter for EditEmitter {
    const NAME: &'static str = "edits";
    type Options = Options;
    type Machine = Machine;
    type Event = Event;

    fn of(options: Options) -> EditEmitter {
        let mut emitter = EditEmitter { options, state: State::default() };
        emitter.reset();
        emitter
    }

    fn options(&self) -> Vec<OptionText> {
        option_texts!(Options &self.options; formats, path, whole, keep_text; )
    }

    fn machine(&self) -> Machine {
        let Options { formats, path, whole, .. } = &self.options;
        let formats = formats.iter().map(|format| match format {
            Format::V4a => Flag::V4a,
            Format::SearchReplace => Flag::SearchReplace,
            Format::Unified => Flag::Unified,
        });
        let others = [whole.then_some(Flag::Whole), path.is_some().then_some(Flag::HasPath)];
        let flags = formats.chain(others.into_iter().flatten());
        Machine::new(flags.fold(0, |bits, flag| bits | flag as u32))
    }

    fn table(&self) -> &() {
        &()
    }

    fn reset(&mut self) {
        self.state = State { last: self.options.path.clone(), ..State::default() };
    }

    fn takes_text(&self, record: crate::text::Record) -> bool {
        !matches!(
            Op::of(record),
            Some(
                Op::File { .. } | Op::Block(_) | Op::Section | Op::Hunk | Op::HunkDone(_) | Op::FileDone | Op::Last(_)
            )
        )
    }

    fn emit(&mut self, piece: &Piece<'_>, events: &mut Vec<Event>) {
        if let Some(op) = Op::of(piece.record) {
            self.state.emit(op, (piece.text, piece.span), self.options.keep_text, events);
        }
    }

    fn answer(&mut self, _: &Machine, ask: Nothing, _: &mut Vec<Event>) -> Nothing {
        ask
    }

    fn finish(&mut self, at: u64, events: &mut Vec<Event>) {
        self.state.end_file(at, events);
    }
}

impl State {
    fn emit(&mut self, op: Op, (text, span): (&str, Span), keeps_text: bool, events: &mut Vec<Event>) {
        let at = span.start;
        let own = || text.to_owned();
        let mut push = |kind| events.push(Event { kind, span });
        match op {
            Op::Text => push(EventKind::Text(own())),
            Op::Word { is_first } => {
                if is_first {
                    self.word.clear();
                }
                self.word.push_str(text);
                push(EventKind::Text(own()));
            }
            Op::Named { start, end } => {
                let units: Vec<u16> = self.word.encode_utf16().collect();
                let name = units.get(usize::from(start)..usize::from(end)).unwrap_or_default();
                self.name = String::from_utf16_lossy(name);
            }
            Op::Markup => push(EventKind::Markup(own())),
            Op::Delta(side) => self.delta(side, (text, span), keeps_text, events),
            Op::Path => {
                self.path = own();
                self.move_to = None;
            }
            Op::MoveTo => self.move_to = Some(own()),
            Op::File { op, format } => {
                let path = std::mem::take(&mut self.path);
                let move_to = self.move_to.take().filter(|other| *other != path);
                let op = match op {
                    FileOp::Update | FileOp::Move if move_to.is_some() => FileOp::Move,
                    FileOp::Update | FileOp::Move => FileOp::Update,
                    FileOp::Add | FileOp::Delete => op,
                };
                self.file((op, path, move_to, format), at, events);
            }
            Op::Block(is_named) => self.block(is_named, at, events),
            Op::Section => {
                self.section = at;
                self.context.clear();
                self.range = None;
            }
            Op::Context => self.context.push(own()),
            Op::Range(nth) => {
                let range = self.range.get_or_insert([1; 4]);
                if let Some(number) = range.get_mut(usize::from(nth)) {
                    *number = text.parse().unwrap_or(u32::MAX);
                }
            }
            Op::Hunk => self.hunk(events),
            Op::HunkDone(at_end) => self.end_hunk(at_end, at, events),
            Op::FileDone => self.end_file(at, events),
            Op::Last(is_reached) if is_reached || self.has_finished => {
                self.end_hunk(false, at, events);
                self.end_file(at, events);
            }
            Op::Last(_) => self.fault(Fault::Unterminated, span, events),
            Op::Fault(fault) => self.fault(fault, span, events),
        }
    }

    fn file(
        &mut self,
        (op, path, move_to, format): (FileOp, String, Option<String>, Format),
        at: u64,
        events: &mut Vec<Event>,
    ) {
        self.end_file(at, events);
        let has_blocks = format == Format::SearchReplace;
        self.file = Some(File { path: path.clone(), from: at, hunks: 0, is_spoiled: false, has_blocks });
        let kind = EventKind::File { file: self.count, op, path, move_to, format };
        events.push(Event { kind, span: Span { start: at, end: at } });
        self.count += 1;
    }

    fn block(&mut self, is_named: bool, at: u64, events: &mut Vec<Event>) {
        if is_named {
            self.last = Some(self.name.clone());
        }
        let path = self.last.clone().unwrap_or_default();
        if self.file.as_ref().is_none_or(|file| !file.has_blocks || file.path != path) {
            self.file((FileOp::Update, path, None, Format::SearchReplace), at, events);
        }
    }

    fn hunk(&mut self, events: &mut Vec<Event>) {
        let Some(open) = &mut self.file else { return };
        self.hunk = Some(Hunk { from: self.section, old: String::new(), new: String::new() });
        let context = std::mem::take(&mut self.context);
        let (file, hunk) = (self.count.saturating_sub(1), open.hunks);
        let kind = EventKind::Hunk { file, hunk, context, range: self.range.take() };
        events.push(Event { kind, span: Span { start: self.section, end: self.section } });
        open.hunks += 1;
    }

    /// The numbers of what is open: a file, and a hunk if one is.
    fn place(&self) -> Option<(u32, Option<u32>)> {
        let file = self.file.as_ref()?;
        Some((self.count.saturating_sub(1), self.hunk.as_ref().map(|_| file.hunks.saturating_sub(1))))
    }

    fn delta(&mut self, side: Side, (text, span): (&str, Span), keeps_text: bool, events: &mut Vec<Event>) {
        let Some((file, Some(hunk))) = self.place() else { return };
        if let Some(open) = self.hunk.as_mut().filter(|_| keeps_text) {
            if side != Side::New {
                open.old.push_str(text);
            }
            if side != Side::Old {
                open.new.push_str(text);
            }
        }
        events.push(Event { kind: EventKind::Delta { file, hunk, side, text: text.to_owned() }, span });
    }

    fn end_hunk(&mut self, at_end: bool, at: u64, events: &mut Vec<Event>) {
        let Some((file, Some(hunk))) = self.place() else { return };
        if let Some(Hunk { from, old, new }) = self.hunk.take() {
            let kind = EventKind::HunkDone { file, hunk, old, new, at_end };
            events.push(Event { kind, span: Span { start: from, end: at } });
        }
    }

    fn end_file(&mut self, at: u64, events: &mut Vec<Event>) {
        self.hunk = None;
        if let Some(File { from, is_spoiled: false, .. }) = self.file.take() {
            let kind = EventKind::FileDone { file: self.count.saturating_sub(1) };
            events.push(Event { kind, span: Span { start: from, end: at } });
        }
    }

    fn fault(&mut self, fault: Fault, span: Span, events: &mut Vec<Event>) {
        let place = self.place().filter(|_| fault != Fault::UnexpectedText);
        let kind =
            EventKind::Malformed { fault, file: place.map(|(file, _)| file), hunk: place.and_then(|(_, hunk)| hunk) };
        events.push(Event { kind, span });
        if let Some(file) = self.file.as_mut().filter(|_| fault != Fault::UnexpectedText) {
            file.is_spoiled = true;
            self.hunk = None;
        }
    }
}
