//! Reads text by the rows of wire formats, and emits calls and reasoning.
//!
//! Where something may begin, the machine looks ahead: an opener counts if what follows it
//! makes it one. So prose that mentions a marker stays text, and little is pending. From a
//! call's opener on the caller buffers all of it, since its original text is emitted if
//! it turns out not to be a call.
//!
//! ```text
//! text ─ an opener that fits ─▶ head ─▶ payload (a file for each kind) ─▶ after ─ closer ─▶ text
//!   │                            └─ no call ─▶ a mention, or a call that failed (`Dead`) up to its closer
//!   └─ reasoning, messages
//! ```
//!
//! Source: spec/format.md, "Rules for all rows".
//!
//! # Advice for those who change this
//!
//! - Whether something begins is asked of a text that may be too short. Say so (`None`, `Sight::Short`), never "no": else the
//!   answer depends on where the stream was cut. `tests/format/properties.rs` cuts every row everywhere.
//! - At the stream's end, and after [`LONGEST_HEAD`] bytes, "too short" has to become an answer: `is_last`.
//! - What is read again was not emitted. Take back records before you go back: `mark` is where the call's text begins.
//! - A move makes at most `ROOM` records, and a question is asked by the phase that waits for its answer, not by a
//!   flag: the batch may be full between the two (`tests/format/found.rs`).
//! - Look ahead only as far as a constant says, and count reading again in the budget: `tests/format/linear.rs` counts
//!   steps.
//! - A new kind of row is a flag or a part in `row.rs`, never a row's name here. If two rows need it differently, it is
//!   data.
//! - A closer in a value ends it only where `xml/closer.rs` says so: that answer is the same for blocks and segments.

mod begin;
mod braces;
mod elements;
mod json;
mod lines;
mod look;
mod messages;
mod object;
mod params;
mod plain;
mod python;
mod reasoning;
mod repaired;
mod search;
mod tolerant;
mod tree;
mod yaml;

use super::op::{Mode, Op, Repair, Why};
use super::row::{Body, Flag, Kind, Row};
use super::table::Table;
use crate::json::{Rules, Tokenizer};
use crate::reasoning::Opening;
use crate::scan::pass_space;
use crate::text::flow::{self, Flow, Halt};
use crate::text::{self, Outcome, SearchBudget, Sink, Steps, Stretch, numbered, state};
use crate::xml::Tree;

/// Most records that one move makes.
const ROOM: usize = 12;

/// Longest white space that is buffered to see what follows, in UTF-16 code units.
pub const LONGEST_SPACE: u32 = 4_096;

/// How far an opener and the pieces after it may reach, in bytes.
pub const LONGEST_HEAD: usize = 1_024;

/// Where the row is not known by whose marker the prompt has opened reasoning.
const ROW_UNKNOWN: u8 = u8::MAX;

/// Deepest nesting of arguments in JSON, the call's own object counted.
pub const DEEPEST_ARGUMENTS: u16 = 512;

/// Longest opening tag of a tool, in UTF-16 code units.
pub const LONGEST_TOOL_TAG: u32 = 4_096;

numbered! {
/// What a program answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Answer {
    /// It is a call.
    Accept = 0,
    /// The segment is text.
    Reject = 1,
    /// The segment is malformed.
    Malformed = 2,
    /// Of an element: it is a text.
    Text = 3,
    /// It holds elements if one follows, and else a text.
    Look = 4,
    /// It is another call.
    Nested = 5,
    /// It is a call of a tool that is known.
    Known = 6,
    /// The string names no tool: its member means nothing.
    Other = 7,
}
}

impl Answer {
    /// The answer of a number.
    #[must_use]
    pub fn of(number: u32) -> Answer {
        Answer::from_number(number).unwrap_or(Answer::Malformed)
    }
}

numbered! {
    /// What the machine asks.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    #[repr(u8)]
    pub enum Ask {
        /// Whether the tool of this name is called.
        Name = 1,
        /// Whether the string is arguments.
        Arguments = 2,
        /// Whether what was read is a call.
        Whole = 3,
        /// Whether the parameter's name that was read last ends the value before it.
        Open = 4,
        /// What the element is whose tag was read.
        Element = 5,
        /// Whether the argument is one that was read last.
        Member = 6,
        /// Whether a body that is not elements may be one text.
        Message = 7,
        /// Whether the tool of this name is called, where the name's key is `tool`.
        Alias = 8,
        /// Whether a quote may be part of a string.
        Quote = 9,
        /// Whether the call ends without a closer: with the stream, after an argument, or with its own tag.
        Ends = 10,
    }
}

