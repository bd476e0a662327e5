//! Reasoning in text: see `src/reasoning`.

use super::{Flow, Machine, Phase};
use crate::reasoning::{Opening, closing_tag};
use crate::scan::find_any;
use crate::segment::op::{Markers, Op, Reasoning, SegmentType};
use crate::text::{Sink, Stretch};

/// How text between segments is read.
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

impl Machine {
    /// Reasoning begins with a tag of so many bytes.
    pub(super) fn begin_reasoning(
        &mut self,
        number: usize,
        length: usize,
        text: &mut Stretch<'_>,
        sink: &mut impl Sink,
    ) {
        let tag = text.here();
        self.emit(Op::Text, tag, sink);
        text.pass(length);
        if self.prose.reasoning == Reasoning::Parts {
            let here = text.here();
            self.emit(Op::Markup, here, sink);
            sink.record(Op::Start(SegmentType::Reasoning).at(here, here));
        }
        self.phase = Phase::Reasoning(number);
    }

    /// In reasoning: up to its closing tag.
    pub(super) fn read_reasoning(&mut self, number: usize, text: &mut Stretch<'_>, sink: &mut impl Sink) -> Flow {
        let plain = find_any(text.rest(), [b'<']).unwrap_or(text.rest().len());
        text.pass(plain);
        if text.is_at_end() {
            return Flow::Stop;
        }
        match closing_tag(Some(number), text.rest()) {
            None => return Flow::Wait,
            Some(0) => text.pass(1),
            Some(length) => {
                let tag = text.here();
                self.emit(self.prose.op(), tag, sink);
                text.pass(length);
                let here = text.here();
                if self.prose.reasoning == Reasoning::Parts {
                    self.emit(Op::Markup, here, sink);
                    self.end(here, sink);
                } else {
                    self.pass_segment();
                }
            }
        }
        Flow::Go
    }
}
