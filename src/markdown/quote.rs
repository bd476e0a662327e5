//! Markers that may be quoted in inline code or in the first line of a fence.
//!
//! ```text
//! a ` b <tool> c ` d      the second backtick says that the tag is text
//! ```
//!
//! Text is not held back for that, but the first marker is: whoever searches reads ahead
//! from it, and begins again at the marker if it isn't code after all.
//!
//! Source: spec/world.md, 2.

use super::code::{Code, Standing, Turn};

/// What reading ahead came to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Found {
    /// The marker is text, as all is up to so many units before the place.
    Code { back: u32 },
    /// It is not in the code that it was thought to be in, and is looked at again.
    Again,
}

/// Markdown's code, as it is read, and as it was at the marker that is held.
#[derive(Clone, Copy, Debug)]
#[cfg_attr(feature = "debug", derive(serde::Serialize))]
pub(crate) struct Quotes {
    code: Code,
    marker: Code,
}

impl Quotes {
    pub(crate) const START: Quotes = Quotes { code: Code::START, marker: Code::START };

    /// Whether a marker that begins with the next byte is in code. If that is open, reading ahead begins.
    pub(crate) fn look(&mut self) -> Standing {
        let standing = self.code.standing();
        if standing == Standing::Open {
            self.code.settle();
            self.marker = self.code;
        }
        standing
    }

    /// Reads one byte ahead, unless it says what the marker is.
    pub(crate) fn ahead(&mut self, byte: u8) -> Option<Found> {
        loop {
            match self.turn(byte) {
                Some(Turn::Stays) => {
                    self.code.pass(byte);
                    return None;
                }
                Some(Turn::Closes { back }) => {
                    self.code.go_back(back);
                    return Some(Found::Code { back });
                }
                Some(Turn::IsFence) if self.marker.may_be_fence() => return Some(Found::Code { back: 0 }),
                Some(_) => return Some(self.again()),
                None => {}
            }
        }
    }

    /// The stream has ended while a marker was held.
    pub(crate) fn end(&mut self) -> Found {
        self.ahead(b'\n').unwrap_or_else(|| self.again())
    }

    /// What the next byte decides; `None` if that says nothing of the marker.
    fn turn(&mut self, byte: u8) -> Option<Turn> {
        let turn = self.code.enter(byte);
        let may_be_fence = self.marker.may_be_fence();
        match turn {
            // An older run of backticks is literal; the marker may still be after a fence's.
            Turn::IsLiteral if may_be_fence => {
                self.marker.drop_first_run();
                None
            }
            Turn::IsNoFence if !may_be_fence => None,
            // Backticks that open no fence may close older ones, before the marker.
            Turn::Closes { back: 1.. } if may_be_fence => Some(Turn::IsNoFence),
            Turn::Stays | Turn::Closes { .. } | Turn::IsLiteral | Turn::IsFence | Turn::IsNoFence => Some(turn),
        }
    }

    // One copy: it copies two states of Markdown, once for a marker.
    #[inline(never)]
    fn again(&mut self) -> Found {
        self.code = self.marker;
        self.code.drop_first();
        Found::Again
    }

    /// What reads on.
    pub(crate) fn code(&self) -> &Code {
        &self.code
    }

    /// The code, with which text is read.
    pub(crate) fn code_mut(&mut self) -> &mut Code {
        &mut self.code
    }
}
