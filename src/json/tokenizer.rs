//! JSON, token by token, from a stream that may be cut anywhere.
//!
//! Text comes out early, in pieces; the character of an escape or a surrogate pair
//! when it is known; numbers when they end. Undecided text is a few numbers here
//! and stays with the caller ([`Tokenizer::held_from`]). Nothing is recursive and
//! nothing allocates.
//!
//! Text that can't be read is a fault with its place, and reading goes on after
//! it: at the next `,`, closing bracket or line's end.
//!
//! All parsers but blocks read JSON with it: [`Kind::Pop`] at depth 0 ends a raw
//! value, pieces and characters are a field's decoded text.

use super::follow::{End, ends_key, ends_string};
use super::nesting::Nesting;
use super::skipped::Skipped;
use super::state::{
    Action, Comment, Container, Fault, Literal, Lone, Number, Place, Quote, State, Step, Text, Within, Word,
    accepts_end, ends_bare, step,
};
use super::tolerance::{ARGUMENTS_ALONE, Rule, Rules, Tolerance};
use crate::scan::plain_len;
use crate::text::{Steps, Stretch};

/// Deepest nesting that may be asked for.
///
/// ```
/// use tokenweir::field::{EventKind, FieldParser, Options};
/// use tokenweir::json::{Fault, MOST_LEVELS};
/// let mut parser = FieldParser::new(Options { max_depth: MOST_LEVELS, ..Options::default() });
/// parser.feed(&"[".repeat(MOST_LEVELS.into()))?;
/// let events = parser.feed("[]")?;
/// assert_eq!(events.last().map(|event| &event.kind), Some(&EventKind::Fault(Fault::TooDeep)));
/// # Ok::<(), tokenweir::Error>(())
/// ```
pub const MOST_LEVELS: u16 = 4_096;

/// Longest number, in UTF-16 code units. A longer one is a fault.
///
/// ```
/// use tokenweir::field::{EventKind, FieldParser, Options};
/// use tokenweir::json::{Fault, LONGEST_NUMBER};
/// let document = format!("[{}]", "1".repeat(LONGEST_NUMBER as usize + 1));
/// let events = FieldParser::new(Options::default()).feed(&document)?;
/// assert_eq!(events[0].kind, EventKind::Fault(Fault::TooLong));
/// # Ok::<(), tokenweir::Error>(())
/// ```
pub const LONGEST_NUMBER: u32 = 4_096;

/// Longest word without quotes that is a string, with the white space after it. More is a fault.
const LONGEST_WORD: u32 = 256;

/// Units of an escape with four digits.
const ESCAPE: u32 = 6;

/// What a token is.
///
/// ```
/// use tokenweir::{json::{Kind, Literal, Rules, Tokenizer}, text::Stretch};
/// let mut json = Tokenizer::new(Rules::STRICT, 512);
/// let mut text = Stretch::new(br#"[12, true, "a\n"]"#, 0, true);
/// let kinds: Vec<_> = std::iter::from_fn(|| json.next(&mut text)).map(|token| token.kind).collect();
/// assert_eq!(kinds[1..6], [
///     Kind::Number,
///     Kind::Word(Literal::True),
///     Kind::Piece { is_key: false },
///     Kind::Character { is_key: false, code: 10 },
///     Kind::Text { is_key: false },
/// ]);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "debug", derive(serde::Serialize))]
pub enum Kind {
    /// A container opens.
    Push(Container),
    /// A container closes.
    Pop(Container),
    /// Text of a string or, with `is_key`, of a member's name. It goes on.
    Piece {
        /// Of a member's name.
        is_key: bool,
    },
    /// The UTF-16 unit or the character that the escape at the place stands for.
    Character {
        /// Of a member's name.
        is_key: bool,
        /// A Unicode code point; half of a surrogate pair if it stands alone.
        code: u32,
    },
    /// The last piece of a string or of a member's name, which ends with it.
    Text {
        /// A member's name.
        is_key: bool,
    },
    /// A number. JavaScript's `Number` reads it, except a sign before a hexadecimal one.
    Number,
    /// The part of a number that has arrived.
    CutNumber,
    /// A word.
    Word(Literal),
    /// Text that can't be read begins here.
    Stumble,
    /// The text that couldn't be read. After a `Stumble` it begins there.
    Fault(Fault),
}

/// A token at `start..end` UTF-16 code units from the start of the undecided text.
///
/// ```
/// use tokenweir::{json::{Kind, Rules, Tokenizer}, text::Stretch};
/// let mut json = Tokenizer::new(Rules::STRICT, 512);
/// let mut text = Stretch::new(b"[ 12,", 0, true);
/// let token = std::iter::from_fn(|| json.next(&mut text)).last().unwrap();
/// assert_eq!((token.kind, token.start..token.end), (Kind::Number, 2..4));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "debug", derive(serde::Serialize))]
pub struct Token {
    /// The token's kind.
    pub kind: Kind,
    /// Its first unit.
    pub start: u32,
    /// One past its last.
    pub end: u32,
}

