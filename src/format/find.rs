//! The catalogue: the wire format of each model family, by its id.

use super::catalogue::Format;
use super::rows::ROWS;

impl Format {
    /// The format with an id; `None` if there is none.
    #[must_use]
    pub fn find(id: &str) -> Option<&'static Format> {
        ROWS.binary_search_by(|format| format.id.cmp(id)).ok().and_then(|at| ROWS.get(at))
    }

    /// All formats, in the order of their ids.
    #[must_use]
    pub fn all() -> &'static [Format] {
        &ROWS
    }
}
