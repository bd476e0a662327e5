//! JSON as a table, with JSON5 and the errors of models as rules that tolerate them.
//!
//! Source: RFC 8259; spec.json5.org; `tolerance.rs` for everything else. With
//! [`Rules::STRICT`] it accepts exactly what `JSON.parse` does.

use super::tolerance::{Rule, Rules};
use crate::text::numbered;

numbered! {
    /// What encloses the place.
    ///
    /// ```
    /// use tokenweir::{json::{Container, Kind, Rules, Tokenizer}, text::Stretch};
    /// let mut json = Tokenizer::new(Rules::STRICT, 512);
    /// let mut text = Stretch::new(b"[{", 0, true);
    /// assert_eq!(json.next(&mut text).map(|token| token.kind), Some(Kind::Push(Container::Array)));
    /// assert_eq!(json.next(&mut text).map(|token| token.kind), Some(Kind::Push(Container::Object)));
    /// ```
    #[repr(u8)]
    pub enum Container {
        /// `[…]`
        Array = 0 => "array",
        /// `{…}`
        Object = 1 => "object",
        /// No bracket: the text itself.
        Text = 2 => "text",
    }
}

/// A place between tokens; `|` is the place in each picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "debug", derive(serde::Serialize))]
pub enum Place {
    /// `|1`, `{"a":|1}`
    Value,
    /// `[|1]`
    FirstElement,
    /// `[1,|2]`
    Element,
    /// `{|"a":1}`
    FirstKey,
    /// `{"a":1,|"b":2}`
    Key,
    /// `{"a"|:1}`
    Colon,
    /// `1 |`, `[1 |]`
    After,
}

/// What encloses a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "debug", derive(serde::Serialize))]
pub enum Quote {
    /// `"a"`
    Double,
    /// `'a'`
    Single,
    /// `“a”`
    Smart,
    /// `"""a"""`, a value only.
    Triple,
    /// `'''a'''`, where escapes are Python's.
    TripleSingle,
    /// `a`, a member's name only.
    Bare,
}

/// Which text the place is in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "debug", derive(serde::Serialize))]
pub struct Text {
    /// Whether it is a member's name, not a value.
    pub is_key: bool,
    /// What encloses it.
    pub quote: Quote,
}

/// A word that is a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "debug", derive(serde::Serialize))]
pub enum Word {
    /// `true`
    True,
    /// `false`
    False,
    /// `null`
    Null,
    /// `True`
    PythonTrue,
    /// `False`
    PythonFalse,
    /// `None`
    PythonNone,
    /// `NaN`
    NaN,
    /// `Infinity`
    Infinity,
    /// `undefined`, which is no value and no string.
    Undefined,
}

/// In a string without quotes, by [`Rule::LoneWord`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "debug", derive(serde::Serialize))]
pub enum Lone {
    /// `Some|_Tool`
    Word,
    /// `Some_Tool |`: white space after it.
    Space,
}

impl Quote {
    /// The byte of a quote that is one.
    fn byte(self) -> u8 {
        if matches!(self, Quote::Single | Quote::TripleSingle) { b'\'' } else { b'"' }
    }
}

impl Word {
    fn letters(self) -> &'static [u8] {
        match self {
            Word::True => b"true",
            Word::False => b"false",
            Word::Null => b"null",
            Word::PythonTrue => b"True",
            Word::PythonFalse => b"False",
            Word::PythonNone => b"None",
            Word::NaN => b"NaN",
            Word::Infinity => b"Infinity",
            Word::Undefined => b"undefined",
        }
    }
}

/// In a comment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "debug", derive(serde::Serialize))]
pub enum Comment {
    /// `/|* a */`, `/|/ a`
    Slash,
    /// `// a|`
    Line,
    /// `/* a| */`
    Block,
    /// `/* a *|/`
    Star,
}

/// In a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "debug", derive(serde::Serialize))]
pub enum Within {
    /// `"|a"`, which may still be `"|""a"""`.
    Opened,
    /// `""|`, which may still be `""|"a"""`.
    Empty,
    /// `"a|"`
    Plain,
    /// `"""a"|""`, and how many quotes were read.
    TripleEnd(u8),
    /// `"\|n"`
    Escape,
    /// `"\u12|34"`, and how many digits are still to come.
    Hex(u8),
    /// `"\03|3"` in Python, and how many digits may still come.
    Octal(u8),
    /// `"\ud83d|\ude00"`: the second half may follow.
    Low,
    /// `"\ud83d\|ude00"`
    LowEscape,
    /// `"\ud83d\ude|00"`, and how many digits are still to come.
    LowHex(u8),
    /// After a backslash and a carriage return; a line feed belongs to the same line end.
    CarriageReturn,
}

