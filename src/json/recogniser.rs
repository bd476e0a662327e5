//! JSON, byte by byte: whether a text is JSON, and if not, from which byte on. A backslash that
//! JSON has no meaning for may stand in a string, and stays (spec/policy.md, 1).
//!
//! `state.rs` with [`Rule::KeptEscape`](super::Rule::KeptEscape) alone decides the same, and a
//! test compares them. This one is a twelfth of its size, and all that blocks need.

use super::nesting::Nesting;
use super::state::{Container, Number};
use super::tolerance::Rules;

/// Deepest nesting. Deeper text is not recognised.
///
/// ```
/// use tokenweir::json::{DEEPEST, Recogniser};
/// let mut json = Recogniser::START;
/// assert!((0..DEEPEST).all(|_| json.step(b'[')));
/// assert!(!json.step(b'['));
/// ```
pub const DEEPEST: u16 = 512;

const LEVELS: usize = DEEPEST as usize / 32;

/// How far the text is read; `|` is the place in each picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "debug", derive(serde::Serialize))]
enum Place {
    /// `|1`, `{"a":|1}`, `[1,|2]`
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
    Text { is_key: bool },
    /// `"\\|n"`
    Escape { is_key: bool },
    /// `"\\u12|34"`, and how many digits are still to come.
    Hex { is_key: bool, left: u8 },
    /// `12|3`
    Number(Number),
    /// `tr|ue`: the rest of it begins at a place in [`WORDS`].
    Word { at: u8 },
}

/// The words without their first letters, each with its end.
const WORDS: &[u8] = b"rue alse ull ";

/// Reads one JSON text, byte by byte, without storing it and without a heap. A backslash that JSON has no meaning
/// for is part of its string.
///
/// ```
/// use tokenweir::json::Recogniser;
/// let mut json = Recogniser::START;
/// assert!(json.is_at_start());
/// assert!(br#"{"a": [1, 2"#.iter().all(|&byte| json.step(byte)));
/// assert!(!json.is_whole() && !json.is_in_string());
/// assert!(json.step(b']') && json.step(b'}') && json.is_whole());
/// assert!(!json.step(b'x'));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "debug", derive(serde::Serialize))]
pub struct Recogniser {
    place: Place,
    nesting: Nesting<LEVELS>,
}

impl Recogniser {
    /// Before anything was read.
    pub const START: Recogniser = Recogniser { place: Place::Value, nesting: Nesting::EMPTY };

    /// Whether nothing but white space was read.
    #[must_use]
    pub fn is_at_start(&self) -> bool {
        self.nesting.depth() == 0 && self.place == Place::Value
    }

    /// Whether what was read is a whole JSON text.
    #[must_use]
    pub fn is_whole(&self) -> bool {
        self.nesting.depth() == 0
            && match self.place {
                Place::After => true,
                Place::Number(number) => number.can_end(Rules::STRICT),
                Place::Value
                | Place::FirstElement
                | Place::FirstKey
                | Place::Key
                | Place::Colon
                | Place::Text { .. }
                | Place::Escape { .. }
                | Place::Hex { .. }
                | Place::Word { .. } => false,
            }
    }

    /// Whether the place is inside a string.
    #[must_use]
    pub fn is_in_string(&self) -> bool {
        matches!(self.place, Place::Text { .. })
    }

    /// Reads one more byte; false if no JSON text continues so.
    pub fn step(&mut self, byte: u8) -> bool {
        let next = match self.place {
            Place::Text { is_key } => in_text(is_key, byte),
            Place::Escape { is_key } => match byte {
                b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't' => Some(Place::Text { is_key }),
                b'u' => Some(Place::Hex { is_key, left: 4 }),
                // The backslash stays, and what follows it is text.
                _ => in_text(is_key, byte),
            },
            Place::Hex { is_key, left } if byte.is_ascii_hexdigit() => Some(if left == 1 {
                Place::Text { is_key }
            } else {
                Place::Hex { is_key, left: left.saturating_sub(1) }
            }),
            Place::Hex { is_key, .. } => in_text(is_key, byte),
            Place::Word { at } if WORDS.get(usize::from(at)) == Some(&byte) => {
                Some(if WORDS.get(usize::from(at) + 1) == Some(&b' ') {
                    Place::After
                } else {
                    Place::Word { at: at + 1 }
                })
            }
            Place::Word { .. } => None,
            Place::Number(number) => match in_number(number, byte) {
                None if number.can_end(Rules::STRICT) => self.between(Place::After, byte),
                next => next.map(Place::Number),
            },
            place @ (Place::Value
            | Place::FirstElement
            | Place::FirstKey
            | Place::Key
            | Place::Colon
            | Place::After) => self.between(place, byte),
        };
        self.place = next.unwrap_or(self.place);
        next.is_some()
    }