numbered! {
/// Where a stream starts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Start {
    /// At the start of a turn.
    Turn = 0,
    /// In reasoning.
    Reasoning = 1,
    /// In text: the turn has begun.
    Text = 2,
    /// In the header of a message.
    Header = 3,
}
}

state! {
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    enum Phase {
        /// Outside of calls.
        Text,
        /// In a block of code, which is text.
        Fence,
        /// In reasoning, with what ends it.
        Reasoning(reasoning::Closer),
        /// The program is asked, and whether it has answered.
        Asked { question: Ask, answer: Option<Answer> },
        /// In a payload of JSON.
        Json,
        /// In a call with repairs.
        Tolerant(tolerant::Place),
        /// After an opener that may be in Markdown code, at `mark`; what ends the segment that isn't a
        /// call, if it is in one.
        Quoted { failed: Option<tolerant::Ends> },
        /// Between parameters.
        Params,
        /// In the value of one.
        Value,
        /// In elements.
        Elements(elements::Place),
        /// In a body of YAML.
        Yaml(yaml::Place),
        /// In a body that is any text.
        Plain(plain::Place),
        /// In a payload in braces.
        Braces(braces::Place),
        /// In a list of Python calls.
        Python(python::Place),
        /// After a payload.
        After,
        /// In a segment that isn't a call.
        Dead(search::Dead),
        /// In a span that is removed, up to the closer with this place in its list.
        Skip(usize),
    }
}

state! {
    /// The machine. Plain bytes without pointers, so that it can be copied.
    #[derive(Clone, Copy, Debug)]
    pub struct Machine {
        phase: Phase,
        /// By which row the segment is read.
        row: u8,
        /// Up to where the text was emitted.
        emitted: u32,
        /// Where the segment begins.
        mark: u32,
        /// Where its payload does, and where that has ended.
        payload: u32,
        payload_end: u32,
        /// Up to where it was read.
        read: u32,
        /// Whether the text after it waits for more.
        waits: bool,
        /// No more text comes: nothing is waited for.
        is_last: bool,
        /// The same of a run of text, in which no call begins any more; and whether an opener in it has failed.
        settles: bool,
        has_mentioned: bool,
        /// Whether only white space and reasoning came in this turn.
        is_start: bool,
        /// Whether only white space came in this turn, or since reasoning has ended.
        is_lead: bool,
        /// Whether a call ended the reasoning of this row, so that its closing marker may yet come.
        owed: Option<u8>,
        /// The reasoning that a call seems to end whose name is not known yet, and whether the opener at the place
        /// didn't begin one.
        inside: Option<reasoning::Closer>,
        is_mention: bool,
        /// Whether a header begins here.
        is_header: bool,
        /// The message that the place is in, if messages are read.
        message: Option<Kind>,
        /// Whether a section is open, and a call or its opener stands directly before the place.
        is_in_section: bool,
        is_after_call: bool,
        /// Whether a call of the section was read.
        has_called: bool,
        /// Whether the segment began without an opener.
        is_bare: bool,
        /// How its payload is written, and whether it has a closer.
        body: Body,
        has_close: bool,
        /// Whether it has an opener of its own.
        has_opener: bool,
        /// Whether a call of the segment is done.
        has_done: bool,
        /// Whether a parameter of the call was read.
        has_params: bool,
        /// Whether the end of the stream closes it.
        end_closes: bool,
        call: object::Call,
        /// A call that is an element, with repairs.
        tree: Tree,
        /// The closing tag in a string of it that is decided about.
        ahead: tree::Ahead,
        /// Whether the element is a call.
        has_begun: bool,
        /// Whether its tool's name stands on a line, without a tag.
        is_line: bool,
        repairs: u64,
        budget: SearchBudget,
        value: params::Value,
        elements: elements::Open,
        /// Where a line starts without a line end before it in the text that is read.
        line_start: Option<u32>,
        json: Tokenizer,
        /// Where the arguments began that have to be read again; then, where that was.
        saved: Tokenizer,
        /// Containers of a payload in braces: a bit each, set for objects, below a set bit.
        levels: u64,
        /// The rules by which the call was read.
        used: Rules,
        /// Where Markdown has code, and whether reasoning may begin, in text.
        opening: Opening,
        steps: Steps,
    }
}

