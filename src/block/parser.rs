//! The block parser for Rust programs: the machine, with text kept beside it.

use super::event::{Event, EventKind, Part};
use super::machine::{Ask, Face, Machine, Settings};
use super::members::{MOST_STARTS, Members};
use super::op::{Kind, Op};
use super::tags::TagTable;
use super::value::Declared;
use crate::json::Recogniser;
use crate::text::{Emitter, OptionText, Parser, Piece, Span, option_texts};
use crate::xml::references;
use std::fmt;
use std::sync::Arc;

/// What a tool's schema says of a parameter, by tool name and parameter name. An element in a call
/// is a parameter too if its name has a declaration: anything but [`Declared::Unknown`].
///
/// ```
/// use std::sync::Arc;
/// use tokenweir::block::{BlockParser, Declarations, Declared, EventKind, Options};
/// let declared: Declarations = Arc::new(|tool, parameter| match (tool, parameter) {
///     ("call", "number") => Declared::String,
///     _ => Declared::Unknown,
/// });
/// let mut parser = BlockParser::new(Options { declared: Some(declared), ..Options::default() });
/// let events = parser.feed(r#"<invoke name="call"><parameter name="number">110</parameter></invoke>"#)?;
/// let input = events.into_iter().find_map(|event| match event.kind {
///     EventKind::BlockComplete { input, .. } => input,
///     _ => None,
/// });
/// assert_eq!(input.as_deref(), Some(r#"{"number":"110"}"#));
/// # Ok::<(), tokenweir::Error>(())
/// ```
pub type Declarations = Arc<dyn Fn(&str, &str) -> Declared + Send + Sync>;

/// How a [`BlockParser`] reads.
///
/// ```
/// use tokenweir::block::{BlockParser, EventKind, Kind, Options, Role};
/// let mut options = Options { generate_id: |number| format!("call-{number}"), ..Options::default() };
/// options.tags.set("think", Some(Role::Thinking))?;
/// let events = BlockParser::new(options).feed("<think>hm</think>")?;
/// assert!(events.iter().any(|event| matches!(event.kind, EventKind::Chunk { block: Kind::Thinking, .. })));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone)]
pub struct Options {
    /// Which names are tags.
    pub tags: TagTable,
    /// What a block is.
    pub face: Face,
    /// Whether parameters lose white space at both ends, unless declared a string.
    pub trim_parameters: bool,
    /// Whether the stream begins inside thinking, which the prompt has opened.
    pub start_with_thinking: bool,
    /// Whether tags in Markdown code are text.
    pub skips_code: bool,
    /// What the tools' schemas say of their parameters.
    pub declared: Option<Declarations>,
    /// Makes the id of the tool call with this number, counted from 0.
    pub generate_id: fn(u64) -> String,
}

impl fmt::Debug for Options {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Options")
            .field("face", &self.face)
            .field("trim_parameters", &self.trim_parameters)
            .field("has_declarations", &self.declared.is_some())
            .finish_non_exhaustive()
    }
}

impl Default for Options {
    fn default() -> Self {
        Options {
            tags: TagTable::default(),
            face: Face::Blocks,
            trim_parameters: true,
            start_with_thinking: false,
            skips_code: false,
            declared: None,
            generate_id: |number| format!("toolu_{number:024}"),
        }
    }
}

/// Turns chunks into block events.
///
/// ```
/// use tokenweir::block::{BlockParser, EventKind, Options};
///
/// let mut parser = BlockParser::new(Options::default());
/// let mut visible = String::new();
/// for chunk in ["Hello <thi", "nking>let me think</thinking>", "The answer is 42."] {
///     for event in parser.feed(chunk)? {
///         if let EventKind::Chunk { block: tokenweir::block::Kind::Text, text, .. } = event.kind {
///             visible.push_str(&text);
///         }
///     }
/// }
/// parser.finish();
/// assert_eq!(visible, "Hello The answer is 42.");
///
/// parser.reset();
/// parser.feed("1 <invo")?;
/// assert_eq!(parser.held(), 5);
/// # Ok::<(), tokenweir::Error>(())
/// ```
pub type BlockParser = Parser<BlockEmitter>;

/// Emits the events of blocks.
#[derive(Clone, Debug)]
pub struct BlockEmitter {
    options: Options,
    state: State,
}

/// What has to be remembered between records to emit events.
#[derive(Clone, Debug, Default)]
struct State {
    index: usize,
    block: Option<Block>,
    /// Blocks of custom tags that go on after the open one.
    around: Vec<Block>,
    /// Attributes of the custom tag that follows.
    attributes: Vec<(String, String)>,
    calls: u64,
    /// The parameter's or element's name that was read last.
    key: String,
    /// Whether it stands in a value.
    is_opener: bool,
    /// The members of the open tool call's input.
    members: Members,
    /// Stray text of the open tool call, and where its pieces stand.
    stray: Vec<(String, Span)>,
}

