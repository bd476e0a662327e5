//! The markers, and which of them may stand where.
//!
//! ```text
//! line ::= space* marker [argument] space* '\n'
//! ```

use crate::scan::{Entry, Literals, Prefix};

/// What a marker is. The numbers are classes of literals.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "debug", derive(serde::Serialize))]
pub(super) enum Marker {
    /// `*** Begin Patch`
    BeginPatch,
    /// `*** End Patch`
    EndPatch,
    /// `*** Add File: `
    AddFile,
    /// `*** Delete File: `
    DeleteFile,
    /// `*** Update File: `
    UpdateFile,
    /// `*** Move to: `
    MoveTo,
    /// `*** End of File`
    EndOfFile,
    /// `@@`
    Section,
    /// `<<<<<<< SEARCH`
    Search,
    /// `=======`
    Separator,
    /// `>>>>>>> REPLACE`
    Replace,
    /// `--- a`
    OldFile,
    /// `+++ b`
    NewFile,
}

use Marker::{
    AddFile, BeginPatch, DeleteFile, EndOfFile, EndPatch, MoveTo, NewFile, OldFile, Replace, Search, Section,
    Separator, UpdateFile,
};

const ALL: [Marker; 13] = [
    BeginPatch, EndPatch, AddFile, DeleteFile, UpdateFile, MoveTo, EndOfFile, Section, Search, Separator, Replace,
    OldFile, NewFile,
];

impl Marker {
    /// Its bit in a set.
    pub(super) const fn bit(self) -> u32 {
        1 << self as u8
    }

    /// Whether more may follow in its line.
    pub(super) fn takes_argument(self) -> bool {
        match self {
            AddFile | DeleteFile | UpdateFile | MoveTo | OldFile | NewFile | Section => true,
            BeginPatch | EndPatch | EndOfFile | Search | Separator | Replace => false,
        }
    }
}

/// All markers of a patch that begin with `*** `.
pub(super) const STARS: u32 = BeginPatch.bit()
    | EndPatch.bit()
    | AddFile.bit()
    | DeleteFile.bit()
    | UpdateFile.bit()
    | MoveTo.bit()
    | EndOfFile.bit();

/// A tolerated error: the markers of a patch with decorations around them, as models write headings and rules.
///
/// ```text
/// *** Begin Patch ***      **** Begin Patch ----      ***** End Patch**      ***End Patch***      **End Patch**
/// ```
pub(super) mod decorated {
    use super::{MARKERS, Marker, Prefix, STARS};

    /// More stars than three, or no space after them. Two are bold text, which begins nothing in prose.
    pub(in crate::edit) fn start(prefix: Prefix, byte: u8, may_be_bold: bool) -> Option<Prefix> {
        let stars = if MARKERS.has_class(prefix, STARS) { prefix.depth() } else { 0 };
        let letter = |before: &[u8]| before.iter().fold(prefix, |prefix, &byte| MARKERS.step(prefix, byte));
        match (stars, byte) {
            (3, b'*') => Some(prefix),
            (3, b'A'..=b'Z') => Some(MARKERS.step(letter(b" "), byte)),
            (2, b'B' | b'E') if may_be_bold => Some(MARKERS.step(letter(b"* "), byte)),
            _ => None,
        }
    }

    /// What may follow a marker, and stars after a path.
    pub(in crate::edit) fn ends(marker: Marker, byte: u8) -> bool {
        STARS & marker.bit() != 0 && matches!(byte, b'*' | b'-' | b'=' | b'_')
    }
}