/// Where a fault was.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "debug", derive(serde::Serialize))]
pub(crate) enum Failure {
    /// Where no value is expected.
    Elsewhere,
    /// In a value, or where one should be.
    InValue,
    /// In a string, which goes on.
    InString,
    /// In a number that is too long.
    TooLong,
    /// In a container that is too deep.
    TooDeep,
}

/// Reads JSON texts. Plain bytes without pointers, so that it can be copied.
///
/// ```
/// use tokenweir::json::{Kind, Rule, Rules, Tokenizer};
/// use tokenweir::text::Stretch;
///
/// let mut json = Tokenizer::new(Rules::LENIENT, 512);
/// let (mut here, mut kinds) = (0, Vec::new());
/// for chunk in ["{a:\"he", "llo\", b: 1", "2}"] {
///     let mut text = Stretch::new(chunk.as_bytes(), here, false);
///     while let Some(token) = json.next(&mut text) {
///         kinds.push(token.kind);
///     }
///     // The part of a string that has arrived.
///     kinds.extend(json.rest(&mut text).map(|piece| piece.kind));
///     // Places count from the start of the pending text: a number, or an escape.
///     let held_from = json.held_from(text.here());
///     json.release(held_from);
///     here = text.here() - held_from;
/// }
/// assert!(json.is_whole() && json.could_be_closed() && json.depth() == 0);
/// assert_eq!(json.finish(here), None);
/// assert!(json.used().has(Rule::UnquotedKey));
/// assert_eq!(kinds.len(), 7);
/// assert_eq!(kinds[2..4], [Kind::Piece { is_key: false }, Kind::Text { is_key: false }]);
/// ```
#[derive(Clone, Copy, Debug)]
#[cfg_attr(feature = "debug", derive(serde::Serialize))]
pub struct Tokenizer {
    state: State,
    rules: Tolerance,
    nesting: Nesting<{ MOST_LEVELS as usize / 32 }>,
    max_depth: u16,
    /// First half of a surrogate pair, or 0.
    half: u16,
    /// Digits of an escape, or how long a word was that white space follows.
    digits: u32,
    /// The start of a text's piece, an escape, a number or a word.
    mark: u32,
    /// Whether nothing of the string was emitted yet.
    is_fresh: bool,
    failure: Failure,
    before_fault: State,
    skipped: Skipped,
    /// Too little follows a quote to decide whether the string ends there.
    is_waiting: bool,
    /// No more text comes.
    is_last: bool,
    /// The byte before the stretch.
    before: u8,
    steps: Steps,
}

impl Tokenizer {
    /// A tokenizer before a value. `max_depth` is at most [`MOST_LEVELS`].
    #[must_use]
    pub const fn new(rules: Rules, max_depth: u16) -> Tokenizer {
        Tokenizer {
            state: State::At(Place::Value),
            rules: Tolerance::new(rules, Rules::STRICT),
            nesting: Nesting::EMPTY,
            max_depth,
            half: 0,
            digits: 0,
            mark: 0,
            is_fresh: false,
            failure: Failure::Elsewhere,
            before_fault: State::At(Place::Value),
            skipped: Skipped::NOTHING,
            is_waiting: false,
            is_last: false,
            before: 0,
            steps: Steps::NONE,
        }
    }

    /// Before another value. The rules in `used` count as used.
    pub(crate) fn reset(&mut self, rules: Rules, used: Rules) {
        let (rules, steps, is_last) = (Tolerance::new(rules, used), self.steps, self.is_last);
        *self = Tokenizer { rules, steps, is_last, ..Tokenizer::new(Rules::STRICT, self.max_depth) };
    }

    /// Other rules hold from here on.
    pub(crate) fn set_rules(&mut self, rules: Rules) {
        self.rules.allowed = rules;
    }

    /// How many containers are open.
    #[must_use]
    pub fn depth(&self) -> u16 {
        self.nesting.depth()
    }

    /// The rules that something was read by.
    #[must_use]
    pub fn used(&self) -> Rules {
        self.rules.used()
    }

    /// Moves made so far.
    // Hidden: the tests of growth read it.
    #[doc(hidden)]
    #[cfg(not(target_arch = "wasm32"))]
    #[must_use]
    pub fn steps(&self) -> u64 {
        self.steps.made()
    }

    /// Whether the place is in the plain text of a string in double quotes, so that text
    /// without quote, backslash and control character continues it. Half a surrogate
    /// pair may be pending.
    // Hidden: for the tests, which read JSON with it.
    #[doc(hidden)]
    #[must_use]
    pub fn is_in_plain_string(&self) -> bool {
        self.state == State::Text(Text { is_key: false, quote: Quote::Double }, Within::Plain) && !self.is_waiting
    }

