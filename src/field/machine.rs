//! Finds the document in a stream and reads it.
//!
//! A candidate begins at a bracket in prose. It is taken (`Confirm`) as soon as
//! one of its keys, or its first element, shows that it is meant; until then nothing
//! of it is emitted, its text is buffered, and when it fails or ends the search goes
//! on after its bracket. A document in prose may be withdrawn for a better one.
//! A candidate in thinking is taken only if the thinking never closes.
//!
//! Source: spec/field.md, "Finding the document"; spec/world.md, 1.5 and 6.1.

use super::candidate::{Candidate, Keys, Verdict, is_number, is_string};
use super::op::{Mode, Op};
use super::prose::{Prose, Rank, Sight};
use super::search::Search;
use super::shape::{Shape, Wanted};
use crate::json::{Container, End, Failure, Fault, Kind, Number, Rule, Rules, State, Token, Tokenizer};
use crate::text::{self, Outcome, Record, Sink, Steps, Stretch, numbered};

/// Units that a candidate's text is buffered for, so that it can be searched when it fails.
///
/// ```
/// use tokenweir::field::{FieldParser, Options, REACH};
/// let mut parser = FieldParser::new(Options::default());
/// let text = "{\n".to_owned() + &" ".repeat(REACH as usize * 2);
/// parser.feed(&text)?;
/// assert!(parser.held() <= REACH);
/// # Ok::<(), tokenweir::Error>(())
/// ```
pub const REACH: u32 = 1_024;

/// Units that are withheld of a document while none of its keys is the schema's.
/// Past that it is emitted as if there were no schema.
///
/// ```
/// use tokenweir::field::{EventKind, FieldParser, Options, Shape, WITHHELD};
/// let keys = Some(vec!["a".to_owned()]);
/// let mut parser = FieldParser::new(Options { shape: Shape::Object, keys, ..Options::default() });
/// let text = "{\"b\": \"".to_owned() + &"x".repeat(WITHHELD as usize);
/// let events = parser.feed(&text)?;
/// assert!(events.iter().any(|event| event.kind == EventKind::Mismatch));
/// # Ok::<(), tokenweir::Error>(())
/// ```
pub const WITHHELD: u32 = 65_536;

/// Most records that one move makes.
const ROOM: usize = 8;

/// The machine's own bit: the document could be closed after what was read.
pub const CLOSABLE: u32 = 1;

numbered! {
    /// What the machine asks.
    #[repr(u8)]
    pub enum Ask {
        /// Whether the last key is one of the schema's.
        Key = 1,
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "debug", derive(serde::Serialize))]
enum Phase {
    /// Outside of documents.
    Prose,
    /// After a bracket or a tag, which may be in inline code, and where it begins.
    Quoted { from: u32 },
    /// In what may be one.
    Candidate,
    /// In a document.
    Document,
    /// In the text of a fence, which may be one value.
    Fence,
}

/// The whole parser but for values: plain bytes without pointers.
#[derive(Clone, Copy, Debug)]
#[cfg_attr(feature = "debug", derive(serde::Serialize))]
pub struct Machine {
    json: Tokenizer,
    prose: Prose,
    phase: Phase,
    candidate: Candidate,
    /// The document that was emitted may still be withdrawn for one above this rank.
    emitted: Option<Rank>,
    wanted: Wanted,
    emits_numbers: bool,
    rules: Rules,
    /// The rules that documents were read by.
    used: Rules,
    search: Search,
    /// Something was found in thinking.
    has_thought: bool,
    /// The value is in a fence.
    is_fenced: bool,
    /// A number or a word in a fence, until the fence is closed.
    value: Option<Token>,
    /// What is wrong with a text that is no value, unless a fence has one.
    failed: Option<Fault>,
    /// Units read so far, each time that they were.
    steps: Steps,
}

impl Machine {
    /// A machine at the start of a stream.
    #[must_use]
    pub const fn new(shape: Shape, rules: Rules, max_depth: u16) -> Machine {
        Machine {
            json: Tokenizer::new(rules, max_depth),
            prose: Prose::START,
            phase: Phase::Prose,
            candidate: Candidate::new(0, Rank::Clear, Container::Text),
            emitted: None,
            wanted: Wanted { shape, is_nullable: false, is_multiple: false },
            emits_numbers: false,
            rules,
            used: Rules::STRICT,
            search: Search::START,
            has_thought: false,
            is_fenced: false,
            value: None,
            failed: None,
            steps: Steps::NONE,
        }
    }

