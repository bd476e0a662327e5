//! The segment parser for Rust programs: chunks in, events out.
//!
//! It drives the machine that JavaScript drives. The caller reads a tool's
//! arguments from metadata and content.

use super::event::{Event, EventKind};
use super::machine::{Ask, Choice, Machine, Tools};
use super::op::{Fault, Markers, Op, Reasoning, SegmentType};
use super::signature::{Profile, Signatures};
use super::state::{Row, ToolState};
use crate::text::{Emitter, OptionText, Parser, Piece, Span, option_texts, trim};

/// How a stream is read.
///
/// ```
/// use tokenweir::segment::{EventKind, Markers, Options, Profile, SegmentParser, SegmentType, Signatures};
/// let mut options = Options::default();
/// options.markers = Markers { json: true, ..Markers::XML };
/// options.signatures = Signatures::of(Profile::Gemini);
/// let events = SegmentParser::new(options).feed(r#"{"name": "add", "args": {"a": 1}}"#)?;
/// let is_call = |kind: &EventKind| matches!(kind, EventKind::Start { segment_type: SegmentType::ToolCall, .. });
/// assert!(events.iter().any(|event| is_call(&event.kind)));
/// # Ok::<(), tokenweir::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Options {
    /// Which markers are looked for.
    pub markers: Markers,
    /// How tools that are JSON begin.
    pub signatures: Signatures,
    /// How reasoning in the text is read; [`Reasoning::Parts`] where nothing is said.
    pub reasoning: Reasoning,
    /// How much is buffered of a tool that waits for its arguments, in UTF-16 code
    /// units: one that is longer is text, up to its end tag.
    pub longest: u32,
    /// The program's own tool states, which go before the built-in ones.
    states: Vec<OwnState>,
    /// The tools that there are, if that is known.
    tools: Option<Vec<String>>,
}

/// What a program says about one tool.
#[derive(Clone, Debug)]
struct OwnState {
    tool: String,
    /// None makes the tool generic.
    row: Option<Row>,
    /// The names of its metadata, in the order of the row.
    metadata: Vec<String>,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            markers: Markers::XML,
            signatures: Signatures::of(Profile::Default),
            reasoning: Reasoning::Parts,
            longest: 16_777_216,
            states: Vec::new(),
            tools: None,
        }
    }
}

impl Options {
    /// Adds a state of the program's own; false if it has too many or too long words, or a
    /// marker that is empty or begins with white space: see [`ToolState`].
    ///
    /// ```
    /// use tokenweir::segment::{Options, SegmentType, ToolState};
    /// let mut options = Options::default();
    /// assert!(options.add_state(&ToolState {
    ///     tool: "send_mail",
    ///     segment_type: SegmentType::Own,
    ///     content: "body",
    ///     start_when: &["to"],
    ///     metadata: &["subject"],
    ///     markers: None,
    /// }));
    /// ```
    pub fn add_state(&mut self, state: &ToolState<'_>) -> bool {
        let Some(row) = Row::of(state) else { return false };
        let names = state.start_when.iter().chain(state.metadata);
        let metadata = names.map(|&name| name.to_owned()).collect();
        self.states.push(OwnState { tool: state.tool.to_owned(), row: Some(row), metadata });
        true
    }

    /// Makes a tool generic that has a built-in state.
    ///
    /// ```
    /// use tokenweir::segment::{EventKind, Options, SegmentParser, SegmentType};
    /// let mut options = Options::default();
    /// options.add_generic("run_bash");
    /// let events = SegmentParser::new(options).feed(r#"<tool name="run_bash"><arguments>"#)?;
    /// let is_call = |kind: &EventKind| matches!(kind, EventKind::Start { segment_type: SegmentType::ToolCall, .. });
    /// assert!(events.iter().any(|event| is_call(&event.kind)));
    /// # Ok::<(), tokenweir::Error>(())
    /// ```
    pub fn add_generic(&mut self, tool: &str) {
        self.states.push(OwnState { tool: tool.to_owned(), row: None, metadata: Vec::new() });
    }

    /// Lists a tool. With a list, what calls a tool that is neither in it nor has a state of the
    /// program's own is text. Names are compared in any case of ASCII letters.
    ///
    /// ```
    /// use tokenweir::segment::{EventKind, Options, SegmentParser};
    /// let mut options = Options::default();
    /// options.add_tool("search");
    /// let events = SegmentParser::new(options).feed("<run_bash>ls</run_bash>")?;
    /// assert_eq!(events[1].kind, EventKind::Content("<run_bash>ls</run_bash>".to_owned()));
    /// # Ok::<(), tokenweir::Error>(())
    /// ```
    pub fn add_tool(&mut self, tool: &str) {
        self.tools.get_or_insert_default().push(tool.to_owned());
    }

