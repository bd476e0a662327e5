//! The payload of a Hermes call: an object of name and arguments, or an array of such.
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
//! Nothing of a list is emitted before its end tag is seen, and arguments
//! before the name only when the name is known: both are then read again.

use super::search::pass_space;
use super::{Answer, Ask, Flow, LONGEST_SPACE, Machine, Op, Phase, Why};
use crate::json::{Container, Fault, Kind, Literal, Place, Rule, Rules, State, Token};
use crate::text::{Sink, Stretch};
use crate::tool_call::op::Repair;

/// Longest key with a meaning, in bytes, and one more.
const KEY: usize = 11;

/// What a member of the call is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "debug", derive(serde::Serialize))]
enum Member {
    Other,
    Name,
    Arguments,
}

/// Most keys of the arguments that are remembered, to find one that comes twice.
const MOST_KEYS: usize = 64;

/// What is known of the arguments.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "debug", derive(serde::Serialize))]
enum Arguments {
    Missing,
    /// They were emitted.
    Emitted,
    /// They come before the name, after the key that ends at the unit.
    Before(u32),
}

/// The call that is being read.
#[derive(Clone, Copy, Debug)]
#[cfg_attr(feature = "debug", derive(serde::Serialize))]
pub(super) struct Call {
    /// Whether it is one of a list.
    is_list: bool,
    /// Whether the list is read for the first time.
    is_silent: bool,
    member: Member,
    arguments: Arguments,
    has_name: bool,
    /// Whether the key of the name is `tool`.
    is_alias: bool,
    /// Whether its tool is known.
    is_known: bool,
    /// How the key of the arguments is written, if not `arguments`.
    spelling: Option<Repair>,
    /// Why it is not a call if its tool is known: perhaps there are other arguments.
    doubt: Option<Why>,
    /// Whether a key besides name and arguments was recorded.
    has_other: bool,
    /// Where the key begins that is being read, if one is.
    key_from: Option<u32>,
    /// The keys of the arguments, as hashes, and whether one came twice.
    #[cfg_attr(feature = "debug", serde(serialize_with = "crate::text::inspect::list"))]
    keys: [u64; MOST_KEYS],
    keys_len: usize,
    argument_key: u64,
    repeats_key: bool,
    /// Where reading goes on when arguments were read again.
    resume: Option<u32>,
    /// What comes before the string that is being read ends here.
    string_from: u32,
    /// Up to where end tags were looked for in it.
    looked_at: u32,
    /// Whether the string that is being read was announced.
    has_begun_string: bool,
    #[cfg_attr(feature = "debug", serde(serialize_with = "crate::text::inspect::buffer"))]
    key: [u8; KEY],
    key_len: usize,
}

impl Call {
    pub(super) const START: Call = Call {
        is_list: false,
        is_silent: false,
        member: Member::Other,
        arguments: Arguments::Missing,
        has_name: false,
        is_alias: false,
        is_known: false,
        spelling: None,
        doubt: None,
        has_other: false,
        key_from: None,
        keys: [0; MOST_KEYS],
        keys_len: 0,
        argument_key: HASH,
        repeats_key: false,
        resume: None,
        string_from: 0,
        looked_at: 0,
        has_begun_string: false,
        key: [0; KEY],
        key_len: 0,
    };

    /// Whether the name is being read.
    pub(super) fn is_in_name(&self) -> bool {
        self.member == Member::Name
    }

    /// Whether arguments are being read again.
    pub(super) fn reads_again(&self) -> bool {
        self.resume.is_some()
    }

    /// Whether the arguments' tokens are emitted. While a list is checked
    /// only a string is, since it may not be arguments.
    pub(super) fn emits(&self) -> bool {
        let is_emitted = if self.is_silent { self.has_begun_string } else { self.has_name };
        self.member == Member::Arguments && is_emitted
    }

    /// Where the string that is being read begins.
    pub(super) fn string_from(&self) -> u32 {
        self.string_from
    }

