//! A payload of JSON: calls with their names, objects whose keys are names, or the
//! arguments alone.
//!
//! ```text
//! json   ::= call | '[' call (',' call)* ']'     call  ::= '{' (name | arguments | id | other)* '}'
//! keyed  ::= item | '[' item (',' item)* ']'     item  ::= '{' NAME ':' arguments '}'
//! args   ::= object | string
//! ```
//!
//! Arguments before the name are emitted when the name is known: they are read again. Nothing of a tolerant row's list
//! is emitted before its closer is seen: the list is checked first, and then read again.

use super::object::{Arguments, Call, Member, Other, Repaired, spelling};
use super::payload::{Move, Payload};
use super::segment::Segment;
use super::{Ask, LONGEST_SPACE, Mode, Op, Why};
use crate::format::op::Repair;
use crate::format::row::{Body, Flag, Part, Row};
use crate::format::table::Table;
use crate::json::{
    Container, DEEPEST, End, Fault, Kind, Literal, Place as JsonPlace, Rule, Rules, State, Token, Tokenizer,
};
use crate::scan::{Short, after, is_space, pass_space};
use crate::text::{Sink, Stretch};

pub(super) const NULL: &[u8] = b"null";

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

/// Whether a token ends a value, if nothing is open around it.
pub(super) fn ends_value(kind: Kind) -> bool {
    match kind {
        Kind::Pop(_) | Kind::Word(_) | Kind::Number | Kind::CutNumber => true,
        Kind::Text { is_key } => !is_key,
        Kind::Push(_) | Kind::Piece { .. } | Kind::Character { .. } | Kind::Stumble | Kind::Fault(_) => false,
    }
}

/// Whether a token is of a string.
pub(super) fn is_of_string(kind: Kind) -> bool {
    matches!(kind, Kind::Piece { .. } | Kind::Character { .. } | Kind::Text { .. })
}

/// Whether a token is of a key.
fn is_of_key(kind: Kind) -> bool {
    matches!(kind, Kind::Piece { is_key: true } | Kind::Character { is_key: true, .. } | Kind::Text { is_key: true })
}

/// The op of a token of a string: of a piece of it, or of a character.
fn op_of(kind: Kind, piece: Op, character: fn(u32) -> Op) -> Option<Op> {
    let Kind::Character { code, .. } = kind else { return is_of_string(kind).then_some(piece) };
    Some(character(code))
}

/// The bytes that such a token stands for; `None` if it begins before the stretch.
fn bytes_of<'r, 't: 'r>(token: Token, text: &mut Stretch<'t>, room: &'r mut [u8; 4]) -> Option<&'r [u8]> {
    let Kind::Character { code, .. } = token.kind else { return text.slice(token.start, token.end) };
    Some(char::from_u32(code).unwrap_or(char::REPLACEMENT_CHARACTER).encode_utf8(room).as_bytes())
}

/// A payload of JSON that is read.
#[derive(Clone, Copy, Debug)]
#[cfg_attr(feature = "debug", derive(serde::Serialize))]
pub(super) struct Json {
    /// Where the arguments began that have to be read again; then, where that was.
    pub(super) saved: Tokenizer,
    /// The object of a call in it.
    pub(super) call: Call,
    /// Whether something stands at the payload's end so far that isn't JSON and may be the closer.
    pub(super) is_at_closer: bool,
}

impl Json {
    pub(super) const START: Json =
        Json { saved: Tokenizer::new(Rules::STRICT, DEEPEST), call: Call::START, is_at_closer: false };

    /// What a caller may do with more of a string: half a surrogate pair that is pending has to
    /// be emitted with what follows.
    pub(super) fn mode(&self, segment: &Segment, read: u32) -> Mode {
        let is_held = segment.tokens.held_from(read) < read;
        let is_in_string = segment.tokens.is_in_plain_string() && !is_held && !self.is_at_closer;
        match self.call.member {
            Member::Arguments if is_in_string && self.call.emits() && self.call.has_begun => Mode::String,
            Member::Arguments if is_in_string && !self.call.emits() => Mode::Silent,
            // Where its value begins has to be known.
            Member::Other if is_in_string && self.call.repaired.other != Other::Key => Mode::Silent,
            Member::Arguments | Member::Other | Member::Name | Member::Id => Mode::Read,
        }
    }

