//! Whether a call begins at a place: its opener, its head, and the first byte of its payload.

use super::json::NULL;
use super::look::{LONGEST_NAME, fence, record_part, starts_with, tool_tag};
use super::payload::Payload;
use super::segment::{Dead, Ends, Form, Known, Segment};
use super::{After, Flow, LONGEST_HEAD, LONGEST_SPACE, Machine, Op, Phase, Why};
use crate::format::head::{self, Head};
use crate::format::names::ToolNames;
use crate::format::op::Repair;
use crate::format::row::{Body, Flag, Part, Row, Slot};
use crate::format::table::Table;
use crate::json::Rules;
use crate::markdown::FENCE;
use crate::reasoning::TAGS;
use crate::scan::{AtLast, Short, Sight, after, at_most, is_space, space_len};
use crate::text::{Sink, Stretch};

/// How far tokens that end the turn are looked at, in bytes.
const LONGEST_ENDS: usize = 256;

/// What models write between a payload and its end tag.
const STRAY: [&[u8]; 2] = {
    let [(_, think), (_, thinking)] = TAGS;
    [think, thinking]
};

/// How a call begins, in bytes from its first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Begin {
    /// Whether a section opens with it.
    pub(super) opens_section: bool,
    /// Where its head begins.
    head_from: usize,
    head: Option<Head>,
    /// Where its payload begins.
    payload: usize,
    /// How that is written, and whether it has a closer.
    body: Body,
    has_close: bool,
    /// What was repaired in its head.
    repair: Option<Repair>,
}

impl Begin {
    /// A call whose payload begins after so many bytes, and which has a closer and no head.
    fn at(payload: usize, body: Body) -> Begin {
        Begin { opens_section: false, head_from: 0, head: None, payload, body, has_close: true, repair: None }
    }

    /// Emits the name and the identifier that its head has.
    fn record_head(&self, text: &mut Stretch<'_>, sink: &mut impl Sink) {
        let Some(head) = self.head else { return };
        for (slot, op) in [(Slot::Name, Op::Name), (Slot::Id, Op::Id), (Slot::Index, Op::Id)] {
            if let Some((from, to)) = head.slot(slot) {
                record_part(op.word(), (self.head_from + from, self.head_from + to), text, sink);
            }
        }
    }

    /// What comes after its head in the text that it begins.
    pub(super) fn after<'t>(&self, text: &'t [u8]) -> &'t [u8] {
        after(text, self.payload)
    }
}

impl Segment {
    /// The first row by which a call begins at the start of a text.
    #[inline(never)]
    pub(super) fn begins(&self, table: &Table, text: &[u8]) -> Sight<Option<(u8, Begin)>> {
        if self.settles {
            return Ok(None);
        }
        for (number, row) in table.rows() {
            let is_in_section = self.is_in_section && self.row == number;
            let sight = self.begins_by(&table.names, row, is_in_section, text);
            if let Some(begin) = sight.at_last(self.is_last || text.len() >= LONGEST_HEAD)? {
                return Ok(Some((number, begin)));
            }
        }
        Ok(None)
    }

    #[inline(never)]
    pub(super) fn begins_by(
        &self,
        names: &ToolNames,
        row: &Row,
        is_in_section: bool,
        text: &[u8],
    ) -> Sight<Option<Begin>> {
        if row.body() == Body::Nothing {
            return Ok(None);
        }
        if !is_in_section && let Some(begin) = self.without_opener(row, names, text)? {
            return Ok(Some(begin));
        }
        if row.is(Flag::Tolerant) {
            let length = row.opener_len(names, text).at_last(self.is_last)?;
            return Ok((length > 0).then_some(Begin::at(length, row.body())));
        }
        let Some(section) = self.opens_section(row, is_in_section, text)? else { return Ok(None) };
        let opens_section = section > 0;
        let is_inside = opens_section || is_in_section;
        let inside = after(text, section);
        let begin = if is_inside && row.is(Flag::OrJson) && inside.first() == Some(&b'{') {
            let repair = (row.body() == Body::Params).then_some(Repair::JsonBody);
            Some(Begin { has_close: false, repair, ..Begin::at(0, Body::Json) })
        } else if row.has_tool_tags() {
            let with_head = |head: Head| Begin { head: Some(head), ..Begin::at(head.len, row.body()) };
            tool_tag(names, inside, self.is_last)?.map(with_head)
        } else {
            self.begins_inside(row, names, opens_section, is_inside, inside)?
        };
        Ok(begin.map(|begin| Begin {
            opens_section,
            head_from: section + begin.head_from,
            payload: section + begin.payload,
            ..begin
        }))
    }

