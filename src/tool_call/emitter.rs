//! Makes events of records, and answers what the machine asks.

use super::event::{Arguments, Event, EventKind};
use super::parser::Options;
use super::writer::JsonWriter;
use crate::format::{Answer, Ask, DEEPEST_ARGUMENTS, Op};
use crate::json::{JsonOp, JsonReading, Rule, Rules};
use crate::text::{Machine as _, Pending, Piece, Span, Stretch, state, trim, utf16_len};
use crate::xml::{TreeOp, references};

state! {
    /// What has to be remembered between records to emit events.
    #[derive(Clone, Debug, Default)]
    pub(super) struct State {
        /// How many calls have begun.
        count: u32,
        /// Whether the last of them is open.
        is_open: bool,
        /// Which call failed, while the text of its segment comes.
        failed: u32,
        /// Whether a list of calls is only checked, and nothing of it is emitted.
        is_checking: bool,
        name: String,
        name_end: Option<Span>,
        /// Whether a quote may be part of a string.
        may_be_quote: bool,
        writer: JsonWriter,
        /// Where the tokens stand that were written since something was emitted.
        written: Option<Span>,
        /// Arguments that are JSON in a string.
        encoded: String,
        /// Departures by which that was read.
        repairs: u64,
        element: Option<Element>,
    }
}

state! {
    /// A tool's element.
    #[derive(Clone, Debug)]
    struct Element {
        name: String,
        is_in_tag: bool,
        attributes: Vec<(String, String, Span)>,
        /// The tag inside it that was read last.
        child: Option<(String, Span)>,
        /// Whether that one is an argument, whose text comes.
        is_in_argument: bool,
        arguments: Vec<(String, String)>,
    }
}

impl State {
    pub(super) fn emit(&mut self, op: Op, piece: &Piece<'_>, options: &Options, events: &mut Vec<Event>) {
        let (text, span) = (piece.text, piece.span);
        match op {
            Op::Text => events.push(Event { call: 0, kind: EventKind::Text(text.to_owned()), span }),
            Op::Check { .. } => {
                self.forget();
                self.is_checking = true;
            }
            Op::Begin { .. } => {
                if let Some(element) = self.element.take() {
                    self.begin_element(element, span, events);
                } else {
                    self.forget();
                }
            }
            Op::Name => self.name.push_str(text),
            Op::NameCharacter(code) => self.name.push(char_of(code)),
            Op::NameEnd { .. } => self.name_end = Some(span),
            Op::Arguments => self.encoded.clear(),
            Op::Quoted => {
                let tag = options.end_tag();
                let has_tag = text.as_bytes().windows(tag.len().max(1)).any(|window| window == tag);
                self.may_be_quote = !has_tag;
            }
            Op::Done { repairs } => {
                let repairs = u64::from(piece.record.start) | u64::from(repairs) << 32;
                self.done(repairs, Span { start: span.end, end: span.end }, events);
            }
            Op::End => events.push(Event { call: self.count, kind: EventKind::End, span }),
            Op::Fail(why) => {
                self.emit_delta(events);
                self.failed = if self.is_open { self.count } else { 0 };
                let span = Span { start: span.start, end: span.start };
                events.push(Event { call: self.failed, kind: EventKind::Fail(why), span });
                self.forget();
            }
            Op::Failed => events.push(Event { call: self.failed, kind: EventKind::Failed(text.to_owned()), span }),
            Op::FailEnd { is_cut } => {
                events.push(Event { call: self.failed, kind: EventKind::FailEnd { is_cut }, span });
            }
            Op::NoCall => self.element = None,
            Op::Reasoning => events.push(Event { call: 0, kind: EventKind::ReasoningStart, span }),
            Op::Reasoned => events.push(Event { call: 0, kind: EventKind::Reasoning(text.to_owned()), span }),
            Op::Reopened => events.push(Event { call: 0, kind: EventKind::ReasoningRestart, span }),
            Op::ReasoningEnd => events.push(Event { call: 0, kind: EventKind::ReasoningEnd, span }),
            // What comes with the name, and what is missing, matters only where there is a schema.
            Op::Whole { .. } | Op::Key { .. } => {}
            // Other rows have these.
            Op::Markup
            | Op::Id
            | Op::IdCharacter(_)
            | Op::Param { .. }
            | Op::ParamType
            | Op::ParamIsString
            | Op::ParamText
            | Op::ParamCharacter(_)
            | Op::ParamEnd { .. }
            | Op::OpenKey
            | Op::Open
            | Op::Close
            | Op::Sibling
            | Op::Cite
            | Op::CiteEnd => {}
        }
    }