    /// `is_nullable`: a root array's elements may be null. `is_multiple`: all
    /// documents are emitted. `emits_numbers`: so is what there is of a number at a
    /// stretch's end. `is_bare`: the stream is one value and nothing else.
    pub fn configure(&mut self, is_nullable: bool, is_multiple: bool, emits_numbers: bool, is_bare: bool) {
        self.wanted = Wanted { is_nullable, is_multiple, ..self.wanted };
        self.emits_numbers = emits_numbers;
        if is_bare {
            self.phase = Phase::Document;
        }
    }

    /// The reply begins inside thinking.
    pub fn start_with_thinking(&mut self) {
        self.prose.is_thinking = true;
    }

    /// The value is one in a fence, if there is any.
    pub fn seek_fences(&mut self) {
        self.prose.seeks_fences = true;
    }

    /// Documents in Markdown code are text, but for fences of JSON.
    pub fn skip_code(&mut self) {
        self.prose.skips_code = true;
    }

    /// The rules that something was read by.
    #[must_use]
    pub fn used(&self) -> Rules {
        if self.phase == Phase::Document { self.json.used() } else { self.used }
    }

    /// Whether what was read of the document is one once it is closed.
    #[must_use]
    pub fn could_be_closed(&self) -> bool {
        match self.phase {
            Phase::Document => self.json.could_be_closed(),
            Phase::Prose | Phase::Quoted { .. } => self.emitted.is_some(),
            Phase::Candidate | Phase::Fence => false,
        }
    }

    fn outcome(&mut self, next: u32, held_from: u32, ask: Option<Ask>) -> Outcome<Ask> {
        self.json.release(held_from);
        self.candidate.release(held_from);
        self.search.release(held_from);
        self.prose.release(held_from);
        if let Phase::Quoted { from } = &mut self.phase {
            *from = from.saturating_sub(held_from);
        }
        if let Some(value) = &mut self.value {
            (value.start, value.end) = (value.start.saturating_sub(held_from), value.end.saturating_sub(held_from));
        }
        Outcome { ask, ..Outcome::new(next, held_from) }
    }

    fn held_from(&self, here: u32) -> u32 {
        match self.phase {
            Phase::Prose => here,
            Phase::Quoted { from } => from,
            Phase::Fence => self.candidate.start,
            Phase::Document => self.json.held_from(here),
            // Beyond its reach it isn't searched again, so it needn't be buffered.
            Phase::Candidate if self.candidate.is_gone || here.saturating_sub(self.candidate.start) > self.reach() => {
                self.json.held_from(here)
            }
            Phase::Candidate => self.candidate.start.min(self.json.held_from(here)),
        }
    }

    /// How much of a candidate can be searched when it fails.
    fn reach(&self) -> u32 {
        if self.wanted.shape.asks() { WITHHELD } else { REACH }
    }

    /// Whether nothing was found in a candidate for too long.
    fn is_withheld_too_long(&self, here: u32) -> bool {
        let it = &self.candidate;
        let is_withheld = self.phase == Phase::Candidate && !it.keys.agree && !it.is_taken;
        is_withheld && here.saturating_sub(it.start) > WITHHELD
    }

    /// What there is of a text, and where it is wanted of a number.
    fn end_stretch(&mut self, text: &mut Stretch<'_>, sink: &mut impl Sink) -> Next {
        if self.is_withheld_too_long(text.here()) {
            self.mismatch(sink);
        }
        if let Some(token) = self.json.rest(text)
            && !self.fails_later(token)
        {
            let next = self.take(token, text.here(), sink);
            if !matches!(next, Next::Go) {
                return next;
            }
        }
        if self.emits_numbers
            && let Some(token) = self.json.open_number(text.here())
            && !self.fails_later(token)
        {
            self.take(token, text.here(), sink);
        }
        Next::Stop
    }

