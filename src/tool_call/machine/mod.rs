//! Finds tool calls in a stream and emits them.
//!
//! Whether something is a tag, and whether a quote ends a string, is decided by
//! looking at what follows; while there is too little of it the machine waits, and
//! the caller buffers the text. From a call's start tag on the caller buffers all
//! of it, since its original text is emitted if it turns out not to be a call.
//!
//! Source: spec/tool_call.md; seeds/003, "JSON-mix protocol" and "Morph-XML protocol".

mod json;
mod reasoning;
mod search;
mod xml;

use super::names::ToolNames;
use super::op::{Op, Why};
use super::protocol::{Marker, Protocol, Reasoning};
use crate::json::{Rules, Tokenizer};
use crate::reasoning::Opening;
use crate::text::{self, Outcome, SearchBudget, Sink, Steps, Stretch, numbered};
use crate::xml::Tree;
use reasoning::Closer;

/// Most records that one move makes.
const ROOM: usize = 8;

/// Longest white space that is buffered to see what follows, in UTF-16 code units.
pub const LONGEST_SPACE: u32 = 4_096;

/// Longest opening tag of a tool, in UTF-16 code units.
pub const LONGEST_TOOL_TAG: u32 = 4_096;

/// Deepest nesting of arguments in JSON, the call's own object counted.
pub const DEEPEST_ARGUMENTS: u16 = 512;

numbered! {
/// What needs no reading: text that changes nothing here.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Mode {
    /// Everything has to be read.
    Ask = 0,
    /// Text without the first character of a start tag, and without a line end if
    /// reasoning is looked for.
    Text = 1,
    /// More of a JSON string that is emitted: no quote, backslash or control character.
    String = 2,
    /// The same of one that isn't emitted.
    Silent = 3,
    /// More of an element: no `<` and `&`.
    Element = 4,
    /// More of a failed segment: no first character of a start or end tag, and no
    /// line end if reasoning is looked for.
    Failed = 5,
    /// More reasoning: no `<`.
    Reasoning = 6,
}
}

numbered! {
/// What a program answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Answer {
    /// It is a call; the element's inside is markup.
    Accept = 0,
    /// The element's inside is raw text.
    Raw = 1,
    /// The segment is text.
    Reject = 2,
    /// The segment is malformed.
    Malformed = 3,
    /// The element is another call.
    Nested = 4,
    /// It is a call of a tool that is known.
    Known = 5,
    /// The string names no tool: its member means nothing.
    Other = 6,
}
}

impl Answer {
    /// The answer of a number.
    #[must_use]
    pub fn of(number: u32) -> Answer {
        Answer::from_number(number).unwrap_or(Answer::Malformed)
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "debug", derive(serde::Serialize))]
enum Phase {
    /// Outside of calls.
    Text,
    /// After a start tag, before what makes it a call.
    Lead { is_list: bool },
    /// In the payload of a Hermes call.
    Json,
    /// At something that isn't JSON and may be the end tag.
    Closer,
    /// The program is asked, and whether it has answered.
    Asked { question: Ask, answer: Option<Answer> },
    /// After the payload.
    After,
    /// In an element with a tool's name.
    Element,
    /// After the tool's closing tag at the unit, which stands in a string: the string's own
    /// is looked for. And whether a tool's opening tag was seen on the way.
    Ahead { from: u32, has_tool: bool },
    /// In a segment that isn't a call, and what ends it besides its end tag.
    Dead { ends_at: Ends },
    /// In reasoning.
    Reasoning { closer: Closer },
    /// After a start tag that may be in Markdown code, at `mark`; whether it is in a segment that isn't a call.
    Quoted { dead: Option<Ends> },
}

/// What ends a segment that isn't a call, besides its end tag.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "debug", derive(serde::Serialize))]
enum Ends {
    /// Nothing: the stream ended in it.
    EndTag,
    /// The start of another call.
    Call,
    /// Any start tag.
    AnyStart,
}

