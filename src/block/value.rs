//! The value of one parameter: what type it has, decided as early as its text
//! allows.
//!
//! Source: spec/block.md, "A parameter's value is typed as membrane types it":
//! trimmed; sixteen or more digits stay a string; valid JSON is that JSON;
//! anything else is the string. A backslash that JSON has no meaning for
//! doesn't make a value a string (spec/policy.md, 1).

use crate::json::Recogniser;
use crate::text::{numbered, units_of, utf16_len, whitespace_len, whitespace_tail};
use crate::xml::Cdata;

/// Most units of one value that are buffered undecided. A longer one is a string.
///
/// ```
/// use tokenweir::block::{BlockParser, LONGEST_VALUE, Options};
/// let mut parser = BlockParser::new(Options::default());
/// parser.feed(r#"<invoke name="f"><parameter name="n">["#)?;
/// parser.feed(&"1,".repeat(LONGEST_VALUE as usize / 2 - 1))?;
/// assert_eq!(parser.held(), LONGEST_VALUE - 1); // it may yet be JSON
/// parser.feed("1,")?;
/// assert_eq!(parser.held(), 0);
/// # Ok::<(), tokenweir::Error>(())
/// ```
pub const LONGEST_VALUE: u32 = 1_048_576;

/// Digits from which a whole number stays a string: JavaScript would round it.
const LONG_NUMBER: u32 = 16;

numbered! {
/// What a tool's schema says of a parameter.
///
/// ```
/// use std::sync::Arc;
/// use tokenweir::block::{BlockParser, Declared, EventKind, Options, Part};
/// let mut options = Options::default();
/// options.declared = Some(Arc::new(|_, name| if name == "at" { Declared::Container } else { Declared::String }));
/// let text = r#"<invoke name="f"><parameter name="at">[1]</parameter><parameter name="n">2</parameter></invoke>"#;
/// let input: String = BlockParser::new(options).feed(text)?.into_iter().filter_map(|event| match event.kind {
///     EventKind::Chunk { part: Some(Part::Input), text, .. } => Some(text),
///     _ => None,
/// }).collect();
/// assert_eq!(input, r#"{"at":[1],"n":"2"}"#);
/// # Ok::<(), tokenweir::Error>(())
/// ```
#[non_exhaustive]
#[repr(u8)]
pub enum Declared {
    /// No type, or one that does not decide how the text is read.
    Unknown = 0,
    /// A string: every character as it is written.
    String = 1,
    /// An object or an array.
    Container = 2,
    /// A boolean, which may be written as Python does.
    Boolean = 3,
    /// Something else that the schema names. In `<parameter>` it is read as `Unknown` is; an
    /// element of that name is a parameter, which it is not where nothing is known.
    Named = 4,
}
}

/// How the value's text is read just now.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "debug", derive(serde::Serialize))]
pub(super) enum Form {
    /// Undecided: buffered, until it fails to be JSON or ends.
    Guess,
    /// A string; white space at its end is buffered while trimming.
    String,
    /// A string as it is written.
    Verbatim,
    /// Declared an object or array, nothing but white space read so far.
    Container,
    /// JSON that goes out as it comes.
    Json,
}

#[derive(Clone, Copy, Debug)]
#[cfg_attr(feature = "debug", derive(serde::Serialize))]
pub(super) struct Value {
    pub(super) form: Form,
    json: Recogniser,
    /// Units of white space at the end of what was read.
    pub(super) spaces: u32,
    /// Units buffered by a guess.
    held: u32,
    /// How many digits it has, if nothing else.
    digits: Option<u32>,
    /// A `<` was read that may begin the closing tag: whether the text before it is JSON,
    is_json_before: bool,
    /// and whether it still can be when the `<` turns out to be text.
    goes_on_as_json: bool,
    /// Whether nothing but white space was read of a value that goes out as it is written.
    pub(super) is_at_front: bool,
    /// The schema names its type.
    is_declared: bool,
    /// The opening quote of a string went out.
    pub(super) is_quoted: bool,
    word: Word,
    pub(super) openers: Openers,
    pub(super) cdata: Cdata,
    /// Where the text of its CDATA ended that is still pending.
    pub(super) section_end: u32,
    /// Text follows its CDATA: only what ends it is a tag.
    pub(super) is_followed: bool,
}