    fn between(&mut self, place: Place, byte: u8) -> Option<Place> {
        let inside = self.nesting.inside();
        match (place, byte) {
            (_, b' ' | b'\t' | b'\n' | b'\r') => Some(place),
            (Place::FirstKey | Place::Key, b'"') => Some(Place::Text { is_key: true }),
            (Place::Colon, b':') => Some(Place::Value),
            (Place::After, b',') => match inside {
                Container::Text => None,
                Container::Array => Some(Place::Value),
                Container::Object => Some(Place::Key),
            },
            (Place::FirstKey | Place::After, b'}') if inside == Container::Object => self.close(),
            (Place::FirstElement | Place::After, b']') if inside == Container::Array => self.close(),
            (Place::Value | Place::FirstElement, _) => self.value(byte),
            _ => None,
        }
    }

    fn value(&mut self, byte: u8) -> Option<Place> {
        let number = |number| Some(Place::Number(number));
        match byte {
            b'{' => self.nesting.push(Container::Object).then_some(Place::FirstKey),
            b'[' => self.nesting.push(Container::Array).then_some(Place::FirstElement),
            b'"' => Some(Place::Text { is_key: false }),
            b't' => Some(Place::Word { at: 0 }),
            b'f' => Some(Place::Word { at: 4 }),
            b'n' => Some(Place::Word { at: 9 }),
            b'-' => number(Number::Sign),
            b'0' => number(Number::Zero),
            b'1'..=b'9' => number(Number::Integer),
            _ => None,
        }
    }

    fn close(&mut self) -> Option<Place> {
        self.nesting.pop();
        Some(Place::After)
    }
}

fn in_text(is_key: bool, byte: u8) -> Option<Place> {
    match byte {
        b'"' => Some(if is_key { Place::Colon } else { Place::After }),
        b'\\' => Some(Place::Escape { is_key }),
        0..0x20 => None,
        _ => Some(Place::Text { is_key }),
    }
}

