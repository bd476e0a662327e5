//! Finds the document in a stream and reads it.
//!
//! A candidate begins at a bracket in prose. It is taken (`Confirm`) as soon as
//! one of its keys, or its first element, shows that it is meant; until then nothing
//! of it is emitted, its text is buffered, and when it fails or ends the search goes
//! on after its bracket. A document in prose may be withdrawn for a better one.
//! A candidate in thinking is taken only if the thinking never closes.
//!
//! Source: spec/field.md, "Finding the document"; spec/world.md, 1.5 and 6.1.

use super::op::{Mode, Op};
use super::prose::{Prose, Rank, Sight};
use crate::json::{Container, End, Failure, Fault, Kind, Literal, Number, Rule, Rules, State, Token, Tokenizer};
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

/// Searching in failed candidates again may cost so many units,
const FREE_SEARCH: u64 = 4_096;

/// and so many more for each candidate.
const SEARCH: u64 = 32;

numbered! {
/// What a root array's elements are to be, by the schema.
///
/// ```
/// use tokenweir::field::{EventKind, FieldParser, Options, Shape};
/// let mut parser = FieldParser::new(Options { shape: Shape::ArrayOfStrings, ..Options::default() });
/// let events = parser.feed(r#"In [1] it says: ["a", "b"]"#)?;
/// assert_eq!(events[0].kind, EventKind::Text("a".to_owned()));
/// # Ok::<(), tokenweir::Error>(())
/// ```
#[non_exhaustive]
#[repr(u8)]
pub enum Shape {
    /// There is no schema, or it takes anything.
    Any = 0,
    /// An object; its keys are asked for until one is the schema's.
    Object = 1,
    /// An array of anything.
    Array = 2,
    /// An array of objects, whose keys are asked for in the same way.
    ArrayOfObjects = 3,
    /// An array of strings.
    ArrayOfStrings = 4,
    /// An array of numbers.
    ArrayOfNumbers = 5,
}
}

impl Shape {
    /// Whether keys are asked for.
    fn asks(self) -> bool {
        matches!(self, Shape::Object | Shape::ArrayOfObjects)
    }

    /// Whether a root array's element of a kind fits, or a member of an object.
    fn takes(self, item: Item) -> bool {
        match self {
            Shape::ArrayOfStrings => item == Item::String,
            Shape::ArrayOfNumbers => item == Item::Number,
            Shape::Any | Shape::Object | Shape::Array | Shape::ArrayOfObjects => true,
        }
    }
}

/// What a value is, as far as shapes ask.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Item {
    String,
    Number,
    Other,
}

/// The machine's own bit: the document could be closed after what was read.
pub const CLOSABLE: u32 = 1;

/// Of an answer: the key is one of the schema's,
pub const KEY_AGREES: u8 = 1;
/// and its value can't be an object,
pub const NO_OBJECT: u8 = 2;
/// or an array. A schema that the model repeats has objects where values should be.
pub const NO_ARRAY: u8 = 4;

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
    /// After a bracket or a tag, which may be in inline code.
    Quoted,
    /// In what may be one.
    Candidate,
    /// In a document.
    Document,
    /// In the text of a fence, which may be one value.
    Fence,
}

/// A value in a fence that is not closed yet.
#[derive(Clone, Copy, Debug)]
#[cfg_attr(feature = "debug", derive(serde::Serialize))]
enum Scalar {
    No,
    Number,
    Word(Literal),
}

