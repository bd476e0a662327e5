//! The events of the field front-end, as a Rust program gets them.

use crate::json::{Fault, Literal};
use crate::text::Span;
use std::fmt;

/// One step of a path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Step {
    /// A member of an object.
    Key(String),
    /// An element of an array.
    Index(u32),
}

/// Where a value stands in its document.
///
/// ```
/// use tokenweir::field::{Path, Step};
/// let path = Path(vec![Step::Key("a".into()), Step::Index(0), Step::Key("b.c".into())]);
/// assert_eq!(path.to_string(), r#"a[0]["b.c"]"#);
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Path(pub Vec<Step>);

impl fmt::Display for Path {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (at, step) in self.0.iter().enumerate() {
            match step {
                Step::Index(index) => write!(f, "[{index}]")?,
                Step::Key(key) if key.is_empty() || key.contains(['.', '[', ']']) => write!(f, "[{key:?}]")?,
                Step::Key(key) if at == 0 => f.write_str(key)?,
                Step::Key(key) => write!(f, ".{key}")?,
            }
        }
        Ok(())
    }
}

/// How the end of a value is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Source {
    /// Its last character was read.
    ObservedBoundary,
    /// The document was complete, but only the stream's end showed that it is meant.
    FinalReconciliation,
    /// It was cut.
    SyntheticRepair,
}

/// Something that happened, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Event {
    /// The field that it happened to; of a fault, the container around it.
    pub path: Path,
    /// What happened.
    pub kind: EventKind,
    /// The text that it was read from, in UTF-16 code units from the start of
    /// the stream; nothing of it where a value is done.
    pub span: Span,
}

/// What happened.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum EventKind {
    /// A string goes on by this text. Half of a surrogate pair that stands alone
    /// is U+FFFD.
    Text(String),
    /// A number, as it is written.
    Number(String),
    /// A word.
    Word(Literal),
    /// The value is done.
    Done {
        /// How that is known.
        source: Source,
    },
    /// All that was told of this document is withdrawn.
    Reset,
    /// Something can't be read. What is behind it is.
    Fault(Fault),
}
