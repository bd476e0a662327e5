//! Reads one tag: drives the table of `state.rs`, matches names against data, and
//! remembers the places of known attributes' values. It keeps no text: a tag in many
//! chunks is a few numbers.
//!
//! Its loop is its own, as each byte of a block's tags goes through it. With the one
//! of `tag.rs`, which branches on the action a second time, tags take 5 to 10 % longer.

use super::state::{Action, State, at_end, step_on};
use super::tag::Place;
use crate::scan::{Literals, Prefix, find_any};
use crate::text::{units_of, utf16_len};

/// The longest tag, in UTF-16 code units. A longer one is text.
pub const LONGEST_TAG: u32 = 4_096;

/// How many known attributes one tag can carry.
pub const VALUES: usize = 2;

/// The names of tags and attributes.
#[derive(Clone, Copy, Debug)]
pub struct Vocabulary<'a> {
    /// Tag names; a name's class is what the tag means.
    pub names: Literals<'a>,
    /// Attribute names whose values are wanted; a name's class is its place in [`Tag::values`].
    pub attributes: Literals<'a>,
    /// Whether names mean the same in any case of ASCII letters; the words are in lower case then.
    pub folds_case: bool,
    /// Whether a `/` between a value without quotes and the `>` is the tag's, as in `<tool name=x/>`, and not the
    /// value's, as in HTML.
    pub slash_closes: bool,
}

impl Vocabulary<'_> {
    /// A byte of a name, as the words have it.
    fn fold(&self, byte: u8) -> u8 {
        if self.folds_case { byte.to_ascii_lowercase() } else { byte }
    }
}

/// The tags that count just now, one bit for each class of name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "debug", derive(serde::Serialize))]
pub struct Recognised {
    /// Classes whose opening tags are markup.
    pub openers: u32,
    /// Classes whose closing tags are markup.
    pub closers: u32,
}

/// A whole tag. Lengths and offsets are UTF-16 code units from its `<`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tag {
    /// The class of its name.
    pub class: u8,
    /// `</name>`
    pub is_closer: bool,
    /// `<name/>`
    pub is_empty: bool,
    /// Its length.
    pub len: u32,
    /// The place of its name.
    pub name: (u32, u32),
    /// The places of known attributes' values; the first of a name counts.
    pub values: [Option<(u32, u32)>; VALUES],
}

/// An attribute that the vocabulary doesn't know. Offsets are UTF-16 code units from the tag's `<`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "debug", derive(serde::Serialize))]
pub struct Attribute {
    /// The place of its name.
    pub name: (u32, u32),
    /// The place of its value, without the quotes.
    pub value: (u32, u32),
}

/// What a byte led to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Progress<Whole = Tag> {
    /// Still undecided.
    Pending,
    /// The byte was the last one.
    Whole(Whole),
    /// It is text, and this byte is to be read again.
    Failed,
}

/// Reads one tag at a time.
#[derive(Clone, Copy, Debug)]
#[cfg_attr(feature = "debug", derive(serde::Serialize))]
pub struct Tokenizer {
    state: State,
    is_closing: bool,
    name: Prefix,
    attribute: Prefix,
    wanted: Option<u8>,
    /// Units read since the `<`.
    len: u32,
    /// One past the tag's name, once it is whole.
    name_end: u32,
    /// The place of the name of the attribute that is being read.
    attribute_at: Place,
    value_start: u32,
    is_quoted: bool,
    values: [Option<Place>; VALUES],
    other: Option<Attribute>,
    has_inner: bool,
    spaces: u32,
}

impl Default for Tokenizer {
    fn default() -> Self {
        Tokenizer::REST
    }
}

impl Tokenizer {
    /// Between two tags.
    pub const REST: Tokenizer = Tokenizer {
        state: State::Text,
        is_closing: false,
        name: Prefix::DEAD,
        attribute: Prefix::DEAD,
        wanted: None,
        len: 0,
        name_end: 0,
        attribute_at: (0, 0),
        value_start: 0,
        is_quoted: false,
        values: [None; VALUES],
        other: None,
        has_inner: false,
        spaces: 0,
    };