    pub(super) fn release(&mut self, units: u32) {
        if let Arguments::Before(at) = &mut self.arguments {
            *at = at.saturating_sub(units);
        }
        self.resume = self.resume.map(|at| at.saturating_sub(units));
        self.key_from = self.key_from.map(|at| at.saturating_sub(units));
        self.string_from = self.string_from.saturating_sub(units);
        self.looked_at = self.looked_at.saturating_sub(units);
    }

    /// Depth of its members.
    fn depth(&self) -> u16 {
        if self.is_list { 2 } else { 1 }
    }

    fn add_to_key(&mut self, text: &[u8]) {
        for &byte in text {
            if let Some(room) = self.key.get_mut(self.key_len) {
                *room = byte;
                self.key_len += 1;
            }
        }
    }

    fn key(&self) -> &[u8] {
        self.key.get(..self.key_len).unwrap_or_default()
    }

    /// Takes the answer about its name; returns why it is not a call, if so.
    pub(super) fn named(&mut self, answer: Answer) -> Option<Why> {
        self.has_name = answer != Answer::Other;
        self.is_known = answer == Answer::Known;
        if self.is_known { self.doubt } else { None }
    }

    /// Whether the arguments' key is one that means so only with a tool that is known.
    fn has_loose_key(&self) -> bool {
        matches!(self.spelling, Some(Repair::Args | Repair::Input))
    }

    /// What a member of the call is, by its key; an error if it makes the call invalid.
    fn member(&mut self, here: u32) -> Result<Member, Why> {
        let (member, spelling) = match self.key() {
            b"name" => (Member::Name, None),
            b"tool" => (Member::Name, Some(Repair::Tool)),
            b"arguments" => (Member::Arguments, None),
            b"parameters" => (Member::Arguments, Some(Repair::Parameters)),
            b"args" => (Member::Arguments, Some(Repair::Args)),
            b"input" => (Member::Arguments, Some(Repair::Input)),
            _ => (Member::Other, None),
        };
        let is_loose = matches!(spelling, Some(Repair::Tool | Repair::Args | Repair::Input));
        match member {
            Member::Other => Ok(Member::Other),
            Member::Name if !self.has_name => {
                self.is_alias = is_loose;
                Ok(Member::Name)
            }
            Member::Name if is_loose && !self.is_alias => Ok(Member::Other),
            Member::Name => Err(Why::Ambiguous),
            Member::Arguments if is_loose && self.has_name && !self.is_known => Ok(Member::Other),
            Member::Arguments if self.arguments == Arguments::Missing => {
                self.begin_arguments(spelling, here);
                Ok(Member::Arguments)
            }
            Member::Arguments if self.is_known || !is_loose && !self.has_loose_key() => Err(Why::Ambiguous),
            // Whether there are two is known when the tool is.
            Member::Arguments => {
                self.doubt = Some(Why::Ambiguous);
                if is_loose {
                    return Ok(Member::Other);
                }
                self.begin_arguments(spelling, here);
                Ok(Member::Arguments)
            }
        }
    }

    fn begin_arguments(&mut self, spelling: Option<Repair>, here: u32) {
        self.spelling = spelling;
        self.arguments = if self.has_name { Arguments::Emitted } else { Arguments::Before(here) };
    }

    /// More of a key of the arguments.
    fn hash_key(&mut self, text: &[u8]) {
        for &byte in text {
            self.argument_key = (self.argument_key ^ u64::from(byte)).wrapping_mul(0x0100_0000_01B3);
        }
    }

    fn argument_key_ended(&mut self) {
        let key = std::mem::replace(&mut self.argument_key, HASH);
        let known = self.keys.get(..self.keys_len).unwrap_or_default();
        if known.contains(&key) {
            self.repeats_key = true;
        } else if let Some(room) = self.keys.get_mut(self.keys_len) {
            *room = key;
            self.keys_len += 1;
        }
    }
}

/// Whether a token is of a key.
fn is_of_key(kind: Kind) -> bool {
    matches!(kind, Kind::Piece { is_key: true } | Kind::Character { is_key: true, .. } | Kind::Text { is_key: true })
}

/// The hash of no bytes: FNV-1a.
const HASH: u64 = 0xCBF2_9CE4_8422_2325;

