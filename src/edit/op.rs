//! The numbers of the edit parser that cross the border.

use crate::text::{numbered, records};

/// Longest line of a header, in UTF-16 code units.
///
/// ```
/// use tokenweir::edit::{EditParser, EventKind, Fault, LONGEST_HEADER, Options};
/// let text = format!("*** Begin Patch\n*** Add File: {}", "a".repeat(LONGEST_HEADER as usize));
/// let events = EditParser::new(Options::default()).feed(&text)?;
/// let is_fault = |kind: &EventKind| matches!(kind, EventKind::Malformed { fault: Fault::PathTooLong, .. });
/// assert!(events.iter().any(|event| is_fault(&event.kind)));
/// # Ok::<(), tokenweir::Error>(())
/// ```
pub const LONGEST_HEADER: u32 = 4_096;

numbered! {
    /// What happens to a file.
    ///
    /// ```
    /// use tokenweir::edit::FileOp;
    /// assert_eq!(FileOp::Add.name(), "add");
    /// ```
    #[non_exhaustive]
    #[repr(u8)]
    pub enum FileOp {
        /// It is new, or written as a whole.
        Add = 0 => "add",
        /// It is changed.
        Update = 1 => "update",
        /// It goes.
        Delete = 2 => "delete",
        /// It gets another path, and may be changed.
        Move = 3 => "move",
    }
}

numbered! {
    /// How an edit is written.
    ///
    /// ```
    /// use tokenweir::edit::Format;
    /// assert_eq!(Format::SearchReplace.name(), "search-replace");
    /// ```
    #[non_exhaustive]
    #[repr(u8)]
    pub enum Format {
        /// `*** Begin Patch`
        V4a = 0 => "v4a",
        /// `<<<<<<< SEARCH`
        SearchReplace = 1 => "search-replace",
        /// `--- a`, `+++ b`
        Unified = 2 => "unified",
    }
}

numbered! {
    /// Which text of a hunk it is.
    ///
    /// ```
    /// use tokenweir::edit::Side;
    /// assert_eq!(Side::Both.name(), "both");
    /// ```
    #[repr(u8)]
    pub enum Side {
        /// What is there, and goes.
        Old = 0 => "old",
        /// What comes.
        New = 1 => "new",
        /// What stays: context.
        Both = 2 => "both",
    }
}

numbered! {
    /// What is wrong with a text.
    ///
    /// ```
    /// use tokenweir::edit::{EditParser, EventKind, Fault, Options};
    /// let mut parser = EditParser::new(Options::default());
    /// parser.feed("*** Begin Patch\n*** Delete File: a\n")?;
    /// let faults: Vec<_> = parser.finish().into_iter().filter_map(|event| match event.kind {
    ///     EventKind::Malformed { fault, .. } => Some(fault.code()),
    ///     _ => None,
    /// }).collect();
    /// assert_eq!(faults, ["unterminated"]);
    /// # Ok::<(), tokenweir::Error>(())
    /// ```
    #[non_exhaustive]
    #[repr(u8)]
    pub enum Fault {
        /// The stream ended in an edit.
        Unterminated = 0 => "unterminated",
        /// A line of a patch that has no sign, or none that may be there.
        BadLine = 1 => "bad-line",
        /// A line of a patch that is only like a header, or that stands where one is expected.
        UnknownHeader = 2 => "unknown-header",
        /// A header or a block without a path.
        MissingPath = 3 => "missing-path",
        /// A header or a hunk without lines.
        EmptyUpdate = 4 => "empty-update",
        /// A header of more than [`LONGEST_HEADER`] units.
        PathTooLong = 5 => "path-too-long",
        /// A block with a second separator: one of the two may be content.
        AmbiguousSeparator = 6 => "ambiguous-separator",
        /// A block with the start marker of another one.
        MarkerInContent = 7 => "marker-in-content",
        /// A block that ends before its separator.
        MissingSeparator = 8 => "missing-separator",
        /// The end marker of a block outside of one.
        StrayMarker = 9 => "stray-marker",
        /// Another line in a text that is to be a patch as a whole.
        UnexpectedText = 10 => "unexpected-text",
    }
}

impl Fault {
    /// Its stable name, the same as in JavaScript.
    #[must_use]
    pub fn code(self) -> &'static str {
        self.name()
    }
}

