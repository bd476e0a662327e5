//! What stands around documents: prose, Markdown code, thinking.
//!
//! ```text
//! label    ::= '```' word | '~~~' word, or longer
//! thinking ::= '<think>' … '</think>' | '<thinking>' … '</thinking>'
//! ```
//!
//! Source: spec/field.md, "Finding the document"; spec/world.md, 1.3, 1.5 and 2.
//! Nothing of it is emitted, so nothing of it is buffered but what may be in inline code.
//!
//! An opening tag counts at the start of a line and after other thinking, but not
//! in code (`code.rs`). The strings of what looked like a document but is not one, or not the
//! one that is meant, are not searched (`shell.rs`).
//!
//! Differences from CommonMark: models write `Here it is: ```json` too, with the document
//! on the next lines. That is inline code, but it is searched like a fence.

use super::code::Code;
use super::shell::Shell;
use crate::markdown::{FENCE, Standing};
use crate::reasoning::{LITERALS, OPENS};
use crate::scan::{Entry, Literals, Prefix, find_any};
use crate::text::{Stretch, whitespace_len};

/// What ends prose that changes nothing.
pub(super) const STOPS: [u8; 7] = *b"{[`<\\\n\r";

/// The labels of a fence with JSON in it, or with lines of JSON.
const LABELS: Literals<'static> = Literals {
    bytes: b"jsonjson5jsoncjsonl",
    entries: &[
        Entry { start: 0, len: 4, class: JSON },
        Entry { start: 4, len: 5, class: JSON },
        Entry { start: 9, len: 5, class: JSON },
        Entry { start: 14, len: 5, class: LINES },
    ],
};

const JSON: u8 = 0;
const LINES: u8 = 1;

/// The fence around the place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "debug", derive(serde::Serialize))]
enum Fence {
    /// None.
    No,
    /// One with a JSON label.
    Json,
    /// One with the label of JSON lines.
    Lines,
    /// One without a label.
    Plain,
    /// One with another label.
    Other,
}

/// How much of a fence was read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "debug", derive(serde::Serialize))]
enum Opening {
    /// No fence, or one whose first line is over.
    No,
    /// Its label.
    Label,
    /// The rest of the label's line.
    Info,
    /// Its first line.
    Line,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "debug", derive(serde::Serialize))]
enum State {
    Text,
    /// In a run of backticks or tildes.
    Marks {
        byte: u8,
        count: u8,
    },
    /// In an opening fence's label.
    Label(Prefix, Fence),
    /// In what may be a tag, and whether thinking may begin with it.
    Tag {
        tag: Prefix,
        opens: bool,
    },
}

/// How likely a document at a place is the one that is meant.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[repr(u8)]
#[cfg_attr(feature = "debug", derive(serde::Serialize))]
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
    /// A bracket or a tag, which is not read yet. Whether it is in inline code depends on what follows.
    Quoted,
    /// `{` or `[`, which is not read yet.
    Bracket,
    /// The first of a fence's text, which is not read yet.
    Fenced,
    /// The end of thinking.
    EndOfThinking,
    /// The end of thinking that no tag has opened: all before it was thinking.
    UnopenedEnd,
}

/// Reads what comes outside of documents.
#[derive(Clone, Copy, Debug)]
#[cfg_attr(feature = "debug", derive(serde::Serialize))]
pub(super) struct Prose {
    state: State,
    /// What is thought is no part of it.
    pub(super) code: Code,
    /// Whether brackets in code are text.
    pub(super) skips_code: bool,
    /// Whether the text of fences is searched for.
    pub(super) seeks_fences: bool,
    opening: Opening,
    /// The last label, the marks before it, and whether its line has ended.
    label: Fence,
    marks: u8,
    has_line: bool,
    /// The fence around the last bracket.
    fence: Fence,
    pub(super) is_thinking: bool,
    /// Whether anything but white space, fences and thinking was read.
    has_text: bool,
    /// Whether thinking may begin here: at the start of a line, or after other thinking.
    is_at_start: bool,
    /// An opening tag was text, and so is its closing tag.
    has_opening_text: bool,
    pub(super) shell: Shell,
}

impl Prose {
    pub(super) const START: Prose = Prose {
        state: State::Text,
        code: Code::START,
        skips_code: false,
        seeks_fences: false,
        opening: Opening::No,
        label: Fence::No,
        marks: b'`',
        has_line: false,
        fence: Fence::No,
        is_thinking: false,
        has_text: false,
        is_at_start: true,
        has_opening_text: false,
        shell: Shell::OUTSIDE,
    };