#[derive(Clone, Debug)]
struct Block {
    index: usize,
    kind: Kind,
    content: String,
    tool_id: Option<String>,
    tool_name: Option<String>,
    is_call: bool,
    /// Its body can't be read.
    is_malformed: bool,
}

impl BlockParser {
    /// A parser at the start of a stream.
    #[must_use]
    pub fn new(options: Options) -> BlockParser {
        Parser::of(BlockEmitter::of(options))
    }
}

impl Emitter for BlockEmitter {
    const NAME: &'static str = "blocks";
    type Options = Options;
    type Machine = Machine;
    type Event = Event;

    fn of(options: Options) -> BlockEmitter {
        BlockEmitter { options, state: State::default() }
    }

    fn options(&self) -> Vec<OptionText> {
        option_texts!(Options &self.options; face, trim_parameters, start_with_thinking, skips_code; tags: TagTable::listed, declared: |declared: &Option<_>| declared.is_some().to_string(), generate_id: |_| String::new())
    }

    fn machine(&self) -> Machine {
        let Options { face, trim_parameters: trims, skips_code, ref declared, .. } = self.options;
        let settings = Settings { trims, asks: declared.is_some(), marks: true, skips_code, ..Settings::new(face) };
        let mut machine = Machine::new(settings);
        machine.know_own_tags(&self.options.tags);
        if self.options.start_with_thinking {
            machine.start_in_thinking();
        }
        machine
    }

    fn table(&self) -> &TagTable {
        &self.options.tags
    }

    fn reset(&mut self) {
        self.state = State::default();
    }

    fn emit(&mut self, piece: &Piece<'_>, events: &mut Vec<Event>) {
        if let Some(op) = Op::of(piece.record) {
            self.state.emit(op, piece.text, piece.span, self.options.generate_id, events);
        }
    }

    /// Answers with the declaration of the parameter that was named last.
    fn answer(&mut self, _: &Machine, Ask::Declaration: Ask, _: &mut Vec<Event>) -> Declared {
        if std::mem::take(&mut self.state.is_opener) && self.options.declared.is_none() {
            // Without declarations anything may be a parameter that has not come yet.
            let is_new = !self.state.members.is_written(&decoded(&self.state.key));
            return if is_new { Declared::Named } else { Declared::Unknown };
        }
        let tool = self.state.block.as_ref().and_then(|block| block.tool_name.as_deref()).unwrap_or_default();
        self.options.declared.as_ref().map_or(Declared::Unknown, |declared| declared(tool, &self.state.key))
    }
}

impl State {
    fn emit(&mut self, op: Op, text: &str, span: Span, generate_id: fn(u64) -> String, events: &mut Vec<Event>) {
        let nowhere = Span { start: span.end, end: span.end };
        match op {
            Op::Start { kind, .. } => self.start(kind, span, events),
            Op::Text => self.chunk(None, text.to_owned(), span, events),
            Op::Character(character) => self.chunk(None, character.to_string(), span, events),
            Op::Raw => self.chunk(Some(Part::Input), text.to_owned(), span, events),
            Op::String { is_first, is_last } => {
                let mut piece = String::new();
                if is_first {
                    piece.push('"');
                }
                push_escaped(&mut piece, text);
                if is_last {
                    piece.push('"');
                }
                self.chunk(Some(Part::Input), piece, span, events);
            }
            Op::Name { is_present } => {
                self.members = Members::default();
                self.name(is_present.then(|| decoded(text)), span, generate_id, events);
            }
            Op::Key => self.begin_member(decoded(text), span, generate_id, events),
            Op::InputEnd { is_empty: true } if !self.stray.is_empty() => self.stray_input(events),
            Op::InputEnd { is_empty } => {
                let end = if is_empty { "{}".to_owned() } else { self.members.end() };
                self.chunk(Some(Part::Input), end, span, events);
            }
            Op::Element { is_opener } => {
                self.key = text.to_owned();
                self.is_opener = is_opener;
            }
            Op::ResultId => self.block.iter_mut().for_each(|block| block.tool_id = Some(decoded(text))),
            Op::Stray => self.stray.push((text.to_owned(), span)),
            Op::Boolean { value } => self.chunk(Some(Part::Input), value.to_string(), span, events),
            Op::Markup { .. } => events.push(Event { kind: EventKind::Markup, span }),
            Op::AttributeName | Op::AttributeValue | Op::Own { .. } => self.own_tag(op, text, nowhere, events),
            Op::Tag { .. } | Op::Payload { .. } | Op::Attribute => {}
            Op::Unopened => events.push(Event { kind: EventKind::UnopenedThinking, span }),
            Op::Complete { is_incomplete, is_error, is_malformed } => {
                self.complete(is_incomplete, is_error, is_malformed, span, events);
                let stray = std::mem::take(&mut self.stray);
                if !stray.is_empty() {
                    self.start(Kind::ToolCall, nowhere, events);
                    for (text, span) in stray {
                        self.chunk(None, text, span, events);
                    }
                    self.complete(false, false, false, nowhere, events);
                }
            }
        }
    }

