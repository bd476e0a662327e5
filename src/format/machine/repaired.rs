//! A call in JSON that is read with repairs: an object of name and arguments, or an array of such.
//!
//! ```text
//! payload   ::= call | '[' call (',' call)* ']'
//! call      ::= '{' (name | arguments | other)* '}'
//! name      ::= ('name' | 'tool') ':' string
//! arguments ::= ('arguments' | 'parameters' | 'args' | 'input') ':' (object | string | null)
//! ```
//!
//! `tool`, `args` and `input` mean that only in a call of a tool that is known;
//! elsewhere they are other members. A payload with two names or two members for arguments
//! is not a call, since the machine can't know which were meant.
//!
//! Nothing of a list is emitted before its closer is seen: it is then read again.

use super::json::{Json, ends_value, is_of_string};
use super::look::after;
use super::look::starts_with;
use super::object::{Arguments, Call, Member, Other, Repaired, spelling};
use super::payload::Move;
use super::segment::Segment;
use super::{Answer, Ask, Flow, LONGEST_SPACE, Machine, Op, Phase, Why};
use crate::format::op::Repair;
use crate::format::row::{Flag, Part, Row};
use crate::json::{Kind, Place as JsonPlace, State, Token};
use crate::reasoning::TAGS;
use crate::scan::{at_most, pass_space, space_len};
use crate::text::{Sink, Stretch};

/// What models write between a payload and its end tag.
const STRAY: [&[u8]; 2] = {
    let [(_, think), (_, thinking)] = TAGS;
    [think, thinking]
};

impl Call {
    /// Takes the answer about its name; returns why it is not a call, if so.
    pub(super) fn named(&mut self, answer: Answer) -> Option<Why> {
        self.has_name = answer != Answer::Other;
        self.repaired.is_known = answer == Answer::Known;
        if self.repaired.is_known { self.repaired.doubt } else { None }
    }

    /// What a member of the call is, by its key; an error if it makes the call invalid.
    pub(super) fn repaired_member(&mut self, key: &[u8], here: u32) -> Result<Member, Why> {
        let (member, spelling) = match key {
            b"name" => (Member::Name, None),
            b"tool" => (Member::Name, Some(Repair::Tool)),
            b"arguments" => (Member::Arguments, None),
            _ => spelling(key).map_or((Member::Other, None), |repair| (Member::Arguments, Some(repair))),
        };
        let is_loose = matches!(spelling, Some(Repair::Tool | Repair::Args | Repair::Input));
        match member {
            Member::Other | Member::Id => Ok(Member::Other),
            Member::Name if !self.has_name => {
                self.repaired.is_alias = is_loose;
                Ok(Member::Name)
            }
            Member::Name if is_loose && !self.repaired.is_alias => Ok(Member::Other),
            Member::Name => Err(Why::Ambiguous),
            Member::Arguments if is_loose && self.has_name && !self.repaired.is_known => Ok(Member::Other),
            Member::Arguments if self.arguments == Arguments::Missing => {
                self.begin_arguments(spelling, here);
                Ok(Member::Arguments)
            }
            Member::Arguments if self.repaired.is_known || !is_loose && !self.repaired.has_loose_key() => {
                Err(Why::Ambiguous)
            }
            // Whether there are two is known when the tool is.
            Member::Arguments => {
                self.repaired.doubt = Some(Why::Ambiguous);
                if is_loose {
                    return Ok(Member::Other);
                }
                self.begin_arguments(spelling, here);
                Ok(Member::Arguments)
            }
        }
    }

    fn begin_arguments(&mut self, spelling: Option<Repair>, here: u32) {
        self.repaired.spelling = spelling;
        self.arguments = if self.has_name { Arguments::Emitted } else { Arguments::Before(here) };
    }

    /// Whether what is no arguments may be another member's value, if the tool is not known.
    pub(super) fn doubts_arguments(&mut self) -> bool {
        let doubts = self.repaired.has_loose_key() && !self.has_name;
        if doubts {
            self.repaired.doubt = Some(Why::Malformed);
            self.forget_arguments();
            self.member = Member::Other;
        }
        doubts
    }

    fn forget_arguments(&mut self) {
        self.arguments = Arguments::Missing;
        self.repaired.spelling = None;
    }
}

impl Segment {
    /// The length of a closing tag of thinking that stands after a payload, with the white space after it, or 0.
    pub(super) fn stray_len(&self, row: &Row, is_thinking: bool, text: &[u8]) -> Option<usize> {
        let is_closed_json = self.has_close && self.body.is_json();
        if !is_closed_json || is_thinking || row.is(Flag::Strict) {
            return Some(0);
        }
        for mark in STRAY {
            if starts_with(text, &[mark], self.is_last)? {
                return Some(mark.len() + space_len(at_most(after(text, mark.len()), LONGEST_SPACE as usize)));
            }
        }
        Some(0)
    }
}

