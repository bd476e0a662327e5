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

use super::content::is_space_in_tag;
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
        self.row.end_marker.text().and_then(|marker| marker.first()).copied().unwrap_or_default()
    }

    /// Whether it begins with `__`, as the usual one does.
    pub(super) fn ends_with_underscores(&self) -> bool {
        self.row.end_marker.text().is_some_and(|marker| marker.starts_with(b"__"))
    }

    pub(super) fn read_lead(&mut self, mut matched: u8, text: &mut Stretch<'_>) -> Flow {
        let marker = self.row.start_marker;
        let marker = marker.text().unwrap_or_default();
        while let Some(&byte) = text.rest().first() {
            let is_space = matched == 0 && is_space(byte);
            let is_too_long = text.here().saturating_sub(self.content.0) > LONGEST_SPACE;
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
                self.content.0 = text.here();
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
                self.content.0 = text.here();
            }
            Some(_) => {}
        }
        if self.has_begun {
            self.emit(Op::Markup, self.content.0, sink);
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
                self.tail = self.edge;
                if byte == b'\n' {
                    text.pass(1);
                    Marked::Break
                } else {
                    self.tail_units = units_of(byte);
                    Marked::Either { end: Some(0), arg: Some(0) }
                }
            }
            Marked::Break => {
                self.tail = text.here();
                if is_space && self.tail.saturating_sub(self.edge) <= LONGEST_SPACE {
                    text.pass(1);
                    Marked::Break
                } else if byte == b'<' || byte == self.end_byte() {
                    self.tail_units = units_of(byte);
                    Marked::Either { end: Some(0), arg: Some(0) }
                } else {
                    Marked::Body
                }
            }
            Marked::Either { end, arg } => return self.read_either(end, arg, byte, text),
            Marked::EndSpace | Marked::ArgSpace
                if is_space && text.here().saturating_sub(self.tail) <= LONGEST_SPACE =>
            {
                text.pass(1);
                marked
            }
            Marked::EndSpace => Marked::EndArg(0),
            Marked::EndArg(matched)
                if is_space_in_tag(CLOSING_ARG, usize::from(matched), byte, text.here().saturating_sub(self.tail)) =>
            {
                text.pass(1);
                marked
            }
            Marked::EndArg(matched) if CLOSING_ARG.get(usize::from(matched)) == Some(&byte.to_ascii_lowercase()) => {
                text.pass(1);
                if usize::from(matched) + 1 == CLOSING_ARG.len() {
                    return self.end_content(self.tail, text.here(), sink);
                }
                Marked::EndArg(matched + 1)
            }
            Marked::ArgSpace => {
                self.content.1 = text.here();
                Marked::Closer(CLOSERS.start())
            }
            Marked::Closer(prefix) if self.is_space_in_closer(prefix, byte, text.here()) => {
                text.pass(1);
                marked
            }
            Marked::Closer(prefix) => {
                let prefix = CLOSERS.step(prefix, byte.to_ascii_lowercase());
                if !prefix.is_alive() {
                    return self.go_on_behind_tail();
                }
                if CLOSERS.exact(prefix).is_some() {
                    // The end marker never came. What closes the arguments is read again.
                    let closer = self.content.1;
                    self.end_content(self.edge, closer, sink);
                    return Flow::Back(closer);
                }
                text.pass(1);
                Marked::Closer(prefix)
            }
            Marked::EndArg(_) => return self.go_on_behind_tail(),
        };
        self.phase = Phase::Tool(Inside::Marked(next));
        Flow::Go
    }

    /// Goes on to the next byte that what ends the content may begin with. What
    /// comes after it mostly shows immediately that it doesn't.
    pub(super) fn find_end(&self, text: &mut Stretch<'_>) -> Option<u8> {
        let marker = self.row.end_marker.text().unwrap_or_default();
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
        let marker = self.row.end_marker;
        let marker = marker.text().unwrap_or_default();
        let more = |literal: &[u8], byte: u8, read: Option<u8>| {
            read.filter(|&read| literal.get(usize::from(read)) == Some(&byte)).map(|read| read + 1)
        };
        let end = more(marker, byte, end);
        let units = text.here().saturating_sub(self.tail);
        let is_space = |&read: &u8| is_space_in_tag(CLOSING_ARG, usize::from(read), byte, units);
        let arg = arg.filter(is_space).or_else(|| more(CLOSING_ARG, byte.to_ascii_lowercase(), arg));
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

    /// Whether a byte is white space before the `>` of what closes the arguments.
    fn is_space_in_closer(&self, read: Prefix, byte: u8, here: u32) -> bool {
        let is_next = CLOSERS.exact(CLOSERS.step(read, b'>')).is_some();
        is_next && is_space(byte) && here.saturating_sub(self.tail) <= 2 * LONGEST_SPACE
    }

    /// What seemed to end the content is part of it.
    pub(super) fn go_on_behind_tail(&mut self) -> Flow {
        self.phase = Phase::Tool(Inside::Marked(Marked::Body));
        Flow::Back(self.tail + self.tail_units)
    }
}