    /// Whether a tool is in the list, if there is one.
    fn lists(&self, tool: &str) -> bool {
        self.tools.as_ref().is_none_or(|tools| tools.iter().any(|other| other.eq_ignore_ascii_case(tool)))
    }

    /// Whether a text that names a tool may call it.
    fn knows(&self, tool: &str) -> bool {
        let mut states = self.states.iter().filter(|state| state.row.is_some());
        self.lists(tool) || states.any(|state| state.tool.eq_ignore_ascii_case(tool))
    }

    /// What the machine has to know of that.
    fn known(&self) -> Tools {
        Tools {
            are_listed: self.tools.is_some(),
            lack_file: !self.lists("write_file"),
            lack_command: !self.lists("run_bash"),
        }
    }
}

/// Emits the segments of a stream.
///
/// ```
/// use tokenweir::segment::{EventKind, Options, SegmentParser};
/// let mut parser = SegmentParser::new(Options::default());
/// let mut command = String::new();
/// for chunk in ["Look: <run_", "bash>ls -", "la</run_bash>"] {
///     for event in parser.feed(chunk)? {
///         if let (2, EventKind::Content(delta)) = (event.segment, &event.kind) {
///             command.push_str(delta);
///         }
///     }
/// }
/// parser.finish();
/// assert_eq!(command, "ls -la");
///
/// parser.reset();
/// parser.feed("1 <run")?;
/// assert_eq!(parser.held(), 4);
/// # Ok::<(), tokenweir::Error>(())
/// ```
pub type SegmentParser = Parser<SegmentEmitter>;

/// Emits the events of segments.
#[derive(Clone, Debug)]
pub struct SegmentEmitter {
    options: Options,
    state: State,
}

/// What has to be remembered between records to emit events.
#[derive(Clone, Debug, Default)]
struct State {
    /// How many segments have begun.
    count: u32,
    /// The open one, and where it began.
    open: Option<(bool, u64)>,
    /// Where markup that belongs to the next segment began.
    begins: Option<u64>,
    /// Right after an end: where the segment that ended began.
    ended: Option<u64>,
    metadata: Vec<(String, String)>,
    /// The names of the tool's metadata.
    names: Vec<String>,
    /// Other attributes of the tag. The last one may have no value yet.
    others: Vec<(String, String)>,
    /// The type of what the question is about, if it isn't a tag.
    called: Option<SegmentType>,
}

impl SegmentParser {
    /// A parser at the start of a stream.
    #[must_use]
    pub fn new(options: Options) -> SegmentParser {
        Parser::of(SegmentEmitter::of(options))
    }
}

impl Emitter for SegmentEmitter {
    const NAME: &'static str = "segments";
    type Options = Options;
    type Machine = Machine;
    type Event = Event;

    fn of(options: Options) -> SegmentEmitter {
        SegmentEmitter { options, state: State::default() }
    }

    fn options(&self) -> Vec<OptionText> {
        option_texts!(Options &self.options; markers, signatures, reasoning, longest, states, tools; )
    }

    fn machine(&self) -> Machine {
        let machine = Machine::new(self.options.markers, self.options.signatures);
        let mut machine = machine.with_reasoning(self.options.reasoning);
        machine.know(self.options.known());
        machine
    }

    fn table(&self) -> &() {
        &()
    }

    fn reset(&mut self) {
        self.state = State::default();
    }

    fn longest(&self) -> u32 {
        self.options.longest
    }

    fn emit(&mut self, piece: &Piece<'_>, events: &mut Vec<Event>) {
        if let Some(op) = Op::of(piece.record) {
            self.state.emit(op, piece.text, piece.span, events);
        }
    }

    fn answer(&mut self, machine: &Machine, ask: Ask, _: &mut Vec<Event>) -> Choice {
        match ask {
            Ask::Row => self.row(),
            Ask::Known if self.is_known(machine) => Choice::BuiltIn,
            Ask::Known => Choice::Unknown,
        }
    }

    fn finish(&mut self, at: u64, events: &mut Vec<Event>) {
        self.state.end_text(at, events);
    }
}

impl SegmentEmitter {
    /// Whether the tool is known that a JSON text or a sentinel calls.
    fn is_known(&self, machine: &Machine) -> bool {
        match self.state.called {
            None | Some(SegmentType::ToolCall) => {
                let called = machine.called().and_then(|name| str::from_utf8(name).ok());
                called.is_some_and(|name| self.options.knows(name))
            }
            Some(segment_type) => self.options.lists(segment_type.name()),
        }
    }

    /// How the tool is read whose tag was read last.
    fn row(&mut self) -> Choice {
        let name = self.state.metadata.first().map_or("", |(_, name)| name.as_str());
        if !self.options.knows(name) {
            return Choice::Unknown;
        }
        let own = self.options.states.iter().rfind(|state| state.tool.eq_ignore_ascii_case(name));
        self.state.names = own.map(|state| state.metadata.clone()).unwrap_or_default();
        match own {
            None => Choice::BuiltIn,
            Some(OwnState { row: None, .. }) => Choice::Generic,
            Some(OwnState { row: Some(row), .. }) => Choice::Own(*row),
        }
    }
}

