//! Markdown, only as far as it decides what is markup: where it has code.

mod code;
mod containers;
mod quote;
mod rule;
mod spans;
#[cfg(test)]
mod tests;

/// What opens and closes a block of code.
pub(crate) const FENCE: &[u8] = b"```";

#[cfg(test)]
use code::Code;
pub(crate) use code::{LINE_ENDS, STOPS, Standing};
pub(crate) use quote::{Found, Quotes};
