//! The undecided tail of a stream, for drivers written in Rust. (In JavaScript
//! the tail stays a JavaScript string.)

use super::span::{byte_of, utf16_len};

/// The text that was read but not yet decided, and where it stands.
///
/// ```
/// use tokenweir::text::Pending;
/// let mut pending = Pending::default();
/// pending.push("Hello <thi");
/// pending.release(6);
/// assert_eq!((pending.text(), pending.start()), ("<thi", 6));
/// ```
#[derive(Clone, Debug, Default)]
pub struct Pending {
    text: String,
    /// Bytes at its front that are forgotten; they go when they are many.
    gone: usize,
    start: u64,
    units: u32,
    /// Units and bytes at its end that were not read, since they are too few to say what they are.
    unread: (u32, usize),
}

impl Pending {
    /// Adds a chunk after the pending text.
    pub fn push(&mut self, chunk: &str) {
        self.text.push_str(chunk);
        self.units += utf16_len(chunk.as_bytes());
    }

    /// The undecided text.
    #[must_use]
    pub fn text(&self) -> &str {
        self.text.get(self.gone..).unwrap_or_default()
    }

    /// Where it begins, in UTF-16 code units from the start of the stream.
    #[must_use]
    pub fn start(&self) -> u64 {
        self.start
    }

    /// How many UTF-16 code units are pending.
    #[must_use]
    pub fn units(&self) -> u32 {
        self.units
    }

    /// Byte offset of the unit `unit` counted from the start of the pending text.
    #[must_use]
    pub fn byte_at(&self, unit: u32) -> usize {
        byte_of(self.text(), unit)
    }

    /// The pending text between two units counted from its start.
    #[must_use]
    pub fn slice(&self, start: u32, end: u32) -> &str {
        self.text().get(self.byte_at(start)..self.byte_at(end)).unwrap_or_default()
    }

    /// How much of the pending text was read, in units and in bytes.
    pub(crate) fn read(&self) -> (u32, usize) {
        let (units, bytes) = self.unread;
        (self.units - units, self.text().len() - bytes)
    }

    /// Leaves so many units and bytes of its end unread.
    pub(crate) fn leave(&mut self, unread: (u32, usize)) {
        self.unread = unread;
    }

    /// Reads slices off the pending text. The first one is looked for from a place
    /// that is known: a unit, and the byte that stands there.
    pub(crate) fn slices(&self, (unit, byte): (u32, usize)) -> Slices<'_> {
        Slices { text: self.text(), unit, byte }
    }

    /// Forgets the first `units` code units: they were decided. Gives how many
    /// bytes they were.
    pub fn release(&mut self, units: u32) -> usize {
        let bytes = if units >= self.units { self.text().len() } else { self.byte_at(units) };
        self.gone += bytes;
        // Moving the rest to the front costs as much as it is long.
        if self.gone * 2 >= self.text.len() {
            self.text.drain(..self.gone);
            self.gone = 0;
        }
        let decided = units.min(self.units);
        self.units -= decided;
        self.start += u64::from(decided);
        bytes
    }
}

/// Reads slices off the pending text, walking from place to place: places that go
/// forward walk it once, and one that goes back costs no more than the way back.
pub(crate) struct Slices<'a> {
    text: &'a str,
    unit: u32,
    byte: usize,
}

impl<'a> Slices<'a> {
    /// The text between two units counted from the start of the pending text.
    pub(crate) fn slice(&mut self, start: u32, end: u32) -> &'a str {
        self.go_to(start);
        let (unit, byte) = (self.unit, self.byte);
        self.go_to(end);
        let text = self.text.get(byte..self.byte).unwrap_or_default();
        // The next one may begin before this one's end.
        (self.unit, self.byte) = (unit, byte);
        text
    }

    fn go_to(&mut self, unit: u32) {
        for c in self.text.get(..self.byte).unwrap_or_default().chars().rev() {
            if self.unit <= unit {
                break;
            }
            self.unit -= c.len_utf16() as u32;
            self.byte -= c.len_utf8();
        }
        for c in self.text.get(self.byte..).unwrap_or_default().chars() {
            if self.unit >= unit {
                break;
            }
            self.unit += c.len_utf16() as u32;
            self.byte += c.len_utf8();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slices_go_forward_and_back() {
        let mut pending = Pending::default();
        pending.push("aé水🙂z");
        let mut slices = pending.slices((0, 0));
        for (start, end, text) in
            [(0, 1, "a"), (5, 6, "z"), (3, 5, "🙂"), (1, 3, "é水"), (0, 6, "aé水🙂z"), (6, 6, ""), (2, 2, "")]
        {
            assert_eq!(slices.slice(start, end), text);
            assert_eq!(pending.slice(start, end), text);
            assert_eq!(pending.slices((5, 10)).slice(start, end), text);
        }
    }
}