    /// The first half of a surrogate pair from an escape, while its other half may
    /// follow.
    // Hidden: for the tests, which read JSON with it.
    #[doc(hidden)]
    #[must_use]
    pub fn open_half(&self) -> Option<u16> {
        let is_in_text = matches!(self.state, State::Text(..));
        (is_in_text && self.half != 0).then_some(self.half)
    }

    /// Whether the whole of a text was read, if it ends here.
    #[must_use]
    pub fn is_whole(&self) -> bool {
        self.skipped.is_nothing() && accepts_end(self.state, self.nesting.inside(), self.rules.allowed)
    }

    /// Whether a number or a string without quotes can end here.
    #[must_use]
    pub(crate) fn can_end(&self) -> bool {
        let ends_number = matches!(self.state, State::Number(number) if number.can_end(self.rules.allowed));
        ends_number || ends_bare(self.state, self.rules.allowed)
    }

    /// The state, and the container around it.
    // Hidden: for the tests, and the machines that read JSON with it.
    #[doc(hidden)]
    #[must_use]
    pub fn state(&self) -> (State, Container) {
        (self.state, self.nesting.inside())
    }

    /// Why the text of the last token can't be read, if it can't.
    #[must_use]
    pub(crate) fn fault_of(&self, token: Token) -> Option<Fault> {
        if let Kind::Fault(fault) = token.kind {
            return Some(fault);
        }
        (token.kind == Kind::Stumble).then(|| self.skipped.fault())
    }

    /// The state before the last fault, and the container around it.
    #[must_use]
    pub(crate) fn place_of_fault(&self) -> (State, Container) {
        (self.before_fault, self.nesting.inside())
    }

    /// Where the last fault was.
    #[must_use]
    pub(crate) fn failure(&self) -> Failure {
        self.failure
    }

    /// The next token, or `None` at the end of the stretch. With [`Rule::UnescapedQuote`]
    /// it also returns `None` before a quote, while there is too little text to decide
    /// whether the string ends there ([`Tokenizer::is_waiting`]).
    pub fn next(&mut self, text: &mut Stretch<'_>) -> Option<Token> {
        self.next_before(text, End::of(&[]))
    }

    /// Reads on in a text that may end early before `end`.
    pub(crate) fn next_before(&mut self, text: &mut Stretch<'_>, end: End<'_>) -> Option<Token> {
        self.is_waiting = false;
        loop {
            if !self.skipped.is_nothing() && !ARGUMENTS_ALONE {
                return self.pass_over(text);
            }
            self.pass_plain(text);
            if let Some((quote, rest)) = self.after_quote(text) {
                let is_key = text_of(self.state).is_some_and(|text| text.is_key);
                let ends = if is_key {
                    ends_key(quote, rest, self.is_last)
                } else {
                    ends_string(quote, rest, &self.nesting, self.rules.allowed, end, self.is_last)
                };
                let Some(ends) = ends else {
                    self.is_waiting = true;
                    return None;
                };
                if !ends {
                    return Some(self.keep_quote(text));
                }
            }
            let (c, width) = text.character()?;
            self.steps.add(1);
            let c = self.closer(c);
            let step = step(self.state, self.nesting.inside(), c, self.rules.allowed);
            if matches!(self.state, State::At(_)) || step.action == Action::Break {
                self.rules.settle();
            }
            if let Some(rule) = step.rule {
                self.rules.tolerate(rule);
            }
            if let Some(token) = self.make(step, text, width) {
                return Some(token);
            }
        }
    }

    /// A closing bracket of the wrong kind is read as the right one, if one of its kind is open further out.
    #[inline(always)]
    fn closer(&mut self, c: u32) -> u32 {
        let right = match (c, self.nesting.inside()) {
            (0x5D, Container::Object) => 0x7D,
            (0x7D, Container::Array) => 0x5D,
            _ => return c,
        };
        let is_wrong = matches!(self.state, State::At(_)) && self.rules.has(Rule::WrongCloser);
        if !is_wrong || !self.nesting.has_other() {
            return c;
        }
        self.rules.settle();
        self.rules.tolerate(Rule::WrongCloser);
        right
    }