    /// Whether a tag is being read.
    #[must_use]
    pub fn is_reading(&self) -> bool {
        self.state != State::Text
    }

    /// Units pending since the `<`, the `<` included.
    #[must_use]
    pub fn held(&self) -> u32 {
        self.len
    }

    /// Whether the pending text has a `<` or `&` after its first character, which
    /// counts if the tag fails.
    #[must_use]
    pub fn has_inner(&self) -> bool {
        self.has_inner
    }

    /// Whether the name of the opening tag that is being read, or just failed, was a
    /// known one with something after it, so that a tag was meant.
    #[must_use]
    pub fn is_inside(&self) -> bool {
        self.spaces > 0 && !self.is_closing
    }

    /// The class of the name that was read, if it was whole.
    #[must_use]
    pub fn class(&self, words: &Vocabulary<'_>) -> Option<u8> {
        words.names.exact(self.name)
    }

    /// The place of the name among the words, once it was read.
    pub(crate) fn word(&self) -> u8 {
        self.name.first()
    }

    /// Whether a closing tag is being read.
    pub(crate) fn is_closing(&self) -> bool {
        self.is_closing
    }

    /// The known attribute whose value is being read, if that value counts.
    #[must_use]
    pub fn value_at(&self) -> Option<u8> {
        let is_in_value =
            matches!(self.state, State::DoubleQuoted | State::SingleQuoted | State::Unquoted | State::UnquotedSlash);
        let is_new = |class: &u8| matches!(self.values.get(usize::from(*class)), Some(None));
        self.wanted.filter(|_| is_in_value).filter(is_new)
    }

    /// Whether the last value that began is in quotes.
    #[must_use]
    pub fn is_quoted(&self) -> bool {
        self.is_quoted
    }

    /// Units of white space after the name of the closing tag that is being read, in
    /// case it turns out to be text. 0 until its name is whole.
    #[must_use]
    pub fn spaces(&self) -> u32 {
        self.spaces
    }

    /// The place of the name of the attribute that was read last; its end counts once the name is whole.
    pub(crate) fn attribute(&self) -> Place {
        self.attribute_at
    }

    /// The attribute whose value ended before the last byte, if the vocabulary doesn't know it.
    pub fn take_other(&mut self) -> Option<Attribute> {
        self.other.take()
    }

    /// A `<` was read.
    pub fn begin(&mut self) {
        *self = Tokenizer { state: State::Open, len: 1, ..Tokenizer::REST };
    }

    /// Back to text.
    pub fn give_up(&mut self) {
        self.state = State::Text;
    }

    /// The end of the input: whether the tag is text.
    #[must_use]
    pub fn fails_at_end(&self) -> bool {
        at_end(self.state) == Action::Fail
    }

    /// One byte after the `<`.
    pub fn step(&mut self, words: &Vocabulary<'_>, recognised: Recognised, byte: u8) -> Progress {
        let progress = self.advance(words, recognised, byte);
        self.with_tag(words, progress)
    }

    // One copy: its call takes no time that can be measured.
    #[inline(never)]
    fn with_tag(&self, words: &Vocabulary<'_>, progress: Progress<bool>) -> Progress {
        match progress {
            Progress::Pending => Progress::Pending,
            Progress::Whole(is_empty) => self.class(words).map_or(Progress::Failed, |class| {
                let (is_closer, values, len) = (self.is_closing, self.values, self.len);
                let name = (1 + u32::from(is_closer), self.name_end);
                Progress::Whole(Tag { class, is_closer, is_empty, len, name, values })
            }),
            Progress::Failed => Progress::Failed,
        }
    }

