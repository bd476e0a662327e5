//! A payload of JSON: calls with their names, objects whose keys are names, or the
//! arguments alone.
//!
//! ```text
//! json   ::= call | '[' call (',' call)* ']'     call  ::= '{' (name | arguments | id | other)* '}'
//! keyed  ::= item | '[' item (',' item)* ']'     item  ::= '{' NAME ':' arguments '}'
//! args   ::= object | string
//! ```
//!
//! Arguments before the name are emitted when the name is known: they are read again. What
//! is different with repairs is in `repaired.rs`.

use super::look::after;
use super::object::{Arguments, Call, Member, Repaired, spelling};
use super::tolerant::Place;
use super::{Ask, Flow, LONGEST_SPACE, Machine, Mode, Op, Phase, Why};
use crate::format::op::Repair;
use crate::format::row::{Body, Flag, Part, Row};
use crate::json::{Container, End, Fault, Kind, Literal, Place as JsonPlace, Rule, Rules, State, Token};
use crate::scan::{is_space, pass_space};
use crate::text::{Sink, Stretch};

const NULL: &[u8] = b"null";

/// What all closers of a call begin with.
fn closer(row: &Row) -> &[u8] {
    let parts = [Part::CallClose, Part::SectionClose, Part::MessageClose];
    let part = parts.into_iter().find(|&part| row.has(part)).unwrap_or(Part::CallClose);
    let mut marks = row.list(part);
    let first = marks.next().unwrap_or_default();
    marks.fold(first, |common, mark| {
        let length = common.iter().zip(mark).take_while(|(a, b)| a == b).count();
        common.get(..length).unwrap_or_default()
    })
}

/// Whether a token is of a string.
fn is_of_string(kind: Kind) -> bool {
    matches!(kind, Kind::Piece { .. } | Kind::Character { .. } | Kind::Text { .. })
}

impl Machine {
    pub(super) fn start_json(&mut self, row: &Row, here: u32) {
        let body = self.body;
        let (depth, has_name) = if body == Body::Args { (0, true) } else { (1, false) };
        self.call = Call { depth, has_name, ..Call::START };
        if body == Body::Args {
            self.call.member = Member::Arguments;
        }
        self.payload_end = here;
        let rules = match (row.is(Flag::Strict), self.is_bare) {
            (true, _) => row.rules(),
            // Prose may begin so.
            (_, true) => row.rules().without(Rule::Comment),
            (_, false) => row.rules().with(Rule::UnescapedQuote),
        };
        self.json.restart(rules, Rules::STRICT);
        self.phase = Phase::Json;
    }

    /// The same of a call with repairs, or of a list of such, whose bracket is read here.
    pub(super) fn start_repaired(&mut self, is_list: bool, is_silent: bool, here: u32) {
        let repaired = Repaired { is_silent, ..Repaired::START };
        self.call = Call { depth: 1 + u16::from(is_list), repaired, ..Call::START };
        self.json.restart(Rules::CALL, Rules::STRICT);
        self.phase = Phase::Json;
        if is_list {
            let mut bracket = Stretch::new(b"[", here, true);
            let _ = self.json.next(&mut bracket);
        }
    }

    /// What a caller may do with more of a string: half a surrogate pair that is pending has to
    /// be emitted with what follows.
    pub(super) fn json_mode(&self) -> Mode {
        let is_held = self.json.held_from(self.read) < self.read;
        let is_in_string = self.json.is_in_plain_string() && !is_held;
        match self.call.member {
            Member::Arguments if is_in_string && self.call.emits() && self.call.has_begun => Mode::String,
            Member::Arguments if is_in_string && !self.call.emits() => Mode::Silent,
            Member::Other if is_in_string => Mode::Silent,
            Member::Arguments | Member::Other | Member::Name | Member::Id => Mode::Read,
        }
    }

    #[inline(never)]
    pub(super) fn read_json(&mut self, row: &Row, text: &mut Stretch<'_>, sink: &mut impl Sink) -> Flow {
        if self.body == Body::Args && !self.call.has_begun && self.json.depth() == 0 {
            // They may be missing.
            if !pass_space(text, self.payload_end, LONGEST_SPACE) {
                return self.fail(Why::Malformed, self.payload, sink);
            }
            if text.is_at_end() && !self.is_last {
                return Flow::Stop;
            }
            let rest = text.rest();
            if !matches!(rest.first(), Some(b'{' | b'"' | b'\'' | b'n')) {
                return self.ask_whole(true, text.here(), sink);
            }
            // `nullable` is another word.
            if !self.is_last && rest.len() <= NULL.len() && NULL.starts_with(rest) {
                return Flow::Wait;
            }
            let next = rest.strip_prefix(NULL).and_then(|after| after.first());
            if next.is_some_and(|byte| byte.is_ascii_alphanumeric() || *byte == b'_') {
                return self.fail(Why::Malformed, self.payload, sink);
            }
        }
        if !self.is_tolerant()
            && let Some(flow) = self.read_missing(row, text, sink)
        {
            return flow;
        }
        // A text may end early before the closer.
        let end = if row.is(Flag::Strict) { &[] } else { closer(row) };
        let Some(token) = self.json.next_before(text, End::of(end)) else {
            let is_at_end = text.is_at_end();
            if let Some(piece) = self.json.rest(text)
                && let flow @ Flow::At(_) = self.take(piece, row, text, sink)
            {
                return flow;
            }
            return if is_at_end { Flow::Stop } else { Flow::Wait };
        };
        self.take(token, row, text, sink)
    }