/// In a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "debug", derive(serde::Serialize))]
pub enum Number {
    /// `-|1`
    Sign,
    /// `0|`
    Zero,
    /// `12|3`
    Integer,
    /// `.|5`
    LeadingPoint,
    /// `1.|5`
    Point,
    /// `1.5|`
    Fraction,
    /// `1e|5`
    Exponent,
    /// `1e-|5`
    ExponentSign,
    /// `1e5|`
    ExponentDigits,
    /// `0x|F`
    HexPrefix,
    /// `0xF|`
    HexDigits,
}

impl Number {
    /// Whether a number can end here; `5.` can where a point may be bare.
    #[must_use]
    pub fn can_end(self, rules: Rules) -> bool {
        match self {
            Number::Zero | Number::Integer | Number::Fraction | Number::ExponentDigits | Number::HexDigits => true,
            Number::Point => rules.has(Rule::BarePoint),
            Number::Sign | Number::LeadingPoint | Number::Exponent | Number::ExponentSign | Number::HexPrefix => false,
        }
    }
}

/// How far the text is read; `|` is the place in each picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "debug", derive(serde::Serialize))]
pub enum State {
    /// Between tokens.
    At(Place),
    /// In a comment, and where it stands.
    Comment(Comment, Place),
    /// In a string or a member's name.
    Text(Text, Within),
    /// In a number.
    Number(Number),
    /// `tr|ue`
    Word {
        /// Which word.
        word: Word,
        /// How many letters of it were read.
        read: u8,
        /// Whether a sign stands before it.
        is_signed: bool,
    },
    /// In a word that is a string, if what follows it says so.
    Lone(Lone),
}

numbered! {
    /// What a word stands for.
    ///
    /// ```
    /// use tokenweir::field::{EventKind, FieldParser, Options};
    /// use tokenweir::json::Literal;
    /// let events = FieldParser::new(Options::default()).feed(r#"{"is_open": true}"#)?;
    /// assert_eq!(events[0].kind, EventKind::Word(Literal::True));
    /// # Ok::<(), tokenweir::Error>(())
    /// ```
    #[repr(u8)]
    pub enum Literal {
        /// `false`
        False = 0 => "false",
        /// `true`
        True = 1 => "true",
        /// `null`
        Null = 2 => "null",
    }
}

numbered! {
    /// Why no text goes on like this.
    ///
    /// ```
    /// use tokenweir::field::{EventKind, FieldParser, Options};
    /// use tokenweir::json::Fault;
    /// let events = FieldParser::new(Options::default()).feed(r#"{"a": 1, "b": }"#)?;
    /// let fault = events.iter().find(|event| matches!(event.kind, EventKind::Fault(_))).unwrap();
    /// assert_eq!(fault.kind, EventKind::Fault(Fault::MissingValue));
    /// assert_eq!(Fault::MissingValue.name(), "missing-value");
    /// assert_eq!(fault.span.start, 14);
    /// # Ok::<(), tokenweir::Error>(())
    /// ```
    #[non_exhaustive]
    #[repr(u8)]
    pub enum Fault {
        /// Something that can't stand here.
        Unexpected = 0 => "unexpected",
        /// A member without a value.
        MissingValue = 1 => "missing-value",
        /// A backslash with something that it can't escape.
        BadEscape = 2 => "bad-escape",
        /// Nesting beyond the limit.
        TooDeep = 3 => "too-deep",
        /// A number beyond the limit.
        TooLong = 4 => "too-long",
        /// A control character inside a string.
        RawControl = 5 => "raw-control",
        /// A quote inside a string, by `Rule::UnescapedQuote`. The string goes on, and has it in it.
        Quote = 6 => "quote",
    }
}

/// What a move does besides changing the state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Action {
    /// Goes on: the byte is layout, or of the token that is read.
    Stay,
    /// A container opens.
    Push(Container),
    /// The innermost container closes.
    Pop,
    /// A text begins after this character.
    Begin,
    /// A number, a word or an unquoted key begins with this character.
    BeginHere,
    /// The text ends so many characters before this one.
    EndText {
        /// Quotes between its end and this character.
        back: u32,
    },
    /// The word ends before this character, and white space begins.
    MarkEnd,
    /// The word that ended before the white space is a string.
    EndLone,
    /// The number ends: before this character, if that is read again.
    EndNumber,
    /// The word ends with this character.
    EndWord(Literal),
    /// An escape begins with this character, so text before it is a piece.
    Break,
    /// The escape stands for this character.
    Character(u32),
    /// A hexadecimal digit of an escape.
    Digit(u8),
    /// Its last one.
    LastDigit(u8),
    /// An octal digit of an escape.
    Octal(u8),
    /// Its third one.
    LastOctal(u8),
    /// The escape's octal digits ended before this character.
    EndOctal,
    /// The half of a surrogate pair before this escape stays alone.
    LoneHalf,
    /// The escape stands for nothing and ends: before this character, if that is read again.
    Nothing,
    /// No text continues so.
    Fail(Fault),
}