    /// The length of a section's opener at the start of a text and of the white space after it, 0 where the call stands
    /// without one; not there if the row has it so that nothing else can begin.
    fn opens_section(&self, row: &Row, is_in_section: bool, text: &[u8]) -> Sight<Option<usize>> {
        if !row.has(Part::SectionOpen) {
            return Ok(Some(0));
        }
        let length = row.fits(Part::SectionOpen, text, self.is_last)?;
        if length > 0 {
            return Ok(Some(length + space_len(after(text, length))));
        }
        Ok((is_in_section || row.is(Flag::SectionOptional)).then_some(0))
    }

    /// Whether a call begins with its own opener at the start of a text, where no section's opener stands any more.
    fn begins_inside(
        &self,
        row: &Row,
        names: &ToolNames,
        opens_section: bool,
        is_inside: bool,
        text: &[u8],
    ) -> Sight<Option<Begin>> {
        let mut opener = 0;
        let mut repair = None;
        if row.has(Part::CallOpen) {
            let (length, is_angle_missing) = self.call_open(row, text, opens_section)?;
            if length == 0 {
                let named = if is_inside { self.name_element(row, text)? } else { None };
                let named = if named.is_none() { self.tool_as_tag(row, names, text)? } else { named };
                return match named {
                    None if opens_section && row.is(Flag::BareName) => self.bare_name(row, names, text),
                    begin => Ok(begin),
                };
            }
            repair = is_angle_missing.then_some(Repair::MissingAngle);
            opener = length;
        } else if !is_inside {
            return Ok(None);
        }
        if row.is(Flag::OrJson) {
            let space = space_len(after(text, opener));
            let fence = self.fence(row, after(text, opener + space))?;
            let payload = opener + space + fence;
            if self.begins_object(after(text, payload))? {
                let repair = (fence > 0).then_some(Repair::Fence);
                let has_close = row.has(Part::CallClose);
                return Ok(Some(Begin { head_from: payload, has_close, repair, ..Begin::at(payload, Body::Json) }));
            }
        }
        self.begins_after_opener(row, names, opener, repair, text)
    }

    /// A tool's name as the tag of a call of parameters: `<bash><parameter=command>`.
    fn tool_as_tag(&self, row: &Row, names: &ToolNames, text: &[u8]) -> Sight<Option<Begin>> {
        if row.body() != Body::Params || row.is(Flag::Strict) {
            return Ok(None);
        }
        let Some(head) = tool_tag(names, text, self.is_last)?.filter(|head| !head.is_empty) else {
            return Ok(None);
        };
        let payload = head.len + space_len(after(text, head.len));
        let begins = row.fits(Part::ParamOpen, after(text, payload), self.is_last)? > 0;
        let repair = Some(Repair::MissingOpener);
        Ok(begins.then_some(Begin { head: Some(head), repair, ..Begin::at(payload, row.body()) }))
    }

    /// A call of JSON that names a tool, before its closer and without its opener. What is longer than a head has come
    /// out as text.
    fn without_opener(&self, row: &Row, names: &ToolNames, text: &[u8]) -> Sight<Option<Begin>> {
        let text = at_most(text, LONGEST_HEAD);
        if !self.names_tool(row, names, text)? || row.is(Flag::Tolerant) {
            return Ok(None);
        }
        let Some(end) = self.json_len(row, text).at_last(self.is_last || text.len() == LONGEST_HEAD)? else {
            return Ok(None);
        };
        let rest = after(text, end);
        let is_closed = row.fits(Part::CallClose, after(rest, space_len(rest)), self.is_last)? > 0;
        Ok(is_closed.then_some(Begin { repair: Some(Repair::MissingOpener), ..Begin::at(0, Body::Json) }))
    }

