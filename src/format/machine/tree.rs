//! A call that is an element with a tool's name, read with repairs: its children are the arguments.

use super::tolerant::Place;
use super::{Ask, Flow, LONGEST_SPACE, LONGEST_TOOL_TAG, Machine, Op, Phase, Why};
use crate::format::names::ToolNames;
use crate::format::op::Repair;
use crate::scan::{find_any, is_space, pass_space};
use crate::text::{Sink, Stretch};
use crate::xml::{NamedTag, TreeFault, TreeFlow, TreeOp, named_tag};

impl Machine {
    /// A tag with a tool's name begins.
    pub(super) fn begin_tree(&mut self, here: u32) -> Flow {
        self.tree.begin_root(here);
        self.is_line = false;
        self.has_begun = false;
        self.payload = here;
        self.phase = Phase::Tolerant(Place::Tree);
        Flow::Go
    }

    /// A tool's name on a line of its own, from `mark` to `name_end`; its children may begin at `here`.
    pub(super) fn begin_children(&mut self, mark: u32, name_end: u32, here: u32, sink: &mut impl Sink) {
        sink.record(TreeOp::Open.at(mark, name_end));
        sink.record(TreeOp::Opened { is_empty: false }.at(mark, here));
        self.tree.begin_children(here);
        self.is_line = true;
        self.has_begun = false;
        self.payload = here;
        self.payload_end = here;
        self.phase = Phase::Tolerant(Place::Tree);
    }

    /// Anything but a child ends a call whose tool's name stands on a line: after the last child.
    pub(super) fn line_ended(&mut self, sink: &mut impl Sink) -> Flow {
        let here = self.payload_end;
        let _ = self.element_ended(here, sink);
        Flow::At(here)
    }

    pub(super) fn read_tree(&mut self, text: &mut Stretch<'_>, sink: &mut impl Sink) -> Flow {
        let from = text.at();
        let was_inside = self.tree.depth() > 1;
        let is_far = !self.has_begun && self.is_far_space(text);
        let flow = match () {
            () if is_far => TreeFlow::Stop,
            () if self.tree.is_in_root_tag() => self.root_tag(text, sink),
            () => self.tree.advance(text, sink),
        };
        if !self.has_begun {
            // It may be prose that speaks of the tag.
            text.bytes().get(from..text.at()).unwrap_or_default().iter().for_each(|&byte| self.opening.step(byte));
        }
        if is_far {
            self.no_call(sink);
            return Flow::Go;
        }
        let here = text.here();
        if let Some(from) = self.tree.take_root_closer() {
            self.phase = Phase::Tolerant(Place::Ahead { from, has_tool: false });
            text.pass(1);
            return Flow::Go;
        }
        if was_inside && self.tree.depth() == 1 && flow == TreeFlow::Go {
            self.payload_end = here;
        }
        match flow {
            TreeFlow::Go => Flow::Go,
            // Between its arguments nothing but an element belongs to a call without tags.
            TreeFlow::Fault(TreeFault::StrayCloser | TreeFault::Text)
                if self.is_line && self.has_begun && self.tree.depth() == 1 =>
            {
                self.line_ended(sink)
            }
            TreeFlow::Fault(TreeFault::StrayCloser) if self.is_line && self.tree.depth() == 1 => {
                self.no_call(sink);
                Flow::At(self.payload)
            }
            // An argument that the tool's own closing tag closes.
            TreeFlow::Abandoned => {
                self.repairs |= Repair::MissingCloseTag.bit();
                if self.tree.depth() == 1 { self.ask(Ask::Element) } else { Flow::Go }
            }
            TreeFlow::Stop if self.tree.is_in_root_tag() && here.saturating_sub(self.mark) >= LONGEST_TOOL_TAG => {
                self.no_call(sink);
                Flow::Go
            }
            TreeFlow::Stop => Flow::Stop,
            TreeFlow::Wait => Flow::Wait,
            TreeFlow::Back(unit) => Flow::At(unit),
            TreeFlow::Ask if self.tree.is_in_root_tag() => {
                self.payload = here;
                self.tree.answer(false, here, sink);
                if self.tree.is_over() { self.element_ended(here, sink) } else { Flow::Go }
            }
            TreeFlow::Ask => {
                self.begin_element(sink);
                self.ask(Ask::Element)
            }
            TreeFlow::Over => self.element_ended(here, sink),
            TreeFlow::Fault(TreeFault::LooseLess | TreeFault::CutTag) => Flow::Go,
            TreeFlow::Fault(TreeFault::StrayCloser) => {
                // A tag right after the tool's is not prose.
                self.begin_element(sink);
                self.repairs |= Repair::StrayCloseTag.bit();
                Flow::Go
            }
            TreeFlow::Fault(TreeFault::Text | TreeFault::OwnTag | TreeFault::TooDeep) => {
                if self.has_begun {
                    return self.fail(Why::Malformed, here, sink);
                }
                // Prose that speaks of the tag.
                self.no_call(sink);
                Flow::At(if self.is_line { self.payload } else { here })
            }
        }
    }