    /// Whether a candidate fails by a value when only its kind is known so far. It
    /// then fails at the next token, so that the place doesn't depend on the cut.
    fn fails_later(&mut self, token: Token) -> bool {
        let has_begun = token.kind == Kind::CutNumber || token.start == token.end;
        has_begun && self.phase == Phase::Candidate && matches!(self.judge(token), Verdict::Drop)
    }

    fn read_prose(&mut self, text: &mut Stretch<'_>, first: &mut Option<usize>, sink: &mut impl Sink) {
        match self.prose.read(text) {
            None => {}
            Some(Sight::Quoted) => self.phase = Phase::Quoted { from: text.here() },
            Some(Sight::EndOfThinking) => self.end_thinking(text.here(), sink),
            Some(Sight::UnopenedEnd) => self.emitted = self.emitted.map(|_| Rank::Weak),
            Some(Sight::Fenced) => self.begin_fence(text.here()),
            Some(Sight::Bracket) if self.prose.seeks_fences => self.pass_bracket(text),
            Some(Sight::Bracket) => self.read_bracket(text, first, sink),
        }
    }

    /// A bracket begins no candidate.
    fn pass_bracket(&mut self, text: &mut Stretch<'_>) {
        text.set_at(text.at() + 1);
        self.prose.pass_bracket();
        self.prose.has_read_text();
    }

    /// A bracket begins a candidate, if the document can begin with it and may be a better one.
    fn read_bracket(&mut self, text: &mut Stretch<'_>, first: &mut Option<usize>, sink: &mut impl Sink) {
        let Wanted { shape, is_multiple, .. } = self.wanted;
        let is_object = text.rest().first() == Some(&b'{');
        let root = if is_object { Container::Object } else { Container::Array };
        if !shape.fits(root) {
            self.pass_bracket(text);
            return self.prose.shell.enter_other();
        }
        let is_thought = self.prose.is_thinking;
        let rank = if is_thought { Rank::Prose } else { self.prose.rank() };
        if self.emitted.is_some_and(|emitted| is_thought || !emitted.gives_way_to(rank) && !is_multiple) {
            return self.pass_bracket(text);
        }
        let is_sure = rank.is_clear() || shape != Shape::Any;
        let rules = match (is_sure, is_object) {
            (false, _) => careful(self.rules, is_object),
            (true, true) => self.rules,
            // `[x]` may be a box to tick.
            (true, false) => self.rules.without(Rule::LoneWord),
        };
        self.json.reset(rules, self.used);
        let start = text.here();
        *first = Some(text.at());
        self.phase = Phase::Candidate;
        let is_inner = self.search.begin(start);
        let keys = Keys::of(!shape.asks());
        let known = Candidate::new(start, rank, root);
        self.candidate = Candidate { keys, is_thought, is_inner, is_firm: is_sure, ..known };
        sink.record(Op::Candidate.at(start, start));
    }

    /// The text of a fence may be one value.
    fn begin_fence(&mut self, start: u32) {
        let rank = self.prose.rank();
        if self.emitted.is_some_and(|emitted| !emitted.gives_way_to(rank)) && !self.wanted.is_multiple {
            return;
        }
        self.phase = Phase::Fence;
        self.value = None;
        self.json.reset(self.rules, self.used);
        self.candidate = Candidate::new(start, rank, Container::Text);
    }

    /// The next token in a fence. A string is a value immediately, others when the fence is closed.
    fn read_fence(&mut self, text: &mut Stretch<'_>, sink: &mut impl Sink) -> Next {
        let end = self.prose.end_of_fence();
        let token = self.json.next_before(text, End::of(end)).or_else(|| self.json.rest(text));
        let start = self.candidate.start;
        if text.here().saturating_sub(start) > REACH && !token.is_some_and(|token| is_string(token.kind)) {
            self.phase = Phase::Prose;
            return Next::Back(start);
        }
        match token {
            None => Next::Stop,
            Some(token) if is_string(token.kind) => {
                self.confirm_fence(token, sink);
                self.take(token, text.here(), sink)
            }
            Some(token) if matches!(token.kind, Kind::Number | Kind::Word(_)) => {
                self.value = Some(token);
                Next::Go
            }
            Some(_) => {
                self.phase = Phase::Prose;
                match self.value.take() {
                    Some(value) if text.rest().first() == end.first() => {
                        self.confirm_fence(value, sink);
                        self.take(value, value.end, sink);
                        Next::Back(value.end)
                    }
                    _ => Next::Back(start),
                }
            }
        }
    }

