//! Reasoning in text: see `src/reasoning`.

use super::{Flow, Machine, Phase};
use crate::reasoning::closing_tag;
use crate::scan::find_any;
use crate::segment::op::{Op, Reasoning, SegmentType};
use crate::text::{Sink, Stretch};

impl Machine {
    /// What the inside of reasoning is.
    pub(super) fn reasoning_op(&self) -> Op {
        if self.reasoning == Reasoning::Text { Op::Text } else { Op::Content }
    }

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
        if self.reasoning == Reasoning::Parts {
            let here = text.here();
            self.emit(Op::Markup, here, sink);
            sink.record(Op::Start(SegmentType::Reasoning).at(here, here));
        }
        self.phase = Phase::Reasoning(number);
    }

    /// The length of a closing tag of reasoning at the start of a text, where nothing but white space stands between it
    /// and the start of the reply or the reasoning before it: the template, or the model, closed what it closes.
    pub(super) fn stray_tag(&self, text: &[u8]) -> Option<usize> {
        let counts = self.is_lead && self.opening.is_after && self.reasoning == Reasoning::Parts;
        if counts && text.first() == Some(&b'<') { closing_tag(None, text) } else { Some(0) }
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
                self.emit(self.reasoning_op(), tag, sink);
                text.pass(length);
                let here = text.here();
                if self.reasoning == Reasoning::Parts {
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
