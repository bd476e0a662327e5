//! Calls that are read with repairs, around their payload: what makes an opener one, what
//! ends a segment that is not a call, and the end of the stream in it.
//!
//! Such a call has a closer of its own. What can't be read is text up to that, so that
//! nothing in it is taken for a call; it is text up to the next call where one begins before.
//!
//! Source: spec/tool_call.md; seeds/003, "JSON-mix protocol" and "Morph-XML protocol".

use super::look::{ToolLine, after, fence, starts_with};
use super::payload::Payload;
use super::segment::Segment;
use super::{Answer, Ask, Flow, LONGEST_SPACE, Machine, Mode, Op, Phase, Why};
use crate::format::names::ToolNames;
use crate::format::op::Repair;
use crate::format::row::{Body, Part, Row};
use crate::format::table::Table;
use crate::markdown::{Found, Standing};
use crate::scan::{at_most, is_space, space_len, tag_len};
use crate::text::{Sink, Stretch};

/// What ends a segment that isn't a call, besides its closer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "debug", derive(serde::Serialize))]
pub(super) enum Ends {
    /// Nothing: the stream ended in it.
    Closer,
    /// The start of another call.
    Call,
    /// Any opener.
    AnyOpener,
}

/// Where a call with repairs is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "debug", derive(serde::Serialize))]
pub(super) enum Place {
    /// After an opener, before what makes it a call.
    Lead { is_list: bool },
    /// After it.
    After,
    /// In an element with a tool's name.
    Tree,
    /// In what is not a call, and what ends it besides its closer.
    Failed { ends_at: Ends },
}

impl Segment {
    /// Whether the segment is read with repairs, up to a closer of its own.
    pub(super) fn is_tolerant(&self) -> bool {
        self.body.is_tolerant()
    }

    /// The length of what opens a call with repairs at the start of a text, or 0.
    pub(super) fn opener_len(&self, row: &Row, names: &ToolNames, text: &[u8]) -> Option<usize> {
        match (row.body(), text.first()) {
            (Body::Tree, None) => None,
            (Body::Tree, Some(b'<')) => names.fits(after(text, 1)),
            (Body::Tree, Some(_)) => Some(0),
            _ => row.fits(Part::CallOpen, text, false),
        }
    }

    /// Whether what follows an opener makes it one.
    pub(super) fn makes_call(&self, row: &Row, text: &[u8]) -> Option<bool> {
        if self.body == Body::Tree {
            return Some(true);
        }
        let gap = space_len(at_most(text, LONGEST_SPACE as usize));
        match text.get(gap)? {
            b'{' | b'[' => Some(true),
            b'`' if may_have_fence(row) => fence(after(text, gap)).map(|length| length > 0),
            _ => Some(false),
        }
    }
}

impl Machine {
    #[inline(never)]
    pub(super) fn read_tolerant(
        &mut self,
        place: Place,
        table: &Table,
        text: &mut Stretch<'_>,
        sink: &mut impl Sink,
    ) -> Flow {
        let row = table.row(self.segment.row);
        match place {
            Place::Lead { is_list } => self.read_lead(is_list, row, text, sink),
            Place::After => self.read_after_call(row, text, sink),
            Place::Tree => self.read_tree(table, text, sink),
            Place::Failed { ends_at } => self.read_failed(ends_at, table, text, sink),
        }
    }

    pub(super) fn tolerant_mode(&self, place: Place) -> Mode {
        match place {
            Place::Failed { .. } if self.opening.is_settled() => Mode::Failed,
            Place::Tree if self.tree.takes_text() => Mode::Element,
            Place::Lead { .. } | Place::After | Place::Tree | Place::Failed { .. } => Mode::Read,
        }
    }