/// What is known of the opening tags in a value (`openers.rs`).
#[derive(Clone, Copy, Debug)]
#[cfg_attr(feature = "debug", derive(serde::Serialize))]
pub(super) struct Openers {
    /// Nothing but blanks was read since a line of the value began: at the end of the last stretch,
    pub(super) is_at_line: bool,
    /// and before the tag that is being read.
    pub(super) is_tag_at_line: bool,
    /// White space at the end of that tag.
    pub(super) spaces: u32,
    /// One of a call was read,
    pub(super) have_call: bool,
    /// the caller is asked about one of a parameter,
    pub(super) is_asked: bool,
    /// and one was read that begins a parameter.
    pub(super) have_parameter: bool,
}

impl Openers {
    pub(super) const NONE: Openers = Openers {
        is_at_line: false,
        is_tag_at_line: false,
        spaces: 0,
        have_call: false,
        is_asked: false,
        have_parameter: false,
    };

    /// A `<` was read.
    pub(super) fn begin_tag(&mut self, is_at_line: bool) {
        (self.is_tag_at_line, self.spaces) = (is_at_line, 0);
    }

    /// The caller's answer; false if it was not asked about such a tag.
    pub(super) fn answer(&mut self, declared: Declared) -> bool {
        let is_asked = std::mem::take(&mut self.is_asked);
        self.have_parameter |= is_asked && declared != Declared::Unknown;
        is_asked
    }
}

/// `True` and `False`, in any letters, where a boolean is declared and JSON has failed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "debug", derive(serde::Serialize))]
enum Word {
    Unexpected,
    Expected,
    Reading { is_true: bool, read: u8 },
    Failed,
}

const fn word(is_true: bool) -> &'static [u8] {
    if is_true { b"true" } else { b"false" }
}

impl Word {
    fn has_begun(self) -> bool {
        matches!(self, Word::Reading { .. } | Word::Failed)
    }

    fn after(self, byte: u8) -> Word {
        match self {
            // Small letters begin JSON.
            Word::Expected if matches!(byte, b'T' | b'F') => Word::Reading { is_true: byte == b'T', read: 1 },
            Word::Expected if byte.is_ascii_whitespace() => Word::Expected,
            Word::Expected | Word::Unexpected => Word::Unexpected,
            Word::Reading { is_true, read } => match word(is_true).get(usize::from(read)) {
                Some(next) if byte.to_ascii_lowercase() == *next => Word::Reading { is_true, read: read + 1 },
                None if byte.is_ascii_whitespace() => self,
                Some(_) | None => Word::Failed,
            },
            Word::Failed => Word::Failed,
        }
    }
}

impl Value {
    pub(super) const START: Value = Value {
        form: Form::Guess,
        json: Recogniser::START,
        spaces: 0,
        held: 0,
        digits: Some(0),
        is_json_before: false,
        goes_on_as_json: true,
        is_at_front: true,
        is_declared: false,
        is_quoted: false,
        word: Word::Unexpected,
        openers: Openers::NONE,
        cdata: Cdata::Outside,
        section_end: 0,
        is_followed: false,
    };

    pub(super) fn declare(&mut self, declared: Declared) {
        self.form = match declared {
            Declared::Unknown | Declared::Boolean | Declared::Named => Form::Guess,
            Declared::String => Form::Verbatim,
            Declared::Container => Form::Container,
        };
        self.is_declared = declared != Declared::Unknown;
        self.word = if declared == Declared::Boolean { Word::Expected } else { Word::Unexpected };
    }

    /// Its text is literal from here on, and a string if the schema doesn't say what it is.
    pub(super) fn begin_literal(&mut self) {
        self.is_at_front = false;
        if self.form == Form::Guess && !self.is_declared {
            self.form = Form::Verbatim;
        }
    }

    /// Whether nothing but white space was read.
    pub(super) fn is_at_start(&self) -> bool {
        self.json.is_at_start() && !self.word.has_begun()
    }

