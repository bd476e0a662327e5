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
//! - Whether something begins is asked of a text that may be too short. Say so (`Err(Short)`), never "no": else the
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

mod ask;
mod begin;
mod braces;
mod elements;
mod json;
mod lines;
mod look;
mod messages;
mod object;
mod open;
mod params;
mod payload;
mod plain;
mod python;
mod reasoning;
mod search;
mod segment;
mod tree;
mod turn;
mod yaml;

use super::op::{Mode, Op, Repair, Why};
use super::row::{Body, Flag, Kind, Part, Row};
use super::table::Table;
use crate::json::Rules;
use crate::reasoning::Opening;
use crate::scan::{Short, after, pass_space};
use crate::text::flow::{self, Flow, Halt};
use crate::text::{self, Outcome, Sink, Steps, Stretch, numbered};
pub use ask::{Answer, Ask};
pub use look::LONGEST_HEAD;
use payload::{Move, Payload};
use segment::{Known, Segment};

/// Most records that one move makes.
const ROOM: usize = 12;

/// Longest white space that is buffered to see what follows, in UTF-16 code units.
pub const LONGEST_SPACE: u32 = 4_096;

/// Where the row is not known by whose marker the prompt has opened reasoning.
const ROW_UNKNOWN: u8 = u8::MAX;

/// Longest opening tag of a tool, in UTF-16 code units.
pub const LONGEST_TOOL_TAG: u32 = 4_096;

numbered! {
/// Where a stream starts.
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

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "debug", derive(serde::Serialize))]
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
    /// After an opener that counts before its payload is there.
    Lead { is_list: bool },
    /// In an element with a tool's name.
    Element,
    /// After an opener that may be in Markdown code, at `mark`; in what isn't a call, if it is in such.
    Quoted { failed: Option<segment::Dead> },
    /// In parameters or elements.
    Tagged,
    /// In a body of YAML.
    Yaml,
    /// In a body that is any text.
    Plain,
    /// In a payload in braces.
    Braces,
    /// In a list of Python calls.
    Python,
    /// After a payload.
    After,
    /// In a segment that isn't a call.
    Dead(segment::Dead),
    /// In a span that is removed, up to the closer with this place in its list.
    Skip(usize),
}

