//! The rules of [`Face::Elements`](super::Face::Elements): an element of
//! thinking, function calls or function results is one block of text.
//!
//! A *payload* is a parameter's value in CDATA. Nothing in it is markup, and after it only what
//! ends the parameter, its call or the calls is:
//!
//! ```text
//! payload ::= '\n'? section+        right after an opening tag of a parameter
//! suffix  ::= text up to '</parameter>', '</invoke>' or '</function_calls>'
//! ```
//!
//! Source: membrane's `IncrementalXmlParser` (v0.5.78), by spec/block.md; its payloads from 0.5.86 on.
//! Differences: a closing tag without its opening tag changes nothing (there the depth
//! goes to −1), and no block is completed that was not started.

use super::machine::{Ending, Machine, Run};
use super::op::{Kind, Op};
use super::spot::{Payloads, Spot};
use super::tags::{NAME, Role, TOOL_USE_ID};
use crate::scan::find_any;
use crate::text::Sink;
use crate::xml::{CDATA_OPENER, Cdata, CdataMove, Tag};

impl<S: Sink> Run<'_, '_, S> {
    /// Says where the attribute of a tag stands that is its name or id.
    pub(super) fn element_attribute(&mut self, tag: &Tag, start: u32) {
        let place = [NAME, TOOL_USE_ID].into_iter().find_map(|slot| tag.values.get(slot).copied().flatten());
        if let Some((from, to)) = place {
            self.say(Op::Attribute, start + from, start + to);
        }
    }
}

impl Machine {
    /// One tag.
    pub(super) fn element_tag<S: Sink>(&mut self, run: &mut Run<'_, '_, S>, role: Role, tag: &Tag) {
        let is_structure = self.stack.count(Kind::ToolCall) > 0 && !self.is_enclosed();
        self.payloads.pass_tag(is_structure, role, tag);
        let kind = match role {
            Role::Thinking => Kind::Thinking,
            Role::FunctionCalls => Kind::ToolCall,
            Role::FunctionResults => Kind::ToolResult,
            Role::Invoke | Role::Parameter | Role::Result | Role::Error => return,
        };
        if !tag.is_closer {
            self.complete(run, Ending::OtherTag);
            self.stack.enter(kind);
            self.start(run, kind, run.from);
        }
        if (tag.is_closer || tag.is_empty) && self.stack.count(kind) > 0 {
            self.complete(run, Ending::OwnTag);
            self.stack.leave(kind);
            self.payloads.history.0 = self.payloads.history.0.min(self.stack.count(Kind::Thinking));
            self.payloads.history.1 = self.payloads.history.1.min(self.stack.count(Kind::ToolResult));
        }
    }

    /// Whether the text ends in a payload: after a whole `<![CDATA[`, and before the end of its `]]>`.
    #[must_use]
    pub fn is_in_payload(&self) -> bool {
        let Payloads { spot, cdata, .. } = self.payloads;
        spot == Spot::Payload && matches!(cdata, Cdata::Inside | Cdata::Bracket | Cdata::Brackets)
    }

    /// All text so far is history: a payload or its suffix ends here, and what is open in it of thinking and results
    /// encloses no call of the turn.
    pub fn end_history(&mut self) {
        self.payloads.history = (self.stack.count(Kind::Thinking), self.stack.count(Kind::ToolResult));
        if self.payloads.spot == Spot::Suffix || self.is_in_payload() {
            self.payloads.cdata = Cdata::Outside;
            self.payloads.spot = Spot::Outside;
        }
    }

    /// Whether an element of thinking or results that this turn has opened is open.
    fn is_enclosed(&self) -> bool {
        self.stack.count(Kind::Thinking) > self.payloads.history.0
            || self.stack.count(Kind::ToolResult) > self.payloads.history.1
    }

    /// Reads text where a payload may begin, in it, or after it.
    pub(super) fn text_at_spot<S: Sink>(&mut self, run: &mut Run<'_, '_, S>) {
        let here = run.text.here();
        let rest = run.text.rest();
        let Some(&byte) = rest.first() else { return };
        let plain = self.payloads.cdata.plain(rest);
        if plain > 0 {
            self.steps.add(plain);
            return run.text.pass(plain);
        }
        self.steps.add(1);
        if self.payloads.cdata == Cdata::Outside {
            return self.begin_at_spot(run, byte);
        }
        match self.payloads.cdata.step(byte) {
            CdataMove::Hold | CdataMove::Text | CdataMove::OldestBracket => {}
            CdataMove::Brackets(_) => return,
            CdataMove::Opened => {
                self.payloads.spot = Spot::Payload;
                let from = (here + 1).saturating_sub(CDATA_OPENER.len() as u32);
                run.say(Op::Payload { is_open: true }, from, here + 1);
            }
            CdataMove::Closed => {
                self.payloads.spot = Spot::Suffix;
                run.say(Op::Payload { is_open: false }, here + 1, here + 1);
            }
            CdataMove::Space => self.payloads.cdata = Cdata::Outside,
            CdataMove::Failed(read) => return self.section_fails_at_spot(run, read),
        }
        run.text.pass(1);
    }

    /// Text where no section is being read: one may begin.
    fn begin_at_spot<S: Sink>(&mut self, run: &mut Run<'_, '_, S>, byte: u8) {
        match (self.payloads.spot, byte) {
            (Spot::Front | Spot::Line, b'<') => self.payloads.cdata = Cdata::Opening { read: 0 },
            (Spot::Front, b'\n') => {
                self.payloads.spot = Spot::Line;
                run.text.pass(1);
            }
            (Spot::Suffix, b'<') => self.begin_tag_at_spot(run, 0),
            (Spot::Suffix, _) => {
                let rest = run.text.rest();
                let len = find_any(rest, [b'<']).unwrap_or(rest.len());
                self.steps.add(len);
                run.text.pass(len);
            }
            (Spot::Front | Spot::Line | Spot::Payload | Spot::Outside | Spot::Invoke | Spot::Value, _) => {
                self.payloads.spot = Spot::Value;
            }
        }
    }

    /// What was pending, `read` bytes, begins no section; the byte after it is read again.
    fn section_fails_at_spot<S: Sink>(&mut self, run: &mut Run<'_, '_, S>, read: u8) {
        self.payloads.cdata = Cdata::Outside;
        if read == 1 {
            self.begin_tag_at_spot(run, 1);
        } else if self.payloads.spot != Spot::Suffix {
            self.payloads.spot = Spot::Value;
        }
    }

    /// A `<` begins a tag, perhaps; it was passed by so many bytes.
    fn begin_tag_at_spot<S: Sink>(&mut self, run: &mut Run<'_, '_, S>, passed: usize) {
        self.tag.begin();
        run.tag_byte = run.text.at().checked_sub(passed);
        run.text.pass(1 - passed);
    }
}
