//! Drives the table of `state.rs` through one tag of a tree or of elements, and keeps
//! the places of the tag's parts.

use super::state::{Action, State, step_on};

/// Where something stands: its first unit, and one past its last.
pub(super) type Place = (u32, u32);

/// One tag. Its units count from wherever its reader counts.
#[derive(Clone, Copy, Debug)]
#[cfg_attr(feature = "debug", derive(serde::Serialize))]
pub(super) struct TagReader {
    state: State,
    /// Where its `<` stands.
    pub(super) from: u32,
    /// `</name>`
    pub(super) is_closing: bool,
    pub(super) name: Place,
    /// The name of the attribute that was read last.
    pub(super) attribute: Place,
    /// That attribute's value, without quotes.
    pub(super) value: Place,
}

impl TagReader {
    /// Between two tags.
    pub(super) const REST: TagReader =
        TagReader { state: State::Text, from: 0, is_closing: false, name: (0, 0), attribute: (0, 0), value: (0, 0) };

    /// After a `<` at unit `from`.
    pub(super) fn begin(from: u32) -> TagReader {
        TagReader { state: State::Open, from, name: (from + 1, from + 1), ..TagReader::REST }
    }

    /// Reads the byte between units `here` and `next`. A byte that fails changes nothing.
    pub(super) fn step(&mut self, byte: u8, here: u32, next: u32) -> Action {
        let (state, action) = step_on(self.state, byte);
        match action {
            Action::Fail => return action,
            Action::Closing => {
                self.is_closing = true;
                self.name.0 = next;
            }
            Action::NameEnd => self.name.1 = here,
            Action::AttributeStart => self.attribute.0 = here,
            Action::AttributeEnd => self.attribute.1 = here,
            Action::ValueAfter => self.value.0 = next,
            Action::ValueHere => self.value.0 = here,
            Action::ValueEnd | Action::ValueSlash => self.value.1 = here,
            Action::Hold | Action::Name | Action::Attribute | Action::Inner | Action::Space | Action::EmptyTag => {}
        }
        self.state = state;
        action
    }

    /// Whether a tag is being read: false after the byte that ended it.
    pub(super) fn is_reading(&self) -> bool {
        self.state != State::Text
    }

    /// Whether the name has ended and the tag hasn't.
    pub(super) fn is_after_name(&self) -> bool {
        !matches!(self.state, State::Text | State::Open | State::Name | State::ClosingName)
    }

    /// Back to text.
    pub(super) fn give_up(&mut self) {
        self.state = State::Text;
    }

    /// Moves its places `units` towards the start.
    pub(super) fn release(&mut self, units: u32) {
        for place in [&mut self.name, &mut self.attribute, &mut self.value] {
            *place = (place.0.saturating_sub(units), place.1.saturating_sub(units));
        }
        self.from = self.from.saturating_sub(units);
    }
}

/// A name of at most `LONGEST` bytes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Name<const LONGEST: usize> {
    len: u8,
    bytes: [u8; LONGEST],
}

#[cfg(feature = "debug")]
crate::text::inspect::shown_as_text!(Name<LONGEST>, LONGEST: Name::bytes);

impl<const LONGEST: usize> Name<LONGEST> {
    pub(crate) const EMPTY: Name<LONGEST> = Name { len: 0, bytes: [0; LONGEST] };

    /// Appends a byte; false if there is no room.
    pub(crate) fn add(&mut self, byte: u8) -> bool {
        let Some(room) = self.bytes.get_mut(usize::from(self.len)) else { return false };
        *room = byte;
        self.len += 1;
        true
    }

    pub(crate) fn bytes(&self) -> &[u8] {
        self.bytes.get(..usize::from(self.len)).unwrap_or_default()
    }

    pub(super) fn is_empty(&self) -> bool {
        self.len == 0
    }
}

/// Whether a byte may stand in a name.
pub(super) fn is_in_name(byte: u8) -> bool {
    is_letter(byte) || byte.is_ascii_digit() || matches!(byte, b'-' | b'.' | b':')
}

/// Whether a byte may stand in a name, at its start too.
pub(crate) fn is_letter(byte: u8) -> bool {
    byte.is_ascii_alphabetic() || byte == b'_' || byte >= 0x80
}
