//! How calls are marked: data.

use crate::scan::tag_len;
use crate::text::numbered;

/// Longest tag of a protocol, in bytes.
///
/// ```
/// use tokenweir::tool_call::{LONGEST_MARKER, Options};
/// assert!(Options::hermes_between(&"a".repeat(LONGEST_MARKER), "end").is_some());
/// assert!(Options::hermes_between(&"a".repeat(LONGEST_MARKER + 1), "end").is_none());
/// ```
pub const LONGEST_MARKER: usize = 128;

/// A tag that begins or ends a segment.
#[derive(Clone, Copy, Debug)]
pub struct Marker {
    len: u8,
    bytes: [u8; LONGEST_MARKER],
}

#[cfg(feature = "debug")]
crate::text::inspect::shown_as_text!(Marker: Marker::text);

impl Marker {
    /// No tag.
    pub const NONE: Marker = Marker { len: 0, bytes: [0; LONGEST_MARKER] };

    /// The tag of a text without the white space around it; `None` if it is empty or too long.
    #[must_use]
    pub fn new(parts: &[&[u8]]) -> Option<Marker> {
        let mut marker = Marker::NONE;
        for part in parts {
            let from = usize::from(marker.len);
            marker.bytes.get_mut(from..from + part.len())?.copy_from_slice(part);
            marker.len = u8::try_from(from + part.len()).ok()?;
        }
        (marker.len > 0).then_some(marker)
    }

    /// Its text.
    #[must_use]
    pub fn text(&self) -> &[u8] {
        self.bytes.get(..usize::from(self.len)).unwrap_or_default()
    }

    /// Its first byte.
    #[must_use]
    pub fn first(&self) -> u8 {
        self.text().first().copied().unwrap_or_default()
    }

    /// Its length at the start of a text, or 0 if it isn't there; `None` while
    /// the text is too short to say. Before a last `>` white space may stand.
    #[must_use]
    pub fn fits(&self, text: &[u8]) -> Option<usize> {
        tag_len(self.text(), text)
    }
}

/// How the payload of a call is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "debug", derive(serde::Serialize))]
pub enum Protocol {
    /// An object of name and arguments between two tags.
    Hermes,
    /// An element with the tool's name.
    Morph,
}

numbered! {
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
#[repr(u8)]
pub enum Reasoning {
    /// It is text like any other, and searched.
    Search = 0,
    /// It is not searched.
    Skip = 1,
    /// The same, and the stream starts inside it: the prompt has opened it.
    Inside = 2,
}
}

impl Reasoning {
    /// The one with a number.
    // Hidden: the border knows it by its number.
    #[doc(hidden)]
    #[must_use]
    pub fn of(number: u32) -> Reasoning {
        Reasoning::from_number(number).unwrap_or(Reasoning::Skip)
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test that can't go on fails")]
mod tests {
    use super::*;

    #[test]
    fn a_marker_fits_with_white_space_before_its_last_bracket() {
        let marker = Marker::new(&[b"<call", b">"]).unwrap();
        for (text, fits) in [
            ("<call>x", Some(6)),
            ("<call \n>", Some(8)),
            ("<call", None),
            ("<call  ", None),
            ("<", None),
            ("", None),
            ("<cell", Some(0)),
            ("<call x", Some(0)),
            ("<calls>", Some(0)),
            ("<call                 >", Some(0)),
        ] {
            assert_eq!(marker.fits(text.as_bytes()), fits, "{text}");
        }
        let fence = Marker::new(&[b"```"]).unwrap();
        assert_eq!(fence.fits(b"```"), Some(3));
        assert_eq!(fence.fits(b"``"), None);
        assert_eq!(Marker::NONE.fits(b"x"), Some(0));
        assert!(Marker::new(&[b""]).is_none() && Marker::new(&[&[b'x'; 129]]).is_none());
    }
}