    /// Whether a value in prose that the stream ends in lacks closing brackets alone.
    pub(super) fn lacks_closers(&self, segment: &Segment, here: u32) -> bool {
        let is_at_end = segment.tokens.state().0 == State::At(JsonPlace::After);
        let may_end = is_at_end || segment.tokens.open_number(here).is_some();
        segment.form.is_value && !segment.is_cut_off && segment.tokens.depth() > 0 && may_end
    }

    /// Adds them.
    pub(super) fn close_at_last(&mut self, segment: &mut Segment, here: u32, sink: &mut impl Sink) -> Move {
        if let Some(number) = segment.tokens.open_number(here)
            && self.call.emits()
        {
            if !self.call.has_begun {
                return Move::Fail(Why::Malformed, here);
            }
            number.record().into_iter().for_each(|record| sink.record(record));
        }
        self.ends_early(segment, here, sink)
    }

    fn take(
        &mut self,
        segment: &mut Segment,
        token: Token,
        row: &Row,
        text: &mut Stretch<'_>,
        sink: &mut impl Sink,
    ) -> Move {
        let depth = segment.tokens.depth();
        let inside = depth.saturating_sub(self.call.depth);
        if !matches!(token.kind, Kind::Piece { .. } | Kind::Character { .. } | Kind::Fault(_)) {
            self.call.repaired.string_from = token.end;
        }
        match token.kind {
            Kind::Stumble | Kind::Fault(_) => self.take_fault(segment, token, depth, sink),
            _ if segment.body == Body::Args => {
                if depth == 1 {
                    self.argument_key(token, text);
                }
                self.argument(segment, token, depth, sink)
            }
            Kind::Push(Container::Array) if depth == 1 && self.call.depth == 1 => {
                self.call.depth = 2;
                Move::Go
            }
            Kind::Push(container) if depth == self.call.depth => {
                self.object_opened(segment, container, token.start, sink)
            }
            Kind::Pop(_) if depth + 1 == self.call.depth => self.object_ended(segment, token.end, sink),
            Kind::Pop(_) if depth == 0 => Move::Ended(token.end),
            // In the list, between its calls.
            _ if depth < self.call.depth => Move::Fail(Why::Malformed, token.start),
            kind if inside == 0 && is_of_key(kind) => self.key(segment, row, token, text, sink),
            Kind::Push(_)
            | Kind::Pop(_)
            | Kind::Piece { .. }
            | Kind::Character { .. }
            | Kind::Text { .. }
            | Kind::Number
            | Kind::CutNumber
            | Kind::Word(_) => self.value_token(segment, token, inside, text, sink),
        }
    }

    /// Something stands in the payload that isn't JSON.
    fn take_fault(&mut self, segment: &mut Segment, token: Token, depth: u16, sink: &mut impl Sink) -> Move {
        let is_quote = token.kind == Kind::Fault(Fault::Quote);
        if token.kind == Kind::Stumble && segment.form.has_own_end {
            segment.payload_end = token.start;
            self.is_at_closer = true;
            Move::Go
        } else if is_quote && depth >= self.call.depth {
            self.quoted(token, sink)
        } else if !is_quote && self.call.depth == 2 && depth == 1 && segment.known.has_done {
            // A list that isn't closed, after a call.
            Move::Ended(segment.mark)
        } else {
            // A string in a list of calls is not a call either.
            Move::Fail(Why::Malformed, token.start)
        }
    }

