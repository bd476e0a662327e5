//! How a tag is read, as a table.
//!
//! ```text
//! opening   ::= '<' name (space+ attribute)* space* '/'? '>'
//! closing   ::= '</' name space* '>'
//! attribute ::= name (space* '=' space* value)?
//! value     ::= '"' [^"]* '"' | "'" [^']* "'" | [^ >"'<]+
//! ```
//!
//! Source: XML 1.0, productions 40 to 44, and for what is not XML the WHATWG
//! HTML tokenizer (names without value, values without quotes).
//! Differences: `<` is allowed inside quotes and nowhere else in a tag, so that
//! a `<` that is text fails as soon as the next one comes.

/// How far the tag is read; `|` is the place in each picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "debug", derive(serde::Serialize))]
pub(super) enum State {
    /// `a|b`
    Text,
    /// `<|thinking>`
    Open,
    /// `<thin|king>`
    Name,
    /// `</thin|king>`
    ClosingName,
    /// `</thinking |>`
    ClosingEnd,
    /// `<invoke |name="x"|>`
    Inside,
    /// `<invoke na|me="x">`
    Attribute,
    /// `<invoke name |="x">`
    AfterAttribute,
    /// `<invoke name=|"x">`
    BeforeValue,
    /// `<invoke name="x|">`
    DoubleQuoted,
    /// `<invoke name='x|'>`
    SingleQuoted,
    /// `<invoke name=x|>`
    Unquoted,
    /// `<invoke name=x/|>`
    UnquotedSlash,
    /// `<invoke/|>`
    Empty,
}

/// A byte as the table sees it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Class {
    /// `<`
    Less,
    /// `>`
    Greater,
    /// `/`
    Slash,
    /// `=`
    Equals,
    /// `"`
    Double,
    /// `'`
    Single,
    /// `&`
    Ampersand,
    /// Space, tab, line feed, carriage return.
    Space,
    /// Anything else.
    Other,
}

impl Class {
    /// The class of one byte of UTF-8.
    #[must_use]
    pub(super) const fn of(byte: u8) -> Class {
        match byte {
            b'<' => Class::Less,
            b'>' => Class::Greater,
            b'/' => Class::Slash,
            b'=' => Class::Equals,
            b'"' => Class::Double,
            b'\'' => Class::Single,
            b'&' => Class::Ampersand,
            b' ' | b'\t' | b'\n' | b'\r' => Class::Space,
            _ => Class::Other,
        }
    }
}

/// What a byte means for the tag. A move that goes to [`State::Text`] without
/// failing ends it, whatever else the byte means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Action {
    /// The byte is part of the tag.
    Hold,
    /// The tag is a closing tag: `</`.
    Closing,
    /// One byte of the tag's name.
    Name,
    /// The name ended before this byte; it must be a known one.
    NameEnd,
    /// The first byte of an attribute's name.
    AttributeStart,
    /// One more byte of it.
    Attribute,
    /// The attribute's name ended before this byte.
    AttributeEnd,
    /// A value begins after this byte.
    ValueAfter,
    /// A value begins with this byte.
    ValueHere,
    /// The value ended before this byte.
    ValueEnd,
    /// The value ended before this byte, or before the `/` before it: without quotes the `/` may be the tag's or
    /// the value's.
    ValueSlash,
    /// Markup inside a value, which is read again if the tag fails.
    Inner,
    /// White space between a closing tag's name and its `>`.
    Space,
    /// The `>` of `<name/>`.
    EmptyTag,
    /// Not a tag; the byte is read again as text.
    Fail,
}

