//! Lines of one character, which end a paragraph: `---`, `* * *`, `===`.
//!
//! Source: CommonMark 0.31, 4.1 and 4.3.

/// A line that has had only one character and white space so far.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "debug", derive(serde::Serialize))]
pub(super) struct Rule {
    pub(super) byte: u8,
    count: u8,
    has_space: bool,
    is_spaced: bool,
    /// How many containers it is in.
    pub(super) containers: u8,
    /// Whether it would underline a heading.
    underlines: bool,
}

impl Rule {
    pub(super) fn new(byte: u8, containers: u8, underlines: bool) -> Option<Rule> {
        let rule = Rule { byte, count: 0, has_space: false, is_spaced: false, containers, underlines };
        matches!(byte, b'-' | b'*' | b'_' | b'=').then_some(rule)
    }

    /// After one byte more; `None` if it isn't such a line.
    pub(super) fn step(self, byte: u8) -> Option<Rule> {
        match byte {
            b' ' | b'\t' => Some(Rule { has_space: true, ..self }),
            _ if byte == self.byte => {
                Some(Rule { count: self.count.saturating_add(1), is_spaced: self.is_spaced || self.has_space, ..self })
            }
            _ => None,
        }
    }

    /// Whether the line is one, at its end.
    pub(super) fn is_whole(self) -> bool {
        let is_break = self.byte != b'=' && self.count >= 3;
        let is_underline = self.underlines && matches!(self.byte, b'-' | b'=') && !self.is_spaced;
        is_break || is_underline
    }
}
