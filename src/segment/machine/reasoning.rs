//! Reasoning in text: see `src/reasoning`.

use super::{Flow, Machine, Phase, Reasoning};
use crate::reasoning::closing_tag;
use crate::scan::find_any;
use crate::segment::op::{Op, SegmentType};
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
                    self.phase = Phase::Text;
                    self.opening.pass_segment();
                }
            }
        }
        Flow::Go
    }
}
