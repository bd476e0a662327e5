//! Reasoning in text, which is not searched for tool calls.
//!
//! ```text
//! reasoning ::= '<think>' text '</think>' | '<thinking>' text '</thinking>'
//! ```
//!
//! An opening tag counts where a model writes one: at the start of the reply, at the
//! start of a line, and directly after a tool call or other reasoning; not in a fence
//! of Markdown. Reasoning that is never closed goes on to the end.
//!
//! Source: spec/world.md, "Reasoning", 2 and 3.

use super::{Flow, Machine, Op, Phase};
use crate::markdown::{LINE_ENDS, Quotes, STOPS};
use crate::scan::{find_any, is_space};
use crate::text::{Sink, Stretch};
use crate::tool_call::protocol::{Reasoning, tag_len};

/// Opening and closing tags.
const TAGS: [(&[u8], &[u8]); 2] = [(b"<think>", b"</think>"), (b"<thinking>", b"</thinking>")];

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

/// Whether an opening tag counts at the place.
#[derive(Clone, Copy, Debug)]
#[cfg_attr(feature = "debug", derive(serde::Serialize))]
pub(super) struct Opening {
    pub(super) quotes: Quotes,
    /// Whether only white space stands between the place and the start of the reply,
    /// the call or the reasoning before it.
    pub(super) is_after: bool,
}

impl Opening {
    pub(super) const START: Opening = Opening { quotes: Quotes::START, is_after: true };

    /// After a call or reasoning.
    pub(super) fn pass_segment(&mut self) {
        self.quotes.code_mut().pass_segment();
        self.is_after = true;
    }

    /// After something in a line that is neither.
    pub(super) fn pass_words(&mut self) {
        self.quotes.code_mut().pass_segment();
        self.is_after = false;
    }

    /// At the start of a line after such.
    pub(super) fn pass_line(&mut self) {
        self.pass_words();
        self.quotes.code_mut().step(b'\n');
    }

    pub(super) fn step(&mut self, byte: u8) {
        self.is_after &= is_space(byte);
        self.quotes.code_mut().step(byte);
    }

    fn counts(&self) -> bool {
        self.is_after || self.quotes.code().is_line_start()
    }

    /// Whether no opening tag counts before the end of the line.
    fn is_settled(&self) -> bool {
        !self.is_after && self.quotes.code().is_within_line()
    }

    /// Whether text without what decides where code is changes nothing.
    fn is_plain(&self) -> bool {
        !self.is_after && self.quotes.code().is_plain()
    }
}

impl Machine {
    /// Whether text up to the end of the line needs no reading but for the start of a segment.
    pub(super) fn is_settled(&self) -> bool {
        match self.reasoning {
            _ if self.skips_code => self.opening.is_plain(),
            Reasoning::Search => true,
            Reasoning::Skip | Reasoning::Inside => self.opening.is_settled(),
        }
    }

    /// Passes text up to one of the bytes, or to what may open reasoning.
    pub(super) fn pass_text<const N: usize>(&mut self, stops: [u8; N], text: &mut Stretch<'_>) {
        if self.reasoning == Reasoning::Search && !self.skips_code {
            let plain = find_any(text.rest(), stops).unwrap_or(text.rest().len());
            return text.pass(plain);
        }
        while let Some(&byte) = text.rest().first() {
            if stops.contains(&byte) || byte == b'<' && self.opening.counts() {
                return;
            }
            if self.is_settled() {
                let line =
                    if self.skips_code { find_any(text.rest(), STOPS) } else { find_any(text.rest(), LINE_ENDS) };
                let line = line.unwrap_or(text.rest().len());
                let front = text.rest().get(..line).unwrap_or_default();
                let plain = find_any(front, stops).unwrap_or(line);
                text.pass(plain);
                if plain > 0 {
                    continue;
                }
            }
            self.step_text(text);
        }
    }

    /// Passes one byte of text.
    pub(super) fn step_text(&mut self, text: &mut Stretch<'_>) {
        if let Some(&byte) = text.rest().first() {
            self.opening.step(byte);
        }
        text.pass(1);
    }

    /// The number and the length of the opening tag at the start of a text, with a length
    /// of 0 if there is none that counts; `None` while the text is too short to say.
    pub(super) fn opens(&self, text: &[u8]) -> Option<(usize, usize)> {
        if self.reasoning == Reasoning::Search || text.first() != Some(&b'<') || !self.opening.counts() {
            return Some((0, 0));
        }
        any_tag(TAGS.map(|(open, _)| open), text)
    }

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
        let closes = match closer {
            Closer::Of(number) => TAGS.get(number).and_then(|(_, close)| tag_len(close, text.rest())),
            Closer::Any | Closer::AnyOrEcho | Closer::AtStart => {
                any_tag(TAGS.map(|(_, close)| close), text.rest()).map(|(_, length)| length)
            }
        };
        match closes {
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
        let Some((_, length)) = any_tag(TAGS.map(|(open, _)| open), text.rest()) else { return Flow::Wait };
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

/// The number and the length of the first of the tags that a text begins with.
fn any_tag<const N: usize>(tags: [&[u8]; N], text: &[u8]) -> Option<(usize, usize)> {
    let mut is_open = false;
    for (number, tag) in tags.into_iter().enumerate() {
        match tag_len(tag, text) {
            Some(0) => {}
            Some(length) => return Some((number, length)),
            None => is_open = true,
        }
    }
    (!is_open).then_some((0, 0))
}
