//! The rows that a stream is read by, and the names of its tools.

use super::names::ToolNames;
use super::op::Mode;
use super::row::{Body, Flag, Part, Row, Trim};
use crate::scan::is_space;

/// Most rows together.
pub(crate) const MOST_ROWS: usize = 9;

/// What streams with the same options share.
#[derive(Clone, Copy, Debug)]
pub struct Table {
    rows: [Row; MOST_ROWS],
    count: u32,
    /// The bytes at which something may begin: a bit for each place.
    stops: [u8; 256],
    /// The names of the tools, which are tags by some rows.
    pub names: ToolNames,
}

/// Where something may begin or end: a bit of `stops`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum In {
    Text = 1,
    Reasoning = 2,
    Value = 4,
    /// A segment that is not a call, whose closer is looked for.
    Failed = 8,
    /// A value, where it depends on the row what the end of a chunk may belong to.
    ValueEnd = 16,
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
        for_each_front(&row, &mut |front, places| {
            if let Some(stops) = front.first().and_then(|&byte| self.stops.get_mut(usize::from(byte))) {
                *stops |= places;
            }
        });
        true
    }

    /// Writes the characters that may end text of a mode, as UTF-8, each perhaps several times; gives their length.
    /// Text without them needs no reading.
    pub fn write_stops(&self, mode: Mode, to: &mut [u8]) -> usize {
        let wanted = match mode {
            Mode::Text => In::Text as u8,
            Mode::Reasoning => In::Reasoning as u8,
            Mode::Value => In::Value as u8 | In::ValueEnd as u8,
            Mode::Failed => In::Failed as u8,
            Mode::Read | Mode::String | Mode::Silent | Mode::Element => 0,
        };
        let mut length = 0;
        for (_, row) in self.rows() {
            for_each_front(row, &mut |front, places| {
                let character = front.get(..character_len(front)).unwrap_or_default();
                if let Some(room) = to.get_mut(length..length + character.len())
                    && places & wanted != 0
                {
                    room.copy_from_slice(character);
                    length += character.len();
                }
            });
        }
        length
    }

    pub(super) fn stops(&self, byte: u8, place: In) -> bool {
        self.stops.get(usize::from(byte)).is_some_and(|stops| stops & place as u8 != 0)
    }

    /// Whether something counts where a line starts.
    pub(super) fn reads_lines(&self) -> bool {
        self.rows().any(|(_, row)| row.reads_lines())
    }

    pub(crate) fn rows(&self) -> impl Iterator<Item = (u8, &Row)> {
        (0..).zip(self.rows.iter().take(self.count as usize))
    }

    pub(crate) fn row(&self, number: u8) -> &Row {
        const NOTHING: Row = Row::NOTHING;
        self.rows.get(usize::from(number)).unwrap_or(&NOTHING)
    }
}

/// Passes on what may begin or end something: a marker, and where it counts, as bits.
#[inline(never)]
fn for_each_front(row: &Row, emit: &mut dyn FnMut(&[u8], u8)) {
    const TEXT: u8 = In::Text as u8;
    const REASONING: u8 = In::Reasoning as u8;
    const VALUE: u8 = In::Value as u8;
    const FAILED: u8 = In::Failed as u8;
    const VALUE_END: u8 = In::ValueEnd as u8;
    let is_tolerant = if row.is(Flag::Tolerant) { FAILED } else { 0 };
    for (part, places) in [
        (Part::SectionOpen, TEXT | REASONING | VALUE),
        (Part::SectionClose, TEXT),
        (Part::CallOpen, TEXT | REASONING | VALUE | is_tolerant),
        (Part::CallClose, TEXT | VALUE | is_tolerant),
        (Part::ReasoningOpen, TEXT),
        (Part::ReasoningClose, REASONING),
        (Part::Drop, TEXT),
        (Part::MessageOpen, TEXT | REASONING),
        (Part::MessageClose, TEXT | REASONING),
        (Part::ParamOpen, VALUE),
        (Part::ParamClose, VALUE | TEXT),
        (Part::SkipOpen, TEXT),
        (Part::NameOpen, TEXT),
        (Part::TurnEnd, TEXT | REASONING),
        (Part::OtherTurn, TEXT | REASONING),
        (Part::CiteOpen, TEXT | REASONING),
        (Part::CiteClose, TEXT | REASONING),
    ] {
        row.list(part).for_each(|mark| emit(mark, places));
    }
    if row.is(Flag::EndsAtCall) {
        // It may close late, after a call. A line end before it is text then.
        let is_marker = |mark: &&[u8]| mark.first().is_some_and(|&byte| !is_space(byte));
        row.list(Part::ReasoningClose).filter(is_marker).for_each(|mark| emit(mark, TEXT));
    }
    let body = row.body();
    if matches!(body, Body::Elements | Body::Yaml) {
        emit(row.list(Part::Prefix).next().unwrap_or(b"<"), VALUE);
    }
    let is_anywhere = row.is(Flag::BareAnywhere);
    let has_object = is_anywhere && (body != Body::Python || row.is(Flag::OrJson));
    let has_params = row.is(Flag::NamelessParams) || row.is(Flag::ElementParams);
    for (bytes, places, is_one) in [
        (&b"<"[..], TEXT | REASONING, true),
        (b"{", TEXT, body == Body::Json || has_object),
        (b"[", TEXT, is_anywhere),
        (b"`", TEXT, is_anywhere && row.is(Flag::Tolerant)),
        (b"\n", TEXT, row.reads_lines()),
        (b"<", FAILED, body == Body::Tree),
        // What the end of a value may depend on.
        (b"\r\n", VALUE_END, true),
        (b" \t", VALUE_END, matches!(row.trim(), Trim::All | Trim::Block)),
        (b"<", VALUE_END, has_params),
        (b"&", VALUE_END, row.is(Flag::Entities)),
        (b"<]", VALUE_END, row.is(Flag::CData)),
    ] {
        bytes.chunks(1).filter(|_| is_one).for_each(|byte| emit(byte, places));
    }
}

/// How many bytes the first character of a text has.
fn character_len(text: &[u8]) -> usize {
    let is_inside = |byte: &&u8| **byte & 0xC0 == 0x80;
    text.iter().skip(1).take_while(is_inside).count() + 1
}