    fn confirm_fence(&mut self, token: Token, sink: &mut impl Sink) {
        self.is_fenced = true;
        self.failed = None;
        sink.record(Op::Candidate.at(token.start, token.start));
        self.confirm(token.start, sink);
    }

    /// After what may be in inline code, up to what says so.
    fn read_quoted(&mut self, from: u32, text: &mut Stretch<'_>) -> Next {
        while let Some(&byte) = text.rest().first() {
            if self.prose.code.read_ahead(byte, text.here()) {
                self.phase = Phase::Prose;
                return Next::Back(from);
            }
            text.pass(1);
        }
        Next::Stop
    }

    /// It failed after `here`, by what stands at `at`.
    fn drop_candidate(&mut self, at: u32, here: u32, sink: &mut impl Sink) -> Next {
        sink.record(Op::Drop.at(at, at));
        self.phase = Phase::Prose;
        self.prose.has_read_text();
        Next::Search(here)
    }

    /// Thinking ends: nothing that was found in it counts.
    fn end_thinking(&mut self, here: u32, sink: &mut impl Sink) {
        if std::mem::take(&mut self.has_thought) {
            sink.record(Op::Forget.at(here, here));
        }
    }

    /// The document is not the schema's, as far as can be waited for.
    fn mismatch(&mut self, sink: &mut impl Sink) {
        let at = self.candidate.start + WITHHELD;
        self.candidate.keys.agree = true;
        self.accept(at, sink);
        sink.record(Op::Mismatch.at(at, at));
    }

    /// A candidate is a document.
    fn accept(&mut self, at: u32, sink: &mut impl Sink) {
        if self.candidate.is_thought {
            self.candidate.is_taken = true;
        } else {
            self.confirm(at, sink);
        }
    }

    /// A candidate has ended, or the stream in it, and is emitted if nothing better comes.
    fn keep(&mut self, at: u32, sink: &mut impl Sink) -> Next {
        let it = &self.candidate;
        let op = match (it.is_inner, it.is_thought) {
            (true, _) => Op::Drop,
            (false, true) => Op::Thought,
            (false, false) => Op::Fallback,
        };
        self.has_thought |= op == Op::Thought;
        sink.record(op.at(at, at));
        self.phase = Phase::Prose;
        if it.keys.agree {
            return Next::Prose;
        }
        // What is part of it may be better.
        if !it.is_inner {
            self.search.pass(it.start, at);
        }
        self.candidate.strings.sound_until = at;
        self.prose.has_read_text();
        Next::Search(at)
    }

    /// Takes a token of a candidate or a document.
    fn take(&mut self, token: Token, here: u32, sink: &mut impl Sink) -> Next {
        if token.kind == Kind::Fault(Fault::Quote) {
            self.candidate.is_doubtful |= !self.candidate.is_firm;
            return Next::Go;
        }
        if token.kind == (Kind::Text { is_key: false }) {
            // It was a string, but perhaps not of JSON.
            self.candidate.is_faulty |= std::mem::take(&mut self.candidate.is_doubtful);
        }
        if self.is_withheld_too_long(here) {
            self.mismatch(sink);
        }
        if self.phase == Phase::Candidate {
            if let Some(next) = self.take_of_candidate(token, here, sink) {
                return next;
            }
        } else if !self.candidate.is_firm && self.fails(token) {
            sink.record(Op::Drop.at(token.start, token.start));
            self.phase = Phase::Prose;
            return Next::Prose;
        }
        let is_fault = matches!(token.kind, Kind::Stumble | Kind::Fault(_));
        self.candidate.is_faulty |= is_fault && self.json.failure() != Failure::InString;
        emit(token, sink);
        if self.phase == Phase::Document {
            self.take_of_document(token, sink);
        }
        Next::Go
    }

