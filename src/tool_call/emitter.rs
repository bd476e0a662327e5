//! Makes events of records, and answers what the machine asks.

use super::arguments::Arguments;
use super::event::{Event, EventKind};
use super::once::{Repeats, each_key_once};
use super::options::Reading;
use super::tool_name::{is_call_id, tool_named, undoubled};
use crate::format::{Answer, Argument, Ask, Body, Flag, Op, Part, Row, Trait, Why};
use crate::json::{JsonOp, Rule, RuleSet};
use crate::text::{Piece, Span, trim};
use crate::xml::{TreeOp, references};

/// What has to be remembered between records to emit events.
#[derive(Clone, Debug, Default)]
pub(super) struct State {
    /// How many calls have begun.
    count: u32,
    /// Whether the last of them is open.
    is_open: bool,
    /// Which call failed, while the text of its segment comes.
    failed: u32,
    /// By which row the call is written, and whether it has no opener.
    row: u8,
    is_bare: bool,
    /// Whether a list of calls is only checked, and nothing of it is emitted.
    is_checking: bool,
    name: String,
    name_end: Option<Span>,
    id: String,
    /// Whether the object of a call was read, and has no arguments.
    is_whole: bool,
    is_missing: bool,
    /// Whether a quote may be part of a string.
    may_be_quote: bool,
    /// Whether an element may follow a closing tag in a value.
    is_sibling: bool,
    /// The parameter that may begin in a value has come before.
    is_again: bool,
    /// Whether the name of the parameter that opens next stands between opener and closer.
    is_nameless: bool,
    arguments: Arguments,
    /// Where the tokens stand that were written since something was emitted.
    written: Option<Span>,
    /// Arguments that are JSON in a string.
    encoded: String,
    /// Departures by which that was read.
    repairs: u64,
    /// The attributes of the tag that is being read.
    attributes: Vec<(String, String)>,
    element: Option<Element>,
    is_reasoning: bool,
    /// Whether a call ended reasoning that was not closed: its calls are withheld up to the end of the
    /// stream, since a closing marker may yet come.
    is_interrupted: bool,
    withheld: Vec<Withheld>,
}

/// A tool's element.
#[derive(Clone, Debug)]
struct Element {
    /// Of those that come twice the first counts. An argument's element counts more.
    attributes: Vec<(String, String)>,
    /// The tag inside it that was read last.
    child: Option<(String, Span)>,
    /// Whether that one is an argument, whose text comes.
    is_in_argument: bool,
    /// Its text.
    argument: String,
}

/// A call that may yet turn out to be reasoning.
#[derive(Clone, Debug)]
struct Withheld {
    call: u32,
    name: String,
    id: Option<String>,
    arguments: String,
    repairs: u64,
    done: u64,
    /// Its segment, and those after it up to the next call: texts and where they stand.
    segments: Vec<(String, (u64, u64))>,
}