    /// The key of a member of the open tool call's input.
    fn begin_member(&mut self, key: String, span: Span, generate_id: fn(u64) -> String, events: &mut Vec<Event>) {
        if self.members.is_written(&key) {
            self.start_over(&key, Span { start: span.start, end: span.start }, generate_id, events);
        }
        let at = self.block.as_ref().map_or(0, |block| block.content.len());
        let mut piece = String::from(self.members.begin(&key, at));
        piece.push('"');
        push_escaped(&mut piece, &key);
        piece.push_str("\":");
        self.key = key;
        self.chunk(Some(Part::Input), piece, span, events);
    }

    /// The open tool call has no parameter: its stray text is its input.
    fn stray_input(&mut self, events: &mut Vec<Event>) {
        let stray = std::mem::take(&mut self.stray);
        let is_object = is_object(&stray);
        if let Some(span) = no_arguments(&stray) {
            return self.chunk(Some(Part::Input), "{}".to_owned(), span, events);
        }
        if let Some(block) = &mut self.block {
            block.is_malformed = !is_object;
        }
        for (text, span) in stray {
            self.chunk(Some(Part::Input), text, span, events);
        }
    }

    /// A custom tag: its attributes, and then itself.
    fn own_tag(&mut self, op: Op, text: &str, span: Span, events: &mut Vec<Event>) {
        if op == Op::AttributeName {
            self.attributes.push((text.to_owned(), String::new()));
        } else if op == Op::AttributeValue {
            if let Some((_, value)) = self.attributes.last_mut() {
                *value = decoded(text);
            }
        } else if let Op::Own { number, is_closer: false, .. } = op {
            let parent = self.block.as_ref().map(|block| block.index);
            let mut attributes: Vec<(String, String)> = Vec::new();
            for (name, value) in std::mem::take(&mut self.attributes) {
                if attributes.iter().all(|(known, _)| *known != name) {
                    attributes.push((name, value));
                }
            }
            events.push(Event { kind: EventKind::OwnTag { number, parent, attributes }, span });
        }
    }

    /// The open block is a call of this name.
    fn name(&mut self, name: Option<String>, span: Span, generate_id: fn(u64) -> String, events: &mut Vec<Event>) {
        let id = generate_id(self.calls);
        self.calls += 1;
        if let Some(block) = &mut self.block {
            block.is_call = true;
            block.tool_name.clone_from(&name);
            block.tool_id = Some(id.clone());
        }
        if let Some(name) = name {
            self.chunk(Some(Part::Name), name, span, events);
        }
        self.chunk(Some(Part::Id), id, Span { start: span.end, end: span.end }, events);
    }

    /// A key of the open tool call comes again: the call comes again as the next block.
    fn start_over(&mut self, key: &str, place: Span, generate_id: fn(u64) -> String, events: &mut Vec<Event>) {
        let Some(Block { kind, content, tool_name, is_malformed, .. }) = self.block.clone() else { return };
        if self.members.begun + 1 == MOST_STARTS {
            if let Some(block) = &mut self.block {
                block.is_malformed = true;
            }
            return;
        }
        self.members.start_over(key, &content);
        self.complete(true, false, true, place, events);
        self.start(kind, place, events);
        self.name(tool_name, place, generate_id, events);
        if let Some(block) = &mut self.block {
            block.is_malformed = is_malformed;
        }
    }

    fn start(&mut self, kind: Kind, span: Span, events: &mut Vec<Event>) {
        let index = self.index;
        self.index += 1;
        let next = Block {
            index,
            kind,
            content: String::new(),
            tool_id: None,
            tool_name: None,
            is_call: false,
            is_malformed: false,
        };
        self.around.extend(self.block.replace(next));
        events.push(Event { kind: EventKind::BlockStart { index, block: kind }, span });
    }

    fn chunk(&mut self, part: Option<Part>, text: String, span: Span, events: &mut Vec<Event>) {
        let Some(block) = &mut self.block else { return };
        if matches!(part, None | Some(Part::Input)) {
            block.content.push_str(&text);
        }
        let kind = EventKind::Chunk { index: block.index, block: block.kind, part, text };
        events.push(Event { kind, span });
    }