    /// What a token of a candidate means for the reading, unless it is emitted and reading goes on.
    fn take_of_candidate(&mut self, token: Token, here: u32, sink: &mut impl Sink) -> Option<Next> {
        self.candidate.strings.take(token.kind, token.start, self.json.failure());
        if token.kind == Kind::Push(Container::Object) && self.candidate.is_firm {
            self.json.set_rules(self.rules);
        }
        match self.judge(token) {
            Verdict::Wait => None,
            Verdict::Ask => {
                emit(token, sink);
                Some(Next::Ask)
            }
            Verdict::Confirm => {
                self.accept(token.start, sink);
                None
            }
            Verdict::Fallback => {
                emit(token, sink);
                Some(self.keep(token.end, sink))
            }
            Verdict::Drop if is_string(token.kind) => {
                // How much of the string has arrived depends on the cut.
                self.candidate.strings.sound_until = token.end.max(here);
                Some(self.drop_candidate(token.start, token.start, sink))
            }
            Verdict::Drop => Some(self.drop_candidate(token.start, here, sink)),
        }
    }

    /// A token of a document was emitted.
    fn take_of_document(&mut self, token: Token, sink: &mut impl Sink) {
        let depth = self.json.depth();
        if self.prose.seeks_fences && token.kind == Kind::Stumble && depth == 0 {
            self.failed = self.json.fault_of(token);
            self.phase = Phase::Prose;
            return;
        }
        let it = &mut self.candidate;
        let is_reference = it.root == Container::Array && self.wanted.shape == Shape::Any;
        it.is_weak &= matches!(token.kind, Kind::Pop(_)) || is_reference && is_number(token.kind);
        it.has_value |= depth <= 1 && ends_value(token.kind);
        if depth == 0 && ends_value(token.kind) {
            sink.record(Op::End.at(token.end, token.end));
            self.end_document();
        }
    }

    /// Whether a token of a candidate makes it a document.
    fn judge(&mut self, token: Token) -> Verdict {
        let is_spare = self.emitted.is_some() && !self.wanted.is_multiple;
        self.candidate.judge(token.kind, &self.json, self.wanted, is_spare)
    }

    /// A document that was found without a schema in prose may turn out to be
    /// prose, until its first member or element was followed as it should be.
    fn fails(&mut self, token: Token) -> bool {
        // A string with something wrong in it goes on.
        let is_in_string = self.json.failure() == Failure::InString;
        if matches!(token.kind, Kind::Stumble | Kind::Fault(_)) {
            return !is_in_string;
        }
        // The second token at the first level comes after a comma or a closing bracket.
        let is_after =
            self.json.depth() <= 1 && (token.kind == (Kind::Text { is_key: true }) || ends_value(token.kind));
        if self.candidate.has_value && is_after {
            self.candidate.is_firm = true;
            self.json.set_rules(self.rules);
        }
        false
    }

    fn confirm(&mut self, at: u32, sink: &mut impl Sink) {
        self.phase = Phase::Document;
        self.emitted = None;
        if self.candidate.is_firm {
            self.json.set_rules(self.rules);
        }
        sink.record(Op::Confirm.at(at, at));
    }

    fn end_document(&mut self) {
        let it = &self.candidate;
        self.used = self.json.used();
        // `{"a": number}` may be how the answer should look.
        let is_faulty = it.is_faulty || self.used.has(Rule::LoneWord);
        let rank = if is_faulty { it.rank.with_fault() } else { it.rank };
        self.emitted = Some(if it.is_weak { Rank::Weak } else { rank });
        let is_bare = it.root == Container::Text;
        if is_bare && self.prose.seeks_fences {
            // A fence may come.
            let rank = if self.is_fenced { it.rank } else { Rank::Weak };
            self.emitted = Some(rank);
        }
        if is_bare && !self.is_fenced {
            // Nothing may follow it, and what does is a fault.
            return;
        }
        self.phase = Phase::Prose;
        self.prose.shell.leave();
        self.prose.pass_candidate();
        if self.wanted.is_multiple {
            self.prose.has_read_document();
        } else {
            self.prose.has_read_text();
        }
    }

