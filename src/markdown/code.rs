//! Where Markdown has code: fences and inline code, in which markup is text.
//!
//! ```text
//! fence  ::= white space, '>' and list markers, '```' or '~~~' or longer
//!            … the same again on a line of its own, or the end of its block quote or list item
//! inline ::= a run of backticks … a run of the same length in the same paragraph
//! ```
//!
//! One byte is read in two steps: what the byte decides of the text before it
//! (`enter`), and the byte itself (`pass`).
//!
//! Source: CommonMark 0.31, 4.5, 5.1, 5.2 and 6.1, and spec/world.md, 2.
//! Differences: a fence may follow any white space, so that indented code is text like any
//! other; HTML and links are not read; see also `spans.rs` and `containers.rs`.

use super::containers::{Container, Containers};
use super::rule::Rule;
use super::spans::{LONGEST_SPAN, Spans};

/// What text that changes nothing is without, where [`Code::is_plain`].
pub(crate) const STOPS: [u8; 4] = [b'`', b'\\', b'\n', b'\r'];

/// What ends a line.
pub(crate) const LINE_ENDS: [u8; 2] = [b'\n', b'\r'];

/// How far the text is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "debug", derive(serde::Serialize))]
enum Place {
    /// At the start of a line, or of what a container has in it: in white space.
    Start,
    /// `|>`
    Quote,
    /// `>|`, where one space belongs to it.
    AfterQuote,
    /// `|-`
    Bullet,
    /// `1|2.`
    Number { digits: u8, value: u32 },
    /// `-|`, `12.|`: an item's marker, if white space follows
    Marker { value: u32 },
    /// `-  |`, after a marker that ended at a column.
    AfterMarker { end: u16 },
    /// `##|`
    Hashes(u8),
    /// In a line.
    Line,
    /// In a run of backticks. `may_fence`: at the start of its line.
    Run { length: u16, may_fence: bool, is_escaped: bool },
    /// In a run of tildes at the start of a line.
    Tildes(u16),
    /// After a run of backticks that ended at `end` and opens a fence, unless another
    /// backtick follows in the line.
    Info { length: u16, end: u32 },
    /// In a line of a fence that doesn't close it.
    FenceLine,
    /// In the marks that may close it.
    Marks(u16),
    /// After the marks that close it if only white space follows.
    AfterMarks,
}

/// A fence that is open.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "debug", derive(serde::Serialize))]
struct Fence {
    byte: u8,
    length: u16,
    /// Whether more than three spaces are before it, and so may be before its end.
    is_indented: bool,
}

/// What a byte decides of the text before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Turn {
    /// It stays as it was.
    Stays,
    /// The first open run of backticks has found its partner, which ended so many units before.
    Closes { back: u32 },
    /// It has none.
    IsLiteral,
    /// The line begins a fence.
    IsFence,
    /// It doesn't.
    IsNoFence,
}

/// Whether a marker is in code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Standing {
    /// It is markup.
    Plain,
    /// It is text.
    Code,
    /// That depends on what follows.
    Open,
}

/// Reads byte by byte.
#[derive(Clone, Copy, Debug)]
#[cfg_attr(feature = "debug", derive(serde::Serialize))]
pub(crate) struct Code {
    place: Place,
    containers: Containers,
    /// The columns that were read of the line, and those of them that the containers take.
    column: u16,
    base: u16,
    /// White space before what began last.
    indent: u16,
    fence: Option<Fence>,
    in_paragraph: bool,
    is_heading: bool,
    rule: Option<Rule>,
    spans: Spans,
    is_after_backslash: bool,
    is_after_return: bool,
}

impl Code {
    pub(crate) const START: Code = Code {
        place: Place::Start,
        containers: Containers::NONE,
        column: 0,
        base: 0,
        indent: 0,
        fence: None,
        in_paragraph: false,
        is_heading: false,
        rule: None,
        spans: Spans::NONE,
        is_after_backslash: false,
        is_after_return: false,
    };

    /// Whether a marker that begins with the next byte is text.
    pub(crate) fn standing(&self) -> Standing {
        let mut ahead = *self;
        ahead.settle();
        if ahead.fence.is_some() {
            Standing::Code
        } else if ahead.may_be_fence() || ahead.spans.is_open() {
            Standing::Open
        } else {
            Standing::Plain
        }
    }

    /// Decides what an ordinary character decides of the text before it.
    pub(super) fn settle(&mut self) {
        self.enter_all(b'<');
    }

    /// Whether at most three spaces precede the place in its line, outside of a fence.
    pub(crate) fn is_line_start(&self) -> bool {
        self.place == Place::Start && self.column <= 3 && {
            let mut ahead = *self;
            ahead.settle();
            ahead.fence.is_none()
        }
    }

