//! The names of the tools whose tags are looked for.

use crate::scan::{Short, Sight, is_space};

/// Most tools.
///
/// The names of all together have room for 32,768 bytes. Those that come later in
/// byte order are not looked for.
///
/// ```
/// use tokenweir::tool_call::{EventKind, MOST_TOOLS, Options, ToolCallParser};
/// let names: Vec<_> = (0..=MOST_TOOLS).map(|number| format!("t{number:04}")).collect();
/// let names: Vec<_> = names.iter().map(String::as_str).collect();
/// let mut parser = ToolCallParser::new(Options::morph(&names));
/// assert!(matches!(parser.feed("<t0000></t0000>")?[0].kind, EventKind::CallStart { .. }));
/// assert!(matches!(parser.feed("<t1024></t1024>\n")?[0].kind, EventKind::Text(_)));
/// # Ok::<(), tokenweir::Error>(())
/// ```
pub const MOST_TOOLS: usize = 1_024;

/// Room for all names, in bytes.
pub(crate) const NAMES_ROOM: usize = 32_768;

/// Longest name, in bytes.
///
/// ```
/// use tokenweir::tool_call::{EventKind, LONGEST_TOOL_NAME, Options, ToolCallParser};
/// let name = "a".repeat(LONGEST_TOOL_NAME + 1);
/// let mut parser = ToolCallParser::new(Options::morph(&[&name]));
/// assert!(matches!(parser.feed(&format!("<{name}></{name}>\n"))?[0].kind, EventKind::Text(_)));
/// # Ok::<(), tokenweir::Error>(())
/// ```
pub const LONGEST_TOOL_NAME: usize = 120;

/// Names in byte order. Plain bytes, so that the glue can swap them.
#[derive(Clone, Copy, Debug)]
pub struct ToolNames {
    bytes: [u8; NAMES_ROOM],
    ends: [u16; MOST_TOOLS],
    count: u32,
    /// How many of them have white space in them.
    spaced: u32,
}

impl ToolNames {
    /// No names.
    pub const NONE: ToolNames = ToolNames { bytes: [0; NAMES_ROOM], ends: [0; MOST_TOOLS], count: 0, spaced: 0 };

    /// Forgets all names.
    pub fn clear(&mut self) {
        self.count = 0;
        self.spaced = 0;
    }

    /// Adds a name, which comes after all others in byte order; false if it is neither a tag's
    /// nor one with spaces, or there is no room.
    pub fn add(&mut self, name: &[u8]) -> bool {
        let from = self.start(self.count as usize);
        let to = from + name.len();
        let is_spaced = has_spaces(name);
        let is_tag = !name.is_empty() && !name.iter().any(|&byte| ends_name(byte));
        let is_name = (is_tag || is_spaced) && name.len() <= LONGEST_TOOL_NAME;
        let Some(room) = self.bytes.get_mut(from..to).filter(|_| is_name) else { return false };
        let (Some(slot), Ok(end)) = (self.ends.get_mut(self.count as usize), u16::try_from(to)) else { return false };
        room.copy_from_slice(name);
        *slot = end;
        self.count += 1;
        self.spaced += u32::from(is_spaced);
        true
    }

    fn start(&self, index: usize) -> usize {
        index.checked_sub(1).and_then(|before| self.ends.get(before)).map_or(0, |&end| usize::from(end))
    }

    fn name(&self, index: usize) -> &[u8] {
        let end = self.ends.get(index).map_or(0, |&end| usize::from(end));
        self.bytes.get(self.start(index)..end).unwrap_or_default()
    }

    /// Whether a name is one of them.
    pub(super) fn has(&self, name: &[u8]) -> bool {
        let range = (0, self.count as usize);
        let (low, high) =
            name.iter().enumerate().fold(range, |(low, high), (at, &byte)| self.narrow(low, high, at, byte));
        low < high && self.name(low) == name
    }

    /// The length of the name that a text begins with and that ends there, or 0.
    pub(crate) fn fits(&self, text: &[u8]) -> Sight<usize> {
        let (mut low, mut high) = (0, self.count as usize);
        for (depth, &byte) in text.iter().enumerate() {
            if ends_name(byte) {
                return Ok(if self.name(low).len() == depth { depth } else { 0 });
            }
            (low, high) = self.narrow(low, high, depth, byte);
            if low >= high {
                return Ok(0);
            }
        }
        if low < high { Err(Short) } else { Ok(0) }
    }

    /// The length of the longest name with spaces in it that a text begins with, or 0.
    pub(super) fn spaced(&self, text: &[u8], is_last: bool) -> Sight<usize> {
        let mut longest = 0;
        if self.spaced == 0 {
            return Ok(0);
        }
        let (mut low, mut high) = (0, self.count as usize);
        for (depth, &byte) in text.iter().enumerate() {
            (low, high) = self.narrow(low, high, depth, byte);
            if low >= high {
                return Ok(longest);
            }
            let name = self.name(low);
            if name.len() == depth + 1 && has_spaces(name) {
                longest = depth + 1;
            }
        }
        is_last.then_some(longest).ok_or(Short)
    }

    /// The names from `low` to `high` whose byte at a depth is this one.
    fn narrow(&self, low: usize, high: usize, depth: usize, byte: u8) -> (usize, usize) {
        let partition = |mut low: usize, mut high: usize, is_before: &dyn Fn(Option<u8>) -> bool| {
            while low < high {
                let middle = usize::midpoint(low, high);
                if is_before(self.name(middle).get(depth).copied()) { low = middle + 1 } else { high = middle }
            }
            low
        };
        let from = partition(low, high, &|other| other < Some(byte));
        (from, partition(from, high, &|other| other <= Some(byte)))
    }
}

/// Whether a name has spaces between its words, and no other white space.
fn has_spaces(name: &[u8]) -> bool {
    let is_trimmed = name.first() != Some(&b' ') && name.last() != Some(&b' ');
    is_trimmed && name.contains(&b' ') && !name.iter().any(|&byte| is_space(byte) && byte != b' ')
}

/// What comes after a name in a tag.
fn ends_name(byte: u8) -> bool {
    is_space(byte) || matches!(byte, b'>' | b'/' | b'<')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_are_forgotten_fit_no_more() {
        let mut names = ToolNames::NONE;
        assert!(names.add(b"get") && names.fits(b"get>") == Ok(3));
        names.clear();
        assert_eq!(names.fits(b"get>"), Ok(0));
        assert!(names.add(b"add") && names.fits(b"add>") == Ok(3));
    }

    #[test]
    fn the_name_that_ends_there() {
        let mut names = ToolNames::NONE;
        for name in ["add", "add_all", "get", "é"] {
            assert!(names.add(name.as_bytes()));
        }
        for (text, fits) in [
            ("add>", Ok(3)),
            ("add x", Ok(3)),
            ("add/", Ok(3)),
            ("add_all>", Ok(7)),
            ("add_", Err(Short)),
            ("add", Err(Short)),
            ("", Err(Short)),
            ("ad>", Ok(0)),
            ("addx", Ok(0)),
            ("add_al>", Ok(0)),
            ("é>", Ok(2)),
            ("b", Ok(0)),
        ] {
            assert_eq!(names.fits(text.as_bytes()), fits, "{text}");
        }
        assert_eq!(ToolNames::NONE.fits(b""), Ok(0));
        assert!(!names.add(b"") && !names.add(b"a\tb") && !names.add(&[b'x'; 121]));
        for at in 0..2_000 {
            names.add(format!("é{at:04}").as_bytes());
        }
        assert_eq!(names.count as usize, MOST_TOOLS);
    }
}
