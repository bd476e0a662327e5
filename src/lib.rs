//! tokenweir turns what a language model writes, chunk by chunk, into logical
//! events at once.
//!
//! Words: a **chunk** goes in; a **token** is markup that was recognised; an
//! **event** is what happened. Text that may still become markup is **held**
//! until it is decided, and **released** as soon as it is.
//!
//! Promises, each with a property test in `tests/`:
//!
//! 1. Cuts don't matter: any way of cutting the text gives the same events,
//!    once neighbouring pieces are joined.
//! 2. Nothing is lost, nothing leaks: the spans of chunks and markup tile the
//!    stream.
//! 3. Held text is bounded and minimal.
//! 4. Linear: time per character doesn't grow.
//! 5. Text never raises an error and never panics.
//! 6. One path: a whole text is one chunk.
//! 7. A tool call or a field that was cut off says so.
//!
//! Modules, in reading order: [`text`], [`scan`], [`xml`], [`json`], [`block`],
//! [`field`], [`segment`], [`tool_call`].

pub mod text;

pub mod scan;

pub mod xml;

pub mod json;

pub mod block;

pub mod field;

pub mod segment;

pub mod tool_call;

mod error;

#[cfg(target_arch = "wasm32")]
pub mod wasm;

pub use error::{Error, ErrorKind};