impl Machine {
    /// The payload begins with the bracket that is read next.
    pub(super) fn begin_payload(&mut self, is_list: bool, here: u32, sink: &mut impl Sink) {
        if is_list {
            self.repairs |= Repair::List.bit();
            sink.record(Op::Check.at(self.mark, here));
        } else {
            self.payload = here;
            sink.record(Op::Begin.at(self.mark, here));
        }
        self.start_json(is_list, here);
    }

    /// Reading starts at a bracket; that of a list is read here.
    fn start_json(&mut self, is_list: bool, here: u32) {
        self.call = Call { is_list, is_silent: is_list, ..Call::START };
        self.json.restart(Rules::CALL, Rules::STRICT);
        self.phase = Phase::Json;
        if is_list {
            let mut bracket = Stretch::new(b"[", here, true);
            let _ = self.json.next(&mut bracket);
        }
    }

    pub(super) fn read_json(&mut self, text: &mut Stretch<'_>, sink: &mut impl Sink) -> Flow {
        let end = self.end;
        let Some(token) = self.json.next_before(text, end.text()) else {
            let is_at_end = text.is_at_end();
            if let Some(piece) = self.json.rest(text)
                && let flow @ (Flow::At(_) | Flow::Ask(_)) = self.take(piece, text, sink)
            {
                return flow;
            }
            return if is_at_end { Flow::Stop } else { Flow::Wait };
        };
        self.take(token, text, sink)
    }

    fn take(&mut self, token: Token, text: &mut Stretch<'_>, sink: &mut impl Sink) -> Flow {
        let depth = self.json.depth();
        let inside = depth.saturating_sub(self.call.depth());
        if !matches!(token.kind, Kind::Piece { .. } | Kind::Character { .. } | Kind::Fault(_)) {
            self.call.string_from = token.end;
        }
        match token.kind {
            Kind::Stumble => {
                self.payload_end = token.start;
                self.phase = Phase::Closer;
                Flow::Go
            }
            Kind::Fault(Fault::BadEscape) => {
                // Both characters stay, but a quote needs no backslash.
                self.repairs |= Repair::BadEscape.bit();
                if text.rest().first() == Some(&b'\'') {
                    self.json.drop_backslash();
                }
                Flow::Go
            }
            Kind::Fault(Fault::Quote) => {
                sink.record(Op::Quoted.at(self.call.looked_at.max(self.call.string_from), token.start));
                self.call.looked_at = token.end;
                self.ask(Ask::Quote)
            }
            Kind::Fault(_) => self.fail(Why::Malformed, token.start, sink),
            // The call's own object, or one of the list.
            Kind::Push(container) if depth == self.call.depth() => {
                if container != Container::Object {
                    return self.fail(Why::Malformed, token.start, sink);
                }
                let Call { is_list, is_silent, .. } = self.call;
                self.call = Call { is_list, is_silent, ..Call::START };
                if is_list && !is_silent {
                    sink.record(Op::Begin.at(self.mark, token.start));
                }
                Flow::Go
            }
            Kind::Pop(_) if depth + 1 == self.call.depth() => self.object_ended(token.end, sink),
            Kind::Pop(_) if depth == 0 => self.payload_ended(token.end),
            // In the list, between its calls.
            _ if depth < self.call.depth() => self.fail(Why::Malformed, token.start, sink),
            Kind::Piece { is_key: true } if inside == 0 => {
                self.key_piece(token, text);
                Flow::Go
            }
            Kind::Character { is_key: true, code } if inside == 0 => {
                let c = char::from_u32(code).unwrap_or(char::REPLACEMENT_CHARACTER);
                self.call.key_from.get_or_insert(token.start);
                self.call.add_to_key(c.encode_utf8(&mut [0; 4]).as_bytes());
                Flow::Go
            }
            Kind::Text { is_key: true } if inside == 0 => {
                self.key_piece(token, text);
                self.key_ended(token.end, text.here(), sink)
            }
            Kind::Push(_)
            | Kind::Pop(_)
            | Kind::Piece { .. }
            | Kind::Character { .. }
            | Kind::Text { .. }
            | Kind::Number
            | Kind::CutNumber
            | Kind::Word(_) => {
                if self.call.member == Member::Arguments && inside == 1 && is_of_key(token.kind) {
                    self.argument_key(token, text);
                }
                self.value(token, inside, sink)
            }
        }
    }

