//! The tool-call front-end for Rust programs: chunks in, events out.
//!
//! The same machine as in JavaScript. There is no schema here, so values are what
//! they were written as: JSON stays JSON, and the arguments of elements are texts.

use super::event::Event;
use super::machine::Machine;
use super::names::ToolNames;
use super::op::Op;
use super::protocol::{Marker, Reasoning};
use super::teller::Teller;
use crate::error::Error;
use crate::json::JsonOp;
use crate::text::{self, Holding, Machine as _, Pending, Progress, Reading, Record, Span, Stretch, trim};
use crate::xml::TreeOp;

/// How a stream is read.
///
/// ```
/// use tokenweir::tool_call::{EventKind, Options, ToolCallParser};
/// let mut options = Options::hermes().only(&["add"]);
/// options.longest = 1_000;
/// let text = r#"<tool_call>{"name": "divide", "arguments": {}}</tool_call>"#;
/// let events = ToolCallParser::new(options).feed(text)?;
/// assert!(!events.iter().any(|event| matches!(event.kind, EventKind::CallDone { .. })));
/// # Ok::<(), tokenweir::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Options {
    /// The tags around a call; none: elements with the names of tools.
    tags: Option<(Marker, Marker)>,
    /// The names of the tools.
    tools: Vec<String>,
    /// Hermes: whether a call of a tool that is none of `tools` is text. It is a
    /// call where this is false, or `tools` are none.
    pub rejects_unknown: bool,
    /// Morph: whether the name of a tool on a line of its own, with its arguments'
    /// elements after it, is a call too. Anything else after the last of them ends it.
    ///
    /// ```
    /// use tokenweir::tool_call::{EventKind, Options, ToolCallParser};
    /// let mut options = Options::morph(&["get"]);
    /// options.line_prefixed = true;
    /// let events = ToolCallParser::new(options).feed("get\n<city>Seoul</city>\nDone.")?;
    /// assert!(events.iter().any(|event| matches!(event.kind, EventKind::CallDone { .. })));
    /// # Ok::<(), tokenweir::Error>(())
    /// ```
    pub line_prefixed: bool,
    /// How long a segment may be, in UTF-16 code units: one that is longer fails
    /// there. All of it is held until its end is known.
    pub longest: u32,
    /// How reasoning in the text is read; [`Reasoning::Skip`] where nothing is said.
    pub reasoning: Reasoning,
}

impl Options {
    /// Calls are JSON between `<tool_call>` and `</tool_call>`.
    #[must_use]
    pub fn hermes() -> Options {
        Options { tags: Options::tags("<tool_call>", "</tool_call>"), ..Options::morph(&[]) }
    }

    /// The same between two other tags. `None` if one of them is empty but for
    /// white space, or too long: see [`LONGEST_MARKER`](super::LONGEST_MARKER).
    ///
    /// ```
    /// use tokenweir::tool_call::{EventKind, Options, ToolCallParser};
    /// let options = Options::hermes_between("[CALL]", "[/CALL]").unwrap();
    /// let events = ToolCallParser::new(options).feed(r#"[CALL]{"name": "f"}[/CALL]"#)?;
    /// assert!(events.iter().any(|event| matches!(event.kind, EventKind::CallDone { .. })));
    /// assert!(Options::hermes_between(" ", "[/CALL]").is_none());
    /// # Ok::<(), tokenweir::Error>(())
    /// ```
    #[must_use]
    pub fn hermes_between(start: &str, end: &str) -> Option<Options> {
        Some(Options { tags: Some(Options::tags(start, end)?), ..Options::morph(&[]) })
    }

