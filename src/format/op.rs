//! The numbers of the format machine that cross the border.

use crate::json::STRING_STOPS;
use crate::text::{numbered, records};

numbered! {
    /// Why a segment isn't a call.
    ///
    /// ```
    /// use tokenweir::tool_call::{EventKind, Options, ToolCallParser};
    /// let text = r#"<tool_call>{"arguments": {}}</tool_call>"#;
    /// let why = ToolCallParser::new(Options::hermes()).feed(text)?.into_iter().find_map(|event| match event.kind {
    ///     EventKind::Fail(why) => Some(why.name()),
    ///     _ => None,
    /// });
    /// assert_eq!(why, Some("no-name"));
    /// # Ok::<(), tokenweir::Error>(())
    /// ```
    #[non_exhaustive]
    #[repr(u8)]
    pub enum Why {
        /// Its payload can't be read.
        Malformed = 0 => "malformed",
        /// The stream ended in it.
        Unfinished = 1 => "unfinished",
        /// Another call begins in it.
        Nested = 2 => "nested",
        /// It names no tool.
        NoName = 3 => "no-name",
        /// It is longer than allowed.
        TooLong = 4 => "too-long",
        /// The program said that it is text.
        Rejected = 5 => "rejected",
        /// Its name or its arguments are written more than once.
        Ambiguous = 6 => "ambiguous",
        /// Text follows its start tag. It is a malformed call if an end tag closes it,
        /// and a mention of the tag otherwise.
        Mentioned = 7 => "mentioned",
        /// It is a turn of another that the model makes up after a call.
        MadeUp = 8 => "made-up",
        /// It is a message of another, which no call comes before.
        Foreign = 9 => "foreign",
        /// It is the closer of a call whose opening tag is missing, and whose text has come out.
        NoOpener = 10 => "no-opener",
    }
}

numbered! {
/// What needs no reading: text that changes nothing here.
#[repr(u8)]
pub enum Mode {
    /// Everything has to be read.
    Read = 0,
    /// Text without the first character of a marker, and without a line end where reasoning
    /// may begin or code counts.
    Text = 1,
    /// More of a JSON string: no quote, backslash or control character.
    String = 2,
    /// More of a parameter's value.
    Value = 3,
    /// More reasoning.
    Reasoning = 4,
    /// More of a JSON string that isn't emitted.
    Silent = 5,
    /// More of an element: no `<` and `&`.
    Element = 6,
    /// More of a call with repairs that failed: no first character of an opener or a closer,
    /// and no line end where reasoning may begin or code counts.
    Failed = 7,
}
}

impl Mode {
    /// What may end text of the mode, besides the first characters of the rows' markers.
    #[must_use]
    pub const fn stops(self) -> &'static [u8] {
        match self {
            Mode::Read | Mode::Text | Mode::Value | Mode::Reasoning | Mode::Failed => b"",
            Mode::String | Mode::Silent => &STRING_STOPS,
            Mode::Element => b"<&",
        }
    }
}

records! {
    /// What a record says of a call besides its arguments, whose records ([`Argument`](super::argument::Argument)) come
    /// among these and have lower numbers.
    pub enum Op: 8 {
        /// Text outside of calls.
        Text = 32 => text(text, from),
        /// What is neither text nor of a call: a marker, or layout.
        Markup = 33 => markup(raw, to),
        /// A call begins: the start of its segment, and of its payload.
        Begin {
            /// By which row it is written.
            row: u8 = 8..16,
            /// Whether it has no opener.
            is_bare: bool = 16..17,
            /// Whether its payload is an object with its name, or a list of such.
            is_json: bool = 17..18,
        } = 34 => begin(row, is_bare, is_json),
        /// A piece of the tool's name. It comes before `Begin` where the tool's tag begins a call.
        Name = 35 => call.name(text),
        /// A piece of the tool's name that is an escape: its character.
        NameCharacter(code: u32 = 8..32) = 36 => call.name(character),
        /// The name is whole. Whether it is a call is asked.
        NameEnd {
            /// Whether the key is `tool`, which is a name only if such a tool is known.
            is_alias: bool = 8..9,
        } = 37,
        /// A piece of the call's id.
        Id = 38 => call.id(text),
        /// A piece of the call's id that is an escape: its character.
        IdCharacter(code: u32 = 8..32) = 39 => call.id(character),
        /// The arguments begin, as JSON.
        Arguments = 40 => call.arguments(),
        /// How the argument is named whose `Open` follows, where that isn't by a marker before its name.
        Named {
            /// Whether its name stands between opener and closer, so that the value goes up to the next one.
            is_nameless: bool = 8..9,
            /// Whether it is an element of its name, in any case.
            is_element: bool = 9..10,
        } = 41 => body.named(is_nameless, is_element),
        /// Its type, as it is written.
        Type {
            /// Whether that says no more than whether it is a string.
            is_flag: bool = 8..9,
        } = 42 => body.typed(text, is_flag),
        /// The name of what may follow the value. Whether that ends it is asked.
        Next {
            /// Whether it is that of a parameter whose opener stands in the value; else of an element after a possible
            /// closing tag.
            is_param: bool = 8..9,
        } = 43 => body.next(text, is_param),
        /// A call is whole. Instead of a place the record has the JSON rules by which it was
        /// read, and where it ends.
        Done {
            /// The repairs besides, a bit each.
            repairs: u32 = 8..32,
        } = 47 => done(rules, repairs),
        /// The segment at the place has ended.
        End = 48 => end(raw, to),
        /// The segment that begins at the place is not a call.
        Fail(reason: Why = 8..32) = 49 => fail(reason, length),
        /// Text of that segment.
        Failed = 50 => failed(text, from),
        /// That segment has ended. The place is that of its closer.
        FailEnd {
            /// Whether the stream ended in it.
            is_cut: bool = 8..9,
        } = 51 => fail_end(length, is_cut),
        /// Reasoning begins with the marker at the place.
        Reasoning = 52 => reasoning(text, from),
        /// Text of it.
        Reasoned = 53 => reasoned(text, from),
        /// Its opening marker, repeated.
        Reopened = 54 => reopened(text, from),
        /// It ends with the marker at the place, or with the stream.
        ReasoningEnd = 55 => reasoning_end(text, from),
        /// What was recorded since the tool's tag is not a call: it is text.
        NoCall = 64 => no_call(),
        /// A list of calls is checked: what is recorded up to `Begin` is only asked about.
        Check {
            /// By which row it is written.
            row: u8 = 8..16,
        } = 65 => check(row),
        /// Whether there is a closer at the place is asked.
        Quoted = 66 => call.quoted(text),
        /// The object of a call is whole. Whether it is a call is asked.
        Whole {
            /// Whether no arguments are written in it.
            is_missing: bool = 8..9,
        } = 67 => call.whole(is_missing),
        /// Text that cites something begins at the place.
        Cite = 69 => cite(),
        /// It ends there; the place is that of what names the sources.
        CiteEnd = 70 => cite_end(text),
        /// The key of a member besides the name and the arguments.
        Key {
            /// Whether it is the first of its call.
            is_first: bool = 8..9,
        } = 68 => call.key(text, is_first),
        /// The value of the member whose key was read last.
        Member = 71 => call.member(text),
    }
}

