//! Where Markdown has code: fences and inline code, in which markup is text.
//!
//! ```text
//! fence  ::= line start, up to three spaces, '```' or '~~~' or longer … the same again on a line of its own
//! inline ::= a run of backticks … a run of the same length, on the same line
//! ```
//!
//! Source: CommonMark 0.31, 4.5 and 6.1.
//! Differences: inline code ends with its line, as waiting for the end of the
//! paragraph would hold the text back; a run that is never closed is code up to there.

/// How far the text is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "debug", derive(serde::Serialize))]
enum Place {
    /// After so many spaces at the start of a line.
    LineStart { spaces: u8 },
    /// In a line.
    Line,
    /// In a run of backticks or tildes; `may_fence` if it began the line.
    Run { byte: u8, length: u8, may_fence: bool },
    /// In inline code after `length` backticks; `closing` were read that may close it.
    Inline { length: u8, closing: u8 },
    /// After the marker that opens a fence.
    Info { byte: u8, length: u8, closing: u8 },
    /// In a fence.
    Fence { byte: u8, length: u8, at: Within },
}

/// How far a fence is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "debug", derive(serde::Serialize))]
enum Within {
    /// At the start of a line, after so many spaces.
    LineStart { spaces: u8 },
    /// After so many marks that may close it.
    Marks(u8),
    /// After the marks that close it if only white space follows.
    End,
    /// In a line.
    Line,
}

/// Reads byte by byte.
#[derive(Clone, Copy, Debug)]
#[cfg_attr(feature = "debug", derive(serde::Serialize))]
pub(crate) struct Code {
    place: Place,
}

impl Code {
    pub(crate) const START: Code = Code { place: Place::LineStart { spaces: 0 } };

    /// Whether a marker that begins with the next byte is text.
    pub(crate) fn is_code(&self) -> bool {
        match self.place {
            Place::LineStart { .. } | Place::Line => false,
            // Text after a run of backticks is in it; one tilde or two open nothing.
            Place::Run { byte, length, may_fence } => byte == b'`' || may_fence && length >= 3,
            Place::Inline { length, closing } => length != closing,
            Place::Info { byte, length, closing } => byte != b'`' || length != closing,
            Place::Fence { .. } => true,
        }
    }

    /// Whether only spaces precede the place in its line, outside of a fence.
    pub(crate) fn is_line_start(&self) -> bool {
        matches!(self.place, Place::LineStart { .. })
    }

    /// Whether the rest of the line can't change how the next line is read.
    pub(crate) fn is_within_line(&self) -> bool {
        match self.place {
            Place::Line | Place::Inline { .. } | Place::Fence { at: Within::Line, .. } => true,
            Place::Run { may_fence, .. } => !may_fence,
            Place::LineStart { .. } | Place::Info { .. } | Place::Fence { .. } => false,
        }
    }

    /// A segment was read here.
    pub(crate) fn pass_segment(&mut self) {
        self.place = Place::Line;
    }

    /// One byte of text.
    pub(crate) fn step(&mut self, byte: u8) {
        let is_mark = matches!(byte, b'`' | b'~');
        self.place = match self.place {
            Place::Fence { byte: mark, length, at } => in_fence(mark, length, at, byte),
            Place::Info { byte: mark, length, .. } if byte == b'\n' => fence(mark, length),
            Place::Run { byte: mark, length, may_fence: true } if byte == b'\n' && length >= 3 => fence(mark, length),
            Place::LineStart { .. } | Place::Line | Place::Run { .. } | Place::Inline { .. } if byte == b'\n' => {
                Place::LineStart { spaces: 0 }
            }
            Place::LineStart { spaces } if byte == b' ' && spaces < 3 => Place::LineStart { spaces: spaces + 1 },
            Place::LineStart { .. } if is_mark => Place::Run { byte, length: 1, may_fence: true },
            Place::LineStart { .. } | Place::Line => in_line(byte),
            Place::Run { byte: mark, length, may_fence } if mark == byte => {
                Place::Run { byte, length: length.saturating_add(1), may_fence }
            }
            Place::Run { byte: mark, length, may_fence: true } if length >= 3 => {
                Place::Info { byte: mark, length, closing: u8::from(byte == b'`') }
            }
            Place::Run { byte: b'`', length, .. } => Place::Inline { length, closing: 0 },
            Place::Run { .. } => in_line(byte),
            Place::Inline { length, closing } => match (byte == b'`', length == closing) {
                (true, _) => Place::Inline { length, closing: closing.saturating_add(1) },
                (false, true) => in_line(byte),
                (false, false) => Place::Inline { length, closing: 0 },
            },
            // A backtick in the info string: that was inline code.
            Place::Info { byte: b'`', length, closing } => match (byte == b'`', closing) {
                (true, _) => Place::Info { byte: b'`', length, closing: closing.saturating_add(1) },
                (false, 0) => Place::Info { byte: b'`', length, closing },
                (false, _) if closing == length => in_line(byte),
                (false, _) => Place::Inline { length, closing: 0 },
            },
            info @ Place::Info { .. } => info,
        };
    }
}

