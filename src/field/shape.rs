//! What a document is to be, by the schema.

use crate::json::Container;
use crate::text::numbered;

numbered! {
/// What a root array's elements are to be, by the schema.
///
/// ```
/// use tokenweir::field::{EventKind, FieldParser, Options, Shape};
/// let mut parser = FieldParser::new(Options { shape: Shape::ArrayOfStrings, ..Options::default() });
/// let events = parser.feed(r#"In [1] it says: ["a", "b"]"#)?;
/// assert_eq!(events[0].kind, EventKind::Text("a".to_owned()));
/// # Ok::<(), tokenweir::Error>(())
/// ```
#[non_exhaustive]
#[repr(u8)]
pub enum Shape {
    /// There is no schema, or it takes anything.
    Any = 0,
    /// An object; its keys are asked for until one is the schema's.
    Object = 1,
    /// An array of anything.
    Array = 2,
    /// An array of objects, whose keys are asked for in the same way.
    ArrayOfObjects = 3,
    /// An array of strings.
    ArrayOfStrings = 4,
    /// An array of numbers.
    ArrayOfNumbers = 5,
}
}

impl Shape {
    /// Whether a document can begin with a bracket.
    pub(super) fn fits(self, root: Container) -> bool {
        match self {
            Shape::Any => true,
            Shape::Object => root == Container::Object,
            Shape::Array | Shape::ArrayOfObjects | Shape::ArrayOfStrings | Shape::ArrayOfNumbers => {
                root == Container::Array
            }
        }
    }

    /// Whether keys are asked for.
    pub(super) fn asks(self) -> bool {
        matches!(self, Shape::Object | Shape::ArrayOfObjects)
    }

    /// Whether a root array's element of a kind fits, or a member of an object.
    pub(super) fn takes(self, item: Item) -> bool {
        match self {
            Shape::ArrayOfStrings => item == Item::String,
            Shape::ArrayOfNumbers => item == Item::Number,
            Shape::Any | Shape::Object | Shape::Array | Shape::ArrayOfObjects => true,
        }
    }
}

/// What a value is, as far as shapes ask.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Item {
    String,
    Number,
    Other,
}

/// What is looked for.
#[derive(Clone, Copy, Debug)]
#[cfg_attr(feature = "debug", derive(serde::Serialize))]
pub(super) struct Wanted {
    pub(super) shape: Shape,
    /// A root array's elements may be null.
    pub(super) is_nullable: bool,
    /// All documents are emitted.
    pub(super) is_multiple: bool,
}