    /// The object of a call begins.
    fn object_opened(&mut self, segment: &mut Segment, container: Container, here: u32, sink: &mut impl Sink) -> Move {
        if container != Container::Object {
            return Move::Fail(Why::Malformed, here);
        }
        let Call { depth, repaired: Repaired { is_silent, .. }, .. } = self.call;
        self.call = Call { depth, repaired: Repaired { is_silent, ..Repaired::START }, ..Call::START };
        // What was only checked has not begun.
        let is_checked = segment.form.has_own_end && depth == 2;
        if segment.known.has_done || is_checked && !is_silent {
            sink.record(segment.begin_op().at(segment.mark, here));
        }
        Move::Go
    }

    /// A token of a member's value.
    fn value_token(
        &mut self,
        segment: &mut Segment,
        token: Token,
        inside: u16,
        text: &mut Stretch<'_>,
        sink: &mut impl Sink,
    ) -> Move {
        match self.call.member {
            Member::Other => {
                self.other_token(token, inside, sink);
                Move::Go
            }
            Member::Name => self.name(token, sink),
            Member::Id => self.id(token, inside, sink),
            Member::Arguments => {
                if inside == 1 {
                    self.argument_key(token, text);
                }
                self.argument(segment, token, inside, sink)
            }
        }
    }

    /// A token of a key of the call's object.
    fn key(
        &mut self,
        segment: &mut Segment,
        row: &Row,
        token: Token,
        text: &mut Stretch<'_>,
        sink: &mut impl Sink,
    ) -> Move {
        self.call.repaired.key_from.get_or_insert(token.start);
        // One with half a surrogate pair before the stretch has no meaning.
        self.call.add_to_key(bytes_of(token, text, &mut [0; 4]).unwrap_or(b"??????????"));
        if segment.body == Body::Keyed
            && token.start < token.end
            && let Some(op) = op_of(token.kind, Op::Name, Op::NameCharacter)
        {
            sink.record(op.at(token.start, token.end));
        }
        let is_over = matches!(token.kind, Kind::Text { .. });
        if is_over { self.key_ended(segment, row, token.end, text.here(), sink) } else { Move::Go }
    }

    fn key_ended(&mut self, segment: &mut Segment, row: &Row, end: u32, here: u32, sink: &mut impl Sink) -> Move {
        let len = std::mem::take(&mut self.call.key_len);
        let from = self.call.repaired.key_from.take().unwrap_or(end);
        if segment.body == Body::Keyed {
            if self.call.has_name {
                return Move::Fail(Why::Ambiguous, end);
            }
            self.call.arguments = Arguments::Emitted;
            self.call.member = Member::Arguments;
            sink.record(Op::NameEnd { is_alias: false }.at(end, end));
            return Move::Ask(Ask::Name);
        }
        let key = self.call.key;
        let key = key.get(..len).unwrap_or_default();
        let member = match self.call.member(key, row, segment.form.is_bare && !segment.form.is_value, here) {
            Ok(member) => member,
            Err(why) => return Move::Fail(why, end),
        };
        if member == Member::Arguments && !self.call.has_name {
            self.saved = segment.tokens;
        }
        if member == Member::Other {
            self.other_key(from, end, sink);
        }
        let is_repaired = member == Member::Arguments && self.call.repaired.spelling.is_none();
        if is_repaired && !row.list(Part::ArgsKey).any(|known| known == key) {
            segment.known.repairs |= spelling(key).map_or(0, Repair::bit);
        }
        self.call.member = member;
        self.call.has_begun = false;
        Move::Go
    }

    fn name(&mut self, token: Token, sink: &mut impl Sink) -> Move {
        let Token { start, end, .. } = token;
        let is_alias = self.call.repaired.is_alias;
        let Some(op) = op_of(token.kind, Op::Name, Op::NameCharacter) else {
            self.call.member = Member::Other;
            return if is_alias { Move::Go } else { Move::Fail(Why::NoName, start) };
        };
        if start < end {
            sink.record(op.at(start, end));
        }
        if !matches!(token.kind, Kind::Text { .. }) {
            return Move::Go;
        }
        self.call.member = Member::Other;
        sink.record(Op::NameEnd { is_alias }.at(end, end));
        Move::Ask(if is_alias { Ask::Alias } else { Ask::Name })
    }