numbered! {
    /// What the machine asks.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    #[repr(u8)]
    pub enum Ask {
        /// Whether the tool of this name is called.
        Name = 1,
        /// The same, where the name's key is `tool`.
        Alias = 2,
        /// Whether the string is arguments.
        Arguments = 3,
        /// Whether an object is a call as it is.
        Whole = 4,
        /// Whether a quote may be part of a string.
        Quote = 5,
        /// What the element is.
        Element = 6,
    }
}

/// What reading goes on with.
enum Flow {
    Go,
    /// The stretch is at its end.
    Stop,
    /// Too little text follows.
    Wait,
    Ask(Ask),
    /// At another unit.
    At(u32),
}

/// The machine. Plain bytes without pointers, so that it can be copied.
#[derive(Clone, Copy, Debug)]
#[cfg_attr(feature = "debug", derive(serde::Serialize))]
pub struct Machine {
    protocol: Protocol,
    start: Marker,
    end: Marker,
    phase: Phase,
    /// Up to where the text was emitted.
    emitted: u32,
    /// Where the segment begins.
    mark: u32,
    /// Where its payload does, and where that has ended.
    payload: u32,
    payload_end: u32,
    /// Up to where it was read.
    read: u32,
    call: json::Call,
    json: Tokenizer,
    /// Where the arguments began that have to be read again; then, where that was.
    saved: Tokenizer,
    tree: Tree,
    /// Whether the element is a call.
    has_begun: bool,
    /// Whether a tool's name on a line of its own begins a call, too; whether such a call is
    /// read; and whether the place is at the start of a line.
    reads_lines: bool,
    is_line: bool,
    is_line_start: bool,
    repairs: u64,
    /// Where Markdown has code, and whether reasoning may begin, in text.
    opening: Opening,
    budget: SearchBudget,
    steps: Steps,
}

impl Machine {
    /// A machine that looks for calls between two tags.
    #[must_use]
    pub const fn hermes(start: Marker, end: Marker) -> Machine {
        Machine {
            protocol: Protocol::Hermes,
            start,
            end,
            phase: Phase::Text,
            emitted: 0,
            mark: 0,
            payload: 0,
            payload_end: 0,
            read: 0,
            call: json::Call::START,
            json: Tokenizer::new(Rules::CALL, DEEPEST_ARGUMENTS),
            saved: Tokenizer::new(Rules::CALL, DEEPEST_ARGUMENTS),
            tree: Tree::START,
            has_begun: false,
            reads_lines: false,
            is_line: false,
            is_line_start: true,
            repairs: 0,
            opening: Opening::new(false, false),
            budget: SearchBudget::START,
            steps: Steps::NONE,
        }
    }

    /// A machine that looks for elements with the names of tools.
    #[must_use]
    pub const fn morph() -> Machine {
        Machine { protocol: Protocol::Morph, ..Machine::hermes(Marker::NONE, Marker::NONE) }
    }

    /// The same machine, at the start of a stream whose reasoning is read in this way.
    #[must_use]
    pub const fn with_reasoning(self, reasoning: Reasoning) -> Machine {
        let phase = match reasoning {
            Reasoning::Inside => Phase::Reasoning { closer: Closer::AtStart },
            Reasoning::Search | Reasoning::Skip => Phase::Text,
        };
        let seeks = !matches!(reasoning, Reasoning::Search);
        Machine { phase, opening: self.opening.seeking(seeks), ..self }
    }

    /// The same machine, for which what stands in Markdown code is text, or not.
    #[must_use]
    pub const fn skipping_code(self, skips_code: bool) -> Machine {
        Machine { opening: self.opening.skipping_code(skips_code), ..self }
    }

    /// The same, and for the name of a tool on a line of its own, before its arguments' elements.
    #[must_use]
    pub const fn morph_lines() -> Machine {
        Machine { reads_lines: true, ..Machine::morph() }
    }

