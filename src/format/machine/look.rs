//! What a text begins with: functions of the text alone.

use crate::format::head::Head;
use crate::format::names::ToolNames;
use crate::markdown::FENCE;
use crate::scan::{AtLast, Short, Sight, after, is_space, space_len};
use crate::text::{Record, Sink, Stretch};

/// How far an opener and the pieces after it may reach, in bytes.
pub const LONGEST_HEAD: usize = 1_024;

/// Longest name of a tool, a parameter or an element, in bytes.
pub(super) const LONGEST_NAME: usize = 256;

/// Longest white space before a tool's name on a line.
pub(super) const LONGEST_INDENT: usize = 64;

/// Emits the record of a word about a part of the text at the place, in bytes from there.
#[inline(never)]
pub(super) fn record_part(word: u32, (from, to): (usize, usize), text: &mut Stretch<'_>, sink: &mut impl Sink) {
    let at = text.at();
    sink.record(Record { word, start: text.unit_at(at + from), end: text.unit_at(at + to) });
}

/// Whether a text begins with these texts, one after the other.
pub(super) fn starts_with(text: &[u8], pieces: &[&[u8]], is_last: bool) -> Sight<bool> {
    let mut rest = text;
    for piece in pieces {
        if rest.len() < piece.len() {
            return if piece.starts_with(rest) && !is_last { Err(Short) } else { Ok(false) };
        }
        let Some(next) = rest.strip_prefix(*piece) else { return Ok(false) };
        rest = next;
    }
    Ok(true)
}

/// The length of the line that opens a Markdown fence of JSON at the start of a text, or 0.
pub(super) fn fence(text: &[u8]) -> Sight<usize> {
    if !starts_with(text, &[FENCE], false)? {
        return Ok(0);
    }
    let named = after(text, FENCE.len());
    // One more than the longest name that is known.
    let length = named.iter().take(6).take_while(|byte| byte.is_ascii_alphanumeric()).count();
    let name = named.get(..length).unwrap_or_default();
    let is_json = [&b""[..], b"json", b"json5", b"jsonc"].iter().any(|known| known.eq_ignore_ascii_case(name));
    let ends = match named.get(length) {
        None if length < 6 => return Err(Short),
        None => false,
        Some(&byte) => is_space(byte) || matches!(byte, b'{' | b'['),
    };
    Ok(if is_json && ends { FENCE.len() + length } else { 0 })
}

/// How a call begins whose tag is a tool's name, at the start of a text.
pub(super) fn tool_tag(names: &ToolNames, text: &[u8], is_last: bool) -> Sight<Option<Head>> {
    match text.first() {
        None if !is_last => return Err(Short),
        Some(b'<') => {}
        _ => return Ok(None),
    }
    let length = names.fits(after(text, 1)).at_last(is_last)?;
    if length == 0 {
        return Ok(None);
    }
    let end = 1 + length + space_len(after(text, 1 + length));
    match after(text, end) {
        [b'>', ..] => Ok(Some(Head::named((1, 1 + length), end + 1, false))),
        [b'/', b'>', ..] => Ok(Some(Head::named((1, 1 + length), end + 2, true))),
        [] | [b'/'] if !is_last && end < LONGEST_HEAD => Err(Short),
        _ => Ok(None),
    }
}

/// A line with a tool's name alone, by the lengths of its parts in bytes.
pub(super) struct ToolLine {
    pub(super) space: usize,
    pub(super) name: usize,
    pub(super) rest: usize,
}

/// Whether a line is the name of a tool with nothing but white space around it.
pub(super) fn tool_line(names: &ToolNames, text: &[u8]) -> Sight<Option<ToolLine>> {
    let blank = |text: &[u8]| text.iter().take(LONGEST_INDENT).take_while(|byte| b" \t\r".contains(byte)).count();
    let space = blank(text);
    let named = text.get(space..).filter(|named| !named.is_empty()).ok_or(Short)?;
    let name = names.fits(named)?;
    let after = named.get(name..).unwrap_or_default();
    let gap = blank(after);
    match after.get(gap) {
        _ if name == 0 => Ok(None),
        None => Err(Short),
        Some(b'\n') => Ok(Some(ToolLine { space, name, rest: gap + 1 })),
        Some(_) => Ok(None),
    }
}

/// What is at a place where an opening tag may stand.
pub(super) enum Tag {
    /// Where its name stands, its length, and whether it closes itself.
    Open {
        name: (usize, usize),
        len: usize,
        is_empty: bool,
    },
    /// The stream ends in it.
    Cut,
    Other,
}

/// What to do in a value, with so many bytes.
pub(super) enum Step {
    /// They are text.
    Text(usize),
    /// They begin or end CDATA.
    Markup(usize),
    /// They stand for a character.
    Character(u32, usize),
    /// They end the value.
    End(usize),
    /// They may, if the program knows the element that follows, whose name stands there.
    Sibling { closer: usize, from: usize, to: usize },
    /// A parameter's opener, and its name.
    Open(usize, usize),
    /// They are a marker in the value.
    Inside(Marker, usize),
    /// They end the call, and the value if no closer of its own comes.
    CallEnds(usize),
    /// Another call begins, so that none comes.
    NextCall,
    /// They can't stand there.
    Refused,
}

impl Step {
    /// Whether it can't stand after what may have been the value's end.
    pub(super) fn needs_value(&self) -> bool {
        matches!(self, Step::Inside(Marker::ParamOpen | Marker::CallOpen, _) | Step::CallEnds(_))
    }
}

/// A marker in a value.
#[derive(Clone, Copy)]
pub(super) enum Marker {
    ParamOpen,
    ParamClose,
    CallOpen,
    CallClose,
}