impl State {
    pub(super) fn emit(&mut self, op: Op, piece: &Piece<'_>, reading: &Reading<'_>, events: &mut Vec<Event>) {
        let (text, span) = (piece.text, piece.span);
        match op {
            Op::Check { row } => {
                self.forget();
                (self.row, self.is_checking) = (row, true);
            }
            Op::Begin { row, is_bare, .. } => {
                if let Some(element) = self.element.take() {
                    self.begin_element(element, span, events);
                } else {
                    self.forget();
                }
                (self.row, self.is_bare) = (row, is_bare);
            }
            Op::Name => self.name.push_str(text),
            Op::NameCharacter(code) => self.name.push(char_of(code)),
            Op::NameEnd { .. } => self.name_end = Some(span),
            Op::Id => self.id.push_str(text),
            Op::IdCharacter(code) => self.id.push(char_of(code)),
            Op::Whole { is_missing } => (self.is_whole, self.is_missing) = (true, is_missing),
            Op::Quoted => self.may_be_quote = !has_closer(text, reading.table.row(self.row)),
            Op::Done { repairs } => {
                let repairs = u64::from(piece.record.start) | u64::from(repairs) << 32;
                self.done(repairs, Span { start: span.end, end: span.end }, reading, events);
            }
            Op::End => self.end(text, span, events),
            Op::NoCall => self.forget(),
            Op::Next { is_param } => {
                self.is_sibling = !is_param;
                self.is_again = self.arguments.has_param(text);
            }
            Op::Text
            | Op::Markup
            | Op::Fail(_)
            | Op::Failed
            | Op::FailEnd { .. }
            | Op::Reasoning
            | Op::Reasoned
            | Op::Reopened
            | Op::ReasoningEnd => self.emit_text(op, piece, reading, events),
            Op::Arguments => {
                self.encoded.clear();
                self.arguments.begin_json();
            }
            Op::Named { is_nameless, .. } => self.is_nameless = is_nameless,
            Op::Type { is_flag } => self.arguments.param_type(text == if is_flag { "true" } else { "string" }),
            Op::Cite => events.push(Event { call: 0, kind: EventKind::CitationStart, span }),
            Op::CiteEnd => events.push(Event { call: 0, kind: EventKind::CitationEnd(text.to_owned()), span }),
            // What stands beside the arguments matters only where there is a schema.
            Op::Key { .. } | Op::Member => {}
        }
    }

    /// Text, reasoning, and segments that are not calls.
    #[expect(clippy::wildcard_enum_match_arm, reason = "`emit` has the others")]
    fn emit_text(&mut self, op: Op, piece: &Piece<'_>, reading: &Reading<'_>, events: &mut Vec<Event>) {
        let Piece { text, mut span, .. } = *piece;
        let (call, kind) = match op {
            Op::Fail(why) => {
                self.emit_delta(events);
                self.failed = if self.is_open { self.count } else { 0 };
                self.forget();
                span.end = span.start;
                (self.failed, EventKind::Fail(why))
            }
            Op::Failed => (self.failed, EventKind::Failed(text.to_owned())),
            Op::FailEnd { is_cut } => (self.failed, EventKind::FailEnd { is_cut }),
            Op::Reasoning => {
                self.is_reasoning = true;
                (0, EventKind::ReasoningStart)
            }
            Op::Reasoned => (0, EventKind::Reasoning(text.to_owned())),
            Op::Reopened => (0, EventKind::ReasoningRestart),
            Op::ReasoningEnd => {
                self.end_reasoning(span, reading, events);
                (0, EventKind::ReasoningEnd)
            }
            Op::Markup => (0, EventKind::Markup),
            _ => (0, EventKind::Text(text.to_owned())),
        };
        events.push(Event { call, kind, span });
    }

    /// A record of the arguments, or the tag of a call that is an element.
    pub(super) fn emit_argument(&mut self, argument: Argument, piece: &Piece<'_>, reading: &Reading<'_>) {
        match argument {
            Argument::Json(op) => self.emit_json(op, piece),
            Argument::Element(op) if self.is_open && self.element.is_none() => self.emit_value(op, piece, reading),
            Argument::Element(op) => self.emit_element(op, piece.text, piece.span),
        }
    }

    /// A parameter, or an element of the arguments.
    fn emit_value(&mut self, op: TreeOp, piece: &Piece<'_>, reading: &Reading<'_>) {
        let has_elements = self.has_elements(reading);
        let arguments = &mut self.arguments;
        let (text, before) = (piece.text, arguments.len());
        match op {
            TreeOp::Open if has_elements => arguments.open(text),
            TreeOp::Open => {
                let [reads_json, has_tags] =
                    [Trait::UntypedJson, Trait::ValueTag].map(|each| reading.is(self.row, each));
                arguments.param(text, std::mem::take(&mut self.is_nameless), reads_json, has_tags);
            }
            TreeOp::Text => arguments.text(text),
            TreeOp::CData => arguments.cdata(text),
            TreeOp::Character(code) => arguments.character(code),
            TreeOp::Close if arguments.is_in_element() => arguments.close(),
            TreeOp::Close => {
                let has_python = reading.is(self.row, Trait::Python);
                arguments.param_end(has_python, reading.table.row(self.row).trim());
            }
            // Of an element with the tool's name.
            TreeOp::Attribute | TreeOp::Value | TreeOp::Abandon | TreeOp::Fault(_) => {}
        }
        if self.arguments.len() > before {
            self.has_written(piece.span);
        }
    }