/// At the start of a fence's line.
fn fence(byte: u8, length: u8) -> Place {
    Place::Fence { byte, length, at: Within::LineStart { spaces: 0 } }
}

fn in_fence(mark: u8, length: u8, at: Within, byte: u8) -> Place {
    let may_end = matches!(at, Within::End) || matches!(at, Within::Marks(read) if read >= length);
    let at = match at {
        _ if byte == b'\n' => {
            return if may_end { Place::LineStart { spaces: 0 } } else { fence(mark, length) };
        }
        Within::LineStart { .. } if byte == mark => Within::Marks(1),
        Within::LineStart { spaces } if byte == b' ' && spaces < 3 => Within::LineStart { spaces: spaces + 1 },
        Within::Marks(read) if byte == mark => Within::Marks(read.saturating_add(1)),
        Within::Marks(_) | Within::End if may_end && matches!(byte, b' ' | b'\t' | b'\r') => Within::End,
        Within::LineStart { .. } | Within::Marks(_) | Within::End | Within::Line => Within::Line,
    };
    Place::Fence { byte: mark, length, at }
}

/// In a line that this byte doesn't end.
fn in_line(byte: u8) -> Place {
    match byte {
        b'`' => Place::Run { byte, length: 1, may_fence: false },
        _ => Place::Line,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The text, with each `<` in code as `*`.
    fn marks(text: &str) -> String {
        let mut code = Code::START;
        text.bytes()
            .map(|byte| {
                let is_code = code.is_code();
                code.step(byte);
                if byte == b'<' { if is_code { '*' } else { '<' } } else { char::from(byte) }
            })
            .collect()
    }

    #[test]
    fn fences_and_inline_code() {
        for (text, expected) in [
            ("a < b", "a < b"),
            ("`<` <", "`*` <"),
            ("``<`<`` <", "``*`*`` <"),
            ("a ` <\n<", "a ` *\n<"),
            ("```\n<\n```\n<", "```\n*\n```\n<"),
            ("```xml\n<\n``\n<\n````  \n<", "```xml\n*\n``\n*\n````  \n<"),
            ("~~~\n<\n```\n<\n~~~\n<", "~~~\n*\n```\n*\n~~~\n<"),
            ("   ```\n<\n   ```\n<", "   ```\n*\n   ```\n<"),
            ("    ```<``` <", "    ```*``` <"),
            ("```<``` <", "```*``` <"),
            ("```<", "```*"),
            ("```a`<\n<", "```a`*\n<"),
            ("~~<~~ <", "~~<~~ <"),
            ("x ```\n<", "x ```\n<"),
            ("```\n<\n``` x\n<\n```\n<", "```\n*\n``` x\n*\n```\n<"),
            ("```\n    ```\n<", "```\n    ```\n*"),
            ("~~~ a < ~\n<", "~~~ a * ~\n*"),
            ("```a```<", "```a```<"),
            ("```a`b<", "```a`b*"),
            ("    ```\n<", "    ```\n<"),
            ("aaa\n<", "aaa\n<"),
        ] {
            assert_eq!(marks(text), expected, "{text}");
        }
    }

    #[test]
    fn the_rest_of_a_line_does_not_change_the_next_one() {
        let is_fence = |place: Place| matches!(place, Place::Fence { .. });
        let marks = ["a", " ", "`", "``", "```", "~~~", "\n", "x`y"];
        for first in marks {
            for second in marks {
                for third in marks {
                    let mut code = Code::START;
                    for byte in [first, second, third].concat().bytes() {
                        let before = code;
                        code.step(byte);
                        if before.is_within_line() && byte != b'\n' {
                            assert!(code.is_within_line(), "{first}{second}{third}");
                            assert_eq!(is_fence(before.place), is_fence(code.place));
                        }
                        assert!(!(code.is_line_start() && code.is_within_line()));
                    }
                }
            }
        }
    }

    #[test]
    fn no_fence_begins_after_a_segment() {
        let mut code = Code::START;
        code.pass_segment();
        for byte in *b"```\n" {
            code.step(byte);
        }
        assert!(!code.is_code());
    }
}
