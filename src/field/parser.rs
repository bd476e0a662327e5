//! The field parser for Rust programs: chunks in, events out.
//!
//! It drives the machine that JavaScript drives, which keeps the values as well; here a
//! caller keeps what it needs of them. A duplicate key is emitted again.

use super::event::{Event, EventKind, Form, Path, Source, Step};
use super::machine::{Ask, Machine};
use super::op::Op;
use super::shape::Shape;
use crate::json::{Container, Fault, Rules};
use crate::text::{Emitter, OptionText, Parser, Piece, Span, option_texts};

/// How a stream is read.
///
/// ```
/// use tokenweir::field::{EventKind, FieldParser, Options, Shape};
/// use tokenweir::json::Rules;
/// let mut parser = FieldParser::new(Options {
///     rules: Rules::JSON5,
///     shape: Shape::Object,
///     keys: Some(vec!["answer".to_owned()]),
///     ..Options::default()
/// });
/// let events = parser.feed("Not {a: 1} but {answer: 42}")?;
/// assert_eq!(events[0].kind, EventKind::Number("42".to_owned()));
/// # Ok::<(), tokenweir::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Options {
    /// What is read besides JSON.
    pub rules: Rules,
    /// Deepest nesting that is read, at most [`crate::json::MOST_LEVELS`].
    pub max_depth: u16,
    /// Whether all documents of the stream are emitted, and not one alone.
    pub is_multiple: bool,
    /// What the document is.
    pub shape: Shape,
    /// Whether elements of a root array may be null.
    pub is_nullable: bool,
    /// If the shape is one of objects: the keys of the schema; a document must have one of them. `None` means any.
    pub keys: Option<Vec<String>>,
    /// Whether the stream begins inside thinking, whose opening tag is in the prompt.
    pub starts_with_thinking: bool,
    /// Whether Markdown code is text: inline code, and fences of anything but `json`, `json5`
    /// and `jsonc`. A fence without a label is searched.
    pub skips_code: bool,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            rules: Rules::LENIENT,
            max_depth: 512,
            is_multiple: false,
            shape: Shape::Any,
            is_nullable: false,
            keys: None,
            starts_with_thinking: false,
            skips_code: false,
        }
    }
}

/// Emits the fields of a JSON document while it is being written.
///
/// ```
/// use tokenweir::field::{EventKind, FieldParser, Options};
/// let mut parser = FieldParser::new(Options::default());
/// let mut name = String::new();
/// for chunk in ["Here it is: {\"user\": {\"name\": \"A", "l", "ice\"}}"] {
///     for event in parser.feed(chunk)? {
///         if let EventKind::Text(text) = &event.kind && event.path.to_string() == "user.name" {
///             name.push_str(text);
///         }
///     }
/// }
/// parser.finish();
/// assert_eq!(name, "Alice");
/// assert_eq!(parser.used_rules().iter().count(), 0); // it was JSON
///
/// parser.reset();
/// parser.feed("{\"a\": \"x\", \"b\": 12")?;
/// assert_eq!(parser.held(), 2);
/// # Ok::<(), tokenweir::Error>(())
/// ```
pub type FieldParser = Parser<FieldEmitter>;

/// Emits the events of fields.
#[derive(Clone, Debug)]
pub struct FieldEmitter {
    options: Options,
    state: State,
}

/// A container that is open.
#[derive(Clone, Debug)]
struct Level {
    is_array: bool,
    /// Elements so far.
    count: u32,
}

/// What has to be remembered between records to emit events.
#[derive(Clone, Debug, Default)]
struct State {
    levels: Vec<Level>,
    /// The path of the innermost container, or of the string that is open in it.
    path: Vec<Step>,
    /// The name of the member that is being read.
    key: String,
    is_in_key: bool,
    is_in_string: bool,
    /// Nothing of a candidate is emitted before it is taken.
    is_withheld: bool,
    withheld: Vec<Event>,
    /// What is emitted if nothing better comes.
    fallback: Vec<Event>,
    /// What is emitted if there isn't even that, as it was found in thinking.
    thought: Vec<Event>,
    /// Whether something of a document was emitted that may be withdrawn.
    has_emitted: bool,
    has_document: bool,
    /// Which document it is.
    document: u32,
    /// Where what may be one begins.
    begins: u64,
    is_multiple: bool,
    stumbled: Option<u64>,
}

impl FieldParser {
    /// A parser at the start of a stream.
    #[must_use]
    pub fn new(options: Options) -> FieldParser {
        Parser::of(FieldEmitter::of(options))
    }