/// The one metadata of the built-in states.
const BUILT_IN: &str = "path";

/// What the attributes are called that a command may have.
const COMMAND_ATTRIBUTES: [(&str, &str); 3] =
    [("background", "background"), ("timeout_seconds", "timeout_seconds"), ("timeoutseconds", "timeout_seconds")];

/// The metadata of a tag with other attributes. `<write_file>` and `<run_bash>` have them all; of
/// `<tool>` a command has those that it knows, and any other tool has none.
fn with_others(
    mut metadata: Vec<(String, String)>,
    others: Vec<(String, String)>,
    segment_type: SegmentType,
) -> Vec<(String, String)> {
    let is_tool = metadata.first().is_some_and(|(name, _)| name == "tool_name");
    for (name, value) in others {
        let known = COMMAND_ATTRIBUTES.iter().find(|(other, _)| other.eq_ignore_ascii_case(&name));
        let name = match known {
            Some((_, known)) if segment_type == SegmentType::RunBash => (*known).to_owned(),
            _ if is_tool => continue,
            _ => name,
        };
        if metadata.iter().all(|(other, _)| *other != name) {
            metadata.push((name, value));
        }
    }
    metadata
}

impl State {
    fn emit(&mut self, op: Op, text: &str, span: Span, events: &mut Vec<Event>) {
        let ended = self.ended.take();
        match op {
            Op::Text => {
                if self.open.is_none() {
                    self.open = Some((true, span.start));
                    self.start(SegmentType::Text, Vec::new(), span.start, events);
                }
                self.push(EventKind::Content(text.to_owned()), span, events);
            }
            Op::Content => self.push(EventKind::Content(text.to_owned()), span, events),
            Op::Markup => {
                let is_ahead = !matches!(self.open, Some((false, _)));
                if is_ahead {
                    self.end_text(span.start, events);
                    self.begins.get_or_insert(span.start);
                }
                let segment = self.count + u32::from(is_ahead);
                events.push(Event { segment, kind: EventKind::Markup(text.to_owned()), span });
            }
            Op::Stray => events.push(Event { segment: 0, kind: EventKind::Markup(text.to_owned()), span }),
            Op::Start(segment_type) => {
                self.end_text(span.start, events);
                self.open = Some((false, self.begins.take().unwrap_or(span.start)));
                let others = std::mem::take(&mut self.others);
                let metadata = with_others(std::mem::take(&mut self.metadata), others, segment_type);
                self.start(segment_type, metadata, span.start, events);
            }
            Op::End => {
                self.push(EventKind::End, span, events);
                self.ended = self.open.take().map(|(_, begins)| begins);
            }
            Op::Name => self.metadata = vec![("tool_name".to_owned(), text.to_owned())],
            Op::Metadata(index) => {
                let name = self.names.get(usize::from(index)).map_or(BUILT_IN, String::as_str);
                self.metadata.push((name.to_owned(), String::from_utf8_lossy(trim(text.as_bytes())).into_owned()));
            }
            Op::Attribute(attribute) => self.metadata.push((attribute.name().to_owned(), text.to_owned())),
            Op::Header => self.metadata.push(("header".to_owned(), text.to_owned())),
            Op::OtherName => self.others.push((text.to_owned(), String::new())),
            Op::OtherValue => {
                if let Some((_, value)) = self.others.last_mut() {
                    text.clone_into(value);
                }
            }
            Op::Called(segment_type) => self.called = Some(segment_type),
            Op::Missing => {}
            Op::Drop => {
                self.metadata.clear();
                self.others.clear();
            }
            Op::Fault(fault) => {
                let begins = ended.filter(|_| matches!(fault, Fault::Unterminated | Fault::BadArguments));
                let span = Span { start: begins.unwrap_or(span.start), end: span.end };
                let segment = if begins.is_some() { self.count } else { 0 };
                events.push(Event { segment, kind: EventKind::Fault(fault), span });
            }
        }
    }

    fn start(&mut self, segment_type: SegmentType, metadata: Vec<(String, String)>, at: u64, events: &mut Vec<Event>) {
        self.count += 1;
        self.push(EventKind::Start { segment_type, metadata }, Span { start: at, end: at }, events);
    }

    /// The open text ends, if text is open.
    fn end_text(&mut self, at: u64, events: &mut Vec<Event>) {
        if matches!(self.open, Some((true, _))) {
            self.push(EventKind::End, Span { start: at, end: at }, events);
            self.open = None;
        }
    }

    fn push(&mut self, kind: EventKind, span: Span, events: &mut Vec<Event>) {
        events.push(Event { segment: self.count, kind, span });
    }
}