/// One move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Step {
    /// The state after it.
    pub state: State,
    /// What it does.
    pub action: Action,
    /// The rule that allowed it.
    pub rule: Option<Rule>,
    /// The character is to be read again in the new state.
    pub again: bool,
}

impl Step {
    const fn to(state: State, action: Action) -> Step {
        Step { state, action, rule: None, again: false }
    }

    const fn stay(state: State) -> Step {
        Step::to(state, Action::Stay)
    }

    const fn again(state: State, action: Action) -> Step {
        Step { state, action, rule: None, again: true }
    }

    const fn fail(state: State) -> Step {
        Step::to(state, Action::Fail(Fault::Unexpected))
    }

    const fn is_failure(self) -> bool {
        matches!(self.action, Action::Fail(_))
    }

    /// The move, if this rule holds.
    #[inline(always)]
    fn by(self, rules: Rules, rule: Rule, state: State) -> Step {
        if rules.has(rule) { Step { rule: Some(rule), ..self } } else { Step::fail(state) }
    }
}

/// After the first quote of a text.
const fn begun(is_key: bool, quote: Quote) -> State {
    State::Text(Text { is_key, quote }, Within::Plain)
}

/// The state after a text.
const fn after(text: Text) -> State {
    State::At(if text.is_key { Place::Colon } else { Place::After })
}

fn is_json5_space(c: u32) -> bool {
    matches!(c, 0x0B | 0x0C | 0xA0 | 0x1680 | 0x2000..=0x200A | 0x2028 | 0x2029 | 0x202F | 0x205F | 0x3000 | 0xFEFF)
}

fn ascii(c: u32) -> u8 {
    if c < 0x80 { c as u8 } else { 0 }
}

fn begins_name(c: u32) -> bool {
    let byte = ascii(c);
    byte.is_ascii_alphabetic() || matches!(byte, b'_' | b'$' | b'\\') || c >= 0x80 && !is_json5_space(c)
}

fn is_in_name(c: u32) -> bool {
    begins_name(c) || ascii(c).is_ascii_digit()
}

/// Whether a character may be part of a word without quotes. Robust JSON has no others.
fn is_in_word_text(c: u32) -> bool {
    let byte = ascii(c);
    byte.is_ascii_alphanumeric() || byte != 0 && b"$_-+.*?!|&%^/#\\".contains(&byte)
}

/// In a string without quotes.
const BARE: State = State::Text(Text { is_key: false, quote: Quote::Bare }, Within::Plain);

/// A number or a word turns out to be a string without quotes, where the rules have those.
fn bare_or_fail(state: State, rules: Rules) -> Step {
    Step::again(BARE, Action::Stay).by(rules, Rule::BareWord, state)
}

/// Whether a word that may be a string can begin with a character.
fn begins_lone(c: u32) -> bool {
    begins_name(c) && ascii(c) != b'\\' && !is_smart_quote(c)
}

/// A word turns out to be another one, where the rules have words that are strings.
fn lone_or_fail(state: State, inside: Container, rules: Rules) -> Step {
    if inside == Container::Text {
        return Step::fail(state);
    }
    Step::again(State::Lone(Lone::Word), Action::Stay).by(rules, Rule::LoneWord, state)
}

fn in_lone(lone: Lone, c: u32) -> Step {
    let state = State::Lone(lone);
    match (lone, ascii(c)) {
        (Lone::Word, b'-' | b'.' | b'+') => Step::stay(state),
        (Lone::Word, byte) if byte.is_ascii_digit() || begins_lone(c) => Step::stay(state),
        (Lone::Word, b' ' | b'\t') => Step::to(State::Lone(Lone::Space), Action::MarkEnd),
        (Lone::Space, b' ' | b'\t') => Step::stay(state),
        (Lone::Word, b',' | b'}' | b']' | b'\n' | b'\r') => {
            Step::again(State::At(Place::After), Action::EndText { back: 0 })
        }
        (Lone::Space, b',' | b'}' | b']' | b'\n' | b'\r') => Step::again(State::At(Place::After), Action::EndLone),
        (Lone::Word | Lone::Space, _) => Step::fail(state),
    }
}

fn hex(c: u32) -> Option<u8> {
    char::from(ascii(c)).to_digit(16).map(|digit| digit as u8)
}

