//! Drives the table of `state.rs` over a stream: is this a JSON text, and if
//! not, from which byte on?

use super::state::{Action, Container, State, accepts_end, step};

/// Deepest nesting that is read. Deeper text is not recognised.
pub const DEEPEST: u16 = 512;

const WORDS: usize = DEEPEST as usize / 32;

/// Reads one JSON text, byte by byte, without storing it and without a heap.
///
/// ```
/// use tokenweir::json::Recogniser;
/// let mut json = Recogniser::START;
/// assert!(br#"{"a": [1, 2"#.iter().all(|&byte| json.step(byte)));
/// assert!(!json.is_whole());
/// assert!(json.step(b']') && json.step(b'}') && json.is_whole());
/// assert!(!json.step(b'x'));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Recogniser {
    state: State,
    depth: u16,
    /// What encloses the place: worked out when it changes, since every byte asks.
    inside: Container,
    /// One bit a level: whether it is an object.
    objects: [u32; WORDS],
}

impl Recogniser {
    /// Nothing read yet.
    pub const START: Recogniser =
        Recogniser { state: State::Value, depth: 0, inside: Container::Text, objects: [0; WORDS] };

    /// Whether nothing but white space was read.
    #[must_use]
    pub fn is_at_start(&self) -> bool {
        self.depth == 0 && self.state == State::Value
    }

    /// Whether what was read is a whole JSON text.
    #[must_use]
    pub fn is_whole(&self) -> bool {
        accepts_end(self.state, self.inside)
    }

    /// Whether the place is inside a string.
    #[must_use]
    pub fn is_in_string(&self) -> bool {
        matches!(self.state, State::String { .. })
    }

    /// One byte more; false when no JSON text goes on like this.
    pub fn step(&mut self, byte: u8) -> bool {
        let Some((state, action)) = step(self.state, self.inside, byte) else { return false };
        match action {
            Action::Stay => {}
            Action::Push(container) => {
                let bit = 1 << (self.depth % 32);
                let Some(word) = self.objects.get_mut(usize::from(self.depth / 32)) else { return false };
                *word = if container == Container::Object { *word | bit } else { *word & !bit };
                self.depth += 1;
                self.inside = container;
            }
            Action::Pop => {
                self.depth -= 1;
                self.inside = self.innermost();
            }
        }
        self.state = state;
        true
    }

    fn innermost(&self) -> Container {
        let Some(level) = self.depth.checked_sub(1) else { return Container::Text };
        let word = self.objects.get(usize::from(level / 32)).copied().unwrap_or_default();
        if word >> (level % 32) & 1 == 1 { Container::Object } else { Container::Array }
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