    fn has_written(&mut self, span: Span) {
        let start = self.written.map_or(span.start, |written| written.start);
        self.written = Some(Span { start, end: span.end });
    }

    /// Whether the text at the place of a segment's end is looked at.
    pub(super) fn keeps_text(&self) -> bool {
        self.is_interrupted
    }

    fn forget(&mut self) {
        *self = State {
            count: self.count,
            failed: self.failed,
            row: self.row,
            is_reasoning: self.is_reasoning,
            is_interrupted: self.is_interrupted,
            withheld: std::mem::take(&mut self.withheld),
            ..State::default()
        };
    }

    /// Emits what was written of the arguments.
    pub(super) fn emit_delta(&mut self, events: &mut Vec<Event>) {
        if let Some(span) = self.written
            && let Some(json) = self.arguments.take()
        {
            self.written = None;
            self.push(EventKind::Delta(json), span, events);
        }
    }

    fn push(&mut self, kind: EventKind, span: Span, events: &mut Vec<Event>) {
        events.push(Event { call: self.count, kind, span });
    }

    fn start(&mut self, span: Span, events: &mut Vec<Event>) {
        self.count += 1;
        self.is_open = true;
        self.push(EventKind::CallStart { name: self.name.clone() }, span, events);
    }

    fn repeats(&self, reading: &Reading<'_>) -> Repeats {
        if self.element.is_some() || reading.is(self.row, Trait::ListsRepeats) && !self.arguments.has_elements() {
            Repeats::Listed
        } else if self.arguments.has_elements() {
            Repeats::ListedAnywhere
        } else {
            Repeats::Last
        }
    }

    fn done(&mut self, repairs: u64, span: Span, reading: &Reading<'_>, events: &mut Vec<Event>) {
        if !self.is_open {
            // The end of a list, after its last call.
            return self.forget();
        }
        if let Some(element) = &mut self.element {
            for (name, value) in std::mem::take(&mut element.attributes) {
                self.arguments.member(&name, &value);
                self.written.get_or_insert(span);
            }
        }
        self.emit_delta(events);
        let repeats = self.repeats(reading);
        // What was left out is emitted where the call ends.
        self.arguments.finish();
        self.written = Some(span);
        self.emit_delta(events);
        let mut arguments = self.arguments.json();
        let keys = each_key_once(&arguments, repeats);
        if let Some(json) = keys.once {
            self.push(EventKind::ArgumentsRestart, span, events);
            self.push(EventKind::Delta(json.clone()), span, events);
            arguments = json;
        }
        let name = std::mem::take(&mut self.name);
        let id = Some(std::mem::take(&mut self.id)).filter(|id| !id.is_empty());
        let repairs = self.repairs | repairs;
        if self.is_interrupted {
            let (call, done) = (self.count, span.end);
            self.withheld.push(Withheld { call, name, id, arguments, repairs, done, segments: Vec::new() });
        } else {
            self.push(EventKind::CallDone { name, id, arguments, repairs }, span, events);
        }
        self.forget();
    }

    /// A segment has ended.
    fn end(&mut self, text: &str, span: Span, events: &mut Vec<Event>) {
        match self.withheld.last_mut() {
            Some(last) => last.segments.push((text.to_owned(), (span.start, span.end))),
            None => events.push(Event { call: self.count, kind: EventKind::End, span }),
        }
    }