    /// Many bytes after the `<`: the same as that many steps, and faster. Returns
    /// how many were read, without the one that ended it.
    pub(crate) fn read(&mut self, words: &Vocabulary<'_>, recognised: Recognised, input: &[u8]) -> (usize, Progress) {
        let mut at = if self.len == 1 { self.read_name(words, recognised, input) } else { 0 };
        while let Some(&byte) = input.get(at) {
            let progress = self.advance(words, recognised, byte);
            if !matches!(progress, Progress::Pending) {
                return (at, self.with_tag(words, progress));
            }
            at += 1;
            at += self.run(words, input.get(at..).unwrap_or_default());
        }
        (at, Progress::Pending)
    }

    /// A known name that stands whole after the `<`, with what ends it: nearly every tag. The same as that many
    /// steps, and faster. 0 if it is anything else, which the steps decide.
    fn read_name(&mut self, words: &Vocabulary<'_>, recognised: Recognised, input: &[u8]) -> usize {
        let (is_closing, name) = match input {
            [b'/', name @ ..] => (true, name),
            name => (false, name),
        };
        let Some(name) = words.names.find(name) else { return 0 };
        let counted = if is_closing { recognised.closers } else { recognised.openers };
        if words.folds_case || words.names.exact(name).is_none_or(|class| counted & 1 << class == 0) {
            return 0;
        }
        self.is_closing = is_closing;
        self.state = if is_closing { State::ClosingName } else { State::Name };
        self.name = name;
        let read = usize::from(is_closing) + name.depth();
        self.len += read as u32;
        read
    }

    /// One byte, and whether the whole tag is an empty one. Without the tag: passing
    /// that on with each byte costs as much as reading it.
    #[inline]
    fn advance(&mut self, words: &Vocabulary<'_>, recognised: Recognised, byte: u8) -> Progress<bool> {
        let before = self.len;
        let after = before + units_of(byte);
        if after > LONGEST_TAG {
            return Progress::Failed;
        }
        let (state, action) = step_on(self.state, byte);
        let counted = if self.is_closing { recognised.closers } else { recognised.openers };
        match action {
            Action::Fail => return Progress::Failed,
            Action::Hold | Action::EmptyTag => {}
            Action::Closing => {
                self.is_closing = true;
                self.name = words.names.start();
                if !words.names.has_class(self.name, recognised.closers) {
                    return Progress::Failed;
                }
            }
            Action::Name => {
                let is_first = before == 1;
                let before = if is_first { words.names.start() } else { self.name };
                self.name = words.names.step(before, words.fold(byte));
                // As long as the same names fit, the same classes count.
                let is_checked = !is_first && self.name.fits_as(before);
                if !is_checked && !words.names.has_class(self.name, counted) {
                    return Progress::Failed;
                }
            }
            Action::NameEnd => {
                let is_known = self.class(words).is_some_and(|class| counted & 1 << class != 0);
                if !is_known {
                    return Progress::Failed;
                }
                self.spaces = 1;
                self.name_end = before;
            }
            Action::Space => self.spaces += 1,
            Action::AttributeStart => {
                self.attribute_at.0 = before;
                self.attribute = words.attributes.step(words.attributes.start(), words.fold(byte));
            }
            Action::Attribute => self.attribute = words.attributes.step(self.attribute, words.fold(byte)),
            Action::AttributeEnd => {
                self.attribute_at.1 = before;
                self.wanted = words.attributes.exact(self.attribute);
            }
            Action::ValueAfter => (self.value_start, self.is_quoted) = (after, true),
            Action::ValueHere => (self.value_start, self.is_quoted) = (before, false),
            Action::ValueEnd => self.keep_value(before),
            Action::ValueSlash => self.keep_value(before.saturating_sub(u32::from(words.slash_closes))),
            Action::Inner => self.has_inner = true,
        }
        // Outside quotes too: text that is read again may have a reference there.
        self.has_inner |= byte == b'&';
        self.state = state;
        self.len = after;
        let is_empty = action == Action::EmptyTag || action == Action::ValueSlash && words.slash_closes;
        if state != State::Text { Progress::Pending } else { Progress::Whole(is_empty) }
    }

