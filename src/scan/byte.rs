//! Finds the next byte that matters. The only loop over every byte of a text.

use crate::text::Stretch;

/// Bytes looked at together: one 128-bit register.
const LANES: usize = 16;

/// The place of the first of `needles` in `haystack`.
///
/// ```
/// assert_eq!(tokenweir::scan::find_any(b"a & b < c", [b'<', b'&']), Some(2));
/// assert_eq!(tokenweir::scan::find_any(b"plain", [b'<']), None);
/// ```
#[must_use]
pub fn find_any<const N: usize>(haystack: &[u8], needles: [u8; N]) -> Option<usize> {
    let (lanes, _) = haystack.as_chunks::<LANES>();
    let mut at = 0;
    for lane in lanes {
        // No early exit inside a lane, so that it becomes one vector comparison.
        let hit = lane.iter().fold(false, |hit, byte| hit | needles.contains(byte));
        if hit {
            break;
        }
        at += LANES;
    }
    let rest = haystack.get(at..).unwrap_or_default();
    rest.iter().position(|byte| needles.contains(byte)).map(|found| at + found)
}

/// White space of JSON and XML.
pub(crate) fn is_space(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\n' | b'\r')
}

/// How many bytes of white space a text begins with.
#[inline(never)]
pub(crate) fn space_len(text: &[u8]) -> usize {
    text.iter().take_while(|byte| is_space(**byte)).count()
}

/// Passes white space from a unit on, as far as it may go: so many units. False if more of it follows.
#[inline(never)]
pub(crate) fn pass_space(text: &mut Stretch<'_>, from: u32, longest: u32) -> bool {
    let room = (from + longest).saturating_sub(text.here());
    let space = space_len(at_most(text.rest(), room as usize));
    text.pass(space);
    !text.rest().first().is_some_and(|&byte| is_space(byte))
}

/// A text after so many bytes.
#[inline(never)]
pub(crate) fn after(text: &[u8], bytes: usize) -> &[u8] {
    text.get(bytes..).unwrap_or_default()
}

/// At most so many bytes of a text.
pub(crate) fn at_most(text: &[u8], bytes: usize) -> &[u8] {
    text.get(..bytes).unwrap_or(text)
}

/// How many bytes at the start of `haystack` are neither a control character
/// (below 0x20) nor one of `needles`.
///
/// ```
/// assert_eq!(tokenweir::scan::plain_len(b"a b\"c", [b'"', b'\\']), 3);
/// assert_eq!(tokenweir::scan::plain_len(b"a\nb", [b'"']), 1);
/// ```
#[must_use]
pub fn plain_len<const N: usize>(haystack: &[u8], needles: [u8; N]) -> usize {
    let is_plain = |byte: &u8| *byte >= 0x20 && !needles.contains(byte);
    let (lanes, _) = haystack.as_chunks::<LANES>();
    // Whole lanes, as above.
    let skipped = lanes.iter().take_while(|lane| lane.iter().fold(true, |plain, byte| plain & is_plain(byte))).count();
    let from = skipped * LANES;
    from + haystack.get(from..).unwrap_or_default().iter().take_while(|byte| is_plain(byte)).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plain_text_ends_at_every_place_and_length() {
        for length in 0..70 {
            assert_eq!(plain_len(&vec![0xC3; length], [b'"']), length);
            for place in 0..length {
                for stop in [b'"', b'\n', 0x1F] {
                    let mut text = vec![b' '; length];
                    if let Some(tail) = text.get_mut(place..) {
                        tail.fill(stop);
                    }
                    assert_eq!(plain_len(&text, [b'"', b'\\']), place);
                }
            }
        }
    }

    #[test]
    fn finds_the_first_at_every_place_and_length() {
        for length in 0..70 {
            assert_eq!(find_any(&vec![b'x'; length], [b'<', b'&']), None);
            for place in 0..length {
                let mut text = vec![b'x'; length];
                if let Some(tail) = text.get_mut(place..) {
                    tail.fill(b'&');
                }
                assert_eq!(find_any(&text, [b'<', b'&']), Some(place));
            }
        }
    }
}