    fn id(&mut self, token: Token, inside: u16, sink: &mut impl Sink) -> Move {
        let op = match op_of(token.kind, Op::Id, Op::IdCharacter) {
            None if token.kind == Kind::Number => Some(Op::Id),
            op => op,
        };
        if let Some(op) = op.filter(|_| inside == 0 && token.start < token.end) {
            sink.record(op.at(token.start, token.end));
        }
        Move::Go
    }

    fn argument(&mut self, segment: &mut Segment, token: Token, inside: u16, sink: &mut impl Sink) -> Move {
        if !self.call.has_begun {
            let is_string = is_of_string(token.kind);
            let is_null = token.kind == Kind::Word(Literal::Null);
            if !is_string && !is_null && token.kind != Kind::Push(Container::Object) {
                if self.call.doubts_arguments() {
                    return Move::Go;
                }
                return Move::Fail(Why::Malformed, token.start);
            }
            self.call.has_begun = true;
            // Whether they may be absent is asked, as it is of a string.
            self.call.is_encoded = is_string || is_null;
            self.call.repaired.begin_arguments();
            if self.call.emits() {
                sink.record(Op::Arguments.at(token.start, token.start));
                if is_string {
                    segment.known.repairs |= Repair::EncodedArguments.bit();
                }
            }
        }
        let emits = self.call.emits();
        if emits && let Some(record) = token.record() {
            sink.record(record);
        }
        if inside > 0 || !ends_value(token.kind) {
            return Move::Go;
        }
        if self.call.is_encoded && emits {
            if segment.body == Body::Args {
                // After its quote.
                segment.payload_end = token.end + u32::from(!matches!(token.kind, Kind::Word(_)));
            }
            // Asked first: the answer may be that it is not a call.
            return Move::Ask(Ask::Arguments);
        }
        self.arguments_read(segment, token.end, sink)
    }

    /// The value of the arguments has ended, and is one.
    pub(super) fn arguments_read(&mut self, segment: &mut Segment, here: u32, sink: &mut impl Sink) -> Move {
        self.call.member = Member::Other;
        if segment.body == Body::Args {
            let end = if self.call.is_encoded { segment.payload_end } else { here };
            return self.object_read(segment, end, sink);
        }
        let Some(here) = self.call.resume.take() else { return Move::Go };
        // The arguments that come before the name were emitted.
        std::mem::swap(&mut segment.tokens, &mut self.saved);
        let flow = self.object_read(segment, here, sink);
        if matches!(flow, Move::Go) { Move::At(here) } else { flow }
    }

    /// The object of a call has ended.
    pub(super) fn object_ended(&mut self, segment: &mut Segment, here: u32, sink: &mut impl Sink) -> Move {
        if !self.call.has_name {
            return Move::Fail(Why::NoName, here);
        }
        segment.known.repairs |= self.call.settle_repairs();
        if let Arguments::Before(at) = self.call.arguments
            && !self.call.repaired.is_silent
        {
            self.call.arguments = Arguments::Emitted;
            self.call.member = Member::Arguments;
            self.call.has_begun = false;
            self.call.resume = Some(here);
            std::mem::swap(&mut segment.tokens, &mut self.saved);
            return Move::At(at);
        }
        self.object_read(segment, here, sink)
    }

    fn object_read(&mut self, segment: &mut Segment, here: u32, sink: &mut impl Sink) -> Move {
        let is_missing = segment.body != Body::Args && self.call.arguments == Arguments::Missing;
        let has_quotes = segment.tokens.used().has(Rule::UnescapedQuote);
        // A quote that ended a string too early made a key of what stands after it.
        if has_quotes && self.call.repaired.repeats_key {
            return Move::Fail(Why::Ambiguous, here);
        }
        if is_missing && segment.form.is_bare && !segment.form.is_value {
            return Move::Fail(Why::Malformed, here);
        }
        // It is too late for a list: the calls before this one were emitted.
        let is_whole_asked = segment.form.is_value && segment.body == Body::Args;
        if is_missing || is_whole_asked || has_quotes && self.call.depth < 2 {
            return self.ask_whole(segment, is_missing, here, sink);
        }
        self.taken(segment, here, sink)
    }