    fn take(&mut self, token: Token, row: &Row, text: &mut Stretch<'_>, sink: &mut impl Sink) -> Flow {
        let depth = self.json.depth();
        let inside = depth.saturating_sub(self.call.depth);
        if !matches!(token.kind, Kind::Piece { .. } | Kind::Character { .. } | Kind::Fault(_)) {
            self.call.repaired.string_from = token.end;
        }
        match token.kind {
            Kind::Stumble | Kind::Fault(_) => self.take_fault(token, depth, sink),
            _ if self.body == Body::Args => {
                if depth == 1 {
                    self.argument_key(token, text);
                }
                self.argument(token, depth, sink)
            }
            Kind::Push(Container::Array) if depth == 1 && self.call.depth == 1 && !self.is_tolerant() => {
                self.call.depth = 2;
                Flow::Go
            }
            Kind::Push(container) if depth == self.call.depth => self.object_opened(container, token.start, sink),
            Kind::Pop(_) if depth + 1 == self.call.depth => self.object_ended(token.end, sink),
            Kind::Pop(_) if depth == 0 => self.payload_ended(token.end),
            // In the list, between its calls.
            _ if depth < self.call.depth => self.fail(Why::Malformed, token.start, sink),
            Kind::Piece { is_key: true } if inside == 0 => {
                self.key_piece(token, text, sink);
                Flow::Go
            }
            Kind::Character { is_key: true, code } if inside == 0 => {
                self.key_character(token, code, sink);
                Flow::Go
            }
            Kind::Text { is_key: true } if inside == 0 => {
                self.key_piece(token, text, sink);
                self.key_ended(row, token.end, text.here(), sink)
            }
            Kind::Push(_)
            | Kind::Pop(_)
            | Kind::Piece { .. }
            | Kind::Character { .. }
            | Kind::Text { .. }
            | Kind::Number
            | Kind::CutNumber
            | Kind::Word(_) => self.value_token(token, inside, text, sink),
        }
    }

    /// Something stands in the payload that isn't JSON.
    fn take_fault(&mut self, token: Token, depth: u16, sink: &mut impl Sink) -> Flow {
        let is_quote = token.kind == Kind::Fault(Fault::Quote);
        if token.kind == Kind::Stumble && self.is_tolerant() {
            self.payload_end = token.start;
            self.phase = Phase::Tolerant(Place::Closer);
            Flow::Go
        } else if is_quote && (self.is_tolerant() || depth >= self.call.depth) {
            self.quoted(token, sink)
        } else if !is_quote && !self.is_tolerant() && self.call.depth == 2 && depth == 1 && self.has_done {
            // A list that isn't closed, after a call.
            self.payload_ended(self.mark)
        } else {
            // A string in a list of calls is not a call either.
            self.fail(Why::Malformed, token.start, sink)
        }
    }

    /// The object of a call begins.
    fn object_opened(&mut self, container: Container, here: u32, sink: &mut impl Sink) -> Flow {
        if container != Container::Object {
            return self.fail(Why::Malformed, here, sink);
        }
        let Call { depth, repaired: Repaired { is_silent, .. }, .. } = self.call;
        self.call = Call { depth, repaired: Repaired { is_silent, ..Repaired::START }, ..Call::START };
        let is_next = if self.is_tolerant() { depth == 2 && !is_silent } else { self.has_done };
        if is_next {
            sink.record(self.begin_op().at(self.mark, here));
        }
        Flow::Go
    }

    /// A token of a member's value.
    fn value_token(&mut self, token: Token, inside: u16, text: &mut Stretch<'_>, sink: &mut impl Sink) -> Flow {
        match self.call.member {
            Member::Other => Flow::Go,
            Member::Name => self.name(token, sink),
            Member::Id => self.id(token, inside, sink),
            Member::Arguments => {
                if inside == 1 {
                    self.argument_key(token, text);
                }
                self.argument(token, inside, sink)
            }
        }
    }