impl Json {
    /// A quote that is part of a string.
    pub(super) fn quoted(&mut self, token: Token, sink: &mut impl Sink) -> Move {
        let Repaired { looked_at, string_from, .. } = self.call.repaired;
        sink.record(Op::Quoted.at(looked_at.max(string_from), token.start));
        self.call.repaired.looked_at = token.end;
        Move::Ask(Ask::Quote)
    }

    /// A token of the arguments' own keys. No key may come twice where a quote is repaired.
    pub(super) fn argument_key(&mut self, token: Token, text: &mut Stretch<'_>) {
        match token.kind {
            Kind::Piece { is_key: true } | Kind::Text { is_key: true } => {
                self.call.repaired.hash_key(text.slice(token.start, token.end).unwrap_or_default());
                if matches!(token.kind, Kind::Text { .. }) {
                    self.call.repaired.argument_key_ended();
                }
            }
            Kind::Character { is_key: true, code } => {
                let c = char::from_u32(code).unwrap_or(char::REPLACEMENT_CHARACTER);
                self.call.repaired.hash_key(c.encode_utf8(&mut [0; 4]).as_bytes());
            }
            Kind::Piece { .. }
            | Kind::Text { .. }
            | Kind::Character { .. }
            | Kind::Push(_)
            | Kind::Pop(_)
            | Kind::Number
            | Kind::CutNumber
            | Kind::Word(_)
            | Kind::Stumble
            | Kind::Fault(_) => {}
        }
    }

    /// The key of another member.
    pub(super) fn other_key(&mut self, from: u32, end: u32, sink: &mut impl Sink) {
        let is_first = !std::mem::replace(&mut self.call.repaired.has_other, true);
        self.call.repaired.other = Other::Key;
        sink.record(Op::Key { is_first }.at(from, end));
    }

    /// A token of its value.
    pub(super) fn other_token(&mut self, token: Token, inside: u16, sink: &mut impl Sink) {
        // The quotes of a string stand around its tokens.
        let quote = u32::from(is_of_string(token.kind) && inside == 0);
        if self.call.repaired.other == Other::Key {
            self.call.repaired.other = Other::Value(token.start.saturating_sub(quote));
        }
        let Other::Value(from) = self.call.repaired.other else { return };
        if inside == 0 && ends_value(token.kind) {
            self.call.repaired.other = Other::None;
            sink.record(Op::Member.at(from, token.end + quote));
        }
    }

    /// At something that isn't JSON: what may end the payload early.
    pub(super) fn read_closer(
        &mut self,
        segment: &mut Segment,
        row: &Row,
        text: &mut Stretch<'_>,
        sink: &mut impl Sink,
    ) -> Move {
        let at = segment.payload_end;
        let (state, _) = segment.tokens.place_of_fault();
        let is_closable = matches!(state, State::At(JsonPlace::After | JsonPlace::Key | JsonPlace::Element));
        match if is_closable { row.fits(Part::CallClose, text.rest(), false) } else { Some(0) } {
            None => Move::Wait,
            Some(0) => Move::Fail(Why::Malformed, at),
            Some(_) => {
                segment.repairs |= Repair::MissingCloser.bit();
                self.is_at_closer = false;
                self.call.member = Member::Other;
                let is_between_calls = segment.tokens.depth() < self.call.depth;
                if is_between_calls { Move::Ended(at) } else { self.object_ended(segment, at, sink) }
            }
        }
    }

    /// The object of a call has ended: what repaired it is known.
    pub(super) fn settle_repairs(&mut self, segment: &mut Segment) {
        if self.call.repaired.has_loose_key() && !self.call.repaired.is_known {
            self.call.forget_arguments();
        }
        let Repaired { spelling, is_alias, .. } = self.call.repaired;
        for repair in [spelling, is_alias.then_some(Repair::Tool)].into_iter().flatten() {
            segment.repairs |= repair.bit();
        }
    }

    pub(super) fn call_taken(&mut self, segment: &mut Segment, here: u32, sink: &mut impl Sink) -> Move {
        let is_cut = segment.tokens.depth() >= self.call.depth;
        segment.repairs |= u64::from(segment.tokens.used().bits());
        if self.call.depth == 1 || is_cut {
            return Move::Ended(here);
        }
        if !self.call.repaired.is_silent {
            segment.record_done(here, sink);
        }
        Move::Go
    }
}