    /// The program is asked whether what was read is a call, where it may lack something.
    fn ask_whole(&mut self, segment: &mut Segment, is_missing: bool, here: u32, sink: &mut impl Sink) -> Move {
        segment.payload_end = here;
        sink.record(Op::Whole { is_missing }.at(here, here));
        Move::Ask(Ask::Whole)
    }

    /// What was read is a call.
    pub(super) fn taken(&mut self, segment: &mut Segment, here: u32, sink: &mut impl Sink) -> Move {
        segment.known.used = segment.tokens.used();
        let is_cut = segment.tokens.depth() >= self.call.depth;
        if self.call.depth < 2 || is_cut {
            return Move::Ended(here);
        }
        self.call.member = Member::Other;
        if segment.form.has_own_end || self.call.repaired.is_silent {
            if !self.call.repaired.is_silent {
                segment.record_done(here, sink);
            }
            return Move::Go;
        }
        segment.payload_end = here;
        Move::Done(here)
    }

    /// A quote that is part of a string.
    fn quoted(&mut self, token: Token, sink: &mut impl Sink) -> Move {
        let Repaired { looked_at, string_from, .. } = self.call.repaired;
        sink.record(Op::Quoted.at(looked_at.max(string_from), token.start));
        self.call.repaired.looked_at = token.end;
        Move::Ask(Ask::Quote)
    }

    /// A token of the arguments' own keys. No key may come twice where a quote is repaired.
    fn argument_key(&mut self, token: Token, text: &mut Stretch<'_>) {
        if !is_of_key(token.kind) {
            return;
        }
        self.call.repaired.hash_key(bytes_of(token, text, &mut [0; 4]).unwrap_or_default());
        if matches!(token.kind, Kind::Text { .. }) {
            self.call.repaired.argument_key_ended();
        }
    }

    /// The key of another member.
    fn other_key(&mut self, from: u32, end: u32, sink: &mut impl Sink) {
        let is_first = !std::mem::replace(&mut self.call.repaired.has_other, true);
        self.call.repaired.other = Other::Key;
        sink.record(Op::Key { is_first }.at(from, end));
    }

