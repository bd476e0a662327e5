//! How a tool's arguments are read: a table. A program's own state
//! adds a row.
//!
//! ```text
//! tool ::= '<tool name="NAME">' … '<arg name="CONTENT">' content '</arg>' … '</tool>'
//! ```
//!
//! Source: seeds/000, "Specialised XML Tool States"; spec/segment.md, "States".

use super::op::{RowWord, SegmentType};
use super::word::Word;
use crate::text::trim;

/// Most arguments of one tool that go to the metadata.
///
/// ```
/// use tokenweir::segment::{MOST_METADATA, Options, STATES, ToolState};
/// let names = ["a"; MOST_METADATA + 1];
/// let mut options = Options::default();
/// assert!(options.add_state(&ToolState { start_when: &[], metadata: &names[1..], ..STATES[0] }));
/// assert!(!options.add_state(&ToolState { start_when: &[], metadata: &names, ..STATES[0] }));
/// ```
pub const MOST_METADATA: usize = 8;

/// How the arguments of one tool are read. All words have at most
/// [`super::LONGEST_WORD`] bytes.
///
/// ```
/// use tokenweir::segment::{EventKind, Options, SegmentParser, SegmentType, ToolState};
/// let mut options = Options::default();
/// options.add_state(&ToolState {
///     tool: "send_mail",
///     segment_type: SegmentType::Own,
///     content: "body",
///     start_when: &["to"],
///     metadata: &["subject"],
///     markers: None,
/// });
/// let text = r#"<tool name="send_mail"><arguments><arg name="to">ada</arg><arg name="body">Hi"#;
/// let events = SegmentParser::new(options).feed(text)?;
/// let metadata = vec![("tool_name".to_owned(), "send_mail".to_owned()), ("to".to_owned(), "ada".to_owned())];
/// let start = EventKind::Start { segment_type: SegmentType::Own, metadata };
/// assert!(events.iter().any(|event| event.kind == start));
/// # Ok::<(), tokenweir::Error>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct ToolState<'a> {
    /// The tool, in lower case.
    pub tool: &'a str,
    /// What its segments are.
    pub segment_type: SegmentType,
    /// The argument that is the content. Without one, all between the tags is.
    pub content: &'a str,
    /// Arguments without which the segment doesn't begin. They are metadata.
    pub start_when: &'a [&'a str],
    /// Other arguments that are metadata, where they stand before the start.
    pub metadata: &'a [&'a str],
    /// What may bracket the content, so that `</arg>` can be in it.
    pub markers: Option<(&'a str, &'a str)>,
}

const PATCH_MARKERS: (&str, &str) = ("__START_PATCH__", "__END_PATCH__");

/// The tools that are known without being registered.
///
/// ```
/// use tokenweir::segment::STATES;
/// let tools: Vec<_> = STATES.iter().map(|state| state.tool).collect();
/// assert_eq!(tools, ["write_file", "patch_file", "edit_file", "run_bash"]);
/// ```
pub const STATES: [ToolState<'static>; 4] = [
    ToolState {
        tool: SegmentType::WriteFile.name(),
        segment_type: SegmentType::WriteFile,
        content: "content",
        start_when: &["path"],
        metadata: &[],
        markers: Some(("__START_CONTENT__", "__END_CONTENT__")),
    },
    ToolState {
        tool: SegmentType::PatchFile.name(),
        segment_type: SegmentType::PatchFile,
        content: "patch",
        start_when: &["path"],
        metadata: &[],
        markers: Some(PATCH_MARKERS),
    },
    ToolState {
        tool: SegmentType::EditFile.name(),
        segment_type: SegmentType::EditFile,
        content: "patch",
        start_when: &["path"],
        metadata: &[],
        markers: Some(PATCH_MARKERS),
    },
    ToolState {
        tool: SegmentType::RunBash.name(),
        segment_type: SegmentType::RunBash,
        content: "command",
        start_when: &[],
        metadata: &[],
        markers: None,
    },
];

/// One row of the table as the machine keeps it: no pointers, so that it can be
/// copied.
#[derive(Clone, Copy, Debug)]
#[cfg_attr(feature = "debug", derive(serde::Serialize))]
pub struct Row {
    pub(super) segment_type: SegmentType,
    content: Word,
    #[cfg_attr(feature = "debug", serde(serialize_with = "crate::text::inspect::list"))]
    metadata: [Word; MOST_METADATA],
    count: u8,
    /// How many of the metadata must be known before the segment begins.
    needed: u8,
    pub(super) start_marker: Word,
    pub(super) end_marker: Word,
}

/// What an argument is to a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Role {
    Content,
    /// Metadata, by its place in the row.
    Metadata(u8),
    Other,
}

impl Row {
    /// The row of a tool without a state.
    pub(super) const GENERIC: Row = Row {
        segment_type: SegmentType::ToolCall,
        content: Word::EMPTY,
        metadata: [Word::EMPTY; MOST_METADATA],
        count: 0,
        needed: 0,
        start_marker: Word::EMPTY,
        end_marker: Word::EMPTY,
    };