    /// What was asked of such a segment is answered.
    pub(super) fn tolerant_answered(&mut self, question: Ask, answer: Answer, here: u32, sink: &mut impl Sink) -> Flow {
        match (question, answer) {
            (Ask::Open, _) => {
                let is_tag = answer == Answer::Accept;
                self.phase = Phase::Tolerant(Place::Tree);
                let step = self.tree.ahead_answered(&mut self.segment, is_tag, sink);
                self.take_move(step, sink)
            }
            (_, Answer::Reject) => self.fail(Why::Rejected, here, sink),
            (Ask::Element, Answer::Nested) if self.tree.is_line() => self.element_ended(self.segment.payload_end, sink),
            // The next call.
            (Ask::Element, Answer::Nested) => {
                let from = self.tree.tag_from();
                self.fail(Why::Nested, from, sink);
                self.end_failed(from, from, false, sink);
                Flow::At(from)
            }
            (Ask::Whole, Answer::Malformed) if self.segment.body == Body::Tree => self.root_refused(sink),
            (Ask::Quote, Answer::Malformed) => {
                let from = self.json.call.repaired.string_from;
                self.fail(Why::Malformed, from, sink)
            }
            (Ask::Name | Ask::Alias, Answer::Malformed) => self.fail(Why::NoName, here, sink),
            (Ask::Ends, Answer::Malformed) => self.fail(Why::Unfinished, here, sink),
            (_, Answer::Malformed) => self.fail(Why::Malformed, here, sink),
            (Ask::Element, _) => {
                self.phase = Phase::Tolerant(Place::Tree);
                self.tree.answered(answer == Answer::Text, &mut self.segment, here, sink);
                Flow::Go
            }
            (Ask::Ends, _) => {
                self.segment.repairs |= Repair::EndCloses.bit();
                self.element_ended(self.segment.payload_end, sink)
            }
            (Ask::Name | Ask::Alias, _) => {
                self.phase = Phase::Json;
                match self.json.call.named(answer) {
                    Some(why) => self.fail(why, here, sink),
                    None => Flow::Go,
                }
            }
            (Ask::Whole, _) if self.segment.body == Body::Tree => self.element_ended(self.segment.payload_end, sink),
            (Ask::Whole | Ask::Arguments | Ask::Quote | Ask::Member | Ask::Message, _) => {
                self.json_accepted(question, here, sink)
            }
        }
    }

    /// What begins here may be in code.
    pub(super) fn quote(&mut self, failed: Option<Ends>, here: u32) -> Flow {
        self.segment.mark = here;
        self.phase = Phase::Quoted { failed };
        Flow::Go
    }

    /// After what may be in code: up to what says so.
    pub(super) fn read_quoted(&mut self, failed: Option<Ends>, text: &mut Stretch<'_>) -> Flow {
        while let Some(&byte) = text.rest().first() {
            if let Some(found) = self.opening.quotes.ahead(byte) {
                let here = text.here();
                return Flow::At(self.unquote(found, failed, here));
            }
            text.pass(1);
        }
        Flow::Stop
    }

    /// Whether what is at `mark` is in code is known; gives the place to read on at.
    pub(super) fn unquote(&mut self, found: Found, failed: Option<Ends>, here: u32) -> u32 {
        self.phase = failed.map_or(Phase::Text, |ends_at| Phase::Tolerant(Place::Failed { ends_at }));
        match found {
            Found::Again => self.segment.mark,
            Found::Code { back } => {
                self.opening.is_after = false;
                self.turn.line_start = None;
                here.saturating_sub(back)
            }
        }
    }

    /// An opener of so many bytes stands at the place: what follows makes it one.
    pub(super) fn begin_lead(&mut self, length: usize, text: &mut Stretch<'_>) -> Flow {
        text.pass(length);
        self.segment.payload = text.here();
        self.phase = Phase::Tolerant(Place::Lead { is_list: false });
        Flow::Go
    }

    /// A tool's name stands on a line of its own: its arguments' elements may follow.
    pub(super) fn begin_line(&mut self, line: ToolLine, text: &mut Stretch<'_>, sink: &mut impl Sink) {
        text.pass(line.space);
        let here = text.here();
        self.emit(self.text_op(), here, sink);
        self.segment.mark = here;
        self.segment.repairs = 0;
        self.turn.is_lead = false;
        self.opening.pass_line();
        self.segment.elements.begin(text.rest().get(..line.name));
        text.pass(line.name);
        let name_end = text.here();
        text.pass(line.rest);
        let payload = text.here();
        self.tree.begin_children(here, name_end, payload, sink);
        self.segment.payload = payload;
        self.segment.payload_end = payload;
        self.phase = Phase::Tolerant(Place::Tree);
    }

