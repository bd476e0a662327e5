//! JSON as it is written.

mod follow;
mod nesting;
mod op;
mod reading;
mod recogniser;
mod state;
mod tokenizer;
mod tolerance;

pub use follow::LONGEST_LOOK;
pub use nesting::Nesting;
pub use op::{JsonOp, fault_record};
pub use reading::JsonReading;
pub use recogniser::{DEEPEST, Recogniser};
pub use state::{
    Action, Comment, Container, Fault, Literal, Number, Place, Quote, State, Step, Text, Within, Word, step,
};
pub use tokenizer::{Failure, Kind, LONGEST_NUMBER, MOST_LEVELS, Token, Tokenizer};
pub use tolerance::{Rule, Rules};