impl Machine {
    /// A machine at the start of a stream. `seeks`: whether reasoning is looked for; `skips_code`:
    /// whether what stands in Markdown code is text.
    #[must_use]
    pub const fn new(start: Start, seeks: bool, skips_code: bool) -> Machine {
        Machine {
            phase: match start {
                Start::Reasoning => Phase::Reasoning(reasoning::Closer::AtStart),
                Start::Turn | Start::Text | Start::Header => Phase::Text,
            },
            row: if matches!(start, Start::Reasoning) { ROW_UNKNOWN } else { 0 },
            emitted: 0,
            mark: 0,
            payload: 0,
            payload_end: 0,
            read: 0,
            waits: false,
            is_last: false,
            settles: false,
            has_mentioned: false,
            is_start: !matches!(start, Start::Text),
            is_lead: !matches!(start, Start::Text),
            owed: None,
            inside: None,
            is_mention: false,
            is_header: matches!(start, Start::Header),
            message: None,
            is_in_section: false,
            is_after_call: false,
            has_called: false,
            is_bare: false,
            body: Body::Nothing,
            has_close: true,
            has_opener: true,
            has_done: false,
            has_params: false,
            end_closes: true,
            call: object::Call::START,
            tree: Tree::START,
            ahead: tree::Ahead::NONE,
            has_begun: false,
            is_line: false,
            repairs: 0,
            budget: SearchBudget::START,
            value: params::Value::START,
            elements: elements::Open::NONE,
            line_start: Some(0),
            json: Tokenizer::new(Rules::STRICT, DEEPEST_ARGUMENTS),
            saved: Tokenizer::new(Rules::STRICT, DEEPEST_ARGUMENTS),
            levels: 1,
            used: Rules::STRICT,
            opening: Opening::new(seeks, skips_code),
            steps: Steps::NONE,
        }
    }

    /// The same machine, where the prompt has opened the reasoning of this row.
    #[must_use]
    pub const fn inside(mut self, row: u8) -> Machine {
        self.row = row;
        self
    }

    #[inline(never)]
    fn outcome(&mut self, next: u32) -> Outcome<Ask> {
        let held_from = self.emitted.min(next);
        for place in [&mut self.mark, &mut self.payload, &mut self.payload_end] {
            *place = place.saturating_sub(held_from);
        }
        self.call.release(held_from);
        self.elements.release(held_from);
        self.line_start = self.line_start.and_then(|at| at.checked_sub(held_from));
        if let Phase::Elements(elements::Place::Look(from)) = &mut self.phase {
            *from = from.saturating_sub(held_from);
        }
        self.ahead.release(held_from);
        self.value.release(held_from);
        self.json.release(held_from);
        self.saved.release(held_from);
        self.tree.release(held_from);
        self.budget.pass(held_from);
        self.emitted = self.emitted.saturating_sub(held_from);
        self.read = next.saturating_sub(held_from);
        Outcome::new(next, held_from)
    }

    fn advance(&mut self, table: &Table, text: &mut Stretch<'_>, sink: &mut impl Sink) -> Flow {
        if self.is_late(text.here()) && !matches!(self.phase, Phase::Asked { .. }) {
            return self.malformed(text.here(), sink);
        }
        match self.phase {
            Phase::Text => self.read_text(table, text, sink),
            Phase::Fence => self.read_fence(text),
            Phase::Reasoning(closer) => self.read_reasoning(closer, table, text, sink),
            Phase::Asked { answer: None, .. } => Flow::Stop,
            Phase::Asked { question, answer: Some(answer) } => self.answered(question, answer, table, text, sink),
            Phase::Json => self.read_json(table.row(self.row), text, sink),
            Phase::Tolerant(place) => self.read_tolerant(place, table, text, sink),
            Phase::Quoted { failed } => self.read_quoted(failed, text),
            Phase::Params => self.read_params(table, text, sink),
            Phase::Value => self.read_value(table, text, sink),
            Phase::Elements(place) => self.read_elements(place, table, text, sink),
            Phase::Yaml(place) => self.read_yaml(place, table, text, sink),
            Phase::Plain(place) => self.read_plain(place, table, text, sink),
            Phase::Braces(place) => self.read_braces(place, table, text, sink),
            Phase::Python(place) => self.read_python(place, table.row(self.row), text, sink),
            Phase::After => self.read_after(table, text, sink),
            Phase::Dead(dead) => self.read_dead(dead, table, text, sink),
            Phase::Skip(place) => self.read_skip(place, table, text, sink),
        }
    }

