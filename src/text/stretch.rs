//! A stretch of a stream, and how far it was read.

use super::span::{Ruler, units_of};

/// A stretch of text, and how far it was read.
///
/// ```
/// use tokenweir::text::Stretch;
/// let mut text = Stretch::new("é水z".as_bytes(), 10, false);
/// text.pass("é水".len());
/// assert_eq!((text.here(), text.rest()), (12, &b"z"[..]));
/// assert_eq!(text.slice(11, 12), Some("水".as_bytes()));
/// assert!(text.go_back_to(10) && !text.is_at_end());
/// assert_eq!(text.rest(), "é水z".as_bytes());
/// ```
#[derive(Clone)]
pub struct Stretch<'a> {
    bytes: &'a [u8],
    at: usize,
    origin: u32,
    ruler: Ruler<'a>,
}

impl<'a> Stretch<'a> {
    /// A stretch at its first byte, which stands at unit `origin`. `ascii`
    /// promises that every byte is one unit.
    #[must_use]
    pub fn new(bytes: &'a [u8], origin: u32, ascii: bool) -> Stretch<'a> {
        Stretch { bytes, at: 0, origin, ruler: Ruler::new(bytes, origin, ascii) }
    }

    /// The whole stretch, which the machine has gone through only in part.
    #[must_use]
    pub(crate) fn bytes(&self) -> &'a [u8] {
        self.bytes
    }

    /// Whether all of it was read.
    #[must_use]
    pub fn is_at_end(&self) -> bool {
        self.at >= self.bytes.len()
    }

    /// The byte that is read next.
    // Hidden: for machines that go by bytes, and a fuzz target.
    #[doc(hidden)]
    #[must_use]
    pub fn at(&self) -> usize {
        self.at
    }

    /// The unit at which its first byte stands.
    #[must_use]
    pub(crate) fn origin(&self) -> u32 {
        self.origin
    }

    /// Goes on at another byte.
    pub(crate) fn set_at(&mut self, at: usize) {
        self.at = at;
    }

    /// Goes on after so many bytes.
    pub fn pass(&mut self, bytes: usize) {
        self.at += bytes;
    }

    /// What is still to be read.
    #[must_use]
    pub fn rest(&self) -> &'a [u8] {
        self.bytes.get(self.at..).unwrap_or_default()
    }

    /// What is still to be read, but for what comes after so many units.
    #[must_use]
    pub(crate) fn front(&mut self, units: u32) -> Stretch<'a> {
        let rest = self.rest();
        let mut len = rest.len();
        // A byte is at most one unit.
        if len > units as usize {
            let mut left = units;
            len = 0;
            for &byte in rest {
                let Some(less) = left.checked_sub(units_of(byte)) else { break };
                left = less;
                len += 1;
            }
        }
        Stretch::new(rest.get(..len).unwrap_or_default(), self.here(), false)
    }

    /// The unit at which the next byte stands.
    pub fn here(&mut self) -> u32 {
        self.ruler.at(self.at)
    }

    /// The unit at which a byte stands.
    pub(crate) fn unit_at(&mut self, byte: usize) -> u32 {
        self.ruler.at(byte)
    }

    /// Goes on at a unit that was passed; false if it stands before the stretch.
    pub fn go_back_to(&mut self, unit: u32) -> bool {
        let byte = self.byte_of(unit);
        self.at = byte.unwrap_or(self.at);
        byte.is_some()
    }

    /// Goes on at a unit; false if it isn't in the stretch.
    pub(crate) fn go_to(&mut self, unit: u32) -> bool {
        let here = self.here();
        if unit <= here {
            return self.go_back_to(unit);
        }
        let passed = self.front(unit - here).bytes().len();
        self.pass(passed);
        self.here() == unit
    }

    /// The text between two units that were passed, if all of it is in the stretch.
    #[must_use]
    pub fn slice(&mut self, start: u32, end: u32) -> Option<&'a [u8]> {
        let (start, end) = (self.byte_of(start)?, self.byte_of(end)?);
        self.bytes.get(start..end)
    }

    /// The byte at a unit that was passed, found by going back.
    fn byte_of(&mut self, unit: u32) -> Option<usize> {
        let mut here = self.here();
        if unit < self.origin || unit > here {
            return None;
        }
        let mut at = self.at;
        while here > unit {
            at -= 1;
            here -= self.bytes.get(at).map_or(0, |&byte| units_of(byte));
        }
        Some(at)
    }

    /// The next character and its bytes; half a surrogate pair is a character of its own.
    pub(crate) fn character(&self) -> Option<(u32, usize)> {
        let follow = |byte: &u8| u32::from(byte & 0x3F);
        Some(match self.rest() {
            [] => return None,
            [a @ 0..=0x7F, ..] => (u32::from(*a), 1),
            [a @ 0..=0xDF, b, ..] => (u32::from(a & 0x1F) << 6 | follow(b), 2),
            [a @ 0..=0xEF, b, c, ..] => (u32::from(a & 0x0F) << 12 | follow(b) << 6 | follow(c), 3),
            [a, b, c, d, ..] => (u32::from(a & 0x07) << 18 | follow(b) << 12 | follow(c) << 6 | follow(d), 4),
            // Never in whole characters; one byte is read so that there is an end.
            [a, ..] => (u32::from(*a), 1),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_front_ends_between_characters() {
        for (units, front) in [(0, ""), (1, "a"), (2, "aé"), (3, "aé水"), (4, "aé水"), (5, "aé水🙂"), (9, "aé水🙂z")]
        {
            let mut stretch = Stretch::new("aé水🙂z".as_bytes(), 7, false);
            assert_eq!(stretch.front(units).bytes(), front.as_bytes());
        }
    }

    #[test]
    fn characters_are_read_from_their_bytes() {
        let text = "a\u{7f}\u{80}é\u{7ff}\u{800}水\u{ffff}\u{10000}🙂\u{10ffff}";
        let mut stretch = Stretch::new(text.as_bytes(), 0, false);
        for c in text.chars() {
            assert!(!stretch.is_at_end());
            assert_eq!(stretch.character(), Some((u32::from(c), c.len_utf8())));
            stretch.pass(c.len_utf8());
        }
        assert!(stretch.is_at_end());
        assert_eq!(stretch.character(), None);
        let half = Stretch::new(&[0xED, 0xB9, 0x82], 0, false);
        assert_eq!(half.character(), Some((0xDE42, 3)));
        let cut = Stretch::new(&[0xF0, 0x9F, 0x99], 0, false);
        assert_eq!(cut.character(), Some((0xF0, 1)), "there is an end");
    }

    #[test]
    fn goes_back_over_any_character() {
        let text = "aé水🙂z";
        for ascii_tail in ["", "xyz"] {
            let whole = format!("{text}{ascii_tail}");
            let mut units = 7;
            for (at, c) in whole.char_indices() {
                let mut stretch = Stretch::new(whole.as_bytes(), 7, false);
                stretch.set_at(whole.len());
                assert!(stretch.go_back_to(units));
                assert_eq!(stretch.at(), at);
                units += c.len_utf16() as u32;
            }
        }
        let mut stretch = Stretch::new(text.as_bytes(), 7, false);
        assert!(!stretch.go_back_to(6));
        assert!(!stretch.go_back_to(8), "not passed yet");
        assert_eq!(stretch.slice(7, 7), Some(&b""[..]));
    }
}
