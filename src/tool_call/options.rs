//! How a stream of tool calls is read.

use super::protocol::{LONGEST_MARKER, Reasoning, hermes_row, morph_row, thinking_row};
use crate::format::{Body, Format, MOST_ROWS, Machine, Part, Start, Table, Trait};
use crate::text::trim;
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
    /// The tags around a call; none: elements with the names of tools, or formats.
    pub(super) tags: Option<(String, String)>,
    /// The wire formats, where these say how calls are written.
    pub(super) formats: Vec<&'static Format>,
    /// The names of the tools.
    pub(super) tools: Vec<String>,
    /// How the prompt ended, for formats: `<think>\n` says that the reply starts in reasoning. Nothing of it is
    /// emitted. `None`: the prompt ended as the format's usually do.
    ///
    /// ```
    /// use tokenweir::format::Format;
    /// use tokenweir::tool_call::{EventKind, Options, ToolCallParser};
    /// let mut options = Options::formats(&[Format::find("qwen3").unwrap()]);
    /// options.prefill = Some("<think>\n".to_owned());
    /// let events = ToolCallParser::new(options).feed("Hm.</think>Hello")?;
    /// assert_eq!(events[1].kind, EventKind::Reasoning("Hm.".to_owned()));
    /// # Ok::<(), tokenweir::Error>(())
    /// ```
    pub prefill: Option<String>,
    /// Not Morph: whether a call of a tool that isn't one of `tools` is text. It is a
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

    /// Calls are JSON between two other tags. `None` if one of them is empty but for
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

    /// Calls and reasoning are written as in these wire formats: in one, or in any of at most eight. More are not
    /// read. Reasoning between `<think>` or `<thinking>` and its closing tag is known besides.
    ///
    /// Arguments are JSON. A value that a format writes as text is a string, unless the format says more; a body of
    /// YAML is one string.
    ///
    /// ```
    /// use tokenweir::format::Format;
    /// use tokenweir::tool_call::{EventKind, Options, ToolCallParser};
    /// let options = Options::formats(&[Format::find("qwen3-coder").unwrap()]);
    /// let text = "<tool_call>\n<function=add>\n<parameter=a>\n1\n</parameter>\n</function>\n</tool_call>";
    /// let called = ToolCallParser::new(options).feed(text)?.into_iter().find_map(|event| match event.kind {
    ///     EventKind::CallDone { name, arguments, .. } => Some((name, arguments)),
    ///     _ => None,
    /// });
    /// assert_eq!(called, Some(("add".to_owned(), r#"{"a":"1"}"#.to_owned())));
    /// # Ok::<(), tokenweir::Error>(())
    /// ```
    #[must_use]
    pub fn formats(formats: &[&'static Format]) -> Options {
        Options { formats: formats.iter().take(MOST_ROWS - 1).copied().collect(), ..Options::morph(&[]) }
    }

    /// Calls are elements with the names of these tools. Without a schema an
    /// argument may be anything, so its inside is raw text up to its first closing
    /// tag; one that is never closed ends at the tool's own closing tag. A name that can stand in no
    /// tag is never found.
    ///
    /// The attributes of the tool's tag are arguments too, after the others. Elements of one name are a list.
    ///
    /// ```
    /// use tokenweir::tool_call::{EventKind, Options, ToolCallParser};
    /// let events = ToolCallParser::new(Options::morph(&["get"])).feed("<get><city>Seoul</city></get>")?;
    /// assert_eq!(events[1].kind, EventKind::Delta(r#"{"city":"Seoul""#.to_owned()));
    /// assert_eq!(events[2].kind, EventKind::Delta("}".to_owned()));
    /// # Ok::<(), tokenweir::Error>(())
    /// ```
    #[must_use]
    pub fn morph(tools: &[&str]) -> Options {
        let tools = tools.iter().map(|&tool| tool.to_owned()).collect();
        Options {
            tags: None,
            formats: Vec::new(),
            prefill: None,
            tools,
            rejects_unknown: false,
            line_prefixed: false,
            longest: 16_777_216,
            reasoning: Reasoning::Skip,
            skips_code: false,
        }
    }

    /// Calls of other tools than these are text. Not for Morph, whose calls are always of these.
    #[must_use]
    pub fn only(self, tools: &[&str]) -> Options {
        Options { rejects_unknown: true, ..self.with_tools(tools) }
    }

    /// The tools that there are. In a format a name that the model wrote around is then read as one of them. For
    /// Hermes: in calls of these, `tool` is read as
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

    pub(super) fn has_tool(&self, name: &str) -> bool {
        self.tools.iter().any(|tool| tool == name)
    }

    pub(super) fn has_no_tools(&self) -> bool {
        self.tools.is_empty()
    }

    /// What the machine reads by: the rows, and the names, which it wants in byte order.
    pub(super) fn table(&self) -> Arc<Table> {
        let mut table = Table::NOTHING;
        if let Some((start, end)) = &self.tags {
            let _ = table.add(&hermes_row(start, end));
        } else if self.formats.is_empty() {
            let _ = table.add(&morph_row(self.line_prefixed));
        }
        for format in &self.formats {
            let _ = table.add(format.bytes());
        }
        let rows = || table.rows().map(|(_, row)| row);
        let has_calls = rows().any(|row| row.body() != Body::Nothing) || self.has_messages();
        let missing = thinking_row(|open| rows().any(|row| row.list(Part::ReasoningOpen).any(|known| known == open)));
        if let Some(row) = missing.filter(|_| has_calls && !self.formats.is_empty()) {
            let _ = table.add(&row);
        }
        let mut sorted: Vec<&[u8]> = self.tools.iter().map(String::as_bytes).collect();
        sorted.sort_unstable();
        sorted.dedup();
        for name in sorted {
            table.names.add(name);
        }
        Arc::new(table)
    }

    pub(super) fn has_messages(&self) -> bool {
        self.formats.iter().any(|format| format.is(Trait::Messages))
    }

    /// The machine where the reply starts: in which row's reasoning the prompt ended.
    pub(super) fn machine(&self, table: &Table) -> Machine {
        let seeks = self.reasoning != Reasoning::Search;
        let start = |start| Machine::new(start, seeks, self.skips_code);
        if self.reasoning == Reasoning::Inside {
            return start(Start::Reasoning);
        }
        let mut formats = self.formats.iter().zip(table.rows());
        let opened = formats.find(|(format, (_, row))| match &self.prefill {
            Some(prompt) => {
                let last = |part| row.list(part).filter_map(|marker| last_place(prompt, marker)).max();
                last(Part::ReasoningOpen) > last(Part::ReasoningClose)
            }
            None => format.is(Trait::Prefilled),
        });
        opened.map_or_else(|| start(Start::Turn), |(_, (row, _))| start(Start::Reasoning).inside(row))
    }

    /// The message that the prompt ended in, from its header on; empty if it ended in none.
    pub(super) fn open_message(&self, table: &Table) -> &str {
        let prompt = self.prefill.as_deref().unwrap_or_default();
        let openers = table.rows().flat_map(|(_, row)| row.list(Part::MessageOpen));
        let from = openers.filter_map(|marker| prompt.rfind(std::str::from_utf8(marker).ok()?)).max();
        from.and_then(|from| prompt.get(from..)).unwrap_or_default()
    }
}

/// Where a marker begins for the last time, whatever stands in it for an optional `:suffix`.
fn last_place(text: &str, marker: &[u8]) -> Option<usize> {
    let marker = std::str::from_utf8(marker).ok()?;
    let Some((front, back)) = marker.split_once('\u{1}') else { return text.rfind(marker) };
    text.rmatch_indices(front).map(|(at, _)| at).find(|at| {
        let rest = text.get(at + front.len()..).unwrap_or_default();
        let suffix = rest.strip_prefix(':').map(|word| word.trim_start_matches(|c: char| c.is_ascii_alphanumeric()));
        rest.starts_with(back) || suffix.is_some_and(|rest| rest.starts_with(back))
    })
}

/// What a stream is read by.
pub(super) struct Reading<'a> {
    pub options: &'a Options,
    pub table: &'a Table,
}

impl Reading<'_> {
    /// Whether the format of a row has a trait.
    pub(super) fn is(&self, row: u8, each: Trait) -> bool {
        self.options.formats.get(usize::from(row)).is_some_and(|format| format.is(each))
    }

    pub(super) fn body(&self, row: u8) -> Body {
        self.table.row(row).body()
    }

    pub(super) fn has_messages(&self) -> bool {
        self.options.has_messages()
    }
}
