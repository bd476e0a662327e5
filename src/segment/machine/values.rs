//! Values of arguments, up to what ends them, and all of a tool whose content is everything inside.
//!
//! ```text
//! x</arg> y</arg></arguments>      the first tag is part of the value, the second ends it
//! x</arg> y<arg name="b">          it ended the value
//! x</tool> y</arg></tool>          the tool's own closing tag, in a value
//! x</arguments></tool>             the value's closing tag is missing
//! <arg name="k">v</arg>            an argument in a value: tags in pairs are part of it
//! ```
//!
//! What may have ended the content of a segment is pending until that is known: see `src/xml/closer.rs`.
//! Elsewhere only the end of the tool is looked for; what the values are is read later (`src/xml/elements.rs`).
//!
//! Source: spec/policy.md, 4 to 6.

use super::tags::{AFTER, ARG, ARGUMENTS_TAG, RUN_BASH, TOOL, VALUES, has_name};
use super::{Ender, Flow, Inside, Machine, Phase, Scan, Until};
use crate::scan::is_space;
use crate::segment::op::Op;
use crate::text::{Sink, Stretch, units_of};
use crate::xml::{After, Cdata, CdataMove, Closer, Closing, Progress, Tag};

impl Machine {
    /// Values are read from here on, with so many arguments open.
    pub(super) fn scan_values(&mut self, until: Until, depth: u32) {
        self.scan = Scan::begin(until, depth);
        self.phase = Phase::Tool(Inside::Values { is_tag: false });
    }

    /// A tool that isn't one is text from here on, up to its end.
    pub(super) fn read_as_text(&mut self, depth: u32) {
        self.tool.has_begun = true;
        self.tool.is_refused = false;
        self.scan_values(Until::GivenUp, depth);
    }

    /// In values: up to a tag that counts.
    pub(super) fn read_values(&mut self, is_tag: bool, text: &mut Stretch<'_>, sink: &mut impl Sink) -> Flow {
        if !is_tag {
            if self.scan.cdata != Cdata::Outside {
                return self.pass_section(text);
            }
            if !self.find_tag(text) {
                return Flow::Stop;
            }
            self.phase = Phase::Tool(Inside::Values { is_tag: true });
        }
        while let Some(&byte) = text.rest().first() {
            match self.tag.step(VALUES, byte) {
                Progress::Pending => text.pass(1),
                Progress::Failed => return self.fail_in_values(byte, text.here()),
                Progress::Whole(tag) => {
                    text.pass(1);
                    self.phase = Phase::Tool(Inside::Values { is_tag: false });
                    return self.take_in_values(&tag, text.here(), sink);
                }
            }
        }
        Flow::Stop
    }

    /// What began at `edge` is no tag that counts.
    fn fail_in_values(&mut self, byte: u8, here: u32) -> Flow {
        let has_inner = self.tag.tokenizer.has_inner();
        self.tag.tokenizer.give_up();
        self.phase = Phase::Tool(Inside::Values { is_tag: false });
        let next = self.edge + 1;
        if byte == b'!' && here == next && self.scan.depth > 0 {
            self.scan.cdata = Cdata::Opening { read: 1 };
        }
        if has_inner && self.budget.pays(here.saturating_sub(next), here) { Flow::Back(next) } else { Flow::Go }
    }

    /// In CDATA, or what may begin it. Nothing in it is a tag.
    fn pass_section(&mut self, text: &mut Stretch<'_>) -> Flow {
        text.pass(self.scan.cdata.plain(text.rest()));
        let Some(&byte) = text.rest().first() else { return Flow::Stop };
        let action = self.scan.cdata.step(byte);
        if matches!(action, CdataMove::Failed(_) | CdataMove::Closed) {
            self.scan.cdata = Cdata::Outside;
        }
        if !matches!(action, CdataMove::Failed(_) | CdataMove::Brackets(_)) {
            text.pass(1);
        }
        Flow::Go
    }

    /// A tag in values, which begins at `edge`.
    fn take_in_values(&mut self, tag: &Tag, here: u32, sink: &mut impl Sink) -> Flow {
        let Scan { until, depth, calls, .. } = self.scan;
        let opens = !tag.is_closer && !tag.is_empty && has_name(tag);
        match tag.class {
            ARG if opens => {
                self.scan.is_mixed |= depth > 0;
                self.scan.depth = depth.saturating_add(1);
            }
            TOOL if opens && depth > 0 => self.scan.calls = calls.saturating_add(1),
            ARG if tag.is_closer && depth == 1 && until == Until::Content => {
                return self.look_after(Ender::Arg, tag, here);
            }
            ARG if tag.is_closer => {
                self.scan.depth = depth.saturating_sub(1);
                if depth <= 1 {
                    self.value_closes();
                }
                if depth <= 1 && until == Until::Other {
                    self.phase = Phase::Tool(Inside::Between);
                    if !self.tool.has_begun {
                        self.metadata_is_known(here, sink);
                    }
                }
            }
            TOOL if tag.is_closer && calls > 0 => self.scan.calls = calls - 1,
            TOOL if tag.is_closer && depth > 0 => return self.look_after(Ender::Tool, tag, here),
            TOOL if tag.is_closer => self.end_values(here, sink),
            ARGUMENTS_TAG if tag.is_closer && until == Until::Content => {
                return self.look_after(Ender::Arguments, tag, here);
            }
            _ => {}
        }
        Flow::Go
    }

