//! A body of YAML: one text, up to the tool's closing tag. The program reads it.
//!
//! The tag counts on the line of the opening one, and where a line that is indented no more
//! than those before begins or ends. Elsewhere it is data.

use super::elements;
use super::{Ask, Flow, LONGEST_SPACE, Machine, Phase};
use crate::format::op::Repair;
use crate::format::row::{Flag, Row};
use crate::format::table::Table;
use crate::scan::space_len;
use crate::text::{Sink, Stretch, state};

state! {
    /// The line that is read.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
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
}

state! {
    /// Where a body of YAML is read.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub(super) struct Place {
        line: Line,
        /// The least indentation of the lines before it.
        least: u32,
    }
}

impl Place {
    pub(super) const START: Place = Place { line: Line::Start, least: u32::MAX };
}

impl Machine {
    #[inline(never)]
    pub(super) fn read_yaml(
        &mut self,
        place: Place,
        table: &Table,
        text: &mut Stretch<'_>,
        sink: &mut impl Sink,
    ) -> Flow {
        let row = table.row(self.row);
        let Place { mut line, mut least } = place;
        if line == Line::Start {
            match self.begins_elements(row, text.rest()) {
                None => return Flow::Wait,
                Some(true) => {
                    self.repairs |= Repair::YamlElements.bit();
                    self.phase = Phase::Elements(elements::Place::Members);
                    return Flow::Go;
                }
                Some(false) => {}
            }
            self.value.emitted = text.here();
            line = Line::First;
        }
        let flow = loop {
            self.phase = Phase::Yaml(Place { line, least });
            let Some(&byte) = text.rest().first() else { break Flow::Stop };
            let is_line_start = matches!(line, Line::Indent(_) | Line::First);
            match (line, byte) {
                (_, b'\n') => line = Line::Indent(0),
                (Line::Indent(width), b' ' | b'\t') => line = Line::Indent(width + 1),
                (Line::Indent(_), b'\r') => {}
                (Line::Indent(width), _) => {
                    line = Line::Text(width <= least);
                    least = least.min(width);
                }
                _ => {}
            }
            if byte == b'<' && matches!(line, Line::First | Line::Text(true)) {
                match self.ends_yaml(row, is_line_start, text.rest()) {
                    // The line has begun, and is read again.
                    None => break Flow::Wait,
                    Some(true) => {
                        let here = text.here();
                        self.emit_value(here, sink);
                        return self.ask(Ask::Whole);
                    }
                    Some(false) => {}
                }
            }
            text.pass(1);
        };
        let here = text.here();
        self.emit_value(here, sink);
        flow
    }

    /// Whether the body has elements and not YAML: an opening tag comes first.
    fn begins_elements(&self, row: &Row, text: &[u8]) -> Option<bool> {
        if !row.is(Flag::YamlElements) {
            return Some(false);
        }
        let space = space_len(text);
        match text.get(space..).unwrap_or_default() {
            [] | [b'<'] if !self.is_last && space < LONGEST_SPACE as usize => None,
            [b'<', byte, ..] => Some(byte.is_ascii_alphabetic() || *byte == b'_'),
            _ => Some(false),
        }
    }

    /// Whether the tool's closing tag is at the start of a text, where it counts: at the start of a line or at its end.
    fn ends_yaml(&self, row: &Row, is_line_start: bool, text: &[u8]) -> Option<bool> {
        let length = self.closes_own(row, text)?;
        if length == 0 || is_line_start {
            return Some(length > 0);
        }
        let rest = text.get(length..).unwrap_or_default();
        let space = space_len(rest);
        if rest.get(..space).is_some_and(|gap| gap.contains(&b'\n')) {
            return Some(true);
        }
        let is_over = space == rest.len();
        if is_over && !self.is_last && space < LONGEST_SPACE as usize { None } else { Some(is_over && self.is_last) }
    }
}
