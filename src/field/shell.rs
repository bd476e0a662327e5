//! Brackets around the place that are no document, or not the one that is meant. Their strings are not searched.

use crate::text::Stretch;

/// Where it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "debug", derive(serde::Serialize))]
enum At {
    /// Not inside of such brackets.
    Outside,
    /// Between strings, and whether one may begin.
    Between { expects: bool },
    /// In a string, by its quote.
    String(u8),
    /// After a backslash in it.
    Escape(u8),
}

/// The brackets that are open.
#[derive(Clone, Copy, Debug)]
#[cfg_attr(feature = "debug", derive(serde::Serialize))]
pub(super) struct Shell {
    at: At,
    levels: u16,
    /// What begins before this place as a string is one.
    sound_until: u32,
}

impl Shell {
    pub(super) const OUTSIDE: Shell = Shell { at: At::Outside, levels: 0, sound_until: 0 };

    pub(super) fn is_inside(&self) -> bool {
        self.at != At::Outside
    }

    /// After a bracket that begins something else, whose strings are strings up to a place.
    pub(super) fn enter(&mut self, sound_until: u32) {
        if !self.is_inside() {
            self.levels = 0;
        }
        self.levels = self.levels.saturating_add(1);
        let is_outer = self.levels == 1;
        self.sound_until = if is_outer { sound_until } else { self.sound_until.max(sound_until) };
        self.at = At::Between { expects: true };
    }

    /// After a bracket that can't begin the document. It may be prose.
    pub(super) fn enter_other(&mut self) {
        let sound_until = if self.is_inside() { self.sound_until } else { u32::MAX };
        self.enter(sound_until);
    }

    /// After the quote of a string.
    pub(super) fn enter_string(&mut self, quote: u8) {
        self.enter(u32::MAX);
        self.at = At::String(quote);
    }

    /// A document is read, whatever it was in, or thinking ends.
    pub(super) fn leave(&mut self) {
        self.at = At::Outside;
    }

    /// A value was passed over.
    pub(super) fn pass_value(&mut self) {
        if self.is_inside() {
            self.at = At::Between { expects: false };
        }
    }

    /// Forgets the first `units` units.
    pub(super) fn release(&mut self, units: u32) {
        if self.sound_until != u32::MAX {
            self.sound_until = self.sound_until.saturating_sub(units);
        }
    }

    /// Whether the next byte is part of a string that is not searched.
    pub(super) fn has_string(&mut self, byte: u8, may_begin: bool, text: &mut Stretch<'_>) -> bool {
        self.at = match self.at {
            At::Outside => return false,
            // Brackets in a string are skipped, and a string that is never closed ends with its line.
            At::String(_) | At::Escape(_) if matches!(byte, b'\n' | b'\r') => At::Outside,
            At::Escape(quote) => At::String(quote),
            At::String(quote) if byte == b'\\' => At::Escape(quote),
            At::String(quote) if byte == quote => At::Between { expects: false },
            At::String(quote) => At::String(quote),
            At::Between { expects } => {
                self.at = self.between(byte, expects && may_begin, text);
                return matches!(self.at, At::String(_));
            }
        };
        self.is_inside()
    }

    /// Between strings, after a byte.
    fn between(&mut self, byte: u8, may_begin: bool, text: &mut Stretch<'_>) -> At {
        match byte {
            b'"' | b'\'' if may_begin && text.here() < self.sound_until => At::String(byte),
            b' ' | b'\t' | b'\n' | b'\r' | b'{' | b'[' => self.at,
            b',' | b':' => At::Between { expects: true },
            b'}' | b']' => {
                self.levels = self.levels.saturating_sub(1);
                if self.levels == 0 { At::Outside } else { At::Between { expects: false } }
            }
            // What was not read as JSON must look like it.
            _ if self.sound_until == u32::MAX && byte.is_ascii_alphabetic() && !b"truefalsn".contains(&byte) => {
                At::Outside
            }
            _ if byte.is_ascii_alphanumeric() || b"_$-+.".contains(&byte) => At::Between { expects: false },
            _ => At::Outside,
        }
    }
}