    /// The length of the JSON object that a text begins with. An opener outside of its strings ends it: there a call may
    /// begin.
    fn json_len(&self, row: &Row, text: &[u8]) -> Sight<Option<usize>> {
        let (mut depth, mut is_string, mut is_escape) = (0, false, false);
        for (at, &byte) in text.iter().enumerate() {
            match byte {
                _ if is_escape => is_escape = false,
                b'\\' => is_escape = is_string,
                b'"' => is_string = !is_string,
                _ if is_string => {}
                b'{' | b'[' => depth += 1,
                b'}' | b']' if depth == 1 => return Ok(Some(at + 1)),
                b'}' | b']' => depth -= 1,
                b'<' => {
                    let opens = |part| row.fits(part, after(text, at), self.is_last).map(|length| length > 0);
                    if opens(Part::SectionOpen)? || opens(Part::CallOpen)? {
                        return Ok(None);
                    }
                }
                _ => {}
            }
        }
        Err(Short)
    }

    /// Whether an object of a call that names a tool is at the start of a text, where the row has openers.
    pub(super) fn names_tool(&self, row: &Row, names: &ToolNames, text: &[u8]) -> Sight<bool> {
        let is_bare = row.is(Flag::BareAtStart) || row.is(Flag::BareAnywhere);
        if row.body() != Body::Json || is_bare || row.is(Flag::Strict) {
            return Ok(false);
        }
        let mut rest = text;
        let mut at_key = true;
        for byte in *b"{\":\"" {
            match rest.first() {
                None => return Err(Short).at_last(self.is_last),
                Some(&first) if first != byte => return Ok(false),
                Some(_) => rest = after(rest, 1),
            }
            if byte != b'"' {
                rest = after(rest, space_len(rest));
                continue;
            }
            let Some(len) = rest.iter().take(LONGEST_NAME).position(|&byte| byte == b'"') else {
                return Err(Short).at_last(self.is_last || rest.len() >= LONGEST_NAME);
            };
            let name = rest.get(..len).unwrap_or_default();
            if std::mem::take(&mut at_key) {
                if !row.list(Part::NameKey).any(|key| key == name) {
                    return Ok(false);
                }
                rest = after(rest, len + 1);
                rest = after(rest, space_len(rest));
            } else {
                return Ok(names.has(name));
            }
        }
        Ok(false)
    }

    /// Whether a head and the first byte of a payload stand after so many bytes of a text, which the call's opener has.
    fn begins_after_opener(
        &self,
        row: &Row,
        names: &ToolNames,
        opener: usize,
        repair: Option<Repair>,
        text: &[u8],
    ) -> Sight<Option<Begin>> {
        let mut at = opener;
        let mut head = None;
        if !row.call_head().is_empty() {
            let Some(found) = head::read(row, Some(names), row.call_head(), after(text, at), self.is_last)? else {
                return Ok(None);
            };
            if found.slot(Slot::Name).is_some_and(|(from, to)| from == to) {
                return Ok(None);
            }
            at += found.len;
            head = Some(found);
        }
        let rest = after(text, at);
        // A call without a payload ends with its head.
        let space = if head.is_some_and(|head| head.is_empty) { 0 } else { space_len(rest) };
        let has_close = row.has(Part::CallClose);
        let mut begin = Begin { head_from: opener, head, has_close, repair, ..Begin::at(at + space, row.body()) };
        if row.is(Flag::JsonBody) && after(rest, space).first() == Some(&b'{') {
            begin.body = Body::Args;
            begin.repair = Some(Repair::JsonBody);
            return Ok(Some(begin));
        }
        let fence = if row.body().is_json() { self.fence(row, after(rest, space))? } else { 0 };
        if fence > 0 {
            begin.payload += fence;
            begin.repair = Some(Repair::Fence);
        }
        let is_payload = self.begins_payload(row, head.as_ref(), after(rest, space + fence))?;
        Ok(is_payload.then_some(begin))
    }

    /// The length of the line that opens a Markdown fence of JSON, and of the white space after it, or 0. At the end
    /// of the stream a front of one is not a closer: nothing came in it.
    pub(super) fn fence(&self, row: &Row, text: &[u8]) -> Sight<usize> {
        if row.is(Flag::Strict) || row.list(Part::CallOpen).any(|mark| mark.starts_with(b"`")) {
            return Ok(0);
        }
        let length = fence(text).or(if self.is_last { Ok(text.len()) } else { Err(Short) })?;
        Ok(if length == 0 { 0 } else { length + space_len(after(text, length)) })
    }

