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
    Text = 0,
    Reasoning = 1,
    Value = 2,
    /// A segment that is not a call, whose closer is looked for.
    Failed = 3,
    /// A value, where it depends on the row what the end of a chunk may belong to.
    ValueEnd = 4,
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
        for_each_front(&row, |front, places| {
            if let Some(stops) = front.first().and_then(|&byte| self.stops.get_mut(usize::from(byte))) {
                places.iter().for_each(|&place| *stops |= 1 << place as u8);
            }
        });
        true
    }

    /// Writes the characters that may end text of a mode, as UTF-8, each perhaps several times; gives their length.
    /// Text without them needs no reading.
    pub fn write_stops(&self, mode: Mode, to: &mut [u8]) -> usize {
        let wanted: &[In] = match mode {
            Mode::Text => &[In::Text],
            Mode::Reasoning => &[In::Reasoning],
            Mode::Value => &[In::Value, In::ValueEnd],
            Mode::Failed => &[In::Failed],
            Mode::Read | Mode::String | Mode::Silent | Mode::Element => &[],
        };
        let mut length = 0;
        for (_, row) in self.rows() {
            for_each_front(row, |front, places| {
                let character = front.get(..character_len(front)).unwrap_or_default();
                if let Some(room) = to.get_mut(length..length + character.len())
                    && places.iter().any(|place| wanted.contains(place))
                {
                    room.copy_from_slice(character);
                    length += character.len();
                }
            });
        }
        length
    }

    pub(super) fn stops(&self, byte: u8, place: In) -> bool {
        self.stops.get(usize::from(byte)).is_some_and(|stops| stops >> place as u8 & 1 == 1)
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

/// Passes on what may begin or end something: a marker, and where it counts.
fn for_each_front(row: &Row, mut emit: impl FnMut(&[u8], &[In])) {
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
        (Part::TurnEnd, &[In::Text, In::Reasoning]),
        (Part::OtherTurn, &[In::Text, In::Reasoning]),
        (Part::CiteOpen, &[In::Text, In::Reasoning]),
        (Part::CiteClose, &[In::Text, In::Reasoning]),
    ] {
        row.list(part).for_each(|mark| emit(mark, places));
    }
    emit(b"<", &[In::Text, In::Reasoning]);
    if row.body() == Body::Json {
        emit(b"{", &[In::Text]);
    }
    row.list(Part::ParamClose).for_each(|mark| emit(mark, &[In::Text]));
    if row.is(Flag::EndsAtCall) {
        // It may close late, after a call. A line end before it is text then.
        let is_marker = |mark: &&[u8]| mark.first().is_some_and(|&byte| !is_space(byte));
        row.list(Part::ReasoningClose).filter(is_marker).for_each(|mark| emit(mark, &[In::Text]));
    }
    if matches!(row.body(), Body::Elements | Body::Yaml) {
        emit(row.list(Part::Prefix).next().unwrap_or(b"<"), &[In::Value]);
    }
    if row.reads_lines() {
        emit(b"\n", &[In::Text]);
    }
    if row.body() == Body::Tree {
        emit(b"<", &[In::Failed]);
    }
    if row.is(Flag::Tolerant) {
        row.list(Part::CallOpen).chain(row.list(Part::CallClose)).for_each(|mark| emit(mark, &[In::Failed]));
    }
    if row.is(Flag::BareAnywhere) {
        emit(b"[", &[In::Text]);
        if row.body() != Body::Python || row.is(Flag::OrJson) {
            emit(b"{", &[In::Text]);
        }
    }
    for_each_end(row, |byte| emit(byte, &[In::ValueEnd]));
}

/// Passes on what the end of a value may depend on.
fn for_each_end(row: &Row, mut emit: impl FnMut(&[u8])) {
    let is_trimmed = matches!(row.trim(), Trim::All | Trim::Block);
    for (bytes, is_one) in [
        (&b"\r\n"[..], true),
        (b" \t", is_trimmed),
        (b"<", row.is(Flag::NamelessParams) || row.is(Flag::ElementParams)),
        (b"&", row.is(Flag::Entities)),
        (b"<]", row.is(Flag::CData)),
    ] {
        bytes.chunks(1).filter(|_| is_one).for_each(&mut emit);
    }
}

/// How many bytes the first character of a text has.
fn character_len(text: &[u8]) -> usize {
    let is_inside = |byte: &&u8| **byte & 0xC0 == 0x80;
    text.iter().skip(1).take_while(is_inside).count() + 1
}