    /// Whether text without [`STOPS`] changes nothing.
    pub(super) fn is_plain(&self) -> bool {
        let is_settled = self.has_text && !self.is_at_start && self.code.is_plain() || self.is_thinking;
        self.state == State::Text && !self.shell.is_inside() && is_settled
    }

    /// How likely a document at the last bracket is the one that is meant.
    pub(super) fn rank(&self) -> Rank {
        match self.fence {
            Fence::Json | Fence::Lines => Rank::Labelled,
            Fence::Plain => Rank::Clear,
            Fence::No if !self.has_text => Rank::Clear,
            Fence::No | Fence::Other => Rank::Prose,
        }
    }

    /// What ends the fence around the last bracket, and so a document in it that is cut off.
    pub(super) fn end_of_fence(&self) -> &'static [u8] {
        match (self.fence, self.marks) {
            (Fence::No, _) => b"",
            (_, b'~') => b"~~~",
            _ => FENCE,
        }
    }

    /// What begins at the last bracket was passed over, as a part of its line.
    pub(super) fn pass_candidate(&mut self) {
        if !self.is_thinking {
            self.code.pass_segment();
        }
    }

    /// The last bracket itself was.
    pub(super) fn pass_bracket(&mut self) {
        if !self.is_thinking {
            self.code.step(b'{');
        }
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
        self.shell.pass_value();
    }

    /// Forgets the first `units` units.
    pub(super) fn release(&mut self, units: u32) {
        self.shell.release(units);
        self.code.release(units);
    }

    /// Reads up to something that matters, or to the end of the stretch.
    pub(super) fn read(&mut self, text: &mut Stretch<'_>) -> Option<Sight> {
        loop {
            if self.is_plain() {
                text.pass(find_any(text.rest(), STOPS).unwrap_or(text.rest().len()));
            }
            let &byte = text.rest().first()?;
            if self.shell.has_string(byte, !self.is_thinking, text) {
                self.pass(byte, text);
                continue;
            }
            self.end_of_mark(byte);
            if self.opening != Opening::No && self.begins_fence(byte) {
                return Some(Sight::Fenced);
            }
            // White space that isn't ASCII, and a byte order mark.
            let space = if byte >= 0x80 { whitespace_len(text.rest()) } else { 0 };
            if space > 0 && self.state == State::Text {
                for _ in 0..space {
                    let byte = text.rest().first().copied().unwrap_or_default();
                    self.pass(byte, text);
                }
                continue;
            }
            match byte {
                b'{' | b'[' => match self.standing(text.here()) {
                    Standing::Plain => return Some(Sight::Bracket),
                    Standing::Open => return Some(Sight::Quoted),
                    Standing::Code => {}
                },
                b'<' if !self.is_thinking => match self.code.look(text.here()) {
                    Standing::Plain => {}
                    Standing::Open => return Some(Sight::Quoted),
                    Standing::Code => {
                        self.state = State::Text;
                        self.is_at_start = false;
                        self.was_text();
                        self.pass(byte, text);
                        continue;
                    }
                },
                _ => {}
            }
            let sight = self.step(byte);
            self.pass(byte, text);
            if sight.is_some() {
                self.begin_reply();
                return sight;
            }
        }
    }

    /// Whether the text of a fence begins with a byte.
    fn begins_fence(&mut self, byte: u8) -> bool {
        let before = self.opening;
        self.opening = match (before, byte) {
            (Opening::Label | Opening::Info, b'\n' | b'\r') => Opening::Line,
            (_, b' ' | b'\t' | b'\n' | b'\r') => before,
            (Opening::Label, _) => Opening::Info,
            (Opening::Info, _) => Opening::Info,
            (Opening::No | Opening::Line, _) => Opening::No,
        };
        let is_text = !matches!(byte, b' ' | b'\t' | b'\n' | b'\r' | b'`' | b'~' | b'{' | b'[');
        is_text && before != Opening::Info && self.state == State::Text && self.is_in_searched_fence()
    }

    /// Whether the last label is of a fence that may have the value.
    fn is_in_searched_fence(&mut self) -> bool {
        self.fence = self.label;
        matches!(self.fence, Fence::Json | Fence::Plain)
    }

    /// Whether a bracket is in code, where that matters.
    fn standing(&mut self, here: u32) -> Standing {
        if self.is_thinking {
            self.fence = Fence::No;
            return Standing::Plain;
        }
        let standing = self.code.standing();
        let is_line = standing == Standing::Code || self.has_line || !self.skips_code;
        self.fence = if standing == Standing::Plain || !is_line { Fence::No } else { self.label };
        match self.fence {
            _ if !self.skips_code => Standing::Plain,
            Fence::Json | Fence::Plain => Standing::Plain,
            Fence::No | Fence::Lines | Fence::Other => self.code.look(here),
        }
    }

    /// Thinking has ended, and the reply begins.
    fn begin_reply(&mut self) {
        self.code.pass_segment();
        self.code.step(b'\n');
    }

    /// Passes a byte.
    fn pass(&mut self, byte: u8, text: &mut Stretch<'_>) {
        if !self.is_thinking {
            self.code.step(byte);
        }
        text.set_at(text.at() + 1);
    }

    /// Whether thinking ends in text that is read as a document; then after how many bytes.
    pub(super) fn end_of_thinking(&mut self, bytes: &[u8]) -> Option<usize> {
        for (at, &byte) in bytes.iter().enumerate() {
            if self.step(byte).is_some() {
                self.begin_reply();
                return Some(at + 1);
            }
        }
        None
    }

    /// Marks, and their label, may end before a byte that isn't part of them.
    fn end_of_mark(&mut self, byte: u8) {
        if let State::Marks { byte: mark, count } = self.state
            && byte != mark
        {
            if count < 3 {
                self.state = State::Text;
                self.was_text();
            } else {
                self.state = State::Label(LABELS.start(), Fence::Plain);
                (self.marks, self.has_line) = (mark, false);
            }
        }
        if let State::Label(label, seen) = self.state
            && !byte.is_ascii_alphanumeric()
            && !(seen == Fence::Plain && matches!(byte, b' ' | b'\t'))
        {
            let is_end = matches!(byte, b'\n' | b'\r' | b' ' | b'\t' | b'{' | b'[');
            self.label = match LABELS.exact(label) {
                _ if !is_end => Fence::Other,
                Some(JSON) => Fence::Json,
                Some(_) => Fence::Lines,
                None => seen,
            };
            if self.seeks_fences {
                self.opening = Opening::Label;
            }
            self.state = State::Text;
        }
    }

    /// One byte, which may end thinking.
    fn step(&mut self, byte: u8) -> Option<Sight> {
        let may_open = self.is_at_start;
        match byte {
            b'\n' | b'\r' => {
                self.is_at_start = true;
                self.has_line = true;
            }
            b' ' | b'\t' => {}
            _ => self.is_at_start = false,
        }
        match self.state {
            State::Label(label, _) if byte.is_ascii_alphanumeric() => {
                self.state = State::Label(LABELS.step(label, byte.to_ascii_lowercase()), Fence::Other);
            }
            // White space before it.
            State::Label(..) => {}
            State::Marks { byte, count } => self.state = State::Marks { byte, count: count.saturating_add(1) },
            State::Tag { tag, opens } => {
                let tag = LITERALS.step(tag, byte);
                if let Some(class) = LITERALS.exact(tag) {
                    return self.tag(class, opens);
                }
                if tag.is_alive() {
                    self.state = State::Tag { tag, opens };
                } else {
                    self.was_text();
                    self.state = State::Text;
                    self.begin(byte, false);
                }
            }
            State::Text => self.begin(byte, may_open),
        }
        None
    }

    fn begin(&mut self, byte: u8, may_open: bool) {
        match byte {
            b'`' | b'~' if !self.is_thinking => self.begin_marks(byte),
            b'<' => {
                let tag = LITERALS.step(LITERALS.start(), byte);
                self.state = State::Tag { tag, opens: may_open };
            }
            b' ' | b'\t' | b'\n' | b'\r' => {}
            _ => self.was_text(),
        }
    }

    /// The first of some marks, which may have a label after them.
    fn begin_marks(&mut self, byte: u8) {
        match self.code.standing() {
            Standing::Code => return self.was_text(),
            Standing::Plain => self.label = Fence::No,
            Standing::Open => {}
        }
        self.state = State::Marks { byte, count: 1 };
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
            self.shell.leave();
            return Some(Sight::EndOfThinking);
        }
        if std::mem::take(&mut self.has_opening_text) {
            self.was_text();
            return None;
        }
        *self = Prose { skips_code: self.skips_code, seeks_fences: self.seeks_fences, ..Prose::START };
        Some(Sight::UnopenedEnd)
    }
}