    /// Whether an object or a list is at the start of a text, and not a bracket of prose: a key and its colon follow, a
    /// comment, or in a list another value. An object without keys may be arguments, or stand in a list.
    pub(super) fn begins_value(&self, row: &Row, text: &[u8]) -> Sight<bool> {
        let gap = |text: &[u8]| space_len(at_most(text, LONGEST_SPACE as usize));
        let short = || Err(Short).at_last(self.is_last);
        let list = text.strip_prefix(b"[").map(|inside| after(inside, gap(inside)));
        if let Some(item) = list {
            if matches!(item.first(), Some(b'"' | b'\'' | b'[' | b'/' | b'-' | b'0'..=b'9')) {
                return Ok(true);
            }
            for word in [&b"true"[..], b"false", b"null"] {
                if starts_with(item, &[word], self.is_last)? {
                    return Ok(true);
                }
            }
        }
        let object = list.unwrap_or(text);
        let Some(inside) = object.strip_prefix(b"{") else {
            return if object.is_empty() { short() } else { Ok(false) };
        };
        let inside = after(inside, gap(inside));
        let Some(&first) = inside.first() else { return short() };
        match first {
            b'}' => return Ok(list.is_some() || row.body() == Body::Args),
            b'/' => return Ok(true),
            _ => {}
        }
        let quote = usize::from(matches!(first, b'"' | b'\''));
        let is_in_key = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'$') || byte >= 0x80;
        let ends = |&byte: &u8| if quote > 0 { byte == first } else { !is_in_key(byte) };
        let key = after(inside, quote);
        let Some(length) = key.iter().take(LONGEST_NAME).position(ends) else {
            return if key.len() < LONGEST_NAME { short() } else { Ok(false) };
        };
        let rest = after(key, length + quote);
        let Some(next) = rest.get(gap(rest)) else { return short() };
        Ok(*next == b':' && length + quote > 0)
    }

    /// Whether an object, or a list that begins with one, is at the start of a text.
    pub(super) fn begins_object(&self, text: &[u8]) -> Sight<bool> {
        let inside = text.strip_prefix(b"[").map_or(text, |inside| after(inside, space_len(inside)));
        match inside.first() {
            None if !self.is_last => Err(Short),
            first => Ok(first == Some(&b'{')),
        }
    }

    /// The length of a call's opener at the start of a text, or 0; and whether its first character is missing.
    fn call_open(&self, row: &Row, text: &[u8], is_after_section: bool) -> Sight<(usize, bool)> {
        let length = row.fits(Part::CallOpen, text, self.is_last)?;
        if length > 0 || !is_after_section || !row.is(Flag::MissingAngle) {
            return Ok((length, false));
        }
        for mark in row.list(Part::CallOpen) {
            let length = row.fit(after(mark, 1), text).at_last(self.is_last)?;
            if length > 0 {
                return Ok((length, true));
            }
        }
        Ok((0, false))
    }

    /// An element that has a tool's name at the start of a text.
    fn name_element(&self, row: &Row, text: &[u8]) -> Sight<Option<Begin>> {
        let (place, open) = row.fitting(Part::NameOpen, text, self.is_last)?;
        if open == 0 {
            return Ok(None);
        }
        let inside = after(text, open);
        let Some(len) = inside.iter().take(LONGEST_NAME).position(|&byte| byte == b'<') else {
            return if inside.len() < LONGEST_NAME && !self.is_last { Err(Short) } else { Ok(None) };
        };
        let close = row.closes(Part::NameClose, place, after(inside, len), self.is_last)?;
        let name = inside.get(..len).unwrap_or_default();
        let from = open + space_len(name);
        let to = from + crate::text::trim(name).len();
        let end = open + len + close;
        let payload = end + space_len(after(text, end));
        if close == 0 || from == to || !self.begins_payload(row, None, after(text, payload))? {
            return Ok(None);
        }
        Ok(Some(Begin { head: Some(Head::named((from, to), end, false)), ..Begin::at(payload, row.body()) }))
    }

    /// A tool's name at the start of a text, which stands after its section's opener.
    fn bare_name(&self, row: &Row, names: &ToolNames, text: &[u8]) -> Sight<Option<Begin>> {
        let length = names.fits(text).at_last(self.is_last)?;
        if length == 0 {
            return Ok(None);
        }
        let space = space_len(after(text, length));
        let body = if row.is(Flag::ElementParams) { Body::Params } else { Body::Elements };
        if body == Body::Params && !self.begins_param(row, after(text, length + space))? {
            return Ok(None);
        }
        Ok(Some(Begin {
            head: Some(Head::named((0, length), length, false)),
            repair: Some(Repair::BareName),
            ..Begin::at(length + space, body)
        }))
    }

    /// Whether a payload, or the closer of a call without one, is at the start of a text.
    #[inline(never)]
    pub(super) fn begins_payload(&self, row: &Row, head: Option<&Head>, text: &[u8]) -> Sight<bool> {
        if head.is_some_and(|head| head.is_empty) {
            return Ok(true);
        }
        let fits = |part: Part| row.fits(part, text, self.is_last).map(|length| length > 0);
        let Some(&first) = text.first() else {
            // The stream ends after the head of a call between tags, which is unfinished.
            let is_head = head.is_some() && matches!(row.body(), Body::Params | Body::Elements);
            return self.is_last.then_some(is_head).ok_or(Short);
        };
        if fits(Part::CallOpen)? || fits(Part::SectionOpen)? {
            return Ok(false);
        }
        match row.body() {
            Body::Nothing | Body::Yaml | Body::Tree => Ok(false),
            Body::Json | Body::Keyed => Ok(matches!(first, b'{' | b'[')),
            Body::Args => {
                let is_value = starts_with(text, &[NULL], self.is_last)? || matches!(first, b'{' | b'"' | b'\'');
                Ok(is_value || fits(Part::CallClose)? || fits(Part::MessageClose)?)
            }
            Body::Params => Ok(fits(Part::CallClose)? || fits(Part::SectionClose)? || self.begins_param(row, text)?),
            Body::Elements => Ok(first == b'<' || fits(Part::Prefix)? || fits(Part::CallClose)?),
            Body::Text => Ok(!fits(Part::CallClose)? && !fits(Part::OtherTurn)?),
            Body::Brace => Ok(first == b'{'),
            Body::Python => super::python::begins(text, self.is_last),
        }
    }

    /// What stands after a payload. `is_thinking`: whether reasoning may still be closed by a marker, which then is not
    /// left over from the call.
    pub(super) fn after(&self, table: &Table, is_thinking: bool, text: &[u8]) -> Sight<After> {
        let row = self.row(table);
        if self.form.has_close {
            let stray = self.stray_len(row, is_thinking, text)?;
            let rest = after(text, stray);
            let length = self.call_closer(row, rest)?;
            if length > 0 || stray > 0 && !rest.is_empty() && self.ends_call(table, rest)? {
                return Ok(After::Close { stray, length });
            }
        }
        if self.is_cut_closer(row, text) {
            return Ok(After::CutClose);
        }
        let begins_again = |text: &[u8]| {
            let is_json = matches!(self.body, Body::Json | Body::Keyed) && self.form.has_close && !self.form.is_bare;
            if is_json && !row.has(Part::SectionOpen) {
                Ok(matches!(text.first(), Some(b'{' | b'[')))
            } else {
                Ok(false)
            }
        };
        if row.has(Part::Separator) {
            let length = row.fits(Part::Separator, text, self.is_last)?;
            let rest = after(text, length);
            let space = space_len(rest);
            let next = after(rest, space);
            if next.is_empty() && !self.is_last {
                return Err(Short);
            }
            let is_object = self.body == Body::Json && row.body() != Body::Json;
            let begins = if is_object { self.begins_object(next)? } else { self.begins_payload(row, None, next)? };
            if begins && matches!(self.body, Body::Json | Body::Keyed) {
                return Ok(After::Separator(length + space));
            }
        }
        if !self.form.has_close || row.is(Flag::CloseOptional) {
            return Ok(After::Ends);
        }
        if row.is(Flag::RequireClose) {
            return Ok(After::Other);
        }
        if begins_again(text)? {
            return Ok(After::Separator(0));
        }
        Ok(if self.ends_call(table, text)? { After::Ends } else { After::Other })
    }

    /// Whether the stream ends in the closer of a section.
    pub(super) fn is_front_of_end(&self, row: &Row, text: &[u8]) -> bool {
        self.is_last && row.is_front(Part::SectionClose, text)
    }

    /// Whether the stream ends in the closer of a call that may end there: a stop sequence that came in part.
    pub(super) fn is_cut_closer(&self, row: &Row, text: &[u8]) -> bool {
        let may_be = self.is_last && self.body.is_tagged() && self.ends_at_last() && !text.is_empty();
        may_be
            && (row.is_front(Part::CallClose, text)
                || row.is_front(Part::SectionClose, text)
                || self.is_cut_own(row, text))
    }

    /// What may stand after a payload besides white space, if brackets are `passed` over: its length, and how it is named.
    pub(super) fn leftover(&self, passes: bool, text: &[u8]) -> Sight<Option<(usize, Repair)>> {
        if passes && matches!(text.first(), Some(b'}' | b']')) {
            return Ok(Some((1, Repair::ExtraCloser)));
        }
        let has_fence = !self.form.is_value && self.known.repairs & Repair::Fence.bit() != 0;
        let [think, thinking] = STRAY.map(|mark| (mark, Repair::StrayThink, self.form.has_own_end));
        for (mark, repair, counts) in [think, thinking, (FENCE, Repair::Fence, has_fence)] {
            if counts && starts_with(text, &[mark], self.is_last && !self.form.has_own_end)? {
                return Ok(Some((mark.len(), repair)));
            }
        }
        Ok(None)
    }

    /// The length of a closing tag of thinking that stands after a payload, with the white space after it, or 0.
    fn stray_len(&self, row: &Row, is_thinking: bool, text: &[u8]) -> Sight<usize> {
        let is_closed_json = self.form.has_close && self.body.is_json();
        if !is_closed_json || is_thinking || row.is(Flag::Strict) {
            return Ok(0);
        }
        for mark in STRAY {
            if starts_with(text, &[mark], self.is_last)? {
                return Ok(mark.len() + space_len(at_most(after(text, mark.len()), LONGEST_SPACE as usize)));
            }
        }
        Ok(0)
    }

    /// Whether what follows a call without a closer is at the start of a text.
    #[inline(never)]
    pub(super) fn ends_call(&self, table: &Table, text: &[u8]) -> Sight<bool> {
        if text.is_empty() && self.is_last {
            return Ok(self.ends_at_last());
        }
        let row = self.row(table);
        for part in [Part::SectionClose, Part::MessageClose, Part::MessageOpen, Part::OtherTurn] {
            if row.fits(part, text, self.is_last)? > 0 {
                return Ok(true);
            }
        }
        if row.ends_turn(text, self.is_last)? > 0 {
            return Ok(self.ends_at_last());
        }
        Ok(self.begins(table, text)?.is_some())
    }

    /// The length of the tokens that end the turn at the start of a text, and of the white space after them, or 0: they
    /// do where nothing follows, or another turn or call.
    pub(super) fn ends_turn(&self, table: &Table, text: &[u8]) -> Sight<usize> {
        let text = at_most(text, LONGEST_ENDS);
        let is_whole = self.is_last || text.len() == LONGEST_ENDS;
        let mut at = 0;
        loop {
            let mut longest = 0;
            for (_, row) in table.rows() {
                longest = longest.max(row.ends_turn(after(text, at), is_whole)?);
            }
            if longest == 0 {
                break;
            }
            at += longest;
            at += space_len(after(text, at));
        }
        let rest = after(text, at);
        if at == 0 || rest.is_empty() {
            return (at == 0 || is_whole).then_some(at).ok_or(Short);
        }
        for (_, row) in table.rows() {
            if row.begins_other_turn(rest, is_whole)? > 0 {
                return Ok(at);
            }
        }
        let begins = self.begins(table, rest).at_last(is_whole)?.is_some();
        Ok(if begins { at } else { 0 })
    }

    /// Whether the end of the stream ends a call whose payload is whole. More parameters may have
    /// been meant to follow.
    pub(super) fn ends_at_last(&self) -> bool {
        self.form.end_closes && self.may_be_whole() && (self.known.has_params || !self.body.is_tagged())
    }

    /// A call begins.
    pub(super) fn begin_op(&self) -> Op {
        Op::Begin { row: self.row, is_bare: self.form.is_bare, is_json: self.body == Body::Json }
    }
}