    #[inline(never)]
    fn answered(
        &mut self,
        question: Ask,
        answer: Answer,
        table: &Table,
        text: &mut Stretch<'_>,
        sink: &mut impl Sink,
    ) -> Flow {
        let here = text.here();
        if self.is_tolerant() {
            return self.tolerant_answered(question, answer, here, sink);
        }
        if question == Ask::Name && answer == Answer::Accept {
            if self.is_late(here) {
                return self.malformed(here, sink);
            }
            self.leave_reasoning(sink);
        }
        match (question, answer) {
            (Ask::Name, Answer::Accept) => self.name_accepted(table, here),
            (Ask::Ends, _) => self.ends_answered(answer == Answer::Accept, here, sink),
            (Ask::Open, _) => self.open_answered(answer == Answer::Accept, table, text, sink),
            (Ask::Message, _) => self.message_answered(answer == Answer::Accept, sink),
            (Ask::Whole, _) if self.is_in_elements() => self.body_answered(answer == Answer::Accept, text, sink),
            (Ask::Whole, Answer::Accept) if self.body.is_json() => self.json_taken(self.payload_end, sink),
            (Ask::Whole, Answer::Accept) => {
                self.phase = Phase::After;
                Flow::Go
            }
            (Ask::Arguments, Answer::Accept) => {
                self.phase = Phase::Json;
                self.arguments_read(here, sink)
            }
            (Ask::Quote, Answer::Accept) => {
                self.phase = Phase::Json;
                Flow::Go
            }
            (Ask::Element, Answer::Text | Answer::Look) => self.element_answered(answer == Answer::Text, here),
            (Ask::Member, Answer::Accept) => {
                let is_element = self.is_in_elements();
                self.phase = if is_element { Phase::Elements(elements::Place::Members) } else { Phase::Params };
                Flow::Go
            }
            (Ask::Member, Answer::Malformed) if self.is_in_elements() => self.not_elements(self.row(table), here, sink),
            (Ask::Member, _) if !self.is_in_elements() => self.fail(Why::Malformed, here, sink),
            (_, Answer::Reject) => self.fail(Why::Rejected, here, sink),
            (Ask::Name, Answer::Malformed) => self.fail(Why::NoName, here, sink),
            (
                _,
                Answer::Accept
                | Answer::Malformed
                | Answer::Text
                | Answer::Look
                | Answer::Nested
                | Answer::Known
                | Answer::Other,
            ) => self.fail(Why::Malformed, here, sink),
        }
    }

    /// The tool of the name is called: its payload follows, or goes on.
    fn name_accepted(&mut self, table: &Table, here: u32) -> Flow {
        match self.body {
            Body::Json | Body::Keyed => {
                self.phase = Phase::Json;
                self.call.has_name = true;
                Flow::Go
            }
            Body::Python => self.python_named(),
            Body::Nothing
            | Body::Args
            | Body::Params
            | Body::Elements
            | Body::Brace
            | Body::Yaml
            | Body::Text
            | Body::Call
            | Body::Tree => self.begin_body(table.row(self.row), here),
        }
    }

    /// Whether a call ends here that no closer has ended.
    fn ends_answered(&mut self, is_end: bool, here: u32, sink: &mut impl Sink) -> Flow {
        if !is_end {
            let why = if self.has_params { Why::Unfinished } else { Why::Malformed };
            return self.fail(why, here, sink);
        }
        if self.has_close {
            return self.payload_ended(self.payload_end);
        }
        // Its own tag closed it.
        self.finish_call(here, sink);
        self.end(here, sink);
        Flow::Go
    }

    /// Whether what was read last begins something: an argument after a value, or another call after a text.
    fn open_answered(&mut self, accepts: bool, table: &Table, text: &mut Stretch<'_>, sink: &mut impl Sink) -> Flow {
        if self.elements.is_line() {
            self.line_answered(accepts, text.here(), sink)
        } else if self.is_in_elements() || self.value.is_sibling() {
            self.sibling_answered(accepts, table, text, sink)
        } else if self.body == Body::Text {
            self.plain_answered(accepts)
        } else if accepts {
            self.value_opened(sink)
        } else {
            self.value_goes_on(text)
        }
    }

    fn ask(&mut self, question: Ask) -> Flow {
        self.phase = Phase::Asked { question, answer: None };
        Flow::Go
    }

    /// Emits all up to a place as one op.
    #[inline(never)]
    fn emit(&mut self, op: Op, to: u32, sink: &mut impl Sink) {
        if to > self.emitted {
            sink.record(op.at(self.emitted, to));
            self.emitted = to;
        }
    }