    /// The row of a state. None if it has too many or too long words, or a
    /// marker that is empty or begins with white space.
    #[must_use]
    pub fn of(state: &ToolState<'_>) -> Option<Row> {
        let mut row = Row { segment_type: state.segment_type, ..Row::GENERIC };
        row.content = Word::of(state.content.as_bytes())?;
        for (at, name) in state.start_when.iter().chain(state.metadata).enumerate() {
            *row.metadata.get_mut(at)? = Word::of(name.as_bytes())?;
        }
        row.needed = state.start_when.len() as u8;
        row.count = row.needed + state.metadata.len() as u8;
        if let Some((start, end)) = state.markers {
            let marker = |text: &str| {
                let is_marker = text.chars().next().is_some_and(|c| !c.is_whitespace());
                is_marker.then(|| Word::of(text.as_bytes())).flatten()
            };
            row.start_marker = marker(start)?;
            row.end_marker = marker(end)?;
        }
        Some(row)
    }

    /// The built-in row of a tool.
    pub(super) fn built_in(tool: &Word) -> Row {
        let state = STATES.iter().find(|state| tool.is_like(state.tool.as_bytes()));
        state.and_then(Row::of).unwrap_or(Row::GENERIC)
    }

    /// Whether all between the tags is content.
    pub(super) fn is_raw(&self) -> bool {
        self.content.is_empty()
    }

    /// Whether the segment may begin where the tag ends.
    pub(super) fn begins_at_once(&self) -> bool {
        self.count == 0
    }

    /// Whether these metadata, a bit each, are all that must be known.
    pub(super) fn is_enough(&self, known: u8) -> bool {
        known.trailing_ones() >= u32::from(self.needed)
    }

    /// Whether the segment begins as soon as enough is known, and not only with the content.
    pub(super) fn needs_some(&self) -> bool {
        self.needed > 0
    }

    /// What an argument is, with any white space around its name.
    pub(super) fn role(&self, name: &Word) -> Role {
        let name = name.text().map_or(&[][..], trim);
        let is = |word: &Word| word.is_like(name);
        if name.is_empty() {
            return Role::Other;
        }
        if is(&self.content) {
            return Role::Content;
        }
        let metadata = self.metadata.iter().take(usize::from(self.count)).position(is);
        metadata.map_or(Role::Other, |at| Role::Metadata(at as u8))
    }
}

/// A row as JavaScript writes it: the number of its type, then words, each
/// after what it is and its length in bytes.
impl Row {
    /// Reads a row. Needed metadata come before other. `None` if malformed.
    #[must_use]
    pub fn read(bytes: &[u8]) -> Option<Row> {
        let (&number, mut rest) = bytes.split_first()?;
        let mut row = Row { segment_type: SegmentType::from_number(u32::from(number))?, ..Row::GENERIC };
        while let [kind, len, tail @ ..] = rest {
            let word = Word::of(tail.get(..usize::from(*len))?)?;
            rest = tail.get(usize::from(*len)..)?;
            let kind = RowWord::from_number(u32::from(*kind))?;
            match kind {
                RowWord::Content => row.content = word,
                RowWord::Needed | RowWord::Metadata => {
                    *row.metadata.get_mut(usize::from(row.count))? = word;
                    row.count += 1;
                    row.needed += u8::from(kind == RowWord::Needed);
                }
                RowWord::StartMarker => row.start_marker = word,
                RowWord::EndMarker => row.end_marker = word,
            }
        }
        rest.is_empty().then_some(row)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_state_of_the_table_fits_a_row() {
        for state in &STATES {
            assert!(Row::of(state).is_some(), "{}", state.tool);
        }
    }

    #[test]
    fn a_row_that_crossed_is_the_row() {
        let crossed = Row::read(b"\x02\x01\x07content\x02\x04path\x04\x11__START_CONTENT__\x05\x0f__END_CONTENT__");
        let table = STATES.first().and_then(Row::of);
        assert_eq!(format!("{crossed:?}"), format!("{table:?}"));
        for bad in [&b""[..], b"\x63", b"\x02\x01", b"\x02\x01\x02x", b"\x02\x09\x01x", b"\x02\x01\x41x"] {
            assert!(Row::read(bad).is_none(), "{bad:?}");
        }
    }

    #[test]
    fn words_that_do_not_fit_are_refused() {
        let state = STATES[3];
        let long = "x".repeat(65);
        assert!(Row::of(&ToolState { content: &long, ..state }).is_none());
        assert!(Row::of(&ToolState { metadata: &["a"; 9], ..state }).is_none());
        assert!(Row::of(&ToolState { markers: Some(("", "x")), ..state }).is_none());
        assert!(Row::of(&ToolState { markers: Some(("x", "\nx")), ..state }).is_none());
    }
}
