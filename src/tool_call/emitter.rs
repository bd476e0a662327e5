//! Makes events of records, and answers what the machine asks.

use super::arguments::char_of;
use super::call::{Call, Element};
use super::event::{Event, EventKind};
use super::once::{Repeats, each_key_once};
use super::options::Reading;
use super::tool_name::{is_call_id, tool_named, undoubled};
use crate::format::{Answer, Argument, Ask, Body, Flag, Op, Part, Row, Trait, Why};
use crate::text::{Piece, Span};
use crate::xml::TreeOp;

/// What has to be remembered between records to emit events.
#[derive(Clone, Debug, Default)]
pub(super) struct State {
    /// How many calls have begun.
    count: u32,
    /// Which call failed, while the text of its segment comes.
    failed: u32,
    /// By which row the call is written.
    row: u8,
    call: Call,
    is_reasoning: bool,
    /// Whether a call ended reasoning that was not closed: its calls are withheld up to the end of the
    /// stream, since a closing marker may yet come.
    is_interrupted: bool,
    withheld: Vec<Withheld>,
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
                (self.row, self.call.is_checking) = (row, true);
            }
            Op::Begin { row, is_bare, .. } => {
                if let Some(element) = self.call.element.take() {
                    self.begin_element(element, span, events);
                } else {
                    self.forget();
                }
                (self.row, self.call.is_bare) = (row, is_bare);
            }
            Op::Name => self.call.name.push_str(text),
            Op::NameCharacter(code) => self.call.name.push(char_of(code)),
            Op::NameEnd { .. } => self.call.name_end = Some(span),
            Op::Id => self.call.id.push_str(text),
            Op::IdCharacter(code) => self.call.id.push(char_of(code)),
            Op::Whole { is_missing } => self.call.is_missing = Some(is_missing),
            Op::Quoted => self.call.may_be_quote = !has_closer(text, reading.table.row(self.row)),
            Op::Done { repairs } => {
                let repairs = u64::from(piece.record.start) | u64::from(repairs) << 32;
                self.done(repairs, Span { start: span.end, end: span.end }, reading, events);
            }
            Op::End => self.end(text, span, events),
            Op::NoCall => self.forget(),
            Op::Next { is_param } => {
                self.call.next = Some(match (is_param, self.call.arguments.has_param(text)) {
                    // Without a schema anything is an argument, but nothing that its closing tag doesn't follow.
                    (false, _) => Answer::Accept,
                    // Nor is known whether a parameter that may begin in a value does.
                    (true, true) => Answer::Reject,
                    (true, false) => Answer::Malformed,
                });
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
            Op::Arguments => self.call.arguments.begin_json(),
            Op::Named { is_nameless, .. } => self.call.is_nameless = is_nameless,
            Op::Type { is_flag } => self.call.arguments.param_type(text == if is_flag { "true" } else { "string" }),
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
                self.failed = if self.call.is_open { self.count } else { 0 };
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
            Argument::Json(op) => {
                self.call.has_written(piece.span);
                self.call.arguments.token(op, piece.record, piece.text);
            }
            Argument::Element(op) if self.call.is_open && self.call.element.is_none() => {
                self.emit_value(op, piece, reading);
            }
            Argument::Element(op) => self.call.emit_element(op, piece.text, piece.span),
        }
    }

    /// A parameter, or an element of the arguments.
    fn emit_value(&mut self, op: TreeOp, piece: &Piece<'_>, reading: &Reading<'_>) {
        let has_elements = self.has_elements(reading);
        let arguments = &mut self.call.arguments;
        let (text, before) = (piece.text, arguments.len());
        match op {
            TreeOp::Open if has_elements => arguments.open(text),
            TreeOp::Open => {
                let [reads_json, has_tags] =
                    [Trait::UntypedJson, Trait::ValueTag].map(|each| reading.is(self.row, each));
                arguments.param(text, std::mem::take(&mut self.call.is_nameless), reads_json, has_tags);
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
        if self.call.arguments.len() > before {
            self.call.has_written(piece.span);
        }
    }

    /// Whether the text at the place of a segment's end is looked at.
    pub(super) fn keeps_text(&self) -> bool {
        self.is_interrupted
    }

    fn forget(&mut self) {
        self.call = Call::default();
    }

    /// Emits what was written of the arguments.
    pub(super) fn emit_delta(&mut self, events: &mut Vec<Event>) {
        if let Some(span) = self.call.written
            && let Some(json) = self.call.arguments.take()
        {
            self.call.written = None;
            self.push(EventKind::Delta(json), span, events);
        }
    }

    fn push(&mut self, kind: EventKind, span: Span, events: &mut Vec<Event>) {
        events.push(Event { call: self.count, kind, span });
    }

    fn start(&mut self, span: Span, events: &mut Vec<Event>) {
        self.count += 1;
        self.call.is_open = true;
        self.push(EventKind::CallStart { name: self.call.name.clone() }, span, events);
    }

    fn repeats(&self, reading: &Reading<'_>) -> Repeats {
        if self.call.element.is_some()
            || reading.is(self.row, Trait::ListsRepeats) && !self.call.arguments.has_elements()
        {
            Repeats::Listed
        } else if self.call.arguments.has_elements() {
            Repeats::ListedAnywhere
        } else {
            Repeats::Last
        }
    }

    fn done(&mut self, repairs: u64, span: Span, reading: &Reading<'_>, events: &mut Vec<Event>) {
        if !self.call.is_open {
            // The end of a list, after its last call.
            return self.forget();
        }
        if let Some(element) = &mut self.call.element {
            for (name, value) in std::mem::take(&mut element.attributes) {
                self.call.arguments.member(&name, &value);
                self.call.written.get_or_insert(span);
            }
        }
        self.emit_delta(events);
        let repeats = self.repeats(reading);
        // What was left out is emitted where the call ends.
        self.call.arguments.finish();
        self.call.written = Some(span);
        self.emit_delta(events);
        let mut arguments = self.call.arguments.json();
        let keys = each_key_once(&arguments, repeats);
        if let Some(json) = keys.once {
            self.push(EventKind::ArgumentsRestart, span, events);
            self.push(EventKind::Delta(json.clone()), span, events);
            arguments = json;
        }
        let name = std::mem::take(&mut self.call.name);
        let id = Some(std::mem::take(&mut self.call.id)).filter(|id| !id.is_empty());
        let repairs = self.call.repairs | repairs;
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
        let has_element = self.call.element.is_some();
        match ask {
            Ask::Name | Ask::Alias => self.take_name(ask == Ask::Alias, reading, events),
            Ask::Arguments => self.take_encoded(),
            Ask::Element if has_element => self.call.take_argument(reading.options),
            // What comes first in it says what it is.
            Ask::Element => Answer::Look,
            Ask::Whole if self.call.is_missing.is_some() => {
                // A name alone says little where an object counts only by its tool.
                let is_lone = self.call.is_missing.take() == Some(true) && reading.is(self.row, Trait::Known);
                if is_lone && !reading.options.has_tool(&self.call.name) { Answer::Reject } else { Answer::Accept }
            }
            Ask::Whole | Ask::Ends if has_element => Answer::Accept,
            Ask::Whole if reading.body(self.row) == Body::Text => self.call.arguments.take_plain(),
            Ask::Whole | Ask::Ends => self.take_tagged(reading),
            Ask::Open if has_element => Answer::Accept,
            Ask::Open if reading.body(self.row) == Body::Text => {
                if self.call.arguments.take_object() {
                    Answer::Accept
                } else {
                    Answer::Reject
                }
            }
            Ask::Open if self.call.arguments.is_in_element() => Answer::Accept,
            Ask::Open => self.call.next.unwrap_or(Answer::Malformed),
            Ask::Quote if self.call.may_be_quote => Answer::Accept,
            Ask::Member if self.has_elements(reading) || !self.call.arguments.is_text() => Answer::Accept,
            Ask::Message if self.has_elements(reading) => Answer::Reject,
            Ask::Quote | Ask::Member | Ask::Message => Answer::Malformed,
        }
    }

    /// Reads arguments that were written as a string.
    fn take_encoded(&mut self) -> Answer {
        let is_checking = self.call.is_checking;
        let Some(used) = self.call.arguments.take_encoded(!is_checking) else { return Answer::Malformed };
        if !is_checking {
            self.call.repairs |= used;
        }
        Answer::Accept
    }

    fn has_elements(&self, reading: &Reading<'_>) -> bool {
        self.call.arguments.has_elements() || matches!(reading.body(self.row), Body::Elements | Body::Yaml)
    }

    fn take_name(&mut self, is_alias: bool, reading: &Reading<'_>, events: &mut Vec<Event>) -> Answer {
        let options = reading.options;
        let is_tool = |name: &str| options.has_tool(name);
        let written = if reading.is(self.row, Trait::DoubledName) {
            undoubled(&self.call.name, options.has_no_tools(), is_tool).to_owned()
        } else {
            std::mem::take(&mut self.call.name)
        };
        let has_namespace = reading.is(self.row, Trait::Namespace);
        let name =
            tool_named(&written, has_namespace, reading.has_messages(), reading.is(self.row, Trait::Prefixed), is_tool);
        // Where the head is the call's id, it goes back as it is written.
        let is_id = reading.is(self.row, Trait::TextIds) && self.call.id.is_empty() && written.starts_with("functions");
        if is_id && *name != *written {
            self.call.id.clone_from(&written);
        }
        self.call.name = name.to_owned();
        let is_known = is_tool(name);
        if !is_known && has_namespace && is_call_id(name) {
            return Answer::Malformed;
        }
        if is_alias && !is_known {
            self.call.name.clear();
            return Answer::Other;
        }
        if self.call.name.is_empty() {
            return Answer::Malformed;
        }
        // In reasoning another name is a mention.
        let is_strict = reading.is(self.row, Trait::Known) || self.call.is_bare || self.is_reasoning;
        if (is_strict || options.rejects_unknown) && !options.has_no_tools() && !is_known {
            return Answer::Reject;
        }
        if self.call.is_checking {
            self.call.name.clear();
        } else if let Some(span) = self.call.name_end.take() {
            self.start(span, events);
        }
        self.call.arguments.begin(reading.body(self.row));
        let is_tolerant = reading.table.row(self.row).is(Flag::Tolerant);
        if is_known && is_tolerant { Answer::Known } else { Answer::Accept }
    }

    /// Arguments between tags are whole.
    fn take_tagged(&mut self, reading: &Reading<'_>) -> Answer {
        let [rejects, drops] = [Trait::RejectsRepeats, Trait::DropsUnsafe].map(|each| reading.is(self.row, each));
        if !rejects && !drops {
            return Answer::Accept;
        }
        let keys = each_key_once(&self.call.arguments.whole(), self.repeats(reading));
        if rejects && keys.once.is_some() || drops && keys.is_unsafe { Answer::Malformed } else { Answer::Accept }
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
        self.call.element = Some(element);
    }
}

/// Whether a text has the start of an end marker of the row.
fn has_closer(text: &str, row: &Row) -> bool {
    let parts = [Part::CallClose, Part::SectionClose, Part::MessageClose];
    let closer = parts.into_iter().flat_map(|part| row.list(part)).next().unwrap_or_default();
    let closer = closer.strip_suffix(b">").unwrap_or(closer);
    text.as_bytes().windows(closer.len().max(1)).any(|window| window == closer)
}
