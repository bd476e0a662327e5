//! JSON, byte by byte and token by token.

mod document;
mod follow;
mod nesting;
mod op;
mod reading;
mod recogniser;
mod skipped;
mod state;
mod tokenizer;
mod tolerance;

pub(crate) use op::STRING_STOPS;
pub use recogniser::{DEEPEST, Recogniser};
pub use state::{Container, Fault, Literal};
pub(crate) use tokenizer::Failure;
pub use tokenizer::{Kind, LONGEST_NUMBER, MOST_LEVELS, Token, Tokenizer};
pub use tolerance::{Rule, Rules};

// Hidden: whole texts and their records, for the border.
#[doc(hidden)]
pub use document::{DocumentMode, DocumentReading};
#[doc(hidden)]
pub use op::{END_OF_TEXT, FAULT_INSIDE, FAULT_PLACE, FaultPlace};
#[doc(hidden)]
pub use op::{JsonOp, RuleSet};
#[doc(hidden)]
pub use reading::JsonReading;

// Hidden: the table and its lookahead, for the parsers and for tests.
#[doc(hidden)]
pub use follow::{End, LONGEST_LOOK};
#[doc(hidden)]
pub use state::{Action, Comment, Lone, Number, Place, Quote, State, Step, Text, Within, Word, step};
