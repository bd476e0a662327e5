//! A tool whose arguments are read by its row: between them, in them, and when
//! its segment begins.

use super::content::read_closing_tag;
use super::tags::{ARGUMENTS, has_name};
use super::{CLOSING_ARG, Flow, Inside, Machine, Marked, Phase, Scan, Until};
use crate::scan::find_any;
use crate::segment::op::{Fault, Op};
use crate::segment::state::Role;
use crate::text::{Sink, Stretch, whitespace_len};
use crate::xml::{Cdata, Progress, Tag};

impl Machine {
    /// The program has said how the tool is read; its tag ends here.
    pub(super) fn begin_tool(&mut self, is_empty: bool, here: u32, sink: &mut impl Sink) -> Flow {
        self.tool.has_content = self.tool.row.is_raw();
        self.tool.is_refused = false;
        self.tool.known = 0;
        self.tool.has_begun = self.tool.row.is_raw() || self.tool.row.begins_at_once();
        self.emit(Op::Text, self.mark, sink);
        if self.tool.has_begun {
            self.emit(Op::Markup, here, sink);
            sink.record(Op::Start(self.tool.row.segment_type).at(here, here));
        }
        if self.tool.row.is_raw() {
            self.scan_values(Until::Tool, 0);
        } else {
            self.phase = Phase::Tool(Inside::Between);
        }
        if is_empty {
            self.end_tool(here, sink);
        }
        Flow::Go
    }

    /// The tool is closed.
    pub(super) fn end_tool(&mut self, here: u32, sink: &mut impl Sink) {
        if !self.tool.has_begun && !self.tool.row.is_enough(self.tool.known) {
            self.drop_tool(Fault::MissingArguments, here, sink);
            return;
        }
        self.begin(here, sink);
        self.emit(Op::Markup, here, sink);
        if !self.tool.has_content {
            sink.record(Op::Missing.at(here, here));
        }
        self.end(here, sink);
    }

    /// The tool will never begin: all of it is text, and not searched.
    pub(super) fn drop_tool(&mut self, fault: Fault, here: u32, sink: &mut impl Sink) {
        let is_refused = std::mem::take(&mut self.tool.is_refused) && fault == Fault::MissingArguments;
        let fault = if is_refused { Fault::BadArguments } else { fault };
        sink.record(Op::Drop.at(self.mark, self.mark));
        self.emit(Op::Text, here, sink);
        sink.record(Op::Fault(fault).at(self.mark, here));
        self.pass_segment();
    }

    /// In a tool: where a possible tag begins, or the pending text ends, and how many arguments are open there.
    pub(super) fn place_of_end(&self, held: u32) -> (u32, u32) {
        let Phase::Tool(inside) = self.phase else { return (held, 0) };
        match inside {
            Inside::Between => (held, 0),
            Inside::Tag => (self.edge, 0),
            Inside::Values { is_tag: true } | Inside::After => (self.edge, self.scan.depth),
            Inside::Values { is_tag: false } => (held, self.scan.depth),
            Inside::Value { matched, .. } if matched > 0 => (self.edge, 1),
            Inside::Marked(Marked::Either { .. } | Marked::EndArg(_)) => (self.scan.tail, 1),
            Inside::Marked(Marked::Closer(_)) => (self.tool.content.1, 0),
            Inside::Value { .. }
            | Inside::Section
            | Inside::Lead { .. }
            | Inside::LineEnd { .. }
            | Inside::Marked(Marked::Body | Marked::Break | Marked::EndSpace | Marked::ArgSpace) => (held, 1),
        }
    }

    /// The tool's segment begins, if it hasn't yet.
    pub(super) fn begin(&mut self, here: u32, sink: &mut impl Sink) {
        if self.tool.has_begun {
            return;
        }
        self.tool.has_begun = true;
        let (from, to) = if self.tool.has_content { self.tool.content } else { (here, here) };
        self.emit(Op::Markup, from, sink);
        sink.record(Op::Start(self.tool.row.segment_type).at(from, from));
        self.emit(Op::Content, to, sink);
        self.emit(Op::Markup, here, sink);
    }

    /// Goes to where a tag may begin, and into it; false if none does.
    pub(super) fn find_tag(&mut self, text: &mut Stretch<'_>) -> bool {
        let plain = find_any(text.rest(), [b'<']).unwrap_or(text.rest().len());
        text.pass(plain);
        let is_found = !text.is_at_end();
        if is_found {
            self.edge = text.here();
            text.pass(1);
            self.tag.begin();
        }
        is_found
    }

    pub(super) fn read_between(&mut self, text: &mut Stretch<'_>) -> Flow {
        if !self.find_tag(text) {
            return Flow::Stop;
        }
        self.phase = Phase::Tool(Inside::Tag);
        Flow::Go
    }

