//! Text as it arrives: where things stand, and what is still undecided.
//!
//! Knows nothing of any grammar.

pub(crate) mod flow;
#[cfg(feature = "debug")]
pub(crate) mod inspect;
mod journal;
mod machine;
mod numbered;
// Hidden: how calls over the border return several things.
#[doc(hidden)]
pub mod packed;
mod parser;
mod pending;
mod record;
mod search_budget;
mod snapshot;
mod span;
mod steps;
mod stretch;

pub(crate) use numbered::{named, numbered, records};
pub use parser::Parser;
pub(crate) use parser::option_texts;
pub use record::{Record, Sink};
pub(crate) use search_budget::SearchBudget;
pub use snapshot::{ENGINE, Snapshot};
pub use span::{Span, utf16_len};
pub(crate) use span::{units_of, whitespace_len, whitespace_tail};
pub(crate) use steps::Steps;
pub use stretch::Stretch;

// Hidden: the contract of the machines. A program has their parsers.
#[doc(hidden)]
pub use machine::{Machine, Nothing, Outcome};

// Hidden: what numbered enums are made with.
#[doc(hidden)]
pub use numbered::{Bits, Field, Line, bits};
// Hidden: what a parser is made of besides its machine.
#[doc(hidden)]
pub use parser::{Emitter, OptionText, Piece};

// Hidden: what machines are built of. The parsers count and hold for their users.
#[doc(hidden)]
pub use pending::Pending;
#[doc(hidden)]
pub use span::trim;
