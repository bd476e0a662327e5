//! Values that are CDATA, as a table.
//!
//! ```text
//! value   ::= space* section+ space*
//! section ::= '<![CDATA[' text ']]>'
//! ```
//!
//! Nothing in a section is markup, and sections that touch are one text: `]]>` is written
//! `]]]]><![CDATA[>`. The reader of a value steps through this from its first `<` on, with a byte
//! at a time; all bytes that are pending are ASCII, so they are as many units.
//!
//! Source: XML 1.0, productions 18 to 21, and membrane's payloads.
//! Difference: a section counts only at the start of a value.

use crate::scan::find_any;

/// What begins a section.
pub(crate) const CDATA_OPENER: &[u8] = b"<![CDATA[";

/// What ends one.
pub(crate) const CDATA_CLOSER: &[u8] = b"]]>";

/// How far a value is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "debug", derive(serde::Serialize))]
pub(crate) enum Cdata {
    /// In none.
    Outside,
    /// `<![CD|ATA[`: so many bytes, at the start of the value.
    Opening { read: u8 },
    /// `<![CDATA[a|b]]>`
    Inside,
    /// `]|]>`
    Bracket,
    /// `]]|>`
    Brackets,
    /// `]]>|`, and so many bytes of the opener of another section that touches it.
    Closed { read: u8 },
    /// `]]> |`: nothing may follow but white space and the end of the value.
    After,
}

/// What a byte means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum CdataMove {
    /// It is pending: part of an opener or of `]]>`, perhaps.
    Hold,
    /// It ends an opener: text begins after it.
    Opened,
    /// The brackets that were pending are text, and so many; the byte is read again.
    Brackets(u8),
    /// It is text: a bracket before two that stay pending.
    OldestBracket,
    /// It is text.
    Text,
    /// It ends a section.
    Closed,
    /// It is white space after the sections.
    Space,
    /// What is pending, so many bytes of an opener, is not one; the byte is read again.
    Failed(u8),
}

/// The whole table: one move on one byte.
fn step(state: Cdata, byte: u8) -> (Cdata, CdataMove) {
    match state {
        Cdata::Outside => (Cdata::Outside, CdataMove::Failed(0)),
        Cdata::Opening { read } => opener(read, byte, |read| Cdata::Opening { read }, Cdata::Outside),
        Cdata::Inside if byte == b']' => (Cdata::Bracket, CdataMove::Hold),
        Cdata::Inside => (Cdata::Inside, CdataMove::Text),
        Cdata::Bracket if byte == b']' => (Cdata::Brackets, CdataMove::Hold),
        Cdata::Bracket => (Cdata::Inside, CdataMove::Brackets(1)),
        Cdata::Brackets if byte == b'>' => (Cdata::Closed { read: 0 }, CdataMove::Closed),
        Cdata::Brackets if byte == b']' => (Cdata::Brackets, CdataMove::OldestBracket),
        Cdata::Brackets => (Cdata::Inside, CdataMove::Brackets(2)),
        Cdata::Closed { read: 0 } | Cdata::After if byte.is_ascii_whitespace() => (Cdata::After, CdataMove::Space),
        Cdata::Closed { read } => opener(read, byte, |read| Cdata::Closed { read }, Cdata::After),
        Cdata::After => (Cdata::After, CdataMove::Failed(0)),
    }
}

fn opener(read: u8, byte: u8, more: impl Fn(u8) -> Cdata, failed: Cdata) -> (Cdata, CdataMove) {
    if CDATA_OPENER.get(usize::from(read)) != Some(&byte) {
        (failed, CdataMove::Failed(read))
    } else if usize::from(read) + 1 == CDATA_OPENER.len() {
        (Cdata::Inside, CdataMove::Opened)
    } else {
        (more(read + 1), CdataMove::Hold)
    }
}

impl Cdata {
    /// Reads a byte.
    pub(crate) fn step(&mut self, byte: u8) -> CdataMove {
        let (next, action) = step(*self, byte);
        *self = next;
        action
    }

    /// How many bytes a text begins with that are text of a section: those up to a bracket.
    pub(crate) fn plain(self, text: &[u8]) -> usize {
        if self == Cdata::Inside { find_any(text, [b']']).unwrap_or(text.len()) } else { 0 }
    }

    /// Units that are pending: of an opener or of `]]>`.
    pub(crate) const fn held(self) -> u32 {
        match self {
            Cdata::Outside | Cdata::Inside | Cdata::After => 0,
            Cdata::Bracket => 1,
            Cdata::Brackets => 2,
            Cdata::Opening { read } | Cdata::Closed { read } => read as u32,
        }
    }

    /// Whether sections were closed, and none is open: the value ends with its closing tag.
    pub(crate) const fn is_closed(self) -> bool {
        matches!(self, Cdata::Closed { .. } | Cdata::After)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The text of a value that begins with `<`, and where it was left.
    fn read(text: &str) -> (String, Cdata) {
        let (mut state, mut out) = (Cdata::Opening { read: 0 }, Vec::new());
        for &byte in text.as_bytes() {
            loop {
                match state.step(byte) {
                    CdataMove::Hold | CdataMove::Opened | CdataMove::Closed | CdataMove::Space => {}
                    CdataMove::Text => out.push(byte),
                    CdataMove::OldestBracket => out.push(b']'),
                    CdataMove::Brackets(count) => {
                        out.extend(std::iter::repeat_n(b']', usize::from(count)));
                        continue;
                    }
                    CdataMove::Failed(_) => return (String::from_utf8_lossy(&out).into_owned(), state),
                }
                break;
            }
        }
        (String::from_utf8_lossy(&out).into_owned(), state)
    }

    #[test]
    fn sections_that_touch_are_one_text() {
        for (text, expected, state) in [
            ("<![CDATA[a<b>]]>", "a<b>", Cdata::Closed { read: 0 }),
            ("<![CDATA[]]>", "", Cdata::Closed { read: 0 }),
            ("<![CDATA[a]]]]><![CDATA[>b]]>", "a]]>b", Cdata::Closed { read: 0 }),
            ("<![CDATA[a]]]>", "a]", Cdata::Closed { read: 0 }),
            ("<![CDATA[]a]] ]]]]]> \n", "]a]] ]]]", Cdata::After),
            ("<![CDATA[a]", "a", Cdata::Bracket),
            ("<![CDATA[a]]><![CDA", "a", Cdata::Closed { read: 6 }),
            ("<![CDATA[a]]> <![CDATA[b]]>", "a", Cdata::After),
            ("<![cdata[a]]>", "", Cdata::Outside),
            ("<![CDATA", "", Cdata::Opening { read: 8 }),
        ] {
            assert_eq!(read(text), (expected.to_owned(), state), "{text}");
        }
    }

    #[test]
    fn what_is_pending() {
        for (text, held) in
            [("<![CD", 5), ("<![CDATA[", 0), ("<![CDATA[]", 1), ("<![CDATA[]]]", 2), ("<![CDATA[]]><!", 2)]
        {
            assert_eq!(read(text).1.held(), held, "{text}");
        }
    }
}