impl Row {
    /// The length of what opens a call of a tolerant row at the start of a text, or 0.
    pub(super) fn opener_len(&self, names: &ToolNames, text: &[u8]) -> Sight<usize> {
        match (self.body(), text.first()) {
            (Body::Tree, None) => Err(Short),
            (Body::Tree, Some(b'<')) => names.fits(after(text, 1)),
            (Body::Tree, Some(_)) => Ok(0),
            _ => self.fits(Part::CallOpen, text, false),
        }
    }

    /// Whether what follows that makes it one.
    pub(super) fn makes_call(&self, text: &[u8]) -> Sight<bool> {
        if self.body() == Body::Tree {
            return Ok(true);
        }
        let gap = space_len(at_most(text, LONGEST_SPACE as usize));
        match text.get(gap).ok_or(Short)? {
            b'{' | b'[' => Ok(true),
            b'`' if self.may_have_fence() => fence(after(text, gap)).map(|length| length > 0),
            _ => Ok(false),
        }
    }

    /// Whether its payload may be in a fence: the closer isn't one.
    fn may_have_fence(&self) -> bool {
        self.list(Part::CallClose).next().and_then(|mark| mark.first()) != Some(&b'`')
    }

    /// Whether an opener that is a word goes on with a byte, and so is another word.
    fn goes_on(&self, byte: u8) -> bool {
        let is_in_word = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_' || byte >= 0x80;
        let last = self.list(Part::CallOpen).next().and_then(|mark| mark.last());
        is_in_word(byte) && last.is_some_and(|&last| is_in_word(last))
    }
}

