//! A set of literals as data, read byte by byte.
//!
//! Two ways to use it. Anchored: a [`Prefix`] says which literals still fit
//! what was read (tag names, attribute names, entity names). Free: a [`Search`]
//! finds the earliest literal anywhere in a stream and holds back no more than
//! the longest ending that may still become one.
//!
//! The set may change between two bytes; a search then goes on with the new
//! set, as far as what is held still begins one of its literals.

/// One literal: a piece of the set's bytes, and the class that it stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Entry {
    /// Where it begins in the set's bytes.
    pub start: u16,
    /// Its length in bytes.
    pub len: u8,
    /// What it means to the owner of the set, below 32.
    pub class: u8,
}

/// A set of literals: `entries` point into `bytes` and are sorted by what they
/// point to.
#[derive(Clone, Copy, Debug)]
pub struct Literals<'a> {
    /// The text of all literals.
    pub bytes: &'a [u8],
    /// The literals, in byte order.
    pub entries: &'a [Entry],
}

/// What was read so far fits the literals `low..high` up to byte `depth`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Prefix {
    low: u8,
    high: u8,
    depth: u8,
}

impl Prefix {
    /// Fits nothing any more.
    pub const DEAD: Prefix = Prefix { low: 0, high: 0, depth: 0 };

    /// Whether the same literals fit as did before, and some do.
    #[must_use]
    pub(crate) fn fits_as(self, before: Prefix) -> bool {
        self.low == before.low && self.high == before.high && self.is_alive()
    }

    /// Whether some literal still fits.
    #[must_use]
    pub fn is_alive(self) -> bool {
        self.low < self.high
    }
}

impl<'a> Literals<'a> {
    /// Nothing read yet: every literal fits.
    #[must_use]
    pub fn start(&self) -> Prefix {
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
        // Mostly all that fitted still does; in a sorted set the ends tell.
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

    /// As many bytes more as one literal alone goes on fitting: the same as that
    /// many steps. Gives how many they are.
    pub fn run(&self, prefix: &mut Prefix, bytes: &[u8]) -> usize {
        if prefix.high != prefix.low + 1 {
            return 0;
        }
        let rest = self.text(usize::from(prefix.low)).get(usize::from(prefix.depth)..).unwrap_or_default();
        let same = rest.iter().zip(bytes).take_while(|(expected, byte)| expected == byte).count();
        prefix.depth += same as u8;
        same
    }

    /// The class of the literal that was read whole, if one was.
    #[must_use]
    pub fn exact(&self, prefix: Prefix) -> Option<u8> {
        let first = self.entries.get(usize::from(prefix.low)).filter(|_| prefix.is_alive())?;
        (first.len == prefix.depth).then_some(first.class)
    }

    /// What was read, while something still fits.
    #[must_use]
    pub fn read(&self, prefix: Prefix) -> &'a [u8] {
        if !prefix.is_alive() {
            return &[];
        }
        self.text(usize::from(prefix.low)).get(..usize::from(prefix.depth)).unwrap_or_default()
    }

    /// The classes of all literals that still fit, one bit each.
    #[must_use]
    pub fn classes(&self, prefix: Prefix) -> u32 {
        self.fitting(prefix).iter().fold(0, |mask, entry| mask | 1 << entry.class)
    }

    /// Whether one of these classes is among them.
    #[must_use]
    pub(crate) fn has_class(&self, prefix: Prefix, classes: u32) -> bool {
        self.fitting(prefix).iter().any(|entry| classes & 1 << entry.class != 0)
    }
}

/// A literal that a [`Search`] found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Hit {
    /// How many bytes of this call's text were read, the literal's last byte included.
    pub end: usize,
    /// Length of the literal in bytes; it may have begun in an earlier chunk.
    pub len: usize,
    /// Its class.
    pub class: u8,
}