records! {
    /// What a record says.
    pub enum Op: 5 {
        /// Text between edits.
        Text = 1 => prose(text, from),
        /// A word of a line that may name the file of a block.
        Word {
            /// Whether it begins the line.
            is_first: bool = 5..6,
        } = 2 => word(is_first, text, from),
        /// The line was a name: which of its units are the path.
        Named {
            /// The first unit.
            start: u16 = 5..18,
            /// One past the last.
            end: u16 = 18..31,
        } = 3 => named(start, end),
        /// What is neither text nor content.
        Markup = 4 => markup(raw, from, to),
        /// More of a hunk.
        Delta(side: Side = 5..8) = 5 => delta(side, text, from),
        /// The path of a header.
        Path = 6 => take_path(text),
        /// The other path of a header.
        MoveTo = 7 => take_target(text),
        /// The file of the header that these paths are of.
        File {
            /// What happens to it.
            op: FileOp = 5..8,
            /// How it is written.
            format: Format = 8..11,
        } = 8 => file_begins(op, format, from),
        /// A block begins. Whether the line before it named its file; else it is that of the last one.
        Block(is_named: bool = 5..6) = 9 => block(is_named, from),
        /// The header of a hunk begins, or its first line if there is no header.
        Section = 10 => begin_section(from),
        /// A line of the hunk's context.
        Context = 11 => add_context(text),
        /// One of the four numbers in the hunk's header.
        Range(nth: u8 = 5..8) = 12 => add_number(nth, text),
        /// The hunk begins.
        Hunk = 13 => hunk_begins(),
        /// It ends.
        HunkDone(at_end: bool = 5..6) = 14 => hunk_done(at_end, from),
        /// The file ends, unless it is spoiled.
        FileDone = 15 => file_done(from),
        /// The stream ends in the hunk of a diff: whether it has the lines that its header counts.
        Last(is_reached: bool = 5..6) = 16 => last_hunk(is_reached, from),
        /// Something is wrong: what is open is spoiled, unless it is `UnexpectedText`.
        Fault(code: Fault = 5..10) = 17 => fault(code, from, to),
    }
}

numbered! {
    /// What the rest of a line is, so that a chunk without a line's end needs no call.
    #[repr(u8)]
    pub enum Mode {
        /// It has to be read.
        Read = 0,
        /// Text between edits.
        Text = 1,
        /// Old text.
        Old = 2,
        /// New text.
        New = 3,
        /// Context.
        Both = 4,
        /// What is passed over.
        Skip = 5,
    }
}

impl Mode {
    /// What may end the text of a mode.
    #[must_use]
    pub fn stops(self) -> &'static [u8] {
        match self {
            Mode::Read => b"",
            Mode::Text | Mode::Skip => b"\n",
            Mode::Old | Mode::New | Mode::Both => b"\n\r",
        }
    }
}

numbered! {
    /// How a stream begins, a bit each.
    #[repr(u32)]
    pub enum Flag {
        /// V4A is looked for.
        V4a = 1,
        /// SEARCH/REPLACE is looked for.
        SearchReplace = 2,
        /// Unified diffs are looked for.
        Unified = 4,
        /// The text is a patch and nothing else.
        Whole = 8,
        /// There is a path for blocks without one.
        HasPath = 16,
        /// The text is the lines of a V4A update alone.
        BareUpdate = 32,
        /// The text is the lines of a new file in V4A alone.
        BareAdd = 64,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::Record;

    #[test]
    fn every_op_comes_back() {
        let mut ops =
            vec![Op::Text, Op::Markup, Op::Path, Op::MoveTo, Op::Section, Op::Context, Op::Hunk, Op::FileDone];
        ops.push(Op::Named { start: 4_095, end: 4_096 });
        ops.extend([false, true].map(|is_first| Op::Word { is_first }));
        ops.extend([false, true].map(Op::Block));
        ops.extend([false, true].map(Op::HunkDone));
        ops.extend([false, true].map(Op::Last));
        ops.extend(Side::ALL.map(Op::Delta));
        ops.extend(Fault::ALL.map(Op::Fault));
        ops.extend([0, 1, 2, 3].map(Op::Range));
        for op in FileOp::ALL {
            ops.extend(Format::ALL.map(|format| Op::File { op, format }));
        }
        for op in ops {
            assert_eq!(Op::of(op.at(1, 2)), Some(op));
        }
        assert_eq!(Op::of(Record { word: 31, start: 0, end: 0 }), None);
    }
}
