//! Character references in text.
//!
//! ```text
//! reference ::= '&' ('lt' | 'gt' | 'amp' | 'quot' | 'apos') ';'
//!             | '&#' [0-9]{1,7} ';' | '&#' [xX] [0-9a-fA-F]{1,6} ';'
//! ```
//!
//! Source: XML 1.0, section 4.6 and production 66.
//! Differences: numbers have at most seven (six hexadecimal) digits, so that at
//! most ten characters are pending; a reference to no known character stays as it
//! is written.

use super::tokenizer::Progress;
use crate::scan::{Entry, Literals, Prefix};
use std::ops::Range;

const NAMES: Literals<'static> = Literals {
    bytes: b"ampaposgtltquot",
    entries: &[
        Entry { start: 0, len: 3, class: 0 },
        Entry { start: 3, len: 4, class: 1 },
        Entry { start: 7, len: 2, class: 2 },
        Entry { start: 9, len: 2, class: 3 },
        Entry { start: 11, len: 4, class: 4 },
    ],
};

/// What each class of name stands for.
const CHARACTERS: [char; 5] = ['&', '\'', '>', '<', '"'];

/// How far a reference has been read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "debug", derive(serde::Serialize))]
enum State {
    /// `a|b`
    Rest,
    /// `&|lt;`
    Ampersand,
    /// `&l|t;`
    Name(Prefix),
    /// `&#|60;`, `&#x|3C;`: the number so far, and its digits.
    Number { base: u32, value: u32, digits: u8 },
}

/// What a byte led to: with a reference's last one, the character.
pub type Reading = Progress<char>;

/// Reads one reference at a time.
#[derive(Clone, Copy, Debug)]
#[cfg_attr(feature = "debug", derive(serde::Serialize))]
pub struct Entity {
    state: State,
    len: u32,
}

impl Entity {
    /// Between two references.
    pub const REST: Entity = Entity { state: State::Rest, len: 0 };

    /// Whether a reference is being read.
    #[must_use]
    pub fn is_reading(&self) -> bool {
        self.state != State::Rest
    }

    /// Units pending, the `&` included. All of them are ASCII.
    #[must_use]
    pub fn held(&self) -> u32 {
        self.len
    }

    /// A `&` was read.
    pub fn begin(&mut self) {
        *self = Entity { state: State::Ampersand, len: 1 };
    }

    /// Back to text. Also the move at the end of the input.
    pub fn give_up(&mut self) {
        self.state = State::Rest;
    }

    /// One byte after the `&`.
    pub fn step(&mut self, byte: u8) -> Reading {
        let next = match self.state {
            State::Rest => None,
            State::Ampersand if byte == b'#' => Some(State::Number { base: 10, value: 0, digits: 0 }),
            State::Ampersand => named(NAMES.start(), byte),
            State::Name(name) if byte == b';' => {
                return self.end(NAMES.exact(name).and_then(|class| CHARACTERS.get(usize::from(class)).copied()));
            }
            State::Name(name) => named(name, byte),
            State::Number { base: 10, digits: 0, .. } if byte | 0x20 == b'x' => {
                Some(State::Number { base: 16, value: 0, digits: 0 })
            }
            State::Number { value, .. } if byte == b';' => {
                // XML allows no control characters but these three.
                let is_allowed = value >= 0x20 || matches!(value, 0x09 | 0x0A | 0x0D);
                return self.end(char::from_u32(value).filter(|_| is_allowed));
            }
            State::Number { base, value, digits } => {
                let most = if base == 10 { 7 } else { 6 };
                let digit = char::from(byte).to_digit(base).filter(|_| digits < most);
                digit.map(|digit| State::Number { base, value: value * base + digit, digits: digits + 1 })
            }
        };
        match next {
            Some(state) => {
                self.state = state;
                self.len += 1;
                Reading::Pending
            }
            None => Reading::Failed,
        }
    }

    fn end(&mut self, character: Option<char>) -> Reading {
        match character {
            Some(character) => {
                *self = Entity { state: State::Rest, len: self.len + 1 };
                Reading::Whole(character)
            }
            None => Reading::Failed,
        }
    }
}

/// Finds the references of a whole text: calls `found` with the place of each in
/// bytes and its character, until that returns `false`.
///
/// ```
/// let mut found = Vec::new();
/// tokenweir::xml::references(b"a &lt; &b; &#65;", |place, character| {
///     found.push((place, character));
///     true
/// });
/// assert_eq!(found, [(2..6, '<'), (11..16, 'A')]);
/// ```
pub fn references(text: &[u8], mut found: impl FnMut(Range<usize>, char) -> bool) {
    let mut entity = Entity::REST;
    for (at, &byte) in text.iter().enumerate() {
        match if entity.is_reading() { entity.step(byte) } else { Reading::Failed } {
            Reading::Pending => {}
            Reading::Whole(character) => {
                if !found(at + 1 - entity.held() as usize..at + 1, character) {
                    return;
                }
            }
            Reading::Failed => {
                entity.give_up();
                if byte == b'&' {
                    entity.begin();
                }
            }
        }
    }
}

fn named(name: Prefix, byte: u8) -> Option<State> {
    let name = NAMES.step(name, byte);
    name.is_alive().then_some(State::Name(name))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> (usize, Reading) {
        let mut entity = Entity::REST;
        entity.begin();
        for (at, byte) in text.bytes().enumerate().skip(1) {
            match entity.step(byte) {
                Reading::Pending => assert_eq!(entity.held() as usize, at + 1),
                end @ (Reading::Whole(_) | Reading::Failed) => return (at, end),
            }
        }
        (text.len(), Reading::Pending)
    }

    #[test]
    fn the_five_names_and_numbers() {
        for (text, character) in [
            ("&lt;", '<'),
            ("&gt;", '>'),
            ("&amp;", '&'),
            ("&quot;", '"'),
            ("&apos;", '\''),
            ("&#60;", '<'),
            ("&#x3c;", '<'),
            ("&#X3C;", '<'),
            ("&#128578;", '🙂'),
            ("&#0000010;", '\n'),
            ("&#x00000a;", '\n'),
        ] {
            assert_eq!(read(text), (text.len() - 1, Reading::Whole(character)), "{text}");
        }
    }

    #[test]
    fn everything_else_fails_where_it_goes_wrong() {
        for (text, at) in [
            ("& ", 1),
            ("&;", 1),
            ("&x;", 1),
            ("&lt ", 3),
            ("&ltx;", 3),
            ("&#;", 2),
            ("&#x;", 3),
            ("&#x0;", 4),
            ("&#x000000a;", 9),
            ("&#8;", 3),
            ("&#xD800;", 7),
            ("&#x110000;", 9),
            ("&#00000060;", 9),
            ("&&lt;", 1),
        ] {
            assert_eq!(read(text), (at, Reading::Failed), "{text}");
        }
    }
}
