//! What the machine asks, and what a program answers.

use crate::text::numbered;

numbered! {
/// What a program answers.
#[repr(u8)]
pub enum Answer {
    /// It is a call.
    Accept = 0,
    /// The segment is text.
    Reject = 1,
    /// The segment is malformed.
    Malformed = 2,
    /// Of an element: it is a text.
    Text = 3,
    /// It holds elements if one follows, and else a text.
    Look = 4,
    /// It is another call.
    Nested = 5,
    /// It is a call of a tool that is known.
    Known = 6,
    /// The string names no tool: its member means nothing.
    Other = 7,
}
}

impl Answer {
    /// The answer of a number.
    #[must_use]
    pub fn of(number: u32) -> Answer {
        Answer::from_number(number).unwrap_or(Answer::Malformed)
    }
}

numbered! {
    /// What the machine asks.
    #[repr(u8)]
    pub enum Ask {
        /// Whether the tool of this name is called.
        Name = 1,
        /// Whether the string is arguments.
        Arguments = 2,
        /// Whether what was read is a call.
        Whole = 3,
        /// Whether the parameter's name that was read last ends the value before it: `Reject` if it is no parameter of
        /// the tool, or has come before; `Malformed` if nothing says so.
        Open = 4,
        /// What the element is whose tag was read.
        Element = 5,
        /// Whether the argument is one that was read last.
        Member = 6,
        /// Whether a body that is not elements may be one text.
        Message = 7,
        /// Whether the tool of this name is called, where the name's key is `tool`.
        Alias = 8,
        /// Whether a quote may be part of a string.
        Quote = 9,
        /// Whether the call ends without a closer: with the stream, after an argument, or with its own tag.
        Ends = 10,
    }
}
