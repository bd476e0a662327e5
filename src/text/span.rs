//! Offsets: UTF-8 bytes inside, UTF-16 code units outside.
//!
//! The only file that counts. Input is UTF-8, or WTF-8 where a JavaScript
//! string holds half a surrogate pair: such a half is three bytes and one unit.

/// A half-open range of a stream, in UTF-16 code units from its start, so that
/// JavaScript's `text.slice(start, end)` gives what it covers.
///
/// ```
/// use tokenweir::text::Span;
/// let span = Span { start: 2, end: 5 };
/// assert_eq!(span.len(), 3);
/// assert!(!span.is_empty() && Span { start: 5, end: 5 }.is_empty());
///
/// let text: Vec<u16> = "🙂水<b>".encode_utf16().collect();
/// assert_eq!(String::from_utf16_lossy(&text[span.start as usize..span.end as usize]), "水<b");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Span {
    /// First unit.
    pub start: u64,
    /// One past the last unit.
    pub end: u64,
}

impl Span {
    /// How many UTF-16 code units it covers.
    #[must_use]
    pub fn len(self) -> u64 {
        self.end - self.start
    }

    /// Whether it covers nothing.
    #[must_use]
    pub fn is_empty(self) -> bool {
        self.start == self.end
    }
}

/// UTF-16 code units that one byte adds: the first byte of a character counts
/// for all of it, and a four-byte character is a surrogate pair.
pub(crate) fn units_of(byte: u8) -> u32 {
    u32::from(byte & 0xC0 != 0x80) + u32::from(byte >= 0xF0)
}

/// Length of a text in UTF-16 code units.
///
/// ```
/// assert_eq!(tokenweir::text::utf16_len("aé水🙂".as_bytes()), 5);
/// ```
// One copy: the compiler's loop over vectors is long, and nearly everything asks where it is.
#[inline(never)]
#[must_use]
pub fn utf16_len(bytes: &[u8]) -> u32 {
    bytes.iter().map(|&byte| units_of(byte)).sum()
}

/// Reads UTF-16 offsets off byte offsets, counting each byte once as long as
/// the questions go forward.
#[derive(Clone)]
pub(crate) struct Ruler<'a> {
    bytes: &'a [u8],
    ascii: bool,
    byte: usize,
    unit: u32,
}

impl<'a> Ruler<'a> {
    /// A ruler over `bytes`, whose first byte stands at unit `origin`. `ascii`
    /// promises that every byte is one unit.
    #[must_use]
    pub(crate) fn new(bytes: &'a [u8], origin: u32, ascii: bool) -> Self {
        Ruler { bytes, ascii, byte: 0, unit: origin }
    }

    /// The unit at which byte `byte` stands. A question that goes back is
    /// answered too, by counting back.
    pub(crate) fn at(&mut self, byte: usize) -> u32 {
        if byte != self.byte {
            self.go_to(byte);
        }
        self.unit
    }

    #[inline(never)]
    fn go_to(&mut self, byte: usize) {
        let (from, to) = (self.byte.min(byte), self.byte.max(byte));
        let passed = self.bytes.get(from..to).unwrap_or_default();
        let units = if self.ascii { passed.len() as u32 } else { utf16_len(passed) };
        self.unit = if byte > self.byte { self.unit + units } else { self.unit - units };
        self.byte = byte;
    }
}

/// Bytes of the white-space character at the front of `bytes`, or 0. White
/// space is what JavaScript's `trim` removes.
#[must_use]
pub(crate) fn whitespace_len(bytes: &[u8]) -> usize {
    match bytes {
        // Nearly all text, so it is looked for first.
        [0x21..=0x7E, ..] => 0,
        [0x09..=0x0D | b' ', ..] => 1,
        [0xC2, 0xA0, ..] => 2,
        [0xE1, 0x9A, 0x80, ..]
        | [0xE2, 0x80, 0x80..=0x8A | 0xA8 | 0xA9 | 0xAF, ..]
        | [0xE2, 0x81, 0x9F, ..]
        | [0xE3, 0x80, 0x80, ..]
        | [0xEF, 0xBB, 0xBF, ..] => 3,
        _ => 0,
    }
}

/// Bytes of white space at the end of `bytes`: 5 of `a \u{3000}\n`.
#[must_use]
pub(crate) fn whitespace_tail(bytes: &[u8]) -> usize {
    let mut end = bytes.len();
    'back: while end > 0 {
        for width in 1..=3 {
            let last = end.checked_sub(width).and_then(|from| bytes.get(from..end));
            if last.is_some_and(|last| whitespace_len(last) == width) {
                end -= width;
                continue 'back;
            }
        }
        break;
    }
    bytes.len() - end
}

/// A text without the white space around it.
///
/// ```
/// assert_eq!(tokenweir::text::trim("\u{3000} a b\n".as_bytes()), b"a b");
/// ```
#[must_use]
pub fn trim(bytes: &[u8]) -> &[u8] {
    let mut text = bytes.get(..bytes.len() - whitespace_tail(bytes)).unwrap_or_default();
    while let space @ 1.. = whitespace_len(text) {
        text = text.get(space..).unwrap_or_default();
    }
    text
}

/// The byte of a text at which a unit stands.
pub(super) fn byte_of(text: &str, unit: u32) -> usize {
    let mut left = unit;
    for (at, c) in text.char_indices() {
        if left == 0 {
            return at;
        }
        left = left.saturating_sub(c.len_utf16() as u32);
    }
    text.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn white_space_is_what_javascript_trims() {
        let trimmed = "\t\n\u{b}\u{c}\r \u{a0}\u{1680}\u{2000}\u{200a}\u{2028}\u{2029}\u{202f}\u{205f}\u{3000}\u{feff}";
        for c in trimmed.chars() {
            let text = c.to_string();
            assert_eq!(whitespace_len(text.as_bytes()), text.len(), "{:x}", c as u32);
            assert_eq!(whitespace_tail(format!("x{c}").as_bytes()), text.len());
        }
        for c in "x\u{85}\u{200b}\u{180e}\u{2010}é水🙂".chars() {
            assert_eq!(whitespace_len(c.to_string().as_bytes()), 0, "{:x}", c as u32);
            assert_eq!(whitespace_tail(format!(" {c}").as_bytes()), 0, "{:x}", c as u32);
        }
        assert_eq!(whitespace_tail(trimmed.as_bytes()), trimmed.len());
    }

    #[test]
    fn a_ruler_agrees_with_encode_utf16_forwards_and_back() {
        let text = "a<é水🙂>z";
        let mut ruler = Ruler::new(text.as_bytes(), 7, false);
        let places: Vec<usize> = text.char_indices().map(|(at, _)| at).collect();
        for &at in places.iter().chain(places.iter().rev()) {
            let units = text.get(..at).map_or(0, |front| front.encode_utf16().count());
            assert_eq!(ruler.at(at) as usize, 7 + units);
        }
    }

    #[test]
    fn a_span_has_a_length() {
        for (start, end, len) in [(3, 7, 4), (0, 1, 1), (5, 5, 0)] {
            let span = Span { start, end };
            assert_eq!((span.len(), span.is_empty()), (len, len == 0));
        }
    }

    #[test]
    fn half_a_surrogate_pair_is_one_unit() {
        assert_eq!(utf16_len(&[0xED, 0xA0, 0xBD, 0xED, 0xB9, 0x82]), 2);
    }
}