    fn end_reasoning(&mut self, span: Span, reading: &Reading<'_>, events: &mut Vec<Event>) {
        if !std::mem::take(&mut self.is_reasoning) {
            self.withdraw(events);
        } else if span.start == span.end && !reading.has_messages() {
            self.is_interrupted = true;
        }
    }

    /// Reasoning closes that a call seemed to end: what was written in it is not a call.
    fn withdraw(&mut self, events: &mut Vec<Event>) {
        self.is_interrupted = false;
        for Withheld { call, done, segments, .. } in std::mem::take(&mut self.withheld) {
            let span = Span { start: done, end: done };
            events.push(Event { call, kind: EventKind::Fail(Why::Rejected), span });
            events.push(Event { call, kind: EventKind::FailEnd { is_cut: false }, span });
            for (text, (start, end)) in segments {
                events.push(Event { call: 0, kind: EventKind::Reasoning(text), span: Span { start, end } });
            }
        }
    }

    /// The stream has ended: reasoning that a call ended stays ended, and the calls are calls.
    pub(super) fn release(&mut self, events: &mut Vec<Event>) {
        for Withheld { call, name, id, arguments, repairs, done, segments } in std::mem::take(&mut self.withheld) {
            let span = Span { start: done, end: done };
            events.push(Event { call, kind: EventKind::CallDone { name, id, arguments, repairs }, span });
            for (_, (start, end)) in segments {
                events.push(Event { call, kind: EventKind::End, span: Span { start, end } });
            }
        }
    }

    pub(super) fn answer(&mut self, ask: Ask, reading: &Reading<'_>, events: &mut Vec<Event>) -> Answer {
        let has_element = self.element.is_some();
        match ask {
            Ask::Name | Ask::Alias => self.take_name(ask == Ask::Alias, reading, events),
            Ask::Arguments => self.take_encoded(),
            Ask::Element if has_element => self.take_argument(reading),
            // What comes first in it says what it is.
            Ask::Element => Answer::Look,
            Ask::Whole if std::mem::take(&mut self.is_whole) => {
                // A name alone says little where an object counts only by its tool.
                let is_lone = self.is_missing && reading.is(self.row, Trait::Known);
                if is_lone && !reading.options.has_tool(&self.name) { Answer::Reject } else { Answer::Accept }
            }
            Ask::Whole | Ask::Ends if has_element => Answer::Accept,
            Ask::Whole if reading.body(self.row) == Body::Text => self.arguments.take_plain(),
            Ask::Whole | Ask::Ends => self.take_tagged(reading),
            Ask::Open if has_element => Answer::Accept,
            Ask::Open if reading.body(self.row) == Body::Text => {
                if self.arguments.take_object() {
                    Answer::Accept
                } else {
                    Answer::Reject
                }
            }
            // Without a schema anything is an argument, but nothing that its closing tag doesn't follow.
            Ask::Open if self.arguments.is_in_element() || self.is_sibling => Answer::Accept,
            // Nor is known whether a parameter that may begin in a value does.
            Ask::Open if self.is_again => Answer::Reject,
            Ask::Open => Answer::Malformed,
            Ask::Quote if self.may_be_quote => Answer::Accept,
            Ask::Member if self.has_elements(reading) || !self.arguments.is_text() => Answer::Accept,
            Ask::Message if self.has_elements(reading) => Answer::Reject,
            Ask::Quote | Ask::Member | Ask::Message => Answer::Malformed,
        }
    }

    fn has_elements(&self, reading: &Reading<'_>) -> bool {
        self.arguments.has_elements() || matches!(reading.body(self.row), Body::Elements | Body::Yaml)
    }