    /// What text is in the message that the place is in.
    fn text_op(&self) -> Op {
        if self.message == Some(Kind::Drop) { Op::Markup } else { Op::Text }
    }

    /// At the end of a stretch: emits what is decided.
    fn emit_decided(&mut self, here: u32, sink: &mut impl Sink) {
        match self.phase {
            Phase::Text | Phase::Fence => self.emit(self.text_op(), here, sink),
            Phase::Dead(_) | Phase::Tolerant(tolerant::Place::Failed { .. }) => self.emit(Op::Failed, here, sink),
            Phase::Quoted { failed: Some(_) } => self.emit(Op::Failed, self.mark, sink),
            Phase::Skip(_) => self.emit(Op::Markup, here, sink),
            Phase::Reasoning(_) => self.emit(Op::Reasoned, here, sink),
            Phase::Asked { .. }
            | Phase::Json
            | Phase::Tolerant(_)
            | Phase::Quoted { failed: None }
            | Phase::Params
            | Phase::Value
            | Phase::Elements(_)
            | Phase::Yaml(_)
            | Phase::Plain(_)
            | Phase::Braces(_)
            | Phase::Python(_)
            | Phase::After => self.emit(self.text_op(), self.mark, sink),
        }
    }

    /// A call is whole, up to `here`; what comes after it in the segment is another's.
    #[inline(never)]
    fn done(&mut self, here: u32, sink: &mut impl Sink) {
        self.leave_reasoning(sink);
        self.record_done(here, sink);
        sink.record(Op::End.at(self.mark, here));
        self.emitted = here;
        self.mark = here;
        self.has_called = true;
        self.has_done = true;
        self.used = Rules::STRICT;
        self.repairs = 0;
    }

    /// A call is whole: the rules of JSON in the place, the repairs in the op.
    fn record_done(&mut self, here: u32, sink: &mut impl Sink) {
        let repairs = (self.repairs >> 32) as u32;
        sink.record(Op::Done { repairs }.at(self.used.bits() | self.repairs as u32, here));
    }

    /// The segment is over: nothing of it is left.
    #[inline(never)]
    fn end(&mut self, here: u32, sink: &mut impl Sink) {
        self.emit(Op::Markup, here, sink);
        self.opening.pass_segment();
        self.is_after_call = true;
        self.is_bare = false;
        self.phase = Phase::Text;
    }

    /// The segment is not a call; reading goes on at `at`.
    #[inline(never)]
    fn fail(&mut self, why: Why, at: u32, sink: &mut impl Sink) -> Flow {
        if self.is_tolerant() {
            return self.fail_tolerant(why, at, sink);
        }
        if let Some(closer) = self.inside.take() {
            return Flow::At(self.resume_reasoning(closer, at));
        }
        // JSON that isn't a call is an answer.
        let is_bare = self.is_bare;
        // At the end of the stream nothing may be left.
        let least = if why == Why::Unfinished { self.mark } else { self.mark + 1 };
        let why = if is_bare { Why::Rejected } else { why };
        sink.record(Op::Fail(why).at(self.mark, self.payload.max(self.mark)));
        self.elements.end();
        self.emitted = self.mark;
        self.is_after_call = false;
        self.is_start = false;
        self.used = Rules::STRICT;
        self.opening.pass_words();
        self.phase = Phase::Dead(search::Dead::Call);
        if is_bare {
            let to = at.max(least);
            self.end_failed(to, to, false, sink);
            self.opening.pass_words();
            return Flow::At(to);
        }
        if !self.has_opener && self.is_in_section && why != Why::Unfinished {
            // Another may stand in the section.
            let to = at.max(self.mark + 1);
            self.end_failed(to, to, false, sink);
            self.is_after_call = true;
            return Flow::At(to);
        }
        Flow::At(at)
    }

    /// What was not a call has ended, by a closer that begins at `closer`, or by nothing of its own.
    #[inline(never)]
    fn end_failed(&mut self, closer: u32, here: u32, is_cut: bool, sink: &mut impl Sink) {
        self.emit(Op::Failed, here, sink);
        sink.record(Op::FailEnd { is_cut }.at(closer, here));
        self.opening.pass_segment();
        self.is_bare = false;
        self.phase = Phase::Text;
    }