/// One move on one character.
#[must_use]
#[inline(always)]
pub fn step(state: State, inside: Container, c: u32, rules: Rules) -> Step {
    match state {
        State::At(place) => between(place, inside, c, rules),
        State::Comment(comment, place) => in_comment(comment, place, c, rules),
        State::Text(text, Within::Plain) => in_plain_text(text, c, rules),
        State::Text(text, within) => in_text(text, within, c, rules),
        State::Number(number) => in_number(number, c, rules),
        State::Word { word, read, is_signed } => in_word(word, read, is_signed, inside, ascii(c), rules),
        State::Lone(lone) => in_lone(lone, c),
    }
}

fn in_comment(comment: Comment, place: Place, c: u32, rules: Rules) -> Step {
    let stay = |comment| Step::stay(State::Comment(comment, place));
    match (comment, c) {
        (Comment::Slash, 0x2F) => stay(Comment::Line),
        (Comment::Slash, 0x2A) => stay(Comment::Block),
        (Comment::Slash, _) => match place {
            Place::Value | Place::FirstElement | Place::Element => bare_or_fail(State::At(place), rules),
            Place::FirstKey | Place::Key => {
                Step::again(begun(true, Quote::Bare), Action::Stay).by(rules, Rule::BareWord, State::At(place))
            }
            Place::Colon | Place::After => Step::fail(State::At(place)),
        },
        (Comment::Line, 0x0A | 0x0D | 0x2028 | 0x2029) => Step::stay(State::At(place)),
        (Comment::Line, _) => stay(Comment::Line),
        (Comment::Star, 0x2F) => Step::stay(State::At(place)),
        (Comment::Block | Comment::Star, 0x2A) => stay(Comment::Star),
        (Comment::Block | Comment::Star, _) => stay(Comment::Block),
    }
}

fn in_text(text: Text, within: Within, c: u32, rules: Rules) -> Step {
    let byte = ascii(c);
    let to = |within| State::Text(text, within);
    match within {
        Within::Plain => in_plain_text(text, c, rules),
        Within::Opened if byte == text.quote.byte() => Step::stay(to(Within::Empty)),
        Within::Opened => Step::again(to(Within::Plain), Action::Stay),
        Within::Empty if byte == text.quote.byte() => {
            let quote = if byte == b'"' { Quote::Triple } else { Quote::TripleSingle };
            let triple = State::Text(Text { is_key: false, quote }, Within::Plain);
            Step::to(triple, Action::Begin).by(rules, Rule::TripleQuotes, to(within))
        }
        Within::Empty => Step::again(State::At(Place::After), Action::EndText { back: 1 }),
        Within::TripleEnd(2) if byte == text.quote.byte() => {
            Step::to(State::At(Place::After), Action::EndText { back: 2 })
        }
        Within::TripleEnd(read) if byte == text.quote.byte() => Step::stay(to(Within::TripleEnd(read + 1))),
        Within::TripleEnd(_) => Step::again(to(Within::Plain), Action::Stay),
        Within::Escape => escape(text, c, rules),
        Within::Hex(left) => match hex(c) {
            Some(digit) if left == 1 => Step::to(to(Within::Plain), Action::LastDigit(digit)),
            Some(digit) => Step::to(to(Within::Hex(left.saturating_sub(1))), Action::Digit(digit)),
            None => kept(text, rules),
        },
        Within::Octal(left) => match byte {
            b'0'..=b'7' if left == 1 => Step::to(to(Within::Plain), Action::LastOctal(byte - b'0')),
            b'0'..=b'7' => Step::to(to(Within::Octal(left.saturating_sub(1))), Action::Octal(byte - b'0')),
            _ => Step::again(to(Within::Plain), Action::EndOctal),
        },
        Within::Low if byte == b'\\' => Step::stay(to(Within::LowEscape)),
        Within::Low => Step::again(to(Within::Plain), Action::LoneHalf),
        Within::LowEscape if byte == b'u' => Step::stay(to(Within::LowHex(4))),
        Within::LowEscape => Step::again(to(Within::Escape), Action::LoneHalf),
        // The second half is between DC00 and DFFF.
        Within::LowHex(left) => match (left, hex(c)) {
            (4, Some(digit @ 0xD)) | (3, Some(digit @ 0xC..)) | (2, Some(digit)) => {
                Step::to(to(Within::LowHex(left.saturating_sub(1))), Action::Digit(digit))
            }
            (1, Some(digit)) => Step::to(to(Within::Plain), Action::LastDigit(digit)),
            _ => Step::again(to(Within::Hex(left)), Action::LoneHalf),
        },
        Within::CarriageReturn if byte == b'\n' => Step::to(to(Within::Plain), Action::Nothing),
        Within::CarriageReturn => Step::again(to(Within::Plain), Action::Nothing),
    }
}