/// What is known of a candidate.
#[derive(Clone, Copy, Debug)]
#[cfg_attr(feature = "debug", derive(serde::Serialize))]
struct Candidate {
    /// Where it begins.
    start: u32,
    rank: Rank,
    root: Container,
    /// One of its keys is the schema's, or no schema says which.
    agrees: bool,
    /// A key was read that is not, or has a value that can't be its.
    disagrees: bool,
    /// What the value of the key that agrees can't be, by the bits of the answer.
    refused: u8,
    /// It was found in thinking.
    is_thought: bool,
    /// It is a document, which is not emitted yet as it was found in thinking.
    is_taken: bool,
    /// It is part of another one, which has ended.
    is_inner: bool,
    /// Something in it that is no string can't be read.
    is_faulty: bool,
    /// Strings that begin before this place are strings: something follows them that can.
    sound_until: u32,
    /// The last token is part of a string.
    is_in_string: bool,
    /// Numbers read in it before it was taken.
    numbers: u32,
    /// Nothing but numbers was read in it.
    is_weak: bool,
    /// A member or element of it was followed as it should be.
    is_firm: bool,
    /// Something of it was read as a value.
    has_value: bool,
    /// A quote was read as part of the string that is open, and it is not firm: it may be prose.
    is_doubtful: bool,
    /// Where it begins isn't pending any more.
    is_gone: bool,
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
    shape: Shape,
    is_nullable: bool,
    is_multiple: bool,
    emits_numbers: bool,
    rules: Rules,
    /// The rules that documents were read by.
    used: Rules,
    /// Candidates so far.
    candidates: u64,
    /// Units of candidates that ended without a key of the schema.
    unmatched: u64,
    /// Units searched again so far.
    searched: u64,
    /// What begins before this place is part of a candidate that has ended.
    inner_until: u32,
    /// Where what may be in inline code begins.
    quoted: u32,
    /// Something was found in thinking.
    has_thought: bool,
    /// The text is one value, or has one in a fence.
    seeks_fences: bool,
    /// The value is in a fence.
    is_fenced: bool,
    /// A number or a word in a fence, until the fence is closed.
    value: Scalar,
    /// Where it is.
    value_from: u32,
    value_to: u32,
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
            candidate: Candidate {
                start: 0,
                rank: Rank::Clear,
                root: Container::Text,
                agrees: false,
                disagrees: false,
                refused: 0,
                is_thought: false,
                is_taken: false,
                is_inner: false,
                is_faulty: false,
                sound_until: 0,
                is_in_string: false,
                numbers: 0,
                is_weak: true,
                is_firm: true,
                has_value: false,
                is_doubtful: false,
                is_gone: false,
            },
            emitted: None,
            rules,
            used: Rules::STRICT,
            shape,
            is_nullable: false,
            is_multiple: false,
            emits_numbers: false,
            candidates: 0,
            unmatched: 0,
            searched: 0,
            inner_until: 0,
            quoted: 0,
            has_thought: false,
            seeks_fences: false,
            is_fenced: false,
            value: Scalar::No,
            value_from: 0,
            value_to: 0,
            failed: None,
            steps: Steps::NONE,
        }
    }

    /// `is_nullable`: a root array's elements may be null. `is_multiple`: all
    /// documents are emitted. `emits_numbers`: so is what there is of a number at a
    /// stretch's end. `is_bare`: the stream is one value and nothing else.
    pub fn configure(&mut self, is_nullable: bool, is_multiple: bool, emits_numbers: bool, is_bare: bool) {
        self.is_nullable = is_nullable;
        self.is_multiple = is_multiple;
        self.emits_numbers = emits_numbers;
        if is_bare {
            self.phase = Phase::Document;
        }
    }

    /// The reply begins inside thinking.
    pub fn start_with_thinking(&mut self) {
        self.prose.start_with_thinking();
    }

    /// The value is one in a fence, if there is any.
    pub fn seek_fences(&mut self) {
        self.seeks_fences = true;
        self.prose.seek_fences();
    }

    /// Documents in Markdown code are text, but for fences of JSON.
    pub fn skip_code(&mut self) {
        self.prose.skip_code();
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
            Phase::Prose | Phase::Quoted => self.emitted.is_some(),
            Phase::Candidate | Phase::Fence => false,
        }
    }

    fn outcome(&mut self, next: u32, held_from: u32, ask: Option<Ask>) -> Outcome<Ask> {
        self.json.release(held_from);
        // case field/finding/what-failed-beyond-its-reach
        self.candidate.is_gone |= self.candidate.start < held_from;
        self.candidate.start = self.candidate.start.saturating_sub(held_from);
        self.candidate.sound_until = self.candidate.sound_until.saturating_sub(held_from);
        self.inner_until = self.inner_until.saturating_sub(held_from);
        self.quoted = self.quoted.saturating_sub(held_from);
        self.value_from = self.value_from.saturating_sub(held_from);
        self.value_to = self.value_to.saturating_sub(held_from);
        self.prose.release(held_from);
        Outcome { ask, ..Outcome::new(next, held_from) }
    }

    fn held_from(&self, here: u32) -> u32 {
        match self.phase {
            Phase::Prose => here,
            Phase::Quoted => self.quoted,
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
        if self.shape.asks() { WITHHELD } else { REACH }
    }

    /// Whether nothing was found in a candidate for too long.
    fn is_withheld_too_long(&self, here: u32) -> bool {
        let it = &self.candidate;
        let is_withheld = self.phase == Phase::Candidate && !it.agrees && !it.is_taken;
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
            Some(Sight::Quoted) => {
                self.quoted = text.here();
                self.phase = Phase::Quoted;
            }
            Some(Sight::EndOfThinking) => self.end_thinking(text.here(), sink),
            Some(Sight::UnopenedEnd) => self.emitted = self.emitted.map(|_| Rank::Weak),
            Some(Sight::Fenced) => self.begin_fence(text.here()),
            Some(Sight::Bracket) if self.seeks_fences => {
                text.set_at(text.at() + 1);
                self.prose.pass_bracket();
                self.prose.has_read_text();
            }
            Some(Sight::Bracket) => {
                let is_object = text.rest().first() == Some(&b'{');
                let fits = match self.shape {
                    Shape::Any => true,
                    Shape::Object => is_object,
                    Shape::Array | Shape::ArrayOfObjects | Shape::ArrayOfStrings | Shape::ArrayOfNumbers => !is_object,
                };
                let is_thought = self.prose.is_thinking();
                let rank = if is_thought { Rank::Prose } else { self.prose.rank() };
                let is_useless = match self.emitted {
                    None => false,
                    Some(emitted) => is_thought || !emitted.gives_way_to(rank) && !self.is_multiple,
                };
                if !fits || is_useless {
                    text.set_at(text.at() + 1);
                    self.prose.pass_bracket();
                    self.prose.has_read_text();
                    if !fits {
                        self.prose.shell.enter_other();
                    }
                    return;
                }
                let start = text.here();
                *first = Some(text.at());
                self.phase = Phase::Candidate;
                self.candidates += 1;
                let is_sure = rank.is_clear() || self.shape != Shape::Any;
                let rules = match (is_sure, is_object) {
                    (false, _) => careful(self.rules, is_object),
                    (true, true) => self.rules,
                    // `[x]` may be a box to tick.
                    (true, false) => self.rules.without(Rule::LoneWord),
                };
                self.json.reset(rules, self.used);
                self.candidate = Candidate {
                    start,
                    rank,
                    root: if is_object { Container::Object } else { Container::Array },
                    agrees: !self.shape.asks(),
                    disagrees: false,
                    refused: 0,
                    is_thought,
                    is_taken: false,
                    is_inner: start < self.inner_until,
                    is_faulty: false,
                    sound_until: start,
                    is_in_string: false,
                    numbers: 0,
                    is_weak: true,
                    is_firm: is_sure,
                    has_value: false,
                    is_doubtful: false,
                    is_gone: false,
                };
                sink.record(Op::Candidate.at(start, start));
            }
        }
    }

    /// The text of a fence may be one value.
    fn begin_fence(&mut self, start: u32) {
        let rank = self.prose.rank();
        if self.emitted.is_some_and(|emitted| !emitted.gives_way_to(rank)) && !self.is_multiple {
            return;
        }
        self.phase = Phase::Fence;
        self.value = Scalar::No;
        self.json.reset(self.rules, self.used);
        let root = Container::Text;
        self.candidate =
            Candidate { start, rank, root, is_faulty: false, is_weak: true, is_gone: false, ..self.candidate };
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
            Some(Token { kind, start, end }) if matches!(kind, Kind::Number | Kind::Word(_)) => {
                self.value = if let Kind::Word(word) = kind { Scalar::Word(word) } else { Scalar::Number };
                (self.value_from, self.value_to) = (start, end);
                Next::Go
            }
            Some(_) => {
                self.phase = Phase::Prose;
                match self.take_value() {
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

    /// The value of a fence, which was waiting.
    fn take_value(&mut self) -> Option<Token> {
        let kind = match std::mem::replace(&mut self.value, Scalar::No) {
            Scalar::No => return None,
            Scalar::Number => Kind::Number,
            Scalar::Word(word) => Kind::Word(word),
        };
        Some(Token { kind, start: self.value_from, end: self.value_to })
    }

    fn confirm_fence(&mut self, token: Token, sink: &mut impl Sink) {
        self.is_fenced = true;
        self.failed = None;
        sink.record(Op::Candidate.at(token.start, token.start));
        self.confirm(token.start, sink);
    }

    /// After what may be in inline code, up to what says so.
    fn read_quoted(&mut self, text: &mut Stretch<'_>) -> Next {
        while let Some(&byte) = text.rest().first() {
            if self.prose.code.read_ahead(byte, text.here()) {
                self.phase = Phase::Prose;
                return Next::Back(self.quoted);
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
        self.candidate.agrees = true;
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
        if it.agrees {
            return Next::Prose;
        }
        // What is part of it may be better.
        if !it.is_inner {
            self.unmatched += u64::from(at.saturating_sub(it.start));
            self.inner_until = at;
        }
        self.candidate.sound_until = at;
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
            self.listen(token);
            if token.kind == Kind::Push(Container::Object) && self.candidate.is_firm {
                self.json.set_rules(self.rules);
            }
            match self.judge(token) {
                Verdict::Wait => {}
                Verdict::Ask => {
                    emit(token, sink);
                    return Next::Ask;
                }
                Verdict::Confirm => self.accept(token.start, sink),
                Verdict::Fallback => {
                    emit(token, sink);
                    return self.keep(token.end, sink);
                }
                Verdict::Drop => {
                    // How much of the string has arrived depends on the cut.
                    let is_string = is_string(token.kind);
                    if is_string {
                        self.candidate.sound_until = token.end.max(here);
                    }
                    let up_to = if is_string { token.start } else { here };
                    return self.drop_candidate(token.start, up_to, sink);
                }
            }
        } else if !self.candidate.is_firm && self.fails(token) {
            sink.record(Op::Drop.at(token.start, token.start));
            self.phase = Phase::Prose;
            return Next::Prose;
        }
        let is_fault = matches!(token.kind, Kind::Stumble | Kind::Fault(_));
        self.candidate.is_faulty |= is_fault && self.json.failure() != Failure::InString;
        emit(token, sink);
        if self.phase != Phase::Document {
            return Next::Go;
        }
        if self.seeks_fences && token.kind == Kind::Stumble && self.json.depth() == 0 {
            self.failed = Some(self.json.fault());
            self.phase = Phase::Prose;
            return Next::Go;
        }
        let it = &mut self.candidate;
        let is_reference = it.root == Container::Array && self.shape == Shape::Any;
        it.is_weak &= match token.kind {
            Kind::Pop(_) => true,
            Kind::Number | Kind::CutNumber => is_reference,
            Kind::Push(_)
            | Kind::Piece { .. }
            | Kind::Character { .. }
            | Kind::Text { .. }
            | Kind::Word(_)
            | Kind::Stumble
            | Kind::Fault(_) => false,
        };
        it.has_value |= self.json.depth() <= 1 && ends_value(token.kind);
        if self.json.depth() == 0 && ends_value(token.kind) {
            sink.record(Op::End.at(token.end, token.end));
            self.end_document();
        }
        Next::Go
    }

    /// Which strings of a candidate are strings.
    fn listen(&mut self, token: Token) {
        let it = &mut self.candidate;
        let begins = if matches!(token.kind, Kind::Stumble | Kind::Fault(_)) {
            self.json.failure() == Failure::InValue
        } else {
            !(it.is_in_string && is_string(token.kind))
        };
        if begins {
            it.sound_until = token.start.saturating_sub(u32::from(is_string(token.kind)));
        }
        it.is_in_string = is_string(token.kind) && !matches!(token.kind, Kind::Text { .. });
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
        let is_after = self.json.depth() <= 1 && (is_key(token.kind) || ends_value(token.kind));
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
        if is_bare && self.seeks_fences {
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
        if self.is_multiple {
            self.prose.has_read_document();
        } else {
            self.prose.has_read_text();
        }
    }

    /// Whether a token of a candidate makes it a document.
    fn judge(&mut self, token: Token) -> Verdict {
        let depth = self.json.depth();
        if self.candidate.is_taken {
            return if depth == 0 && matches!(token.kind, Kind::Pop(_)) { Verdict::Fallback } else { Verdict::Wait };
        }
        match token.kind {
            // What is read before the first value or element, or before a key of the schema.
            Kind::Push(_) if depth == 1 => Verdict::Wait,
            Kind::Pop(_) if depth == 0 => self.judge_end(),
            Kind::Piece { is_key: true } | Kind::Character { is_key: true, .. } => Verdict::Wait,
            Kind::Text { is_key: true } => {
                let is_own = depth == if self.candidate.root == Container::Array { 2 } else { 1 };
                if self.candidate.agrees || !is_own { Verdict::Wait } else { Verdict::Ask }
            }
            Kind::Stumble | Kind::Fault(_) => self.judge_failure(),
            Kind::Push(_)
            | Kind::Pop(_)
            | Kind::Piece { .. }
            | Kind::Character { .. }
            | Kind::Text { .. }
            | Kind::Number
            | Kind::CutNumber
            | Kind::Word(_) => self.judge_value(token.kind, depth),
        }
    }

    /// It has ended before that was known: it is empty, or has one number.
    fn judge_end(&self) -> Verdict {
        let it = &self.candidate;
        let fits_empty = it.numbers == 0 || self.shape == Shape::Any;
        let is_unmatched = self.shape == Shape::Object || it.disagrees;
        match (fits_empty, it.rank.is_clear()) {
            _ if is_unmatched => Verdict::Fallback,
            (false, _) => Verdict::Drop,
            (true, true) => Verdict::Confirm,
            (true, false) => Verdict::Fallback,
        }
    }

    /// It can't be read before that was known.
    fn judge_failure(&self) -> Verdict {
        let it = &self.candidate;
        let (is_clear, shape, failure) = (it.rank.is_clear(), self.shape, self.json.failure());
        if !it.agrees && it.disagrees {
            // After a key something else may be wrong, unless it was prose.
            let is_drop = failure == Failure::Elsewhere && !(is_clear && it.has_value);
            return if is_drop { Verdict::Drop } else { Verdict::Wait };
        }
        // After the colon of a key that agrees, the value alone is wrong,
        // and so it is where it began well.
        let is_value = match failure {
            Failure::Elsewhere => false,
            Failure::InValue => it.root != Container::Array,
            Failure::InString => shape.takes(Item::String),
            Failure::TooLong => shape.takes(Item::Number),
            Failure::TooDeep => shape.takes(Item::Other),
        };
        let is_meant = shape != Shape::Any || is_clear || failure == Failure::InString;
        if is_value && it.agrees && is_meant { Verdict::Confirm } else { Verdict::Drop }
    }

    /// Its first value or element, or a value before a key of the schema.
    fn judge_value(&mut self, kind: Kind, depth: u16) -> Verdict {
        let shape = self.shape;
        let is_spare = self.emitted.is_some() && !self.is_multiple;
        let it = &mut self.candidate;
        let is_in_array = it.root == Container::Array;
        if self.is_nullable && is_in_array && depth == 1 && kind == Kind::Word(Literal::Null) {
            return Verdict::Confirm;
        }
        // A value that can't be the key's gives way to a later document.
        let bit = if kind == Kind::Push(Container::Object) {
            NO_OBJECT
        } else if kind == Kind::Push(Container::Array) {
            NO_ARRAY
        } else {
            0
        };
        if std::mem::take(&mut it.refused) & bit != 0 {
            it.agrees = false;
            it.disagrees = true;
        }
        if !it.agrees {
            it.has_value = true;
            // Only objects may be elements.
            let is_list = kind == Kind::Push(Container::Array) && depth == 2;
            let is_container = matches!(kind, Kind::Push(_) | Kind::Pop(_));
            let is_element = is_in_array && (is_list || !is_container && depth == 1);
            return if is_element { Verdict::Drop } else { Verdict::Wait };
        }
        let is_number = matches!(kind, Kind::Number | Kind::CutNumber);
        let item = match (is_string(kind), is_number) {
            (true, _) => Item::String,
            (_, true) => Item::Number,
            _ => Item::Other,
        };
        if !shape.takes(item) {
            return Verdict::Drop;
        }
        if is_in_array && is_number && shape == Shape::Any && !it.rank.is_clear() {
            // `[1]` is a reference in prose, and not yet a document.
            it.numbers += u32::from(kind == Kind::Number);
            return if it.numbers < 2 || is_spare { Verdict::Wait } else { Verdict::Confirm };
        }
        Verdict::Confirm
    }

    /// Where to search on when a candidate fails or ends: after its bracket, if that is not too much work.
    fn search_from(&mut self, here: u32) -> u32 {
        let start = self.candidate.start;
        let cost = u64::from(here.saturating_sub(start));
        let earned = FREE_SEARCH + self.candidates * SEARCH + self.unmatched * 2;
        let is_gone = self.candidate.is_gone || cost > u64::from(self.reach());
        if is_gone || self.searched + cost > earned {
            self.prose.pass_candidate();
            return here;
        }
        self.searched += cost;
        self.prose.pass_bracket();
        self.prose.shell.enter(self.candidate.sound_until);
        start + 1
    }

    /// A candidate that the stream ends in.
    fn finish_candidate(&mut self, held: u32, sink: &mut impl Sink) -> Next {
        let it = &self.candidate;
        if it.is_taken || !it.agrees && it.disagrees && it.has_value && (it.rank.is_clear() || !it.is_faulty) {
            return self.keep(held, sink);
        }
        if it.rank.is_clear() && (it.agrees || !it.disagrees) {
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
    /// [`KEY_AGREES`] if the key is one of the schema's, with what its value can't be; else 0.
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
                Phase::Quoted => self.read_quoted(text),
                Phase::Fence => self.read_fence(text, sink),
                Phase::Candidate | Phase::Document => self.read_json(text, sink),
            };
            match next {
                Next::Go => {}
                Next::Ask => ask = Some(Ask::Key),
                Next::Stop => {
                    waits = self.phase != Phase::Quoted && self.json.is_waiting();
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
        if self.phase == Phase::Quoted {
            self.phase = Phase::Prose;
            self.prose.code.end_ahead(held);
            return self.outcome(self.quoted, self.quoted, None);
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
            Phase::Fence => self.take_value().or_else(|| self.json.finish(held)).filter(|_| !is_cut_off),
            Phase::Prose | Phase::Quoted => None,
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
        let agrees = answer & KEY_AGREES != 0;
        self.candidate.agrees |= agrees;
        self.candidate.disagrees |= !agrees;
        self.candidate.refused = answer & (NO_OBJECT | NO_ARRAY);
    }

    fn mode(&self) -> Mode {
        match self.phase {
            Phase::Prose if self.prose.is_plain() => Mode::Prose,
            Phase::Document if self.json.is_in_plain_string() && !self.candidate.is_doubtful => Mode::String,
            Phase::Prose | Phase::Quoted | Phase::Candidate | Phase::Document | Phase::Fence => Mode::Read,
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

/// What a token of a candidate means for it.
enum Verdict {
    Wait,
    Ask,
    Confirm,
    Fallback,
    Drop,
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

fn is_string(kind: Kind) -> bool {
    matches!(kind, Kind::Piece { .. } | Kind::Character { .. } | Kind::Text { .. })
}

fn is_key(kind: Kind) -> bool {
    matches!(kind, Kind::Text { is_key: true })
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
