//! A set of literals as data, read byte by byte.
//!
//! Names of tags and of attributes, markers, signatures. A [`Prefix`] is how far they
//! were read, and which of them still fit.

/// One literal: a piece of the set's bytes, and the class that it stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "debug", derive(serde::Serialize))]
pub struct Entry {
    /// Where it begins in the set's bytes.
    pub start: u16,
    /// Its length in bytes.
    pub len: u8,
    /// Its meaning to the owner of the set, below 32.
    pub class: u8,
}

/// A set of literals: `entries` point into `bytes`, sorted by those bytes.
#[derive(Clone, Copy, Debug)]
pub struct Literals<'a> {
    /// The text of all literals.
    pub bytes: &'a [u8],
    /// The literals, in byte order.
    pub entries: &'a [Entry],
}

/// The text so far fits the literals `low..high` up to byte `depth`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "debug", derive(serde::Serialize))]
pub struct Prefix {
    low: u8,
    high: u8,
    depth: u8,
}

impl Prefix {
    /// Fits nothing any more.
    pub const DEAD: Prefix = Prefix { low: 0, high: 0, depth: 0 };

    /// Whether the same literals fit as before, and some do.
    #[must_use]
    pub(crate) fn fits_as(self, before: Prefix) -> bool {
        self.low == before.low && self.high == before.high && self.is_alive()
    }

    /// The place of the first literal that fits.
    pub(crate) fn first(self) -> u8 {
        self.low
    }

    /// How many bytes were read.
    pub(crate) fn depth(self) -> usize {
        usize::from(self.depth)
    }

    /// Whether some literal still fits.
    #[must_use]
    pub fn is_alive(self) -> bool {
        self.low < self.high
    }
}

impl<'a> Literals<'a> {
    /// The start, where nothing was read and every literal fits.
    #[must_use]
    pub const fn start(&self) -> Prefix {
        Prefix { low: 0, high: self.entries.len() as u8, depth: 0 }
    }

