//! Whether a line of text is the name of a file, which a block after it may be for.
//!
//! ```text
//! name  ::= ('#' | '*' | space)* (word | '`' path '`') ('#' | '*' | ':' | space)*
//! word  ::= no space, with a '.', '/' or '\' in it, and no '.' at its end
//! fence ::= space* ('```' | '~~~') anything
//! ```
//!
//! Source: aider's `find_filename`, which takes any line; spec/edits.md, 9.

use super::LONGEST_HEADER;
use crate::text::units_of;

/// How far the line is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "debug", derive(serde::Serialize))]
enum At {
    /// Before the name.
    Front,
    /// In backticks, so many.
    Ticks(u8),
    /// In what stands in backticks.
    Quoted,
    /// In tildes, so many.
    Tildes(u8),
    /// In a word.
    Word,
    /// After the name.
    After,
    /// In a line of a fence.
    Fence,
    /// In another line.
    Other,
}

/// Reads a line byte by byte.
#[derive(Clone, Copy, Debug)]
#[cfg_attr(feature = "debug", derive(serde::Serialize))]
pub(super) struct Name {
    at: At,
    /// Units that were read.
    column: u16,
    start: u16,
    end: u16,
    is_marked: bool,
    has_mark: bool,
    ends_with_dot: bool,
}

/// What a line was.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum LineKind {
    /// White space.
    Blank,
    /// The start or the end of a code block.
    Fence,
    /// A name, in these units of the line.
    Name { start: u16, end: u16 },
    /// Anything else.
    Other,
}

impl Name {
    /// At the start of a line.
    const START: Name =
        Name { at: At::Front, column: 0, start: 0, end: 0, is_marked: false, has_mark: false, ends_with_dot: false };

    /// Whether the line may still be a name, or white space.
    pub(super) fn is_open(&self) -> bool {
        !matches!(self.at, At::Fence | At::Other)
    }

    /// Whether the line is neither of these and no fence.
    pub(super) fn is_other(&self) -> bool {
        self.at == At::Other
    }

    /// Reads a byte of the line.
    pub(super) fn step(&mut self, byte: u8) {
        let column = self.column;
        self.column = column.saturating_add(units_of(byte) as u16);
        let is_space = matches!(byte, b' ' | b'\t' | b'\r' | 0x0B | 0x0C);
        self.at = match (self.at, byte) {
            (At::Fence | At::Other, _) => return,
            (At::Front, b'#' | b'*') => {
                self.is_marked = true;
                At::Front
            }
            (At::Front, _) if is_space => At::Front,
            (At::Front, b'`') => At::Ticks(1),
            (At::Front, b'~') if !self.is_marked => {
                self.start = column;
                self.word(byte);
                At::Tildes(1)
            }
            (At::Front, _) => {
                self.start = column;
                self.word(byte)
            }
            (At::Ticks(1), b'`') => At::Ticks(2),
            (At::Ticks(_), b'`') if !self.is_marked => At::Fence,
            (At::Ticks(1), _) => {
                self.start = column;
                self.has_mark = true;
                self.quoted(byte)
            }
            (At::Ticks(_), _) => At::Other,
            (At::Quoted, b'`') => At::After,
            (At::Quoted, _) => self.quoted(byte),
            (At::Tildes(2), b'~') => At::Fence,
            (At::Tildes(count), b'~') => {
                self.word(byte);
                At::Tildes(count.saturating_add(1))
            }
            (At::Tildes(_) | At::Word, b'`') => At::Other,
            (At::Tildes(_) | At::Word, _) if is_space => At::After,
            (At::Tildes(_) | At::Word, _) => self.word(byte),
            (At::After, b'#' | b'*' | b':') => At::After,
            (At::After, _) if is_space => At::After,
            (At::After, _) => At::Other,
        };
        if u32::from(self.column) > LONGEST_HEADER && self.is_open() {
            self.at = At::Other;
        }
    }

    /// A byte of what stands in backticks.
    fn quoted(&mut self, byte: u8) -> At {
        self.end = self.column;
        self.ends_with_dot = byte == b'.';
        At::Quoted
    }

    /// A byte of a word. What may be around a name isn't in it, unless more of the word follows.
    fn word(&mut self, byte: u8) -> At {
        if !matches!(byte, b'#' | b'*' | b':') {
            self.end = self.column;
            self.has_mark |= matches!(byte, b'.' | b'/' | b'\\');
            self.ends_with_dot = byte == b'.';
        }
        At::Word
    }