    /// A piece of text ends in white space, or is nothing else.
    pub(super) fn ends_in(&mut self, spaces: u32, is_all: bool) {
        self.spaces = if is_all { self.spaces.saturating_add(spaces) } else { spaces };
    }

    /// Reads a guess up to a `<`, or to what decides for a string. Gives how many bytes were read.
    pub(super) fn guess(&mut self, text: &[u8], trims: bool) -> usize {
        let mut read = 0;
        while let Some(rest) = text.get(read..).filter(|rest| !matches!(rest.first(), None | Some(b'<')))
            && self.form == Form::Guess
        {
            read += self.guess_next(rest, trims);
        }
        read
    }

    /// Reads what comes next in a guess, which is not `<`: a string's inside,
    /// white space, or one byte. Gives how many bytes were read: none when the
    /// byte decides for a string, which is then read again as one.
    pub(super) fn guess_next(&mut self, text: &[u8], trims: bool) -> usize {
        let string = self.guess_string(text);
        if string > 0 {
            return string;
        }
        let Some(&byte) = text.first() else { return 0 };
        let space = if trims { whitespace_len(text) } else { 0 };
        if space > 0 {
            // White space that JSON doesn't know is trimmed all the same.
            self.guess_byte(if space > 1 { b' ' } else { byte });
            self.spaces += 1;
            return space;
        }
        self.guess_byte(byte);
        self.spaces = 0;
        self.digits = self.digits.filter(|_| byte.is_ascii_digit()).map(|digits| digits + 1);
        usize::from(self.form == Form::Guess)
    }

    /// As much of a string's inside as needs no decision: the same as that many
    /// bytes one by one, and faster. Gives how many they are.
    fn guess_string(&mut self, text: &[u8]) -> usize {
        if !self.json.is_in_string() {
            return 0;
        }
        let is_plain = |byte: &&u8| **byte >= 0x20 && !matches!(**byte, b'"' | b'\\' | b'<');
        let room = (LONGEST_VALUE - self.held.min(LONGEST_VALUE)) as usize;
        let mut count = text.iter().take(room).take_while(is_plain).count();
        // A character that the bound would cut is left to the next call.
        while count > 0 && text.get(count).is_some_and(|byte| byte & 0xC0 == 0x80) {
            count -= 1;
        }
        let plain = text.get(..count).unwrap_or_default();
        let tail = whitespace_tail(plain);
        let spaces = utf16_len(plain.get(count - tail..).unwrap_or_default());
        self.ends_in(spaces, tail == count);
        self.held += utf16_len(plain);
        count
    }

    fn guess_byte(&mut self, byte: u8) {
        self.held += units_of(byte);
        self.word = self.word.after(byte);
        let goes_on = if self.word.has_begun() { self.word != Word::Failed } else { self.json.step(byte) };
        if !goes_on || self.held > LONGEST_VALUE {
            self.form = Form::String;
        }
    }

    /// A `<` was read: perhaps the closing tag, perhaps text.
    pub(super) fn tag_begins(&mut self) {
        if self.form == Form::Guess {
            self.is_json_before = self.is_json();
            self.goes_on_as_json = true;
            self.tag_goes_on(b'<');
            if !self.goes_on_as_json && !self.is_json_before {
                self.form = Form::String;
            }
        }
    }

    /// A byte of what may be the closing tag, and may be text.
    // One copy of what it steps: only tags in values that may be JSON come here.
    #[inline(never)]
    pub(super) fn tag_goes_on(&mut self, byte: u8) {
        if self.form == Form::Guess && self.goes_on_as_json {
            self.held += units_of(byte);
            self.goes_on_as_json = !self.word.has_begun() && self.json.step(byte) && self.held <= LONGEST_VALUE;
        }
    }

    /// It was text, with `spaces` units of white space at its end.
    pub(super) fn tag_failed(&mut self, spaces: u32) {
        self.spaces = spaces;
        self.digits = None;
        if self.form == Form::Container || self.form == Form::Guess && !self.goes_on_as_json {
            self.form = Form::String;
        }
    }