    fn key_character(&mut self, token: Token, code: u32, sink: &mut impl Sink) {
        let c = char::from_u32(code).unwrap_or(char::REPLACEMENT_CHARACTER);
        self.call.repaired.key_from.get_or_insert(token.start);
        self.call.add_to_key(c.encode_utf8(&mut [0; 4]).as_bytes());
        if self.body == Body::Keyed {
            sink.record(Op::NameCharacter(code).at(token.start, token.end));
        }
    }

    fn key_piece(&mut self, token: Token, text: &mut Stretch<'_>, sink: &mut impl Sink) {
        // One with half a surrogate pair before the stretch has no meaning.
        let piece = text.slice(token.start, token.end).unwrap_or(b"??????????");
        self.call.repaired.key_from.get_or_insert(token.start);
        self.call.add_to_key(piece);
        if self.body == Body::Keyed && token.start < token.end {
            sink.record(Op::Name.at(token.start, token.end));
        }
    }

    fn key_ended(&mut self, row: &Row, end: u32, here: u32, sink: &mut impl Sink) -> Flow {
        let len = std::mem::take(&mut self.call.key_len);
        let from = self.call.repaired.key_from.take().unwrap_or(end);
        if self.body == Body::Keyed {
            if self.call.has_name {
                return self.fail(Why::Ambiguous, end, sink);
            }
            self.call.arguments = Arguments::Emitted;
            self.call.member = Member::Arguments;
            sink.record(Op::NameEnd { is_alias: false }.at(end, end));
            return self.ask(Ask::Name);
        }
        let key = self.call.key;
        let key = key.get(..len).unwrap_or_default();
        let member = if self.is_tolerant() {
            self.call.repaired_member(key, here)
        } else {
            self.call.member(key, row, self.is_bare, here)
        };
        let member = match member {
            Ok(member) => member,
            Err(why) => return self.fail(why, if self.is_tolerant() { from } else { end }, sink),
        };
        if member == Member::Arguments && !self.call.has_name {
            self.saved = self.json;
        }
        if member == Member::Other {
            self.other_key(from, end, sink);
        }
        let is_repaired = member == Member::Arguments && !self.is_tolerant();
        if is_repaired && !row.list(Part::ArgsKey).any(|known| known == key) {
            self.repairs |= spelling(key).map_or(0, Repair::bit);
        }
        self.call.member = member;
        self.call.has_begun = false;
        Flow::Go
    }