    /// Reads as many bytes as need no decision: the rest of a name that only one word
    /// has, the inside of a value. The same as that many steps, and faster.
    pub fn run(&mut self, words: &Vocabulary<'_>, input: &[u8]) -> usize {
        let room = LONGEST_TAG.saturating_sub(self.len) as usize;
        let input = input.get(..room.min(input.len())).unwrap_or_default();
        // A character of two units may be one too many, which its first byte decides.
        let input = if let [front @ .., 0xF0..=0xFF] = input { front } else { input };
        let (count, units) = match self.state {
            State::Name | State::ClosingName => {
                let count = words.names.run(&mut self.name, input);
                (count, count as u32)
            }
            State::Attribute => {
                let count = words.attributes.run(&mut self.attribute, input);
                (count, count as u32)
            }
            State::DoubleQuoted | State::SingleQuoted => {
                let quote = if self.state == State::DoubleQuoted { b'"' } else { b'\'' };
                let count = find_any(input, [quote, b'<', b'&']).unwrap_or(input.len());
                (count, utf16_len(input.get(..count).unwrap_or_default()))
            }
            State::Text
            | State::Open
            | State::ClosingEnd
            | State::Inside
            | State::AfterAttribute
            | State::BeforeValue
            | State::Unquoted
            | State::UnquotedSlash
            | State::Empty => (0, 0),
        };
        self.len += units;
        count
    }

