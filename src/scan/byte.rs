//! The next byte that matters. The only loop that touches every byte of a text.

/// Bytes looked at together: one 128-bit register.
const LANES: usize = 16;

/// Where the first of `needles` stands in `haystack`.
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

#[cfg(test)]
mod tests {
    use super::*;

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