    fn key_piece(&mut self, token: Token, text: &mut Stretch<'_>) {
        // One with half a surrogate pair before the stretch has no meaning.
        let piece = text.slice(token.start, token.end).unwrap_or(b"??????????");
        self.call.key_from.get_or_insert(token.start);
        self.call.add_to_key(piece);
    }

    /// A token of the arguments' own keys. No key may come twice where a quote is repaired.
    fn argument_key(&mut self, token: Token, text: &mut Stretch<'_>) {
        match token.kind {
            Kind::Piece { .. } | Kind::Text { .. } => {
                self.call.hash_key(text.slice(token.start, token.end).unwrap_or_default());
                if matches!(token.kind, Kind::Text { .. }) {
                    self.call.argument_key_ended();
                }
            }
            Kind::Character { code, .. } => {
                let c = char::from_u32(code).unwrap_or(char::REPLACEMENT_CHARACTER);
                self.call.hash_key(c.encode_utf8(&mut [0; 4]).as_bytes());
            }
            Kind::Push(_)
            | Kind::Pop(_)
            | Kind::Number
            | Kind::CutNumber
            | Kind::Word(_)
            | Kind::Stumble
            | Kind::Fault(_) => {}
        }
    }

    fn key_ended(&mut self, end: u32, here: u32, sink: &mut impl Sink) -> Flow {
        let from = self.call.key_from.take().unwrap_or(end);
        let member = self.call.member(here);
        self.call.key_len = 0;
        let member = match member {
            Ok(member) => member,
            Err(why) => return self.fail(why, from, sink),
        };
        if member == Member::Arguments && !self.call.has_name {
            self.saved = self.json;
        }
        if member == Member::Other && self.call.arguments == Arguments::Missing {
            let is_first = !std::mem::replace(&mut self.call.has_other, true);
            sink.record(Op::Key { is_first }.at(from, end));
        }
        self.call.member = member;
        Flow::Go
    }

    /// A token of a member's value, which is `inside` containers.
    fn value(&mut self, token: Token, inside: u16, sink: &mut impl Sink) -> Flow {
        match self.call.member {
            Member::Other => Flow::Go,
            Member::Name => self.name(token, sink),
            Member::Arguments => self.argument(token, inside, sink),
        }
    }

    fn name(&mut self, token: Token, sink: &mut impl Sink) -> Flow {
        let Token { start, end, .. } = token;
        let is_string = matches!(token.kind, Kind::Piece { .. } | Kind::Character { .. } | Kind::Text { .. });
        if self.call.is_alias && !is_string {
            self.call.member = Member::Other;
            return Flow::Go;
        }
        let op = match token.kind {
            Kind::Piece { .. } | Kind::Text { .. } => Op::Name,
            Kind::Character { code, .. } => Op::NameCharacter(code),
            Kind::Push(_)
            | Kind::Pop(_)
            | Kind::Number
            | Kind::CutNumber
            | Kind::Word(_)
            | Kind::Stumble
            | Kind::Fault(_) => return self.fail(Why::NoName, start, sink),
        };
        if start < end {
            sink.record(op.at(start, end));
        }
        if !matches!(token.kind, Kind::Text { .. }) {
            return Flow::Go;
        }
        self.call.has_name = true;
        self.call.member = Member::Other;
        sink.record(Op::NameEnd { is_alias: self.call.is_alias }.at(end, end));
        self.ask(if self.call.is_alias { Ask::Alias } else { Ask::Name })
    }

