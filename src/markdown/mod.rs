//! Markdown, only as far as it decides what is markup: where it has code.

mod code;

pub(crate) use code::Code;
