//! The border to JavaScript.
//!
//! One call in, one batch of records out. JavaScript writes a stretch of text
//! into [`batch`]'s input buffer, calls, and slices its own strings by the
//! places in the records; no string and no object crosses. Nothing here
//! allocates, so memory never grows and JavaScript's views stay valid.
//!
//! The machine of the parser at work and its tag table lie in one place each;
//! the glue swaps their bytes when another parser's turn comes, so a parser is
//! a plain JavaScript object with nothing to free.

#[cfg(feature = "arguments")]
pub mod arguments;
pub mod batch;
#[cfg(feature = "block")]
pub mod block;
#[cfg(feature = "segment")]
pub mod call;
mod desk;
#[cfg(feature = "edit")]
pub mod edit;
#[cfg(feature = "segment")]
pub mod elements;
#[cfg(feature = "field")]
pub mod field;
#[cfg(feature = "tool_call")]
pub mod format;
#[cfg(feature = "debug")]
pub mod inspect;
#[cfg(feature = "json")]
pub mod json;
mod machine;
#[cfg(any(feature = "block", feature = "xml"))]
pub mod references;
#[cfg(feature = "segment")]
pub mod segment;
#[cfg(feature = "xml")]
pub mod xml;
