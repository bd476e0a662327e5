//! The tags of elements that are open in a segment, by their names.

use crate::scan::{LONGEST_GAP, Short, Sight, after, at_most, space_len};

/// Deepest nesting, the call counted.
const DEEPEST: usize = 128;

/// Room for the names of all open elements, in bytes.
const NAMES: usize = 2_048;

/// The elements that are open.
#[derive(Clone, Copy, Debug)]
#[cfg_attr(feature = "debug", derive(serde::Serialize))]
pub(super) struct Open {
    /// Whether the call's tag is the tool's name, which then is the first name.
    pub(super) is_own: bool,
    /// Whether its first element is asked about, since the name has no tag.
    pub(super) is_line: bool,
    /// Whether the last name is that of a parameter that is an element, in a call of parameters.
    is_param: bool,
    #[cfg_attr(feature = "debug", serde(serialize_with = "crate::text::inspect::buffer"))]
    names: [u8; NAMES],
    #[cfg_attr(feature = "debug", serde(serialize_with = "crate::text::inspect::list"))]
    ends: [u16; DEEPEST],
    /// How many are open, the call counted; 0 where nothing of elements is read.
    pub(super) depth: usize,
    /// How long the closing tag is that the program is asked about, with the space before it.
    pub(super) closer: usize,
    /// Whether the program took the call.
    pub(super) is_taken: bool,
    /// Where the body turned out not to be elements.
    pub(super) failed: u32,
}

impl Open {
    pub(super) const NONE: Open = Open {
        is_own: false,
        is_line: false,
        is_param: false,
        names: [0; NAMES],
        ends: [0; DEEPEST],
        depth: 0,
        closer: 0,
        is_taken: false,
        failed: 0,
    };

    /// A call begins, with a tool's name if that is its tag.
    pub(super) fn begin(&mut self, own: Option<&[u8]>) {
        // Not as a whole: the room for names is large.
        (self.is_own, self.is_line, self.is_param, self.is_taken) = (own.is_some(), false, false, false);
        (self.depth, self.closer, self.failed) = (0, 0, 0);
        // A tool's name is never too long.
        self.push(own.unwrap_or_default());
    }

    /// A call begins whose tool's name stands on a line, without a tag.
    pub(super) fn begin_line(&mut self, name: &[u8]) {
        self.begin(Some(name));
        self.is_line = true;
    }

    /// Whether its first element is asked about.
    pub(super) fn is_line(&self) -> bool {
        self.is_line
    }

    /// The name of the tool whose tag the call's is.
    pub(super) fn own(&self) -> &[u8] {
        self.name(1)
    }

    /// The call is over, whatever it was. Its tag is still known.
    pub(super) fn end(&mut self) {
        self.end_param();
        self.depth = self.depth.min(1);
    }

    /// A parameter that is an element begins; false if there is no room for its name.
    pub(super) fn begin_param(&mut self, name: &[u8]) -> bool {
        self.is_param = self.push(name);
        self.is_param
    }

    /// A parameter ends.
    pub(super) fn end_param(&mut self) {
        if std::mem::take(&mut self.is_param) {
            self.depth = self.depth.saturating_sub(1);
        }
    }

    /// Whether a parameter that is an element is open.
    pub(super) fn is_in_param(&self) -> bool {
        self.is_param
    }

    /// The length of its closing tag at the start of a text, or 0.
    pub(super) fn closes_param(&self, text: &[u8]) -> Sight<usize> {
        loose_closer(self.name(self.depth), text)
    }

    /// Whether a call whose arguments are elements is read.
    pub(super) fn is_open(&self) -> bool {
        self.depth > 1 && !self.is_param
    }

    /// Whether the element that was opened last is an argument.
    pub(super) fn is_argument(&self) -> bool {
        self.depth == 2
    }

    pub(super) fn release(&mut self, units: u32) {
        self.failed = self.failed.saturating_sub(units);
    }

    /// Adds a name; false if there is no room.
    pub(super) fn push(&mut self, name: &[u8]) -> bool {
        let from = self.end_of(self.depth);
        let to = from + name.len();
        let (Some(room), Some(end)) = (self.names.get_mut(from..to), self.ends.get_mut(self.depth)) else {
            return false;
        };
        room.copy_from_slice(name);
        *end = to as u16;
        self.depth += 1;
        true
    }

    /// Where the names of so many elements end.
    fn end_of(&self, depth: usize) -> usize {
        depth.checked_sub(1).and_then(|last| self.ends.get(last)).map_or(0, |&end| usize::from(end))
    }

    /// The name of the element at a depth, from 1.
    pub(super) fn name(&self, depth: usize) -> &[u8] {
        self.names.get(self.end_of(depth.saturating_sub(1))..self.end_of(depth)).unwrap_or_default()
    }
}

/// The length of the closing tag with a name, in any case, at the start of a text, or 0.
fn loose_closer(name: &[u8], text: &[u8]) -> Sight<usize> {
    let mut at = 0;
    for piece in [b"<", b"/", name, b">"] {
        let rest = after(text, at);
        let space = if at == 0 { 0 } else { space_len(at_most(rest, LONGEST_GAP)) };
        let rest = after(rest, space);
        let seen = at_most(rest, piece.len());
        if !piece.get(..seen.len()).is_some_and(|front| front.eq_ignore_ascii_case(seen)) {
            return Ok(0);
        }
        if seen.len() < piece.len() {
            return Err(Short);
        }
        at += space + piece.len();
    }
    Ok(at)
}
