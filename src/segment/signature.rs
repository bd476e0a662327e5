//! How a tool that is JSON begins.
//!
//! Source: spec/segment.md, "JSON". White space outside strings doesn't count.

use crate::scan::{Entry, Literals};
use crate::text::numbered;

/// Most signatures of one parser.
///
/// ```
/// use tokenweir::segment::{MOST_SIGNATURES, Signatures};
/// let mut signatures = Signatures::NONE;
/// for number in 0..MOST_SIGNATURES {
///     assert!(signatures.add(format!("{{\"t{number}\":").as_bytes()));
/// }
/// assert!(!signatures.add(b"{\"one_more\":"));
/// ```
pub const MOST_SIGNATURES: usize = 16;

/// Longest signature, in bytes.
///
/// ```
/// use tokenweir::segment::{LONGEST_SIGNATURE, Signatures};
/// let begin = |len: usize| format!("{{\"{}\":", "a".repeat(len - 4));
/// let mut signatures = Signatures::NONE;
/// assert!(signatures.add(begin(LONGEST_SIGNATURE).as_bytes()));
/// assert!(!signatures.add(begin(LONGEST_SIGNATURE + 1).as_bytes()));
/// ```
pub const LONGEST_SIGNATURE: usize = 64;

const BYTES: usize = 512;

numbered! {
/// Whose way of writing tools.
///
/// ```
/// use tokenweir::segment::Profile;
/// assert_eq!(Profile::Gemini.signatures(), [r#"{"name":"#, r#"[{"name":"#]);
/// ```
#[non_exhaustive]
#[repr(u8)]
pub enum Profile {
    /// Neither of the others.
    Default = 0 => "default",
    /// OpenAI, Mistral, `DeepSeek`, Grok.
    OpenAi = 1 => "openai",
    /// Gemini.
    Gemini = 2 => "gemini",
}
}

impl Profile {
    /// How its tools begin.
    #[must_use]
    pub fn signatures(self) -> &'static [&'static str] {
        match self {
            Profile::Default => &[r#"{"tool":"#, r#"{"function":"#],
            Profile::OpenAi => &[
                r#"{"tool":"#,
                r#"{"tool_calls":"#,
                r#"{"tools":"#,
                r#"{"function":"#,
                r#"[{"tool":"#,
                r#"[{"function":"#,
            ],
            Profile::Gemini => &[r#"{"name":"#, r#"[{"name":"#],
        }
    }
}

/// A set of signatures, without pointers so that it can be copied.
///
/// ```
/// use tokenweir::segment::{EventKind, Markers, Options, Profile, SegmentParser, SegmentType, Signatures};
/// let mut signatures = Signatures::of(Profile::Default);
/// assert!(signatures.add(br#"{"run":"#));
/// assert!(!signatures.add(b"run:")); // no JSON
///
/// let markers = Markers { json: true, ..Markers::NONE };
/// let mut options = Options::default();
/// (options.markers, options.signatures) = (markers, signatures);
/// let events = SegmentParser::new(options).feed(r#"{ "run": "ls" }"#)?;
/// assert!(matches!(events[0].kind, EventKind::Start { segment_type: SegmentType::ToolCall, .. }));
/// # Ok::<(), tokenweir::Error>(())
/// ```
#[derive(Clone, Copy, Debug)]
#[cfg_attr(feature = "debug", derive(serde::Serialize))]
pub struct Signatures {
    #[cfg_attr(feature = "debug", serde(serialize_with = "crate::text::inspect::buffer"))]
    bytes: [u8; BYTES],
    len: u16,
    #[cfg_attr(feature = "debug", serde(serialize_with = "crate::text::inspect::list"))]
    entries: [Entry; MOST_SIGNATURES],
    count: u8,
}

impl Signatures {
    /// None.
    pub const NONE: Signatures = Signatures {
        bytes: [0; BYTES],
        len: 0,
        entries: [Entry { start: 0, len: 0, class: 0 }; MOST_SIGNATURES],
        count: 0,
    };

    /// The signatures of a profile.
    #[must_use]
    pub fn of(profile: Profile) -> Signatures {
        let mut signatures = Signatures::NONE;
        for signature in profile.signatures() {
            signatures.add(signature.as_bytes());
        }
        signatures
    }

    /// Adds one; false if it doesn't begin with a bracket, has no `"`, has white
    /// space outside strings, is too long, is the marker of sentinels, or is one
    /// too many.
    pub fn add(&mut self, signature: &[u8]) -> bool {
        let mut is_in_string = false;
        let has_space = signature.iter().any(|&byte| {
            is_in_string ^= byte == b'"';
            !is_in_string && byte.is_ascii_whitespace()
        });
        let is_json = matches!(signature.first(), Some(b'{' | b'[')) && !signature.starts_with(b"[[SEG_START");
        let is_signature = is_json && signature.contains(&b'"') && !has_space;
        let start = usize::from(self.len);
        let room = self.bytes.get_mut(start..start + signature.len());
        let (Some(room), true) = (room, is_signature && signature.len() <= LONGEST_SIGNATURE) else { return false };
        let count = usize::from(self.count);
        let Some(slot) = self.entries.get_mut(count) else { return false };
        room.copy_from_slice(signature);
        *slot = Entry { start: self.len, len: signature.len() as u8, class: 0 };
        self.len += signature.len() as u16;
        self.count += 1;
        let Signatures { bytes, entries, .. } = self;
        let text = |entry: &Entry| {
            let start = usize::from(entry.start);
            bytes.get(start..start + usize::from(entry.len)).unwrap_or_default()
        };
        if let Some(entries) = entries.get_mut(..=count) {
            entries.sort_unstable_by(|a, b| text(a).cmp(text(b)));
        }
        true
    }

    pub(super) fn literals(&self) -> Literals<'_> {
        let entries = self.entries.get(..usize::from(self.count)).unwrap_or_default();
        Literals { bytes: &self.bytes, entries }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_can_be_no_signature_is_refused() {
        let mut signatures = Signatures::NONE;
        for bad in [
            &b"\"tool\":"[..],
            b"",
            b"{",
            b"[[",
            b"{ \"a\":",
            b"{\"a\": ",
            &[b'{'; 65],
            b"x{\"a\"",
            b"[[SEG_START{\"a\"",
        ] {
            assert!(!signatures.add(bad), "{bad:?}");
        }
        for number in 0..MOST_SIGNATURES {
            assert!(signatures.add(format!("{{\"key {number}\":").as_bytes()));
        }
        assert!(!signatures.add(b"{\"one more\":"));
    }

    #[test]
    fn they_are_found_in_any_order_of_adding() {
        let signatures = Signatures::of(Profile::OpenAi);
        let set = signatures.literals();
        for signature in Profile::OpenAi.signatures() {
            let prefix = signature.bytes().fold(set.start(), |prefix, byte| set.step(prefix, byte));
            assert_eq!(set.exact(prefix), Some(0), "{signature}");
        }
    }
}
