//! What a wire format of the catalogue is, for Rust programs.

/// How a model family writes tool calls and reasoning as text.
///
/// The ids are those of the npm package; `docs/formats.md` lists those that models write. A
/// [`ToolCallParser`](crate::tool_call::ToolCallParser) reads one, or several together.
///
/// ```
/// use tokenweir::format::Format;
/// let format = Format::find("qwen3-coder").unwrap();
/// assert_eq!(format.id(), "qwen3-coder");
/// assert!(format.sample().starts_with("<tool_call>"));
/// assert!(Format::find("qwen3 coder").is_none());
/// assert!(Format::all().len() > 90);
/// assert!(Format::all().iter().any(|format| format.title().contains("Hermes")));
/// ```
#[derive(Debug)]
pub struct Format {
    pub(super) id: &'static str,
    pub(super) title: &'static str,
    pub(super) sample: &'static str,
    pub(super) traits: &'static [Trait],
    pub(super) bytes: &'static [u8],
}

/// What the machine needs not know of a row, and what emits its events does.
// Hidden: the build writes them.
#[doc(hidden)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Trait {
    /// Only declared tools are called.
    Known,
    /// A text that is JSON stands for its value.
    UntypedJson,
    /// The model writes the type of a value beside its name.
    Attributes,
    /// A value may be a literal of Python.
    Python,
    /// A call that has an argument twice is malformed.
    RejectsRepeats,
    /// An argument that is there twice is a list.
    ListsRepeats,
    /// `functions.` stands before names.
    Namespace,
    /// A word and `:` or `.` may stand before names.
    Prefixed,
    /// A name that starts so is the call's id, too.
    TextIds,
    /// `get.get` may stand for `get`.
    DoubledName,
    /// A value may stand between `<value>` and `</value>`.
    ValueTag,
    /// A call with an argument named as what JavaScript's objects inherit is malformed.
    DropsUnsafe,
    /// The prompt has always opened reasoning.
    Prefilled,
    /// The reply is a sequence of messages.
    Messages,
}

impl Format {
    /// Its id.
    #[must_use]
    pub fn id(&self) -> &'static str {
        self.id
    }

    /// The models that write it.
    #[must_use]
    pub fn title(&self) -> &'static str {
        self.title
    }

    /// One call as such a model writes it; empty for a format of reasoning alone.
    #[must_use]
    pub fn sample(&self) -> &'static str {
        self.sample
    }

    /// The row as the machine reads it.
    // Hidden: for the tests of the machine.
    #[doc(hidden)]
    #[must_use]
    pub fn bytes(&self) -> &'static [u8] {
        self.bytes
    }

    pub(crate) fn is(&self, each: Trait) -> bool {
        self.traits.contains(&each)
    }
}
