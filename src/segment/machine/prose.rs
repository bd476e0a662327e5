//! Text between segments.

use crate::reasoning::{Opening, closing_tag};
use crate::segment::op::{Markers, Op, Reasoning};

/// How it is read.
#[derive(Clone, Copy, Debug)]
#[cfg_attr(feature = "debug", derive(serde::Serialize))]
pub(super) struct Prose {
    pub(super) reasoning: Reasoning,
    /// Where Markdown has code, and whether reasoning may begin.
    pub(super) opening: Opening,
    /// Whether no tool came since the start of the reply or the reasoning before.
    pub(super) is_lead: bool,
}

impl Prose {
    pub(super) const fn new(reasoning: Reasoning, markers: Markers) -> Prose {
        let seeks = !matches!(reasoning, Reasoning::Search);
        // Where nothing is looked for, nothing is quoted.
        let skips_code = markers.skips_code && (seeks || markers.any());
        Prose { reasoning, opening: Opening::new(seeks, skips_code), is_lead: true }
    }

    /// What the inside of reasoning is.
    pub(super) fn op(&self) -> Op {
        if self.reasoning == Reasoning::Text { Op::Text } else { Op::Content }
    }

    /// The length of a closing tag of reasoning at the start of a text, where nothing but white space stands between it
    /// and the start of the reply or the reasoning before it: the template, or the model, closed what it closes.
    pub(super) fn stray_tag(&self, text: &[u8]) -> Option<usize> {
        let counts = self.is_lead && self.opening.is_after && self.reasoning == Reasoning::Parts;
        if counts && text.first() == Some(&b'<') { closing_tag(None, text) } else { Some(0) }
    }
}