    /// Half a surrogate pair that is pending has to be emitted with what follows.
    fn is_in_plain_string(&self) -> bool {
        let is_held = self.json.held_from(self.read) < self.read;
        self.json.is_in_plain_string() && !self.call.is_in_name() && !is_held
    }

    fn outcome(&mut self, next: u32) -> Outcome<Ask> {
        let held_from = self.emitted.min(next);
        for place in [&mut self.mark, &mut self.payload, &mut self.payload_end] {
            *place = place.saturating_sub(held_from);
        }
        if let Phase::Ahead { from, .. } = &mut self.phase {
            *from = from.saturating_sub(held_from);
        }
        self.call.release(held_from);
        self.json.release(held_from);
        self.saved.release(held_from);
        self.tree.release(held_from);
        self.emitted -= held_from;
        self.read = next - held_from;
        self.budget.pass(held_from);
        Outcome::new(next, held_from)
    }

    fn advance(&mut self, names: &ToolNames, text: &mut Stretch<'_>, sink: &mut impl Sink) -> Flow {
        match self.phase {
            Phase::Text => self.read_text(names, text, sink),
            Phase::Lead { is_list } => self.read_lead(is_list, text, sink),
            Phase::Json => self.read_json(text, sink),
            Phase::Closer => self.read_closer(text, sink),
            Phase::Asked { question, answer: None } => Flow::Ask(question),
            Phase::Asked { question, answer: Some(answer) } => self.answered(question, answer, text, sink),
            Phase::After => self.read_after(text, sink),
            Phase::Element => self.read_element(text, sink),
            Phase::Ahead { from, has_tool } => self.read_ahead(from, has_tool, names, text, sink),
            Phase::Dead { ends_at } => self.read_dead(ends_at, names, text, sink),
            Phase::Reasoning { closer } => self.read_reasoning(closer, text, sink),
            Phase::Quoted { dead } => self.read_quoted(dead, text),
        }
    }

    fn answered(&mut self, question: Ask, answer: Answer, text: &mut Stretch<'_>, sink: &mut impl Sink) -> Flow {
        let here = text.here();
        match (question, answer) {
            (Ask::Element, Answer::Accept | Answer::Raw | Answer::Known | Answer::Other) => {
                self.phase = Phase::Element;
                self.tree.answer(answer == Answer::Raw, here, sink);
                self.payload_end = here;
                Flow::Go
            }
            // The next call.
            (Ask::Element, Answer::Nested) if self.is_line => self.line_ended(sink),
            (Ask::Element, Answer::Nested) => {
                let from = self.tree.tag_from();
                self.fail(Why::Nested, from, sink);
                self.end_failed(from, from, sink);
                Flow::At(from)
            }
            (Ask::Quote, Answer::Accept | Answer::Raw | Answer::Nested | Answer::Known | Answer::Other) => {
                self.phase = Phase::Json;
                Flow::Go
            }
            (Ask::Quote, _) => {
                let from = self.call.string_from();
                self.fail(Why::Malformed, from, sink)
            }
            (Ask::Name | Ask::Alias, Answer::Accept | Answer::Raw | Answer::Nested | Answer::Known | Answer::Other) => {
                self.phase = Phase::Json;
                match self.call.named(answer) {
                    Some(why) => self.fail(why, here, sink),
                    None => Flow::Go,
                }
            }
            (Ask::Arguments, Answer::Accept | Answer::Raw | Answer::Nested | Answer::Known | Answer::Other) => {
                self.phase = Phase::Json;
                if self.call.reads_again() { self.arguments_read_again(sink) } else { Flow::Go }
            }
            (Ask::Whole, Answer::Accept | Answer::Raw | Answer::Nested | Answer::Known | Answer::Other) => {
                self.object_emitted(self.payload_end, sink)
            }
            (_, Answer::Reject) => self.fail(Why::Rejected, here, sink),
            (Ask::Name | Ask::Alias, Answer::Malformed) => self.fail(Why::NoName, here, sink),
            (Ask::Element | Ask::Arguments | Ask::Whole, Answer::Malformed) => self.fail(Why::Malformed, here, sink),
        }
    }

