//! The header of a hunk in a unified diff.
//!
//! ```text
//! header ::= '@@' [' -' start [',' lines] ' +' start [',' lines]] [' @@' [' ' context]]
//! ```
//!
//! Differences: what is no range is passed over, as in `@@ ... @@`.

/// Most that is counted of a hunk's lines.
const MOST_LINES: u32 = 1 << 26;

/// How far the header is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "debug", derive(serde::Serialize))]
enum At {
    /// `@@ |-`
    Old,
    /// In a number, the first to the fourth.
    Number(u8),
    /// `-1,2 |+`
    New,
    /// `+1,2 |@@`
    Close,
    /// It is read, or is something else.
    Over { is_range: bool },
}

/// Reads a header byte by byte, from the end of its `@@` on.
#[derive(Clone, Copy, Debug)]
#[cfg_attr(feature = "debug", derive(serde::Serialize))]
pub(super) struct Range {
    at: At,
    starts: [u32; 4],
    ends: [u32; 4],
    values: [u32; 4],
    /// Whether the byte before was an `@`, and whether the second `@@` was read.
    is_after_at: bool,
    is_closed: bool,
}

impl Range {
    /// At the start of a header.
    pub(super) const START: Range =
        Range { at: At::Old, starts: [0; 4], ends: [0; 4], values: [0; 4], is_after_at: false, is_closed: false };

    /// Reads a byte that stands at a unit. Whether it closes the header, so that what was read is no context.
    pub(super) fn step(&mut self, byte: u8, here: u32) -> bool {
        let has_digits = |nth: u8| self.ends.get(usize::from(nth)).is_some_and(|&end| end == here);
        self.at = match (self.at, byte) {
            (At::Old | At::New | At::Close, b' ' | b'\r') => self.at,
            (At::Old, b'-') => self.number(0, here + 1),
            (At::New, b'+') => self.number(2, here + 1),
            (At::Number(nth), b'0'..=b'9') => self.digit(nth, byte, here),
            (At::Number(nth @ (0 | 2)), b',') if has_digits(nth) => self.number(nth + 1, here + 1),
            (At::Number(nth @ (0 | 1)), b' ') if has_digits(nth) => At::New,
            (At::Number(nth @ (2 | 3)), b' ' | b'\r') if has_digits(nth) => At::Close,
            (At::Close, b'@') => At::Over { is_range: true },
            (At::Over { is_range }, _) => At::Over { is_range },
            (At::Old | At::New | At::Close | At::Number(_), _) => At::Over { is_range: false },
        };
        let closes = byte == b'@' && self.is_after_at && !self.is_closed;
        self.is_after_at = byte == b'@';
        self.is_closed |= closes;
        closes
    }

    fn number(&mut self, nth: u8, start: u32) -> At {
        if let Some(at) = self.starts.get_mut(usize::from(nth)) {
            *at = start;
        }
        At::Number(nth)
    }

    fn digit(&mut self, nth: u8, byte: u8, here: u32) -> At {
        let at = usize::from(nth);
        if let (Some(value), Some(end)) = (self.values.get_mut(at), self.ends.get_mut(at)) {
            *value = value.saturating_mul(10).saturating_add(u32::from(byte & 15)).min(MOST_LINES);
            *end = here + 1;
        }
        At::Number(nth)
    }

    /// Whether it has a range, at its end.
    pub(super) fn is_range(&self) -> bool {
        match self.at {
            At::Number(nth) => nth >= 2 && self.has(nth),
            At::Close => true,
            At::Over { is_range } => is_range,
            At::Old | At::New => false,
        }
    }

    /// Whether what comes last in the header is the context: after the second `@@`, or all of a header that is no
    /// range.
    pub(super) fn has_context(&self) -> bool {
        self.is_closed || !self.is_range()
    }

    fn has(&self, nth: u8) -> bool {
        self.place(nth).is_some()
    }

    /// Where a number stands, if it is there.
    pub(super) fn place(&self, nth: u8) -> Option<(u32, u32)> {
        let (&start, &end) = (self.starts.get(usize::from(nth))?, self.ends.get(usize::from(nth))?);
        (end > start).then_some((start, end))
    }

    /// How many lines it counts: old and new.
    pub(super) fn lines(&self) -> (u32, u32) {
        let [_, old, _, new] = self.values;
        (if self.has(1) { old } else { 1 }, if self.has(3) { new } else { 1 })
    }

    /// What is undecided begins further back by so many units.
    pub(super) fn release(&mut self, units: u32) {
        for place in self.starts.iter_mut().chain(&mut self.ends) {
            *place = place.saturating_sub(units);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(header: &str) -> Range {
        let mut range = Range::START;
        for (at, byte) in header.bytes().enumerate().skip(2) {
            range.step(byte, at as u32);
        }
        range
    }

    #[test]
    fn headers_with_a_range() {
        for (header, lines) in [
            ("@@ -1,2 +3,4 @@", (2, 4)),
            ("@@ -1 +1 @@", (1, 1)),
            ("@@ -0,0 +1,10 @@ f", (0, 10)),
            ("@@ -1,2 +1,3", (2, 3)),
            ("@@ -1,2 +1 ", (2, 1)),
            ("@@ -1,99999999999 +1 @@", (MOST_LINES, 1)),
        ] {
            let range = read(header);
            assert!(range.is_range(), "{header}");
            assert_eq!(range.lines(), lines, "{header}");
        }
        let range = read("@@ -12,3 +4,56 @@");
        assert_eq!(
            [0, 1, 2, 3].map(|nth| range.place(nth)),
            [Some((4, 6)), Some((7, 8)), Some((10, 11)), Some((12, 14))]
        );
    }

    #[test]
    fn headers_without() {
        for header in [
            "@@",
            "@@ ... @@",
            "@@ def f():",
            "@@ -1 @@",
            "@@ - + @@",
            "@@ -1, +1 @@",
            "@@ -,1 +1 @@",
            "@@ -1\r",
            "@@ -1 +",
            "@@ -1 + @@",
            "@@ -1 +1x @@",
        ] {
            assert!(!read(header).is_range(), "{header}");
        }
    }
}
