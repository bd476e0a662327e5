//! The rows that a stream is read by, and the names of its tools.

use super::names::ToolNames;
use super::row::{Body, Flag, Part, Row};
use crate::scan::is_space;

/// Most rows together.
pub const MOST_ROWS: usize = 9;

/// What streams with the same options share.
#[derive(Clone, Copy, Debug)]
pub struct Table {
    rows: [Row; MOST_ROWS],
    count: u32,
    /// The bytes at which something may begin: a bit each for text and for reasoning.
    stops: [u8; 256],
    /// The names of the tools, which are tags by some rows.
    pub names: ToolNames,
}

/// A bit of `stops`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum In {
    Text = 0,
    Reasoning = 1,
    Value = 2,
}

impl Table {
    /// No rows.
    pub const NOTHING: Table =
        Table { rows: [Row::NOTHING; MOST_ROWS], count: 0, stops: [0; 256], names: ToolNames::NONE };

    /// Forgets all rows.
    pub fn clear(&mut self) {
        self.count = 0;
        self.stops = [0; 256];
    }

    /// Adds a row by its bytes; false if they stand for none, or there is no room.
    pub fn add(&mut self, bytes: &[u8]) -> bool {
        let (Some(row), Some(room)) = (Row::of(bytes), self.rows.get_mut(self.count as usize)) else { return false };
        *room = row;
        self.count += 1;
        for (part, places) in [
            (Part::SectionOpen, &[In::Text, In::Reasoning, In::Value][..]),
            (Part::SectionClose, &[In::Text]),
            (Part::CallOpen, &[In::Text, In::Reasoning, In::Value]),
            (Part::CallClose, &[In::Text, In::Value]),
            (Part::ReasoningOpen, &[In::Text]),
            (Part::ReasoningClose, &[In::Reasoning]),
            (Part::Drop, &[In::Text]),
            (Part::MessageOpen, &[In::Text, In::Reasoning]),
            (Part::MessageClose, &[In::Text, In::Reasoning]),
            (Part::ParamOpen, &[In::Value]),
            (Part::ParamClose, &[In::Value]),
            (Part::SkipOpen, &[In::Text]),
            (Part::NameOpen, &[In::Text]),
            (Part::CiteOpen, &[In::Text, In::Reasoning]),
            (Part::CiteClose, &[In::Text, In::Reasoning]),
        ] {
            for mark in row.list(part) {
                self.stop(mark.first().copied().unwrap_or_default(), places);
            }
        }
        if row.is(Flag::EndsAtCall) {
            // It may close late, after a call. A line end before it is text then.
            for first in row.list(Part::ReasoningClose).filter_map(|mark| mark.first()).filter(|&&byte| !is_space(byte))
            {
                self.stop(*first, &[In::Text]);
            }
        }
        if matches!(row.body(), Body::Elements | Body::Yaml) {
            let prefix = row.list(Part::Prefix).next().and_then(|prefix| prefix.first());
            self.stop(*prefix.unwrap_or(&b'<'), &[In::Value]);
        }
        if row.reads_lines() {
            self.stop(b'\n', &[In::Text]);
        }
        if row.has_tool_tags() {
            self.stop(b'<', &[In::Text, In::Reasoning]);
        }
        if row.body() == Body::Tree {
            self.stop(b'<', &[In::Text]);
        }
        if row.is(Flag::BareAnywhere) {
            let firsts: &[u8] = if row.body() == Body::Python && !row.is(Flag::OrJson) { b"[" } else { b"{[" };
            firsts.iter().for_each(|&byte| self.stop(byte, &[In::Text]));
        }
        true
    }

    fn stop(&mut self, byte: u8, places: &[In]) {
        if let Some(stops) = self.stops.get_mut(usize::from(byte)) {
            places.iter().for_each(|&place| *stops |= 1 << place as u8);
        }
    }

    pub(super) fn stops(&self, byte: u8, place: In) -> bool {
        self.stops.get(usize::from(byte)).is_some_and(|stops| stops >> place as u8 & 1 == 1)
    }

    /// Whether something counts where a line starts.
    pub(super) fn reads_lines(&self) -> bool {
        self.rows().any(|(_, row)| row.reads_lines())
    }

    pub(super) fn rows(&self) -> impl Iterator<Item = (u8, &Row)> {
        (0..).zip(self.rows.iter().take(self.count as usize))
    }

    pub(super) fn row(&self, number: u8) -> &Row {
        const NOTHING: Row = Row::NOTHING;
        self.rows.get(usize::from(number)).unwrap_or(&NOTHING)
    }
}
