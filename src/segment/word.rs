//! A short piece of text that is kept while it is compared.

/// Longest word, in bytes. A longer one equals nothing.
///
/// ```
/// use tokenweir::segment::{LONGEST_WORD, Options, STATES, ToolState};
/// let word = "a".repeat(LONGEST_WORD + 1);
/// let mut options = Options::default();
/// assert!(options.add_state(&ToolState { content: &word[1..], ..STATES[0] }));
/// assert!(!options.add_state(&ToolState { content: &word, ..STATES[0] }));
/// ```
pub const LONGEST_WORD: usize = 64;

/// A word of at most [`LONGEST_WORD`] bytes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Word {
    len: u8,
    bytes: [u8; LONGEST_WORD],
}

/// The length of a word that was too long, beyond the room for any.
const TOO_LONG: u8 = u8::MAX;

#[cfg(feature = "debug")]
crate::text::inspect::shown_as_text!(Word: |word| word.text().unwrap_or(b"(too long)"));

impl Word {
    pub(super) const EMPTY: Word = Word { len: 0, bytes: [0; LONGEST_WORD] };

    /// The word of a text, if it is short enough.
    pub(super) fn of(text: &[u8]) -> Option<Word> {
        let mut word = Word::EMPTY;
        word.add(text);
        word.text().map(|_| word)
    }

    /// Appends text.
    pub(super) fn add(&mut self, text: &[u8]) {
        let from = usize::from(self.len);
        if let Some(room) = self.bytes.get_mut(from..from + text.len()) {
            room.copy_from_slice(text);
            self.len += text.len() as u8;
        } else {
            self.len = TOO_LONG;
        }
    }

    /// Takes its last byte away.
    pub(super) fn drop_last(&mut self) {
        if self.len != TOO_LONG {
            self.len = self.len.saturating_sub(1);
        }
    }

    /// Makes it empty.
    pub(super) fn clear(&mut self) {
        self.len = 0;
    }

    pub(super) fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Its text, if it wasn't too long.
    pub(super) fn text(&self) -> Option<&[u8]> {
        self.bytes.get(..usize::from(self.len))
    }

    /// Whether it is the same word, in any case of ASCII letters.
    pub(super) fn is_like(&self, other: &[u8]) -> bool {
        self.text().is_some_and(|text| text.eq_ignore_ascii_case(other))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_too_long_equals_nothing() {
        let fits = [b'x'; LONGEST_WORD];
        assert!(Word::of(&fits).is_some_and(|word| word.is_like(&fits)));
        let mut word = Word::EMPTY;
        word.add(&fits);
        word.add(b"y");
        assert_eq!(word.text(), None);
        word.add(b"z");
        assert!(!word.is_like(&fits) && !word.is_empty());
        assert!(Word::of(&[b'x'; LONGEST_WORD + 1]).is_none());
        word.clear();
        assert!(word.is_empty() && word.is_like(b""));
    }
}