    /// Where to search on when a candidate fails or ends: after its bracket, if that is not too much work.
    fn search_from(&mut self, here: u32) -> u32 {
        let start = self.candidate.start;
        let cost = here.saturating_sub(start);
        if self.candidate.is_gone || cost > self.reach() || !self.search.pays(cost) {
            self.prose.pass_candidate();
            return here;
        }
        self.prose.pass_bracket();
        self.prose.shell.enter(self.candidate.strings.sound_until);
        start + 1
    }

    /// A candidate that the stream ends in.
    fn finish_candidate(&mut self, held: u32, sink: &mut impl Sink) -> Next {
        let it = &self.candidate;
        let is_other = it.keys.are_others();
        if it.is_taken || is_other && it.has_value && (it.rank.is_clear() || !it.is_faulty) {
            return self.keep(held, sink);
        }
        if it.rank.is_clear() && !is_other {
            self.confirm(held, sink);
            return Next::Go;
        }
        if it.numbers > 0 {
            return self.keep(held, sink);
        }
        self.drop_candidate(held, held, sink)
    }

    /// The next token of a candidate or a document.
    fn read_json(&mut self, text: &mut Stretch<'_>, sink: &mut impl Sink) -> Next {
        let is_thought = self.phase == Phase::Candidate && self.candidate.is_thought;
        let from = text.at();
        let token = self.json.next_before(text, End::of(self.prose.end_of_fence()));
        if is_thought && let Some(read) = text.bytes().get(from..text.at()) {
            // Its closing tag ends thinking wherever it stands.
            if let Some(length) = self.prose.end_of_thinking(read) {
                text.set_at(from + length);
                let here = text.here();
                sink.record(Op::Drop.at(here, here));
                self.phase = Phase::Prose;
                self.end_thinking(here, sink);
                return Next::Go;
            }
        }
        if self.candidate.is_doubtful
            && !self.candidate.is_thought
            && let Some(read) = text.bytes().get(from..text.at())
            && let Some(length) = read.iter().position(|byte| matches!(byte, b'{' | b'[' | b'\n' | b'\r'))
        {
            return self.doubt(token, from + length, text, sink);
        }
        match token {
            Some(token) => self.take(token, text.here(), sink),
            None => self.end_stretch(text, sink),
        }
    }

    /// A quote that was taken as part of a string ended it after all, as what followed was
    /// prose: another bracket stands in it, or its line ends.
    fn doubt(&mut self, token: Option<Token>, at: usize, text: &mut Stretch<'_>, sink: &mut impl Sink) -> Next {
        let end = text.unit_at(at);
        let token = token.or_else(|| self.json.rest(text));
        text.set_at(at);
        if let Some(token) = token.filter(|token| is_string(token.kind) && token.start < end) {
            // As much as is emitted wherever the text is cut.
            let next = self.take(Token { kind: Kind::Piece { is_key: false }, end, ..token }, end, sink);
            if !matches!(next, Next::Go) {
                return next;
            }
        }
        sink.record(Op::Drop.at(end, end));
        self.phase = Phase::Prose;
        Next::Prose
    }
}

impl text::Machine for Machine {
    type Ask = Ask;
    /// [`KEY_AGREES`](super::KEY_AGREES) if the key is one of the schema's, with what its value can't be; else 0.
    type Answer = u8;
    type Mode = Mode;
    type Table = ();