    /// Whether the text before the closing tag is JSON that stays JSON.
    pub(super) fn is_json_at_closing_tag(&self) -> bool {
        self.is_json_before
    }

    /// Whether the text so far is JSON that stays JSON.
    // One copy: it is asked where a tag is, not for each byte.
    #[inline(never)]
    pub(super) fn is_json(&self) -> bool {
        self.boolean().is_some() || self.json.is_whole() && self.digits.is_none_or(|digits| digits < LONG_NUMBER)
    }

    /// The boolean that the text is a word for and JSON doesn't know.
    pub(super) fn boolean(&self) -> Option<bool> {
        match self.word {
            Word::Reading { is_true, read } => (usize::from(read) == word(is_true).len()).then_some(is_true),
            Word::Unexpected | Word::Expected | Word::Failed => None,
        }
    }

    /// Units of white space that stay back for now: more than the bound is text.
    pub(super) fn held_spaces(&self) -> u32 {
        if self.spaces > LONGEST_VALUE { 0 } else { self.spaces }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A guess after the pieces of a text, up to what decides for a string.
    fn after(pieces: &[&str]) -> Value {
        let mut value = Value::START;
        for piece in pieces {
            let mut rest = piece.as_bytes();
            while !rest.is_empty() && value.form == Form::Guess {
                let count = value.guess_next(rest, true);
                rest = rest.get(count..).unwrap_or_default();
            }
        }
        value
    }

    #[test]
    fn what_is_buffered_and_how_much_of_it_is_white_space() {
        for (pieces, held, spaces) in [
            (&["\"ab"][..], 3, 0),
            (&["\"ab  "], 5, 2),
            (&["\"ab ", "  "], 6, 3),
            (&["\"ab ", "c "], 6, 1),
            (&["\"é🙂\u{3000}"], 5, 1),
            (&["\"a\\n  "], 6, 2),
            (&["\"a\" "], 4, 1),
            (&["[1, "], 4, 1),
            (&["\u{3000}[1"], 3, 0),
        ] {
            let value = after(pieces);
            assert_eq!((value.held, value.spaces, value.form), (held, spaces, Form::Guess), "{pieces:?}");
        }
    }

    #[test]
    fn a_value_is_buffered_up_to_its_bound() {
        let room = LONGEST_VALUE as usize - 1;
        for (text, form) in [
            (format!("\"{}", "x".repeat(room)), Form::Guess),
            (format!("\"{}", "x".repeat(room + 1)), Form::String),
            (format!("\"{}", "é".repeat(room)), Form::Guess),
            (format!("\"{}", "é".repeat(room + 1)), Form::String),
            // Two units; only one fits.
            (format!("\"{}🙂", "x".repeat(room - 1)), Form::String),
            (format!("[{}", " ".repeat(room)), Form::Guess),
            (format!("[{}", " ".repeat(room + 1)), Form::String),
        ] {
            assert_eq!(after(&[&text]).form, form, "{} bytes", text.len());
        }
        // White space whose first byte alone is within the bound.
        let value = after(&[&format!("\"{}\u{3000}", "x".repeat(room - 1))]);
        assert_eq!((value.held, value.spaces, value.form), (LONGEST_VALUE, 1, Form::Guess));
    }

    #[test]
    fn what_may_be_the_closing_tag_is_buffered_while_it_may_be_json() {
        let mut value = after(&["\"ab"]);
        value.tag_begins();
        value.tag_goes_on(b'/');
        assert_eq!((value.held, value.form), (5, Form::Guess));
        value.tag_failed(0);
        assert_eq!(value.form, Form::Guess);

        let mut value = after(&["[1]"]);
        value.tag_begins();
        value.tag_goes_on(b' ');
        value.tag_failed(0);
        assert_eq!(value.form, Form::String);
    }

    #[test]
    fn white_space_is_buffered_up_to_its_bound() {
        for (spaces, held) in [(0, 0), (LONGEST_VALUE, LONGEST_VALUE), (LONGEST_VALUE + 1, 0)] {
            assert_eq!(Value { spaces, ..Value::START }.held_spaces(), held);
        }
    }
}