    /// A quote that may be part of the string, and what follows it.
    #[inline(always)]
    fn after_quote<'a>(&self, text: &Stretch<'a>) -> Option<(u8, &'a [u8])> {
        let State::Text(Text { is_key, quote }, within) = self.state else { return None };
        // A quote after `{` or a space begins something.
        let begins = |byte: u8| byte.is_ascii_whitespace() || b"{[,:\"'".contains(&byte);
        if is_key && (!self.rules.has(Rule::MissingComma) || begins(self.byte_before(text))) {
            return None;
        }
        let quote = match quote {
            Quote::Double => b'"',
            Quote::Single => b'\'',
            Quote::Smart | Quote::Triple | Quote::TripleSingle | Quote::Bare => return None,
        };
        let rest = match (within, text.rest()) {
            (Within::Plain, [byte, rest @ ..]) if *byte == quote => rest,
            // The second one was read, and a third would begin another kind of string.
            (Within::Empty, rest @ [byte, ..]) if *byte != quote => rest,
            _ => return None,
        };
        self.rules.has(Rule::UnescapedQuote).then_some((quote, rest))
    }

    /// The byte before the place; 0 if it isn't known.
    fn byte_before(&self, text: &Stretch<'_>) -> u8 {
        text.at().checked_sub(1).map_or(self.before, |at| text.bytes().get(at).copied().unwrap_or_default())
    }

    /// A quote is part of the string.
    fn keep_quote(&mut self, text: &mut Stretch<'_>) -> Token {
        if let State::Text(inside, Within::Empty) = self.state {
            self.state = State::Text(inside, Within::Plain);
        } else {
            // The text before it comes first, wherever the text is cut.
            let here = text.here();
            let is_key = text_of(self.state).is_some_and(|text| text.is_key);
            if let Some(piece) = self.piece(is_key, here) {
                return piece;
            }
            text.pass(1);
        }
        self.rules.tolerate(Rule::UnescapedQuote);
        self.steps.add(1);
        Token { kind: Kind::Fault(Fault::Quote), start: self.mark, end: self.mark + 1 }
    }

    /// Whether the last `next` stopped before the end of the stretch: more text is needed to
    /// decide whether a quote ends the string.
    ///
    /// ```
    /// use tokenweir::{json::{Rules, Tokenizer}, text::Stretch};
    /// let mut json = Tokenizer::new(Rules::LENIENT, 512);
    /// let mut text = Stretch::new(b"[\"say \"", 0, false);
    /// while json.next(&mut text).is_some() {}
    /// assert!(json.is_waiting());
    /// ```
    #[must_use]
    pub fn is_waiting(&self) -> bool {
        self.is_waiting
    }

    /// No more text comes, so that nothing is waited for. Gives the place to read on from, if
    /// something was.
    // Hidden: for the tests, which read JSON with it.
    #[doc(hidden)]
    pub fn stop_waiting(&mut self) -> Option<u32> {
        self.is_last = true;
        let is_empty = matches!(self.state, State::Text(_, Within::Empty));
        std::mem::take(&mut self.is_waiting).then_some(self.mark + u32::from(is_empty))
    }

    /// Passes over text that changes nothing, and makes the moves between tokens that most
    /// JSON is full of: the same as the table does.
    #[inline(always)]
    fn pass_plain(&mut self, text: &mut Stretch<'_>) {
        let passed = match self.state {
            State::Text(Text { quote: Quote::Double, .. }, Within::Plain) => plain_len(text.rest(), [b'"', b'\\']),
            State::Text(Text { quote: Quote::Single, .. }, Within::Plain) => plain_len(text.rest(), [b'\'', b'\\']),
            State::At(place) => return self.pass_between(place, text),
            State::Number(Number::Integer | Number::Fraction) => {
                let room = (LONGEST_NUMBER + self.mark).saturating_sub(text.here()) as usize;
                text.rest().iter().take(room).take_while(|byte| byte.is_ascii_digit()).count()
            }
            State::Text(..) | State::Comment(..) | State::Number(_) | State::Word { .. } | State::Lone(_) => return,
        };
        self.steps.add(passed);
        text.pass(passed);
    }

    /// Passes white space, colons, commas and the quotes of keys and strings.
    #[inline(always)]
    fn pass_between(&mut self, before: Place, text: &mut Stretch<'_>) {
        let mut place = before;
        let mut passed = 0;
        let rest = text.rest();
        let inside = self.nesting.inside();
        let begun = loop {
            place = match (rest.get(passed), place) {
                (Some(b' ' | b'\n'), _) => place,
                (Some(b':'), Place::Colon) => Place::Value,
                (Some(b','), Place::After) if inside == Container::Object => Place::Key,
                (Some(b','), Place::After) if inside == Container::Array => Place::Element,
                (Some(b'"'), Place::FirstKey | Place::Key) => break Some(true),
                (Some(b'"'), Place::Value | Place::FirstElement | Place::Element)
                    if !matches!(rest.get(passed + 1), None | Some(b'"')) =>
                {
                    break Some(false);
                }
                _ => break None,
            };
            passed += 1;
        };
        if place != before {
            self.rules.settle();
            self.state = State::At(place);
        }
        passed += usize::from(begun.is_some());
        self.steps.add(passed);
        text.pass(passed);
        if let Some(is_key) = begun {
            self.rules.settle();
            self.state = State::Text(Text { is_key, quote: Quote::Double }, Within::Plain);
            self.mark = text.here();
            self.is_fresh = true;
            let passed = plain_len(text.rest(), [b'"', b'\\']);
            self.steps.add(passed);
            text.pass(passed);
        }
    }

    /// Makes a move, and returns its token if it has one.
    #[inline(always)]
    fn make(&mut self, step: Step, text: &mut Stretch<'_>, width: usize) -> Option<Token> {
        let before = self.state;
        self.state = step.state;
        let from = text.at();
        text.pass(if step.again { 0 } else { width });
        let is_key = text_of(before).is_some_and(|text| text.is_key);
        match step.action {
            Action::Stay => return self.check_length(text),
            Action::Push(container) => return Some(self.push(container, text.unit_at(from))),
            Action::Pop => return Some(self.pop(text.here())),
            Action::Begin => (self.mark, self.is_fresh) = (text.here(), true),
            Action::BeginHere => (self.mark, self.is_fresh) = (text.unit_at(from), false),
            Action::Break => {
                self.digits = 0;
                return self.piece(is_key, text.unit_at(from));
            }
            Action::EndText { back } => {
                return Some(self.token(Kind::Text { is_key }, text.unit_at(from).saturating_sub(back)));
            }
            Action::MarkEnd => self.digits = text.unit_at(from).saturating_sub(self.mark),
            Action::EndLone => return Some(self.token(Kind::Text { is_key }, self.mark + self.digits)),
            Action::EndNumber => return Some(self.token(Kind::Number, text.here())),
            Action::EndWord(literal) => return Some(self.token(Kind::Word(literal), text.here())),
            Action::Character(code) => return Some(self.token(Kind::Character { is_key, code }, text.here())),
            Action::Digit(digit) => self.digits = self.digits << 4 | u32::from(digit),
            Action::Octal(digit) => self.digits = self.digits << 3 | u32::from(digit),
            Action::LastDigit(digit) => return self.escaped(self.digits << 4 | u32::from(digit), before, text),
            Action::LastOctal(digit) => return self.escaped(self.digits << 3 | u32::from(digit), before, text),
            Action::EndOctal => return self.escaped(self.digits, before, text),
            Action::LoneHalf => {
                let code = u32::from(std::mem::take(&mut self.half));
                return Some(self.token(Kind::Character { is_key, code }, self.mark + ESCAPE));
            }
            Action::Nothing => self.mark = text.here(),
            Action::Fail(Fault::RawControl) if text.unit_at(from) > self.mark => {
                // The text before it comes first, wherever the text is cut.
                text.set_at(from);
                return self.piece(is_key, text.here());
            }
            Action::Fail(fault) => return Some(self.fail(fault, before, text, from)),
        }
        None
    }

    /// In a number and in a word without quotes, and only there, the length counts.
    fn check_length(&mut self, text: &mut Stretch<'_>) -> Option<Token> {
        let (longest, failure, fault) = match self.state {
            State::Number(_) => (LONGEST_NUMBER, Failure::TooLong, Fault::TooLong),
            State::Lone(_) => (LONGEST_WORD, Failure::InValue, Fault::Unexpected),
            State::At(_) | State::Comment(..) | State::Text(..) | State::Word { .. } => return None,
        };
        (text.here().saturating_sub(self.mark) > longest).then(|| {
            self.failure = failure;
            self.stumble(fault, self.mark)
        })
    }

    fn push(&mut self, container: Container, start: u32) -> Token {
        if self.nesting.depth() < self.max_depth && self.nesting.push(container) {
            return Token { kind: Kind::Push(container), start, end: start + 1 };
        }
        self.failure = Failure::TooDeep;
        self.skipped = Skipped::CONTAINER;
        self.state = State::At(Place::After);
        Token { kind: Kind::Stumble, start, end: start }
    }

    fn pop(&mut self, end: u32) -> Token {
        let container = self.nesting.inside();
        self.nesting.pop();
        Token { kind: Kind::Pop(container), start: end - 1, end }
    }

    /// The token from the mark on, which is then after it.
    fn token(&mut self, kind: Kind, end: u32) -> Token {
        self.is_fresh = false;
        Token { kind, start: std::mem::replace(&mut self.mark, end), end }
    }

    /// The piece of a text up to `end`, if there is any.
    fn piece(&mut self, is_key: bool, end: u32) -> Option<Token> {
        (self.mark != end).then(|| self.token(Kind::Piece { is_key }, end))
    }

    /// An escape with digits is whole.
    fn escaped(&mut self, code: u32, before: State, text: &mut Stretch<'_>) -> Option<Token> {
        let inside = text_of(before)?;
        let half = std::mem::take(&mut self.half);
        let code = if half == 0 { code } else { 0x1_0000 + ((u32::from(half) % 0x400) << 10) + code % 0x400 };
        if code > 0x10_FFFF {
            // No character: it stays as it is written.
            self.rules.tolerate(Rule::KeptEscape);
            return None;
        }
        if (0xD800..0xDC00).contains(&code) {
            // Its other half may follow; until that is known it is pending.
            self.half = code as u16;
            self.digits = 0;
            self.state = State::Text(inside, Within::Low);
            return None;
        }
        Some(self.token(Kind::Character { is_key: inside.is_key, code }, text.here()))
    }

    fn fail(&mut self, fault: Fault, before: State, text: &mut Stretch<'_>, from: usize) -> Token {
        let here = text.unit_at(from);
        self.rules.take_back();
        self.before_fault = before;
        self.failure = match before {
            State::At(Place::Value)
            | State::Comment(_, Place::Value)
            | State::Number(_)
            | State::Word { .. }
            | State::Lone(_) => Failure::InValue,
            State::Text(text, _) if !text.is_key => Failure::InString,
            State::At(_) | State::Comment(..) | State::Text(..) => Failure::Elsewhere,
        };
        let at = |start, end| Token { kind: Kind::Fault(fault), start, end };
        match fault {
            Fault::MissingValue => at(here, here),
            // Both stay in the text, as they are.
            Fault::BadEscape => at(self.mark, here),
            Fault::RawControl | Fault::Quote => at(here, here + 1),
            Fault::Unexpected | Fault::TooDeep | Fault::TooLong => {
                // A token that was begun is part of it.
                let start = match before {
                    State::At(_) => here,
                    State::Comment(..) => here.saturating_sub(1),
                    State::Text(..) | State::Number(_) | State::Word { .. } | State::Lone(_) => self.mark,
                };
                text.set_at(from);
                self.stumble(fault, start)
            }
        }
    }

    fn stumble(&mut self, fault: Fault, start: u32) -> Token {
        self.rules.take_back();
        self.skipped = Skipped::unexpected(fault);
        self.state = State::At(Place::After);
        Token { kind: Kind::Stumble, start, end: start }
    }

    /// Passes over text that can't be read; its end is a token.
    fn pass_over(&mut self, text: &mut Stretch<'_>) -> Option<Token> {
        loop {
            let &byte = text.rest().first()?;
            self.steps.add(1);
            if self.skipped.may_end_before(byte) && self.goes_on_at(byte) {
                break;
            }
            text.pass(1);
            if self.skipped.ends_with(byte, self.rules.allowed) {
                break;
            }
        }
        self.mark = text.here();
        Some(self.end_of_skipped(self.mark))
    }

    fn end_of_skipped(&mut self, end: u32) -> Token {
        let fault = std::mem::replace(&mut self.skipped, Skipped::NOTHING).fault();
        Token { kind: Kind::Fault(fault), start: end, end }
    }

    /// Whether reading can go on at a byte after text that can't be read. Otherwise
    /// the same byte would be a fault forever: `{"a":1]` in strict JSON.
    fn goes_on_at(&self, byte: u8) -> bool {
        let next = step(State::At(Place::After), self.nesting.inside(), u32::from(byte), self.rules.allowed);
        !matches!(next.action, Action::Fail(_))
    }

    /// At the end of a stretch: the part of the open text that has arrived. A string
    /// that has just begun gives an empty piece.
    pub fn rest(&mut self, text: &mut Stretch<'_>) -> Option<Token> {
        if text.bytes().is_empty() {
            return None;
        }
        self.before = self.byte_before(text);
        let here = text.here();
        let State::Text(inside, within) = self.state else { return None };
        let end = match within {
            // Half a surrogate pair, whose other half may follow.
            Within::Plain => here - u32::from(text.is_at_end() && ends_in_half(text.bytes())),
            Within::TripleEnd(read) => here.saturating_sub(u32::from(read)),
            Within::Opened
            | Within::Empty
            | Within::Escape
            | Within::Hex(_)
            | Within::Octal(_)
            | Within::Low
            | Within::LowEscape
            | Within::LowHex(_)
            | Within::CarriageReturn => self.mark,
        };
        let has_begun = self.is_fresh && !inside.is_key;
        (end > self.mark || has_begun).then(|| self.token(Kind::Piece { is_key: inside.is_key }, end.max(self.mark)))
    }

    /// Where the undecided text begins, at the end of a stretch whose
    /// [`Tokenizer::rest`] was taken.
    #[must_use]
    pub fn held_from(&self, here: u32) -> u32 {
        match self.state {
            State::Comment(Comment::Slash, _) => here.saturating_sub(1),
            State::At(_) | State::Comment(..) => here,
            State::Text(..) | State::Number(_) | State::Word { .. } | State::Lone(_) => self.mark.min(here),
        }
    }

    /// Forgets the first `units` units: they were decided.
    pub fn release(&mut self, units: u32) {
        self.mark = self.mark.saturating_sub(units);
    }

    /// Text up to here was emitted without being read: plain text of a string.
    pub(crate) fn pass(&mut self, here: u32) {
        self.mark = here;
        self.is_fresh = false;
    }

    /// The part of a number that has arrived at the end of a stretch, if it could end there.
    // Hidden: for the tests, which read JSON with it.
    #[doc(hidden)]
    #[must_use]
    pub fn open_number(&self, here: u32) -> Option<Token> {
        let State::Number(number) = self.state else { return None };
        let could_end = self.skipped.is_nothing() && number.can_end(self.rules.allowed);
        could_end.then_some(Token { kind: Kind::CutNumber, start: self.mark, end: here })
    }

    /// Whether the text so far is valid once its strings, comments and containers are
    /// closed: no key without value, no part of a word or an escape, and no number that
    /// can't end here.
    // One copy: it is asked once for a chunk.
    #[inline(never)]
    #[must_use]
    pub fn could_be_closed(&self) -> bool {
        let place = |place| match place {
            Place::FirstElement | Place::Element | Place::FirstKey | Place::Key | Place::After => true,
            Place::Value | Place::Colon => false,
        };
        self.skipped.is_nothing()
            && match self.state {
                State::Comment(Comment::Slash, _) | State::Word { .. } | State::Lone(_) => false,
                State::At(at) | State::Comment(_, at) => place(at),
                State::Number(number) => number.can_end(self.rules.allowed),
                State::Text(text, within) => {
                    !text.is_key
                        && match within {
                            Within::Opened | Within::Empty | Within::Plain | Within::TripleEnd(_) | Within::Low => true,
                            Within::Escape
                            | Within::Hex(_)
                            | Within::Octal(_)
                            | Within::LowEscape
                            | Within::LowHex(_)
                            | Within::CarriageReturn => false,
                        }
                }
            }
    }

    /// The end of the stream, a move like any other: the last token, as far as it is
    /// known. `here` is the end of the undecided text.
    pub fn finish(&mut self, here: u32) -> Option<Token> {
        if !self.skipped.is_nothing() {
            return Some(self.end_of_skipped(here));
        }
        let state = std::mem::replace(&mut self.state, State::At(Place::After));
        // A number that was cut off after `0x`, `1e` or `1.` may have become any number. A
        // whole text may be `1.`, where that is allowed.
        let rules = self.rules.allowed;
        let is_cut_off =
            matches!(state, State::Number(at) if at == Number::Point && self.depth() > 0 || !at.can_end(rules));
        if is_cut_off {
            self.rules.take_back();
        } else if state == State::Number(Number::Point) {
            self.rules.tolerate(Rule::BarePoint);
        } else if matches!(state, State::Word { word: Word::PythonTrue | Word::PythonFalse | Word::PythonNone, .. }) {
            self.rules.tolerate(Rule::PythonWord);
        }
        let token = self.last(state, is_cut_off, here).map(|(kind, end)| self.token(kind, end));
        self.mark = here;
        token
    }

    /// What the text that is open is, and its end, if the stream ends in a state.
    fn last(&self, state: State, is_cut_off: bool, here: u32) -> Option<(Kind, u32)> {
        match state {
            // A string without quotes ends here.
            _ if ends_bare(state, self.rules.allowed) => Some((Kind::Text { is_key: false }, here)),
            State::Number(_) => (!is_cut_off).then_some((Kind::CutNumber, here)),
            State::Word { word, is_signed: false, .. } => {
                let literal = match word {
                    Word::True | Word::PythonTrue => Literal::True,
                    Word::False | Word::PythonFalse => Literal::False,
                    Word::Null | Word::PythonNone => Literal::Null,
                    // `N` may be `None` too.
                    Word::NaN | Word::Infinity | Word::Undefined => return None,
                };
                Some((Kind::Word(literal), here))
            }
            State::Lone(lone) => {
                let end = if lone == Lone::Space { self.mark + self.digits } else { here };
                Some((Kind::Piece { is_key: false }, end))
            }
            // No third quote came, so the second one was its end.
            State::Text(text, Within::Empty) => Some((Kind::Text { is_key: text.is_key }, self.mark)),
            // Half a pair whose other half didn't come.
            State::Text(text, Within::Plain) if here > self.mark => Some((Kind::Piece { is_key: text.is_key }, here)),
            State::Text(..) | State::Word { .. } | State::At(_) | State::Comment(..) => None,
        }
    }
}