    /// Calls are elements with the names of these tools. Without a schema an
    /// argument may be anything, so its inside is raw text up to its first closing
    /// tag; one that is never closed ends at the tool's own closing tag. A name that can stand in no
    /// tag is never found.
    ///
    /// The attributes of the tool's tag are arguments too, in front of the others.
    ///
    /// ```
    /// use tokenweir::tool_call::{EventKind, Options, ToolCallParser};
    /// let events = ToolCallParser::new(Options::morph(&["get"])).feed("<get><city>Seoul</city></get>")?;
    /// assert_eq!(events[1].kind, EventKind::ArgumentStart { name: "city".to_owned() });
    /// assert_eq!(events[2].kind, EventKind::Argument("Seoul".to_owned()));
    /// # Ok::<(), tokenweir::Error>(())
    /// ```
    #[must_use]
    pub fn morph(tools: &[&str]) -> Options {
        let tools = tools.iter().map(|&tool| tool.to_owned()).collect();
        Options {
            tags: None,
            tools,
            rejects_unknown: false,
            line_prefixed: false,
            longest: 16_777_216,
            reasoning: Reasoning::Skip,
        }
    }

    /// Calls of other tools than these are text. For Hermes.
    #[must_use]
    pub fn only(self, tools: &[&str]) -> Options {
        Options { rejects_unknown: true, ..self.with_tools(tools) }
    }

    /// The tools that there are. For Hermes: in calls of these, `tool` is read as
    /// `name`, and `args` and `input` are read as `arguments`.
    ///
    /// ```
    /// use tokenweir::tool_call::{EventKind, Options, ToolCallParser};
    /// let text = r#"<tool_call>{"tool": "add", "args": {"a": 1}}</tool_call>"#;
    /// let is_call = |options| {
    ///     let events = ToolCallParser::new(options).feed(text)?;
    ///     Ok::<_, tokenweir::Error>(events.iter().any(|event| matches!(event.kind, EventKind::CallDone { .. })))
    /// };
    /// assert!(is_call(Options::hermes().with_tools(&["add"]))?);
    /// assert!(!is_call(Options::hermes())?);
    /// # Ok::<(), tokenweir::Error>(())
    /// ```
    #[must_use]
    pub fn with_tools(mut self, tools: &[&str]) -> Options {
        self.tools = tools.iter().map(|&tool| tool.to_owned()).collect();
        self
    }

    fn tags(start: &str, end: &str) -> Option<(Marker, Marker)> {
        Some((Marker::new(&[trim(start.as_bytes())])?, Marker::new(&[trim(end.as_bytes())])?))
    }

    /// What begins an end tag, however it ends.
    pub(super) fn end_tag(&self) -> &[u8] {
        let end = self.tags.as_ref().map_or(&b""[..], |(_, end)| end.text());
        end.strip_suffix(b">").unwrap_or(end)
    }

    /// Whether a call of a tool is text.
    pub(super) fn rejects(&self, name: &str) -> bool {
        self.rejects_unknown && !self.tools.is_empty() && !self.has_tool(name)
    }

    pub(super) fn has_tool(&self, name: &str) -> bool {
        self.tools.iter().any(|tool| tool == name)
    }

    fn machine(&self) -> Machine {
        let machine = match self.tags {
            Some((start, end)) => Machine::hermes(start, end),
            None if self.line_prefixed => Machine::morph_lines(),
            None => Machine::morph(),
        };
        machine.with_reasoning(self.reasoning)
    }

    /// The names, which a machine wants in byte order.
    fn names(&self) -> Box<ToolNames> {
        let mut sorted: Vec<&[u8]> = self.tools.iter().map(String::as_bytes).collect();
        sorted.sort_unstable();
        sorted.dedup();
        let mut names = Box::new(ToolNames::NONE);
        for name in sorted {
            names.add(name);
        }
        names
    }
}

/// Tells the tool calls of a stream.
///
/// ```
/// use tokenweir::tool_call::{Arguments, EventKind, Options, ToolCallParser};
/// let mut parser = ToolCallParser::new(Options::hermes());
/// let mut calls = Vec::new();
/// for chunk in ["Let me add. <tool_", "call>{\"name\": \"add\", \"argu", "ments\": {\"a\": 1,}}</tool_call>"] {
///     for event in parser.feed(chunk)? {
///         if let EventKind::CallDone { name, arguments: Arguments::Json(json), .. } = event.kind {
///             calls.push((name, json));
///         }
///     }
/// }
/// parser.finish();
/// parser.reset();
/// parser.feed("1 <tool")?;
/// assert_eq!(parser.held(), 5);
/// assert_eq!(calls, [("add".to_owned(), "{\"a\":1}".to_owned())]);
/// # Ok::<(), tokenweir::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct ToolCallParser {
    options: Options,
    names: Box<ToolNames>,
    machine: Machine,
    pending: Pending,
    is_finished: bool,
    teller: Teller,
}

