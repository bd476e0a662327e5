//! What stands around documents: prose, Markdown fences, thinking.
//!
//! ```text
//! fence    ::= '```' label line … '```'
//! thinking ::= '<think>' … '</think>' | '<thinking>' … '</thinking>'
//! ```
//!
//! Source: spec/field.md, "Finding the document"; spec/world.md, 1.3 and 1.5.
//! Nothing of it is emitted, so nothing of it is buffered.
//!
//! An opening tag counts at the start of a line and after other thinking, but not
//! in code. The strings of what looked like a document but is not one, or not the
//! one that is meant, are not searched (`Shell`).

use crate::scan::{Entry, Literals, Prefix};
use crate::text::{Stretch, whitespace_len};

/// The tags of thinking, sorted, and whether each closes.
const TAGS: Literals<'static> = Literals {
    bytes: b"</think></thinking><think><thinking>",
    entries: &[
        Entry { start: 0, len: 8, class: CLOSES },
        Entry { start: 8, len: 11, class: CLOSES },
        Entry { start: 19, len: 7, class: OPENS },
        Entry { start: 26, len: 10, class: OPENS },
    ],
};

const OPENS: u8 = 0;
const CLOSES: u8 = 1;

/// The labels of a fence with JSON in it.
const LABELS: Literals<'static> = Literals {
    bytes: b"jsonjson5jsoncjsonl",
    entries: &[
        Entry { start: 0, len: 4, class: 0 },
        Entry { start: 4, len: 5, class: 0 },
        Entry { start: 9, len: 5, class: 0 },
        Entry { start: 14, len: 5, class: 0 },
    ],
};

/// The fence around the place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "debug", derive(serde::Serialize))]
enum Fence {
    /// None.
    No,
    /// One with a JSON label.
    Json,
    /// One without a label.
    Plain,
    /// One with another label.
    Other,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "debug", derive(serde::Serialize))]
enum State {
    Text,
    /// So many backticks were read.
    Backticks(u8),
    /// In an opening fence's label.
    Label(Prefix, Fence),
    /// In what may be a tag, and whether thinking may begin with it.
    Tag(Prefix, bool),
}

/// Inside of brackets that are no document, or not the one that is meant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "debug", derive(serde::Serialize))]
enum Shell {
    /// Not inside.
    No,
    /// Between strings, and whether one may begin.
    Between { expects: bool },
    /// In a string, by its quote.
    String(u8),
    /// After a backslash in it.
    Escape(u8),
}

/// How likely a document at a place is the one that is meant.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[cfg_attr(feature = "debug", derive(serde::Serialize))]
#[repr(u8)]
pub(super) enum Rank {
    /// Whatever else comes is better.
    Weak = 0,
    /// In the middle of prose, with something in it that can't be read.
    Faulty = 1,
    /// In the middle of prose, or of a fence for another language.
    Prose = 2,
    /// In a fence without a label, or with nothing before it.
    Clear = 3,
    /// In a fence with a JSON label.
    Labelled = 4,
}

impl Rank {
    /// Whether a document of this rank that was emitted is withdrawn for one of another.
    pub(super) fn gives_way_to(self, other: Rank) -> bool {
        match self {
            Rank::Weak | Rank::Faulty => true,
            Rank::Prose => other == Rank::Labelled,
            Rank::Clear | Rank::Labelled => false,
        }
    }

    /// The rank of the same document with something in it that can't be read.
    pub(super) fn with_fault(self) -> Rank {
        if self == Rank::Prose { Rank::Faulty } else { self }
    }

    /// Whether it is meant, if no schema says otherwise.
    pub(super) fn is_clear(self) -> bool {
        self >= Rank::Clear
    }
}

/// What the scanner stopped at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Sight {
    /// `{` or `[`, which is not read yet.
    Bracket,
    /// The end of thinking.
    EndOfThinking,
    /// The same without its opening tag: all before it was thinking.
    UnopenedEnd,
}

/// Reads what comes outside of documents.
#[derive(Clone, Copy, Debug)]
#[cfg_attr(feature = "debug", derive(serde::Serialize))]
pub(super) struct Prose {
    state: State,
    fence: Fence,
    is_thinking: bool,
    /// Whether anything but white space, fences and thinking was read.
    has_text: bool,
    /// Whether thinking may begin here: at the start of a line, or after other thinking.
    is_at_start: bool,
    /// Whether the place is in inline code.
    is_in_code: bool,
    /// An opening tag was text, and so is its closing tag.
    has_opening_text: bool,
    shell: Shell,
    /// How many brackets are open in it.
    levels: u16,
    /// What begins before this place in it as a string is one.
    sound_until: u32,
}