    /// The bytes of one literal.
    #[must_use]
    pub fn text(&self, index: usize) -> &'a [u8] {
        self.entries.get(index).map_or(&[], |entry| {
            let start = usize::from(entry.start);
            self.bytes.get(start..start + usize::from(entry.len)).unwrap_or_default()
        })
    }

    fn fitting(&self, prefix: Prefix) -> &'a [Entry] {
        self.entries.get(usize::from(prefix.low)..usize::from(prefix.high)).unwrap_or_default()
    }

    fn byte(&self, entry: &Entry, depth: usize) -> Option<u8> {
        if depth >= usize::from(entry.len) {
            return None;
        }
        self.bytes.get(usize::from(entry.start) + depth).copied()
    }

    /// One byte more.
    #[must_use]
    pub fn step(&self, prefix: Prefix, byte: u8) -> Prefix {
        let depth = usize::from(prefix.depth);
        let at_depth = |entry: &Entry| self.byte(entry, depth);
        let fitting = self.fitting(prefix);
        // Mostly all still fit; in a sorted set the first and the last decide.
        if let (Some(first), Some(last)) = (fitting.first(), fitting.last())
            && at_depth(first) == Some(byte)
            && at_depth(last) == Some(byte)
        {
            return Prefix { depth: prefix.depth.saturating_add(1), ..prefix };
        }
        let below = fitting.partition_point(|entry| at_depth(entry) < Some(byte)) as u8;
        let up_to = fitting.partition_point(|entry| at_depth(entry) <= Some(byte)) as u8;
        let (low, high) = (prefix.low + below, prefix.low + up_to);
        Prefix { low, high, depth: prefix.depth.saturating_add(1) }
    }

    /// Reads on while a single literal fits: the same as that many steps. Returns how
    /// many bytes they are, all of them ASCII.
    pub fn run(&self, prefix: &mut Prefix, bytes: &[u8]) -> usize {
        if prefix.high != prefix.low + 1 {
            return 0;
        }
        let rest = self.text(usize::from(prefix.low)).get(usize::from(prefix.depth)..).unwrap_or_default();
        let same = rest.iter().zip(bytes).take_while(|(expected, byte)| expected == byte && byte.is_ascii()).count();
        prefix.depth += same as u8;
        same
    }

    /// The longest literal that a text begins with, as that many steps read it. Only one of ASCII, whose bytes are units.
    pub(crate) fn find(&self, text: &[u8]) -> Option<Prefix> {
        let first = text.first()?;
        let begins = |entry: &&Entry| self.bytes.get(usize::from(entry.start)) == Some(first);
        let low = self.entries.iter().position(|entry| begins(&entry))?;
        let alike = self.entries.get(low..)?.iter().take_while(begins).count();
        let whole = (low..low + alike).rev().find(|&index| text.starts_with(self.text(index)))?;
        let name = self.text(whole);
        if name.is_empty() || !name.is_ascii() {
            return None;
        }
        let longer = (whole + 1..low + alike).take_while(|&index| self.text(index).starts_with(name)).count();
        Some(Prefix { low: whole as u8, high: (whole + 1 + longer) as u8, depth: name.len() as u8 })
    }

    /// The class of the literal that was read whole, if one was.
    #[must_use]
    pub fn exact(&self, prefix: Prefix) -> Option<u8> {
        let first = self.entries.get(usize::from(prefix.low)).filter(|_| prefix.is_alive())?;
        (first.len == prefix.depth).then_some(first.class)
    }

    /// The text that was read, while something still fits.
    #[must_use]
    pub fn read(&self, prefix: Prefix) -> &'a [u8] {
        if !prefix.is_alive() {
            return &[];
        }
        self.text(usize::from(prefix.low)).get(..usize::from(prefix.depth)).unwrap_or_default()
    }

    /// Whether one of these classes is among them.
    // One copy: it is asked once for a tag.
    #[inline(never)]
    #[must_use]
    pub(crate) fn has_class(&self, prefix: Prefix, classes: u32) -> bool {
        self.fitting(prefix).iter().any(|entry| classes & 1 << entry.class != 0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const SET: Literals<'static> = Literals {
        bytes: b"[[END]][[SEG_START<tool>aab",
        entries: &[
            Entry { start: 18, len: 6, class: 2 },
            Entry { start: 0, len: 7, class: 0 },
            Entry { start: 7, len: 11, class: 1 },
            Entry { start: 24, len: 3, class: 3 },
        ],
    };

    #[test]
    fn a_prefix_narrows_to_the_literals_that_fit() {
        let mut prefix = SET.start();
        for &byte in b"[[" {
            prefix = SET.step(prefix, byte);
        }
        assert!(SET.has_class(prefix, 0b001) && SET.has_class(prefix, 0b010) && !SET.has_class(prefix, 0b1100));
        prefix = SET.step(prefix, b'S');
        assert!(SET.has_class(prefix, 0b010) && !SET.has_class(prefix, 0b1101));
        assert_eq!((SET.read(prefix), SET.read(SET.start())), (&b"[[S"[..], &b""[..]));
        assert!(!SET.step(prefix, b'x').is_alive());
        assert_eq!(SET.read(SET.step(prefix, b'x')), b"");
        assert_eq!(SET.exact(prefix), None);
    }

    proptest! {
        #[test]
        fn a_run_is_that_many_steps(text in "(<tool>|aab|\\[\\[END|\\[\\[SEG_START|[a-b]){1,2}", from in 0usize..8) {
            let text = text.as_bytes();
            let (front, back) = text.split_at(from.min(text.len()));
            let before = front.iter().fold(SET.start(), |prefix, &byte| SET.step(prefix, byte));
            let mut after = before;
            let count = SET.run(&mut after, back);
            let stepped = back.iter().take(count).fold(before, |prefix, &byte| SET.step(prefix, byte));
            prop_assert_eq!(after, stepped);
        }

        #[test]
        fn a_literal_that_is_found_is_that_many_steps(text in "(<tool>|aa?b|a|\\[\\[END\\]\\]|\\[\\[SEG_START|[a-b]){1,2}") {
            const NESTED: Literals<'static> = Literals {
                bytes: b"[[END]]aaaab",
                entries: &[
                    Entry { start: 0, len: 7, class: 0 },
                    Entry { start: 7, len: 1, class: 1 },
                    Entry { start: 7, len: 2, class: 2 },
                    Entry { start: 9, len: 3, class: 3 },
                ],
            };
            let text = text.as_bytes();
            let longest = NESTED.entries.iter().enumerate().map(|(index, _)| NESTED.text(index)).filter(|name| text.starts_with(name)).max_by_key(|name| name.len());
            let stepped = longest.map(|name| name.iter().fold(NESTED.start(), |prefix, &byte| NESTED.step(prefix, byte)));
            prop_assert_eq!(NESTED.find(text), stepped);
        }
    }
}