    fn take_name(&mut self, is_alias: bool, reading: &Reading<'_>, events: &mut Vec<Event>) -> Answer {
        let options = reading.options;
        let is_tool = |name: &str| options.has_tool(name);
        let written = if reading.is(self.row, Trait::DoubledName) {
            undoubled(&self.name, options.has_no_tools(), is_tool).to_owned()
        } else {
            std::mem::take(&mut self.name)
        };
        let has_namespace = reading.is(self.row, Trait::Namespace);
        let name =
            tool_named(&written, has_namespace, reading.has_messages(), reading.is(self.row, Trait::Prefixed), is_tool);
        // Where the head is the call's id, it goes back as it is written.
        let is_id = reading.is(self.row, Trait::TextIds) && self.id.is_empty() && written.starts_with("functions");
        if is_id && *name != *written {
            self.id.clone_from(&written);
        }
        self.name = name.to_owned();
        let is_known = is_tool(name);
        if !is_known && has_namespace && is_call_id(name) {
            return Answer::Malformed;
        }
        if is_alias && !is_known {
            self.name.clear();
            return Answer::Other;
        }
        if self.name.is_empty() {
            return Answer::Malformed;
        }
        // In reasoning another name is a mention.
        let is_strict = reading.is(self.row, Trait::Known) || self.is_bare || self.is_reasoning;
        if (is_strict || options.rejects_unknown) && !options.has_no_tools() && !is_known {
            return Answer::Reject;
        }
        if self.is_checking {
            self.name.clear();
        } else if let Some(span) = self.name_end.take() {
            self.start(span, events);
        }
        self.arguments.begin(reading.body(self.row));
        let is_tolerant = reading.table.row(self.row).is(Flag::Tolerant);
        if is_known && is_tolerant { Answer::Known } else { Answer::Accept }
    }

    /// Arguments between tags are whole.
    fn take_tagged(&mut self, reading: &Reading<'_>) -> Answer {
        let [rejects, drops] = [Trait::RejectsRepeats, Trait::DropsUnsafe].map(|each| reading.is(self.row, each));
        if !rejects && !drops {
            return Answer::Accept;
        }
        let keys = each_key_once(&self.arguments.whole(), self.repeats(reading));
        if rejects && keys.once.is_some() || drops && keys.is_unsafe { Answer::Malformed } else { Answer::Accept }
    }

    /// A token of the arguments: of an object, or of a string that is one.
    fn emit_json(&mut self, op: JsonOp, piece: &Piece<'_>) {
        let (record, text) = (piece.record, piece.text);
        self.has_written(piece.span);
        let is_container = matches!(op, JsonOp::Object | JsonOp::Array | JsonOp::Close);
        if is_container || self.arguments.depth() > 0 {
            self.arguments.token(op, record, text);
            return;
        }
        match op {
            JsonOp::Piece | JsonOp::End => self.encoded.push_str(text),
            JsonOp::Character => self.encoded.push(char_of(record.word >> 8)),
            // `null` means no arguments, and nothing else is outside an object.
            JsonOp::Object
            | JsonOp::Array
            | JsonOp::Close
            | JsonOp::KeyPiece
            | JsonOp::KeyCharacter
            | JsonOp::KeyEnd
            | JsonOp::Number
            | JsonOp::Word
            | JsonOp::Fault => {}
        }
    }

    /// Reads arguments that were written as a string.
    fn take_encoded(&mut self) -> Answer {
        let text = std::mem::take(&mut self.encoded);
        if matches!(trim(text.as_bytes()), b"" | b"null" | b"\"\"" | b"\"null\"") {
            return Answer::Accept;
        }
        // All of it is there, so a quote means what it says.
        let rules = RuleSet::Call.rules().without(Rule::UnescapedQuote);
        let Some(used) = self.arguments.read_object(&text, rules, !self.is_checking) else { return Answer::Malformed };
        if !self.is_checking {
            self.repairs |= used;
        }
        Answer::Accept
    }