    /// After an opener: white space and an object make it a call.
    pub(super) fn read_lead(
        &mut self,
        mut is_list: bool,
        row: &Row,
        text: &mut Stretch<'_>,
        sink: &mut impl Sink,
    ) -> Flow {
        while let Some(&byte) = text.rest().first() {
            match byte {
                b'{' => {
                    self.begin_payload(is_list, text.here(), sink);
                    return Flow::Go;
                }
                b'[' if !is_list => {
                    is_list = true;
                    self.segment.payload = text.here();
                }
                _ if is_space(byte) && text.here().saturating_sub(self.segment.mark) <= LONGEST_SPACE => {}
                b'`' if !is_list && self.segment.repairs == 0 && may_have_fence(row) => match fence(text.rest()) {
                    None => {
                        self.phase = Phase::Tolerant(Place::Lead { is_list });
                        return Flow::Wait;
                    }
                    Some(0) => return self.mention(text.here(), sink),
                    Some(length) => {
                        self.segment.repairs = Repair::Fence.bit();
                        text.pass(length);
                        continue;
                    }
                },
                _ if text.here() == self.segment.payload && is_longer_word(row, byte) => {
                    self.phase = Phase::Text;
                    return Flow::Go;
                }
                _ => return self.mention(text.here(), sink),
            }
            // As a part of prose that speaks of the tag.
            self.opening.step_text(text);
        }
        self.phase = Phase::Tolerant(Place::Lead { is_list });
        Flow::Stop
    }

    /// Text follows the opener. Whether it was meant as a call is known at the closer, if one comes.
    fn mention(&mut self, here: u32, sink: &mut impl Sink) -> Flow {
        let opening = self.opening;
        let _ = self.fail(Why::Mentioned, here, sink);
        // The text goes on from here.
        self.opening = opening;
        self.phase = Phase::Tolerant(Place::Failed { ends_at: Ends::AnyOpener });
        Flow::Go
    }

    /// The segment is not a call. Up to `at` nothing in it can end it.
    pub(super) fn fail_tolerant(&mut self, why: Why, at: u32, sink: &mut impl Sink) -> Flow {
        sink.record(Op::Fail(why).at(self.segment.mark, self.segment.payload));
        self.emitted = self.segment.mark;
        self.opening.pass_words();
        if self.tree.is_line() && self.segment.body == Body::Tree && why == Why::Malformed {
            // No closer will come.
            self.end_failed(at, at, false, sink);
            return Flow::At(at);
        }
        let ends_at = if why == Why::Unfinished { Ends::Closer } else { Ends::Call };
        self.phase = Phase::Tolerant(Place::Failed { ends_at });
        Flow::At(at)
    }

    /// In a segment that isn't a call: up to its closer, or to the start of another.
    pub(super) fn read_failed(
        &mut self,
        ends_at: Ends,
        table: &Table,
        text: &mut Stretch<'_>,
        sink: &mut impl Sink,
    ) -> Flow {
        let row = table.row(self.segment.row);
        let first = |part: Part| row.list(part).next().and_then(|mark| mark.first()).copied().unwrap_or(b'<');
        let (opener, closer) = (first(Part::CallOpen), first(Part::CallClose));
        self.opening.pass_text([opener, closer, closer], text);
        let rest = text.rest();
        if rest.is_empty() {
            return Flow::Stop;
        }
        let is_cut = ends_at == Ends::Closer;
        let thinks = if is_cut { Some(0) } else { self.opens_reasoning(row, rest).map(|(_, length)| length) };
        let opens = if is_cut { Some(0) } else { self.segment.opener_len(row, &table.names, rest) };
        let closes = self.closer_len(row, rest);
        let may_begin = opens.is_some_and(|length| length > 0) || thinks.is_some_and(|length| length > 0);
        if may_begin && closes == Some(0) {
            match self.opening.look() {
                Standing::Plain => {}
                Standing::Open => return self.quote(Some(ends_at), text.here()),
                Standing::Code => {
                    self.opening.step_text(text);
                    return Flow::Go;
                }
            }
        }
        let here = text.here();
        match (closes, opens) {
            (Some(0), _) if thinks != Some(0) => {
                if thinks.is_none() {
                    return Flow::Wait;
                }
                self.end_failed(here, here, false, sink);
            }
            (Some(length @ 1..), _) => {
                text.pass(length);
                self.end_failed(here, text.here(), false, sink);
            }
            (None, _) | (_, None) => return Flow::Wait,
            (_, Some(length @ 1..)) => {
                let makes = self.segment.makes_call(row, after(rest, length));
                match if ends_at == Ends::AnyOpener { Some(true) } else { makes } {
                    None => return Flow::Wait,
                    Some(true) => self.end_failed(here, here, false, sink),
                    Some(false) => self.opening.step_text(text),
                }
            }
            (Some(0), Some(0)) => self.opening.step_text(text),
        }
        Flow::Go
    }

    /// The length of the segment's closer at the start of a text, or 0.
    fn closer_len(&self, row: &Row, text: &[u8]) -> Option<usize> {
        if self.segment.body != Body::Tree {
            return row.fits(Part::CallClose, text, false);
        }
        let front = [b"</", self.segment.elements.own()];
        if !starts_with(text, &front, false)? {
            return Some(0);
        }
        let front = 2 + self.segment.elements.own().len();
        let length = tag_len(b">", after(text, front))?;
        Some(if length > 0 { front + length } else { 0 })
    }

