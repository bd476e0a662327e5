//! Elements in a tool call that are parameters: those that its tool's schema names.
//!
//! ```text
//! <invoke name="get_weather"><city>Paris</city></invoke>
//! ```
//!
//! The machine has no schemas. It asks about each name that an element in a call begins
//! with, and reads the `<` again with the answer: as the tag of the only name that then
//! counts, or as any other.
//!
//! Source: spec/world.md, 5.2.

use super::tags::{LONGEST_NAME, PREFIX, Role};
use super::value::Declared;
use crate::scan::{Entry, Literals};
use crate::text::utf16_len;
use crate::xml::{Name, Vocabulary, is_letter};

/// The prefix and the name.
const ROOM: usize = PREFIX.len() + LONGEST_NAME;

/// What is known of an element.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "debug", derive(serde::Serialize))]
enum State {
    /// No element is being read.
    None,
    /// No element is looked for in this call.
    Off,
    /// The caller was asked about its name.
    Asked,
    /// Its name is not the schema's: the `<` is read as any other.
    Stranger,
    /// It is a parameter, from its opening tag to the end of its value.
    Parameter(Declared),
}

/// The element that is being read in a tool call.
#[derive(Clone, Copy, Debug)]
#[cfg_attr(feature = "debug", derive(serde::Serialize))]
pub(super) struct Element {
    state: State,
    /// Its name after the prefix.
    name: Name<ROOM>,
    /// The name with the prefix and without, as the tokenizer looks for them.
    entries: [Entry; 2],
}

impl Element {
    pub(super) const NONE: Element =
        Element { state: State::None, name: Name::EMPTY, entries: [Entry { start: 0, len: 0, class: 0 }; 2] };

    /// The call's body begins like a JSON object: its strings may have elements.
    pub(super) fn is_json(&mut self) {
        self.state = State::Off;
    }

    pub(super) fn are_looked_for(&self) -> bool {
        self.state != State::Off
    }

    /// The caller is asked about a name, which has no prefix.
    pub(super) fn ask(&mut self, name: &[u8]) {
        self.state = State::Asked;
        self.name = Name::EMPTY;
        for &byte in PREFIX.iter().chain(name) {
            self.name.add(byte);
        }
        let (prefix, len, class) = (PREFIX.len() as u16, name.len() as u8, Role::Parameter as u8);
        let bare = Entry { start: prefix, len, class };
        let prefixed = Entry { start: 0, len: len + prefix as u8, class };
        self.entries = if name < self.name.bytes() { [bare, prefixed] } else { [prefixed, bare] };
    }

    /// The caller's answer; false if it was not asked about a name.
    pub(super) fn answer(&mut self, declared: Declared) -> bool {
        if self.state != State::Asked {
            return false;
        }
        self.state = if declared == Declared::Unknown { State::Stranger } else { State::Parameter(declared) };
        true
    }

    /// Whether the `<` that comes next was asked about and is read as any other; it is forgotten.
    pub(super) fn take_stranger(&mut self) -> bool {
        let is_stranger = self.state == State::Stranger;
        if is_stranger {
            self.state = State::None;
        }
        is_stranger
    }

    /// How the parameter is declared, if it is one.
    pub(super) fn declared(&self) -> Option<Declared> {
        match self.state {
            State::Parameter(declared) => Some(declared),
            State::None | State::Off | State::Asked | State::Stranger => None,
        }
    }

    /// The parameter has ended, or its tag is text.
    pub(super) fn end(&mut self) {
        if self.declared().is_some() {
            self.state = State::None;
        }
    }

    /// What its tags are read by.
    pub(super) fn vocabulary(&self) -> Vocabulary<'_> {
        let none = Literals { bytes: &[], entries: &[] };
        let names = Literals { bytes: self.name.bytes(), entries: &self.entries };
        Vocabulary { names, attributes: none, folds_case: false, slash_closes: false }
    }

    /// Whether `after`, which stands after a `<`, may begin its closing tag; a no is final.
    pub(super) fn may_close_with(&self, after: &[u8]) -> bool {
        match after {
            [] | [b'/'] => true,
            [b'/', first, ..] => {
                self.entries.iter().any(|entry| self.name.bytes().get(usize::from(entry.start)) == Some(first))
            }
            _ => false,
        }
    }

    /// How much of a name that was read in its tag is the prefix.
    pub(super) fn prefix_of(&self, units: u32) -> u32 {
        let name = self.name.bytes().get(PREFIX.len()..).unwrap_or_default();
        units - utf16_len(name)
    }
}

/// The name of the element that `after`, which stands after a `<`, begins: its prefix and the
/// rest, which is empty if it can't be one. `None` while too little of it is there.
pub(super) fn name_of(after: &[u8]) -> Option<(&[u8], &[u8])> {
    let near = after.get(..=ROOM).unwrap_or(after);
    let len = match near.iter().position(|byte| b"<>/=\"'& \t\n\r".contains(byte)) {
        None if near.len() <= ROOM => return None,
        Some(len) if near.get(len).is_some_and(|end| b">/ \t\n\r".contains(end)) => len,
        None | Some(_) => 0,
    };
    let name = near.get(..len).unwrap_or_default();
    let (prefix, name) =
        name.split_at_checked(PREFIX.len()).filter(|(front, _)| *front == PREFIX).unwrap_or((&[], name));
    let is_name = name.len() <= LONGEST_NAME && name.first().is_some_and(|byte| is_letter(*byte));
    Some((prefix, if is_name { name } else { &[] }))
}