fn in_number(number: Number, c: u32, rules: Rules) -> Step {
    let byte = ascii(c);
    let state = State::Number(number);
    let stay = |number| Step::stay(State::Number(number));
    let is_digit = byte.is_ascii_digit();
    let is_exponent = matches!(byte, b'e' | b'E');
    match number {
        Number::Sign => match byte {
            b'0' => stay(Number::Zero),
            b'1'..=b'9' => stay(Number::Integer),
            _ if rules.has(Rule::BareWord) => bare_or_fail(state, rules),
            b'.' => stay(Number::LeadingPoint).by(rules, Rule::BarePoint, state),
            b'I' | b'N' => {
                let word = if byte == b'I' { Word::Infinity } else { Word::NaN };
                Step::stay(State::Word { word, read: 1, is_signed: true }).by(rules, Rule::NonFinite, state)
            }
            _ => Step::fail(state),
        },
        Number::Zero if matches!(byte, b'x' | b'X') => stay(Number::HexPrefix).by(rules, Rule::HexNumber, state),
        Number::Integer if is_digit => stay(number),
        Number::Zero if is_digit => stay(Number::Integer).by(rules, Rule::LeadingZero, state),
        Number::Zero | Number::Integer if byte == b'.' => stay(Number::Point),
        Number::Zero | Number::Integer | Number::Fraction if is_exponent => stay(Number::Exponent),
        Number::LeadingPoint | Number::Point | Number::Fraction if is_digit => stay(Number::Fraction),
        Number::Point if is_exponent => stay(Number::Exponent).by(rules, Rule::BarePoint, state),
        Number::Exponent if matches!(byte, b'+' | b'-') => stay(Number::ExponentSign),
        Number::Exponent | Number::ExponentSign | Number::ExponentDigits if is_digit => stay(Number::ExponentDigits),
        Number::HexPrefix | Number::HexDigits if byte.is_ascii_hexdigit() => stay(Number::HexDigits),
        Number::Point => end_number(state, c).by(rules, Rule::BarePoint, state),
        Number::Zero | Number::Integer | Number::Fraction | Number::ExponentDigits | Number::HexDigits => {
            end_number(state, c)
        }
        Number::LeadingPoint | Number::Exponent | Number::ExponentSign | Number::HexPrefix => Step::fail(state),
    }
}

/// A number ends before a character that can't be part of one; `12a`, `1.2.3` and `2024-01-01` fail.
fn end_number(state: State, c: u32) -> Step {
    if is_in_name(c) || matches!(ascii(c), b'.' | b'+' | b'-') {
        return Step::fail(state);
    }
    Step::again(State::At(Place::After), Action::EndNumber)
}

fn in_word(word: Word, read: u8, is_signed: bool, inside: Container, byte: u8, rules: Rules) -> Step {
    let state = State::Word { word, read, is_signed };
    // `N` begins two words.
    if word == Word::NaN && read == 1 && byte == b'o' && !is_signed && rules.has(Rule::PythonWord) {
        let none = State::Word { word: Word::PythonNone, read: 2, is_signed };
        return Step::stay(none);
    }
    let letters = word.letters();
    let is_number = matches!(word, Word::NaN | Word::Infinity);
    if letters.get(usize::from(read)) != Some(&byte) || is_number && !rules.has(Rule::NonFinite) {
        if rules.has(Rule::LoneWord) && !is_signed {
            return lone_or_fail(state, inside, rules);
        }
        return bare_or_fail(state, rules);
    }
    if usize::from(read) + 1 < letters.len() {
        return Step::stay(State::Word { word, read: read + 1, is_signed });
    }
    let end = |action| Step::to(State::At(Place::After), action);
    match word {
        Word::True => end(Action::EndWord(Literal::True)),
        Word::False => end(Action::EndWord(Literal::False)),
        Word::Null => end(Action::EndWord(Literal::Null)),
        Word::PythonTrue => end(Action::EndWord(Literal::True)).by(rules, Rule::PythonWord, state),
        Word::PythonFalse => end(Action::EndWord(Literal::False)).by(rules, Rule::PythonWord, state),
        Word::PythonNone => end(Action::EndWord(Literal::Null)).by(rules, Rule::PythonWord, state),
        Word::NaN | Word::Infinity => end(Action::EndNumber).by(rules, Rule::NonFinite, state),
        Word::Undefined => Step::fail(state),
    }
}