    fn argument(&mut self, token: Token, inside: u16, sink: &mut impl Sink) -> Flow {
        let is_string = matches!(token.kind, Kind::Piece { .. } | Kind::Character { .. } | Kind::Text { .. });
        let is_value_start = match token.kind {
            Kind::Push(_) => inside == 1,
            Kind::Piece { .. } | Kind::Character { .. } | Kind::Text { .. } => {
                inside == 0 && !self.call.has_begun_string
            }
            Kind::Number | Kind::CutNumber | Kind::Word(_) => inside == 0,
            Kind::Pop(_) | Kind::Stumble | Kind::Fault(_) => false,
        };
        if is_value_start {
            let is_null = matches!(token.kind, Kind::Word(Literal::Null));
            let is_arguments = is_string || is_null || token.kind == Kind::Push(Container::Object);
            if !is_arguments && self.call.has_loose_key() && !self.call.has_name {
                // They may be another member's value, if the tool is not known.
                self.call.doubt = Some(Why::Malformed);
                self.call.arguments = Arguments::Missing;
                self.call.spelling = None;
                self.call.member = Member::Other;
                return Flow::Go;
            }
            if !is_arguments {
                return self.fail(Why::Malformed, token.start, sink);
            }
            self.call.has_begun_string = is_string;
            self.call.keys_len = 0;
            self.call.repeats_key = false;
            if self.call.emits() {
                sink.record(Op::Arguments.at(token.start, token.start));
            }
            if is_string && self.call.emits() {
                self.repairs |= Repair::EncodedArguments.bit();
            }
        }
        let emits = self.call.emits();
        if emits && let Some(record) = token.record() {
            sink.record(record);
        }
        let is_value_end = match token.kind {
            Kind::Pop(_) | Kind::Word(_) => inside == 0,
            Kind::Text { is_key } => inside == 0 && !is_key,
            Kind::Push(_)
            | Kind::Piece { .. }
            | Kind::Character { .. }
            | Kind::Number
            | Kind::CutNumber
            | Kind::Stumble
            | Kind::Fault(_) => false,
        };
        if !is_value_end {
            return Flow::Go;
        }
        self.call.member = Member::Other;
        let was_string = std::mem::take(&mut self.call.has_begun_string);
        match self.call.resume {
            // Asked first: the answer may be that it is not a call.
            _ if was_string && emits => self.ask(Ask::Arguments),
            Some(_) => self.arguments_read_again(sink),
            None => Flow::Go,
        }
    }

    /// At something that isn't JSON: what may end the payload early.
    pub(super) fn read_closer(&mut self, text: &mut Stretch<'_>, sink: &mut impl Sink) -> Flow {
        let at = self.payload_end;
        let (state, _) = self.json.place_of_fault();
        let is_closable = matches!(state, State::At(Place::After | Place::Key | Place::Element));
        match if is_closable { self.end.fits(text.rest()) } else { Some(0) } {
            None => Flow::Wait,
            Some(0) => self.fail(Why::Malformed, at, sink),
            Some(_) => {
                self.repairs |= Repair::MissingCloser.bit();
                self.call.member = Member::Other;
                let is_between_calls = self.json.depth() < self.call.depth();
                if is_between_calls { self.payload_ended(at) } else { self.object_ended(at, sink) }
            }
        }
    }

    /// The object of a call has ended.
    fn object_ended(&mut self, here: u32, sink: &mut impl Sink) -> Flow {
        if !self.call.has_name {
            return self.fail(Why::NoName, here, sink);
        }
        if self.call.has_loose_key() && !self.call.is_known {
            self.call.arguments = Arguments::Missing;
            self.call.spelling = None;
        }
        // A quote that ended a string too early made a key of what stands after it.
        let is_repaired = self.json.used().has(Rule::UnescapedQuote);
        if is_repaired && self.call.repeats_key {
            return self.fail(Why::Ambiguous, here, sink);
        }
        for spelling in [self.call.spelling, self.call.is_alias.then_some(Repair::Tool)].into_iter().flatten() {
            self.repairs |= spelling.bit();
        }
        if let Arguments::Before(at) = self.call.arguments
            && !self.call.is_silent
        {
            self.call.arguments = Arguments::Emitted;
            self.call.member = Member::Arguments;
            self.call.resume = Some(here);
            std::mem::swap(&mut self.json, &mut self.saved);
            self.phase = Phase::Json;
            return Flow::At(at);
        }
        self.object_read(here, sink)
    }