impl Prose {
    pub(super) const START: Prose = Prose {
        state: State::Text,
        fence: Fence::No,
        is_thinking: false,
        has_text: false,
        is_at_start: true,
        is_in_code: false,
        has_opening_text: false,
        shell: Shell::No,
        levels: 0,
        sound_until: 0,
    };

    /// The start of a reply whose thinking was opened before it.
    pub(super) fn start_with_thinking(&mut self) {
        self.is_thinking = true;
    }

    pub(super) fn is_thinking(&self) -> bool {
        self.is_thinking
    }

    /// Whether text without bracket, backtick and `<` changes nothing.
    pub(super) fn is_plain(&self) -> bool {
        let is_settled = self.has_text && !self.is_at_start && !self.is_in_code || self.is_thinking;
        self.state == State::Text && self.shell == Shell::No && is_settled
    }

    /// How likely a document here is the one that is meant.
    pub(super) fn rank(&self) -> Rank {
        match self.fence {
            Fence::Json => Rank::Labelled,
            Fence::Plain => Rank::Clear,
            Fence::No if !self.has_text => Rank::Clear,
            Fence::No | Fence::Other => Rank::Prose,
        }
    }

    /// What ends the fence around the place, and so a document in it that is cut off.
    pub(super) fn end_of_fence(&self) -> &'static [u8] {
        if self.fence == Fence::No { b"" } else { b"```" }
    }

    /// A document was read here, and another may follow.
    pub(super) fn has_read_document(&mut self) {
        self.has_read_text();
        self.has_text = false;
    }

    /// What looked like a document was read here.
    pub(super) fn has_read_text(&mut self) {
        self.state = State::Text;
        self.was_text();
        self.is_at_start = false;
        if self.shell != Shell::No {
            self.shell = Shell::Between { expects: false };
        }
    }

    /// Forgets the first `units` units.
    pub(super) fn release(&mut self, units: u32) {
        if self.sound_until != u32::MAX {
            self.sound_until = self.sound_until.saturating_sub(units);
        }
    }

    /// The search goes on after the bracket of something else, whose strings are strings up to a place.
    pub(super) fn enter_shell(&mut self, sound_until: u32) {
        if self.shell == Shell::No {
            self.levels = 0;
        }
        self.levels = self.levels.saturating_add(1);
        let is_outer = self.levels == 1;
        self.sound_until = if is_outer { sound_until } else { self.sound_until.max(sound_until) };
        self.shell = Shell::Between { expects: true };
    }

    /// The search goes on after a bracket that can't begin the document. It may be prose.
    pub(super) fn enter_other(&mut self) {
        match self.shell {
            Shell::No => self.enter_shell(u32::MAX),
            Shell::Between { .. } | Shell::String(_) | Shell::Escape(_) => {
                self.levels = self.levels.saturating_add(1);
                self.shell = Shell::Between { expects: true };
            }
        }
    }

    /// The search goes on after the quote of a string in it.
    pub(super) fn enter_string(&mut self, quote: u8) {
        self.enter_shell(u32::MAX);
        self.shell = Shell::String(quote);
    }

    /// A document is read, whatever it was in.
    pub(super) fn leave_shell(&mut self) {
        self.shell = Shell::No;
    }

    /// Reads up to something that matters, or to the end of the stretch.
    pub(super) fn read(&mut self, text: &mut Stretch<'_>) -> Option<Sight> {
        while let Some(&byte) = text.rest().first() {
            if self.is_in_string(byte, text) {
                text.set_at(text.at() + 1);
                continue;
            }
            self.end_of_mark(byte);
            // White space that isn't ASCII, and a byte order mark.
            let space = if byte >= 0x80 { whitespace_len(text.rest()) } else { 0 };
            if space > 0 && self.state == State::Text {
                text.set_at(text.at() + space);
                continue;
            }
            if matches!(byte, b'{' | b'[') {
                return Some(Sight::Bracket);
            }
            text.set_at(text.at() + 1);
            let sight = self.step(byte);
            if sight.is_some() {
                return sight;
            }
        }
        None
    }

    /// Whether thinking ends in text that is read as a document; then after how many bytes.
    pub(super) fn end_of_thinking(&mut self, bytes: &[u8]) -> Option<usize> {
        for (at, &byte) in bytes.iter().enumerate() {
            if self.step(byte).is_some() {
                return Some(at + 1);
            }
        }
        None
    }

    /// Whether a byte is part of a string that is not searched.
    fn is_in_string(&mut self, byte: u8, text: &mut Stretch<'_>) -> bool {
        match self.shell {
            Shell::No => return false,
            // Brackets in a string are skipped, and a string that is never closed ends with its line.
            Shell::String(_) | Shell::Escape(_) if matches!(byte, b'\n' | b'\r') => self.shell = Shell::No,
            Shell::Escape(quote) => self.shell = Shell::String(quote),
            Shell::String(quote) if byte == b'\\' => self.shell = Shell::Escape(quote),
            Shell::String(quote) if byte == quote => self.shell = Shell::Between { expects: false },
            Shell::String(_) => {}
            Shell::Between { expects } => return self.is_between_strings(byte, expects, text),
        }
        self.shell != Shell::No
    }

    fn is_between_strings(&mut self, byte: u8, expects: bool, text: &mut Stretch<'_>) -> bool {
        match byte {
            b'"' | b'\'' if expects && !self.is_thinking && text.here() < self.sound_until => {
                self.shell = Shell::String(byte);
                return true;
            }
            b' ' | b'\t' | b'\n' | b'\r' => {}
            b',' | b':' => self.shell = Shell::Between { expects: true },
            b'}' | b']' => {
                self.levels -= 1;
                self.shell = if self.levels == 0 { Shell::No } else { Shell::Between { expects: false } };
            }
            b'{' | b'[' => {}
            // What was not read as JSON must look like it.
            _ if self.sound_until == u32::MAX && byte.is_ascii_alphabetic() && !b"truefalsn".contains(&byte) => {
                self.shell = Shell::No;
            }
            _ if byte.is_ascii_alphanumeric() || b"_$-+.".contains(&byte) => {
                self.shell = Shell::Between { expects: false };
            }
            _ => self.shell = Shell::No,
        }
        false
    }

    /// A mark may end before a byte that isn't part of it.
    fn end_of_mark(&mut self, byte: u8) {
        match self.state {
            State::Label(label, seen) if !byte.is_ascii_alphanumeric() => {
                let is_json = LABELS.exact(label).is_some();
                let is_more = !matches!(byte, b'\n' | b'\r' | b' ' | b'\t' | b'{' | b'[');
                self.fence = if is_json && !is_more {
                    Fence::Json
                } else if is_more {
                    Fence::Other
                } else {
                    seen
                };
                self.state = State::Text;
            }
            State::Backticks(_) if byte != b'`' => {
                self.is_in_code = !self.is_in_code;
                self.state = State::Text;
                self.was_text();
            }
            State::Text | State::Backticks(_) | State::Label(..) | State::Tag(..) => {}
        }
    }

    /// One byte, which may end thinking.
    fn step(&mut self, byte: u8) -> Option<Sight> {
        let may_open = self.is_at_start && !self.is_in_code && self.fence == Fence::No;
        match byte {
            b'\n' | b'\r' => {
                self.is_at_start = true;
                self.is_in_code = false;
            }
            b' ' | b'\t' => {}
            _ => self.is_at_start = false,
        }
        match self.state {
            State::Label(label, _) => {
                self.state = State::Label(LABELS.step(label, byte.to_ascii_lowercase()), Fence::Other);
            }
            State::Backticks(2) => {
                // The third one.
                let closes = self.fence != Fence::No;
                self.fence = Fence::No;
                self.state = if closes { State::Text } else { State::Label(LABELS.start(), Fence::Plain) };
            }
            State::Tag(tag, opens) => {
                let tag = TAGS.step(tag, byte);
                if let Some(class) = TAGS.exact(tag) {
                    return self.tag(class, opens);
                }
                if tag.is_alive() {
                    self.state = State::Tag(tag, opens);
                } else {
                    self.was_text();
                    self.state = State::Text;
                    self.begin(byte, false);
                }
            }
            State::Text | State::Backticks(_) => self.begin(byte, may_open),
        }
        None
    }

    fn begin(&mut self, byte: u8, may_open: bool) {
        match (byte, self.state) {
            (b'`', State::Backticks(read)) => self.state = State::Backticks(read + 1),
            (b'`', _) if !self.is_thinking => self.state = State::Backticks(1),
            (b'<', _) => self.state = State::Tag(TAGS.step(TAGS.start(), byte), may_open),
            (b' ' | b'\t' | b'\n' | b'\r', _) => {}
            _ => self.was_text(),
        }
    }

    /// What is thought doesn't count.
    fn was_text(&mut self) {
        self.has_text |= !self.is_thinking;
    }

    /// A tag was read.
    fn tag(&mut self, class: u8, opens: bool) -> Option<Sight> {
        self.state = State::Text;
        if class == OPENS {
            self.is_thinking |= opens;
            self.has_opening_text |= !self.is_thinking;
            self.was_text();
            return None;
        }
        if self.is_thinking {
            self.is_thinking = false;
            self.is_at_start = true;
            self.shell = Shell::No;
            return Some(Sight::EndOfThinking);
        }
        // The name of a tag in inline code is not one.
        if std::mem::take(&mut self.has_opening_text) || self.is_in_code {
            self.was_text();
            return None;
        }
        *self = Prose::START;
        Some(Sight::UnopenedEnd)
    }
}
