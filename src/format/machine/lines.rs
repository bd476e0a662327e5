//! What counts where a line starts: a block of code, which is text; a tool's name that stands
//! for its tag.
//!
//! ````text
//! ```            get_weather
//! code           <city>Paris</city>
//! ```            </get_weather>
//! ````

use super::look::{ToolLine, starts_with, tool_line};
use super::{Ask, Flow, LONGEST_HEAD, Machine, Op, Phase};
use crate::format::names::ToolNames;
use crate::format::op::Repair;
use crate::format::row::{Body, Flag};
use crate::format::table::Table;
use crate::markdown::{FENCE, Standing};
use crate::scan::{AtLast, Short, Sight, after, space_len};
use crate::text::{Sink, Stretch};

/// What a line begins with, after so many bytes.
pub(super) enum Line {
    Fence(usize),
    /// A tool's name of so many bytes, after it more up to its arguments; by a row.
    Name {
        from: usize,
        length: usize,
        payload: usize,
        row: u8,
    },
    /// A payload after so many bytes, by a row.
    Bare(usize, u8),
    /// A tool's name alone, whose call is read with repairs; by a row.
    Tool(ToolLine, u8),
    Other,
}

/// The name of a tool that ends its line, before what arguments begin with: its length, and where that stands.
fn name_line(names: &ToolNames, begins: u8, text: &[u8], is_last: bool) -> Sight<Option<(usize, usize)>> {
    let length = names.fits(text).at_last(is_last)?;
    if length == 0 {
        return Ok(None);
    }
    let rest = after(text, length);
    let space = space_len(rest);
    match after(rest, space).first() {
        None if !is_last && space < LONGEST_HEAD => Err(Short),
        Some(&first) if first == begins && rest.get(..space).is_some_and(|space| space.contains(&b'\n')) => {
            Ok(Some((length, length + space)))
        }
        _ => Ok(None),
    }
}

impl Machine {
    /// What a line at the place begins with, whose end before it may come first.
    pub(super) fn line(&self, table: &Table, text: &mut Stretch<'_>) -> Sight<Line> {
        let from = match text.rest().first() {
            _ if !table.reads_lines() || self.segment.settles => return Ok(Line::Other),
            Some(b'\n') => 1,
            Some(_) if self.turn.line_start == Some(text.here()) => 0,
            _ => return Ok(Line::Other),
        };
        let rest = after(text.rest(), from);
        for (number, row) in table.rows() {
            if row.is(Flag::Fences) && starts_with(rest, &[FENCE], self.segment.is_last)? {
                return Ok(Line::Fence(from + FENCE.len()));
            }
            let is_args = row.body() == Body::Args;
            if row.is(Flag::BareOnLine) && !is_args && self.segment.begins_payload(row, None, rest)? {
                return Ok(Line::Bare(from, number));
            }
            if row.body() == Body::Tree {
                if row.is(Flag::LineNames)
                    && from == 0
                    && let Some(line) = tool_line(&table.names, rest)?
                {
                    return Ok(Line::Tool(line, number));
                }
                continue;
            }
            let begins = if is_args { b'{' } else { b'<' };
            if (row.is(Flag::LineNames) || row.is(Flag::BareOnLine) && is_args)
                && let Some((length, payload)) = name_line(&table.names, begins, rest, self.segment.is_last)?
            {
                return Ok(Line::Name { from, length, payload: from + payload, row: number });
            }
        }
        Ok(Line::Other)
    }

    /// Reads what a line begins with; `None` if that is nothing of its own.
    pub(super) fn read_line(&mut self, table: &Table, text: &mut Stretch<'_>, sink: &mut impl Sink) -> Option<Flow> {
        match self.line(table, text) {
            Err(Short) => Some(Flow::Wait),
            Ok(Line::Other) => None,
            Ok(Line::Name { .. } | Line::Bare(..)) if self.opening.look() != Standing::Plain => None,
            Ok(Line::Tool(line, row)) => match self.opening.look() {
                Standing::Plain => {
                    self.segment.row = row;
                    self.begin_line(line, table.row(row), text, sink);
                    Some(Flow::Go)
                }
                Standing::Open => Some(self.quote(None, text.here())),
                Standing::Code => None,
            },
            Ok(Line::Bare(from, row)) => {
                self.opening.pass_bytes(from, text);
                Some(self.begin_bare(row, table, text, sink))
            }
            Ok(Line::Fence(length)) => {
                self.opening.pass_bytes(length, text);
                self.phase = Phase::Fence;
                Some(Flow::Go)
            }
            Ok(Line::Name { from, length, payload, row }) => {
                self.opening.pass_bytes(from, text);
                let (at, here) = (text.at(), text.here());
                self.emit(self.text_op(), here, sink);
                self.segment.row = row;
                let is_args = table.row(row).body() == Body::Args;
                self.segment.known.repairs = if is_args { 0 } else { Repair::LineName.bit() };
                self.segment.mark = here;
                self.turn.is_after_call = false;
                self.begin_call(table.row(row), if is_args { Body::Args } else { Body::Elements }, !is_args);
                self.opening.pass_words();
                self.segment.payload = text.unit_at(at + payload - from);
                if !is_args {
                    self.segment.elements.begin_line(text.rest().get(..length).unwrap_or_default());
                }
                sink.record(Op::Begin { row, is_bare: false, is_json: false }.at(here, self.segment.payload));
                sink.record(Op::Name.at(here, text.unit_at(at + length)));
                text.set_at(at + payload - from);
                sink.record(Op::NameEnd { is_alias: false }.at(self.segment.payload, self.segment.payload));
                Some(self.ask(Ask::Name))
            }
        }
    }

    /// In a block of code, up to the line that ends it.
    pub(super) fn read_fence(&mut self, text: &mut Stretch<'_>) -> Flow {
        loop {
            let Some(&byte) = text.rest().first() else { return Flow::Stop };
            let ends = byte == b'\n';
            if ends {
                match starts_with(after(text.rest(), 1), &[FENCE], self.segment.is_last) {
                    Err(Short) => return Flow::Wait,
                    Ok(true) => {
                        self.opening.pass_bytes(1 + FENCE.len(), text);
                        self.phase = Phase::Text;
                        return Flow::Go;
                    }
                    Ok(false) => {}
                }
            }
            self.opening.step_text(text);
        }
    }
}