fn between(place: Place, inside: Container, c: u32, rules: Rules) -> Step {
    let state = State::At(place);
    let byte = ascii(c);
    if matches!(byte, b' ' | b'\t' | b'\n' | b'\r') {
        return Step::stay(state);
    }
    if byte == b'/' {
        // A word may begin with it too.
        return Step::to(State::Comment(Comment::Slash, place), Action::BeginHere).by(rules, Rule::Comment, state);
    }
    if is_json5_space(c) {
        return Step::stay(state).by(rules, Rule::Json5Whitespace, state);
    }
    if is_smart_quote(c) && rules.has(Rule::SmartQuotes) {
        return smart(place, inside, rules);
    }
    let close = Step::to(State::At(Place::After), Action::Pop);
    let is_stray = inside == Container::Object && byte == b']' || inside == Container::Array && byte == b'}';
    if is_stray {
        return Step::stay(state).by(rules, Rule::StrayCloser, state);
    }
    match place {
        Place::Value => match byte {
            b',' | b'}' if inside == Container::Object => {
                Step::again(State::At(Place::After), Action::Fail(Fault::MissingValue))
            }
            _ => value(state, inside, c, rules),
        },
        Place::FirstElement | Place::Element => match byte {
            b']' if place == Place::FirstElement => close,
            b']' => close.by(rules, Rule::TrailingComma, state),
            b',' => Step::stay(State::At(Place::Element)).by(rules, Rule::DoubledComma, state),
            _ => value(state, inside, c, rules),
        },
        Place::FirstKey | Place::Key => match byte {
            b'}' if place == Place::FirstKey => close,
            b'}' => close.by(rules, Rule::TrailingComma, state),
            b',' => Step::stay(State::At(Place::Key)).by(rules, Rule::DoubledComma, state),
            b':' => Step::stay(State::At(Place::Value)).by(rules, Rule::MissingKey, state),
            _ => key(state, c, rules),
        },
        Place::Colon => match byte {
            b':' => Step::stay(State::At(Place::Value)),
            b',' | b'}' => Step::again(State::At(Place::After), Action::Fail(Fault::MissingValue)),
            _ => Step::fail(state),
        },
        Place::After => match (byte, inside) {
            (b',', Container::Array) => Step::stay(State::At(Place::Element)),
            (b',', Container::Object) => Step::stay(State::At(Place::Key)),
            (b']', Container::Array) | (b'}', Container::Object) => close,
            _ => without_comma(inside, c, rules),
        },
    }
}

/// After a member or an element: another one may begin, if a comma may be missing.
fn without_comma(inside: Container, c: u32, rules: Rules) -> Step {
    let state = State::At(Place::After);
    let (next, place) = match inside {
        // `["a" is …` is prose.
        Container::Array => (value(state, inside, c, rules.without(Rule::LoneWord)), Place::Element),
        Container::Object => (key(state, c, rules), Place::Key),
        Container::Text => return Step::fail(state),
    };
    if next.is_failure() {
        return Step::fail(state);
    }
    Step::again(State::At(place), Action::Stay).by(rules, Rule::MissingComma, state)
}

fn is_smart_quote(c: u32) -> bool {
    matches!(c, 0x201C | 0x201D)
}

/// A smart quote between tokens.
fn smart(place: Place, inside: Container, rules: Rules) -> Step {
    let state = State::At(place);
    let begin = |is_key| Step::to(begun(is_key, Quote::Smart), Action::Begin).by(rules, Rule::SmartQuotes, state);
    let again = |place| Step::again(State::At(place), Action::Stay).by(rules, Rule::MissingComma, state);
    match (place, inside) {
        (Place::Value | Place::FirstElement | Place::Element, _) => begin(false),
        (Place::FirstKey | Place::Key, _) => begin(true),
        (Place::Colon, _) | (Place::After, Container::Text) => Step::fail(state),
        (Place::After, Container::Array) => again(Place::Element),
        (Place::After, Container::Object) => again(Place::Key),
    }
}