    /// What the line is, at its end.
    pub(super) fn at_end(&self) -> LineKind {
        let is_name = self.has_mark && !self.ends_with_dot;
        match self.at {
            At::Front if !self.is_marked => LineKind::Blank,
            At::Fence => LineKind::Fence,
            At::Word | At::Tildes(_) | At::After if is_name => LineKind::Name { start: self.start, end: self.end },
            At::Front | At::Ticks(_) | At::Quoted | At::Word | At::Tildes(_) | At::After | At::Other => LineKind::Other,
        }
    }
}

/// What is known of the file of the block that comes next.
#[derive(Clone, Copy, Debug)]
#[cfg_attr(feature = "debug", derive(serde::Serialize))]
pub(super) struct Names {
    /// The line that is read, and whether there is a record of it.
    pub(super) line: Name,
    has_word: bool,
    /// Whether a line was a name, and the fences after it.
    is_found: bool,
    fences: u8,
    /// Whether a block without a name has one.
    has_path: bool,
}

impl Names {
    pub(super) const fn of(has_path: bool) -> Names {
        Names { line: Name::START, has_word: false, is_found: false, fences: 0, has_path }
    }

    /// No name is known before what comes next.
    pub(super) fn forget(&mut self) {
        *self = Names::of(self.has_path);
    }

    /// Whether a block has a name, or another block's.
    pub(super) fn has_any(&self) -> bool {
        self.is_found || self.has_path
    }

    /// A block begins; whether a line is its name.
    pub(super) fn take_found(&mut self) -> bool {
        self.has_path = true;
        self.is_found
    }

    /// Whether a record of the line is its first.
    pub(super) fn begins_word(&mut self) -> bool {
        !std::mem::replace(&mut self.has_word, true)
    }

    /// The line has ended: whether it names the file of a block that comes next.
    pub(super) fn end_line(&mut self) -> LineKind {
        let kind = self.line.at_end();
        (self.line, self.has_word) = (Name::START, false);
        match kind {
            LineKind::Blank => {}
            LineKind::Fence => {
                // The name is one of three lines.
                self.fences = self.fences.saturating_add(1).min(3);
                self.is_found &= self.fences < 3;
            }
            LineKind::Name { .. } | LineKind::Other => {
                self.is_found = matches!(kind, LineKind::Name { .. });
                self.fences = 0;
            }
        }
        kind
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kind(line: &str) -> (LineKind, String) {
        let mut name = Name::START;
        line.bytes().for_each(|byte| name.step(byte));
        let kind = name.at_end();
        let units: Vec<u16> = line.encode_utf16().collect();
        let LineKind::Name { start, end } = kind else { return (kind, String::new()) };
        (kind, String::from_utf16_lossy(units.get(usize::from(start)..usize::from(end)).unwrap_or_default()))
    }

    #[test]
    fn lines_that_are_names() {
        for (line, name) in [
            ("a.py", "a.py"),
            ("  src/é水🙂.rs  ", "src/é水🙂.rs"),
            ("### `a b.py`:", "a b.py"),
            ("**src\\a.c**:", "src\\a.c"),
            ("`Makefile`", "Makefile"),
            ("a:b/c*d.e:**", "a:b/c*d.e"),
            ("~/a", "~/a"),
            ("~~a.b", "~~a.b"),
            (".env\r", ".env"),
        ] {
            assert_eq!(kind(line).1, name, "{line}");
        }
    }

    #[test]
    fn lines_that_are_not() {
        for line in [
            "Makefile",
            "Done.",
            "two words.py",
            "`a",
            "a`b.py",
            "``a.py``",
            "`a.`",
            "::",
            "#",
            "a.py is",
            "#```x",
            "#~~~x",
            "``",
        ] {
            assert_eq!(kind(line).0, LineKind::Other, "{line}");
        }
        for (line, expected) in
            [("", LineKind::Blank), (" \t\r", LineKind::Blank), ("```py a", LineKind::Fence), (" ~~~", LineKind::Fence)]
        {
            assert_eq!(kind(line).0, expected, "{line}");
        }
        let long = format!("{}.py", "a".repeat(LONGEST_HEADER as usize - 3));
        assert_eq!(kind(&long).1, long);
        assert_eq!(kind(&format!("{long}x")).0, LineKind::Other);
    }
}
