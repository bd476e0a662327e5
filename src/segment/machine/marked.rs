//! Content that markers bracket, so that `</arg>` can be in it.
//!
//! ```text
//! content ::= space* start line-end? … end space* '</arg' space* '>'
//!           | space* start line-end? … '</arg' space* '>' space* ('</arguments' | '</tool') space* '>'
//! ```
//!
//! Source: seeds/000, "Optional Raw Markers"; spec/segment.md.
//! Differences: whether a line end after the start marker is dropped doesn't
//! depend on the cuts, and a content whose end marker never comes isn't changed
//! but for white space at its end.

use super::content::read_closing_tag;
use super::{CLOSING_ARG, Flow, Inside, LONGEST_SPACE, Machine, Marked, Phase};
use crate::scan::{Entry, Literals, Prefix, find_any, is_space};
use crate::segment::op::Op;
use crate::text::{Sink, Stretch, units_of};
use crate::xml::Cdata;

/// Length up to which white space is looked through in one go.
const SHORT_SPACE: usize = 64;

/// What closes arguments, where the end marker never came; sorted.
const CLOSERS: Literals<'static> = Literals {
    bytes: b"</arguments></tool>",
    entries: &[Entry { start: 0, len: 12, class: 0 }, Entry { start: 12, len: 7, class: 1 }],
};

impl Machine {
    /// The first byte of the end marker.
    pub(super) fn end_byte(&self) -> u8 {
        self.tool.row.end_marker.text().and_then(|marker| marker.first()).copied().unwrap_or_default()
    }

    /// Whether it begins with `__`, as the usual one does.
    pub(super) fn ends_with_underscores(&self) -> bool {
        self.tool.row.end_marker.text().is_some_and(|marker| marker.starts_with(b"__"))
    }

    pub(super) fn read_lead(&mut self, mut matched: u8, text: &mut Stretch<'_>) -> Flow {
        let marker = self.tool.row.start_marker;
        let marker = marker.text().unwrap_or_default();
        while let Some(&byte) = text.rest().first() {
            let is_space = matched == 0 && is_space(byte);
            let is_too_long = text.here().saturating_sub(self.tool.content.0) > LONGEST_SPACE;
            if byte == b'<' && matched == 0 && marker.first() != Some(&b'<') && !is_too_long {
                self.scan.cdata = Cdata::Opening { read: 0 };
                self.phase = Phase::Tool(Inside::Section);
                return Flow::Go;
            }
            if !is_space && marker.get(usize::from(matched)) == Some(&byte) {
                matched += 1;
            } else if !is_space || is_too_long {
                return self.begin_plain();
            }
            text.pass(1);
            if !marker.is_empty() && usize::from(matched) == marker.len() {
                self.phase = Phase::Tool(Inside::LineEnd { has_return: false });
                self.tool.content.0 = text.here();
                return Flow::Go;
            }
        }
        self.phase = Phase::Tool(Inside::Lead { matched });
        Flow::Stop
    }

    /// A line end right after the start marker is not content.
    pub(super) fn read_line_end(&mut self, has_return: bool, text: &mut Stretch<'_>, sink: &mut impl Sink) -> Flow {
        match text.rest().first() {
            None => return Flow::Stop,
            Some(b'\r') if !has_return => {
                text.pass(1);
                self.phase = Phase::Tool(Inside::LineEnd { has_return: true });
                return Flow::Go;
            }
            Some(b'\n') => {
                text.pass(1);
                self.tool.content.0 = text.here();
            }
            Some(_) => {}
        }
        if self.tool.has_begun {
            self.emit(Op::Markup, self.tool.content.0, sink);
        }
        self.phase = Phase::Tool(Inside::Marked(Marked::Body));
        Flow::Go
    }

    pub(super) fn read_marked(&mut self, marked: Marked, text: &mut Stretch<'_>, sink: &mut impl Sink) -> Flow {
        let Some(&byte) = text.rest().first() else { return Flow::Stop };
        let is_space = is_space(byte);
        let next = match marked {
            Marked::Body => {
                let Some(byte) = self.find_end(text) else { return Flow::Stop };
                self.edge = text.here();
                self.scan.tail = self.edge;
                if byte == b'\n' {
                    text.pass(1);
                    Marked::Break
                } else {
                    self.scan.tail_units = units_of(byte);
                    Marked::Either { end: Some(0), arg: Some(0) }
                }
            }
            Marked::Break => {
                self.scan.tail = text.here();
                if is_space && self.scan.tail.saturating_sub(self.edge) <= LONGEST_SPACE {
                    text.pass(1);
                    Marked::Break
                } else if byte == b'<' || byte == self.end_byte() {
                    self.scan.tail_units = units_of(byte);
                    Marked::Either { end: Some(0), arg: Some(0) }
                } else {
                    Marked::Body
                }
            }
            Marked::Either { end, arg } => return self.read_either(end, arg, byte, text),
            Marked::EndSpace | Marked::ArgSpace
                if is_space && text.here().saturating_sub(self.scan.tail) <= LONGEST_SPACE =>
            {
                text.pass(1);
                marked
            }
            Marked::EndSpace => Marked::EndArg(0),
            Marked::EndArg(matched) => return self.read_end_arg(matched, byte, text, sink),
            Marked::ArgSpace => {
                self.tool.content.1 = text.here();
                Marked::Closer(CLOSERS.start())
            }
            Marked::Closer(prefix) => return self.read_closer(prefix, byte, text, sink),
        };
        self.phase = Phase::Tool(Inside::Marked(next));
        Flow::Go
    }