/// How a number continues with a byte, if it does.
fn in_number(number: Number, byte: u8) -> Option<Number> {
    match (number, byte) {
        (Number::Sign, b'0') => Some(Number::Zero),
        (Number::Sign | Number::Integer, b'1'..=b'9') | (Number::Integer, b'0') => Some(Number::Integer),
        (Number::Zero | Number::Integer, b'.') => Some(Number::Point),
        (Number::Point | Number::Fraction, b'0'..=b'9') => Some(Number::Fraction),
        (Number::Zero | Number::Integer | Number::Fraction, b'e' | b'E') => Some(Number::Exponent),
        (Number::Exponent, b'+' | b'-') => Some(Number::ExponentSign),
        (Number::Exponent | Number::ExponentSign | Number::ExponentDigits, b'0'..=b'9') => Some(Number::ExponentDigits),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Rule, state};
    use super::*;
    use proptest::prelude::*;

    fn accepts(text: &str) -> bool {
        let mut json = Recogniser::START;
        text.bytes().all(|byte| json.step(byte)) && json.is_whole()
    }

    #[test]
    fn nesting_is_bounded_and_never_recursive() {
        let nested = |depth: usize| format!("{}{}", "[".repeat(depth), "]".repeat(depth));
        assert!(accepts(&nested(usize::from(DEEPEST))));
        assert!(!accepts(&nested(usize::from(DEEPEST) + 1)));
        let mixed = format!("{}1{}", r#"{"a":["#.repeat(256), "]}".repeat(256));
        assert!(accepts(&mixed));
    }

    #[test]
    fn valid_and_invalid_texts() {
        for text in [
            "true",
            "false",
            "null",
            " [ ] ",
            "{ }",
            "[true,false]",
            r#"{"a":null,"b":{}}"#,
            r#""\u00e9\"\\\/\b\f\n\r\t""#,
            r#""\x""#,
            r#"["C:\Users\\", "\u00g0\u", {"\d": "\'\u12\"水\水"}]"#,
            "0",
            "-0",
            "10",
            "-1.50",
            "1e5",
            "1E+5",
            "0.1e-05",
            r#"{"\u0041":[1]}"#,
            "\n1\t",
        ] {
            assert!(accepts(text), "{text}");
        }
        for text in [
            "",
            "tru",
            "trux",
            "truex",
            "nulltrue",
            "falso",
            "[",
            "]",
            "[}",
            "{]",
            "[1,]",
            "{\"a\":1,}",
            "{,}",
            "[,]",
            "{1:2}",
            "{\"a\"}",
            "{\"a\" 1}",
            "{\"a\":}",
            "1 2",
            "1,2",
            "01",
            "-",
            "+1",
            ".5",
            "1.",
            "1.e5",
            "1e",
            "1e+",
            "1-",
            "\"",
            "\"\\",
            "\"\\x",
            "\"\\\n\"",
            "\"\\u00\n\"",
            "\"\\u00e\\\"",
            "\"a\nb\"",
            "'a'",
            "[1] ]",
            "{\"a\":1]",
            "[1}",
        ] {
            assert!(!accepts(text), "{text}");
        }
    }

    /// The table, driven in the same way.
    struct ByTable {
        state: state::State,
        nesting: Nesting<LEVELS>,
    }

    impl ByTable {
        const RULES: Rules = Rules::STRICT.with(Rule::KeptEscape);

        fn step(&mut self, byte: u8) -> bool {
            loop {
                let next = state::step(self.state, self.nesting.inside(), u32::from(byte), Self::RULES);
                if next.action == state::Action::Pop {
                    self.nesting.pop();
                }
                let is_full = matches!(next.action, state::Action::Push(container) if !self.nesting.push(container));
                if is_full || matches!(next.action, state::Action::Fail(_)) {
                    return false;
                }
                self.state = next.state;
                if !next.again {
                    return true;
                }
            }
        }
    }

    proptest! {
        #[test]
        fn agrees_with_the_table(text in r#"[\[\]{}:,"0-9aAbeEfF.+\-tnrusl \\\\\n/é]{0,16}|(\{"a":|\[|1|-0\.5e\+7|"\\\\u00e9水"|true|null|false|,|\}|\]|"b":| ){0,9}"#) {
            let mut ours = Recogniser::START;
            let mut table = ByTable { state: state::State::At(state::Place::Value), nesting: Nesting::EMPTY };
            for byte in text.bytes() {
                let goes_on = ours.step(byte);
                prop_assert_eq!(goes_on, table.step(byte), "{} at {}", text, byte);
                if !goes_on {
                    break;
                }
                let is_whole = state::accepts_end(table.state, table.nesting.inside(), ByTable::RULES);
                prop_assert_eq!(ours.is_whole(), is_whole, "{}", text);
                prop_assert_eq!(ours.is_in_string(), matches!(table.state, state::State::Text(_, state::Within::Plain)), "{}", text);
                let is_at_start = table.nesting.depth() == 0 && table.state == state::State::At(state::Place::Value);
                prop_assert_eq!(ours.is_at_start(), is_at_start, "{}", text);
            }
        }

        #[test]
        fn agrees_with_serde_json(text in r#"[\[\]{}:,"0-9eE.+\-tfnrualse ]{0,16}|(\{"a":|\[|1|-0\.5e\+7|"\\u00e9水"|true|null|,|\}|\]|"b":| ){0,9}"#) {
            let expected = serde_json::from_str::<serde::de::IgnoredAny>(&text).is_ok();
            prop_assert_eq!(accepts(&text), expected, "{}", text);
        }
    }
}
