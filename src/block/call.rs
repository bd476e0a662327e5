//! The tool call that is open.

use super::element::Element;

/// What is known of it.
#[derive(Clone, Copy, Debug)]
#[cfg_attr(feature = "debug", derive(serde::Serialize))]
pub(super) struct Call {
    pub(super) has_name: bool,
    pub(super) has_parameters: bool,
    /// Stray text was read since its last tag.
    pub(super) has_stray: bool,
    /// Its input can't be read: a value has swallowed an opening tag of a parameter, or text follows one's CDATA.
    pub(super) is_refused: bool,
    pub(super) element: Element,
}

impl Call {
    pub(super) const NONE: Call =
        Call { has_name: false, has_parameters: false, has_stray: false, is_refused: false, element: Element::NONE };
}
