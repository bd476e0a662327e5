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
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Error {
    /// What was wrong.
    pub kind: ErrorKind,
    /// Where, in UTF-16 code units from the start of the stream.
    pub span: Span,
}

impl Error {
    /// Text came after the end of the stream at `at`.
    pub(crate) fn finished(at: u64) -> Error {
        Error { kind: ErrorKind::Finished, span: Span { start: at, end: at } }
    }
}

/// The kinds of errors.
///
/// ```
/// use tokenweir::ErrorKind;
/// assert_eq!(ErrorKind::Finished.code(), "finished");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ErrorKind {
    /// Text after the end. The parser can go on after `reset`.
    Finished,
}

impl ErrorKind {
    /// A stable name in kebab case, the same as JavaScript's `error.code`.
    #[must_use]
    pub fn code(self) -> &'static str {
        match self {
            ErrorKind::Finished => "finished",
        }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.kind {
            ErrorKind::Finished => {
                write!(f, "text after the end of the stream at {}: call `reset` before a new stream", self.span.start)
            }
        }
    }
}

impl std::error::Error for Error {}
