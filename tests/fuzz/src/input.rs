//! An input, out of the fuzzer's bytes.
//!
//! ```text
//! input ::= text setting{8} cuts{16}
//! ```
//!
//! The text comes first and the rest at the end, so that a plain text is a
//! seed and the fuzzer can lengthen it without changing how it is read.

use crate::cuts::Cuts;
use crate::text;
use arbitrary::{Arbitrary, Result, Unstructured};
use std::fmt::Debug;

/// Bytes that say how a text is read, and where it is cut.
pub const SETTING: usize = 8;
pub const CUTS: usize = 16;

/// How a text is read, and what texts that are worth reading so are made of.
pub trait Setting: for<'a> Arbitrary<'a> + Debug {
    /// Markup, whole and broken. `@` stands for the namespace prefix.
    fn pieces(&self) -> &'static [&'static str];

    /// Something that is well-formed, or nearly.
    fn item(&self, bytes: &mut Unstructured<'_>) -> Result<String>;
}

#[derive(Debug)]
pub struct Input<S> {
    pub setting: S,
    pub text: String,
    pub cuts: Cuts,
}

impl<'a, S: Setting> Arbitrary<'a> for Input<S> {
    fn arbitrary(bytes: &mut Unstructured<'a>) -> Result<Self> {
        let all = bytes.bytes(bytes.len())?;
        Self::arbitrary_take_rest(Unstructured::new(all))
    }

    fn arbitrary_take_rest(bytes: Unstructured<'a>) -> Result<Self> {
        let all = bytes.take_rest();
        let (rest, cuts) = all.split_at(all.len().saturating_sub(CUTS));
        let (front, setting) = rest.split_at(rest.len().saturating_sub(SETTING));
        let setting = S::arbitrary(&mut Unstructured::new(setting))?;
        let text = text::write(&setting, &mut Unstructured::new(front))?;
        Ok(Input { setting, text, cuts: Cuts::arbitrary(&mut Unstructured::new(cuts))? })
    }
}
