//! The events of the field parser, as a Rust program gets them.

use crate::json::{Fault, Literal};
use crate::text::Span;
use std::fmt;

/// One step of a path.
///
/// ```
/// use tokenweir::field::{EventKind, FieldParser, Options, Step};
/// let events = FieldParser::new(Options::default()).feed(r#"{"tags": ["new"]}"#)?;
/// assert_eq!(events[0].kind, EventKind::Text("new".to_owned()));
/// assert_eq!(events[0].path.0, [Step::Key("tags".to_owned()), Step::Index(0)]);
/// # Ok::<(), tokenweir::Error>(())
/// ```
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
                Step::Key(key) if needs_quotes(key, at == 0) => write_quoted(f, key)?,
                Step::Key(key) if at == 0 => f.write_str(key)?,
                Step::Key(key) => write!(f, ".{key}")?,
            }
        }
        Ok(())
    }
}

/// Whether a key would be read as something else in a path: nothing, a step, any key, or a path in slashes.
fn needs_quotes(key: &str, is_first: bool) -> bool {
    key.is_empty() || key == "*" || key.contains(['.', '[', ']']) || is_first && key.starts_with('/')
}

/// A key in brackets, as a JSON string: JavaScript writes the same.
fn write_quoted(f: &mut fmt::Formatter<'_>, key: &str) -> fmt::Result {
    f.write_str("[\"")?;
    for c in key.chars() {
        match c {
            '"' | '\\' => write!(f, "\\{c}")?,
            '\u{8}' => f.write_str("\\b")?,
            '\u{c}' => f.write_str("\\f")?,
            '\n' => f.write_str("\\n")?,
            '\r' => f.write_str("\\r")?,
            '\t' => f.write_str("\\t")?,
            '\0'..' ' => write!(f, "\\u{:04x}", u32::from(c))?,
            _ => write!(f, "{c}")?,
        }
    }
    f.write_str("\"]")
}

/// What a value is.
///
/// ```
/// use tokenweir::field::{EventKind, FieldParser, Form, Options};
/// let events = FieldParser::new(Options::default()).feed(r#"{"a": {}, "b": 1}"#)?;
/// let forms: Vec<_> = events.iter().filter_map(|event| match event.kind {
///     EventKind::Done { form, .. } => Some((event.path.to_string(), form)),
///     _ => None,
/// }).collect();
/// assert_eq!(forms, [("a".to_owned(), Form::Object), ("b".to_owned(), Form::Number)]);
/// # Ok::<(), tokenweir::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// `"a"`
    String,
    /// `1`
    Number,
    /// `true`, `false`, `null`
    Word,
    /// `[…]`
    Array,
    /// `{…}`
    Object,
}

/// How the end of a value is known.
///
/// ```
/// use tokenweir::field::{EventKind, FieldParser, Options, Source};
/// let mut parser = FieldParser::new(Options::default());
/// let mut events = parser.feed(r#"{"a": "x", "b": "y"#)?;
/// events.extend(parser.finish());
/// let sources: Vec<_> = events.iter().filter_map(|event| match event.kind {
///     EventKind::Done { source, .. } => Some(source),
///     _ => None,
/// }).collect();
/// assert_eq!(sources, [Source::ObservedBoundary, Source::SyntheticRepair]);
/// # Ok::<(), tokenweir::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Source {
    /// Its last character was read.
    ObservedBoundary,
    /// The document was complete, but only the stream's end showed that it is meant.
    FinalReconciliation,
    /// It was cut.
    SyntheticRepair,
}

/// Something that happened, and where.
///
/// ```
/// use tokenweir::field::{EventKind, FieldParser, Options};
/// let events = FieldParser::new(Options::default()).feed(r#"Here: {"a": {"b": "x"}}"#)?;
/// assert_eq!(events[0].kind, EventKind::Text("x".to_owned()));
/// assert_eq!((events[0].path.to_string().as_str(), events[0].document), ("a.b", 0));
/// assert_eq!((events[0].span.start, events[0].span.end), (19, 20));
/// # Ok::<(), tokenweir::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Event {
    /// The field that it happened to; of a fault, the container around it.
    pub path: Path,
    /// Which of the stream's documents it happened in, from 0 on. There is a second
    /// one only if all documents are emitted.
    pub document: u32,
    /// What happened.
    pub kind: EventKind,
    /// The text that it was read from, in UTF-16 code units from the start of
    /// the stream; nothing of it, but the place, where a value is done or a
    /// document withdrawn.
    pub span: Span,
}

/// What happened.
///
/// ```
/// use tokenweir::field::{EventKind, FieldParser, Form, Options, Source};
/// let mut parser = FieldParser::new(Options::default());
/// assert_eq!(parser.feed(r#"{"a": "x"#)?[0].kind, EventKind::Text("x".to_owned()));
/// let events = parser.feed(r#"yz"}"#)?;
/// assert_eq!(events[0].kind, EventKind::Text("yz".to_owned()));
/// assert_eq!(events[1].kind, EventKind::Done { form: Form::String, source: Source::ObservedBoundary });
/// # Ok::<(), tokenweir::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
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
        /// What it is: of an empty string, array or object there is no other event.
        form: Form,
        /// How that is known.
        source: Source,
    },
    /// All events of this document are withdrawn.
    Reset,
    /// Something can't be read. What comes after it is.
    Fault(Fault),
    /// The document is emitted though none of its keys is the schema's: see [`super::WITHHELD`].
    Mismatch,
}
