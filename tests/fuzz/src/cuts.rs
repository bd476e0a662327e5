//! Where a text is cut.

use arbitrary::{Arbitrary, Result, Unstructured};
use std::fmt::Debug;
use std::iter;

/// Longest text that is cut everywhere, into its characters.
const MOST_PLACES: usize = 500;

/// About so many pieces a text is cut into.
const MOST_PIECES: usize = 300;

#[derive(Debug)]
pub enum Cuts {
    /// Pieces of so many characters.
    Every(usize),
    /// These parts of the length, in 65,536ths; what comes twice is an empty piece.
    At([u16; 7]),
    /// The text again and again, in pieces of so many bytes: how it grows is counted.
    Grown(usize),
}

impl<'a> Arbitrary<'a> for Cuts {
    fn arbitrary(bytes: &mut Unstructured<'a>) -> Result<Self> {
        let kind: u8 = bytes.arbitrary()?;
        Ok(match kind {
            0..32 => Cuts::Every(usize::from(kind) + 1),
            32..252 => Cuts::At(bytes.arbitrary()?),
            252.. => Cuts::Grown([16, 64, 1_024, usize::MAX][usize::from(kind - 252)]),
        })
    }
}

impl Cuts {
    /// The cuts among the places between characters, in their order.
    pub fn among(&self, places: &[usize]) -> Vec<usize> {
        let mut cuts: Vec<usize> = match self {
            // Of a long text in larger ones: what small pieces show, shorter texts show.
            Cuts::Every(size) => places.iter().copied().step_by((*size).max(places.len() / MOST_PIECES)).collect(),
            Cuts::At(parts) => parts.iter().map(|&part| places[usize::from(part) * places.len() >> 16]).collect(),
            Cuts::Grown(_) => Vec::new(),
        };
        cuts.sort_unstable();
        cuts
    }

    /// Each way to cut a text at some of the places between its characters: these cuts, and
    /// at all places where they aren't too many.
    pub fn ways(&self, places: Vec<usize>) -> Vec<Vec<usize>> {
        let mut ways = vec![self.among(&places)];
        if places.len() <= MOST_PLACES {
            ways.push(places);
        }
        ways
    }

    /// These, and at all places with an empty piece at each where they aren't too many.
    pub fn ways_with_empty(&self, places: &[usize]) -> Vec<Vec<usize>> {
        let mut ways = vec![self.among(places)];
        if places.len() <= MOST_PLACES {
            ways.push(places.iter().flat_map(|&place| [place, place]).collect());
        }
        ways
    }

    /// What is read of a text, which is the same however it is cut.
    pub fn check<R: PartialEq + Debug>(&self, text: &str, read: impl Fn(Vec<&str>) -> R) {
        let whole = read(vec![text]);
        for places in self.ways(text.char_indices().map(|(at, _)| at).chain([text.len()]).collect()) {
            let ends = places.iter().copied().chain([text.len()]);
            let starts = iter::once(0).chain(places.iter().copied());
            let pieces: Vec<_> = starts.zip(ends).map(|(start, end)| &text[start..end]).collect();
            assert_eq!(read(pieces.clone()), whole, "{text:?} as {pieces:?}");
        }
    }
}