    /// Passes what models leave between a payload and its closer: brackets that close nothing, and the end of a fence.
    /// `Some` while more of that may come.
    fn pass_leftovers(&mut self, row: &Row, text: &mut Stretch<'_>) -> Option<Flow> {
        pass_space(text, self.payload_end, LONGEST_SPACE);
        let is_closed_json = self.has_close && self.body.is_json();
        let passes = row.is(Flag::ExtraCloser) || is_closed_json && !row.is(Flag::Strict);
        while passes && matches!(text.rest().first(), Some(b'}' | b']')) {
            text.pass(1);
            self.repairs |= Repair::ExtraCloser.bit();
            // Brackets that are passed over are the call's.
            self.payload_end = text.here();
            pass_space(text, self.payload_end, LONGEST_SPACE);
        }
        if self.repairs & Repair::Fence.bit() != 0 {
            const FENCE: &[u8] = b"```";
            while text.rest().starts_with(FENCE) {
                text.pass(FENCE.len());
                self.payload_end = text.here();
                pass_space(text, self.payload_end, LONGEST_SPACE);
            }
            if !self.is_last && FENCE.starts_with(text.rest()) {
                return Some(if text.is_at_end() { Flow::Stop } else { Flow::Wait });
            }
        }
        None
    }

    /// After a payload: the closer, or what may follow a call that has none.
    #[inline(never)]
    fn read_after(&mut self, table: &Table, text: &mut Stretch<'_>, sink: &mut impl Sink) -> Flow {
        let row = table.row(self.row);
        if text.here() < self.payload_end {
            return Flow::At(self.payload_end);
        }
        if let Some(flow) = self.pass_leftovers(row, text) {
            return flow;
        }
        let from = self.payload_end;
        if text.is_at_end() && !self.is_last {
            return Flow::Stop;
        }
        match self.after(table, text.rest()) {
            None => Flow::Wait,
            Some(After::Close { stray, length }) => {
                if stray > 0 {
                    self.repairs |= Repair::StrayThink.bit();
                }
                text.pass(stray + length);
                let here = text.here();
                self.finish_call(here, sink);
                self.end(here, sink);
                Flow::Go
            }
            Some(After::CutClose) => {
                let rest = text.rest().len();
                text.pass(rest);
                let here = text.here();
                self.note_end();
                self.finish_call(here, sink);
                self.end(here, sink);
                Flow::Go
            }
            Some(After::Separator(length)) => {
                self.finish_call(from, sink);
                text.pass(length);
                self.payload = text.here();
                self.has_done = false;
                sink.record(self.begin_op().at(self.mark, self.payload));
                self.begin_body(row, self.payload)
            }
            Some(After::Ends) => {
                if text.is_at_end() {
                    self.note_end();
                }
                self.finish_call(from, sink);
                self.end(from, sink);
                Flow::At(from)
            }
            Some(After::Other) => {
                if self.is_done() {
                    self.end(from, sink);
                    return Flow::At(from);
                }
                let _ = self.fail(Why::Malformed, from, sink);
                Flow::At(from)
            }
        }
    }

    /// Whether all calls of the segment are done.
    fn is_done(&self) -> bool {
        self.mark == self.payload_end && self.emitted == self.payload_end
    }

    /// The end of the stream closes the call: a repair where more parameters may have been meant.
    fn note_end(&mut self) {
        if self.has_close && self.body.is_tagged() {
            self.repairs |= Repair::EndCloses.bit();
        }
    }

    fn finish_call(&mut self, here: u32, sink: &mut impl Sink) {
        if !self.is_done() {
            self.done(here, sink);
        }
    }

    /// Where the stream's end is known, what was waited for is read again from here on.
    fn waited_from(&mut self, held: u32) -> u32 {
        match self.phase {
            // Nothing came after the last argument: the end of the stream may close the call.
            Phase::Params | Phase::Elements(elements::Place::Members)
                if self.payload_end == held && self.ends_at_last() =>
            {
                self.mark
            }
            Phase::Elements(elements::Place::Members) if self.ends_at_last() => self.payload_end,
            // What may have ended the value has.
            Phase::Value if !self.waits && self.value.ended().is_some() => self.value.ended().unwrap_or_default(),
            Phase::After | Phase::Params | Phase::Plain(_) | Phase::Python(python::Place::AfterCall) => {
                self.payload_end
            }
            // Nothing more can follow a quote.
            Phase::Python(python::Place::Value) => self.json.stop_waiting().unwrap_or(held),
            // Nothing more follows a closing tag in a string, or the last argument.
            Phase::Tolerant(tolerant::Place::Ahead) => self.ahead.again(),
            Phase::Tolerant(tolerant::Place::Tree) if self.tree_may_end() => {
                if self.payload_end == held {
                    self.mark
                } else {
                    self.payload_end
                }
            }
            // What follows decides about these: nothing of them is read again.
            Phase::Tolerant(_) | Phase::Quoted { .. } => held,
            Phase::Asked { .. } | Phase::Json if self.is_tolerant() => held,
            _ if self.waits => self.read,
            Phase::Elements(_) | Phase::Yaml(_) | Phase::Fence => self.read,
            // What was buffered without being read was plain text by the mode.
            Phase::Text
            | Phase::Reasoning(_)
            | Phase::Asked { .. }
            | Phase::Json
            | Phase::Value
            | Phase::Braces(_)
            | Phase::Python(_)
            | Phase::Dead(_)
            | Phase::Skip(_) => held,
        }
    }