impl Machine {
    /// A call begins at the place.
    #[inline(never)]
    pub(super) fn begin(
        &mut self,
        (number, begin): (u8, Begin),
        table: &Table,
        text: &mut Stretch<'_>,
        sink: &mut impl Sink,
    ) -> Flow {
        let row = table.row(number);
        let at = text.at();
        let here = text.here();
        self.segment.row = number;
        self.segment.mark = here;
        self.segment.known.repairs = begin.repair.map_or(0, Repair::bit);
        self.begin_call(row, begin.body, begin.has_close);
        self.segment.form.is_bare = begin.payload == 0 && !self.segment.is_in_section;
        self.segment.form.has_opener = row.has(Part::CallOpen) && begin.head_from > 0;
        if begin.opens_section {
            self.segment.is_in_section = true;
            self.turn.has_called = false;
        }
        self.turn.is_after_call = false;
        self.opening.pass_words();
        if begin.body == Body::Tree {
            self.segment.elements.begin(text.rest().get(1..=begin.payload));
            record_part(Op::Name.word(), (1, 1 + begin.payload), text, sink);
            self.tree.begin(&mut self.segment, row, here);
            self.phase = Phase::Element;
            return Flow::Go;
        }
        if self.segment.form.has_own_end {
            text.pass(begin.payload);
            self.segment.payload = text.here();
            self.phase = Phase::Lead { is_list: false };
            return Flow::Go;
        }
        self.segment.payload = text.unit_at(at + begin.payload);
        sink.record(self.segment.begin_op().at(self.segment.mark, self.segment.payload));
        let is_own = matches!(begin.repair, Some(Repair::BareName | Repair::MissingOpener));
        let own = begin.head.filter(|_| row.has_tool_tags() || is_own).and_then(|head| head.slot(Slot::Name));
        let own = own.map(|(from, to)| (begin.head_from + from, begin.head_from + to));
        self.segment.elements.begin(own.map(|(from, to)| text.rest().get(from..to).unwrap_or_default()));
        begin.record_head(text, sink);
        text.set_at(at + begin.payload);
        let has_name = begin.head.and_then(|head| head.slot(Slot::Name)).is_some();
        let is_empty = begin.head.is_some_and(|head| head.is_empty);
        self.begin_named(row, has_name, is_empty, text.here(), sink)
    }

