//! Raw content, up to the literal that ends it, and JSON up to its last bracket:
//! a tool, or an object that isn't one.

use super::{Flow, LONGEST_SPACE, Machine, Phase, Quoted, Until};
use crate::scan::{find_any, is_space};
use crate::segment::op::{JSON_STOPS, JSON_STRING_STOPS, Op};
use crate::text::{Sink, Stretch};

impl Machine {
    /// A tool, by the rules of tool calls. From where it isn't JSON any more, only
    /// its brackets count.
    pub(super) fn read_json(&mut self, text: &mut Stretch<'_>, sink: &mut impl Sink) -> Flow {
        match self.json.read(text) {
            Err(waits) => return if waits { Flow::Wait } else { Flow::Stop },
            Ok(true) => {
                let here = text.here();
                self.emit(Op::Content, here, sink);
                self.end(here, sink);
            }
            Ok(false) => {
                let depth = self.json.tokenizer.depth().into();
                self.phase = Phase::Broken { depth, quoted: Quoted::No };
            }
        }
        Flow::Go
    }

    /// An object that isn't a tool, as far as it is JSON.
    pub(super) fn read_object(&mut self, text: &mut Stretch<'_>) -> Flow {
        let (rest, from) = (text.rest(), text.at());
        let read = self.json.read(text);
        if self.prose.opening.is_read() {
            for &byte in rest.get(..text.at() - from).unwrap_or_default() {
                self.prose.opening.step(byte);
            }
        }
        if let Err(waits) = read {
            return if waits { Flow::Wait } else { Flow::Stop };
        }
        self.phase = Phase::Text;
        Flow::Go
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
    fn find(&mut self, literal: &[u8], mut matched: u8, text: &mut Stretch<'_>) -> Result<(), u8> {
        let first = literal.first().copied().unwrap_or_default();
        while let Some(&byte) = text.rest().first() {
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
            } else if let Some(read) = read_closing_tag(literal, matched, byte, text.here().saturating_sub(self.edge)) {
                text.pass(1);
                matched = read;
                if usize::from(matched) == literal.len() {
                    return Ok(());
                }
            } else if byte == first && literal.get(usize::from(matched) - 1) == Some(&first) {
                // `[[|[`: the last two of three may begin it.
                text.pass(1);
                self.edge += 1;
            } else {
                matched = 0;
            }
        }
        Err(matched)
    }
}

/// How much of a closing tag was read with one byte more, `units` from its start; none if it is another. It may have
/// white space before its `>`: `</tool |>`.
pub(super) fn read_closing_tag(tag: &[u8], read: u8, byte: u8, units: u32) -> Option<u8> {
    let rest = tag.get(usize::from(read)..)?;
    if rest == b">" && is_space(byte) && units <= LONGEST_SPACE {
        return Some(read);
    }
    (rest.first() == Some(&byte.to_ascii_lowercase())).then_some(read + 1)
}