    /// An argument is closed: if it has swallowed the opening tag of a tool, that can't be one.
    fn value_closes(&mut self) {
        self.tool.is_refused |= self.scan.calls > 0;
        self.scan.calls = 0;
        self.scan.is_mixed = false;
    }

    /// The tool's closing tag, which ends here.
    fn end_values(&mut self, here: u32, sink: &mut impl Sink) {
        let until = self.scan.until;
        if until == Until::GivenUp {
            self.emit(Op::Text, here, sink);
            self.tool.is_refused = false;
            self.pass_segment();
        } else if matches!(until, Until::Content | Until::Other) {
            self.end_tool(here, sink);
        } else {
            self.emit(until.op(), self.edge, sink);
            self.emit(Op::Markup, here, sink);
            self.end(here, sink);
        }
    }

    /// Reads on after a tag that may have ended a value.
    fn look_after(&mut self, ender: Ender, tag: &Tag, here: u32) -> Flow {
        self.scan.ender = ender;
        self.scan.closer = Closer::begin(tag.len);
        self.scan.tail = here;
        self.scan.pairs = 0;
        self.phase = Phase::Tool(Inside::After);
        Flow::Go
    }

    /// After it: up to what decides.
    pub(super) fn read_after(&mut self, text: &mut Stretch<'_>, sink: &mut impl Sink) -> Flow {
        while let Some(&byte) = text.rest().first() {
            let mut after = After::of(byte, is_space(byte));
            if byte == b'<' {
                self.tag.begin();
            } else if self.tag.tokenizer.is_reading() {
                after = self.step_after(byte, text.here() + 1);
            }
            text.pass(1);
            let closing = match (self.scan.ender, after) {
                (Ender::Arguments, After::Text) => Closing::Inside,
                _ => self.scan.closer.step(after, units_of(byte)),
            };
            if closing != Closing::Pending {
                return self.settle(closing, sink);
            }
        }
        Flow::Stop
    }

    /// One byte of what may be a tag after it, which may end at `next`.
    fn step_after(&mut self, byte: u8, next: u32) -> After {
        let tag = match self.tag.step(AFTER, byte) {
            Progress::Pending => return After::Space,
            Progress::Failed => {
                self.tag.tokenizer.give_up();
                return After::Text;
            }
            Progress::Whole(tag) => tag,
        };
        self.tag.tokenizer.give_up();
        let is_structure = match (tag.class, tag.is_closer) {
            (ARG, true) if self.scan.pairs > 0 => {
                self.scan.pairs -= 1;
                false
            }
            (ARG, true) => return After::Closer,
            (TOOL, true) if self.scan.ender == Ender::Arguments => {
                self.scan.ender = Ender::Tool;
                self.scan.closer = Closer::begin(tag.len);
                self.scan.tail = next;
                return After::Space;
            }
            (TOOL | ARGUMENTS_TAG, true) => self.scan.ender == Ender::Arg,
            (ARG, false) if self.scan.ender == Ender::Arg => self.scan.closer.is_direct || has_name(&tag),
            // After a tool an argument is one of the next.
            (ARG, false) => {
                self.scan.pairs += u32::from(has_name(&tag) && !tag.is_empty);
                false
            }
            (RUN_BASH, false) => self.scan.ender == Ender::Arg,
            (_, _) => self.scan.ender == Ender::Arg && has_name(&tag),
        };
        if is_structure { After::Structure } else { After::Text }
    }

    /// Whether the tag at `edge` has ended the value is known: reads on after it.
    pub(super) fn settle(&mut self, closing: Closing, sink: &mut impl Sink) -> Flow {
        self.tag.tokenizer.give_up();
        let next = self.scan.tail;
        match (closing, self.scan.ender) {
            (Closing::Inside | Closing::Pending, _) => self.phase = Phase::Tool(Inside::Values { is_tag: false }),
            (Closing::Ends, Ender::Arg | Ender::Arguments) => {
                self.value_closes();
                // What follows it may have been a part of it.
                self.tool.is_refused |= !self.scan.closer.is_direct;
                let _ = self.end_content(self.edge, next, sink);
            }
            (Closing::Ends, Ender::Tool) => {
                self.tool.is_refused |= self.scan.is_mixed;
                self.value_closes();
                if self.scan.until == Until::Content {
                    self.tool.has_content = true;
                    self.tool.content.1 = self.edge;
                    if self.tool.has_begun {
                        self.emit(Op::Content, self.edge, sink);
                    }
                }
                self.end_values(next, sink);
            }
        }
        Flow::Back(next)
    }
}