/// The machine. Plain bytes without pointers, so that it can be copied.
#[derive(Clone, Copy, Debug)]
#[cfg_attr(feature = "debug", derive(serde::Serialize))]
pub struct Machine {
    phase: Phase,
    segment: Segment,
    /// Up to where the text was emitted.
    emitted: u32,
    /// Up to where it was read.
    read: u32,
    /// Whether the text after it waits for more.
    waits: bool,
    turn: turn::Turn,
    json: json::Json,
    tree: tree::Element,
    tagged: params::Tagged,
    braces: braces::Braces,
    yaml: yaml::Yaml,
    plain: plain::Plain,
    python: python::Python,
    /// Where Markdown has code, and whether reasoning may begin, in text.
    opening: Opening,
    steps: Steps,
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
            segment: Segment::new(if matches!(start, Start::Reasoning) { ROW_UNKNOWN } else { 0 }),
            emitted: 0,
            read: 0,
            waits: false,
            turn: turn::Turn::new(start),
            json: json::Json::START,
            tree: tree::Element::START,
            tagged: params::Tagged::START,
            braces: braces::Braces::START,
            yaml: yaml::Yaml::START,
            plain: plain::Plain::START,
            python: python::Python::START,
            opening: Opening::new(seeks, skips_code),
            steps: Steps::NONE,
        }
    }

    /// A machine that starts inside the reasoning of this row, which the prompt has opened.
    #[must_use]
    pub const fn inside(mut self, row: u8) -> Machine {
        self.segment.row = row;
        self
    }

    #[inline(never)]
    fn outcome(&mut self, next: u32) -> Outcome<Ask> {
        let held_from = self.emitted.min(next);
        self.segment.release(held_from);
        self.turn.release(held_from);
        self.tagged.release(held_from);
        self.json.release(held_from);
        self.tree.release(held_from);
        self.braces.release(held_from);
        self.yaml.release(held_from);
        self.plain.release(held_from);
        self.emitted = self.emitted.saturating_sub(held_from);
        self.read = next.saturating_sub(held_from);
        Outcome::new(next, held_from)
    }

    fn advance(&mut self, table: &Table, text: &mut Stretch<'_>, sink: &mut impl Sink) -> Flow {
        if self.is_late(text.here()) && !matches!(self.phase, Phase::Asked { .. }) {
            return self.malformed(text.here(), sink);
        }
        let step = match self.phase {
            Phase::Json => self.json.read(&mut self.segment, table, text, sink),
            Phase::Tagged => self.tagged.read(&mut self.segment, table, text, sink),
            Phase::Plain => self.plain.read(&mut self.segment, table, text, sink),
            Phase::Braces => self.braces.read(&mut self.segment, table, text, sink),
            Phase::Python => self.python.read(&mut self.segment, table, text, sink),
            Phase::Yaml => return self.read_yaml(table, text, sink),
            Phase::Text => return self.read_text(table, text, sink),
            Phase::Fence => return self.read_fence(text),
            Phase::Reasoning(closer) => return self.read_reasoning(closer, table, text, sink),
            Phase::Asked { answer: None, .. } => return Flow::Stop,
            Phase::Asked { question, answer: Some(answer) } => {
                return self.answered(question, answer, table, text, sink);
            }
            Phase::Lead { is_list } => return self.read_lead(is_list, table.row(self.segment.row), text, sink),
            Phase::Element => return self.read_element(table, text, sink),
            Phase::Quoted { failed } => return self.read_quoted(failed, text),
            Phase::After => return self.read_after(table, text, sink),
            Phase::Dead(dead) => return self.read_dead(dead, table, text, sink),
            Phase::Skip(place) => return self.read_skip(place, table, text, sink),
        };
        self.take_move(step, sink)
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
        if self.segment.body == Body::Tree {
            return self.element_answered(question, answer, here, sink);
        }
        if question == Ask::Name && answer == Answer::Accept {
            if self.is_late(here) {
                return self.malformed(here, sink);
            }
            self.leave_reasoning(sink);
        }
        match (question, answer) {
            (Ask::Name | Ask::Alias, Answer::Accept | Answer::Known | Answer::Other) => {
                self.name_accepted(answer, table, here, sink)
            }
            (Ask::Ends, _) => self.ends_answered(answer == Answer::Accept, here, sink),
            (Ask::Open, _) => self.open_answered(answer, table, text, sink),
            (Ask::Message, _) | (Ask::Element, Answer::Text | Answer::Look) | (Ask::Member, Answer::Accept) => {
                self.tagged_answered(question, answer, table, text, sink)
            }
            (Ask::Whole, _) | (Ask::Member, Answer::Malformed) if self.segment.is_in_elements() => {
                self.tagged_answered(question, answer, table, text, sink)
            }
            (Ask::Whole, Answer::Accept) if !self.segment.body.is_json() => {
                self.phase = Phase::After;
                Flow::Go
            }
            (Ask::Whole | Ask::Arguments | Ask::Quote, Answer::Accept) => self.json_accepted(question, here, sink),
            (Ask::Member, _) if !self.segment.is_in_elements() => self.fail(Why::Malformed, here, sink),
            (_, Answer::Reject) => self.fail(Why::Rejected, here, sink),
            (Ask::Name | Ask::Alias, Answer::Malformed) => self.fail(Why::NoName, here, sink),
            // Its closer may be in what looked like a string.
            (Ask::Quote, Answer::Malformed) if self.segment.form.has_own_end => {
                self.fail(Why::Malformed, self.json.call.repaired.string_from, sink)
            }
            (_, _) => self.fail(Why::Malformed, here, sink),
        }
    }

    /// The tool of the name is called: its payload follows, or goes on.
    fn name_accepted(&mut self, answer: Answer, table: &Table, here: u32, sink: &mut impl Sink) -> Flow {
        if matches!(self.segment.body, Body::Json | Body::Keyed) {
            self.phase = Phase::Json;
            return self.json.call.named(answer).map_or(Flow::Go, |why| self.fail(why, here, sink));
        }
        if self.segment.body == Body::Python {
            self.python.named();
            self.phase = Phase::Python;
            return Flow::Go;
        }
        self.begin_body(table.row(self.segment.row), here)
    }

    /// What was asked of a payload of JSON is so: it goes on, or has ended.
    fn json_accepted(&mut self, question: Ask, here: u32, sink: &mut impl Sink) -> Flow {
        self.phase = Phase::Json;
        let end = self.segment.payload_end;
        let step = if question == Ask::Whole {
            self.json.taken(&mut self.segment, end, sink)
        } else if question == Ask::Arguments {
            self.json.arguments_read(&mut self.segment, here, sink)
        } else {
            Move::Go
        };
        self.take_move(step, sink)
    }

    /// Whether a call ends here that no closer has ended.
    fn ends_answered(&mut self, is_end: bool, here: u32, sink: &mut impl Sink) -> Flow {
        if !is_end {
            let why = if self.segment.known.has_params { Why::Unfinished } else { Why::Malformed };
            return self.fail(why, here, sink);
        }
        if self.segment.form.has_close {
            return self.payload_ended(self.segment.payload_end);
        }
        // Its own tag closed it.
        self.close(here, sink)
    }

    /// Whether what was read last begins something: an argument after a value, or another call after a text.
    fn open_answered(&mut self, answer: Answer, table: &Table, text: &mut Stretch<'_>, sink: &mut impl Sink) -> Flow {
        if self.segment.body == Body::Text {
            self.phase = if answer == Answer::Accept { Phase::After } else { Phase::Plain };
            self.plain.goes_on();
            return Flow::Go;
        }
        self.phase = Phase::Tagged;
        let step = self.tagged.open_answered(&mut self.segment, answer, table, text, sink);
        self.take_move(step, sink)
    }

    /// What was asked of parameters or elements is answered.
    fn tagged_answered(
        &mut self,
        question: Ask,
        answer: Answer,
        table: &Table,
        text: &mut Stretch<'_>,
        sink: &mut impl Sink,
    ) -> Flow {
        self.phase = Phase::Tagged;
        let here = text.here();
        let (tagged, segment) = (&mut self.tagged, &mut self.segment);
        let accepts = answer == Answer::Accept;
        let step = match question {
            Ask::Message => tagged.message_answered(segment, accepts),
            Ask::Whole => tagged.body_answered(segment, accepts, text),
            Ask::Element => tagged.element_answered(answer == Answer::Text, here),
            Ask::Member if !accepts => tagged.not_elements(segment, segment.row(table), here),
            Ask::Name | Ask::Arguments | Ask::Open | Ask::Member | Ask::Alias | Ask::Quote | Ask::Ends => Move::Go,
        };
        self.take_move(step, sink)
    }

    /// In a body of YAML, which may turn out to be elements.
    fn read_yaml(&mut self, table: &Table, text: &mut Stretch<'_>, sink: &mut impl Sink) -> Flow {
        match self.yaml.has_elements(&self.segment, table, text.rest()) {
            Err(Short) => Flow::Wait,
            Ok(true) => {
                self.segment.known.repairs |= Repair::YamlElements.bit();
                self.tagged.place = params::Place::Members;
                self.phase = Phase::Tagged;
                Flow::Go
            }
            Ok(false) => {
                let step = self.yaml.read(&mut self.segment, table, text, sink);
                self.take_move(step, sink)
            }
        }
    }

    /// Acts on what a move of a payload has come to.
    #[inline(never)]
    fn take_move(&mut self, step: Move, sink: &mut impl Sink) -> Flow {
        match step {
            Move::Go => Flow::Go,
            Move::Stop => Flow::Stop,
            Move::Wait => Flow::Wait,
            Move::At(unit) => Flow::At(unit),
            Move::Ask(question) => self.ask(question),
            Move::Whole(here) => self.element_ended(here, sink),
            Move::NoCall(here) => {
                self.no_call(sink);
                Flow::At(here)
            }
            Move::AskAt(question, here) => {
                let _ = self.ask(question);
                Flow::At(here)
            }
            Move::Closed => self.close(self.segment.payload_end, sink),
            Move::Done(next) => {
                self.finish_call(self.segment.payload_end, sink);
                Flow::At(next)
            }
            Move::CallsEnded(here) => {
                self.finish_call(self.segment.payload_end, sink);
                self.segment.mark = here;
                self.emit(Op::Markup, here, sink);
                self.payload_ended(here)
            }
            Move::Ended(here) => self.payload_ended(here),
            Move::Fail(why, here) => self.fail(why, here, sink),
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
        if self.turn.message == Some(Kind::Drop) { Op::Markup } else { Op::Text }
    }

    /// At the end of a stretch: emits what is decided.
    fn emit_decided(&mut self, here: u32, sink: &mut impl Sink) {
        match self.phase {
            Phase::Text | Phase::Fence => self.emit(self.text_op(), here, sink),
            Phase::Dead(_) => self.emit(Op::Failed, here, sink),
            Phase::Quoted { failed: Some(_) } => self.emit(Op::Failed, self.segment.mark, sink),
            Phase::Skip(_) => self.emit(Op::Markup, here, sink),
            Phase::Reasoning(_) => self.emit(Op::Reasoned, here, sink),
            Phase::Asked { .. }
            | Phase::Json
            | Phase::Lead { .. }
            | Phase::Element
            | Phase::Quoted { failed: None }
            | Phase::Tagged
            | Phase::Yaml
            | Phase::Plain
            | Phase::Braces
            | Phase::Python
            | Phase::After => self.emit(self.text_op(), self.segment.mark, sink),
        }
    }

    /// A call is whole, up to `here`; what comes after it in the segment is another's.
    #[inline(never)]
    fn done(&mut self, here: u32, sink: &mut impl Sink) {
        self.leave_reasoning(sink);
        self.segment.record_done(here, sink);
        sink.record(Op::End.at(self.segment.mark, here));
        self.emitted = here;
        self.segment.mark = here;
        self.turn.has_called = true;
        self.turn.called = Some(self.segment.row);
        // Those of a list in prose are each call's.
        let repairs = if self.segment.form.is_value { self.segment.known.repairs } else { 0 };
        self.segment.known = Known { has_done: true, used: Rules::STRICT, repairs, ..self.segment.known };
    }

    /// The segment is over: nothing of it is left.
    #[inline(never)]
    fn end(&mut self, here: u32, sink: &mut impl Sink) {
        self.emit(Op::Markup, here, sink);
        self.opening.pass_segment();
        self.turn.is_after_call = true;
        self.segment.form.is_bare = false;
        self.phase = Phase::Text;
    }

    /// The segment is not a call; reading goes on at `at`.
    #[inline(never)]
    fn fail(&mut self, why: Why, at: u32, sink: &mut impl Sink) -> Flow {
        if let Some(closer) = self.turn.inside.take() {
            return Flow::At(self.resume_reasoning(closer, at));
        }
        // JSON that isn't a call is an answer.
        let is_bare = self.segment.form.is_bare;
        // At the end of the stream nothing may be left.
        let least = if why == Why::Unfinished { self.segment.mark } else { self.segment.mark + 1 };
        let why = if is_bare { Why::Rejected } else { why };
        sink.record(Op::Fail(why).at(self.segment.mark, self.segment.payload.max(self.segment.mark)));
        self.segment.elements.end();
        self.emitted = self.segment.mark;
        self.turn.is_after_call = false;
        self.turn.is_start = false;
        self.segment.known.used = Rules::STRICT;
        self.opening.pass_words();
        if self.segment.form.has_own_end {
            return self.fail_up_to_end(why, at, sink);
        }
        self.phase = Phase::Dead(segment::Dead::Call);
        if is_bare {
            self.segment.is_in_fence &= self.segment.known.repairs & Repair::Fence.bit() == 0;
            if self.segment.form.is_value && self.segment.tokens.depth() > 0 {
                self.phase = Phase::Dead(segment::Dead::Value);
                return Flow::Go;
            }
            let to = at.max(least);
            self.end_failed(to, to, false, sink);
            self.opening.pass_words();
            return Flow::At(to);
        }
        if !self.segment.form.has_opener && self.segment.is_in_section && why != Why::Unfinished {
            // Another may stand in the section.
            let to = at.max(self.segment.mark + 1);
            self.end_failed(to, to, false, sink);
            self.turn.is_after_call = true;
            return Flow::At(to);
        }
        Flow::At(at)
    }

    /// What was not a call has ended, by a closer that begins at `closer`, or by nothing of its own.
    #[inline(never)]
    fn end_failed(&mut self, closer: u32, here: u32, is_cut: bool, sink: &mut impl Sink) {
        self.emit(Op::Failed, here, sink);
        sink.record(Op::FailEnd { is_cut }.at(closer, here));
        self.turn.has_failed = true;
        self.opening.pass_segment();
        self.segment.form.is_bare = false;
        self.phase = Phase::Text;
    }

    /// Passes what models leave between a payload and its closer: brackets that close nothing, and the end of a fence.
    /// `Some` while more of that may come.
    fn pass_leftovers(&mut self, row: &Row, text: &mut Stretch<'_>) -> Option<Flow> {
        let is_closed_json = self.segment.form.has_close && self.segment.body.is_json();
        let mut passes = row.is(Flag::ExtraCloser) || is_closed_json && !row.is(Flag::Strict);
        loop {
            pass_space(text, self.segment.payload_end, LONGEST_SPACE);
            let (length, repair) = match self.segment.leftover(passes, text.rest()) {
                Err(Short) => return Some(if text.is_at_end() { Flow::Stop } else { Flow::Wait }),
                Ok(None) => return None,
                Ok(Some(leftover)) => leftover,
            };
            self.segment.known.repairs |= repair.bit();
            text.pass(length);
            if !self.segment.form.has_own_end {
                // What is passed over is the call's.
                self.segment.payload_end = text.here();
                passes &= repair != Repair::Fence;
            }
        }
    }

    /// After a payload that goes up to its own closer: that, the next opener, or the end of the turn.
    fn read_own_end(&mut self, row: &Row, text: &mut Stretch<'_>, sink: &mut impl Sink) -> Flow {
        let (tag, rest) = (text.here(), text.rest());
        if rest.is_empty() {
            return Flow::Stop;
        }
        let Ok(ends) = row.ends_turn(rest, self.segment.is_last) else { return Flow::Wait };
        let (close, open) = (row.fits(Part::CallClose, rest, false), row.fits(Part::CallOpen, rest, false));
        let closer = match (close, open) {
            (_, _) if ends > 0 => 0,
            (Ok(length @ 1..), _) => length,
            (Err(Short), _) | (_, Err(Short)) => return Flow::Wait,
            (_, Ok(open)) => match row.makes_call(after(rest, open)) {
                Ok(true) if open > 0 => 0,
                Err(Short) if open > 0 => return Flow::Wait,
                _ => {
                    // Only the payload is lost.
                    let here = self.segment.payload_end;
                    let _ = self.fail(Why::Malformed, here, sink);
                    self.end_failed(here, here, false, sink);
                    // What follows is a part of what failed.
                    self.opening.pass_words();
                    return Flow::At(here);
                }
            },
        };
        if closer == 0 {
            self.segment.known.repairs |= Repair::MissingEndTag.bit();
        }
        text.pass(closer);
        if self.json.call.repaired.is_silent {
            // Now it is known to be a list: it is read again from its bracket.
            self.segment.known.repairs |= u64::from(self.segment.tokens.used().bits());
            self.begin_json(row);
            return Flow::At(self.segment.payload);
        }
        // The calls of a list are emitted where they end, except one that the end tag closed.
        if self.json.call.depth == 1 || self.segment.tokens.depth() >= self.json.call.depth {
            self.segment.record_done(tag, sink);
        }
        self.segment_ended(text.here(), sink);
        Flow::Go
    }

    /// A segment with an end of its own is whole. What follows it is text as it is.
    fn segment_ended(&mut self, here: u32, sink: &mut impl Sink) {
        sink.record(Op::End.at(self.segment.mark, here));
        self.emitted = here;
        self.turn.called = Some(self.segment.row);
        self.opening.pass_segment();
        self.phase = Phase::Text;
    }

    /// After a payload: the closer, or what may follow a call that has none.
    #[inline(never)]
    fn read_after(&mut self, table: &Table, text: &mut Stretch<'_>, sink: &mut impl Sink) -> Flow {
        let row = table.row(self.segment.row);
        if text.here() < self.segment.payload_end {
            return Flow::At(self.segment.payload_end);
        }
        if self.segment.form.is_value && self.json.call.repaired.is_silent {
            return self.read_list(row, sink);
        }
        if let Some(flow) = self.pass_leftovers(row, text) {
            return flow;
        }
        if self.segment.form.has_own_end {
            return self.read_own_end(row, text, sink);
        }
        let from = self.segment.payload_end;
        if text.is_at_end() && !self.segment.is_last {
            return Flow::Stop;
        }
        let is_thinking = self.turn.inside.is_some() || self.turn.owed.is_some();
        match self.segment.after(table, is_thinking, text.rest()) {
            Err(Short) => Flow::Wait,
            Ok(After::Close { stray, length }) => {
                if stray > 0 {
                    self.segment.known.repairs |= Repair::StrayThink.bit();
                }
                text.pass(stray + length);
                self.close(text.here(), sink)
            }
            Ok(After::CutClose) => {
                let rest = text.rest().len();
                text.pass(rest);
                self.segment.note_end();
                self.close(text.here(), sink)
            }
            Ok(After::Separator(length)) => {
                self.finish_call(from, sink);
                text.pass(length);
                self.segment.payload = text.here();
                self.segment.known.has_done = false;
                sink.record(self.segment.begin_op().at(self.segment.mark, self.segment.payload));
                self.begin_body(row, self.segment.payload)
            }
            Ok(After::Ends) => {
                if text.is_at_end() {
                    self.segment.note_end();
                }
                self.close(from, sink)
            }
            Ok(After::Other) => {
                if self.is_done() {
                    self.end(from, sink);
                    return Flow::At(from);
                }
                let _ = self.fail(Why::Malformed, from, sink);
                Flow::At(from)
            }
        }
    }

    /// After a list in prose that was checked: all of it is calls, and it is read again from its bracket.
    fn read_list(&mut self, row: &Row, sink: &mut impl Sink) -> Flow {
        let payload = self.segment.payload;
        sink.record(self.segment.begin_op().at(self.segment.mark, payload));
        self.begin_json(row);
        Flow::At(payload)
    }

    /// A call is whole, up to here, and so is its segment.
    fn close(&mut self, here: u32, sink: &mut impl Sink) -> Flow {
        self.finish_call(here, sink);
        self.end(here, sink);
        Flow::At(here)
    }

    /// Whether all calls of the segment are done.
    fn is_done(&self) -> bool {
        self.segment.mark == self.segment.payload_end && self.emitted == self.segment.payload_end
    }

    fn finish_call(&mut self, here: u32, sink: &mut impl Sink) {
        if !self.is_done() {
            self.done(here, sink);
        }
    }

    /// Where the stream's end is known, what was waited for is read again from here on.
    fn waited_from(&mut self, held: u32) -> u32 {
        match self.phase {
            Phase::Tagged => self.tagged.again(&self.segment, self.waits, self.read, held),
            Phase::Element => self.tree.again(&self.segment, held).unwrap_or(held),
            // What follows decides about these: nothing of them is read again.
            Phase::Lead { .. } | Phase::Quoted { .. } => held,
            Phase::After if self.segment.form.has_own_end => held,
            Phase::After | Phase::Plain => self.segment.payload_end,
            Phase::Python => {
                self.python.again(&mut self.segment, held).unwrap_or(if self.waits { self.read } else { held })
            }
            _ if self.waits => self.read,
            Phase::Yaml | Phase::Fence => self.read,
            // What was buffered without being read was plain text by the mode.
            Phase::Text
            | Phase::Reasoning(_)
            | Phase::Asked { .. }
            | Phase::Json
            | Phase::Braces
            | Phase::Dead(_)
            | Phase::Skip(_) => held,
        }
    }

    /// Whether the stream is cut off in a call, so that nothing of what was waited for ends it.
    fn lacks_end(&self) -> bool {
        self.segment.is_cut_off
            && match self.phase {
                Phase::Json | Phase::Tagged | Phase::Yaml | Phase::Plain | Phase::Braces => true,
                Phase::After => !self.segment.may_be_whole() && !self.is_done(),
                Phase::Text
                | Phase::Fence
                | Phase::Reasoning(_)
                | Phase::Asked { .. }
                | Phase::Lead { .. }
                | Phase::Element
                | Phase::Quoted { .. }
                | Phase::Python
                | Phase::Dead(_)
                | Phase::Skip(_) => false,
            }
    }

    /// The stream ends here; gives the place to read on at.
    fn cut(&mut self, held: u32, sink: &mut impl Sink) -> u32 {
        match self.phase {
            Phase::Text | Phase::Fence => self.emit(self.text_op(), held, sink),
            Phase::Dead(_) => self.end_failed(held, held, true, sink),
            Phase::Lead { .. } => {
                self.emit(self.text_op(), held, sink);
                self.phase = Phase::Text;
            }
            Phase::Element => return self.cut_element(held, sink),
            Phase::Skip(_) => self.emit(Op::Markup, held, sink),
            // Nothing came.
            Phase::Reasoning(reasoning::Closer::AtStart) => {}
            Phase::Reasoning(_) => {
                self.emit(Op::Reasoned, held, sink);
                sink.record(Op::ReasoningEnd.at(held, held));
                self.phase = Phase::Text;
            }
            Phase::Python => self.cut_python(held, sink),
            Phase::After if self.segment.ends_at_last() || self.is_done() => {
                self.segment.note_end();
                let _ = self.close(self.segment.payload_end, sink);
                self.emit(Op::Text, held, sink);
            }
            Phase::Tagged if self.tagged.place == params::Place::Message => {
                let (why, at) = elements::cut_message(&mut self.segment, held);
                let _ = self.fail(why, at, sink);
                if at == held {
                    self.end_failed(held, held, true, sink);
                }
                return at;
            }
            Phase::Json if self.json.lacks_closers(&self.segment, held) => {
                let step = self.json.close_at_last(&mut self.segment, held, sink);
                let flow = self.take_move(step, sink);
                // The last bracket or digit is passed again, since what follows may have to be asked.
                let last = held.saturating_sub(1);
                return if let Flow::At(at) = flow { at.min(last) } else { last };
            }
            Phase::Asked { .. }
            | Phase::Json
            | Phase::Quoted { .. }
            | Phase::Tagged
            | Phase::Yaml
            | Phase::Plain
            | Phase::Braces
            | Phase::After => return self.cut_call(held, sink),
        }
        held
    }

    /// The stream ends in a list of Python calls: after one without a list around it that is whole.
    fn cut_python(&mut self, held: u32, sink: &mut impl Sink) {
        let ends = self.python.ends_at_last();
        if ends.is_some() {
            self.finish_call(self.segment.payload_end, sink);
        }
        if ends == Some(true) {
            self.end(self.segment.payload_end, sink);
            self.emit(Op::Text, held, sink);
        } else {
            let _ = self.cut_call(held, sink);
        }
    }

    /// The stream ends in a call; gives the place to read on at.
    fn cut_call(&mut self, held: u32, sink: &mut impl Sink) -> u32 {
        let _ = self.fail(Why::Unfinished, held, sink);
        let from = self.segment.payload;
        if self.segment.form.has_own_end && self.segment.budget.pays(held.saturating_sub(from), held) {
            // What ended it may be in what looked like a string.
            return from;
        }
        self.end_failed(held, held, true, sink);
        held
    }

    /// The payload has ended.
    #[inline(never)]
    fn payload_ended(&mut self, here: u32) -> Flow {
        self.segment.payload_end = here;
        self.phase = Phase::After;
        Flow::At(here)
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
            self.segment.tokens.pass(held);
            self.tree.pass(held);
            self.tagged.pass(held);
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

    fn cut_off(&mut self) {
        self.segment.is_cut_off = true;
    }

    fn finish(&mut self, held: u32, sink: &mut impl Sink) -> Outcome<Ask> {
        if !self.segment.is_last {
            // What was waited for is read again, now that nothing follows.
            self.segment.is_last = true;
            let from = if self.lacks_end() { held } else { self.waited_from(held) };
            if from < held {
                return self.outcome(from);
            }
        }
        if let Some(closer) = self.turn.inside.take() {
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
            Phase::Text
                if self.turn.is_start
                    || self.turn.is_lead
                    || self.turn.is_after_call
                    || self.turn.message.is_some() =>
            {
                Mode::Read
            }
            Phase::Text if self.turn.line_start.is_some() => Mode::Read,
            Phase::Text if self.opening.is_settled() => Mode::Text,
            Phase::Dead(segment::Dead::Own(_)) if self.opening.is_settled() => Mode::Failed,
            Phase::Element if self.tree.takes_text() => Mode::Element,
            Phase::Reasoning(reasoning::Closer::AtStart | reasoning::Closer::Echo) => Mode::Read,
            Phase::Reasoning(_) => Mode::Reasoning,
            Phase::Json if self.turn.inside.is_some() => Mode::Read,
            Phase::Json => self.json.mode(&self.segment, self.read),
            Phase::Tagged if self.tagged.takes_text() => Mode::Value,
            Phase::Text
            | Phase::Fence
            | Phase::Asked { .. }
            | Phase::Lead { .. }
            | Phase::Element
            | Phase::Quoted { .. }
            | Phase::Tagged
            | Phase::Yaml
            | Phase::Plain
            | Phase::Braces
            | Phase::Python
            | Phase::After
            | Phase::Dead(_)
            | Phase::Skip(_) => Mode::Read,
        }
    }

    fn is_in_call(&self) -> bool {
        !matches!(self.phase, Phase::Text | Phase::Fence | Phase::Dead(_) | Phase::Reasoning(_) | Phase::Skip(_))
    }

    fn give_up(&mut self, held: u32, sink: &mut impl Sink) -> Outcome<Ask> {
        if let Phase::Quoted { failed } = self.phase {
            self.emit(if failed.is_some() { Op::Failed } else { self.text_op() }, held, sink);
            self.phase = failed.map_or(Phase::Text, Phase::Dead);
            self.opening.pass_words();
            return self.outcome(held);
        }
        if let Some(closer) = self.turn.inside.take() {
            // It may be one that is too long, or none.
            self.resume_reasoning(closer, held);
            self.turn.is_mention = false;
            self.emit(Op::Reasoned, held, sink);
            return self.outcome(held);
        }
        self.emit(Op::Text, self.segment.mark, sink);
        let _ = self.fail(Why::TooLong, held, sink);
        self.end_failed(held, held, false, sink);
        self.outcome(held)
    }

    fn settle(&mut self, held: u32, sink: &mut impl Sink) -> Outcome<Ask> {
        let goes_to_end = matches!(self.phase, Phase::Dead(segment::Dead::Own(_)));
        let is_read_again = matches!(self.phase, Phase::Text | Phase::Reasoning(_) | Phase::Dead(_)) && !goes_to_end;
        if self.waits && is_read_again && !self.segment.settles && self.read < held {
            // A marker may be whole, and have waited for a longer one.
            self.segment.is_last = true;
            self.segment.settles = true;
            return self.outcome(self.read);
        }
        self.segment.is_last = false;
        self.segment.settles = false;
        if std::mem::take(&mut self.turn.has_mentioned) && matches!(self.phase, Phase::Dead(_)) {
            self.end_failed(held, held, true, sink);
        }
        if self.emitted == held {
            return self.outcome(held);
        }
        self.emit_decided(held, sink);
        self.opening.pass_words();
        self.turn.is_start = false;
        self.turn.is_lead = false;
        self.outcome(held)
    }

    fn pass(&mut self, units: u32) {
        self.segment.budget.pass(units);
    }

    #[cfg(not(target_arch = "wasm32"))]
    fn steps(&self) -> u64 {
        self.steps.made() + self.segment.tokens.steps() + self.json.saved.steps()
    }
}