    /// Whether a fence is open.
    pub(crate) fn is_fenced(&self) -> bool {
        self.fence.is_some()
    }

    /// Whether the rest of the line can't change how the next line is read, but for inline code.
    pub(crate) fn is_within_line(&self) -> bool {
        self.place == Place::FenceLine
            || self.rule.is_none() && matches!(self.place, Place::Line | Place::Run { may_fence: false, .. })
    }

    /// Whether text without [`STOPS`] changes nothing here.
    pub(crate) fn is_plain(&self) -> bool {
        matches!(self.place, Place::Line | Place::FenceLine)
            && self.rule.is_none()
            && !self.spans.is_open()
            && !self.is_after_backslash
    }

    /// A segment was read here.
    // One copy: once for a segment.
    #[inline(never)]
    pub(crate) fn pass_segment(&mut self) {
        // A fence whose list item or block quote has ended before it is not open.
        self.settle();
        self.place = if self.fence.is_some() { Place::FenceLine } else { Place::Line };
        self.in_paragraph = self.fence.is_none();
        self.rule = None;
        self.is_heading = false;
        self.is_after_backslash = false;
        self.is_after_return = false;
        self.spans.end();
    }

    /// One byte of text.
    pub(crate) fn step(&mut self, byte: u8) {
        self.enter_all(byte);
        self.pass(byte);
    }

    fn enter_all(&mut self, byte: u8) {
        while self.enter(byte) != Turn::Stays {}
    }

    /// Whether what stands here is the first line of what may be a fence.
    pub(super) fn may_be_fence(&self) -> bool {
        matches!(self.place, Place::Info { .. })
    }

    /// The first open run of backticks is literal; or the line begins no fence.
    pub(super) fn drop_first(&mut self) {
        if let Place::Info { length, end } = self.place {
            self.begin_text();
            self.spans.take(length, false, end);
        } else {
            self.spans.drop_first();
        }
    }

    /// The first open run of backticks is literal.
    pub(super) fn drop_first_run(&mut self) {
        self.spans.drop_first();
    }

    /// Goes on after inline code, so many units before.
    pub(super) fn go_back(&mut self, units: u32) {
        self.spans.go_back_to(self.spans.here().wrapping_sub(units));
        self.is_after_backslash = false;
    }

    /// What the next byte decides of the text before it; called again until there is nothing more.
    pub(super) fn enter(&mut self, byte: u8) -> Turn {
        let is_end = is_line_end(byte);
        if byte == b'\n' && self.is_after_return {
            return Turn::Stays;
        }
        let turn = match self.place {
            Place::Run { .. } | Place::Tildes(_) | Place::Info { .. } => self.enter_open(byte),
            Place::Marker { .. } | Place::AfterMarker { .. } | Place::Hashes(_) => self.enter_marked(byte),
            Place::Start if is_end => self.end_blank(),
            Place::Start if !is_blank(byte) => self.begin(byte),
            Place::AfterQuote if !is_blank(byte) => self.again(Place::Start, byte),
            Place::Number { digits, .. } if byte.is_ascii_digit() && digits < 9 => Turn::Stays,
            Place::Number { digits, .. } if matches!(byte, b'.' | b')') && digits > 0 => Turn::Stays,
            Place::Number { .. } => self.begin_text(),
            Place::Marks(length) if self.fence.is_some_and(|fence| byte != fence.byte && length >= fence.length) => {
                self.again(Place::AfterMarks, byte)
            }
            Place::Marks(_) if self.fence.is_some_and(|fence| byte != fence.byte) => {
                self.place = Place::FenceLine;
                Turn::Stays
            }
            Place::AfterMarks if is_end => {
                self.fence = None;
                self.place = Place::Line;
                Turn::Stays
            }
            Place::AfterMarks if !is_blank(byte) => {
                self.place = Place::FenceLine;
                Turn::Stays
            }
            Place::Line if is_end => self.end_line(),
            Place::Start
            | Place::Quote
            | Place::AfterQuote
            | Place::Bullet
            | Place::Line
            | Place::FenceLine
            | Place::Marks(_)
            | Place::AfterMarks => Turn::Stays,
        };
        if turn == Turn::Stays && self.spans.is_too_long() {
            self.spans.drop_first();
            return Turn::IsLiteral;
        }
        turn
    }

    /// The same place has another name, in which the byte decides.
    fn again(&mut self, place: Place, byte: u8) -> Turn {
        self.place = place;
        self.enter(byte)
    }

