//! The tool-call parser for Rust programs: chunks in, events out.
//!
//! The same machine as in JavaScript. There is no schema here, so values are what
//! they were written as: JSON stays JSON, and the arguments of elements are texts.

use super::emitter::State;
use super::event::Event;
use super::protocol::{LONGEST_MARKER, Reasoning, hermes_row, morph_row};
use crate::format::{Answer, Ask, Machine, Op, Start, Table};
use crate::json::JsonOp;
use crate::text::{Codec, Emitter, OptionText, Parser, Piece, Record, State as _, option_texts, trim};
use crate::xml::TreeOp;
use std::sync::Arc;

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
    tags: Option<(String, String)>,
    /// The names of the tools.
    tools: Vec<String>,
    /// Hermes: whether a call of a tool that isn't one of `tools` is text. It is a
    /// call where this is false, or `tools` is empty.
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
    /// there. All of it is buffered until its end is known.
    pub longest: u32,
    /// How reasoning in the text is read; [`Reasoning::Skip`] where nothing is said.
    pub reasoning: Reasoning,
    /// Whether a call in Markdown code is text.
    ///
    /// ```
    /// use tokenweir::tool_call::{EventKind, Options, ToolCallParser};
    /// let mut options = Options::morph(&["get"]);
    /// options.skips_code = true;
    /// let events = ToolCallParser::new(options).feed("`<get></get>` is a call.")?;
    /// assert!(!events.iter().any(|event| matches!(event.kind, EventKind::CallDone { .. })));
    /// # Ok::<(), tokenweir::Error>(())
    /// ```
    pub skips_code: bool,
}

impl Options {
    /// Calls are JSON between `<tool_call>` and `</tool_call>`.
    #[must_use]
    pub fn hermes() -> Options {
        Options { tags: Options::tags("<tool_call>", "</tool_call>"), ..Options::morph(&[]) }
    }

    /// The same between two other tags. `None` if one of them is empty but for
    /// white space, or too long: see [`LONGEST_MARKER`].
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
    /// The attributes of the tool's tag are arguments too, before the others.
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
            skips_code: false,
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

    fn tags(start: &str, end: &str) -> Option<(String, String)> {
        let [start, end] = [start, end].map(|tag| String::from_utf8_lossy(trim(tag.as_bytes())).into_owned());
        let fits = |tag: &str| (1..=LONGEST_MARKER).contains(&tag.len());
        (fits(&start) && fits(&end)).then_some((start, end))
    }

    /// What begins an end tag, however it ends.
    pub(super) fn end_tag(&self) -> &[u8] {
        let end = self.tags.as_ref().map_or(&b""[..], |(_, end)| end.as_bytes());
        end.strip_suffix(b">").unwrap_or(end)
    }

    /// Whether a call of a tool is text.
    pub(super) fn rejects(&self, name: &str) -> bool {
        self.rejects_unknown && !self.tools.is_empty() && !self.has_tool(name)
    }

    pub(super) fn has_tool(&self, name: &str) -> bool {
        self.tools.iter().any(|tool| tool == name)
    }

    /// What the machine reads by: the row, and the names, which it wants in byte order.
    fn table(&self) -> Arc<Table> {
        let mut sorted: Vec<&[u8]> = self.tools.iter().map(String::as_bytes).collect();
        sorted.sort_unstable();
        sorted.dedup();
        let mut table = Table::NOTHING;
        let row = match &self.tags {
            Some((start, end)) => hermes_row(start, end),
            None => morph_row(self.line_prefixed),
        };
        let _ = table.add(&row);
        for name in sorted {
            table.names.add(name);
        }
        Arc::new(table)
    }
}

/// Emits the tool calls of a stream.
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
pub type ToolCallParser = Parser<CallEmitter>;

/// Emits the events of tool calls.
#[derive(Clone, Debug)]
pub struct CallEmitter {
    options: Options,
    table: Arc<Table>,
    state: State,
}

impl ToolCallParser {
    /// A parser at the start of a stream.
    #[must_use]
    pub fn new(options: Options) -> ToolCallParser {
        Parser::of(CallEmitter::of(options))
    }
}

impl Emitter for CallEmitter {
    const NAME: &'static str = "tool-calls";
    type Options = Options;
    type Machine = Machine;
    type Event = Event;

    fn of(options: Options) -> CallEmitter {
        CallEmitter { table: options.table(), state: State::default(), options }
    }

    fn options(&self) -> Vec<OptionText> {
        option_texts!(Options &self.options; tags, tools, rejects_unknown, line_prefixed, longest, reasoning, skips_code; )
    }

    fn carry(&mut self, codec: &mut Codec<'_>) {
        self.state.carry(codec);
    }

    fn machine(&self) -> Machine {
        let Options { reasoning, skips_code, .. } = self.options;
        let start = if reasoning == Reasoning::Inside { Start::Reasoning } else { Start::Turn };
        Machine::new(start, reasoning != Reasoning::Search, skips_code)
    }

    fn table(&self) -> &Table {
        &self.table
    }

    fn reset(&mut self) {
        self.state = State::default();
    }

    fn longest(&self) -> u32 {
        self.options.longest
    }

    fn takes_text(&self, record: Record) -> bool {
        let is_ours = matches!(Op::of(record), Some(Op::Text | Op::Name | Op::Failed | Op::Quoted | Op::Reasoned));
        is_ours || JsonOp::of(record).is_some() || TreeOp::of(record).is_some()
    }

    fn emit(&mut self, piece: &Piece<'_>, events: &mut Vec<Event>) {
        if let Some(op) = Op::of(piece.record) {
            self.state.emit(op, piece, &self.options, events);
        } else if let Some(op) = JsonOp::of(piece.record) {
            self.state.emit_json(op, piece);
        } else if let Some(op) = TreeOp::of(piece.record) {
            self.state.emit_element(op, piece.text, piece.span, events);
        }
    }

    fn answer(&mut self, _: &Machine, ask: Ask, events: &mut Vec<Event>) -> Answer {
        self.state.answer(ask, &self.options, events)
    }

    fn pause(&mut self, events: &mut Vec<Event>) {
        self.state.emit_delta(events);
    }
}