numbered! {
    /// Tolerated errors besides the rules of JSON, as bits above theirs.
    ///
    /// ```
    /// use tokenweir::tool_call::{EventKind, Options, Repair, ToolCallParser};
    /// let text = r#"<tool_call>{"name": "add", "parameters": {"a": 1}}</tool_call>"#;
    /// for event in ToolCallParser::new(Options::hermes()).feed(text)? {
    ///     if let EventKind::CallDone { repairs, .. } = event.kind {
    ///         let used = Repair::ALL.into_iter().filter(|repair| repairs & repair.bit() != 0);
    ///         assert_eq!(used.map(Repair::name).collect::<Vec<_>>(), ["parameters"]);
    ///     }
    /// }
    /// # Ok::<(), tokenweir::Error>(())
    /// ```
    #[non_exhaustive]
    #[repr(u8)]
    pub enum Repair {
        /// Brackets that are open at the end tag are closed.
        MissingCloser = 32 => "missing-closer",
        /// `parameters` instead of `arguments`.
        Parameters = 33 => "parameters",
        /// Arguments that are JSON in a string.
        EncodedArguments = 34 => "encoded-arguments",
        /// Several calls in an array.
        List = 35 => "list",
        /// A whole call, and then the next start tag.
        MissingEndTag = 36 => "missing-end-tag",
        /// An element that the closing tag of one around it ends.
        MissingCloseTag = 37 => "missing-close-tag",
        /// A closing tag that closes nothing is skipped.
        StrayCloseTag = 38 => "stray-close-tag",
        /// Closing brackets after the payload are skipped.
        ExtraCloser = 39 => "extra-closer",
        /// `</think>` or `</thinking>` after the payload is skipped.
        StrayThink = 40 => "stray-think",
        /// The payload is in a Markdown fence.
        Fence = 41 => "fence",
        /// `tool` instead of `name`.
        Tool = 42 => "tool",
        /// `args` instead of `arguments`.
        Args = 43 => "args",
        /// `input` instead of `arguments`.
        Input = 44 => "input",
        /// An opener without its first character.
        MissingAngle = 45 => "missing-angle",
        /// A tool's name on a line of its own instead of its tag.
        LineName = 46 => "line-name",
        /// A tool's name instead of an opener, after a section's.
        BareName = 47 => "bare-name",
        /// A JSON object instead of parameters.
        JsonBody = 48 => "json-body",
        /// Elements instead of YAML.
        YamlElements = 49 => "yaml-elements",
        /// Strings between plain quotes.
        PlainQuotes = 50 => "plain-quotes",
        /// The stream ended after the last parameter.
        EndCloses = 51 => "end-closes",
        /// A parameter that the next one ends.
        OpenParams = 52 => "open-params",
        /// A parameter's name between opener and closer.
        NamelessParams = 53 => "nameless-params",
        /// A text instead of elements.
        MessageText = 54 => "message-text",
        /// A call without its opening tag, of a tool that is known.
        MissingOpener = 55 => "missing-opener",
    }
}

impl Repair {
    /// Its bit.
    #[must_use]
    pub const fn bit(self) -> u64 {
        1 << self as u64
    }
}