    /// After a run of backticks, or what may open a fence.
    #[expect(clippy::wildcard_enum_match_arm, reason = "`enter` has the others")]
    fn enter_open(&mut self, byte: u8) -> Turn {
        let is_end = is_line_end(byte);
        match self.place {
            Place::Run { length, may_fence, is_escaped } if byte != b'`' => {
                let here = self.spans.here();
                if may_fence && length >= 3 {
                    return self.again(Place::Info { length, end: here }, byte);
                }
                if may_fence {
                    self.begin_text();
                }
                self.place = Place::Line;
                if self.spans.take(length, is_escaped, here) {
                    return Turn::Closes { back: 0 };
                }
                self.enter(byte)
            }
            Place::Tildes(length) if byte != b'~' && length >= 3 => self.begin_fence(b'~', length),
            Place::Tildes(_) if byte != b'~' => self.begin_text(),
            Place::Info { length, .. } if is_end => {
                let _ = self.begin_fence(b'`', length);
                Turn::IsFence
            }
            Place::Info { length, end } if byte == b'`' => {
                self.begin_text();
                let back = self.spans.since(end);
                let closes = self.spans.take(length, false, end);
                if closes { Turn::Closes { back } } else { Turn::IsNoFence }
            }
            Place::Info { end, .. } if self.spans.since(end) >= LONGEST_SPAN => {
                self.begin_text();
                Turn::IsNoFence
            }
            _ => Turn::Stays,
        }
    }

    /// After the marker of a list's item or of a heading.
    #[expect(clippy::wildcard_enum_match_arm, reason = "`enter` has the others")]
    fn enter_marked(&mut self, byte: u8) -> Turn {
        let is_end = is_line_end(byte);
        let (turn, next) = match self.place {
            Place::Marker { value } => {
                // Only a list that begins with 1 may interrupt a paragraph.
                let may_begin = value == 1 || !self.is_paragraph();
                if may_begin && (is_end || is_blank(byte)) {
                    return self.again(Place::AfterMarker { end: self.column }, byte);
                }
                return self.begin_text();
            }
            // An empty item may not.
            Place::AfterMarker { .. } if is_end && self.is_paragraph() => {
                self.begin_text();
                return self.enter(byte);
            }
            Place::AfterMarker { end } if is_end => {
                let turn = self.begin_item(end.saturating_add(1));
                self.containers.set_empty();
                (turn, Place::Line)
            }
            Place::AfterMarker { end } if !is_blank(byte) => {
                let spaces = self.column.saturating_sub(end);
                let turn = self.begin_item(if spaces <= 4 { self.column } else { end.saturating_add(1) });
                (turn, Place::Start)
            }
            Place::Hashes(count) if byte == b'#' && count < 6 => return Turn::Stays,
            Place::Hashes(_) if is_end || is_blank(byte) => {
                let turn = self.begin_block();
                self.is_heading = true;
                (turn, Place::Line)
            }
            Place::Hashes(_) => return self.begin_text(),
            _ => return Turn::Stays,
        };
        self.place = next;
        if turn == Turn::Stays { self.enter(byte) } else { turn }
    }

    /// Reads a byte, after `enter`.
    pub(super) fn pass(&mut self, byte: u8) {
        self.spans.pass(byte);
        if is_line_end(byte) {
            if byte == b'\n' && self.is_after_return {
                self.is_after_return = false;
                return;
            }
            self.is_after_return = byte == b'\r';
            self.is_after_backslash = false;
            self.rule = None;
            (self.column, self.base) = (0, 0);
            self.containers.begin_line();
            self.place = Place::Start;
            return;
        }
        self.is_after_return = false;
        self.rule = self.rule.and_then(|rule| rule.step(byte));
        let is_escaped = self.is_after_backslash;
        self.is_after_backslash = byte == b'\\' && !is_escaped;
        let column = self.column;
        if self.place != Place::Line {
            self.column = match byte {
                b'\t' => (column | 3).saturating_add(1),
                _ => column.saturating_add(1),
            };
        }
        self.place = match self.place {
            Place::Line if byte == b'`' => Place::Run { length: 1, may_fence: false, is_escaped },
            Place::Run { length, may_fence, is_escaped } => {
                Place::Run { length: length.saturating_add(1), may_fence, is_escaped }
            }
            Place::Tildes(length) => Place::Tildes(length.saturating_add(1)),
            Place::Marks(length) => Place::Marks(length.saturating_add(1)),
            Place::Hashes(count) => Place::Hashes(count + 1),
            Place::Quote => {
                self.base = self.column;
                Place::AfterQuote
            }
            Place::AfterQuote => {
                self.base = column.saturating_add(1);
                Place::Start
            }
            Place::Bullet => Place::Marker { value: 1 },
            Place::Number { digits, value } if byte.is_ascii_digit() => {
                Place::Number { digits: digits + 1, value: value * 10 + u32::from(byte - b'0') }
            }
            Place::Number { value, .. } => Place::Marker { value },
            place @ (Place::Start
            | Place::Marker { .. }
            | Place::AfterMarker { .. }
            | Place::Line
            | Place::Info { .. }
            | Place::FenceLine
            | Place::AfterMarks) => place,
        };
    }