    /// Goes on to the next byte that what ends the content may begin with. What
    /// comes after it mostly shows immediately that it doesn't.
    pub(super) fn find_end(&self, text: &mut Stretch<'_>) -> Option<u8> {
        let marker = self.tool.row.end_marker.text().unwrap_or_default();
        let first = self.end_byte();
        loop {
            let rest = text.rest();
            text.pass(find_any(rest, [b'\n', b'<', first]).unwrap_or(rest.len()));
            let rest = text.rest();
            let &byte = rest.first()?;
            let (passed, ends_nothing) = if byte == b'\n' {
                let front = rest.get(..SHORT_SPACE.min(rest.len())).unwrap_or_default();
                let spaces = front.iter().take_while(|&&byte| is_space(byte)).count();
                let next = front.get(spaces);
                (spaces, next.is_some_and(|&next| next != b'<' && next != first))
            } else {
                let fits = |literal: &[u8], next: u8| {
                    literal.first() == Some(&byte) && literal.get(1).is_none_or(|&second| second == next)
                };
                let next = rest.get(1);
                (1, next.is_some_and(|&next| !fits(marker, next) && !fits(CLOSING_ARG, next)))
            };
            if !ends_nothing {
                return Some(byte);
            }
            text.pass(passed);
        }
    }

    /// The end marker or `</arg>`, whichever it turns out to be.
    pub(super) fn read_either(&mut self, end: Option<u8>, arg: Option<u8>, byte: u8, text: &mut Stretch<'_>) -> Flow {
        let marker = self.tool.row.end_marker;
        let marker = marker.text().unwrap_or_default();
        let is_next = |read: &u8| marker.get(usize::from(*read)) == Some(&byte);
        let end = end.filter(is_next).map(|read| read + 1);
        let units = text.here().saturating_sub(self.scan.tail);
        let arg = arg.and_then(|read| read_closing_tag(CLOSING_ARG, read, byte, units));
        if end.is_none() && arg.is_none() {
            return self.go_on_behind_tail();
        }
        text.pass(1);
        let is_whole = |literal: &[u8], read: Option<u8>| read.is_some_and(|read| usize::from(read) == literal.len());
        let next = if is_whole(marker, end) {
            Marked::EndSpace
        } else if is_whole(CLOSING_ARG, arg) {
            Marked::ArgSpace
        } else {
            Marked::Either { end, arg }
        };
        self.phase = Phase::Tool(Inside::Marked(next));
        Flow::Go
    }

    /// `</arg>`, after the end marker.
    fn read_end_arg(&mut self, matched: u8, byte: u8, text: &mut Stretch<'_>, sink: &mut impl Sink) -> Flow {
        let units = text.here().saturating_sub(self.scan.tail);
        let Some(matched) = read_closing_tag(CLOSING_ARG, matched, byte, units) else {
            return self.go_on_behind_tail();
        };
        text.pass(1);
        if usize::from(matched) == CLOSING_ARG.len() {
            return self.end_content(self.scan.tail, text.here(), sink);
        }
        self.phase = Phase::Tool(Inside::Marked(Marked::EndArg(matched)));
        Flow::Go
    }

    /// What closes the arguments: the end marker never came. It is read again.
    fn read_closer(&mut self, read: Prefix, byte: u8, text: &mut Stretch<'_>, sink: &mut impl Sink) -> Flow {
        let is_at_end = CLOSERS.exact(CLOSERS.step(read, b'>')).is_some();
        if !(is_at_end && is_space(byte) && text.here().saturating_sub(self.scan.tail) <= 2 * LONGEST_SPACE) {
            let read = CLOSERS.step(read, byte.to_ascii_lowercase());
            if !read.is_alive() {
                return self.go_on_behind_tail();
            }
            if CLOSERS.exact(read).is_some() {
                let closer = self.tool.content.1;
                self.end_content(self.edge, closer, sink);
                return Flow::Back(closer);
            }
            self.phase = Phase::Tool(Inside::Marked(Marked::Closer(read)));
        }
        text.pass(1);
        Flow::Go
    }

    /// What seemed to end the content is part of it.
    pub(super) fn go_on_behind_tail(&mut self) -> Flow {
        self.phase = Phase::Tool(Inside::Marked(Marked::Body));
        Flow::Back(self.scan.tail + self.scan.tail_units)
    }
}
