//! Text as it arrives: where things stand, and what is still undecided.
//!
//! Knows nothing of any grammar.

mod drive;
mod pending;
mod record;
mod search_budget;
mod span;
mod stretch;

pub(crate) use drive::{Progress, Reading, feed, finish, settle};
pub use pending::Pending;
pub use record::{Record, Sink};
pub(crate) use search_budget::SearchBudget;
pub(crate) use span::units_of;
pub use span::{Ruler, Span, trim, utf16_len, whitespace_len, whitespace_tail};
pub use stretch::Stretch;