    /// Whether what begins here would interrupt a paragraph.
    fn is_paragraph(&self) -> bool {
        self.in_paragraph && self.containers.has_all()
    }

    /// The first character after white space at the start of a line or of a container's text.
    fn begin(&mut self, byte: u8) -> Turn {
        self.indent = self.column.saturating_sub(self.base);
        loop {
            match self.containers.next() {
                Some(Container::Item(width)) if self.indent >= u16::from(width) => {
                    self.base += u16::from(width);
                    self.indent = self.indent.saturating_sub(u16::from(width));
                    self.containers.enter();
                }
                Some(Container::Quote) if byte == b'>' => {
                    self.containers.enter();
                    self.place = Place::Quote;
                    return Turn::Stays;
                }
                Some(_) | None => break,
            }
        }
        if let Some(fence) = self.fence {
            if self.containers.has_all() {
                let may_close = byte == fence.byte && (self.indent <= 3 || fence.is_indented);
                self.place = if may_close { Place::Marks(0) } else { Place::FenceLine };
                return Turn::Stays;
            }
            // Its list item or block quote has ended.
            self.fence = None;
            self.begin_block();
        }
        if self.rule.is_none_or(|rule| rule.byte != byte) {
            self.rule = Rule::new(byte, self.containers.matched(), self.is_paragraph());
        }
        self.place = match byte {
            b'>' => {
                let turn = self.begin_block();
                self.containers.add(Container::Quote);
                self.place = Place::Quote;
                return turn;
            }
            b'-' | b'+' | b'*' => Place::Bullet,
            b'0'..=b'9' => Place::Number { digits: 0, value: 0 },
            b'#' => Place::Hashes(0),
            b'~' => Place::Tildes(0),
            b'`' => Place::Run { length: 0, may_fence: true, is_escaped: false },
            _ => return self.begin_text(),
        };
        Turn::Stays
    }

    /// The line is text: of the paragraph that is open, wherever it stands, or of a new one.
    fn begin_text(&mut self) -> Turn {
        if !self.in_paragraph {
            self.containers.keep_matched();
            self.in_paragraph = true;
        }
        self.containers.fill();
        self.place = Place::Line;
        Turn::Stays
    }

    /// Something begins that no paragraph goes on after.
    fn begin_block(&mut self) -> Turn {
        self.containers.keep_matched();
        self.containers.fill();
        self.end_paragraph()
    }

    fn begin_fence(&mut self, byte: u8, length: u16) -> Turn {
        let turn = self.begin_block();
        self.fence = Some(Fence { byte, length, is_indented: self.indent > 3 });
        self.place = Place::FenceLine;
        turn
    }

    /// An item whose text begins at a column.
    fn begin_item(&mut self, text: u16) -> Turn {
        let turn = self.begin_block();
        let width = u8::try_from(text.saturating_sub(self.base)).unwrap_or(u8::MAX);
        self.containers.add(Container::Item(width));
        self.base = text;
        turn
    }

    fn end_paragraph(&mut self) -> Turn {
        self.in_paragraph = false;
        if self.spans.end() { Turn::IsLiteral } else { Turn::Stays }
    }

    /// The end of a blank line.
    fn end_blank(&mut self) -> Turn {
        let is_inside = self.containers.take_blank();
        if self.fence.is_some() && is_inside {
            self.place = Place::FenceLine;
            return Turn::Stays;
        }
        self.fence = None;
        self.place = Place::Line;
        self.end_paragraph()
    }

    /// The end of a line of text.
    fn end_line(&mut self) -> Turn {
        let rule = self.rule.take().filter(|rule| rule.is_whole());
        if let Some(rule) = rule {
            self.containers.keep(rule.containers);
        }
        if rule.is_none() && !std::mem::take(&mut self.is_heading) {
            return Turn::Stays;
        }
        self.end_paragraph()
    }
}

fn is_line_end(byte: u8) -> bool {
    matches!(byte, b'\n' | b'\r')
}

fn is_blank(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t')
}