/// The whole table: one move on one byte.
#[must_use]
pub(super) const fn step(state: State, class: Class) -> (State, Action) {
    use Class::{Ampersand, Double, Equals, Greater, Less, Other, Single, Slash, Space};
    const FAIL: (State, Action) = (State::Text, Action::Fail);
    match (state, class) {
        (State::Text, Less) => (State::Open, Action::Hold),
        (State::Text, _) => FAIL,

        (State::Open, Slash) => (State::ClosingName, Action::Closing),
        (State::Open, Other) => (State::Name, Action::Name),
        (State::Open, _) => FAIL,

        (State::Name | State::ClosingName, Other) => (state, Action::Name),
        (State::Name | State::ClosingName, Greater) => (State::Text, Action::NameEnd),
        (State::Name, Space) => (State::Inside, Action::NameEnd),
        (State::Name, Slash) => (State::Empty, Action::NameEnd),
        (State::ClosingName, Space) => (State::ClosingEnd, Action::NameEnd),
        (State::Name | State::ClosingName, _) => FAIL,

        (State::ClosingEnd, Space) => (State::ClosingEnd, Action::Space),
        (State::ClosingEnd, Greater) => (State::Text, Action::Hold),
        (State::ClosingEnd, _) => FAIL,

        (State::Inside | State::Empty, Space) => (State::Inside, Action::Hold),
        (State::AfterAttribute, Space) => (State::AfterAttribute, Action::Hold),
        (State::AfterAttribute, Equals) => (State::BeforeValue, Action::Hold),
        (State::Empty, Greater) => (State::Text, Action::EmptyTag),
        (State::Inside | State::AfterAttribute, Greater) => (State::Text, Action::Hold),
        (State::Inside | State::AfterAttribute | State::Empty, Slash) => (State::Empty, Action::Hold),
        (State::Inside | State::AfterAttribute | State::Empty, Less) => FAIL,
        (State::Inside | State::AfterAttribute | State::Empty, _) => (State::Attribute, Action::AttributeStart),

        (State::Attribute, Equals) => (State::BeforeValue, Action::AttributeEnd),
        (State::Attribute, Space) => (State::AfterAttribute, Action::AttributeEnd),
        (State::Attribute, Slash) => (State::Empty, Action::AttributeEnd),
        (State::Attribute, Greater) => (State::Text, Action::AttributeEnd),
        (State::Attribute, Less) => FAIL,
        (State::Attribute, _) => (State::Attribute, Action::Attribute),

        (State::BeforeValue, Double) => (State::DoubleQuoted, Action::ValueAfter),
        (State::BeforeValue, Single) => (State::SingleQuoted, Action::ValueAfter),
        (State::BeforeValue, Space) => (State::BeforeValue, Action::Hold),
        (State::BeforeValue, Greater) => (State::Text, Action::Hold),
        (State::BeforeValue, Less) => FAIL,
        (State::BeforeValue, Slash) => (State::UnquotedSlash, Action::ValueHere),
        (State::BeforeValue, _) => (State::Unquoted, Action::ValueHere),

        (State::DoubleQuoted, Double) | (State::SingleQuoted, Single) => (State::Inside, Action::ValueEnd),
        (State::DoubleQuoted | State::SingleQuoted, Less | Ampersand) => (state, Action::Inner),
        (State::DoubleQuoted | State::SingleQuoted, _) => (state, Action::Hold),

        (State::Unquoted | State::UnquotedSlash, Space) => (State::Inside, Action::ValueEnd),
        (State::Unquoted, Greater) => (State::Text, Action::ValueEnd),
        (State::UnquotedSlash, Greater) => (State::Text, Action::ValueSlash),
        (State::Unquoted | State::UnquotedSlash, Less) => FAIL,
        (State::Unquoted | State::UnquotedSlash, Ampersand) => (State::Unquoted, Action::Inner),
        (State::Unquoted | State::UnquotedSlash, Slash) => (State::UnquotedSlash, Action::Hold),
        (State::Unquoted | State::UnquotedSlash, _) => (State::Unquoted, Action::Hold),
    }
}

/// All states, in the order of their numbers.
const STATES: [State; 14] = [
    State::Text,
    State::Open,
    State::Name,
    State::ClosingName,
    State::ClosingEnd,
    State::Inside,
    State::Attribute,
    State::AfterAttribute,
    State::BeforeValue,
    State::DoubleQuoted,
    State::SingleQuoted,
    State::Unquoted,
    State::UnquotedSlash,
    State::Empty,
];

/// A byte of each class, in the order of their numbers.
const EXAMPLES: [u8; 9] = *b"<>/=\"'& x";

/// The class of each byte.
#[expect(clippy::indexing_slicing, reason = "computed at compile time, where a bad index doesn't compile")]
static CLASSES: [Class; 256] = {
    let mut classes = [Class::Other; 256];
    let mut byte = 0;
    while byte < classes.len() {
        classes[byte] = Class::of(byte as u8);
        byte += 1;
    }
    classes
};

/// `step`, computed for every state and every class.
#[expect(clippy::indexing_slicing, reason = "computed at compile time, where a bad index doesn't compile")]
static MOVES: [[(State, Action); EXAMPLES.len()]; STATES.len()] = {
    let mut moves = [[(State::Text, Action::Fail); EXAMPLES.len()]; STATES.len()];
    let mut state = 0;
    while state < STATES.len() {
        let mut class = 0;
        while class < EXAMPLES.len() {
            moves[state][class] = step(STATES[state], Class::of(EXAMPLES[class]));
            class += 1;
        }
        state += 1;
    }
    moves
};

