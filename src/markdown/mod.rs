//! Markdown, only as far as it decides what is markup: where it has code.

mod code;
mod containers;
mod quote;
mod rule;
mod spans;
#[cfg(test)]
mod tests;

pub(crate) use code::{Code, STOPS, Standing};
pub(crate) use quote::{Found, Quotes};
