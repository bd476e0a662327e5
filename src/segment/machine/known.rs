//! Calls of tools that the program knows, or doesn't.
//!
//! With a list of tools a call of another one is text, up to where the call
//! would end, and nothing in it is searched: what an unknown tool is called with
//! may quote a known one. In a JSON text the name must be read first; a
//! sentinel has it in its header.
//!
//! Source: spec/world.md, section 7.4.

use super::json_text::RULES;
use super::{Flow, Machine, Phase, Question, Until};
use crate::json::{Rule, Rules};
use crate::segment::called::CalleeState;
use crate::segment::op::{Op, SegmentType};
use crate::text::{Sink, Stretch};

/// The rules in an object that isn't a tool. A line that ends in a string ends it: a
/// tool may stand on the next one (see the test cases of json).
const OBJECT_RULES: Rules = RULES.without(Rule::RawControl);

impl Machine {
    /// Reads on to the name of the tool that a JSON text calls.
    pub(super) fn read_name(&mut self, is_object: bool, text: &mut Stretch<'_>, sink: &mut impl Sink) -> Flow {
        match self.called.read(text) {
            CalleeState::Pending => Flow::Stop,
            CalleeState::Nothing => self.refuse_json(is_object, text.here()),
            CalleeState::Name { from, to } => {
                sink.record(Op::Called(SegmentType::ToolCall).at(from, to));
                self.phase = Phase::Asked(Question::Json { is_object });
                Flow::Ask
            }
        }
    }

    /// A JSON text is a tool: it is read from its start.
    pub(super) fn begin_json(&mut self, sink: &mut impl Sink) -> Flow {
        self.emit(Op::Text, self.mark, sink);
        sink.record(Op::Start(SegmentType::ToolCall).at(self.mark, self.mark));
        self.phase = Phase::Json;
        self.json.begin(RULES);
        Flow::Back(self.mark)
    }

    /// An object isn't a tool: it is read from its start, as text.
    pub(super) fn begin_object(&mut self) -> Flow {
        self.phase = Phase::Object;
        self.json.begin(OBJECT_RULES);
        Flow::Back(self.mark)
    }

    /// A JSON text calls no tool of the program's. What is inside an object is
    /// not searched; the elements of a list may be tools.
    pub(super) fn refuse_json(&mut self, is_object: bool, here: u32) -> Flow {
        if !is_object {
            return self.search_again(here);
        }
        self.begin_object()
    }

    /// The place of the name that is asked about, if a sentinel's tool is. A
    /// sentinel whose header names no tool may name one in its content.
    pub(super) fn question_of(&self, segment_type: SegmentType) -> Option<(u32, u32)> {
        if !self.settings.tools.are_listed {
            return None;
        }
        match segment_type {
            SegmentType::Text | SegmentType::Reasoning => None,
            SegmentType::ToolCall => self.header.name_at(),
            SegmentType::WriteFile
            | SegmentType::PatchFile
            | SegmentType::EditFile
            | SegmentType::RunBash
            | SegmentType::Own => Some(self.header.name_at().unwrap_or(self.tool.content)),
        }
    }

    /// A sentinel's header is whole, and its segment begins here.
    pub(super) fn begin_sentinel(&mut self, segment_type: SegmentType, here: u32, sink: &mut impl Sink) -> Flow {
        self.emit(Op::Text, self.mark, sink);
        self.emit(Op::Markup, here, sink);
        sink.record(Op::Start(segment_type).at(here, here));
        self.phase = Phase::Raw { until: Until::Sentinel, matched: 0 };
        Flow::Go
    }

    /// The program doesn't know the tool that it was asked about.
    pub(super) fn refuse(&mut self, question: Question, here: u32, sink: &mut impl Sink) -> Flow {
        match question {
            Question::Tool { is_empty } => self.refuse_tag(Until::GivenUp, is_empty, sink),
            Question::Json { is_object } => self.refuse_json(is_object, here),
            Question::Sentinel(_) => self.refuse_tag(Until::TextSentinel, false, sink),
        }
    }

    /// What begins at `mark` is text, up to its end.
    pub(super) fn refuse_tag(&mut self, until: Until, is_empty: bool, sink: &mut impl Sink) -> Flow {
        sink.record(Op::Drop.at(self.mark, self.mark));
        self.tag.tokenizer.give_up();
        if is_empty {
            self.pass_segment();
        } else if until == Until::GivenUp {
            self.read_as_text(0);
        } else {
            self.phase = Phase::Raw { until, matched: 0 };
        }
        Flow::Go
    }
}
