//! What the targets share: an input is a text, how it is read and where it is
//! cut; the text is written from bytes, near to what a front-end reads.

#![allow(missing_docs, reason = "what it shares, it shares with the targets beside it")]

mod cuts;
mod growth;
mod input;
mod items;
mod text;

pub use cuts::Cuts;
pub use growth::{check_steps, pieces_of, repeated};
pub use input::{CUTS, Input, SETTING, Setting};
pub use items::{Quoting, block, document, element, hermes, morph, segment};
