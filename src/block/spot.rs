//! Where the text of an element stands in a call, as far as payloads depend on it (`elements.rs`).

use super::tags::Role;
use crate::xml::{Cdata, Recognised, Tag};

/// Where the text stands in a call, as far as payloads depend on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "debug", derive(serde::Serialize))]
pub(super) enum Spot {
    /// `|<invoke name="f">`
    Outside,
    /// `<invoke name="f">|`
    Invoke,
    /// `<parameter name="a">|`
    Front,
    /// `<parameter name="a">\n|`
    Line,
    /// `<parameter name="a">text|`
    Value,
    /// `<parameter name="a"><![CDATA[text|`, or a front of that.
    Payload,
    /// `<parameter name="a"><![CDATA[text]]>|`, and a front of another section, perhaps.
    Suffix,
}

/// What ends a suffix.
pub(super) const AFTER_PAYLOAD: Recognised =
    Recognised { openers: 0, closers: Role::Parameter.bit() | Role::Invoke.bit() | Role::FunctionCalls.bit() };

/// Where payloads are.
#[derive(Clone, Copy, Debug)]
#[cfg_attr(feature = "debug", derive(serde::Serialize))]
pub(super) struct Payloads {
    pub(super) spot: Spot,
    /// How far the payload is read, or what may begin one.
    pub(super) cdata: Cdata,
    /// How many elements of thinking and of results were open when the turn began.
    pub(super) history: (u32, u32),
}

impl Payloads {
    pub(super) const NONE: Payloads = Payloads { spot: Spot::Outside, cdata: Cdata::Outside, history: (0, 0) };

    /// Whether text here has to be read byte by byte.
    pub(super) fn are_near(&self) -> bool {
        matches!(self.spot, Spot::Front | Spot::Line | Spot::Payload | Spot::Suffix)
    }

    /// Whether the bytes of what may be a section's beginning are pending.
    pub(super) fn holds_section(&self) -> bool {
        matches!(self.cdata, Cdata::Opening { .. } | Cdata::Closed { .. })
    }

    /// Where a tag leads. It is structure in calls, unless an element that this turn has opened is around it.
    pub(super) fn pass_tag(&mut self, is_structure: bool, role: Role, tag: &Tag) {
        self.spot = match (role, self.spot) {
            (Role::FunctionCalls | Role::Invoke, _) if tag.is_closer => Spot::Outside,
            (Role::Parameter, Spot::Front | Spot::Line | Spot::Value | Spot::Suffix) if tag.is_closer => Spot::Invoke,
            (Role::Invoke, Spot::Outside | Spot::Invoke) if is_structure && tag.is_empty => Spot::Outside,
            (Role::Invoke, Spot::Outside | Spot::Invoke) if is_structure => Spot::Invoke,
            (Role::Parameter, Spot::Invoke) if is_structure && !tag.is_empty => Spot::Front,
            (_, Spot::Front | Spot::Line) => Spot::Value,
            (_, spot) => spot,
        };
    }

    /// What was read is text: no payload begins here.
    pub(super) fn begin_text(&mut self) {
        if matches!(self.spot, Spot::Front | Spot::Line) {
            self.spot = Spot::Value;
        }
    }
}