    fn name(&mut self, token: Token, sink: &mut impl Sink) -> Flow {
        let Token { start, end, .. } = token;
        if self.call.repaired.is_alias && !is_of_string(token.kind) {
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
        let is_alias = self.call.repaired.is_alias;
        self.call.member = Member::Other;
        sink.record(Op::NameEnd { is_alias }.at(end, end));
        self.ask(if is_alias { Ask::Alias } else { Ask::Name })
    }

    fn id(&mut self, token: Token, inside: u16, sink: &mut impl Sink) -> Flow {
        let op = match token.kind {
            Kind::Piece { .. } | Kind::Text { .. } | Kind::Number if inside == 0 => Op::Id,
            Kind::Character { code, .. } if inside == 0 => Op::IdCharacter(code),
            Kind::Push(_)
            | Kind::Pop(_)
            | Kind::Piece { .. }
            | Kind::Character { .. }
            | Kind::Text { .. }
            | Kind::Number
            | Kind::CutNumber
            | Kind::Word(_)
            | Kind::Stumble
            | Kind::Fault(_) => return Flow::Go,
        };
        if token.start < token.end {
            sink.record(op.at(token.start, token.end));
        }
        Flow::Go
    }

    fn argument(&mut self, token: Token, inside: u16, sink: &mut impl Sink) -> Flow {
        if !self.call.has_begun {
            let is_string = is_of_string(token.kind);
            let is_null = token.kind == Kind::Word(Literal::Null);
            if !is_string && !is_null && token.kind != Kind::Push(Container::Object) {
                if self.is_tolerant() && self.call.doubts_arguments() {
                    return Flow::Go;
                }
                return self.fail(Why::Malformed, token.start, sink);
            }
            self.call.has_begun = true;
            // Whether they may be absent is asked, as it is of a string.
            self.call.is_encoded = is_string || is_null;
            self.call.repaired.begin_arguments();
            if self.call.emits() {
                sink.record(Op::Arguments.at(token.start, token.start));
                if is_string {
                    self.repairs |= Repair::EncodedArguments.bit();
                }
            }
        }
        let emits = self.call.emits();
        if emits && let Some(record) = token.record() {
            sink.record(record);
        }
        let is_end = match token.kind {
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
        if !is_end {
            return Flow::Go;
        }
        if self.call.is_encoded && emits {
            if self.body == Body::Args {
                // After its quote.
                self.payload_end = token.end + u32::from(!matches!(token.kind, Kind::Word(_)));
            }
            // Asked first: the answer may be that it is not a call.
            return self.ask(Ask::Arguments);
        }
        self.arguments_read(token.end, sink)
    }

    /// The value of the arguments has ended, and is one.
    pub(super) fn arguments_read(&mut self, here: u32, sink: &mut impl Sink) -> Flow {
        self.call.member = Member::Other;
        if self.body == Body::Args {
            let end = if self.call.is_encoded { self.payload_end } else { here };
            return self.object_read(end, sink);
        }
        let Some(here) = self.call.resume.take() else { return Flow::Go };
        // The arguments that come before the name were emitted.
        std::mem::swap(&mut self.json, &mut self.saved);
        let flow = self.object_read(here, sink);
        if matches!(flow, Flow::Go) { Flow::At(here) } else { flow }
    }

    /// The object of a call has ended.
    pub(super) fn object_ended(&mut self, here: u32, sink: &mut impl Sink) -> Flow {
        if !self.call.has_name {
            return self.fail(Why::NoName, here, sink);
        }
        if self.is_tolerant() {
            self.settle_repairs();
        }
        if let Arguments::Before(at) = self.call.arguments
            && !self.call.repaired.is_silent
        {
            self.call.arguments = Arguments::Emitted;
            self.call.member = Member::Arguments;
            self.call.has_begun = false;
            self.call.resume = Some(here);
            std::mem::swap(&mut self.json, &mut self.saved);
            self.phase = Phase::Json;
            return Flow::At(at);
        }
        self.object_read(here, sink)
    }

    fn object_read(&mut self, here: u32, sink: &mut impl Sink) -> Flow {
        let is_missing = self.body != Body::Args && self.call.arguments == Arguments::Missing;
        let has_quotes = self.json.used().has(Rule::UnescapedQuote);
        // A quote that ended a string too early made a key of what stands after it.
        if has_quotes && self.call.repaired.repeats_key {
            return self.fail(Why::Ambiguous, here, sink);
        }
        if is_missing && self.is_bare {
            return self.fail(Why::Malformed, here, sink);
        }
        // It is too late for a list: the calls before this one were emitted.
        if is_missing || has_quotes && self.call.depth < 2 {
            return self.ask_whole(is_missing, here, sink);
        }
        self.json_taken(here, sink)
    }

    /// The program is asked whether what was read is a call, where it may lack something.
    fn ask_whole(&mut self, is_missing: bool, here: u32, sink: &mut impl Sink) -> Flow {
        self.payload_end = here;
        sink.record(Op::Whole { is_missing }.at(here, here));
        self.ask(Ask::Whole)
    }

    /// What was read is a call.
    pub(super) fn json_taken(&mut self, here: u32, sink: &mut impl Sink) -> Flow {
        if self.is_tolerant() {
            return self.call_taken(here, sink);
        }
        self.used = self.json.used();
        self.phase = Phase::Json;
        let is_cut = self.json.depth() >= self.call.depth;
        if self.call.depth < 2 || is_cut {
            return self.payload_ended(here);
        }
        self.call.member = Member::Other;
        self.done(here, sink);
        Flow::At(here)
    }

    /// The closer after a whole value: brackets are missing.
    fn read_missing(&mut self, row: &Row, text: &mut Stretch<'_>, sink: &mut impl Sink) -> Option<Flow> {
        let State::At(place) = self.json.state().0 else { return None };
        // With a quote that is part of a string it would be a guess.
        let may_end = matches!(place, JsonPlace::After | JsonPlace::Key | JsonPlace::Element)
            && !self.json.used().has(Rule::UnescapedQuote);
        if !may_end || self.json.depth() == 0 || self.is_bare || row.is(Flag::Strict) {
            return None;
        }
        let gap = text.rest().iter().take_while(|&&byte| is_space(byte) || byte == b',').count();
        let rest = after(text.rest(), gap);
        match rest.first() {
            None | Some(b'"' | b'\'' | b'}' | b']' | b'_' | b'$' | b'/') => return None,
            Some(byte) if byte.is_ascii_alphanumeric() => return None,
            Some(_) => {}
        }
        let mut closes = false;
        for part in [Part::CallClose, Part::SectionClose, Part::MessageClose] {
            match row.fits(part, rest, self.is_last) {
                None => return Some(Flow::Wait),
                Some(length) => closes |= length > 0,
            }
        }
        if !closes {
            return None;
        }
        text.pass(gap);
        let here = text.here();
        self.repairs |= Repair::MissingCloser.bit();
        self.call.member = Member::Other;
        Some(if self.body == Body::Args {
            self.object_read(here, sink)
        } else if self.json.depth() < self.call.depth {
            self.payload_ended(here)
        } else {
            self.object_ended(here, sink)
        })
    }
}