    fn ask(&mut self, question: Ask) -> Flow {
        self.phase = Phase::Asked { question, answer: None };
        Flow::Go
    }

    /// Emits all up to a place as one op.
    fn emit(&mut self, op: Op, to: u32, sink: &mut impl Sink) {
        if to > self.emitted {
            sink.record(op.at(self.emitted, to));
            self.emitted = to;
        }
    }

    /// At the end of a stretch: emits what is decided.
    fn emit_decided(&mut self, here: u32, sink: &mut impl Sink) {
        match self.phase {
            Phase::Text => self.emit(Op::Text, here, sink),
            Phase::Dead { .. } => self.emit(Op::Failed, here, sink),
            Phase::Reasoning { .. } => self.emit(Op::Reasoned, here, sink),
            Phase::Quoted { dead: Some(_) } => self.emit(Op::Failed, self.mark, sink),
            Phase::Lead { .. }
            | Phase::Json
            | Phase::Closer
            | Phase::Asked { .. }
            | Phase::After
            | Phase::Element
            | Phase::Ahead { .. }
            | Phase::Quoted { dead: None } => self.emit(Op::Text, self.mark, sink),
        }
    }

    /// The segment is whole.
    fn end(&mut self, here: u32, sink: &mut impl Sink) {
        sink.record(Op::End.at(self.mark, here));
        self.emitted = here;
        self.opening.pass_segment();
        self.phase = Phase::Text;
    }

    /// A call is whole.
    fn done(&mut self, here: u32, sink: &mut impl Sink) {
        // The rules of JSON in the place, the repairs in the op.
        let repairs = (self.repairs >> 32) as u32;
        sink.record(Op::Done { repairs }.at(self.repairs as u32, here));
    }

    /// The segment is not a call. Up to `at` nothing in it can end it.
    fn fail(&mut self, why: Why, at: u32, sink: &mut impl Sink) -> Flow {
        sink.record(Op::Fail(why).at(self.mark, self.payload));
        self.emitted = self.mark;
        self.opening.pass_words();
        if self.is_line && why == Why::Malformed {
            // No end tag will come.
            self.end_failed(at, at, sink);
            return Flow::At(at);
        }
        self.phase = Phase::Dead { ends_at: if why == Why::Unfinished { Ends::EndTag } else { Ends::Call } };
        Flow::At(at)
    }

    /// It has ended, by the end tag that begins at `tag`.
    fn end_failed(&mut self, tag: u32, here: u32, sink: &mut impl Sink) {
        self.emit(Op::Failed, here, sink);
        sink.record(Op::FailEnd { is_cut: false }.at(tag, here));
        self.opening.pass_segment();
        self.phase = Phase::Text;
    }

    /// The stream has ended in it.
    fn cut_failed(&mut self, here: u32, sink: &mut impl Sink) {
        self.emit(Op::Failed, here, sink);
        sink.record(Op::FailEnd { is_cut: true }.at(here, here));
        self.phase = Phase::Text;
    }
}

impl text::Machine for Machine {
    type Ask = Ask;
    type Answer = Answer;
    type Mode = Mode;
    type Table = ToolNames;

    fn run(&mut self, names: &ToolNames, text: &mut Stretch<'_>, sink: &mut impl Sink) -> Outcome<Ask> {
        let held = text.here();
        if held > self.read {
            // What was buffered without being read was plain text by the mode.
            self.json.pass(held);
            self.tree.pass(held);
        }
        let (mut next, mut ask, mut waits) = (None, None, false);
        while !sink.lacks_room_for(ROOM) {
            let from = text.at();
            let flow = self.advance(names, text, sink);
            self.steps.add(text.at().saturating_sub(from) + 1);
            match flow {
                Flow::Go => continue,
                Flow::At(unit) if go_to(text, unit) => continue,
                Flow::At(unit) => next = Some(unit),
                Flow::Stop => {}
                Flow::Wait => waits = true,
                Flow::Ask(question) => ask = Some(question),
            }
            break;
        }
        let here = next.unwrap_or_else(|| text.here());
        if next.is_none() {
            self.emit_decided(here, sink);
        }
        Outcome { ask, waits, ..self.outcome(here) }
    }