    pub(super) fn read_inside(&mut self, text: &mut Stretch<'_>, sink: &mut impl Sink) -> Flow {
        while let Some(&byte) = text.rest().first() {
            match self.tag.step(ARGUMENTS, byte) {
                Progress::Pending => text.pass(1),
                Progress::Failed => {
                    self.tag.tokenizer.give_up();
                    self.phase = Phase::Tool(Inside::Between);
                    return Flow::Go;
                }
                Progress::Whole(tag) => {
                    text.pass(1);
                    self.take_inside(tag, text.here(), sink);
                    return Flow::Go;
                }
            }
        }
        Flow::Stop
    }

    /// A tag between arguments.
    pub(super) fn take_inside(&mut self, tag: Tag, here: u32, sink: &mut impl Sink) {
        self.phase = Phase::Tool(Inside::Between);
        if tag.is_closer {
            self.end_tool(here, sink);
            return;
        }
        match self.tool.row.role(&self.tag.word) {
            Role::Content if !self.tool.has_content => {
                if !self.tool.row.needs_some() {
                    self.begin(here, sink);
                }
                if self.tool.has_begun {
                    self.emit(Op::Markup, here, sink);
                }
                self.tool.content = (here, here);
                if tag.is_empty {
                    self.end_content(here, here, sink);
                } else {
                    self.scan = Scan::begin(Until::Content, 1);
                    self.phase = Phase::Tool(Inside::Lead { matched: 0 });
                }
            }
            Role::Metadata(index) if !self.tool.has_begun && !tag.is_empty && self.tool.known & 1 << index == 0 => {
                self.scan.tail = here;
                self.scan.cdata = Cdata::Outside;
                self.phase = Phase::Tool(Inside::Value { index, is_blank: true, matched: 0 });
            }
            Role::Content | Role::Metadata(_) | Role::Other if !tag.is_empty && has_name(&tag) => {
                self.scan_values(Until::Other, 1);
            }
            Role::Content | Role::Metadata(_) | Role::Other => {}
        }
    }

    /// A value for the metadata goes up to the next `<`, which must begin `</arg>`.
    pub(super) fn read_value(
        &mut self,
        index: u8,
        mut is_blank: bool,
        mut matched: u8,
        text: &mut Stretch<'_>,
        sink: &mut impl Sink,
    ) -> Flow {
        if self.scan.cdata != Cdata::Outside {
            return self.read_value_section(index, text, sink);
        }
        while let Some(&byte) = text.rest().first() {
            if matched == 0 && byte != b'<' {
                let space = whitespace_len(text.rest());
                is_blank &= space > 0;
                text.pass(space.max(1));
                continue;
            }
            if matched == 0 {
                self.edge = text.here();
            }
            let units = text.here().saturating_sub(self.edge);
            let Some(read) = read_closing_tag(CLOSING_ARG, matched, byte, units) else {
                if matched == 1 && byte == b'!' && is_blank {
                    self.scan.cdata = Cdata::Opening { read: 1 };
                    self.phase = Phase::Tool(Inside::Value { index, is_blank: false, matched });
                    return Flow::Go;
                }
                self.phase = Phase::Tool(Inside::Between);
                return Flow::Back(self.edge);
            };
            text.pass(1);
            matched = read;
            if usize::from(matched) == CLOSING_ARG.len() {
                self.phase = Phase::Tool(Inside::Between);
                if !is_blank {
                    sink.record(Op::Metadata(index).at(self.scan.tail, self.edge));
                    self.tool.known |= 1 << index;
                    self.metadata_is_known(text.here(), sink);
                }
                return Flow::Go;
            }
        }
        self.phase = Phase::Tool(Inside::Value { index, is_blank, matched });
        Flow::Stop
    }

    pub(super) fn metadata_is_known(&mut self, here: u32, sink: &mut impl Sink) {
        if !self.tool.row.needs_some() || !self.tool.row.is_enough(self.tool.known) {
            return;
        }
        self.begin(here, sink);
        if self.tool.has_content {
            self.scan_values(Until::Swallowed, 0);
        }
    }

    /// The content ended at `to`, and what ends it here.
    pub(super) fn end_content(&mut self, to: u32, here: u32, sink: &mut impl Sink) -> Flow {
        self.tool.has_content = true;
        if self.tool.has_begun {
            self.emit(Op::Content, to, sink);
            self.emit(Op::Markup, here, sink);
            self.scan_values(Until::Swallowed, 0);
        } else {
            self.tool.content.1 = to;
            self.phase = Phase::Tool(Inside::Between);
        }
        Flow::Go
    }
}
