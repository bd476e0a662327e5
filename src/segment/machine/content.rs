//! Raw content, up to the literal that ends it, and JSON up to its last bracket:
//! a tool, or an object that isn't one.

use super::{Flow, LONGEST_SPACE, Machine, Phase, Quoted, Until};
use crate::json::{Failure, Fault, Kind};
use crate::scan::{find_any, is_space};
use crate::segment::op::{JSON_STOPS, JSON_STRING_STOPS, Op};
use crate::text::{Sink, Stretch};

impl Machine {
    /// A tool, by the rules of tool calls. From where it isn't JSON any more, only
    /// its brackets count.
    pub(super) fn read_json(&mut self, text: &mut Stretch<'_>, sink: &mut impl Sink) -> Flow {
        let mut json = Stretch::new(text.rest(), self.json_units + text.here(), false);
        loop {
            let token = self.json.next(&mut json).map(|token| token.kind);
            let end = match token {
                None if self.json.is_waiting() => Flow::Wait,
                None => Flow::Stop,
                Some(Kind::Pop(_)) if self.json.depth() == 0 => Flow::Go,
                Some(kind) if self.fails(kind) => {
                    self.phase = Phase::Broken { depth: self.json.depth().into(), quoted: Quoted::No };
                    text.pass(json.at());
                    return Flow::Go;
                }
                Some(_) => continue,
            };
            text.pass(json.at());
            if matches!(end, Flow::Go) {
                let here = text.here();
                self.emit(Op::Content, here, sink);
                self.end(here, sink);
            }
            return end;
        }
    }

    /// An object that isn't a tool, as far as it is JSON.
    pub(super) fn read_object(&mut self, text: &mut Stretch<'_>) -> Flow {
        let rest = text.rest();
        let mut json = Stretch::new(rest, self.json_units + text.here(), false);
        let mut passed = 0;
        loop {
            let token = self.json.next(&mut json).map(|token| token.kind);
            if self.opening.is_read() {
                for &byte in rest.get(passed..json.at()).unwrap_or_default() {
                    self.opening.step(byte);
                }
                passed = json.at();
            }
            let is_over = match token {
                None => true,
                Some(Kind::Pop(_)) if self.json.depth() == 0 => true,
                Some(kind) => self.fails(kind),
            };
            if is_over {
                text.pass(json.at());
                if token.is_none() {
                    return if self.json.is_waiting() { Flow::Wait } else { Flow::Stop };
                }
                self.phase = Phase::Text;
                return Flow::Go;
            }
        }
    }

    /// Whether a token means that a text isn't JSON. What is too deep is passed over.
    fn fails(&self, kind: Kind) -> bool {
        match kind {
            Kind::Stumble => self.json.failure() != Failure::TooDeep,
            Kind::Fault(fault) => fault != Fault::TooDeep,
            Kind::Push(_)
            | Kind::Pop(_)
            | Kind::Piece { .. }
            | Kind::Character { .. }
            | Kind::Text { .. }
            | Kind::Number
            | Kind::CutNumber
            | Kind::Word(_) => false,
        }
    }

    pub(super) fn read_broken(
        &mut self,
        mut depth: u32,
        mut quoted: Quoted,
        text: &mut Stretch<'_>,
        sink: &mut impl Sink,
    ) -> Flow {
        loop {
            let rest = text.rest();
            let found = match quoted {
                Quoted::No => find_any(rest, JSON_STOPS),
                Quoted::Yes => find_any(rest, JSON_STRING_STOPS),
                Quoted::Escape => (!rest.is_empty()).then_some(0),
            };
            let Some(found) = found else {
                text.pass(rest.len());
                self.phase = Phase::Broken { depth, quoted };
                return Flow::Stop;
            };
            text.pass(found + 1);
            match (quoted, rest.get(found)) {
                (Quoted::No, Some(b'"')) => quoted = Quoted::Yes,
                (Quoted::No, Some(b'{' | b'[')) => depth = depth.saturating_add(1),
                (Quoted::No, _) => {
                    depth = depth.saturating_sub(1);
                    if depth == 0 {
                        let here = text.here();
                        self.emit(Op::Content, here, sink);
                        self.end(here, sink);
                        return Flow::Go;
                    }
                }
                (Quoted::Yes, Some(b'\\')) => quoted = Quoted::Escape,
                (Quoted::Yes, _) => quoted = Quoted::No,
                (Quoted::Escape, _) => quoted = Quoted::Yes,
            }
        }
    }

    pub(super) fn read_raw(&mut self, until: Until, matched: u8, text: &mut Stretch<'_>, sink: &mut impl Sink) -> Flow {
        if let Err(matched) = self.find(until.literal(), matched, text) {
            self.phase = Phase::Raw { until, matched };
            return Flow::Stop;
        }
        let here = text.here();
        if until.is_text() {
            self.emit(Op::Text, here, sink);
            self.pass_segment();
            return Flow::Go;
        }
        self.emit(until.op(), self.edge, sink);
        self.emit(Op::Markup, here, sink);
        self.end(here, sink);
        Flow::Go
    }

    /// Finds a literal in raw text, in any case of letters, and puts `edge`
    /// before it. A closing tag may have white space before its `>`. At the end
    /// of the stretch: how much of it was read.
    pub(super) fn find(&mut self, literal: &[u8], matched: u8, text: &mut Stretch<'_>) -> Result<(), u8> {
        let first = literal.first().copied().unwrap_or_default();
        let mut matched = usize::from(matched);
        while !text.is_at_end() {
            if matched == 0 {
                let rest = text.rest();
                let Some(found) = find_any(rest, [first]) else {
                    text.pass(rest.len());
                    break;
                };
                text.pass(found);
                self.edge = text.here();
                text.pass(1);
                matched = 1;
                continue;
            }
            let byte = text.rest().first().map_or(0, u8::to_ascii_lowercase);
            if literal.get(matched) == Some(&byte) {
                text.pass(1);
                matched += 1;
                if matched == literal.len() {
                    return Ok(());
                }
            } else if is_space_in_tag(literal, matched, byte, text.here().saturating_sub(self.edge)) {
                text.pass(1);
            } else if byte == first && literal.get(matched - 1) == Some(&first) {
                // `[[|[`: the last two of three may begin it.
                text.pass(1);
                self.edge += 1;
            } else {
                matched = 0;
            }
        }
        Err(matched as u8)
    }
}

/// Whether a byte is white space before the `>` of a closing tag that was read so far: `</tool |>`.
pub(super) fn is_space_in_tag(tag: &[u8], read: usize, byte: u8, units: u32) -> bool {
    is_space(byte) && units <= LONGEST_SPACE && tag.get(read..) == Some(b">")
}