impl Machine {
    /// The payload begins with the bracket that is read next.
    pub(super) fn begin_payload(&mut self, is_list: bool, here: u32, sink: &mut impl Sink) {
        if is_list {
            self.segment.repairs |= Repair::List.bit();
            sink.record(Op::Check { row: self.segment.row }.at(self.segment.mark, here));
        } else {
            self.segment.payload = here;
            sink.record(
                Op::Begin { row: self.segment.row, is_bare: false, is_json: false }.at(self.segment.mark, here),
            );
        }
        self.json.begin_repaired(&mut self.segment, is_list, is_list, here);
        self.phase = Phase::Json;
    }

    /// After the payload: the end tag, or the next start tag, and before it what models leave there.
    pub(super) fn read_after_call(&mut self, row: &Row, text: &mut Stretch<'_>, sink: &mut impl Sink) -> Flow {
        loop {
            pass_space(text, self.segment.payload_end, LONGEST_SPACE);
            if text.rest().is_empty() {
                return Flow::Stop;
            }
            match self.leftover(text.rest()) {
                None => return Flow::Wait,
                Some((length @ 1.., repair))
                    if text.here().saturating_sub(self.segment.payload_end) < LONGEST_SPACE =>
                {
                    self.segment.repairs |= repair.bit();
                    text.pass(length);
                }
                Some(_) => break,
            }
        }
        let rest = text.rest();
        match row.ends_turn(rest, self.segment.is_last) {
            None => return Flow::Wait,
            Some(0) => {}
            Some(_) => {
                self.segment.repairs |= Repair::MissingEndTag.bit();
                let here = text.here();
                return self.call_ended(here, here, sink);
            }
        }
        match (row.fits(Part::CallClose, rest, false), row.fits(Part::CallOpen, rest, false)) {
            (Some(length @ 1..), _) => {
                let here = text.here();
                text.pass(length);
                self.call_ended(here, text.here(), sink)
            }
            (None, _) | (_, None) => Flow::Wait,
            (_, Some(length @ 1..)) => match self.segment.makes_call(row, rest.get(length..).unwrap_or_default()) {
                None => Flow::Wait,
                Some(true) => {
                    self.segment.repairs |= Repair::MissingEndTag.bit();
                    let here = text.here();
                    self.call_ended(here, here, sink)
                }
                Some(false) => self.no_end(sink),
            },
            (Some(0), Some(0)) => self.no_end(sink),
        }
    }

    /// What may stand after a payload besides white space: its length, or 0, and how it is named.
    fn leftover(&self, rest: &[u8]) -> Option<(usize, Repair)> {
        const FENCE: &[u8] = b"```";
        if matches!(rest.first(), Some(b'}' | b']')) {
            return Some((1, Repair::ExtraCloser));
        }
        let has_fence = self.segment.repairs & Repair::Fence.bit() != 0;
        let [think, thinking] = STRAY.map(|mark| (mark, Repair::StrayThink));
        for (mark, repair) in [think, thinking, (if has_fence { FENCE } else { b"" }, Repair::Fence)] {
            let seen = rest.get(..mark.len()).unwrap_or(rest);
            if mark.is_empty() || !mark.starts_with(seen) {
                continue;
            }
            return (seen.len() == mark.len()).then_some((mark.len(), repair));
        }
        Some((0, Repair::Fence))
    }

    /// A whole payload and no end tag: only the payload is lost.
    fn no_end(&mut self, sink: &mut impl Sink) -> Flow {
        let here = self.segment.payload_end;
        let _ = self.fail(Why::Malformed, here, sink);
        self.end_failed(here, here, false, sink);
        // What follows is a part of what failed.
        self.opening.pass_words();
        Flow::At(here)
    }

    /// The segment is whole; its payload ended before `tag`.
    fn call_ended(&mut self, tag: u32, here: u32, sink: &mut impl Sink) -> Flow {
        if self.json.call.repaired.is_silent {
            // Now it is known to be a list: it is read again from its bracket.
            self.segment.repairs |= u64::from(self.segment.tokens.used().bits());
            let from = self.segment.payload;
            self.json.begin_repaired(&mut self.segment, true, false, from);
            self.phase = Phase::Json;
            return Flow::At(from + 1);
        }
        // The calls of a list are emitted where they end, except one that the end tag closed.
        if self.json.call.depth == 1 || self.segment.tokens.depth() >= self.json.call.depth {
            self.segment.record_done(tag, sink);
        }
        self.segment_ended(here, sink);
        Flow::Go
    }
}