    fn emit_element(&mut self, op: TreeOp, text: &str, span: Span) {
        match op {
            TreeOp::Attribute => self.attributes.push((text.to_owned(), String::new())),
            TreeOp::Value => {
                if let Some((_, value)) = self.attributes.last_mut() {
                    *value = decoded(text);
                }
            }
            TreeOp::Open => {
                let attributes = std::mem::take(&mut self.attributes);
                match &mut self.element {
                    Some(element) => element.child = Some((text.to_owned(), span)),
                    none => {
                        *none =
                            Some(Element { attributes, child: None, is_in_argument: false, argument: String::new() });
                    }
                }
            }
            // What looked like a tag is text, or the call fails.
            TreeOp::Fault(_) => self.attributes.clear(),
            TreeOp::Text | TreeOp::CData => self.argument(text, span),
            TreeOp::Character(code) => self.argument(char_of(code).encode_utf8(&mut [0; 4]), span),
            // Closed, or ended by the tool's own closing tag.
            TreeOp::Close | TreeOp::Abandon => {
                if self.element.as_mut().is_some_and(|element| std::mem::take(&mut element.is_in_argument)) {
                    self.arguments.end_text();
                    self.has_written(span);
                }
            }
        }
    }

    fn argument(&mut self, text: &str, span: Span) {
        let Some(element) = self.element.as_mut().filter(|element| element.is_in_argument) else { return };
        element.argument.push_str(text);
        self.arguments.text(text);
        self.has_written(span);
    }

    /// What is inside shows that the element is a call.
    fn begin_element(&mut self, mut element: Element, span: Span, events: &mut Vec<Event>) {
        self.start(span, events);
        let mut first: Vec<(String, String)> = Vec::new();
        for (name, value) in std::mem::take(&mut element.attributes) {
            if !first.iter().any(|(other, _)| *other == name) {
                first.push((name, value));
            }
        }
        element.attributes = first;
        self.element = Some(element);
    }

    /// A tag inside of the tool's: an argument, or another call.
    fn take_argument(&mut self, reading: &Reading<'_>) -> Answer {
        let options = reading.options;
        let Some(element) = &mut self.element else { return Answer::Malformed };
        let Some((name, span)) = element.child.take() else {
            // It was never closed: a call's tag in it was meant to stand after it.
            let has_call = tags(&element.argument).any(|name| options.has_tool(name));
            return if has_call { Answer::Malformed } else { Answer::Accept };
        };
        if options.has_tool(&name) {
            return Answer::Nested;
        }
        element.is_in_argument = true;
        element.argument.clear();
        element.attributes.retain(|(attribute, _)| *attribute != name);
        self.arguments.element(&name);
        self.has_written(span);
        Answer::Text
    }
}

/// Whether a text has the start of an end marker of the row.
fn has_closer(text: &str, row: &Row) -> bool {
    let parts = [Part::CallClose, Part::SectionClose, Part::MessageClose];
    let closer = parts.into_iter().flat_map(|part| row.list(part)).next().unwrap_or_default();
    let closer = closer.strip_suffix(b">").unwrap_or(closer);
    text.as_bytes().windows(closer.len().max(1)).any(|window| window == closer)
}

/// The names of the opening tags in a text.
fn tags(text: &str) -> impl Iterator<Item = &str> {
    text.split('<').skip(1).filter_map(|tag| tag.split_once([' ', '\t', '\r', '\n', '>']).map(|(name, _)| name))
}

/// Half a surrogate pair, which no text in Rust can hold, is U+FFFD.
fn char_of(code: u32) -> char {
    char::from_u32(code).unwrap_or(char::REPLACEMENT_CHARACTER)
}

/// A value with its references decoded.
fn decoded(text: &str) -> String {
    let mut value = String::new();
    let mut from = 0;
    references(text.as_bytes(), |place, character| {
        value.push_str(text.get(from..place.start).unwrap_or_default());
        value.push(character);
        from = place.end;
        true
    });
    value.push_str(text.get(from..).unwrap_or_default());
    value
}