    /// The payload begins; its name is known, or part of it.
    pub(super) fn begin_named(
        &mut self,
        row: &Row,
        has_name: bool,
        is_empty: bool,
        here: u32,
        sink: &mut impl Sink,
    ) -> Flow {
        self.segment.form.is_empty = is_empty;
        if !has_name {
            return self.begin_body(row, here);
        }
        sink.record(Op::NameEnd { is_alias: false }.at(here, here));
        self.ask(super::Ask::Name)
    }

    /// The payload begins here, after its head.
    #[inline(never)]
    pub(super) fn begin_body(&mut self, row: &Row, here: u32) -> Flow {
        if std::mem::take(&mut self.segment.form.is_empty) {
            // Nothing closes it, and it has no arguments.
            self.segment.payload_end = here;
            self.segment.form.has_close = false;
            return self.ask(super::Ask::Ends);
        }
        self.phase = match self.segment.body {
            Body::Json | Body::Keyed | Body::Args => {
                self.json.begin(&mut self.segment, row, here);
                Phase::Json
            }
            Body::Brace => {
                self.braces.begin(&mut self.segment, row, here);
                Phase::Braces
            }
            Body::Python => {
                self.python.begin(&mut self.segment, row, here);
                Phase::Python
            }
            Body::Yaml => {
                self.yaml.begin(&mut self.segment, row, here);
                Phase::Yaml
            }
            Body::Text => {
                self.plain.begin(&mut self.segment, row, here);
                self.plain.is_fenced = self.opening.quotes.code().is_fenced();
                Phase::Plain
            }
            Body::Params | Body::Elements | Body::Nothing | Body::Tree => {
                self.tagged.begin(&mut self.segment, row, here);
                Phase::Tagged
            }
        };
        Flow::Go
    }

