//! Drives the table of `state.rs` over a stream: is this a JSON text, and if
//! not, from which byte on?

use super::nesting::Nesting;
use super::state::{Action, Place, State, Within, accepts_end, step};
use super::tolerance::Rules;

/// Deepest nesting that is read. Deeper text is not recognised.
///
/// ```
/// use tokenweir::json::{DEEPEST, Recogniser};
/// let mut json = Recogniser::START;
/// assert!((0..DEEPEST).all(|_| json.step(b'[')));
/// assert!(!json.step(b'['));
/// ```
pub const DEEPEST: u16 = 512;

const WORDS: usize = DEEPEST as usize / 32;

/// Reads one JSON text, byte by byte, without storing it and without a heap.
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
pub struct Recogniser {
    state: State,
    nesting: Nesting<WORDS>,
}

impl Recogniser {
    /// Nothing read yet.
    pub const START: Recogniser = Recogniser { state: State::At(Place::Value), nesting: Nesting::EMPTY };

    /// Whether nothing but white space was read.
    #[must_use]
    pub fn is_at_start(&self) -> bool {
        self.nesting.depth() == 0 && self.state == State::At(Place::Value)
    }

    /// Whether what was read is a whole JSON text.
    #[must_use]
    pub fn is_whole(&self) -> bool {
        accepts_end(self.state, self.nesting.inside(), Rules::STRICT)
    }

    /// Whether the place is inside a string.
    #[must_use]
    pub fn is_in_string(&self) -> bool {
        matches!(self.state, State::Text(_, Within::Plain))
    }

    /// One byte more; false when no JSON text goes on like this.
    pub fn step(&mut self, byte: u8) -> bool {
        loop {
            // A byte of a longer character counts as a character: strict JSON has those in strings alone.
            let next = step(self.state, self.nesting.inside(), u32::from(byte), Rules::STRICT);
            match next.action {
                Action::Fail(_) => return false,
                Action::Push(container) if !self.nesting.push(container) => return false,
                Action::Pop => self.nesting.pop(),
                Action::Push(_)
                | Action::Stay
                | Action::Begin
                | Action::BeginHere
                | Action::EndText
                | Action::EndTriple
                | Action::EndEmpty
                | Action::EndNumber
                | Action::EndNumberWord
                | Action::EndWord(_)
                | Action::Break
                | Action::Character(_)
                | Action::Digit(_)
                | Action::LastDigit(_)
                | Action::LoneHalf
                | Action::Nothing
                | Action::NothingBefore => {}
            }
            self.state = next.state;
            if !next.again {
                return true;
            }
        }
    }
}

#[cfg(test)]
mod tests {
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

    proptest! {
        #[test]
        fn agrees_with_serde_json(text in r#"[\[\]{}:,"0-9eE.+\-tfnrualse \\]{0,16}|(\{"a":|\[|1|-0\.5e\+7|"\\u00e9水"|true|null|,|\}|\]|"b":| ){0,9}"#) {
            let expected = serde_json::from_str::<serde::de::IgnoredAny>(&text).is_ok();
            prop_assert_eq!(accepts(&text), expected, "{}", text);
        }
    }
}