fn value(state: State, inside: Container, c: u32, rules: Rules) -> Step {
    let byte = ascii(c);
    let word = |word| Step::to(State::Word { word, read: 1, is_signed: false }, Action::BeginHere);
    match byte {
        b'{' => Step::to(State::At(Place::FirstKey), Action::Push(Container::Object)),
        b'[' => Step::to(State::At(Place::FirstElement), Action::Push(Container::Array)),
        b'"' if rules.has(Rule::TripleQuotes) => {
            Step::to(State::Text(Text { is_key: false, quote: Quote::Double }, Within::Opened), Action::Begin)
        }
        b'"' => Step::to(begun(false, Quote::Double), Action::Begin),
        b'\'' => {
            let within = if rules.has(Rule::PythonEscape) { Within::Opened } else { Within::Plain };
            let quoted = State::Text(Text { is_key: false, quote: Quote::Single }, within);
            Step::to(quoted, Action::Begin).by(rules, Rule::SingleQuotes, state)
        }
        b'-' => Step::to(State::Number(Number::Sign), Action::BeginHere),
        b'+' | b'.' if rules.has(Rule::BareWord) => bare(state, rules),
        b'+' => Step::to(State::Number(Number::Sign), Action::BeginHere).by(rules, Rule::PlusSign, state),
        b'0' => Step::to(State::Number(Number::Zero), Action::BeginHere),
        b'1'..=b'9' => Step::to(State::Number(Number::Integer), Action::BeginHere),
        b'.' => Step::to(State::Number(Number::LeadingPoint), Action::BeginHere).by(rules, Rule::BarePoint, state),
        b't' => word(Word::True),
        b'f' => word(Word::False),
        b'n' => word(Word::Null),
        b'T' if rules.has(Rule::PythonWord) => word(Word::PythonTrue),
        b'F' if rules.has(Rule::PythonWord) => word(Word::PythonFalse),
        b'N' if rules.has(Rule::PythonWord) || rules.has(Rule::NonFinite) => word(Word::NaN),
        b'I' if rules.has(Rule::NonFinite) => word(Word::Infinity),
        b'u' if rules.has(Rule::LoneWord) && inside != Container::Text => word(Word::Undefined),
        _ if rules.has(Rule::LoneWord) && inside != Container::Text && begins_lone(c) => {
            Step { rule: Some(Rule::LoneWord), ..Step::to(State::Lone(Lone::Word), Action::BeginHere) }
        }
        _ if is_in_word_text(u32::from(byte)) => bare(state, rules),
        _ => Step::fail(state),
    }
}

/// A string without quotes begins with this character.
fn bare(state: State, rules: Rules) -> Step {
    Step::to(BARE, Action::BeginHere).by(rules, Rule::BareWord, state)
}

fn key(state: State, c: u32, rules: Rules) -> Step {
    match ascii(c) {
        b'"' => Step::to(begun(true, Quote::Double), Action::Begin),
        b'\'' => Step::to(begun(true, Quote::Single), Action::Begin).by(rules, Rule::SingleQuotes, state),
        _ if rules.has(Rule::BareWord) => {
            let begins = is_in_word_text(c) && !ascii(c).is_ascii_digit();
            if begins {
                let rule = if rules.has(Rule::UnquotedKey) { Rule::UnquotedKey } else { Rule::BareWord };
                Step { rule: Some(rule), ..Step::to(begun(true, Quote::Bare), Action::BeginHere) }
            } else {
                Step::fail(state)
            }
        }
        _ if begins_name(c) => {
            // A name may begin with an escape, which is then read as one.
            let again = ascii(c) == b'\\';
            let step = Step { again, ..Step::to(begun(true, Quote::Bare), Action::BeginHere) };
            step.by(rules, Rule::UnquotedKey, state)
        }
        _ => Step::fail(state),
    }
}

fn in_plain_text(text: Text, c: u32, rules: Rules) -> Step {
    let state = State::Text(text, Within::Plain);
    match (text.quote, ascii(c)) {
        (Quote::Double, b'"') | (Quote::Single, b'\'') => Step::to(after(text), Action::EndText { back: 0 }),
        (Quote::Smart, _) if is_smart_quote(c) => Step::to(after(text), Action::EndText { back: 0 }),
        (Quote::Bare, _) if rules.has(Rule::BareWord) => {
            if is_in_word_text(c) {
                Step::stay(state)
            } else {
                Step::again(after(text), Action::EndText { back: 0 })
            }
        }
        (Quote::Double | Quote::Single | Quote::Smart | Quote::Bare, b'\\') => {
            Step::to(State::Text(text, Within::Escape), Action::Break)
        }
        (Quote::Bare, _) if !is_in_name(c) => Step::again(after(text), Action::EndText { back: 0 }),
        (Quote::Triple, b'"') | (Quote::TripleSingle, b'\'') => Step::stay(State::Text(text, Within::TripleEnd(1))),
        (Quote::Triple | Quote::TripleSingle, b'\\') if rules.has(Rule::PythonEscape) => {
            Step::to(State::Text(text, Within::Escape), Action::Break)
        }
        (Quote::Double | Quote::Single | Quote::Smart, _) if c < 0x20 => {
            if rules.has(Rule::RawControl) {
                Step::stay(state).by(rules, Rule::RawControl, state)
            } else {
                Step::to(state, Action::Fail(Fault::RawControl))
            }
        }
        (Quote::Double | Quote::Single | Quote::Smart | Quote::Triple | Quote::TripleSingle | Quote::Bare, _) => {
            Step::stay(state)
        }
    }
}

/// An escape that JSON doesn't know stays as it is written: text from its backslash on.
fn kept(text: Text, rules: Rules) -> Step {
    let plain = State::Text(text, Within::Plain);
    if !rules.has(Rule::KeptEscape) {
        return Step::again(plain, Action::Fail(Fault::BadEscape));
    }
    Step { rule: Some(Rule::KeptEscape), ..Step::again(plain, Action::Stay) }
}

