//! Text between calls, and rejected calls.

use super::{Ends, Flow, LONGEST_SPACE, Machine, Op, Phase, Protocol, ToolNames, Why};
use crate::markdown::{Found, Standing};
use crate::scan::is_space;
use crate::text::{Sink, Stretch};
use crate::tool_call::op::Repair;
use crate::tool_call::protocol::Marker;

/// Most white space beside a tool's name on a line, in bytes, on each side.
const LONGEST_INDENT: usize = 64;

impl Machine {
    pub(super) fn read_text(&mut self, names: &ToolNames, text: &mut Stretch<'_>, sink: &mut impl Sink) -> Flow {
        if self.reads_lines && self.is_line_start && !text.is_at_end() {
            match tool_line(names, text.rest()) {
                None => return Flow::Wait,
                Some(Some(line)) => match self.opening.look() {
                    Standing::Plain => {
                        self.begin_line(line, text, sink);
                        return Flow::Go;
                    }
                    Standing::Open => return self.quote(None, text.here()),
                    Standing::Code => self.is_line_start = false,
                },
                Some(None) => self.is_line_start = false,
            }
        }
        let first = if self.protocol == Protocol::Morph { b'<' } else { self.start.first() };
        self.opening.pass_text([first, if self.reads_lines { b'\n' } else { first }], text);
        let rest = text.rest();
        let Some(&byte) = rest.first() else { return Flow::Stop };
        if self.reads_lines && byte == b'\n' {
            self.opening.step_text(text);
            self.is_line_start = true;
            return Flow::Go;
        }
        let starts = if byte == first { self.starts(names, rest) } else { Some(0) };
        let opens = self.opening.opens(rest);
        if opens.is_some_and(|(_, length)| length > 0) || opens.is_some() && starts.is_some_and(|length| length > 0) {
            match self.opening.look() {
                Standing::Plain => {}
                Standing::Open => return self.quote(None, text.here()),
                Standing::Code => {
                    self.opening.step_text(text);
                    return Flow::Go;
                }
            }
        }
        match (opens, starts) {
            (Some((number, length @ 1..)), _) => {
                self.begin_reasoning((number, length), text, sink);
                Flow::Go
            }
            (None, _) | (_, None) => Flow::Wait,
            (_, Some(0)) => {
                self.opening.step_text(text);
                Flow::Go
            }
            (_, Some(length)) => {
                let here = text.here();
                self.emit(Op::Text, here, sink);
                self.mark = here;
                self.repairs = 0;
                self.opening.pass_words();
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

    /// What begins here may be in code.
    fn quote(&mut self, dead: Option<Ends>, here: u32) -> Flow {
        self.mark = here;
        self.phase = Phase::Quoted { dead };
        Flow::Go
    }

    /// After what may be in code: up to what says so.
    pub(super) fn read_quoted(&mut self, dead: Option<Ends>, text: &mut Stretch<'_>) -> Flow {
        while let Some(&byte) = text.rest().first() {
            if let Some(found) = self.opening.quotes.ahead(byte) {
                let here = text.here();
                return Flow::At(self.unquote(found, dead, here));
            }
            text.pass(1);
        }
        Flow::Stop
    }

    /// Whether what is at `mark` is in code is known; gives the place to read on at.
    pub(super) fn unquote(&mut self, found: Found, dead: Option<Ends>, here: u32) -> u32 {
        self.phase = dead.map_or(Phase::Text, |ends_at| Phase::Dead { ends_at });
        match found {
            Found::Again => self.mark,
            Found::Code { back } => {
                self.opening.is_after = false;
                self.is_line_start = false;
                here - back
            }
        }
    }

    /// A tool's name stands on a line of its own: its arguments' elements may follow.
    fn begin_line(&mut self, line: ToolLine, text: &mut Stretch<'_>, sink: &mut impl Sink) {
        text.pass(line.space);
        let here = text.here();
        self.emit(Op::Text, here, sink);
        self.mark = here;
        self.repairs = 0;
        self.opening.pass_line();
        let name = text.rest().get(..line.name).unwrap_or_default();
        self.end = Marker::new(&[b"</", name, b">"]).unwrap_or(Marker::NONE);
        text.pass(line.name);
        let name_end = text.here();
        text.pass(line.rest);
        self.begin_children(here, name_end, text.here(), sink);
    }

    /// The length of what starts a segment at the start of a text, or 0.
    fn starts(&self, names: &ToolNames, text: &[u8]) -> Option<usize> {
        match self.protocol {
            Protocol::Hermes => self.start.fits(text),
            Protocol::Morph => names.fits(text.get(1..).unwrap_or_default()),
        }
    }

    /// After a start tag: white space and an object make it a call.
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
                b'`' if !is_list && self.repairs == 0 && self.may_have_fence() => match fence(text.rest()) {
                    None => {
                        self.phase = Phase::Lead { is_list };
                        return Flow::Wait;
                    }
                    Some(0) => return self.mention(text.here(), sink),
                    Some(length) => {
                        self.repairs = Repair::Fence.bit();
                        text.pass(length);
                        continue;
                    }
                },
                _ if text.here() == self.payload && self.is_longer_word(byte) => {
                    self.phase = Phase::Text;
                    return Flow::Go;
                }
                _ => return self.mention(text.here(), sink),
            }
            // As a part of prose that speaks of the tag.
            self.opening.step_text(text);
        }
        self.phase = Phase::Lead { is_list };
        Flow::Stop
    }

    /// Whether a payload may be in a fence: the end tag isn't one.
    fn may_have_fence(&self) -> bool {
        self.end.first() != b'`'
    }

