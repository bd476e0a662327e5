//! A body of YAML: one text, up to the tool's closing tag. The program reads it.
//!
//! The tag counts on the line of the opening one, and where a line that is indented no more
//! than those before begins or ends. Elsewhere it is data.

use super::payload::{Move, Payload, emit_text};
use super::segment::Segment;
use super::{Ask, LONGEST_SPACE};
use crate::format::row::{Flag, Row};
use crate::format::table::Table;
use crate::scan::{Short, Sight, space_len};
use crate::text::{Sink, Stretch};
use crate::xml::TreeOp;

/// The line that is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "debug", derive(serde::Serialize))]
pub(super) enum Line {
    /// That of the opening tag, before anything was read.
    Start,
    /// That of the opening tag.
    First,
    /// One that has begun with so much white space.
    Indent(u32),
    /// One with text; whether the tag may end it.
    Text(bool),
}

/// Where a body of YAML is read.
#[derive(Clone, Copy, Debug)]
#[cfg_attr(feature = "debug", derive(serde::Serialize))]
pub(super) struct Yaml {
    line: Line,
    /// The least indentation of the lines before it.
    least: u32,
    emitted: u32,
}

impl Yaml {
    pub(super) const START: Yaml = Yaml { line: Line::Start, least: u32::MAX, emitted: 0 };

    /// Whether the body has elements and not YAML, where nothing of it was read.
    pub(super) fn has_elements(&self, segment: &Segment, table: &Table, text: &[u8]) -> Sight<bool> {
        if self.line == Line::Start { begins_elements(segment, segment.row(table), text) } else { Ok(false) }
    }

    /// Takes a byte of the line; gives whether it is the first of one.
    fn step(&mut self, byte: u8) -> bool {
        let is_line_start = matches!(self.line, Line::Indent(_) | Line::First);
        self.line = match (self.line, byte) {
            (_, b'\n') => Line::Indent(0),
            (Line::Indent(width), b' ' | b'\t') => Line::Indent(width + 1),
            (Line::Indent(width), b'\r') => Line::Indent(width),
            (Line::Indent(width), _) => {
                let may_end = width <= self.least;
                self.least = self.least.min(width);
                Line::Text(may_end)
            }
            (line @ (Line::Start | Line::First | Line::Text(_)), _) => line,
        };
        is_line_start
    }

    fn read_on(&mut self, segment: &Segment, row: &Row, text: &mut Stretch<'_>) -> Move {
        loop {
            let Some(&byte) = text.rest().first() else { return Move::Stop };
            let before = *self;
            let is_line_start = self.step(byte);
            if byte == b'<' && matches!(self.line, Line::First | Line::Text(true)) {
                match ends(segment, row, is_line_start, text.rest()) {
                    Err(Short) => {
                        // The line has begun, and is read again.
                        *self = before;
                        return Move::Wait;
                    }
                    Ok(true) => return Move::Ask(Ask::Whole),
                    Ok(false) => {}
                }
            }
            text.pass(1);
        }
    }
}

impl Payload for Yaml {
    fn begin(&mut self, _: &mut Segment, _: &Row, _: u32) {
        *self = Yaml::START;
    }

    #[inline(never)]
    fn read(&mut self, segment: &mut Segment, table: &Table, text: &mut Stretch<'_>, sink: &mut impl Sink) -> Move {
        if self.line == Line::Start {
            self.emitted = text.here();
            self.line = Line::First;
        }
        let step = self.read_on(segment, segment.row(table), text);
        emit_text(TreeOp::Text, &mut self.emitted, text.here(), sink);
        step
    }

    fn release(&mut self, units: u32) {
        self.emitted = self.emitted.saturating_sub(units);
    }
}

/// Whether the body has elements and not YAML: an opening tag comes first.
fn begins_elements(segment: &Segment, row: &Row, text: &[u8]) -> Sight<bool> {
    if !row.is(Flag::YamlElements) {
        return Ok(false);
    }
    let space = space_len(text);
    match text.get(space..).unwrap_or_default() {
        [] | [b'<'] if !segment.is_last && space < LONGEST_SPACE as usize => Err(Short),
        [b'<', byte, ..] => Ok(byte.is_ascii_alphabetic() || *byte == b'_'),
        _ => Ok(false),
    }
}

/// Whether the tool's closing tag is at the start of a text, where it counts: at the start of a line or at its end.
fn ends(segment: &Segment, row: &Row, is_line_start: bool, text: &[u8]) -> Sight<bool> {
    let length = segment.closes_own(row, text)?;
    if length == 0 || is_line_start {
        return Ok(length > 0);
    }
    let rest = text.get(length..).unwrap_or_default();
    let space = space_len(rest);
    if rest.get(..space).is_some_and(|gap| gap.contains(&b'\n')) {
        return Ok(true);
    }
    let is_over = space == rest.len();
    if is_over && !segment.is_last && space < LONGEST_SPACE as usize {
        Err(Short)
    } else {
        Ok(is_over && segment.is_last)
    }
}
