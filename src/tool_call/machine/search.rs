//! Outside of calls, and in what is none.

use super::{Flow, LONGEST_SPACE, Machine, Op, Phase, Protocol, ToolNames};
use crate::scan::{find_any, is_space};
use crate::text::{Sink, Stretch};
use crate::tool_call::protocol::Marker;

impl Machine {
    pub(super) fn read_text(&mut self, names: &ToolNames, text: &mut Stretch<'_>, sink: &mut impl Sink) -> Flow {
        let first = if self.protocol == Protocol::Morph { b'<' } else { self.start.first() };
        let plain = find_any(text.rest(), [first]).unwrap_or(text.rest().len());
        text.pass(plain);
        if text.is_at_end() {
            return Flow::Stop;
        }
        match self.starts(names, text.rest()) {
            None => Flow::Wait,
            Some(0) => {
                text.pass(1);
                Flow::Go
            }
            Some(length) => {
                let here = text.here();
                self.tell(Op::Text, here, sink);
                self.mark = here;
                self.repairs = 0;
                match self.protocol {
                    Protocol::Hermes => {
                        text.pass(length);
                        self.payload = text.here();
                        self.phase = Phase::Lead { is_list: false };
                    }
                    Protocol::Morph => {
                        let name = text.rest().get(1..=length).unwrap_or_default();
                        self.end = Marker::new(&[b"</", name, b">"]).unwrap_or(Marker::NONE);
                        self.begin_element(here);
                    }
                }
                Flow::Go
            }
        }
    }

    /// The length of what starts a segment at the start of a text, or 0.
    fn starts(&self, names: &ToolNames, text: &[u8]) -> Option<usize> {
        match self.protocol {
            Protocol::Hermes => self.start.fits(text),
            Protocol::Morph => names.fits(text.get(1..).unwrap_or_default()),
        }
    }

    /// Behind a start tag: white space and an object make it a call.
    pub(super) fn read_lead(&mut self, mut is_list: bool, text: &mut Stretch<'_>, sink: &mut impl Sink) -> Flow {
        while let Some(&byte) = text.rest().first() {
            match byte {
                b'{' => {
                    self.begin_payload(is_list, text.here(), sink);
                    return Flow::Go;
                }
                b'[' if !is_list => {
                    is_list = true;
                    self.payload = text.here();
                }
                _ if is_space(byte) && text.here() - self.mark <= LONGEST_SPACE => {}
                _ => {
                    // Prose that speaks of the tag.
                    self.phase = Phase::Text;
                    return Flow::Go;
                }
            }
            text.pass(1);
        }
        self.phase = Phase::Lead { is_list };
        Flow::Stop
    }

    /// In a segment that is no call: up to its end tag, or to the start of another.
    pub(super) fn read_dead(
        &mut self,
        ends_at_start: bool,
        names: &ToolNames,
        text: &mut Stretch<'_>,
        sink: &mut impl Sink,
    ) -> Flow {
        let start = if self.protocol == Protocol::Morph { b'<' } else { self.start.first() };
        let plain = find_any(text.rest(), [start, self.end.first()]).unwrap_or(text.rest().len());
        text.pass(plain);
        if text.is_at_end() {
            return Flow::Stop;
        }
        let rest = text.rest();
        let starts = if ends_at_start { self.starts(names, rest) } else { Some(0) };
        match (self.end.fits(rest), starts) {
            (Some(length @ 1..), _) => {
                let tag = text.here();
                text.pass(length);
                self.end_failed(tag, text.here(), sink);
            }
            (None, _) | (_, None) => return Flow::Wait,
            (_, Some(length @ 1..)) => match self.begins_call(rest.get(length..).unwrap_or_default()) {
                None => return Flow::Wait,
                Some(true) => {
                    let here = text.here();
                    self.end_failed(here, here, sink);
                }
                Some(false) => text.pass(1),
            },
            (Some(0), Some(0)) => text.pass(1),
        }
        Flow::Go
    }

    /// Whether what stands behind a start tag makes it one.
    pub(super) fn begins_call(&self, text: &[u8]) -> Option<bool> {
        if self.protocol == Protocol::Morph {
            return Some(true);
        }
        let gap = text.iter().take(LONGEST_SPACE as usize).take_while(|byte| is_space(**byte)).count();
        text.get(gap).map(|byte| matches!(byte, b'{' | b'['))
    }
}

/// Passes white space, as far as it may stand behind a place.
pub(super) fn pass_space(place: u32, text: &mut Stretch<'_>) {
    let room = (place + LONGEST_SPACE).saturating_sub(text.here());
    let space = text.rest().iter().take(room as usize).take_while(|byte| is_space(**byte)).count();
    text.pass(space);
}
