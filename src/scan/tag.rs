//! Tags that are known as a whole.

use super::byte::{at_most, space_len};

/// Most white space at one place of a tag, in bytes.
pub(crate) const LONGEST_GAP: usize = 16;

/// Whether a text begins with a mark, or `None` while it is too short to say.
pub(crate) fn begins(text: &[u8], mark: &[u8]) -> Option<bool> {
    let seen = at_most(text, mark.len());
    if mark.starts_with(seen) { (seen.len() == mark.len()).then_some(true) } else { Some(false) }
}

/// The length of a tag at the start of a text, or 0 if it isn't there; `None` while
/// the text is too short to say. Before a last `>` white space may stand.
pub(crate) fn tag_len(tag: &[u8], text: &[u8]) -> Option<usize> {
    let front = tag.strip_suffix(b">").unwrap_or(tag);
    let seen = text.get(..front.len()).unwrap_or(text);
    if !front.starts_with(seen) {
        return Some(0);
    }
    if seen.len() < front.len() {
        return None;
    }
    if front.len() == tag.len() {
        return Some(front.len());
    }
    let rest = text.get(front.len()..).unwrap_or_default();
    let gap = space_len(at_most(rest, LONGEST_GAP));
    match rest.get(gap) {
        Some(b'>') => Some(front.len() + gap + 1),
        Some(_) => Some(0),
        None => None,
    }
}
