//! What is undecided about a tag while the block machine reads on after it (`ahead.rs`).

use super::value::Declared;
use crate::xml::{Closer, Tokenizer};

/// What is undecided.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "debug", derive(serde::Serialize))]
pub(super) enum Ahead {
    /// Nothing.
    None,
    /// A closing tag of the value.
    Value(Closer),
    /// A `<` that was asked about, there.
    Asked(Closer),
    /// That `<` begins no parameter.
    Stranger(Closer),
    /// That `<` begins a parameter.
    Parameter,
    /// An opening tag of calls in thinking; whether that of a call was read.
    Call { is_named: bool },
    /// A tag that may be in Markdown's code.
    Code,
    /// The opening tag of a call that does begin: it is read again.
    Known,
    /// A custom tag, which is read again with its attributes.
    Attributes,
}

/// The tag that is undecided. Units count from the start of the pending text.
#[derive(Clone, Copy, Debug)]
#[cfg_attr(feature = "debug", derive(serde::Serialize))]
pub(super) struct Undecided {
    pub(super) ahead: Ahead,
    /// Where it stands,
    pub(super) from: u32,
    /// how long it is,
    pub(super) len: u32,
    /// and where its name ends.
    pub(super) name_end: u32,
    /// The closing tag of an element, which has a vocabulary of its own.
    pub(super) own: Tokenizer,
}

impl Undecided {
    pub(super) const NONE: Undecided =
        Undecided { ahead: Ahead::None, from: 0, len: 0, name_end: 0, own: Tokenizer::REST };

    /// Whether text after the tag is read.
    pub(super) fn is_reading(&self) -> bool {
        !matches!(self.ahead, Ahead::None | Ahead::Known | Ahead::Attributes)
    }

    /// The caller's answer; false if it was not asked about an element here.
    pub(super) fn answer(&mut self, declared: Declared) -> bool {
        let Ahead::Asked(closer) = self.ahead else { return false };
        self.ahead = if declared == Declared::Unknown { Ahead::Stranger(closer) } else { Ahead::Parameter };
        true
    }
}