    /// After a closing tag of the tool that stands in a string. Where the string's own comes
    /// later, the tool's is part of it. Where it doesn't, the string ends before
    /// the tool's: at the end of the stream, and where the string's tag opens again in a later call.
    pub(super) fn read_ahead(
        &mut self,
        from: u32,
        mut has_tool: bool,
        names: &ToolNames,
        text: &mut Stretch<'_>,
        sink: &mut impl Sink,
    ) -> Flow {
        loop {
            let plain = find_any(text.rest(), [b'<']).unwrap_or(text.rest().len());
            text.pass(plain);
            self.phase = Phase::Tolerant(Place::Ahead { from, has_tool });
            if text.is_at_end() {
                return Flow::Stop;
            }
            let here = text.here();
            match named_tag(text.rest(), self.tree.raw_name()) {
                NamedTag::Short => return Flow::Wait,
                NamedTag::Closer(_) => {
                    self.phase = Phase::Tolerant(Place::Tree);
                    return Flow::At(from);
                }
                NamedTag::Opener { .. } if has_tool && self.budget.pays(here.saturating_sub(from), here) => {
                    self.end_string(from);
                    return Flow::At(from);
                }
                NamedTag::Opener { .. } => return self.fail(Why::Malformed, from, sink),
                NamedTag::Other => {}
            }
            match names.fits(text.rest().get(1..).unwrap_or_default()) {
                None => return Flow::Wait,
                Some(length) => has_tool |= length > 0,
            }
            text.pass(1);
        }
    }

    /// The string that is being read ends before the tool's closing tag.
    pub(super) fn end_string(&mut self, from: u32) {
        self.tree.end_raw(from);
        self.phase = Phase::Tolerant(Place::Tree);
    }

    /// The tool's own tag, which has an end.
    fn root_tag(&mut self, text: &mut Stretch<'_>, sink: &mut impl Sink) -> TreeFlow {
        let room = (self.mark + LONGEST_TOOL_TAG).saturating_sub(text.here());
        let mut front = text.front(room);
        let flow = self.tree.advance(&mut front, sink);
        text.pass(front.at());
        flow
    }

    /// Whether white space goes on too long after the tool's tag, where nothing has
    /// shown that it is a call.
    fn is_far_space(&self, text: &mut Stretch<'_>) -> bool {
        if !self.tree.is_between_children() {
            return false;
        }
        pass_space(text, self.payload, LONGEST_SPACE);
        text.rest().first().is_some_and(|&byte| is_space(byte))
    }

    /// What is inside shows that it is a call.
    fn begin_element(&mut self, sink: &mut impl Sink) {
        if !self.has_begun {
            self.has_begun = true;
            sink.record(Op::Begin { row: self.row, is_bare: false, is_json: false }.at(self.mark, self.payload));
        }
    }

    fn element_ended(&mut self, here: u32, sink: &mut impl Sink) -> Flow {
        self.begin_element(sink);
        self.record_done(here, sink);
        self.segment_ended(here, sink);
        Flow::Go
    }

    /// The tag is text, and so is what follows it.
    pub(super) fn no_call(&mut self, sink: &mut impl Sink) {
        sink.record(Op::NoCall.at(self.mark, self.mark));
        self.line_start = self.is_line.then_some(self.payload);
        if self.is_line {
            self.opening.pass_line();
        }
        self.phase = Phase::Text;
    }
}
