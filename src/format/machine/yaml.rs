//! A body of YAML: one text, up to the tool's closing tag. The program reads it.
//!
//! The tag counts on the line of the opening one, and where a line that is indented no more
//! than those before begins or ends. Elsewhere it is data.

use super::elements;
use super::{Ask, Flow, LONGEST_SPACE, Machine, Phase};
use crate::format::op::Repair;
use crate::format::row::Flag;
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
            let space = space_len(text.rest());
            if row.is(Flag::YamlElements) {
                match text.rest().get(space..).unwrap_or_default() {
                    [] | [b'<'] if !self.is_last && space < LONGEST_SPACE as usize => return Flow::Wait,
                    [b'<', byte, ..] if byte.is_ascii_alphabetic() || *byte == b'_' => {
                        self.repairs |= Repair::YamlElements.bit();
                        self.phase = Phase::Elements(elements::Place::Members);
                        return Flow::Go;
                    }
                    _ => {}
                }
            }
            self.value.emitted = text.here();
            line = Line::First;
        }
        let flow = loop {
            self.phase = Phase::Yaml(Place { line, least });
            let Some(&byte) = text.rest().first() else { break Flow::Stop };
            let is_blank = matches!(line, Line::Indent(_));
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
            let may_end = matches!(line, Line::First | Line::Text(true));
            if byte == b'<' && may_end {
                let Some(length) = self.closes_own(row, text.rest()) else {
                    // The line has begun, and is read again.
                    break Flow::Wait;
                };
                let rest = text.rest().get(length..).unwrap_or_default();
                let space = space_len(rest);
                let is_short = length > 0
                    && space == rest.len()
                    && !rest.contains(&b'\n')
                    && !self.is_last
                    && space < LONGEST_SPACE as usize;
                let is_line_start = is_blank || line == Line::First;
                if is_short && !is_line_start {
                    break Flow::Wait;
                }
                let ends_line =
                    space == rest.len() && self.is_last || rest.get(..space).is_some_and(|gap| gap.contains(&b'\n'));
                if length > 0 && (is_line_start || ends_line) {
                    let here = text.here();
                    self.emit_value(here, sink);
                    return self.ask(Ask::Whole);
                }
            }
            text.pass(1);
        };
        let here = text.here();
        self.emit_value(here, sink);
        flow
    }
}