    /// All of the object was read. Where it may lack something, the program is asked.
    fn object_read(&mut self, here: u32, sink: &mut impl Sink) -> Flow {
        let is_missing = self.call.arguments == Arguments::Missing;
        // It is too late for a list: the calls before this one were emitted.
        let is_repaired = !self.call.is_list && self.json.used().has(Rule::UnescapedQuote);
        if !is_missing && !is_repaired {
            return self.object_emitted(here, sink);
        }
        self.payload_end = here;
        sink.record(Op::Whole { is_missing }.at(here, here));
        self.ask(Ask::Whole)
    }

    /// The arguments that come before the name were emitted.
    pub(super) fn arguments_read_again(&mut self, sink: &mut impl Sink) -> Flow {
        let here = self.call.resume.take().unwrap_or(self.payload_end);
        std::mem::swap(&mut self.json, &mut self.saved);
        let flow = self.object_read(here, sink);
        if matches!(flow, Flow::Go) { Flow::At(here) } else { flow }
    }

    pub(super) fn object_emitted(&mut self, here: u32, sink: &mut impl Sink) -> Flow {
        let is_cut = self.json.depth() >= self.call.depth();
        self.repairs |= u64::from(self.json.used().bits());
        if !self.call.is_list || is_cut {
            return self.payload_ended(here);
        }
        if !self.call.is_silent {
            self.done(here, sink);
        }
        self.phase = Phase::Json;
        Flow::Go
    }

    fn payload_ended(&mut self, here: u32) -> Flow {
        self.payload_end = here;
        self.phase = Phase::After;
        Flow::At(here)
    }

    /// After the payload: the end tag, or the next start tag, and before it what models leave there.
    pub(super) fn read_after(&mut self, text: &mut Stretch<'_>, sink: &mut impl Sink) -> Flow {
        loop {
            pass_space(self.payload_end, text);
            if text.rest().is_empty() {
                return Flow::Stop;
            }
            match self.leftover(text.rest()) {
                None => return Flow::Wait,
                Some((length @ 1.., repair)) if text.here() - self.payload_end < LONGEST_SPACE => {
                    self.repairs |= repair.bit();
                    text.pass(length);
                }
                Some(_) => break,
            }
        }
        let rest = text.rest();
        match (self.end.fits(rest), self.start.fits(rest)) {
            (Some(length @ 1..), _) => {
                let here = text.here();
                text.pass(length);
                self.call_ended(here, text.here(), sink)
            }
            (None, _) | (_, None) => Flow::Wait,
            (_, Some(length @ 1..)) => match self.begins_call(rest.get(length..).unwrap_or_default()) {
                None => Flow::Wait,
                Some(true) => {
                    self.repairs |= Repair::MissingEndTag.bit();
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
        let has_fence = self.repairs & Repair::Fence.bit() != 0;
        for (mark, repair) in [
            (&b"</think>"[..], Repair::StrayThink),
            (b"</thinking>", Repair::StrayThink),
            (if has_fence { FENCE } else { b"" }, Repair::Fence),
        ] {
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
        let here = self.payload_end;
        let _ = self.fail(Why::Malformed, here, sink);
        self.end_failed(here, here, sink);
        Flow::At(here)
    }

    /// The segment is whole; its payload ended before `tag`.
    fn call_ended(&mut self, tag: u32, here: u32, sink: &mut impl Sink) -> Flow {
        if self.call.is_silent {
            // Now it is known to be a list: it is read again from its bracket.
            self.repairs |= u64::from(self.json.used().bits());
            let from = self.payload;
            self.start_json(true, from);
            self.call.is_silent = false;
            return Flow::At(from + 1);
        }
        // The calls of a list are emitted where they end, except one that the end tag closed.
        if !self.call.is_list || self.json.depth() >= self.call.depth() {
            self.done(tag, sink);
        }
        self.end(here, sink);
        Flow::Go
    }
}