    /// A token of its value.
    fn other_token(&mut self, token: Token, inside: u16, sink: &mut impl Sink) {
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
    fn read_closer(&mut self, segment: &mut Segment, row: &Row, text: &mut Stretch<'_>, sink: &mut impl Sink) -> Move {
        let at = segment.payload_end;
        let (state, _) = segment.tokens.place_of_fault();
        let is_closable = matches!(state, State::At(JsonPlace::After | JsonPlace::Key | JsonPlace::Element));
        match if is_closable { row.fits(Part::CallClose, text.rest(), false) } else { Ok(0) } {
            Err(Short) => Move::Wait,
            Ok(0) => Move::Fail(Why::Malformed, at),
            Ok(_) => {
                self.is_at_closer = false;
                self.ends_early(segment, at, sink)
            }
        }
    }

    /// The closer after a whole value: brackets are missing.
    fn read_missing(
        &mut self,
        segment: &mut Segment,
        row: &Row,
        text: &mut Stretch<'_>,
        sink: &mut impl Sink,
    ) -> Option<Move> {
        let State::At(place) = segment.tokens.state().0 else { return None };
        // With a quote that is part of a string it would be a guess.
        let may_end = matches!(place, JsonPlace::After | JsonPlace::Key | JsonPlace::Element)
            && !segment.tokens.used().has(Rule::UnescapedQuote);
        let has_end = !segment.form.is_bare || segment.is_in_fence;
        if !may_end || segment.tokens.depth() == 0 || !has_end || row.is(Flag::Strict) {
            return None;
        }
        let gap = text.rest().iter().take_while(|&&byte| is_space(byte) || byte == b',').count();
        let rest = after(text.rest(), gap);
        match rest.first() {
            None | Some(b'"' | b'\'' | b'}' | b']' | b'_' | b'$' | b'/') => return None,
            Some(byte) if byte.is_ascii_alphanumeric() => return None,
            Some(_) => {}
        }
        let Ok(mut closes) = segment.closes_fence(rest) else { return Some(Move::Wait) };
        for part in [Part::CallClose, Part::SectionClose, Part::MessageClose] {
            match row.fits(part, rest, segment.is_last) {
                Err(Short) => return Some(Move::Wait),
                Ok(length) => closes |= length > 0,
            }
        }
        if !closes {
            return None;
        }
        text.pass(gap);
        let here = text.here();
        Some(self.ends_early(segment, here, sink))
    }

    /// The payload ends here, where brackets are open.
    fn ends_early(&mut self, segment: &mut Segment, here: u32, sink: &mut impl Sink) -> Move {
        segment.known.repairs |= Repair::MissingCloser.bit();
        self.call.member = Member::Other;
        if segment.body == Body::Args {
            self.object_read(segment, here, sink)
        } else if segment.tokens.depth() < self.call.depth {
            Move::Ended(here)
        } else {
            self.object_ended(segment, here, sink)
        }
    }
}

impl Payload for Json {
    fn begin(&mut self, segment: &mut Segment, row: &Row, here: u32) {
        self.is_at_closer = false;
        let body = segment.body;
        let (depth, has_name) = if body == Body::Args { (0, true) } else { (1, false) };
        self.call = Call { depth, has_name, ..Call::START };
        if body == Body::Args {
            self.call.member = Member::Arguments;
        }
        segment.payload_end = here;
        let rules = match (row.is(Flag::Strict), segment.form.is_bare) {
            (true, _) => row.rules(),
            _ if segment.form.is_value => row.rules(),
            // Prose may begin so.
            (_, true) => row.rules().without(Rule::Comment),
            (_, false) => row.rules().with(Rule::UnescapedQuote),
        };
        segment.tokens.reset(rules, Rules::STRICT);
    }

    #[inline(never)]
    fn read(&mut self, segment: &mut Segment, table: &Table, text: &mut Stretch<'_>, sink: &mut impl Sink) -> Move {
        let row = segment.row(table);
        if self.is_at_closer {
            return self.read_closer(segment, row, text, sink);
        }
        if segment.body == Body::Args && !self.call.has_begun && segment.tokens.depth() == 0 {
            // They may be missing.
            if !pass_space(text, segment.payload_end, LONGEST_SPACE) {
                return Move::Fail(Why::Malformed, segment.payload);
            }
            if text.is_at_end() && !segment.is_last {
                return Move::Stop;
            }
            let rest = text.rest();
            if !matches!(rest.first(), Some(b'{' | b'"' | b'\'' | b'n')) {
                return self.ask_whole(segment, true, text.here(), sink);
            }
            // `nullable` is another word.
            if !segment.is_last && rest.len() <= NULL.len() && NULL.starts_with(rest) {
                return Move::Wait;
            }
            let next = rest.strip_prefix(NULL).and_then(|after| after.first());
            if next.is_some_and(|byte| byte.is_ascii_alphanumeric() || *byte == b'_') {
                return Move::Fail(Why::Malformed, segment.payload);
            }
        }
        if !segment.form.has_own_end
            && let Some(step) = self.read_missing(segment, row, text, sink)
        {
            return step;
        }
        // A text may end early before the closer.
        let end = if row.is(Flag::Strict) { &[] } else { closer(row) };
        let Some(token) = segment.tokens.next_before(text, End::of(end)) else {
            let is_at_end = text.is_at_end();
            if let Some(piece) = segment.tokens.rest(text)
                && let failed @ Move::Fail(..) = self.take(segment, piece, row, text, sink)
            {
                return failed;
            }
            return if is_at_end { Move::Stop } else { Move::Wait };
        };
        self.take(segment, token, row, text, sink)
    }

    fn release(&mut self, units: u32) {
        self.saved.release(units);
        self.call.release(units);
    }
}