/// `step` by the computed tables.
pub(super) fn step_on(state: State, byte: u8) -> (State, Action) {
    let class = CLASSES.get(usize::from(byte)).map_or(0, |&class| class as usize);
    let moves = MOVES.get(state as usize).and_then(|row| row.get(class));
    moves.copied().unwrap_or((State::Text, Action::Fail))
}

/// The end of the input, a move like any other: a tag that isn't whole is text.
#[must_use]
pub(super) fn at_end(state: State) -> Action {
    if state == State::Text { Action::Hold } else { Action::Fail }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run(text: &str) -> (State, Action) {
        let mut at = (State::Text, Action::Hold);
        for byte in text.bytes() {
            at = step(at.0, Class::of(byte));
            if at.1 == Action::Fail {
                break;
            }
        }
        at
    }

    #[test]
    fn every_place_in_a_tag() {
        let places = [
            ("<", State::Open, Action::Hold),
            ("<a", State::Name, Action::Name),
            ("<a>", State::Text, Action::NameEnd),
            ("<a ", State::Inside, Action::NameEnd),
            ("<a/", State::Empty, Action::NameEnd),
            ("<a/>", State::Text, Action::EmptyTag),
            ("<a / >", State::Text, Action::Hold),
            ("<a b", State::Attribute, Action::AttributeStart),
            ("<a bc", State::Attribute, Action::Attribute),
            ("<a b ", State::AfterAttribute, Action::AttributeEnd),
            ("<a b =", State::BeforeValue, Action::Hold),
            ("<a b=", State::BeforeValue, Action::AttributeEnd),
            ("<a b=\"", State::DoubleQuoted, Action::ValueAfter),
            ("<a b=\"'>", State::DoubleQuoted, Action::Hold),
            ("<a b=\"<", State::DoubleQuoted, Action::Inner),
            ("<a b='&", State::SingleQuoted, Action::Inner),
            ("<a b='\"", State::SingleQuoted, Action::Hold),
            ("<a b=''", State::Inside, Action::ValueEnd),
            ("<a b=''c", State::Attribute, Action::AttributeStart),
            ("<a b=c", State::Unquoted, Action::ValueHere),
            ("<a b=c>", State::Text, Action::ValueEnd),
            ("<a b=/", State::UnquotedSlash, Action::ValueHere),
            ("<a b=c//", State::UnquotedSlash, Action::Hold),
            ("<a b=c/d", State::Unquoted, Action::Hold),
            ("<a b=c/ ", State::Inside, Action::ValueEnd),
            ("<a b=c/>", State::Text, Action::ValueSlash),
            ("<a b=>", State::Text, Action::Hold),
            ("</", State::ClosingName, Action::Closing),
            ("</a", State::ClosingName, Action::Name),
            ("</a>", State::Text, Action::NameEnd),
            ("</a \n>", State::Text, Action::Hold),
        ];
        for (text, state, action) in places {
            assert_eq!(run(text), (state, action), "{text}");
        }
    }

    #[test]
    fn the_computed_table_is_the_table() {
        for (number, &state) in STATES.iter().enumerate() {
            assert_eq!(state as usize, number);
            for byte in 0..=255 {
                assert_eq!(step_on(state, byte), step(state, Class::of(byte)), "{state:?} {byte}");
            }
        }
    }

    #[test]
    fn anything_but_a_tag_fails_immediately() {
        for text in [
            "<<", "< ", "<=", "<>", "</ x", "<a<", "<a b<", "<a b=<", "<a b=c<", "<a b=/<", "<a b=''<", "</a b",
            "</a/", "</a<",
        ] {
            assert_eq!(run(text).1, Action::Fail, "{text}");
        }
    }

    #[test]
    fn the_end_fails_every_open_tag_and_nothing_else() {
        for text in [
            "<", "<a", "<a ", "<a b", "<a b ", "<a b=", "<a b='", "<a b=''", "<a b=c", "<a b=/", "<a/", "</", "</a",
            "</a ",
        ] {
            assert_eq!(at_end(run(text).0), Action::Fail, "{text}");
        }
        assert_eq!(at_end(State::Text), Action::Hold);
    }
}