    /// The rules that documents were read by.
    #[must_use]
    pub fn used_rules(&self) -> Rules {
        self.machine.used()
    }
}

impl Emitter for FieldEmitter {
    const NAME: &'static str = "fields";
    type Options = Options;
    type Machine = Machine;
    type Event = Event;

    fn of(options: Options) -> FieldEmitter {
        let state = State { is_multiple: options.is_multiple, ..State::default() };
        FieldEmitter { options, state }
    }

    fn options(&self) -> Vec<OptionText> {
        option_texts!(Options &self.options; rules, max_depth, is_multiple, shape, is_nullable, keys, starts_with_thinking, skips_code; )
    }

    fn machine(&self) -> Machine {
        let Options { shape, rules, max_depth, is_nullable, is_multiple, .. } = self.options;
        let mut machine = Machine::new(shape, rules, max_depth);
        machine.configure(is_nullable, is_multiple, false, false);
        if self.options.starts_with_thinking {
            machine.start_with_thinking();
        }
        if self.options.skips_code {
            machine.skip_code();
        }
        machine
    }

    fn table(&self) -> &() {
        &()
    }

    fn reset(&mut self) {
        self.state = State { is_multiple: self.options.is_multiple, ..State::default() };
    }

    fn emit(&mut self, piece: &Piece<'_>, events: &mut Vec<Event>) {
        if let Some(op) = Op::of(piece.record) {
            self.state.emit(op, piece, events);
        }
    }

    fn answer(&mut self, _: &Machine, Ask::Key: Ask, _: &mut Vec<Event>) -> u8 {
        u8::from(self.options.keys.as_ref().is_none_or(|keys| keys.contains(&self.state.key)))
    }

    fn finish(&mut self, at: u64, events: &mut Vec<Event>) {
        self.state.finish(Span { start: at, end: at }, events);
    }
}

impl State {
    fn emit(&mut self, op: Op, piece: &Piece<'_>, events: &mut Vec<Event>) {
        let (text, span) = (piece.text, piece.span);
        let character = |code| String::from(char::from_u32(code).unwrap_or(char::REPLACEMENT_CHARACTER));
        match op {
            Op::Candidate => {
                self.start();
                self.begins = span.start;
                self.is_withheld = true;
            }
            Op::Confirm => self.confirm(events),
            Op::Drop => self.withdraw(span, events),
            Op::Fallback => self.fallback = self.spare(span, events),
            Op::Thought => self.thought = self.spare(span, events),
            Op::Forget => self.thought.clear(),
            Op::Mismatch => self.push_around(EventKind::Mismatch, span, events),
            Op::End => {
                self.has_document = true;
                self.levels.clear();
            }
            Op::Push(container) => {
                self.enter();
                self.levels.push(Level { is_array: container == Container::Array, count: 0 });
            }
            Op::Pop => self.leave(Source::ObservedBoundary, span, events),
            Op::KeyPiece => self.key_text(text),
            Op::KeyCharacter(code) => self.key_text(&character(code)),
            Op::Key => {
                self.key_text(text);
                self.is_in_key = false;
            }
            Op::Piece => self.string(text.to_owned(), span, events),
            Op::Character(code) => self.string(character(code), span, events),
            Op::Text => {
                self.string(text.to_owned(), span, events);
                self.is_in_string = false;
                self.done(Form::String, Source::ObservedBoundary, span, events);
            }
            Op::Number | Op::CutNumber => {
                self.enter();
                self.push(EventKind::Number(text.to_owned()), span, events);
                if op == Op::Number {
                    self.done(Form::Number, Source::ObservedBoundary, span, events);
                } else {
                    // More of it may have been to come.
                    self.path.pop();
                }
            }
            Op::Word(literal) => {
                self.enter();
                self.push(EventKind::Word(literal), span, events);
                let source = if piece.is_at_end { Source::SyntheticRepair } else { Source::ObservedBoundary };
                self.done(Form::Word, source, span, events);
            }
            Op::Stumble => {
                self.is_in_key = false;
                self.stumbled = Some(span.start);
            }
            Op::Fault(fault) => self.fault(fault, span, events),
        }
    }

    /// Text that can't be read, from where it began.
    fn fault(&mut self, fault: Fault, span: Span, events: &mut Vec<Event>) {
        let start = self.stumbled.take().unwrap_or(span.start);
        self.push_around(EventKind::Fault(fault), Span { start, ..span }, events);
    }