    /// Whether a start tag that is a word goes on with a byte, and so is another word.
    fn is_longer_word(&self, byte: u8) -> bool {
        let is_in_word = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_' || byte >= 0x80;
        is_in_word(byte) && self.start.text().last().is_some_and(|&last| is_in_word(last))
    }

    /// Text follows the start tag. Whether it was meant as a call is known at the end tag, if one comes.
    fn mention(&mut self, here: u32, sink: &mut impl Sink) -> Flow {
        let opening = self.opening;
        let _ = self.fail(Why::Mentioned, here, sink);
        // The text goes on from here.
        self.opening = opening;
        self.phase = Phase::Dead { ends_at: Ends::AnyStart };
        Flow::Go
    }

    /// In a segment that isn't a call: up to its end tag, or to the start of another.
    pub(super) fn read_dead(
        &mut self,
        ends_at: Ends,
        names: &ToolNames,
        text: &mut Stretch<'_>,
        sink: &mut impl Sink,
    ) -> Flow {
        let start = if self.protocol == Protocol::Morph { b'<' } else { self.start.first() };
        self.opening.pass_text([start, self.end.first()], text);
        let rest = text.rest();
        if rest.is_empty() {
            return Flow::Stop;
        }
        let is_cut = ends_at == Ends::EndTag;
        let opens = if is_cut { Some((0, 0)) } else { self.opening.opens(rest) };
        let starts = if is_cut { Some(0) } else { self.starts(names, rest) };
        let ends = self.end.fits(rest);
        let may_start = starts.is_some_and(|length| length > 0) || opens.is_some_and(|(_, length)| length > 0);
        if may_start && ends == Some(0) {
            match self.opening.look() {
                Standing::Plain => {}
                Standing::Open => return self.quote(Some(ends_at), text.here()),
                Standing::Code => {
                    self.opening.step_text(text);
                    return Flow::Go;
                }
            }
        }
        match (ends, starts) {
            (Some(0), _) if opens != Some((0, 0)) => {
                if opens.is_none() {
                    return Flow::Wait;
                }
                let here = text.here();
                self.end_failed(here, here, sink);
            }
            (Some(length @ 1..), _) => {
                let tag = text.here();
                text.pass(length);
                self.end_failed(tag, text.here(), sink);
            }
            (None, _) | (_, None) => return Flow::Wait,
            (_, Some(length @ 1..)) => {
                let begins = self.begins_call(rest.get(length..).unwrap_or_default());
                match if ends_at == Ends::AnyStart { Some(true) } else { begins } {
                    None => return Flow::Wait,
                    Some(true) => {
                        let here = text.here();
                        self.end_failed(here, here, sink);
                    }
                    Some(false) => self.opening.step_text(text),
                }
            }
            (Some(0), Some(0)) => self.opening.step_text(text),
        }
        Flow::Go
    }

    /// Whether what follows a start tag makes it one.
    pub(super) fn begins_call(&self, text: &[u8]) -> Option<bool> {
        if self.protocol == Protocol::Morph {
            return Some(true);
        }
        let gap = text.iter().take(LONGEST_SPACE as usize).take_while(|byte| is_space(**byte)).count();
        match text.get(gap)? {
            b'{' | b'[' => Some(true),
            b'`' if self.may_have_fence() => fence(text.get(gap..).unwrap_or_default()).map(|length| length > 0),
            _ => Some(false),
        }
    }
}

/// A line with a tool's name alone, by the lengths of its parts in bytes.
struct ToolLine {
    space: usize,
    name: usize,
    rest: usize,
}

/// Whether a line is the name of a tool with nothing but white space around it; `None`
/// while too little of it is there.
fn tool_line(names: &ToolNames, text: &[u8]) -> Option<Option<ToolLine>> {
    let blank = |text: &[u8]| text.iter().take(LONGEST_INDENT).take_while(|byte| b" \t\r".contains(byte)).count();
    let space = blank(text);
    let named = text.get(space..).filter(|named| !named.is_empty())?;
    let name = names.fits(named)?;
    let after = named.get(name..).unwrap_or_default();
    let gap = blank(after);
    match after.get(gap) {
        _ if name == 0 => Some(None),
        None => None,
        Some(b'\n') => Some(Some(ToolLine { space, name, rest: gap + 1 })),
        Some(_) => Some(None),
    }
}

/// The length of the line that opens a Markdown fence of JSON at the start of a text, or 0;
/// `None` while the text is too short to say.
fn fence(text: &[u8]) -> Option<usize> {
    const MARK: &[u8] = b"```";
    let seen = text.get(..MARK.len()).unwrap_or(text);
    if !MARK.starts_with(seen) {
        return Some(0);
    }
    let named = text.get(MARK.len()..)?;
    // One more than the longest name that is known.
    let length = named.iter().take(6).take_while(|byte| byte.is_ascii_alphanumeric()).count();
    let name = named.get(..length).unwrap_or_default();
    let is_json = [&b""[..], b"json", b"json5", b"jsonc"].iter().any(|known| known.eq_ignore_ascii_case(name));
    let ends = match named.get(length) {
        None if length < 6 => return None,
        None => false,
        Some(&byte) => is_space(byte) || matches!(byte, b'{' | b'['),
    };
    Some(if is_json && ends { MARK.len() + length } else { 0 })
}

/// Passes white space, as far as it may follow a place.
pub(super) fn pass_space(place: u32, text: &mut Stretch<'_>) {
    let room = (place + LONGEST_SPACE).saturating_sub(text.here());
    let space = text.rest().iter().take(room as usize).take_while(|byte| is_space(**byte)).count();
    text.pass(space);
}
