//! Content that is CDATA: its text, literally.
//!
//! ```text
//! content ::= space* ('<![CDATA[' … ']]>')+ space* closing-tag
//! ```
//!
//! Anything else before the closing tag can't be part of the content that was emitted: the tool is not called.
//!
//! Source: spec/policy.md, 5; the table is in `src/xml/cdata.rs`.

use super::{Flow, Inside, Machine, Phase, Until};
use crate::segment::op::Op;
use crate::text::{Sink, Stretch};
use crate::xml::{Cdata, CdataMove};

impl Machine {
    /// The content is not CDATA, and has no start marker: it is read from its start.
    pub(super) fn begin_plain(&mut self) -> Flow {
        if matches!(self.scan.until, Until::WriteFile | Until::RunBash) {
            self.phase = Phase::Raw { until: self.scan.until, matched: 0 };
        } else {
            self.scan_values(self.scan.until, 1);
        }
        Flow::Back(self.tool.content.0)
    }

    /// In CDATA, or what may be its start or its end. `edge` is where brackets begin that may end it.
    pub(super) fn read_section(&mut self, text: &mut Stretch<'_>, sink: &mut impl Sink) -> Flow {
        let before = self.scan.cdata;
        text.pass(before.plain(text.rest()));
        let here = text.here();
        let Some(&byte) = text.rest().first() else { return Flow::Stop };
        let action = self.scan.cdata.step(byte);
        match action {
            CdataMove::Brackets(_) => return Flow::Go,
            CdataMove::Failed(_) if !before.is_closed() => {
                self.scan.cdata = Cdata::Outside;
                return self.begin_plain();
            }
            CdataMove::Failed(read) => return self.end_section(read, byte, text, sink),
            CdataMove::Hold if before == Cdata::Inside => self.edge = here,
            CdataMove::OldestBracket => self.edge += 1,
            CdataMove::Hold | CdataMove::Text | CdataMove::Space | CdataMove::Opened | CdataMove::Closed => {}
        }
        text.pass(1);
        let here = text.here();
        match action {
            CdataMove::Opened if self.tool.has_begun => self.emit(Op::Markup, here, sink),
            // What stands in two places can't be kept.
            CdataMove::Opened if before.is_closed() => self.tool.is_refused = true,
            CdataMove::Opened => self.tool.content = (here, here),
            CdataMove::Closed if self.tool.has_begun => {
                self.emit(Op::Content, self.edge, sink);
                self.emit(Op::Markup, here, sink);
            }
            CdataMove::Closed => self.tool.content.1 = self.edge,
            CdataMove::Hold
            | CdataMove::Brackets(_)
            | CdataMove::OldestBracket
            | CdataMove::Text
            | CdataMove::Space
            | CdataMove::Failed(_) => {}
        }
        Flow::Go
    }

    /// At the end of a stretch in CDATA: emits what is decided.
    pub(super) fn emit_section(&mut self, here: u32, sink: &mut impl Sink) {
        match self.scan.cdata {
            Cdata::Inside => self.emit(Op::Content, here, sink),
            Cdata::Bracket | Cdata::Brackets => self.emit(Op::Content, self.edge, sink),
            Cdata::Closed { read } => self.emit(Op::Markup, here.saturating_sub(u32::from(read)), sink),
            Cdata::After => self.emit(Op::Markup, here, sink),
            Cdata::Outside | Cdata::Opening { .. } => {}
        }
    }

    /// After the sections: `read` bytes of what can't be another one, and one more. A closing tag comes, or the
    /// content is refused.
    fn end_section(&mut self, read: u8, byte: u8, text: &mut Stretch<'_>, sink: &mut impl Sink) -> Flow {
        let follows = match (read, byte) {
            (0, b'<') => text.rest().get(1).copied(),
            (0, _) => Some(0),
            (1, byte) => Some(byte),
            (_, _) => Some(0),
        };
        let Some(follows) = follows else { return Flow::Wait };
        self.tool.is_refused |= follows != b'/';
        self.scan.cdata = Cdata::Outside;
        let at = text.here().saturating_sub(u32::from(read));
        if matches!(self.scan.until, Until::WriteFile | Until::RunBash) {
            let is_file = self.scan.until == Until::WriteFile;
            self.phase = Phase::Raw { until: if is_file { Until::AfterFile } else { Until::AfterCommand }, matched: 0 };
            return Flow::Back(at);
        }
        self.tool.has_content = true;
        if self.tool.has_begun {
            self.emit(Op::Markup, at, sink);
        }
        self.scan_values(if self.tool.has_begun { Until::Swallowed } else { Until::Other }, 1);
        Flow::Back(at)
    }

    /// In a value for the metadata that is CDATA.
    pub(super) fn read_value_section(&mut self, index: u8, text: &mut Stretch<'_>, sink: &mut impl Sink) -> Flow {
        let Some(&byte) = text.rest().first() else { return Flow::Stop };
        let here = text.here();
        match self.scan.cdata.step(byte) {
            CdataMove::Brackets(_) => return Flow::Go,
            CdataMove::Failed(_) => {
                self.scan.cdata = Cdata::Outside;
                self.phase = Phase::Tool(Inside::Between);
                return Flow::Back(self.edge);
            }
            CdataMove::Opened => self.scan.tail = here + 1,
            CdataMove::Closed => {
                text.pass(1);
                let end = here.saturating_sub(2);
                if self.scan.tail < end {
                    sink.record(Op::Metadata(index).at(self.scan.tail, end));
                    self.tool.known |= 1 << index;
                }
                self.scan_values(Until::Other, 1);
                return Flow::Go;
            }
            CdataMove::Hold | CdataMove::OldestBracket | CdataMove::Text | CdataMove::Space => {}
        }
        text.pass(1);
        Flow::Go
    }
}