/// The texts of all markers, in the order of their bytes.
const TEXTS: [(&str, Marker); 35] = [
    ("*** Add File:", AddFile),
    ("*** Begin Patch", BeginPatch),
    ("*** Delete File:", DeleteFile),
    ("*** End Patch", EndPatch),
    ("*** End of File", EndOfFile),
    ("*** Move to:", MoveTo),
    ("*** Update File:", UpdateFile),
    ("+++ ", NewFile),
    ("+++++ REPLACE", Replace),
    ("++++++ REPLACE", Replace),
    ("+++++++ REPLACE", Replace),
    ("++++++++ REPLACE", Replace),
    ("+++++++++ REPLACE", Replace),
    ("--- ", OldFile),
    ("----- SEARCH", Search),
    ("------ SEARCH", Search),
    ("------- SEARCH", Search),
    ("-------- SEARCH", Search),
    ("--------- SEARCH", Search),
    ("<<<<< SEARCH", Search),
    ("<<<<<< SEARCH", Search),
    ("<<<<<<< SEARCH", Search),
    ("<<<<<<<< SEARCH", Search),
    ("<<<<<<<<< SEARCH", Search),
    ("=====", Separator),
    ("======", Separator),
    ("=======", Separator),
    ("========", Separator),
    ("=========", Separator),
    (">>>>> REPLACE", Replace),
    (">>>>>> REPLACE", Replace),
    (">>>>>>> REPLACE", Replace),
    (">>>>>>>> REPLACE", Replace),
    (">>>>>>>>> REPLACE", Replace),
    ("@@", Section),
];

#[allow(clippy::indexing_slicing, reason = "computed by the compiler, which would say so")]
const LENGTH: usize = {
    let (mut sum, mut nth) = (0, 0);
    while nth < TEXTS.len() {
        sum += TEXTS[nth].0.len();
        nth += 1;
    }
    sum
};

/// The texts one after the other, and where each is.
#[allow(clippy::indexing_slicing, reason = "computed by the compiler, which would say so")]
const BUILT: ([u8; LENGTH], [Entry; TEXTS.len()]) = {
    let mut bytes = [0; LENGTH];
    let mut entries = [Entry { start: 0, len: 0, class: 0 }; TEXTS.len()];
    let (mut nth, mut at) = (0, 0);
    while nth < TEXTS.len() {
        let (text, marker) = TEXTS[nth];
        entries[nth] = Entry { start: at as u16, len: text.len() as u8, class: marker as u8 };
        let mut from = 0;
        while from < text.len() {
            bytes[at] = text.as_bytes()[from];
            at += 1;
            from += 1;
        }
        nth += 1;
    }
    (bytes, entries)
};

static BYTES: [u8; LENGTH] = BUILT.0;
static ENTRIES: [Entry; TEXTS.len()] = BUILT.1;

/// All markers.
pub(super) const MARKERS: Literals<'static> = Literals { bytes: &BYTES, entries: &ENTRIES };

/// The marker that was read whole.
pub(super) fn marker_of(prefix: Prefix) -> Option<Marker> {
    let class = MARKERS.exact(prefix)?;
    ALL.get(usize::from(class)).copied()
}

/// How many characters the run of a block's marker has, of the marker's length.
pub(super) fn run_of(marker: Marker, length: usize) -> u8 {
    let word = match marker {
        Search => " SEARCH".len(),
        Replace => " REPLACE".len(),
        Separator => 0,
        BeginPatch | EndPatch | AddFile | DeleteFile | UpdateFile | MoveTo | EndOfFile | Section | OldFile
        | NewFile => length,
    };
    (length - word) as u8
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Prefix {
        text.bytes().fold(MARKERS.start(), |prefix, byte| MARKERS.step(prefix, byte))
    }

    #[test]
    fn each_marker_is_found_by_its_text() {
        for (text, marker) in TEXTS {
            assert_eq!(marker_of(read(text)), Some(marker), "{text}");
            assert_eq!(marker_of(read(&text[..text.len() - 1])).filter(|_| marker != Separator), None, "{text}");
        }
        assert!(TEXTS.is_sorted_by(|a, b| a.0 < b.0));
        assert!(ALL.iter().enumerate().all(|(nth, marker)| *marker as usize == nth));
    }

    #[test]
    fn runs_are_counted() {
        for (text, run) in [("<<<<<<< SEARCH", 7), ("----- SEARCH", 5), ("=========", 9), ("++++++ REPLACE", 6)] {
            let prefix = read(text);
            assert_eq!(marker_of(prefix).map(|marker| run_of(marker, prefix.depth())), Some(run), "{text}");
        }
    }
}