    fn run(&mut self, (): &(), text: &mut Stretch<'_>, sink: &mut impl Sink) -> Outcome<Ask> {
        // Where the candidate begins in this stretch, if it does.
        let mut first = None;
        let (mut ask, mut waits) = (None, false);
        while ask.is_none() && !sink.lacks_room_for(ROOM) {
            let next = match self.phase {
                Phase::Prose if text.is_at_end() => break,
                Phase::Prose => {
                    self.read_prose(text, &mut first, sink);
                    Next::Go
                }
                Phase::Quoted { from } => self.read_quoted(from, text),
                Phase::Fence => self.read_fence(text, sink),
                Phase::Candidate | Phase::Document => self.read_json(text, sink),
            };
            match next {
                Next::Go => {}
                Next::Ask => ask = Some(Ask::Key),
                Next::Stop => {
                    waits = !matches!(self.phase, Phase::Quoted { .. }) && self.json.is_waiting();
                    break;
                }
                Next::Prose => {
                    self.prose.pass_candidate();
                    self.prose.has_read_text();
                }
                Next::Back(at) => {
                    let read = text.at();
                    if !text.go_back_to(at) {
                        self.steps.add(read);
                        return self.outcome(at, at, None);
                    }
                    self.steps.add(read - text.at());
                }
                Next::Search(at) => {
                    let from = self.search_from(at);
                    if from == at && at != text.here() {
                        self.prose.shell.enter_string(b'"');
                    }
                    match first {
                        _ if from == text.here() => {}
                        Some(byte) if from != at => {
                            self.steps.add(text.at() - byte - 1);
                            text.set_at(byte + 1);
                        }
                        // Its text is with the caller.
                        _ => {
                            self.steps.add(text.at());
                            return self.outcome(from, from, None);
                        }
                    }
                }
            }
        }
        self.steps.add(text.at());
        let here = text.here();
        let held_from = self.held_from(here);
        Outcome { waits, ..self.outcome(here, held_from, ask) }
    }

    fn finish(&mut self, held: u32, sink: &mut impl Sink) -> Outcome<Ask> {
        if let Phase::Quoted { from } = self.phase {
            self.phase = Phase::Prose;
            self.prose.code.end_ahead(held);
            return self.outcome(from, from, None);
        }
        if let Some(at) = self.json.stop_waiting()
            && self.phase != Phase::Prose
        {
            // The string ended at its quote, and what follows it is read.
            let held_from = self.held_from(at);
            return self.outcome(at, held_from, None);
        }
        // More of the number may have followed, also where it is the whole text.
        let is_cut_off = self.json.state().0 == State::Number(Number::Point);
        let token = match self.phase {
            Phase::Candidate | Phase::Document => self.json.finish(held).filter(|_| !is_cut_off),
            Phase::Fence => self.value.take().or_else(|| self.json.finish(held)).filter(|_| !is_cut_off),
            Phase::Prose | Phase::Quoted { .. } => None,
        };
        let mut next = Next::Go;
        if let Some(token) = token {
            if self.phase == Phase::Fence {
                self.confirm_fence(token, sink);
            }
            self.candidate.numbers += u32::from(token.kind == Kind::CutNumber);
            next = self.take(token, held, sink);
        }
        if self.phase == Phase::Candidate && matches!(next, Next::Go) {
            next = self.finish_candidate(held, sink);
        }
        if let Some(fault) = self.failed.take() {
            sink.record(Op::Fault(fault).at(held, held));
        }
        let from = if let Next::Search(at) = next { self.search_from(at) } else { held };
        self.outcome(from, from, None)
    }

    fn answer(&mut self, answer: u8) {
        self.candidate.keys.take_answer(answer);
    }

    fn mode(&self) -> Mode {
        match self.phase {
            Phase::Prose if self.prose.is_plain() => Mode::Prose,
            Phase::Document if self.json.is_in_plain_string() && !self.candidate.is_doubtful => Mode::String,
            Phase::Prose | Phase::Quoted { .. } | Phase::Candidate | Phase::Document | Phase::Fence => Mode::Read,
        }
    }

    fn flags(&self) -> u32 {
        if self.could_be_closed() { CLOSABLE } else { 0 }
    }

    #[cfg(not(target_arch = "wasm32"))]
    fn steps(&self) -> u64 {
        self.json.steps() + self.steps.made()
    }
}

/// What may be prose isn't repaired as a document's text is.
fn careful(rules: Rules, is_object: bool) -> Rules {
    let some = [Rule::MissingComma, Rule::DoubledComma, Rule::StrayCloser, Rule::WrongCloser, Rule::LoneWord];
    let rules = some.into_iter().fold(rules, Rules::without);
    // `["x" is …]` is prose.
    if is_object { rules } else { rules.without(Rule::UnescapedQuote) }
}