    fn forget(&mut self) {
        *self = State { count: self.count, failed: self.failed, ..State::default() };
    }

    /// Emits what was written of the arguments.
    pub(super) fn emit_delta(&mut self, events: &mut Vec<Event>) {
        if let Some(json) = self.writer.take()
            && let Some(span) = self.written.take()
        {
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

    fn done(&mut self, repairs: u64, span: Span, events: &mut Vec<Event>) {
        let arguments = if let Some(element) = self.element.take() {
            Arguments::Elements(element.arguments)
        } else {
            self.emit_delta(events);
            // What was left out is emitted where the call ends.
            self.writer.close();
            self.written = Some(span);
            self.emit_delta(events);
            Arguments::Json(std::mem::take(&mut self.writer).json())
        };
        let name = std::mem::take(&mut self.name);
        self.push(EventKind::CallDone { name, arguments, repairs: self.repairs | repairs }, span, events);
        self.forget();
    }

    pub(super) fn answer(&mut self, ask: Ask, options: &Options, events: &mut Vec<Event>) -> Answer {
        match ask {
            Ask::Element => self.take_argument(options, events),
            Ask::Name | Ask::Alias => self.take_name(ask == Ask::Alias, options, events),
            Ask::Arguments => self.take_encoded(),
            // Without a schema a call without arguments, or with a repaired quote, is one, and any element is an
            // argument.
            Ask::Whole | Ask::Open | Ask::Ends => Answer::Accept,
            Ask::Quote if self.may_be_quote => Answer::Accept,
            Ask::Quote | Ask::Member | Ask::Message => Answer::Malformed,
        }
    }

    fn take_name(&mut self, is_alias: bool, options: &Options, events: &mut Vec<Event>) -> Answer {
        let is_known = options.has_tool(&self.name);
        if is_alias && !is_known {
            self.name.clear();
            return Answer::Other;
        }
        if self.name.is_empty() {
            return Answer::Malformed;
        }
        if options.rejects(&self.name) {
            return Answer::Reject;
        }
        if self.is_checking {
            self.name.clear();
        } else if let Some(span) = self.name_end.take() {
            self.start(span, events);
        }
        if is_known { Answer::Known } else { Answer::Accept }
    }

    /// A token of the arguments: of an object, or of a string that is one.
    pub(super) fn emit_json(&mut self, op: JsonOp, piece: &Piece<'_>) {
        let (record, text, span) = (piece.record, piece.text, piece.span);
        let start = self.written.map_or(span.start, |written| written.start);
        self.written = Some(Span { start, end: span.end });
        let is_container = matches!(op, JsonOp::Object | JsonOp::Array | JsonOp::Close);
        if is_container || self.writer.depth() > 0 {
            self.writer.token(op, record, text);
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
        if trim(text.as_bytes()).is_empty() {
            return Answer::Accept;
        }
        let units = utf16_len(text.as_bytes());
        // All of it is there, so a quote means what it says.
        let rules = Rules::CALL.without(Rule::UnescapedQuote);
        let mut reading = JsonReading::new(rules, DEEPEST_ARGUMENTS);
        let mut records = Vec::new();
        reading.run(&(), &mut Stretch::new(text.as_bytes(), 0, false), &mut records);
        reading.finish(units, &mut records);
        let is_object = records.first().and_then(|&record| JsonOp::of(record)) == Some(JsonOp::Object);
        if reading.has_failed() || !is_object {
            return Answer::Malformed;
        }
        if !self.is_checking {
            self.repairs |= u64::from(reading.used().bits());
            let mut pending = Pending::default();
            pending.push(&text);
            let mut slices = pending.slices((0, 0));
            for record in records {
                if let Some(op) = JsonOp::of(record) {
                    self.writer.token(op, record, slices.slice(record.start, record.end));
                }
            }
        }
        Answer::Accept
    }

    pub(super) fn emit_element(&mut self, op: TreeOp, text: &str, span: Span, events: &mut Vec<Event>) {
        let Some(element) = &mut self.element else {
            if op == TreeOp::Open {
                self.element = Some(Element {
                    name: text.to_owned(),
                    is_in_tag: true,
                    attributes: Vec::new(),
                    child: None,
                    is_in_argument: false,
                    arguments: Vec::new(),
                });
            }
            return;
        };
        match op {
            TreeOp::Open => element.child = Some((text.to_owned(), span)),
            TreeOp::Attribute if element.is_in_tag => {
                element.attributes.push((text.to_owned(), String::new(), span));
            }
            TreeOp::Value if element.is_in_tag => {
                if let Some((_, value, place)) = element.attributes.last_mut() {
                    *value = decoded(text);
                    place.end = span.end;
                }
            }
            TreeOp::Opened { .. } => element.is_in_tag = false,
            TreeOp::Text | TreeOp::CData => self.argument(text.to_owned(), span, events),
            TreeOp::Character(code) => self.argument(char_of(code).to_string(), span, events),
            // Closed, or ended by the tool's own closing tag.
            TreeOp::Close | TreeOp::Abandon if element.is_in_argument => {
                element.is_in_argument = false;
                self.push(EventKind::ArgumentEnd, span, events);
            }
            // Attributes of an argument, the tool's own closing tag, what fails the call or makes it none.
            TreeOp::Attribute
            | TreeOp::Value
            | TreeOp::Dropped
            | TreeOp::Close
            | TreeOp::Abandon
            | TreeOp::Fault(_) => {}
        }
    }

    /// More of an argument's text.
    fn argument(&mut self, text: String, span: Span, events: &mut Vec<Event>) {
        let Some(element) = self.element.as_mut().filter(|element| element.is_in_argument) else { return };
        if let Some((_, value)) = element.arguments.last_mut() {
            value.push_str(&text);
        }
        if !text.is_empty() {
            self.push(EventKind::Argument(text), span, events);
        }
    }

    /// What is inside shows that the element is a call.
    fn begin_element(&mut self, mut element: Element, span: Span, events: &mut Vec<Event>) {
        self.name = std::mem::take(&mut element.name);
        self.start(span, events);
        for (name, value, span) in std::mem::take(&mut element.attributes) {
            // Of an attribute that comes twice the first counts.
            if element.arguments.iter().any(|(other, _)| *other == name) {
                continue;
            }
            self.push(EventKind::ArgumentStart { name: name.clone() }, span, events);
            if !value.is_empty() {
                self.push(EventKind::Argument(value.clone()), span, events);
            }
            self.push(EventKind::ArgumentEnd, span, events);
            element.arguments.push((name, value));
        }
        self.element = Some(element);
    }

    /// A tag inside of the tool's: an argument, or another call.
    fn take_argument(&mut self, options: &Options, events: &mut Vec<Event>) -> Answer {
        let Some(element) = &mut self.element else { return Answer::Malformed };
        let Some((name, span)) = element.child.take() else {
            // It was never closed: a call's tag in it was meant to stand after it.
            let text = element.arguments.last().map_or("", |(_, text)| text);
            return if tags(text).any(|name| options.has_tool(name)) { Answer::Malformed } else { Answer::Accept };
        };
        if options.has_tool(&name) {
            return Answer::Nested;
        }
        element.is_in_argument = true;
        element.arguments.push((name.clone(), String::new()));
        self.push(EventKind::ArgumentStart { name }, span, events);
        Answer::Text
    }
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
