//! Reasoning in text: see `src/reasoning`.

use super::{Flow, Machine, Phase};
use crate::reasoning::closing_tag;
use crate::scan::find_any;
use crate::segment::op::{Op, Reasoning, SegmentType};
use crate::text::{Sink, Stretch};

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