impl ToolCallParser {
    /// A parser at the start of a stream.
    #[must_use]
    pub fn new(options: Options) -> ToolCallParser {
        ToolCallParser {
            names: options.names(),
            machine: options.machine(),
            pending: Pending::default(),
            is_finished: false,
            teller: Teller::default(),
            options,
        }
    }

    /// Reads a chunk.
    ///
    /// # Errors
    /// `finished`: the stream has ended. Text itself is never refused.
    pub fn feed(&mut self, chunk: &str) -> Result<Vec<Event>, Error> {
        if self.is_finished {
            return Err(Error::finished(self.pending.start()));
        }
        let mut events = Vec::new();
        let longest = self.options.longest;
        let (pending, mut reading) = self.reading(&mut events);
        text::feed_within(pending, chunk, longest, &mut reading);
        Ok(events)
    }

    /// The end of the stream: what is open fails.
    pub fn finish(&mut self) -> Vec<Event> {
        let mut events = Vec::new();
        if !std::mem::replace(&mut self.is_finished, true) {
            let (pending, mut reading) = self.reading(&mut events);
            text::finish(pending, &mut reading);
        }
        events
    }

    /// The start of a new stream, with the same options.
    pub fn reset(&mut self) {
        self.machine = self.options.machine();
        self.pending = Pending::default();
        self.is_finished = false;
        self.teller = Teller::default();
    }

    /// How many UTF-16 code units are held undecided.
    #[must_use]
    pub fn held(&self) -> u32 {
        self.pending.units()
    }

    /// Moves made so far.
    // Hidden: the tests of growth read it.
    #[doc(hidden)]
    #[cfg(not(target_arch = "wasm32"))]
    #[must_use]
    pub fn steps(&self) -> u64 {
        self.machine.steps()
    }

    fn reading<'a>(&'a mut self, events: &'a mut Vec<Event>) -> (&'a mut Pending, CallReading<'a>) {
        let ToolCallParser { options, names, machine, pending, teller, .. } = self;
        (pending, CallReading { options, names, machine, teller, events })
    }
}

struct CallReading<'a> {
    options: &'a Options,
    names: &'a ToolNames,
    machine: &'a mut Machine,
    teller: &'a mut Teller,
    events: &'a mut Vec<Event>,
}

impl Reading for CallReading<'_> {
    fn run(&mut self, stretch: &[u8], held: u32, ascii: bool, records: &mut Vec<Record>) -> Progress {
        self.machine.run(self.names, &mut Stretch::new(stretch, held, ascii), records).into()
    }

    fn finish(&mut self, held: u32, records: &mut Vec<Record>) -> Progress {
        self.machine.finish(held, records).into()
    }

    fn takes_text(&self, record: Record) -> bool {
        let is_ours = matches!(Op::of(record), Some(Op::Text | Op::Name | Op::Failed | Op::Quoted | Op::Reasoned));
        is_ours || JsonOp::of(record).is_some() || TreeOp::of(record).is_some()
    }

    fn tell(&mut self, record: Record, text: &str, span: Span) {
        if let Some(op) = Op::of(record) {
            self.teller.tell(op, record, text, span, self.options, self.events);
        } else if let Some(op) = JsonOp::of(record) {
            self.teller.tell_json(op, record, text, span);
        } else if let Some(op) = TreeOp::of(record) {
            self.teller.tell_element(op, text, span, self.events);
        }
    }

    fn answer(&mut self, _: &Pending, _: &[Record]) {
        let answer = self.teller.answer(self.options, self.events);
        self.machine.answer(answer);
    }
}

impl Holding for CallReading<'_> {
    fn is_in_call(&self) -> bool {
        self.machine.is_in_call()
    }

    fn give_up(&mut self, held: u32, records: &mut Vec<Record>) -> Progress {
        self.machine.give_up(held, records).into()
    }

    fn pause(&mut self) {
        self.teller.tell_delta(self.events);
    }
}