    /// What isn't about the string that it may be in, but about the container around it.
    fn push_around(&mut self, kind: EventKind, span: Span, events: &mut Vec<Event>) {
        let string = if self.is_in_string { self.path.pop() } else { None };
        self.push(kind, span, events);
        self.path.extend(string);
    }

    fn start(&mut self) {
        self.levels.clear();
        self.path.clear();
        self.is_in_key = false;
        self.is_in_string = false;
        self.stumbled = None;
    }

    /// What was read may be a document, if nothing better comes.
    fn spare(&mut self, span: Span, events: &mut Vec<Event>) -> Vec<Event> {
        self.close(span, events);
        self.is_withheld = false;
        let spare = std::mem::take(&mut self.withheld);
        self.start();
        spare
    }

    /// What was read is no document.
    fn withdraw(&mut self, span: Span, events: &mut Vec<Event>) {
        self.withheld.clear();
        let is_emitted = !std::mem::take(&mut self.is_withheld);
        self.start();
        if is_emitted && std::mem::take(&mut self.has_emitted) {
            self.push(EventKind::Reset, span, events);
        }
    }

    fn confirm(&mut self, events: &mut Vec<Event>) {
        self.is_withheld = false;
        self.fallback.clear();
        self.thought.clear();
        if std::mem::take(&mut self.has_document) {
            if self.is_multiple {
                self.document += 1;
            } else if self.has_emitted {
                let path = std::mem::take(&mut self.path);
                // Where the better one begins: how soon it is known depends on the cuts.
                self.push(EventKind::Reset, Span { start: self.begins, end: self.begins }, events);
                self.path = path;
            }
        }
        self.has_emitted = !self.withheld.is_empty();
        let document = self.document;
        events.extend(self.withheld.drain(..).map(|event| Event { document, ..event }));
    }

    /// A value begins here.
    fn enter(&mut self) {
        let step = match self.levels.last_mut() {
            None => return,
            Some(Level { is_array: true, count }) => {
                *count += 1;
                Step::Index(*count - 1)
            }
            Some(Level { is_array: false, .. }) => Step::Key(std::mem::take(&mut self.key)),
        };
        self.path.push(step);
    }

    fn key_text(&mut self, text: &str) {
        if !self.is_in_key {
            self.is_in_key = true;
            self.key.clear();
        }
        self.key.push_str(text);
    }

    fn string(&mut self, text: String, span: Span, events: &mut Vec<Event>) {
        if !self.is_in_string {
            self.is_in_string = true;
            self.enter();
        }
        if !text.is_empty() {
            self.push(EventKind::Text(text), span, events);
        }
    }

    /// The innermost container is done.
    fn leave(&mut self, source: Source, span: Span, events: &mut Vec<Event>) {
        let is_array = self.levels.pop().is_some_and(|level| level.is_array);
        self.done(if is_array { Form::Array } else { Form::Object }, source, span, events);
    }

    /// The value at `path` is done, and the place is after it.
    fn done(&mut self, form: Form, source: Source, span: Span, events: &mut Vec<Event>) {
        // The root has no path, and so no event.
        if !self.path.is_empty() {
            self.push(EventKind::Done { form, source }, Span { start: span.end, end: span.end }, events);
        }
        self.path.pop();
    }

    fn push(&mut self, kind: EventKind, span: Span, events: &mut Vec<Event>) {
        let event = Event { path: Path(self.path.clone()), document: self.document, kind, span };
        if self.is_withheld {
            self.withheld.push(event);
        } else {
            self.has_emitted = true;
            events.push(event);
        }
    }

    /// The end of the stream: what is open is done.
    fn finish(&mut self, span: Span, events: &mut Vec<Event>) {
        if !self.has_document {
            // Nothing better came.
            let spare = if self.fallback.is_empty() { &mut self.thought } else { &mut self.fallback };
            for mut event in spare.drain(..) {
                if let EventKind::Done { source: source @ Source::ObservedBoundary, .. } = &mut event.kind {
                    *source = Source::FinalReconciliation;
                }
                let is_fault = matches!(event.kind, EventKind::Fault(_) | EventKind::Mismatch);
                events.push(if is_fault { event } else { Event { span, ..event } });
            }
        }
        self.close(span, events);
    }

    /// What is open is done.
    fn close(&mut self, span: Span, events: &mut Vec<Event>) {
        if std::mem::take(&mut self.is_in_string) {
            self.done(Form::String, Source::SyntheticRepair, span, events);
        }
        while !self.levels.is_empty() {
            self.leave(Source::SyntheticRepair, span, events);
        }
    }
}