/// The text around a state.
fn text_of(state: State) -> Option<Text> {
    if let State::Text(text, _) = state { Some(text) } else { None }
}

/// Whether text ends in the first half of a surrogate pair.
fn ends_in_half(bytes: &[u8]) -> bool {
    matches!(bytes, [.., 0xED, 0xA0..=0xAF, _])
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test that can't go on fails")]
mod tests {
    use super::*;

    /// A tokenizer after the pieces of a text, and its tokens.
    fn after(rules: Rules, pieces: &[&str]) -> (Tokenizer, Vec<Token>) {
        let mut json = Tokenizer::new(rules, 512);
        let (mut tokens, mut at) = (Vec::new(), 0);
        for piece in pieces {
            let mut text = Stretch::new(piece.as_bytes(), at, true);
            while let Some(token) = json.next(&mut text) {
                tokens.push(token);
            }
            at = text.here();
            tokens.extend(json.rest(&mut text));
        }
        (json, tokens)
    }

    #[test]
    fn a_value_after_another() {
        let (mut json, _) = after(Rules::LENIENT, &["['a', [1,"]);
        let used = json.used();
        assert!(used.has(Rule::SingleQuotes) && json.depth() == 2);
        json.reset(Rules::STRICT, used);
        assert_eq!((json.depth(), json.used()), (0, used));
        let mut text = Stretch::new(b"'", 0, true);
        assert_eq!(json.next(&mut text).unwrap().kind, Kind::Stumble);
        json.reset(Rules::STRICT, used);
        json.set_rules(Rules::LENIENT);
        assert_eq!(json.next(&mut Stretch::new(b"'a'", 0, true)).unwrap().kind, Kind::Text { is_key: false });
    }

    #[test]
    fn plain_text_may_continue_a_string() {
        for (text, expected) in
            [("[\"a", true), ("[\"a\\", false), ("[\"a\"", false), ("{\"a", false), ("['a", false), ("[@ \"a", false)]
        {
            assert_eq!(after(Rules::LENIENT, &[text]).0.is_in_plain_string(), expected, "{text}");
        }
        let (mut json, _) = after(Rules::STRICT, &["[\"ab"]);
        json.pass(9);
        let mut text = Stretch::new(b"c\"", 9, true);
        let Token { start, end, .. } = json.next(&mut text).unwrap();
        assert_eq!((start, end), (9, 10));
    }

    #[test]
    fn rules_count_where_they_led_to_something() {
        let used = |text| after(Rules::LENIENT, &[text]).0.used();
        assert!(used("['a', @]").has(Rule::SingleQuotes));
        assert!(!used("[0x@]").has(Rule::HexNumber) && used("[0x1]").has(Rule::HexNumber));
        for (rules, text, is_used) in
            [(Rules::LENIENT, "1.", true), (Rules::LENIENT, "[1.", false), (Rules::STRICT, "1.", false)]
        {
            let (mut json, _) = after(rules, &[text]);
            let last = json.finish(text.len() as u32);
            assert_eq!((last.is_some(), json.used().has(Rule::BarePoint)), (is_used, is_used), "{text}");
        }
    }

    #[test]
    fn text_before_a_fault_comes_first() {
        let tokens = |pieces: &[&str]| {
            let (_, tokens) = after(Rules::STRICT, pieces);
            tokens.into_iter().map(|token| (token.kind, token.start..token.end)).collect::<Vec<_>>()
        };
        let whole = tokens(&["[\"ab\u{1}c\""]);
        let piece = Kind::Piece { is_key: false };
        assert_eq!(
            whole,
            [
                (Kind::Push(Container::Array), 0..1),
                (piece, 2..4),
                (Kind::Fault(Fault::RawControl), 4..5),
                (Kind::Text { is_key: false }, 4..6),
            ]
        );
        assert_eq!(tokens(&["[\"ab", "\u{1}c\""]), whole);
    }

    #[test]
    fn where_it_failed() {
        let failure = |text: &str| {
            let (json, tokens) = after(Rules::STRICT, &[text]);
            assert!(tokens.iter().any(|token| matches!(token.kind, Kind::Fault(_) | Kind::Stumble)), "{text}");
            json.failure()
        };
        assert_eq!(failure("[\"a\u{1}"), Failure::InString);
        assert_eq!(failure("{\"a\u{1}"), Failure::Elsewhere);
        assert_eq!(failure("{\"a\": @"), Failure::InValue);
        assert_eq!(failure("[1 @"), Failure::Elsewhere);
        assert_eq!(failure(&"[".repeat(513)), Failure::TooDeep);
        assert_eq!(failure(&"1".repeat(LONGEST_NUMBER as usize + 1)), Failure::TooLong);
    }

    #[test]
    fn a_string_that_has_begun_is_emitted_once() {
        let empty = |pieces: &[&str]| {
            let (_, tokens) = after(Rules::STRICT, pieces);
            tokens.iter().filter(|token| matches!(token.kind, Kind::Piece { .. })).count()
        };
        assert_eq!([empty(&["[\""]), empty(&["[\"", "a"]), empty(&["[\"", "\\"]), empty(&["{\""])], [1, 2, 1, 0]);
    }

    #[test]
    fn unreadable_text_is_not_pending() {
        let (json, _) = after(Rules::STRICT, &["[1x yz"]);
        assert_eq!(json.held_from(6), 6);
        let (json, _) = after(Rules::STRICT, &["[12"]);
        assert_eq!(json.held_from(3), 1);
    }

    #[test]
    fn a_letter_outside_of_words_fails_immediately() {
        for text in ["[N", "[I", "[T", "[F", "[x"] {
            let last = |rules| after(rules, &[text]).1.last().unwrap().kind;
            assert_eq!(last(Rules::STRICT), Kind::Stumble, "{text}");
            let is_word = text != "[x";
            let rules = Rules::LENIENT.without(Rule::LoneWord);
            assert_eq!(last(rules) == Kind::Push(Container::Array), is_word, "{text}");
            assert_eq!(last(Rules::LENIENT), Kind::Push(Container::Array), "{text}");
        }
    }
}
