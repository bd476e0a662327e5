//! JSON as a table: whether what was read so far can still become a JSON text.
//!
//! Source: RFC 8259. No departures: it accepts exactly what `JSON.parse` does.

/// What encloses the place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Container {
    /// Nothing: the text itself.
    Text,
    /// `[…]`
    Array,
    /// `{…}`
    Object,
}

/// Where the reader stands; `|` is the place in each picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum State {
    /// `|1`, `[1,|2]`, `{"a":|1}`
    Value,
    /// `[|1]`
    FirstElement,
    /// `{|"a":1}`
    FirstKey,
    /// `{"a":1,|"b":2}`
    Key,
    /// `{"a"|:1}`
    Colon,
    /// `1 |`, `[1 |]`
    After,
    /// `"a|"`
    String {
        /// A member's name.
        is_key: bool,
    },
    /// `"\|n"`
    Escape {
        /// In a member's name.
        is_key: bool,
    },
    /// `"\u12|34"`
    Hex {
        /// In a member's name.
        is_key: bool,
        /// Digits still to come.
        left: u8,
    },
    /// `-|1`
    Minus,
    /// `0|`
    Zero,
    /// `12|3`
    Integer,
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
    /// `tr|ue`: which word, and how many letters of it were read.
    Word(u8, u8),
}

/// What happens to the nesting.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Action {
    /// Nothing.
    Stay,
    /// A container opens.
    Push(Container),
    /// The innermost container closes.
    Pop,
}

const WORDS: [&[u8]; 3] = [b"true", b"false", b"null"];

/// One move on one byte; `None` when no JSON text goes on like this.
#[must_use]
pub fn step(state: State, inside: Container, byte: u8) -> Option<(State, Action)> {
    let stay = |state| Some((state, Action::Stay));
    let is_space = matches!(byte, b' ' | b'\t' | b'\n' | b'\r');
    match state {
        State::Value => match byte {
            _ if is_space => stay(State::Value),
            b'{' => Some((State::FirstKey, Action::Push(Container::Object))),
            b'[' => Some((State::FirstElement, Action::Push(Container::Array))),
            b'"' => stay(State::String { is_key: false }),
            b'-' => stay(State::Minus),
            b'0' => stay(State::Zero),
            b'1'..=b'9' => stay(State::Integer),
            b't' => stay(State::Word(0, 1)),
            b'f' => stay(State::Word(1, 1)),
            b'n' => stay(State::Word(2, 1)),
            _ => None,
        },
        State::FirstElement if byte == b']' => Some((State::After, Action::Pop)),
        State::FirstElement if is_space => stay(State::FirstElement),
        State::FirstElement => step(State::Value, inside, byte),
        State::FirstKey if byte == b'}' => Some((State::After, Action::Pop)),
        State::FirstKey if is_space => stay(State::FirstKey),
        State::FirstKey => step(State::Key, inside, byte),
        State::Key => match byte {
            _ if is_space => stay(State::Key),
            b'"' => stay(State::String { is_key: true }),
            _ => None,
        },
        State::Colon => match byte {
            _ if is_space => stay(State::Colon),
            b':' => stay(State::Value),
            _ => None,
        },
        State::After => match (byte, inside) {
            _ if is_space => stay(State::After),
            (b',', Container::Array) => stay(State::Value),
            (b',', Container::Object) => stay(State::Key),
            (b']', Container::Array) | (b'}', Container::Object) => Some((State::After, Action::Pop)),
            _ => None,
        },
        State::String { is_key } => match byte {
            b'"' => stay(if is_key { State::Colon } else { State::After }),
            b'\\' => stay(State::Escape { is_key }),
            0..=0x1F => None,
            _ => stay(state),
        },
        State::Escape { is_key } => match byte {
            b'u' => stay(State::Hex { is_key, left: 4 }),
            b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't' => stay(State::String { is_key }),
            _ => None,
        },
        State::Hex { is_key, left } if byte.is_ascii_hexdigit() => {
            stay(if left == 1 { State::String { is_key } } else { State::Hex { is_key, left: left - 1 } })
        }
        State::Hex { .. } => None,
        State::Minus => match byte {
            b'0' => stay(State::Zero),
            b'1'..=b'9' => stay(State::Integer),
            _ => None,
        },
        State::Integer if byte.is_ascii_digit() => stay(State::Integer),
        State::Zero | State::Integer => match byte {
            b'.' => stay(State::Point),
            b'e' | b'E' => stay(State::Exponent),
            _ => step(State::After, inside, byte),
        },
        State::Point => byte.is_ascii_digit().then_some((State::Fraction, Action::Stay)),
        State::Fraction => match byte {
            b'0'..=b'9' => stay(State::Fraction),
            b'e' | b'E' => stay(State::Exponent),
            _ => step(State::After, inside, byte),
        },
        State::Exponent if matches!(byte, b'+' | b'-') => stay(State::ExponentSign),
        State::Exponent | State::ExponentSign => byte.is_ascii_digit().then_some((State::ExponentDigits, Action::Stay)),
        State::ExponentDigits if byte.is_ascii_digit() => stay(State::ExponentDigits),
        State::ExponentDigits => step(State::After, inside, byte),
        State::Word(word, read) => {
            let text = WORDS.get(usize::from(word))?;
            let fits = text.get(usize::from(read)) == Some(&byte);
            let is_whole = usize::from(read) + 1 == text.len();
            fits.then_some((if is_whole { State::After } else { State::Word(word, read + 1) }, Action::Stay))
        }
    }
}

/// The end of the text, a move like any other: whether it is a JSON text.
#[must_use]
pub(super) fn accepts_end(state: State, inside: Container) -> bool {
    inside == Container::Text
        && match state {
            State::After | State::Zero | State::Integer | State::Fraction | State::ExponentDigits => true,
            State::Value
            | State::FirstElement
            | State::FirstKey
            | State::Key
            | State::Colon
            | State::String { .. }
            | State::Escape { .. }
            | State::Hex { .. }
            | State::Minus
            | State::Point
            | State::Exponent
            | State::ExponentSign
            | State::Word(..) => false,
        }
}