    /// After an opener that counts before its payload is there: an object makes it a call, in a list perhaps.
    pub(super) fn read_lead(
        &mut self,
        mut is_list: bool,
        row: &Row,
        text: &mut Stretch<'_>,
        sink: &mut impl Sink,
    ) -> Flow {
        while let Some(&byte) = text.rest().first() {
            match byte {
                b'{' => {
                    let here = text.here();
                    let check = Op::Check { row: self.segment.row };
                    self.segment.payload = if is_list { self.segment.payload } else { here };
                    sink.record(if is_list { check } else { self.segment.begin_op() }.at(self.segment.mark, here));
                    self.begin_json(row);
                    self.json.call.repaired.is_silent = is_list;
                    self.segment.known.repairs |= if is_list { Repair::List.bit() } else { 0 };
                    return Flow::At(self.segment.payload);
                }
                b'[' if !is_list => {
                    is_list = true;
                    self.segment.payload = text.here();
                }
                _ if is_space(byte) && text.here().saturating_sub(self.segment.mark) <= LONGEST_SPACE => {}
                b'`' if !is_list && self.segment.known.repairs == 0 && row.may_have_fence() => {
                    match fence(text.rest()) {
                        Err(Short) => {
                            self.phase = Phase::Lead { is_list };
                            return Flow::Wait;
                        }
                        Ok(0) => return self.mention(sink),
                        Ok(length) => {
                            self.segment.known.repairs = Repair::Fence.bit();
                            text.pass(length);
                            continue;
                        }
                    }
                }
                _ if text.here() == self.segment.payload && row.goes_on(byte) => {
                    self.phase = Phase::Text;
                    return Flow::Go;
                }
                _ => return self.mention(sink),
            }
            // As a part of prose that speaks of the tag.
            self.opening.step_text(text);
        }
        self.phase = Phase::Lead { is_list };
        Flow::Stop
    }

    /// Text follows the opener. Whether it was meant as a call is known at the closer, if one comes.
    fn mention(&mut self, sink: &mut impl Sink) -> Flow {
        let opening = self.opening;
        let _ = self.fail(Why::Mentioned, self.segment.payload, sink);
        // The text goes on from here.
        self.opening = opening;
        self.phase = Phase::Dead(Dead::Own(Ends::AnyOpener));
        Flow::Go
    }

    /// The payload begins, which is JSON.
    pub(super) fn begin_json(&mut self, row: &Row) {
        let here = self.segment.payload;
        self.json.begin(&mut self.segment, row, here);
        self.phase = Phase::Json;
    }

    /// What the row says of the call that begins.
    pub(super) fn begin_call(&mut self, row: &Row, body: Body, has_close: bool) {
        let has_own_end = row.is(Flag::Tolerant);
        let end_closes =
            !(has_own_end || has_close && row.is(Flag::RequireClose) || body.is_tagged() && row.is(Flag::Strict));
        let Known { repairs, .. } = self.segment.known;
        self.segment.body = body;
        self.segment.form = Form {
            is_bare: false,
            has_close,
            has_own_end,
            has_opener: true,
            is_empty: false,
            end_closes,
            is_value: false,
        };
        self.segment.known = Known { has_done: false, has_params: false, repairs, used: Rules::STRICT };
        self.turn.is_start = false;
        self.turn.is_lead = false;
    }
}