    /// The stream ends here; gives the place to read on at.
    fn cut(&mut self, held: u32, sink: &mut impl Sink) -> u32 {
        match self.phase {
            Phase::Text | Phase::Fence => self.emit(self.text_op(), held, sink),
            Phase::Dead(_) => self.end_failed(held, held, true, sink),
            Phase::Tolerant(place) => return self.cut_tolerant(Some(place), held, sink),
            Phase::Asked { .. } | Phase::Json if self.is_tolerant() => return self.cut_tolerant(None, held, sink),
            Phase::Skip(_) => self.emit(Op::Markup, held, sink),
            // Nothing came.
            Phase::Reasoning(reasoning::Closer::AtStart) => {}
            Phase::Reasoning(_) => {
                self.emit(Op::Reasoned, held, sink);
                sink.record(Op::ReasoningEnd.at(held, held));
                self.phase = Phase::Text;
            }
            Phase::Python(python::Place::AfterCall) => self.cut_after_python_call(held, sink),
            Phase::After if self.ends_at_last() || self.is_done() => {
                self.note_end();
                self.finish_call(self.payload_end, sink);
                self.end(self.payload_end, sink);
                self.emit(Op::Text, held, sink);
            }
            Phase::Elements(elements::Place::Message) => {
                let at = self.end_message(held, sink);
                if at == held {
                    self.end_failed(held, held, true, sink);
                }
                return at;
            }
            Phase::Asked { .. }
            | Phase::Json
            | Phase::Quoted { .. }
            | Phase::Params
            | Phase::Value
            | Phase::Elements(_)
            | Phase::Yaml(_)
            | Phase::Plain(_)
            | Phase::Braces(_)
            | Phase::Python(_)
            | Phase::After => self.cut_call(held, sink),
        }
        held
    }

    /// The stream ends in a call.
    fn cut_call(&mut self, held: u32, sink: &mut impl Sink) {
        let _ = self.fail(Why::Unfinished, held, sink);
        self.end_failed(held, held, true, sink);
    }

    /// The payload has ended.
    #[inline(never)]
    fn payload_ended(&mut self, here: u32) -> Flow {
        self.payload_end = here;
        self.phase = if self.is_tolerant() { Phase::Tolerant(tolerant::Place::After) } else { Phase::After };
        Flow::At(here)
    }

    fn row<'a>(&self, table: &'a Table) -> &'a Row {
        table.row(self.row)
    }
}

/// What stands after a payload.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum After {
    /// The closer, of so many bytes, and of the stray tag before it.
    Close { stray: usize, length: usize },
    /// A part of it, and the end of the stream.
    CutClose,
    /// Another payload, after so many bytes.
    Separator(usize),
    /// What may follow a call.
    Ends,
    /// Anything else.
    Other,
}

impl text::Machine for Machine {
    type Ask = Ask;
    type Answer = Answer;
    type Mode = Mode;
    type Table = Table;

    fn run(&mut self, table: &Table, text: &mut Stretch<'_>, sink: &mut impl Sink) -> Outcome<Ask> {
        let held = text.here();
        if held > self.read {
            // What was buffered without being read was plain text by the mode.
            self.json.pass(held);
            self.tree.pass(held);
            self.value.emitted = self.value.emitted.max(held);
        }
        let Halt { next, waits } = flow::read(text, sink, ROOM, |text, sink| {
            let from = text.at();
            let flow = self.advance(table, text, sink);
            self.steps.add(text.at().saturating_sub(from) + 1);
            flow
        });
        let here = next.unwrap_or_else(|| text.here());
        if next.is_none() {
            self.emit_decided(here, sink);
        }
        let ask = if let Phase::Asked { question, answer: None } = self.phase { Some(question) } else { None };
        let ask = ask.filter(|_| next.is_none());
        self.waits = waits;
        Outcome { ask, waits, ..self.outcome(here) }
    }