/// A free search for the earliest literal of a set. Of two that begin at the
/// same place, the shorter wins, since it is known first.
///
/// ```
/// use tokenweir::scan::{Entry, Literals, Search};
/// let set = Literals { bytes: b"[[END]]", entries: &[Entry { start: 0, len: 7, class: 4 }] };
/// let mut search = Search::default();
/// assert_eq!(search.feed(&set, b"text [[[EN"), None);
/// assert_eq!(search.held(), 4); // `[[EN`
/// let hit = search.feed(&set, b"D]] rest").unwrap();
/// assert_eq!((hit.end, hit.len, hit.class), (3, 7, 4));
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct Search {
    /// `None` at rest; else what is held fits these literals.
    held: Option<Prefix>,
}

impl Search {
    /// How many bytes at the end of what was read may still begin a literal.
    #[must_use]
    pub fn held(&self) -> usize {
        self.held.map_or(0, |prefix| usize::from(prefix.depth))
    }

    /// Reads on. Stops behind the first literal that is whole.
    pub fn feed(&mut self, set: &Literals<'_>, text: &[u8]) -> Option<Hit> {
        for (at, &byte) in text.iter().enumerate() {
            if let Some((len, class)) = self.step(set, byte) {
                return Some(Hit { end: at + 1, len, class });
            }
        }
        None
    }

    /// One byte. When what is held fails, its longest ending that still begins
    /// a literal stays (`[[[` holds `[[` of `[[END]]`): the held bytes are the
    /// front of a literal, so they need not be stored to be read again.
    fn step(&mut self, set: &Literals<'_>, byte: u8) -> Option<(usize, u8)> {
        let held = self.held.unwrap_or(set.start());
        let front = set.read(held);
        for skip in 0..=front.len() {
            let tail = front.get(skip..).unwrap_or_default();
            let mut prefix = set.start();
            for &again in tail {
                prefix = set.step(prefix, again);
            }
            prefix = set.step(prefix, byte);
            if let Some(class) = set.exact(prefix) {
                self.held = None;
                return Some((tail.len() + 1, class));
            }
            if prefix.is_alive() {
                self.held = Some(prefix);
                return None;
            }
        }
        self.held = None;
        None
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
        assert_eq!(SET.classes(prefix), 0b011);
        prefix = SET.step(prefix, b'S');
        assert_eq!(SET.classes(prefix), 0b010);
        assert!(!SET.step(prefix, b'x').is_alive());
        assert_eq!(SET.exact(prefix), None);
    }

    /// The first literal by looking at every place, and the longest ending that begins one.
    fn naive(text: &[u8]) -> (Option<(usize, u8)>, usize) {
        for end in 1..=text.len() {
            for start in 0..end {
                for (index, entry) in SET.entries.iter().enumerate() {
                    if text.get(start..end) == Some(SET.text(index)) {
                        return (Some((end, entry.class)), 0);
                    }
                }
            }
        }
        let held = (1..=text.len()).rev().find(|&len| {
            let tail = text.get(text.len() - len..).unwrap_or_default();
            (0..SET.entries.len()).any(|index| SET.text(index).starts_with(tail))
        });
        (None, held.unwrap_or(0))
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
        fn finds_what_looking_everywhere_finds(text in "[\\[\\]ENDSG_TARtaob<>l]{0,40}|(\\[\\[?END\\]?\\]|a*b|\\[\\[SEG_?START|<+tool>?){1,4}", cut in 0usize..40) {
            let text = text.as_bytes();
            let cut = cut.min(text.len());
            let (front, back) = text.split_at(cut);
            let mut search = Search::default();
            let found = search.feed(&SET, front).map(|hit| (hit.end, hit.class))
                .or_else(|| search.feed(&SET, back).map(|hit| (cut + hit.end, hit.class)));
            let (expected, held) = naive(text);
            prop_assert_eq!(found, expected);
            if found.is_none() {
                prop_assert_eq!(search.held(), held);
            }
        }
    }
}
