//! The records of a call's arguments, whichever way a model writes them: tokens of JSON, or elements.
//!
//! ```text
//! {"a": "x"}      a={a:"x"}      a('x')       object, key, string, close
//! <parameter=a>x</parameter>                  element `a` opens, text, it closes
//! <a><b>x</b></a>                             element `a`, in it element `b`
//! any text, and YAML                          text
//! ```
//!
//! In JSON a value says what it is. An element's text says only how it is written, and the tool's schema what it
//! stands for. What a marker says besides of the element that opens or may follow is in `Op`: `Named`, `Type`, `Next`.

use crate::json::JsonOp;
use crate::text::Record;
use crate::xml::TreeOp;

/// A record of arguments.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Argument {
    /// A token of JSON.
    Json(JsonOp),
    /// Of elements.
    Element(TreeOp),
}

impl Argument {
    /// What a record says, if it is one of arguments.
    #[must_use]
    pub fn of(record: Record) -> Option<Argument> {
        JsonOp::of(record).map(Argument::Json).or_else(|| TreeOp::of(record).map(Argument::Element))
    }
}
