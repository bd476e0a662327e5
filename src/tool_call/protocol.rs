//! The rows of `src/format` that are no model's: those of the protocols, and that of reasoning between tags.

use crate::format::{Body, Flag, Part};

/// Longest tag of a protocol, in bytes.
///
/// ```
/// use tokenweir::tool_call::{LONGEST_MARKER, Options};
/// assert!(Options::hermes_between(&"a".repeat(LONGEST_MARKER), "end").is_some());
/// assert!(Options::hermes_between(&"a".repeat(LONGEST_MARKER + 1), "end").is_none());
/// ```
pub const LONGEST_MARKER: usize = 128;

/// How reasoning in text is read.
///
/// ```
/// use tokenweir::tool_call::{EventKind, Options, Reasoning, ToolCallParser};
/// let mut options = Options::hermes();
/// assert_eq!(options.reasoning, Reasoning::Skip);
/// options.reasoning = Reasoning::Inside;
/// let mut parser = ToolCallParser::new(options);
/// let kinds: Vec<_> = parser.feed("Hm.</think>Hi").unwrap().into_iter().map(|event| event.kind).collect();
/// let expected = [
///     EventKind::ReasoningStart,
///     EventKind::Reasoning("Hm.".to_owned()),
///     EventKind::ReasoningEnd,
///     EventKind::Text("Hi".to_owned()),
/// ];
/// assert_eq!(kinds, expected);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reasoning {
    /// It is text like any other, and searched.
    Search,
    /// It is not searched.
    Skip,
    /// The same, and the stream starts inside it: the prompt has opened it.
    Inside,
}

/// Opening and closing tags of reasoning.
const REASONING: [(Part, &[u8]); 4] = [
    (Part::ReasoningOpen, b"<think>"),
    (Part::ReasoningOpen, b"<thinking>"),
    (Part::ReasoningClose, b"</think>"),
    (Part::ReasoningClose, b"</thinking>"),
];

/// The row of calls in JSON between two tags.
// Hidden: for the tests of the border.
#[doc(hidden)]
#[must_use]
pub fn hermes_row(start: &str, end: &str) -> Vec<u8> {
    row(&[(Part::CallOpen, start.as_bytes()), (Part::CallClose, end.as_bytes())], Body::Call, &[])
}

/// The row of calls that are elements with the tools' names. `lines`: whether a name may stand
/// on a line of its own.
// Hidden: for the tests of the border.
#[doc(hidden)]
#[must_use]
pub fn morph_row(lines: bool) -> Vec<u8> {
    row(&[], Body::Tree, if lines { &[Flag::LineNames] } else { &[] })
}

/// The row of the reasoning that is known with every format, as far as the others don't have it.
pub(super) fn thinking_row(is_known: impl Fn(&[u8]) -> bool) -> Option<Vec<u8>> {
    let tags = REASONING.iter().zip(REASONING.iter().skip(2)).take(2);
    let missing: Vec<_> = tags.filter(|((_, open), _)| !is_known(open)).collect();
    let opens = missing.iter().map(|&(open, _)| *open);
    let closes = missing.iter().map(|&(_, close)| *close);
    (!missing.is_empty()).then(|| encoded(opens.chain(closes), Body::Nothing, &[]))
}

fn row(markers: &[(Part, &[u8])], body: Body, flags: &[Flag]) -> Vec<u8> {
    encoded(markers.iter().chain(&REASONING).copied(), body, flags)
}

fn encoded<'a>(markers: impl Iterator<Item = (Part, &'a [u8])>, body: Body, flags: &[Flag]) -> Vec<u8> {
    let flags = flags.iter().fold(1 << Flag::Pairs as u32, |all: u32, &flag| all | 1 << flag as u32).to_le_bytes();
    let mut bytes = Vec::new();
    let mut add = |part: Part, content: &[u8]| {
        let len = (content.len() as u16).to_le_bytes();
        bytes.extend([&[part as u8][..], &len, content].concat());
    };
    markers.for_each(|(part, marker)| add(part, marker));
    add(Part::Body, &[body as u8]);
    add(Part::Flags, &flags);
    bytes
}