    fn finish(&mut self, held: u32, sink: &mut impl Sink) -> Outcome<Ask> {
        let mut next = held;
        match self.phase {
            Phase::Text | Phase::Lead { .. } => {
                self.phase = Phase::Text;
                self.emit(Op::Text, held, sink);
            }
            Phase::Dead { .. } => self.cut_failed(held, sink),
            Phase::Quoted { dead } => {
                let found = self.opening.quotes.end();
                next = self.unquote(found, dead, held);
                if next == held {
                    return self.finish(held, sink);
                }
            }
            // Nothing came.
            Phase::Reasoning { closer: Closer::AtStart } => {}
            Phase::Reasoning { .. } => {
                self.emit(Op::Reasoned, held, sink);
                sink.record(Op::ReasoningEnd.at(held, held));
                self.phase = Phase::Text;
            }
            Phase::Element if !self.has_begun => {
                self.no_call(sink);
                // After the tag, a comment that never ended may have hidden a call.
                self.is_line_start = self.is_line;
                let is_hidden = self.payload > self.mark && self.payload < held;
                if is_hidden && self.budget.pays(held - self.payload, held) {
                    next = self.payload;
                    self.opening.pass_words();
                }
                self.emit(Op::Text, next, sink);
            }
            Phase::Ahead { from, .. } if self.budget.pays(held - from, held) => {
                // No closing tag came: the string ended before the tool's.
                self.end_string(from);
                next = from;
            }
            Phase::Element if self.is_line && self.tree.is_between_children() && self.tree.is_read_to(held) => {
                let _ = self.line_ended(sink);
                next = self.emitted;
            }
            Phase::Json | Phase::Closer | Phase::Asked { .. } | Phase::After | Phase::Element | Phase::Ahead { .. } => {
                let _ = self.fail(Why::Unfinished, held, sink);
                if self.budget.pays(held - self.payload, held) {
                    // What ended it may be in what looked like a string.
                    next = self.payload;
                } else {
                    self.cut_failed(held, sink);
                }
            }
        }
        self.outcome(next)
    }

    fn answer(&mut self, answer: Answer) {
        if let Phase::Asked { question, .. } = self.phase {
            self.phase = Phase::Asked { question, answer: Some(answer) };
        }
    }

    fn mode(&self) -> Mode {
        match self.phase {
            // The end of a line counts.
            Phase::Text | Phase::Dead { .. } if self.reads_lines || !self.opening.is_settled() => Mode::Ask,
            Phase::Text => Mode::Text,
            Phase::Reasoning { closer: Closer::AtStart | Closer::AnyOrEcho } => Mode::Ask,
            Phase::Reasoning { .. } => Mode::Reasoning,
            Phase::Json if self.is_in_plain_string() => {
                if self.call.emits() {
                    Mode::String
                } else {
                    Mode::Silent
                }
            }
            Phase::Element if self.tree.takes_text() => Mode::Element,
            Phase::Dead { .. } => Mode::Failed,
            Phase::Json
            | Phase::Element
            | Phase::Ahead { .. }
            | Phase::Lead { .. }
            | Phase::Closer
            | Phase::Asked { .. }
            | Phase::After
            | Phase::Quoted { .. } => Mode::Ask,
        }
    }

    fn is_in_call(&self) -> bool {
        !matches!(self.phase, Phase::Text | Phase::Dead { .. } | Phase::Reasoning { .. })
    }