    fn finish(&mut self, held: u32, sink: &mut impl Sink) -> Outcome<Ask> {
        if !self.is_last {
            // What was waited for is read again, now that nothing follows.
            self.is_last = true;
            let from = self.waited_from(held);
            if from < held {
                return self.outcome(from);
            }
        }
        if let Some(closer) = self.inside.take() {
            let next = self.resume_reasoning(closer, held);
            if next < held {
                return self.outcome(next);
            }
        }
        if let Phase::Quoted { failed } = self.phase {
            // Nothing in code is waited for.
            let found = self.opening.quotes.end();
            let next = self.unquote(found, failed, held);
            return if next == held { self.finish(held, sink) } else { self.outcome(next) };
        }
        let next = self.cut(held, sink);
        self.outcome(next)
    }

    fn answer(&mut self, answer: Answer) {
        if let Phase::Asked { question, .. } = self.phase {
            self.phase = Phase::Asked { question, answer: Some(answer) };
        }
    }

    fn mode(&self) -> Mode {
        match self.phase {
            Phase::Text if self.is_start || self.is_lead || self.is_after_call || self.message.is_some() => Mode::Read,
            Phase::Text if self.line_start.is_some() => Mode::Read,
            Phase::Text if self.opening.is_settled() => Mode::Text,
            Phase::Tolerant(place) => self.tolerant_mode(place),
            Phase::Reasoning(reasoning::Closer::AtStart | reasoning::Closer::Echo) => Mode::Read,
            Phase::Reasoning(_) => Mode::Reasoning,
            Phase::Json if self.inside.is_some() => Mode::Read,
            Phase::Json => self.json_mode(),
            Phase::Value if self.value.is_plain() => Mode::Value,
            Phase::Text
            | Phase::Fence
            | Phase::Asked { .. }
            | Phase::Quoted { .. }
            | Phase::Params
            | Phase::Value
            | Phase::Elements(_)
            | Phase::Yaml(_)
            | Phase::Plain(_)
            | Phase::Braces(_)
            | Phase::Python(_)
            | Phase::After
            | Phase::Dead(_)
            | Phase::Skip(_) => Mode::Read,
        }
    }

    fn is_in_call(&self) -> bool {
        !matches!(
            self.phase,
            Phase::Text
                | Phase::Fence
                | Phase::Dead(_)
                | Phase::Tolerant(tolerant::Place::Failed { .. })
                | Phase::Reasoning(_)
                | Phase::Skip(_)
        )
    }

    fn give_up(&mut self, held: u32, sink: &mut impl Sink) -> Outcome<Ask> {
        if let Phase::Quoted { failed } = self.phase {
            self.emit(if failed.is_some() { Op::Failed } else { self.text_op() }, held, sink);
            self.phase = failed.map_or(Phase::Text, |ends_at| Phase::Tolerant(tolerant::Place::Failed { ends_at }));
            self.opening.pass_words();
            return self.outcome(held);
        }
        if let Some(closer) = self.inside.take() {
            // It may be one that is too long, or none.
            self.resume_reasoning(closer, held);
            self.is_mention = false;
            self.emit(Op::Reasoned, held, sink);
            return self.outcome(held);
        }
        self.emit(Op::Text, self.mark, sink);
        let _ = self.fail(Why::TooLong, held, sink);
        self.end_failed(held, held, false, sink);
        self.outcome(held)
    }

    fn settle(&mut self, held: u32, sink: &mut impl Sink) -> Outcome<Ask> {
        let is_read_again = matches!(self.phase, Phase::Text | Phase::Reasoning(_) | Phase::Dead(_));
        if self.waits && is_read_again && !self.settles && self.read < held {
            // A marker may be whole, and have waited for a longer one.
            self.is_last = true;
            self.settles = true;
            return self.outcome(self.read);
        }
        self.is_last = false;
        self.settles = false;
        if std::mem::take(&mut self.has_mentioned) && matches!(self.phase, Phase::Dead(_)) {
            self.end_failed(held, held, true, sink);
        }
        if self.emitted == held {
            return self.outcome(held);
        }
        self.emit_decided(held, sink);
        self.opening.pass_words();
        self.is_start = false;
        self.is_lead = false;
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