/// What a token means for the reading.
enum Next {
    /// Reading goes on.
    Go,
    /// A key is asked for.
    Ask,
    /// The stretch is at its end.
    Stop,
    /// What was read was prose.
    Prose,
    /// Reading goes on at an earlier place.
    Back(u32),
    /// So it was, up to here, and there may be a document in it.
    Search(u32),
}

fn ends_value(kind: Kind) -> bool {
    matches!(kind, Kind::Pop(_) | Kind::Text { is_key: false } | Kind::Number | Kind::Word(_))
}

fn emit(token: Token, sink: &mut impl Sink) {
    let op = match token.kind {
        Kind::Push(container) => Op::Push(container),
        Kind::Pop(_) => Op::Pop,
        Kind::Piece { is_key: true } => Op::KeyPiece,
        Kind::Piece { is_key: false } => Op::Piece,
        Kind::Character { is_key: true, code } => Op::KeyCharacter(code),
        Kind::Character { is_key: false, code } => Op::Character(code),
        Kind::Text { is_key: true } => Op::Key,
        Kind::Text { is_key: false } => Op::Text,
        Kind::Number => Op::Number,
        Kind::CutNumber => Op::CutNumber,
        Kind::Word(literal) => Op::Word(literal),
        Kind::Stumble => Op::Stumble,
        Kind::Fault(fault) => Op::Fault(fault),
    };
    let Record { word, .. } = op.at(0, 0);
    sink.record(Record { word, start: token.start, end: token.end });
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::Machine as _;

    fn run(machine: &mut Machine, text: &str, held: u32, records: &mut Vec<Record>) -> Outcome<Ask> {
        machine.run(&(), &mut Stretch::new(text.as_bytes(), held, true), records)
    }

    /// What the end of the stream makes of a candidate whose first key agrees or doesn't.
    fn at_end(shape: Shape, text: &str, agrees: bool) -> Option<Op> {
        let mut machine = Machine::new(shape, Rules::LENIENT, 512);
        let mut records = Vec::new();
        let mut outcome = run(&mut machine, text, 0, &mut records);
        if outcome.ask.is_some() {
            machine.answer(u8::from(agrees));
            let rest = text.get(outcome.next as usize..).unwrap_or_default();
            outcome = run(&mut machine, rest, outcome.next - outcome.held_from, &mut records);
        }
        machine.finish(outcome.next - outcome.held_from, &mut records);
        records.last().copied().and_then(Op::of)
    }

    #[test]
    fn the_stream_ends_in_a_candidate() {
        // In a fence it is meant, unless its key isn't the schema's.
        assert_eq!(at_end(Shape::Any, "```json\n{", true), Some(Op::Confirm));
        assert_eq!(at_end(Shape::Object, "```json\n{\"a\" ", true), Some(Op::Confirm));
        assert_eq!(at_end(Shape::Object, "```json\n{\"a\" ", false), Some(Op::Drop));
        assert_eq!(at_end(Shape::Any, "See {", true), Some(Op::Drop));
        assert_eq!(at_end(Shape::Object, "See {\"a\" ", true), Some(Op::Drop));
    }

    #[test]
    fn a_number_that_goes_on_makes_no_document_sure() {
        for chunks in [&[r#"See ["x", 1x]"#][..], &[r#"See ["x", 1"#, "x]"]] {
            let mut machine = Machine::new(Shape::Any, Rules::LENIENT, 512);
            machine.configure(false, false, true, false);
            let (mut records, mut held) = (Vec::new(), 0);
            for chunk in chunks {
                let outcome = run(&mut machine, chunk, held, &mut records);
                held = outcome.next - outcome.held_from;
            }
            assert!(records.iter().any(|&record| Op::of(record) == Some(Op::Drop)), "{records:?}");
        }
    }

    #[test]
    fn the_number_so_far_is_emitted_where_it_is_wanted() {
        for emits_numbers in [false, true] {
            let mut machine = Machine::new(Shape::Any, Rules::LENIENT, 512);
            machine.configure(false, false, emits_numbers, false);
            let mut records = Vec::new();
            run(&mut machine, "{\"a\": 12", 0, &mut records);
            assert_eq!(records.iter().any(|&record| Op::of(record) == Some(Op::CutNumber)), emits_numbers);
        }
    }
}
