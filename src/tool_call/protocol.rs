//! The rows of `src/format` that are no model's: those of the protocols, and that of reasoning between tags.

use crate::format::{Body, Flag, Part};
use crate::reasoning::TAGS;

/// Longest tag of a protocol, in bytes.
///
/// ```
/// use tokenweir::tool_call::{LONGEST_MARKER, Options};
/// assert!(Options::hermes_between(&"a".repeat(LONGEST_MARKER), "end").is_some());
/// assert!(Options::hermes_between(&"a".repeat(LONGEST_MARKER + 1), "end").is_none());
/// ```
pub const LONGEST_MARKER: usize = 128;

/// What a tool's result begins with in the prompts of the protocols.
const RESULT: &[u8] = b"<tool_response>";

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
#[non_exhaustive]
pub enum Reasoning {
    /// It is text like any other, and searched.
    Search,
    /// It is not searched.
    Skip,
    /// It is not searched, and the stream starts inside it: the prompt has opened it.
    Inside,
}

/// The markers of reasoning, those that open it first.
fn reasoning(is_known: impl Fn(&[u8]) -> bool) -> Vec<(Part, &'static [u8])> {
    let tags = TAGS.into_iter().filter(|(open, _)| !is_known(open));
    let (opens, closes): (Vec<_>, Vec<_>) =
        tags.map(|(open, close)| ((Part::ReasoningOpen, open), (Part::ReasoningClose, close))).unzip();
    [opens, closes].concat()
}

/// The row of calls in JSON between two tags.
// Hidden: for the tests of the border.
#[doc(hidden)]
#[must_use]
pub fn hermes_row(start: &str, end: &str) -> Vec<u8> {
    let markers =
        [(Part::CallOpen, start), (Part::CallClose, end), (Part::NameKey, "name"), (Part::ArgsKey, "arguments")];
    row(&markers.map(|(part, marker)| (part, marker.as_bytes())), Body::Json, &[Flag::Tolerant])
}

/// The row of calls that are elements with the tools' names. `lines`: whether a name may stand
/// on a line of its own.
// Hidden: for the tests of the border.
#[doc(hidden)]
#[must_use]
pub fn morph_row(lines: bool) -> Vec<u8> {
    row(&[], Body::Tree, if lines { &[Flag::Tolerant, Flag::LineNames] } else { &[Flag::Tolerant] })
}

/// The row of the reasoning that is known with every format, as far as the others don't have it.
pub(super) fn thinking_row(is_known: impl Fn(&[u8]) -> bool) -> Option<Vec<u8>> {
    let missing = reasoning(is_known);
    (!missing.is_empty()).then(|| encoded(&missing, Body::Nothing, &[]))
}

fn row(markers: &[(Part, &[u8])], body: Body, flags: &[Flag]) -> Vec<u8> {
    let mut all = [markers, &reasoning(|_| false), &[(Part::OtherTurn, RESULT)]].concat();
    all.sort_by_key(|&(part, _)| part as u8);
    encoded(&all, body, flags)
}

fn encoded(markers: &[(Part, &[u8])], body: Body, flags: &[Flag]) -> Vec<u8> {
    let flags = flags.iter().fold(1 << Flag::Pairs as u32, |all: u32, &flag| all | 1 << flag as u32).to_le_bytes();
    let mut bytes = Vec::new();
    let mut add = |part: Part, content: &[u8]| {
        let len = (content.len() as u16).to_le_bytes();
        bytes.extend([&[part as u8][..], &len, content].concat());
    };
    markers.iter().for_each(|&(part, marker)| add(part, marker));
    add(Part::Body, &[body as u8]);
    add(Part::Flags, &flags);
    bytes
}
