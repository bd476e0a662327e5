//! Counts steps, not time.

use crate::cuts::Cuts;

/// The length of an adversarial text in UTF-16 units: a quarter of it is still
/// longer than the bounds of tags, so that growth shows.
const LONG: usize = 60_000;

/// A unit of text, repeated.
pub fn repeated(unit: &str) -> String {
    let unit: String = unit.chars().take(600).collect();
    let units = unit.encode_utf16().count();
    unit.repeat(if units == 0 { 0 } else { LONG.div_ceil(units) })
}

/// The text in pieces of so many bytes, or a few more.
pub fn pieces_of(text: &str, size: usize) -> Vec<&str> {
    let mut pieces = Vec::new();
    let mut rest = text;
    while !rest.is_empty() {
        let end = (size.min(rest.len())..=rest.len()).find(|&end| rest.is_char_boundary(end));
        let (piece, after) = rest.split_at(end.unwrap_or(rest.len()));
        pieces.push(piece);
        rest = after;
    }
    pieces
}

/// At most so many steps a byte, and so many more once.
pub fn check_steps(steps: u64, text: &str, a_byte: u64, once: u64, cuts: &Cuts) {
    let most = a_byte * text.len() as u64 + once;
    assert!(steps <= most, "{steps} steps for {} bytes, cut {cuts:?}: {text:?}", text.len());
}
