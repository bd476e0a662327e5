//! Reasoning between calls: see `src/reasoning`.

use super::{Flow, Machine, Op, Phase};
use crate::reasoning::{closing_tag, opening_tag};
use crate::scan::{find_any, is_space};
use crate::text::{Sink, Stretch};

/// What ends reasoning.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "debug", derive(serde::Serialize))]
pub(super) enum Closer {
    /// The closing tag of the opening tag with this number.
    Of(usize),
    /// Any: the prompt has opened the reasoning.
    Any,
    /// The same, before anything else came: a server may repeat the opening tag.
    AnyOrEcho,
    /// The same, at the start of the stream.
    AtStart,
}

impl Machine {
    /// Reasoning begins with a tag of so many bytes.
    pub(super) fn begin_reasoning(
        &mut self,
        (number, length): (usize, usize),
        text: &mut Stretch<'_>,
        sink: &mut impl Sink,
    ) {
        let here = text.here();
        self.emit(Op::Text, here, sink);
        text.pass(length);
        self.emitted = text.here();
        sink.record(Op::Reasoning.at(here, self.emitted));
        self.phase = Phase::Reasoning { closer: Closer::Of(number) };
    }

    /// In reasoning: up to its closing tag.
    pub(super) fn read_reasoning(&mut self, closer: Closer, text: &mut Stretch<'_>, sink: &mut impl Sink) -> Flow {
        if matches!(closer, Closer::AtStart | Closer::AnyOrEcho) {
            return self.read_echo(closer, text, sink);
        }
        let plain = find_any(text.rest(), [b'<']).unwrap_or(text.rest().len());
        text.pass(plain);
        if text.is_at_end() {
            return Flow::Stop;
        }
        let number = match closer {
            Closer::Of(number) => Some(number),
            Closer::Any | Closer::AnyOrEcho | Closer::AtStart => None,
        };
        match closing_tag(number, text.rest()) {
            None => Flow::Wait,
            Some(0) => {
                text.pass(1);
                Flow::Go
            }
            Some(length) => {
                let tag = text.here();
                self.emit(Op::Reasoned, tag, sink);
                text.pass(length);
                self.emitted = text.here();
                sink.record(Op::ReasoningEnd.at(tag, self.emitted));
                self.opening.pass_segment();
                self.phase = Phase::Text;
                Flow::Go
            }
        }
    }

    /// At the start of a stream that begins inside reasoning.
    fn read_echo(&mut self, closer: Closer, text: &mut Stretch<'_>, sink: &mut impl Sink) -> Flow {
        if closer == Closer::AtStart {
            sink.record(Op::Reasoning.at(self.emitted, self.emitted));
            self.phase = Phase::Reasoning { closer: Closer::AnyOrEcho };
        }
        let space = text.rest().iter().take_while(|byte| is_space(**byte)).count();
        text.pass(space);
        if text.is_at_end() {
            return Flow::Stop;
        }
        let Some((_, length)) = opening_tag(text.rest()) else { return Flow::Wait };
        if length > 0 {
            let tag = text.here();
            self.emit(Op::Reasoned, tag, sink);
            text.pass(length);
            self.emit(Op::Reopened, text.here(), sink);
        }
        self.phase = Phase::Reasoning { closer: Closer::Any };
        Flow::Go
    }
}
