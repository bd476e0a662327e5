//! Whether a closing marker ends its value. One rule for every value in tags:
//!
//! ```text
//! x</parameter>  <parameter name="b">      it ends the value: the grammar goes on
//! x</parameter> y</parameter></invoke>     the first is part of the value, the second ends it
//! x</parameter> y<parameter name="b">      it ended the value, and ` y` is stray
//! ```
//!
//! The reader of a value finds the markers and says what came; this says what that means. While
//! it is undecided the marker and what follows are pending. Then the reader goes on after the
//! marker: in the value if it was a part of it, outside if not.
//!
//! The rows of wire formats ask the same of what follows ([`After::decides`]), and hold nothing back: they can
//! take a call back, so a value comes out while it is written, and one that had ended makes the call malformed.

/// Most units from the start of a closing marker on that are pending until it is decided. Past
/// that it has ended its value.
pub(crate) const FURTHEST_CLOSER: u32 = 4_096;

/// What comes after a closing marker that may end its value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum After {
    /// White space, or what may become a tag.
    Space,
    /// Anything that is no marker here.
    Text,
    /// Another closing marker of the same value.
    Closer,
    /// Where the grammar goes on: an opening tag of a parameter or of a call, a closing tag of what
    /// encloses the value, the end of the stream.
    Structure,
}

impl After {
    /// What a byte outside of tags is. A `<` may begin a tag: it is no text before that has failed.
    pub(crate) fn of(byte: u8, is_space: bool) -> After {
        if byte == b'<' || is_space { After::Space } else { After::Text }
    }

    /// What it says of the closing marker before it.
    pub(crate) const fn decides(self) -> Closing {
        match self {
            After::Space | After::Text => Closing::Pending,
            After::Closer => Closing::Inside,
            After::Structure => Closing::Ends,
        }
    }
}

/// Whether the closing marker ends its value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Closing {
    /// It is undecided.
    Pending,
    /// It has ended its value.
    Ends,
    /// It is part of the value.
    Inside,
}

/// What was read since a closing marker.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "debug", derive(serde::Serialize))]
pub(crate) struct Closer {
    /// Units from its start on.
    units: u32,
    /// Whether nothing but white space followed it.
    pub(crate) is_direct: bool,
}

impl Closer {
    /// After a closing marker of so many units.
    pub(crate) const fn begin(units: u32) -> Closer {
        Closer { units, is_direct: true }
    }

    /// What came next, of so many units.
    pub(crate) fn step(&mut self, after: After, units: u32) -> Closing {
        self.units = self.units.saturating_add(units);
        let closing = after.decides();
        if closing == Closing::Pending && self.units >= FURTHEST_CLOSER {
            return Closing::Ends;
        }
        self.is_direct &= after != After::Text;
        closing
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn after(steps: &[(After, u32)]) -> Closing {
        let mut closer = Closer::begin(12);
        steps.iter().fold(Closing::Pending, |_, &(after, units)| closer.step(after, units))
    }

    #[test]
    fn the_first_marker_that_follows_decides() {
        for (steps, expected) in [
            (&[(After::Space, 3), (After::Structure, 9)][..], Closing::Ends),
            (&[(After::Text, 3), (After::Structure, 9)], Closing::Ends),
            (&[(After::Text, 3), (After::Closer, 12)], Closing::Inside),
            (&[(After::Closer, 12)], Closing::Inside),
            (&[(After::Space, 1), (After::Text, 1)], Closing::Pending),
            (&[(After::Text, FURTHEST_CLOSER - 13)], Closing::Pending),
            (&[(After::Text, FURTHEST_CLOSER - 12)], Closing::Ends),
            (&[(After::Space, FURTHEST_CLOSER - 12)], Closing::Ends),
        ] {
            assert_eq!(after(steps), expected, "{steps:?}");
        }
    }
}