    fn keep_value(&mut self, end: u32) {
        let value = (self.value_start, end);
        if self.wanted.is_none() {
            self.other = Some(Attribute { name: self.attribute_at, value });
        }
        let slot = self.wanted.take().and_then(|id| self.values.get_mut(usize::from(id)));
        if let Some(slot @ None) = slot {
            *slot = Some(value);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scan::Entry;

    const WORDS: Vocabulary<'static> = Vocabulary {
        names: Literals {
            bytes: b"aabb",
            entries: &[
                Entry { start: 0, len: 1, class: 0 },
                Entry { start: 0, len: 2, class: 1 },
                Entry { start: 2, len: 2, class: 2 },
            ],
        },
        attributes: Literals {
            bytes: b"idname",
            entries: &[Entry { start: 0, len: 2, class: 1 }, Entry { start: 2, len: 4, class: 0 }],
        },
        folds_case: false,
        slash_closes: false,
    };
    const ALL: Recognised = Recognised { openers: 0b111, closers: 0b111 };

    /// Reads `text` after its `<`, with runs and without; returns how many bytes
    /// were taken, and what they led to.
    fn read(text: &str, recognised: Recognised) -> (usize, Progress) {
        let mut tokenizer = Tokenizer::default();
        tokenizer.begin();
        let mut at = 1;
        let end = loop {
            at += tokenizer.run(&WORDS, text.as_bytes().get(at..).unwrap_or_default());
            let Some(&byte) = text.as_bytes().get(at) else { break Progress::Pending };
            match tokenizer.step(&WORDS, recognised, byte) {
                Progress::Pending => at += 1,
                end @ (Progress::Whole(_) | Progress::Failed) => break end,
            }
        };
        assert_eq!((at, end), read_by_steps(text, recognised), "{text}");
        let mut tokenizer = Tokenizer::default();
        tokenizer.begin();
        let (count, whole) = tokenizer.read(&WORDS, recognised, text.as_bytes().get(1..).unwrap_or_default());
        assert_eq!((1 + count, whole), (at, end), "{text}");
        (at, end)
    }

    fn read_by_steps(text: &str, recognised: Recognised) -> (usize, Progress) {
        let mut tokenizer = Tokenizer::default();
        tokenizer.begin();
        for (at, byte) in text.bytes().enumerate().skip(1) {
            match tokenizer.step(&WORDS, recognised, byte) {
                Progress::Pending => {}
                end @ (Progress::Whole(_) | Progress::Failed) => return (at, end),
            }
        }
        (text.len(), Progress::Pending)
    }

    fn tag(class: u8, len: u32) -> Tag {
        Tag {
            class,
            is_closer: false,
            is_empty: false,
            len,
            name: (1, 1 + u32::from(class + 1).min(2)),
            values: [None; VALUES],
        }
    }

    #[test]
    fn names_are_exact_and_fail_at_the_first_wrong_byte() {
        assert_eq!(read("<a>", ALL).1, Progress::Whole(tag(0, 3)));
        assert_eq!(read("<aa>", ALL).1, Progress::Whole(tag(1, 4)));
        assert_eq!(read("</bb >", ALL).1, Progress::Whole(Tag { is_closer: true, name: (2, 4), ..tag(2, 6) }));
        assert_eq!(read("<bb/>", ALL).1, Progress::Whole(Tag { is_empty: true, ..tag(2, 5) }));
        assert_eq!(read("<b>", ALL), (2, Progress::Failed));
        assert_eq!(read("<aab", ALL), (3, Progress::Failed));
        assert_eq!(read("<bc", ALL), (2, Progress::Failed));
    }

    #[test]
    fn tags_that_do_not_count_now_are_not_pending() {
        let only_closing_b = Recognised { openers: 0, closers: 0b100 };
        assert_eq!(read("<b", only_closing_b), (1, Progress::Failed));
        assert_eq!(read("</a", only_closing_b), (2, Progress::Failed));
        assert_eq!(
            read("</bb>", only_closing_b).1,
            Progress::Whole(Tag { is_closer: true, name: (2, 4), ..tag(2, 5) })
        );
        assert_eq!(read("</", Recognised { openers: 1, closers: 0 }), (1, Progress::Failed));
        // `a` counts and `aa` doesn't.
        assert_eq!(read("<aa", Recognised { openers: 1, closers: 0 }), (2, Progress::Failed));
        assert_eq!(read("<a>", Recognised { openers: 0b10, closers: 0 }), (2, Progress::Failed));
        // The only name doesn't count.
        let names = Literals { bytes: b"aa", entries: &[Entry { start: 0, len: 2, class: 0 }] };
        let mut tokenizer = Tokenizer::default();
        tokenizer.begin();
        let nothing = Recognised { openers: 0, closers: 0 };
        assert_eq!(tokenizer.step(&Vocabulary { names, ..WORDS }, nothing, b'a'), Progress::Failed);
    }

    #[test]
    fn values_of_known_attributes_the_first_of_a_name() {
        let values = |text| match read(text, ALL).1 {
            Progress::Whole(tag) => tag.values,
            Progress::Pending | Progress::Failed => [None; VALUES],
        };
        assert_eq!(values("<a name=\"x>y\">"), [Some((9, 12)), None]);
        assert_eq!(values("<a id='1' other=2 name = 3>"), [Some((25, 26)), Some((7, 8))]);
        assert_eq!(values("<a name=\"水🙂\" name=\"z\">"), [Some((9, 12)), None]);
        assert_eq!(values("<a names=\"x\" nam=\"y\" name>"), [None, None]);
        assert_eq!(values("<a name=\"\"/>"), [Some((9, 9)), None]);
    }

    #[test]
    fn attributes_that_are_not_known() {
        let text = "<a 水=\"🙂\" name='n' x = 'a>b' y=z w v=\"\">";
        let mut tokenizer = Tokenizer::default();
        tokenizer.begin();
        let mut others = Vec::new();
        for byte in text.bytes().skip(1) {
            _ = tokenizer.step(&WORDS, ALL, byte);
            others.extend(tokenizer.take_other());
        }
        let units: Vec<u16> = text.encode_utf16().collect();
        let slice = |(from, to): (u32, u32)| {
            String::from_utf16(units.get(from as usize..to as usize).unwrap_or_default()).unwrap_or_default()
        };
        let found: Vec<_> = others.iter().map(|other| (slice(other.name), slice(other.value))).collect();
        let expected = [("水", "🙂"), ("x", "a>b"), ("y", "z"), ("v", "")];
        assert_eq!(found, expected.map(|(name, value)| (name.to_owned(), value.to_owned())));
    }

    #[test]
    fn case_and_a_slash_by_the_vocabulary() {
        let words = Vocabulary { folds_case: true, slash_closes: true, ..WORDS };
        let tag = |words: &Vocabulary, text: &str| {
            let mut tokenizer = Tokenizer::default();
            tokenizer.begin();
            let rest = text.as_bytes().get(1..).unwrap_or_default();
            match tokenizer.read(words, ALL, rest).1 {
                Progress::Whole(tag) => (tag.values, tag.is_empty),
                Progress::Pending | Progress::Failed => panic!("{text}"),
            }
        };
        assert_eq!(tag(&words, "<BB NaMe = 'x'>"), ([Some((12, 13)), None], false));
        assert_eq!(tag(&words, "<Aa ID=x name='y'>"), ([Some((15, 16)), Some((7, 8))], false));
        assert_eq!(tag(&words, "<a id=x/y/>"), ([None, Some((6, 9))], true));
        assert_eq!(tag(&words, "<a id=x/ >"), ([None, Some((6, 8))], false));
        assert_eq!(tag(&words, "<a id=/>"), ([None, Some((6, 6))], true));
        assert_eq!(tag(&WORDS, "<a id=x/y/>"), ([None, Some((6, 10))], false));
    }

    #[test]
    fn a_tag_has_at_most_4096_units() {
        let long = |len: usize| format!("<a {}>", "x".repeat(len - 4));
        assert_eq!(read(&long(4_096), ALL).1, Progress::Whole(tag(0, 4_096)));
        assert_eq!(read(&long(4_097), ALL), (4_096, Progress::Failed));
        let quoted = format!("<a b=\"{}", "x".repeat(5_000));
        assert_eq!(read(&quoted, ALL), (4_096, Progress::Failed));
        // The last character is two units, and only one fits.
        let wide = format!("<a b=\"{}🙂\">", "x".repeat(4_089));
        assert_eq!(read(&wide, ALL), (4_095, Progress::Failed));
    }

    #[test]
    fn white_space_at_the_end_of_the_pending_text_is_counted() {
        for (text, spaces) in [("</a", 0), ("</a ", 1), ("</a  ", 2), ("</a \n\t", 3)] {
            let mut tokenizer = Tokenizer::default();
            tokenizer.begin();
            for byte in text.bytes().skip(1) {
                assert_eq!(tokenizer.step(&WORDS, ALL, byte), Progress::Pending);
            }
            assert_eq!(tokenizer.spaces(), spaces, "{text}");
        }
    }

    #[test]
    fn a_pending_tag_says_what_it_has_read() {
        for (text, is_inside, class, value) in [
            ("<a", false, Some(0), None),
            ("<aa", false, Some(1), None),
            ("<b", false, None, None),
            ("</bb", false, Some(2), None),
            ("</bb ", false, Some(2), None),
            ("<a ", true, Some(0), None),
            ("<bb id", true, Some(2), None),
            ("<bb id=", true, Some(2), None),
            ("<bb id='x", true, Some(2), Some(1)),
            ("<bb name=x", true, Some(2), Some(0)),
            ("<bb other='x", true, Some(2), None),
            ("<bb id='x' id='y", true, Some(2), None),
        ] {
            let mut tokenizer = Tokenizer::default();
            tokenizer.begin();
            for byte in text.bytes().skip(1) {
                assert_eq!(tokenizer.step(&WORDS, ALL, byte), Progress::Pending, "{text}");
            }
            assert!(tokenizer.is_reading() && tokenizer.held() == text.len() as u32);
            assert_eq!(
                (tokenizer.is_inside(), tokenizer.class(&WORDS), tokenizer.value_at()),
                (is_inside, class, value),
                "{text}"
            );
            assert!(!tokenizer.has_inner());
        }
        for inner in ["<a b='<", "<a b='&", "<a &"] {
            let mut tokenizer = Tokenizer::default();
            tokenizer.begin();
            assert_eq!(tokenizer.read(&WORDS, ALL, inner.as_bytes().get(1..).unwrap_or_default()).1, Progress::Pending);
            assert!(tokenizer.has_inner(), "{inner}");
        }
    }
}
