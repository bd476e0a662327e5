//! Errors of misuse. Input never is an error.

use crate::text::Span;
use std::fmt;

/// An error: what was wrong, and where in the stream.
///
/// ```
/// use tokenweir::block::{BlockParser, Options};
/// let mut parser = BlockParser::new(Options::default());
/// parser.feed("done")?;
/// parser.finish();
/// let error = parser.feed("more").unwrap_err();
/// assert_eq!(error.kind.code(), "finished");
/// assert_eq!(error.span.start, 4);
/// # Ok::<(), tokenweir::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Error {
    /// What was wrong.
    pub kind: ErrorKind,
    /// Where, in UTF-16 code units from the start of the stream; 0 where a snapshot is refused.
    pub span: Span,
}

impl Error {
    /// Text came after the end of the stream at `at`.
    pub(crate) fn finished(at: u64) -> Error {
        Error { kind: ErrorKind::Finished, span: Span { start: at, end: at } }
    }

    /// A snapshot isn't restored. It has no place in a stream.
    pub(crate) fn snapshot(kind: ErrorKind) -> Error {
        Error { kind, span: Span { start: 0, end: 0 } }
    }
}

/// The kinds of errors.
///
/// ```
/// use tokenweir::ErrorKind;
/// assert_eq!(ErrorKind::Finished.code(), "finished");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ErrorKind {
    /// Text after the end. The parser can go on after `reset`.
    Finished,
    /// A snapshot that another version took: that version can restore it.
    SnapshotVersion,
    /// A snapshot of another parser.
    SnapshotParser,
    /// A snapshot of a parser that had another value of this option.
    SnapshotOptions {
        /// The option.
        name: &'static str,
        /// Its value in the snapshot, as `Debug` writes it; of a long one the front, and a number that is that of the rest.
        saved: String,
        /// The value that was given.
        given: String,
    },
    /// A snapshot that was changed or cut.
    SnapshotInvalid,
}

impl ErrorKind {
    /// A stable name in kebab case, the same as JavaScript's `error.code`.
    #[must_use]
    pub fn code(&self) -> &'static str {
        match self {
            ErrorKind::Finished => "finished",
            ErrorKind::SnapshotVersion => "snapshot-version",
            ErrorKind::SnapshotParser => "snapshot-parser",
            ErrorKind::SnapshotOptions { .. } => "snapshot-options",
            ErrorKind::SnapshotInvalid => "snapshot-invalid",
        }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.kind {
            ErrorKind::Finished => {
                write!(f, "text after the end of the stream at {}: call `reset` before a new stream", self.span.start)
            }
            ErrorKind::SnapshotVersion => {
                f.write_str("the snapshot was taken by another version of tokenweir: restore it with that version")
            }
            ErrorKind::SnapshotParser => f.write_str("the snapshot is of another parser: `Snapshot::parser` names it"),
            ErrorKind::SnapshotOptions { name, saved, given } => {
                write!(f, "`{name}` is {given}, but {saved} in the snapshot: restore it with the same options")
            }
            ErrorKind::SnapshotInvalid => {
                f.write_str("the snapshot was changed or cut: restore it as `snapshot` gave it")
            }
        }
    }
}

impl std::error::Error for Error {}
