//! What stands around documents: prose, Markdown fences, thinking.
//!
//! ```text
//! fence    ::= '```' label line … '```'
//! thinking ::= '<think>' … '</think>' | '<thinking>' … '</thinking>'
//! ```
//!
//! Source: spec/field.md, "Finding the document". Nothing of it is emitted, so
//! nothing of it is buffered.

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
    /// In what may be a tag.
    Tag(Prefix),
}

/// How likely a document at a place is the one that is meant.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[cfg_attr(feature = "debug", derive(serde::Serialize))]
#[repr(u8)]
pub(super) enum Rank {
    /// Whatever else comes is better.
    Weak = 0,
    /// In the middle of prose, or of a fence for another language.
    Prose = 1,
    /// In a fence without a label, or with nothing before it.
    Clear = 2,
    /// In a fence with a JSON label.
    Labelled = 3,
}

impl Rank {
    /// Whether a document of this rank that was emitted is withdrawn for one of another.
    pub(super) fn gives_way_to(self, other: Rank) -> bool {
        match self {
            Rank::Weak => true,
            Rank::Prose => other == Rank::Labelled,
            Rank::Clear | Rank::Labelled => false,
        }
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
    /// `</think>` without its opening tag: all before it was thinking.
    EndOfThinking,
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
}

impl Prose {
    pub(super) const START: Prose = Prose { state: State::Text, fence: Fence::No, is_thinking: false, has_text: false };

    /// Whether text without bracket, backtick and `<` changes nothing.
    pub(super) fn is_plain(&self) -> bool {
        self.state == State::Text && (self.has_text || self.is_thinking)
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

    /// A document was read here, and another may follow.
    pub(super) fn has_read_document(&mut self) {
        self.state = State::Text;
        self.has_text = false;
    }

    /// What looked like a document was read here.
    pub(super) fn has_read_text(&mut self) {
        self.state = State::Text;
        self.has_text = true;
    }

    /// Reads up to something that matters, or to the end of the stretch.
    pub(super) fn read(&mut self, text: &mut Stretch<'_>) -> Option<Sight> {
        while let Some(&byte) = text.rest().first() {
            self.end_of_mark(byte);
            // White space that isn't ASCII, and a byte order mark.
            let space = if byte >= 0x80 { whitespace_len(text.rest()) } else { 0 };
            if space > 0 && self.state == State::Text {
                text.set_at(text.at() + space);
                continue;
            }
            if matches!(byte, b'{' | b'[') && !self.is_thinking {
                return Some(Sight::Bracket);
            }
            text.set_at(text.at() + 1);
            if self.step(byte) {
                return Some(Sight::EndOfThinking);
            }
        }
        None
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
                self.state = State::Text;
                self.was_text();
            }
            State::Text | State::Backticks(_) | State::Label(..) | State::Tag(_) => {}
        }
    }

    /// One byte; true if all before it was thinking.
    fn step(&mut self, byte: u8) -> bool {
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
            State::Tag(tag) => {
                let tag = TAGS.step(tag, byte);
                if let Some(class) = TAGS.exact(tag) {
                    return self.tag(class);
                }
                if tag.is_alive() {
                    self.state = State::Tag(tag);
                } else {
                    self.was_text();
                    self.state = State::Text;
                    self.begin(byte);
                }
            }
            State::Text | State::Backticks(_) => self.begin(byte),
        }
        false
    }

    fn begin(&mut self, byte: u8) {
        match (byte, self.state) {
            (b'`', State::Backticks(read)) => self.state = State::Backticks(read + 1),
            (b'`', _) if !self.is_thinking => self.state = State::Backticks(1),
            (b'<', _) => self.state = State::Tag(TAGS.step(TAGS.start(), byte)),
            (b' ' | b'\t' | b'\n' | b'\r', _) => {}
            _ => self.was_text(),
        }
    }

    /// What is thought doesn't count.
    fn was_text(&mut self) {
        self.has_text |= !self.is_thinking;
    }

    /// A tag was read.
    fn tag(&mut self, class: u8) -> bool {
        self.state = State::Text;
        if class == OPENS {
            self.is_thinking = true;
            return false;
        }
        let had_opener = std::mem::replace(&mut self.is_thinking, false);
        if !had_opener {
            *self = Prose::START;
        }
        !had_opener
    }
}