fn escape(text: Text, c: u32, rules: Rules) -> Step {
    let plain = State::Text(text, Within::Plain);
    let stands_for = |c| Step::to(plain, Action::Character(c));
    let by_json5 = |step: Step| {
        if rules.has(Rule::Json5Escape) { step.by(rules, Rule::Json5Escape, step.state) } else { kept(text, rules) }
    };
    let byte = ascii(c);
    if byte == b'u' {
        return Step::stay(State::Text(text, Within::Hex(4)));
    }
    if text.quote == Quote::Bare {
        return kept(text, rules);
    }
    if rules.has(Rule::PythonEscape) {
        return python_escape(text, byte, rules);
    }
    match byte {
        b'"' | b'\\' | b'/' => stands_for(c),
        // The quotes that enclose a string need their backslash.
        b'\'' if text.quote == Quote::Single => stands_for(c),
        _ if text.quote == Quote::Smart && is_smart_quote(c) => stands_for(c),
        b'b' => stands_for(0x08),
        b'f' => stands_for(0x0C),
        b'n' => stands_for(0x0A),
        b'r' => stands_for(0x0D),
        b't' => stands_for(0x09),
        b'x' => by_json5(Step::stay(State::Text(text, Within::Hex(2)))),
        b'v' => by_json5(stands_for(0x0B)),
        b'0' => by_json5(stands_for(0)),
        b'1'..=b'9' => kept(text, rules),
        _ if matches!(c, 0x0A | 0x0D | 0x2028 | 0x2029) => {
            if !rules.has(Rule::LineContinuation) {
                return kept(text, rules);
            }
            let step = end_line(text, byte);
            step.by(rules, Rule::LineContinuation, step.state)
        }
        // Text from here on: JavaScript may send half a surrogate pair as U+FFFD, and has the text.
        _ if c >= 0x80 => by_json5(Step::again(plain, Action::Nothing)),
        _ => by_json5(stands_for(c)),
    }
}

/// A backslash and a line's end, which stand for nothing.
fn end_line(text: Text, byte: u8) -> Step {
    match byte {
        b'\r' => Step::stay(State::Text(text, Within::CarriageReturn)),
        _ => Step::to(State::Text(text, Within::Plain), Action::Nothing),
    }
}

/// An escape as Python's strings have them. `\N{…}` would need the names of all characters, and stays.
fn python_escape(text: Text, byte: u8, rules: Rules) -> Step {
    let plain = State::Text(text, Within::Plain);
    let to = |within| Step::stay(State::Text(text, within));
    let stands_for = |c: u8| Step::to(plain, Action::Character(c.into()));
    let step = match byte {
        b'"' | b'\\' | b'\'' => return stands_for(byte),
        b'b' => return stands_for(0x08),
        b'f' => return stands_for(0x0C),
        b'n' => return stands_for(0x0A),
        b'r' => return stands_for(0x0D),
        b't' => return stands_for(0x09),
        b'a' => stands_for(0x07),
        b'v' => stands_for(0x0B),
        b'x' => to(Within::Hex(2)),
        b'U' => to(Within::Hex(8)),
        b'0'..=b'7' => Step { action: Action::Octal(byte - b'0'), ..to(Within::Octal(2)) },
        b'\n' | b'\r' => end_line(text, byte),
        // An error in Python.
        b'N' => return kept(text, rules),
        _ => Step::again(plain, Action::Stay),
    };
    Step { rule: Some(Rule::PythonEscape), ..step }
}

/// The end of the text, a move like any other: whether it is whole.
#[must_use]
pub(super) fn accepts_end(state: State, inside: Container, rules: Rules) -> bool {
    inside == Container::Text
        && match state {
            State::At(place) => place == Place::After,
            State::Number(number) if number.can_end(rules) => true,
            State::Comment(Comment::Line, Place::After) => true,
            State::Lone(_) => false,
            State::Text(..) | State::Word { .. } | State::Number(_) => ends_bare(state, rules),
            State::Comment(..) => false,
        }
}

/// Whether a string without quotes, such as `tr` and `-`, can end here.
#[must_use]
pub(super) fn ends_bare(state: State, rules: Rules) -> bool {
    match state {
        State::Text(text, within) => text == BARE_TEXT && within == Within::Plain,
        State::Word { .. } | State::Number(Number::Sign) => rules.has(Rule::BareWord),
        State::Number(_) | State::Lone(_) | State::At(_) | State::Comment(..) => false,
    }
}

const BARE_TEXT: Text = Text { is_key: false, quote: Quote::Bare };