    fn give_up(&mut self, held: u32, sink: &mut impl Sink) -> Outcome<Ask> {
        if let Phase::Quoted { dead } = self.phase {
            self.emit(if dead.is_some() { Op::Failed } else { Op::Text }, held, sink);
            self.phase = dead.map_or(Phase::Text, |ends_at| Phase::Dead { ends_at });
            self.opening.pass_words();
            return self.outcome(held);
        }
        self.emit(Op::Text, self.mark, sink);
        self.fail(Why::TooLong, held, sink);
        self.end_failed(held, held, sink);
        self.outcome(held)
    }

    fn settle(&mut self, held: u32, sink: &mut impl Sink) -> Outcome<Ask> {
        self.emit_decided(held, sink);
        self.opening.pass_words();
        self.outcome(held)
    }

    fn pass(&mut self, units: u32) {
        self.budget.pass(units);
    }

    #[cfg(not(target_arch = "wasm32"))]
    fn steps(&self) -> u64 {
        self.steps.made() + self.json.steps() + self.saved.steps()
    }
}

/// Goes to a unit; false if it isn't in the stretch.
fn go_to(text: &mut Stretch<'_>, unit: u32) -> bool {
    let here = text.here();
    if unit <= here {
        return text.go_back_to(unit);
    }
    let passed = text.front(unit - here).bytes().len();
    text.pass(passed);
    text.here() == unit
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test that can't go on fails")]
mod tests {
    use super::*;
    use crate::text::{Machine as _, Record};

    fn run(machine: &mut Machine, text: &[u8], held: u32, records: &mut Vec<Record>) -> Outcome<Ask> {
        machine.run(&ToolNames::NONE, &mut Stretch::new(text, held, true), records)
    }

    /// A machine in a string of the arguments, and how much is pending.
    fn in_string(records: &mut Vec<Record>) -> (Machine, u32) {
        let tag = |text: &[u8]| Marker::new(&[text]).unwrap();
        let mut machine = Machine::hermes(tag(b"<tool_call>"), tag(b"</tool_call>"));
        let (mut text, mut held) = (&br#"abc <tool_call>{"name": "f", "arguments": {"a": "x"#[..], 0);
        while !text.is_empty() {
            let outcome = run(&mut machine, text, held, records);
            text = text.get((outcome.next - held) as usize..).unwrap();
            held = outcome.next - outcome.held_from;
            if outcome.ask.is_some() {
                machine.answer(Answer::Accept);
            }
        }
        (machine, held)
    }

    #[test]
    fn half_a_pair_has_to_be_emitted_with_what_follows() {
        let (mut machine, held) = in_string(&mut Vec::new());
        assert_eq!(machine.mode(), Mode::String);
        machine.run(&ToolNames::NONE, &mut Stretch::new(b"\xED\xA0\xBD", held, false), &mut Vec::new());
        assert_eq!(machine.mode(), Mode::Ask);
    }

    #[test]
    fn what_was_pending_without_being_read_is_not_emitted_again() {
        let mut records = Vec::new();
        let (mut machine, held) = in_string(&mut records);
        records.clear();
        run(&mut machine, b"z\"", held + 5, &mut records);
        assert_eq!(records.first().map(|record| (record.start, record.end)), Some((held + 5, held + 6)));
    }

    #[test]
    fn what_is_asked_about_elements() {
        let mut names = ToolNames::NONE;
        assert!(names.add(b"add"));
        let questions = |text: &[u8]| {
            let (mut machine, mut at, mut held, mut count) = (Machine::morph(), 0, 0, 0);
            loop {
                let mut stretch = Stretch::new(text.get(at..).unwrap(), held, true);
                let outcome = machine.run(&names, &mut stretch, &mut Vec::new());
                at += (outcome.next - held) as usize;
                held = outcome.next - outcome.held_from;
                if outcome.ask.is_none() {
                    return count;
                }
                count += 1;
                machine.answer(Answer::Accept);
            }
        };
        // Each opening tag, and the argument that the tool's closing tag closes.
        assert_eq!(questions(b"<add><a>x</a></add>"), 1);
        assert_eq!(questions(b"<add><a>x</add>"), 2);
        assert_eq!(questions(b"<add><a><b>x</add>"), 3);
    }
}