    fn complete(
        &mut self,
        is_incomplete: bool,
        is_error: bool,
        is_malformed: bool,
        span: Span,
        events: &mut Vec<Event>,
    ) {
        let Some(block) = self.block.take() else { return };
        let is_malformed = is_malformed || block.is_malformed;
        let (content, input) =
            if block.is_call && !is_malformed { (None, Some(block.content)) } else { (Some(block.content), None) };
        let kind = EventKind::BlockComplete {
            index: block.index,
            block: block.kind,
            content,
            tool_id: block.tool_id,
            tool_name: block.tool_name,
            input,
            is_error,
            is_incomplete: is_incomplete || is_malformed,
        };
        self.block = self.around.pop();
        events.push(Event { kind, span });
    }
}

/// Bodies that are no arguments.
const NO_ARGUMENTS: [&str; 4] = ["", "null", "\"null\"", "\"\""];

/// Where a body stands that is no arguments, if it is one text.
fn no_arguments(pieces: &[(String, Span)]) -> Option<Span> {
    let text: String = pieces.iter().map(|(text, _)| text.as_str()).collect();
    let is_one = pieces.windows(2).all(|pair| matches!(pair, [(_, one), (_, next)] if one.end == next.start));
    let ((_, first), (_, last)) = pieces.first().zip(pieces.last())?;
    (is_one && NO_ARGUMENTS.contains(&text.trim())).then_some(Span { start: first.start, end: last.end })
}

/// Whether what stands in a call without parameters is one JSON object.
fn is_object(pieces: &[(String, Span)]) -> bool {
    let text: String = pieces.iter().map(|(text, _)| text.as_str()).collect();
    let mut json = Recogniser::START;
    text.trim_start().starts_with('{') && text.bytes().all(|byte| json.step(byte)) && json.is_whole()
}

/// An attribute's value with its references read.
fn decoded(text: &str) -> String {
    let mut out = String::new();
    let mut done = 0;
    references(text.as_bytes(), |place, character| {
        out.push_str(text.get(done..place.start).unwrap_or_default());
        out.push(character);
        done = place.end;
        true
    });
    out.push_str(text.get(done..).unwrap_or_default());
    out
}

/// Text as the inside of a JSON string.
fn push_escaped(out: &mut String, text: &str) {
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            '\u{8}' => out.push_str("\\b"),
            '\u{c}' => out.push_str("\\f"),
            '\0'..='\u{1f}' => out.push_str(&format!("\\u{:04x}", c as u32)),
            _ => out.push(c),
        }
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::wildcard_enum_match_arm, reason = "a test that can't go on fails")]
mod tests {
    use super::*;

    #[test]
    fn each_call_has_its_id() {
        let options = Options { generate_id: |number| format!("call {number}"), ..Options::default() };
        let calls = "<invoke name='a'><parameter name='b'>1</parameter></invoke>".repeat(3);
        let events = BlockParser::new(options).feed(&calls).unwrap();
        let ids: Vec<&str> = events
            .iter()
            .filter_map(|event| match &event.kind {
                EventKind::Chunk { part: Some(Part::Id), text, .. } => Some(text.as_str()),
                _ => None,
            })
            .collect();
        assert_eq!(ids, ["call 0", "call 1", "call 2"]);
    }

    #[test]
    fn white_space_that_json_does_not_know_is_trimmed_too() {
        let call = "<invoke name='a'><parameter name='b'>\u{a0}1\u{3000}</parameter></invoke>";
        let events = BlockParser::new(Options::default()).feed(call).unwrap();
        let input = events.iter().find_map(|event| match &event.kind {
            EventKind::BlockComplete { input, .. } => input.as_deref(),
            _ => None,
        });
        assert_eq!(input, Some(r#"{"b":1}"#));
    }

    #[test]
    fn after_a_reset_it_is_a_new_stream() {
        let mut parser = BlockParser::new(Options::default());
        let first = parser.feed("a <thinking>b <in").unwrap();
        assert_eq!(parser.held(), 3);
        parser.reset();
        assert_eq!(parser.held(), 0);
        assert_eq!(parser.feed("a <thinking>b <in").unwrap(), first);
    }

    #[test]
    fn control_characters_have_their_short_escapes() {
        let mut out = String::new();
        push_escaped(&mut out, "\"\\\n\r\t\u{8}\u{c}\u{1}\u{1f} ");
        assert_eq!(out, r#"\"\\\n\r\t\b\f\u0001\u001f "#);
    }
}