    /// The segment is whole. What follows it is text as it is.
    pub(super) fn segment_ended(&mut self, here: u32, sink: &mut impl Sink) {
        sink.record(Op::End.at(self.segment.mark, here));
        self.emitted = here;
        self.turn.called = Some(self.segment.row);
        self.opening.pass_segment();
        self.phase = Phase::Text;
    }

    /// The stream ends in a call, or in what was not a call; gives the place to read on at, to look for
    /// the closer in what seemed to be the payload.
    pub(super) fn cut_tolerant(&mut self, place: Option<Place>, held: u32, sink: &mut impl Sink) -> u32 {
        match place {
            Some(Place::Tree) if self.tree.may_be_prose() => {
                // After the tag, a comment that never ended may have hidden a call.
                let is_hidden = self.segment.payload > self.segment.mark && self.segment.payload < held;
                let again = is_hidden && self.segment.budget.pays(held.saturating_sub(self.segment.payload), held);
                let next = if again { self.segment.payload } else { held };
                self.no_call(sink);
                if again {
                    self.opening.pass_words();
                }
                self.emit(self.text_op(), next, sink);
                next
            }
            Some(Place::Tree) if self.segment.may_be_whole() && self.tree.ends_line(held) => {
                let _ = self.element_ended(self.segment.payload_end, sink);
                self.emitted
            }
            Some(Place::Lead { .. }) => {
                self.emit(self.text_op(), held, sink);
                self.phase = Phase::Text;
                held
            }
            Some(Place::Failed { .. }) => {
                self.cut_failed(held, sink);
                held
            }
            Some(Place::After | Place::Tree) | None => {
                let _ = self.fail(Why::Unfinished, held, sink);
                if self.segment.budget.pays(held.saturating_sub(self.segment.payload), held) {
                    // What ended it may be in what looked like a string.
                    return self.segment.payload;
                }
                self.cut_failed(held, sink);
                held
            }
        }
    }

    /// In an element with a tool's name. Until that has shown that it is a call, it may be prose that speaks of the tag.
    fn read_tree(&mut self, table: &Table, text: &mut Stretch<'_>, sink: &mut impl Sink) -> Flow {
        let from = text.at();
        let may_be_prose = self.tree.may_be_prose();
        let step = self.tree.read(&mut self.segment, table, text, sink);
        if may_be_prose {
            text.bytes().get(from..text.at()).unwrap_or_default().iter().for_each(|&byte| self.opening.step(byte));
        }
        self.take_move(step, sink)
    }

    /// The call lacks arguments that its tool requires.
    fn root_refused(&mut self, sink: &mut impl Sink) -> Flow {
        let here = self.segment.payload_end;
        let _ = self.fail(Why::Malformed, here, sink);
        self.end_failed(here, here, false, sink);
        Flow::At(here)
    }

    /// The element is a whole call, up to here.
    pub(super) fn element_ended(&mut self, here: u32, sink: &mut impl Sink) -> Flow {
        self.tree.confirm(&self.segment, sink);
        self.segment.record_done(here, sink);
        self.segment_ended(here, sink);
        Flow::At(here)
    }

    /// The tag is text, and so is what follows it.
    pub(super) fn no_call(&mut self, sink: &mut impl Sink) {
        sink.record(Op::NoCall.at(self.segment.mark, self.segment.mark));
        self.turn.line_start = self.tree.is_line().then_some(self.segment.payload);
        if self.tree.is_line() {
            self.opening.pass_line();
        }
        self.phase = Phase::Text;
    }

    /// The stream has ended in what is not a call.
    pub(super) fn cut_failed(&mut self, here: u32, sink: &mut impl Sink) {
        self.emit(Op::Failed, here, sink);
        sink.record(Op::FailEnd { is_cut: true }.at(here, here));
        self.phase = Phase::Text;
    }
}

/// Whether a payload may be in a fence: the closer isn't one.
fn may_have_fence(row: &Row) -> bool {
    row.list(Part::CallClose).next().and_then(|mark| mark.first()) != Some(&b'`')
}

/// Whether an opener that is a word goes on with a byte, and so is another word.
fn is_longer_word(row: &Row, byte: u8) -> bool {
    let is_in_word = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_' || byte >= 0x80;
    let last = row.list(Part::CallOpen).next().and_then(|mark| mark.last());
    is_in_word(byte) && last.is_some_and(|&last| is_in_word(last))
}
