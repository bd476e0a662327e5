//! JSON as it is written.

mod recogniser;
mod state;

pub use recogniser::{DEEPEST, Recogniser};
pub use state::{Action, Container, State, step};
