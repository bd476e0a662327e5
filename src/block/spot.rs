//! Where the text of an element stands in a call, as far as payloads depend on it (`elements.rs`).

use super::tags::Role;
use crate::xml::Recognised;

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
