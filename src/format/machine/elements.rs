//! Arguments as elements, named like them.
//!
//! ```text
//! members ::= (element)*
//! element ::= open (members | text) close | empty
//! open    ::= prefix '<' name '>'      close ::= prefix '</' name '>'
//! ```
//!
//! The program says of each element by its schema whether it is text, whatever it looks like.
//! A closing tag in a text counts only where the elements around it go on after it: so a text
//! with tags of its own is read as it is.

use super::look::{Marker, Step, Tag, after, record_part, starts_with};
use super::{Ask, Flow, LONGEST_HEAD, LONGEST_SPACE, Machine, Op, Phase, Why};
use crate::format::head;
use crate::format::op::Repair;
use crate::format::row::{Body, Flag, HeadPiece, LONGEST_GAP, Part, Row};
use crate::format::table::Table;
use crate::scan::{Sight, at_most, space_len};
use crate::text::{Codec, Sink, State, Stretch, state};

/// Deepest nesting, the call counted.
const DEEPEST: usize = 128;

/// Room for the names of all open elements, in bytes.
const NAMES: usize = 2_048;

/// Longest name, in bytes.
const LONGEST_NAME: usize = 256;

/// Attributes, which mean nothing here, and the end of the tag.
const ATTRIBUTES: &[u8] = &[HeadPiece::Attributes as u8, 1, b'>'];

state! {
    /// Where a payload of elements is read.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub(super) enum Place {
        /// Between elements.
        Members,
        /// After an opening tag: elements or text follow, which began at the unit.
        Look(u32),
        /// The body could not be read as elements: it may be one text, up to the tool's closing tag.
        Message,
    }
}

/// The elements that are open.
#[derive(Clone, Copy, Debug)]
#[cfg_attr(feature = "debug", derive(serde::Serialize))]
pub(super) struct Open {
    /// Whether the call's tag is the tool's name, which then is the first name.
    is_own: bool,
    /// Whether its first element is asked about, since the name has no tag.
    is_line: bool,
    /// Whether the last name is that of a parameter that is an element, in a call of parameters.
    is_param: bool,
    #[cfg_attr(feature = "debug", serde(serialize_with = "crate::text::inspect::buffer"))]
    names: [u8; NAMES],
    #[cfg_attr(feature = "debug", serde(serialize_with = "crate::text::inspect::list"))]
    ends: [u16; DEEPEST],
    /// How many are open, the call counted; 0 where nothing of elements is read.
    depth: usize,
    /// How long the closing tag is that the program is asked about, with the space before it.
    closer: usize,
    /// Whether the program took the call.
    is_taken: bool,
    /// Where the body turned out not to be elements.
    failed: u32,
}

impl State for Open {
    const BLANK: Open = Open::NONE;

    fn carry(&mut self, codec: &mut Codec<'_>) {
        let Open { is_own, is_line, is_param, names: _, ends, depth, closer, is_taken, failed } = self;
        for flag in [is_own, is_line, is_param, is_taken] {
            flag.carry(codec);
        }
        for number in [&mut *depth, closer] {
            number.carry(codec);
        }
        failed.carry(codec);
        codec.list(ends, *depth);
        let used = self.end_of(self.depth);
        codec.list(&mut self.names, used);
    }
}

/// What comes after a closing tag in a text.
enum Next {
    /// What lets it close.
    Fits,
    /// An opening tag, whose name the program knows or not.
    Tag((usize, usize)),
    Other,
}

impl Open {
    pub(super) const NONE: Open = Open {
        is_own: false,
        is_line: false,
        is_param: false,
        names: [0; NAMES],
        ends: [0; DEEPEST],
        depth: 0,
        closer: 0,
        is_taken: false,
        failed: 0,
    };

    /// A call begins, with a tool's name if that is its tag.
    pub(super) fn begin(&mut self, own: Option<&[u8]>) {
        // Not as a whole: the room for names is large.
        (self.is_own, self.is_line, self.is_param, self.is_taken) = (own.is_some(), false, false, false);
        (self.depth, self.closer, self.failed) = (0, 0, 0);
        // A tool's name is never too long.
        self.push(own.unwrap_or_default());
    }

    /// A call begins whose tool's name stands on a line, without a tag.
    pub(super) fn begin_line(&mut self, name: &[u8]) {
        self.begin(Some(name));
        self.is_line = true;
    }

    /// Whether its first element is asked about.
    pub(super) fn is_line(&self) -> bool {
        self.is_line
    }

    /// The name of the tool whose tag the call's is.
    pub(super) fn own(&self) -> &[u8] {
        self.name(1)
    }

    /// The call is over, whatever it was. Its tag is still known.
    pub(super) fn end(&mut self) {
        self.end_param();
        self.depth = self.depth.min(1);
    }

    /// A parameter that is an element begins; false if there is no room for its name.
    pub(super) fn begin_param(&mut self, name: &[u8]) -> bool {
        self.is_param = self.push(name);
        self.is_param
    }

    /// A parameter ends.
    pub(super) fn end_param(&mut self) {
        if std::mem::take(&mut self.is_param) {
            self.depth = self.depth.saturating_sub(1);
        }
    }

    /// Whether a parameter that is an element is open.
    pub(super) fn is_in_param(&self) -> bool {
        self.is_param
    }

    /// The length of its closing tag at the start of a text, or 0.
    pub(super) fn closes_param(&self, text: &[u8]) -> Option<usize> {
        loose_closer(self.name(self.depth), text)
    }

    /// Whether a call whose arguments are elements is read.
    pub(super) fn is_open(&self) -> bool {
        self.depth > 1 && !self.is_param
    }

    /// Whether the element that was opened last is an argument.
    pub(super) fn is_argument(&self) -> bool {
        self.depth == 2
    }

    pub(super) fn release(&mut self, units: u32) {
        self.failed = self.failed.saturating_sub(units);
    }

    /// Adds a name; false if there is no room.
    fn push(&mut self, name: &[u8]) -> bool {
        let from = self.end_of(self.depth);
        let to = from + name.len();
        let (Some(room), Some(end)) = (self.names.get_mut(from..to), self.ends.get_mut(self.depth)) else {
            return false;
        };
        room.copy_from_slice(name);
        *end = to as u16;
        self.depth += 1;
        true
    }

    /// Where the names of so many elements end.
    fn end_of(&self, depth: usize) -> usize {
        depth.checked_sub(1).and_then(|last| self.ends.get(last)).map_or(0, |&end| usize::from(end))
    }

    /// The name of the element at a depth, from 1.
    fn name(&self, depth: usize) -> &[u8] {
        self.names.get(self.end_of(depth.saturating_sub(1))..self.end_of(depth)).unwrap_or_default()
    }
}

/// The length of the closing tag with a name, in any case, at the start of a text, or 0.
fn loose_closer(name: &[u8], text: &[u8]) -> Option<usize> {
    let mut at = 0;
    for piece in [b"<", b"/", name, b">"] {
        let rest = after(text, at);
        let space = if at == 0 { 0 } else { space_len(at_most(rest, LONGEST_GAP)) };
        let rest = after(rest, space);
        let seen = at_most(rest, piece.len());
        if !piece.get(..seen.len()).is_some_and(|front| front.eq_ignore_ascii_case(seen)) {
            return Some(0);
        }
        if seen.len() < piece.len() {
            return None;
        }
        at += space + piece.len();
    }
    Some(at)
}

/// The prefix of a row's tags.
fn prefix(row: &Row) -> &[u8] {
    row.list(Part::Prefix).next().unwrap_or_default()
}

impl Machine {
    #[inline(never)]
    pub(super) fn read_elements(
        &mut self,
        place: Place,
        table: &Table,
        text: &mut Stretch<'_>,
        sink: &mut impl Sink,
    ) -> Flow {
        match place {
            Place::Members => self.read_members(table, text, sink),
            Place::Look(from) => self.look(from, table, text),
            Place::Message => self.read_message(text, sink),
        }
    }

    /// The length of the closing tag of the element at a depth at the start of a text, or 0.
    fn closing_tag(&self, depth: usize, row: &Row, text: &[u8]) -> Option<usize> {
        if depth == 1 && !self.elements.is_own {
            return row.fits(Part::CallClose, text, self.is_last);
        }
        let prefix = prefix(row);
        let name = self.elements.name(depth);
        let is_there = starts_with(text, &[prefix, b"</", name, b">"], self.is_last)?;
        Some(if is_there { prefix.len() + name.len() + 3 } else { 0 })
    }

    /// The length of what closes the call at the start of a text, or 0.
    pub(super) fn call_closer(&self, row: &Row, text: &[u8]) -> Option<usize> {
        if self.elements.is_open() {
            self.closing_tag(1, row, text)
        } else {
            let length = row.fits(Part::CallClose, text, self.is_last)?;
            let is_own = length == 0 && self.body == Body::Params;
            if is_own { self.closes_own(row, text) } else { Some(length) }
        }
    }

    /// The length of the tool's closing tag at the start of a text, or 0 if it is not its name.
    pub(super) fn closes_own(&self, row: &Row, text: &[u8]) -> Option<usize> {
        if self.elements.is_own { self.closing_tag(1, row, text) } else { Some(0) }
    }

    /// Whether the stream ends in the tool's closing tag, if the call's tag is its name.
    pub(super) fn is_cut_own(&self, row: &Row, text: &[u8]) -> bool {
        let pieces = [prefix(row), b"</", self.elements.own(), b">"];
        self.elements.is_own && starts_with(text, &pieces, false).is_none()
    }

    /// The opening tag at the start of a text.
    pub(super) fn tag(&self, row: &Row, text: &[u8]) -> Option<Tag> {
        let prefix = prefix(row);
        let short = if self.is_last { Some(Tag::Cut) } else { None };
        match starts_with(text, &[prefix, b"<"], false) {
            None => return short,
            Some(false) => return Some(Tag::Other),
            Some(true) => {}
        }
        let from = prefix.len() + 1;
        let rest = after(text, from);
        let is_name = |at: usize, byte: u8| match byte {
            b'<' | b'>' | b'\n' | b'\r' => false,
            b'/' => at > 0 && !prefix.is_empty(),
            _ if !prefix.is_empty() => true,
            b'_' => true,
            b'-' | b'.' | b':' | b'0'..=b'9' => at > 0,
            _ => byte.is_ascii_alphabetic(),
        };
        let len = rest.iter().enumerate().take(LONGEST_NAME + 1).take_while(|&(at, &byte)| is_name(at, byte)).count();
        if len > LONGEST_NAME || len == 0 && !rest.is_empty() {
            return Some(Tag::Other);
        }
        let tail = after(rest, len);
        let name = (from, from + len);
        if tail.is_empty() {
            return short;
        }
        if !prefix.is_empty() {
            let is_end = tail.first() == Some(&b'>');
            return Some(if is_end { Tag::Open { name, len: from + len + 1, is_empty: false } } else { Tag::Other });
        }
        match head::read(row, None, ATTRIBUTES, tail, false) {
            Sight::Short if tail.len() >= LONGEST_HEAD => Some(Tag::Other),
            Sight::Short => short,
            Sight::No => Some(Tag::Other),
            Sight::Yes(head) => Some(Tag::Open { name, len: from + len + head.len, is_empty: head.is_empty }),
        }
    }

    /// Whether arguments as elements or in YAML are read.
    pub(super) fn is_in_elements(&self) -> bool {
        matches!(self.body, Body::Elements | Body::Yaml)
    }

    /// Between elements.
    fn read_members(&mut self, table: &Table, text: &mut Stretch<'_>, sink: &mut impl Sink) -> Flow {
        let row = table.row(self.row);
        if text.here() < self.payload_end {
            return Flow::At(self.payload_end);
        }
        let space = space_len(text.rest());
        text.pass(space);
        if text.is_at_end() && !self.is_last {
            return Flow::Stop;
        }
        let depth = self.elements.depth;
        let here = text.here();
        if depth == 1 && self.ends_at_last() && (text.is_at_end() || self.is_cut_closer(row, text.rest())) {
            return self.ask(Ask::Ends);
        }
        match self.closing_tag(depth, row, text.rest()) {
            None => return Flow::Wait,
            Some(0) => {}
            Some(_) if depth == 1 && (row.is(Flag::AsksWhole) || !self.has_params) && !self.elements.is_taken => {
                return self.ask(Ask::Whole);
            }
            Some(length) if depth == 1 && self.elements.is_own => return self.close_own(length, text, sink),
            Some(_) if depth == 1 => return self.payload_ended(here),
            Some(length) => {
                text.pass(length);
                let to = text.here();
                return self.close_element(row, here, to, sink);
            }
        }
        if text.is_at_end() {
            return self.fail(Why::Unfinished, here, sink);
        }
        match self.tag(row, text.rest()) {
            None => Flow::Wait,
            Some(Tag::Other) => self.not_elements(row, here, sink),
            Some(Tag::Cut) => {
                let rest = text.rest().len();
                text.pass(rest);
                let here = text.here();
                self.fail(Why::Unfinished, here, sink)
            }
            Some(Tag::Open { name, .. }) if self.elements.is_line => {
                record_part(Op::Sibling, name, text, sink);
                self.ask(Ask::Open)
            }
            Some(Tag::Open { name, len, is_empty }) => {
                if !self.elements.push(text.rest().get(name.0..name.1).unwrap_or_default()) {
                    return self.not_elements(row, here, sink);
                }
                record_part(Op::Open, name, text, sink);
                text.pass(len);
                if is_empty {
                    let here = text.here();
                    return self.close_element(row, here, here, sink);
                }
                self.ask(Ask::Element)
            }
        }
    }

    /// The program said what the element is whose tag was read.
    pub(super) fn element_answered(&mut self, is_text: bool, here: u32) -> Flow {
        if is_text {
            self.begin_value(here, false);
        } else {
            self.phase = Phase::Elements(Place::Look(here));
        }
        Flow::Go
    }

    /// After an opening tag: elements, if another one follows.
    fn look(&mut self, from: u32, table: &Table, text: &mut Stretch<'_>) -> Flow {
        let row = table.row(self.row);
        let space = space_len(text.rest());
        text.pass(space);
        if text.is_at_end() && !self.is_last {
            return Flow::Stop;
        }
        match self.tag(row, text.rest()) {
            None => return Flow::Wait,
            Some(Tag::Open { .. } | Tag::Cut) => {
                self.phase = Phase::Elements(Place::Members);
                return Flow::Go;
            }
            Some(Tag::Other) => {}
        }
        self.begin_value(from, false);
        Flow::At(from)
    }

    /// What a possible closing tag in a text is, after `space` bytes of white space before it.
    pub(super) fn leaf_step(&self, row: &Row, table: &Table, text: &[u8], space: usize) -> Option<Step> {
        let length = self.closing_tag(self.elements.depth, row, text)?;
        if length == 0 {
            return Some(Step::Text(space.max(1)));
        }
        let front = space + length;
        Some(match self.after_closer(row, table, after(text, length))? {
            Next::Fits => Step::End(front),
            Next::Tag((from, to)) => Step::Sibling { closer: front, from: front + from, to: front + to },
            Next::Other => Step::Inside(Marker::ParamClose, front),
        })
    }

    /// What comes after a closing tag.
    fn after_closer(&self, row: &Row, table: &Table, text: &[u8]) -> Option<Next> {
        let space = space_len(text);
        let rest = after(text, space);
        if rest.is_empty() {
            let is_far = space >= LONGEST_SPACE as usize;
            return if self.is_last || is_far {
                Some(if self.is_last { Next::Fits } else { Next::Other })
            } else {
                None
            };
        }
        let parent = self.elements.depth.saturating_sub(1);
        if self.closing_tag(parent, row, rest)? > 0 {
            return Some(Next::Fits);
        }
        if parent == 1 && row.has(Part::Prefix) && self.ends_call(table, rest)? {
            return Some(Next::Fits);
        }
        Some(match self.tag(row, rest)? {
            Tag::Cut => Next::Fits,
            Tag::Other => Next::Other,
            Tag::Open { name: (from, to), .. } => {
                if rest.get(from..to) == Some(self.elements.name(self.elements.depth)) {
                    Next::Fits
                } else {
                    Next::Tag((space + from, space + to))
                }
            }
        })
    }

    /// The program is asked whether the opening tag after a closing one lets that close.
    pub(super) fn ask_sibling(&mut self, closer: usize) -> Flow {
        self.elements.closer = closer;
        self.ask(Ask::Open)
    }

    /// It has answered.
    pub(super) fn sibling_answered(
        &mut self,
        is_one: bool,
        table: &Table,
        text: &mut Stretch<'_>,
        sink: &mut impl Sink,
    ) -> Flow {
        if is_one {
            let from = text.here();
            text.pass(self.elements.closer);
            let to = text.here();
            if !self.is_in_elements() {
                return self.end_value(from, to, sink);
            }
            return self.close_element(table.row(self.row), from, to, sink);
        }
        self.phase = Phase::Value;
        self.value.goes_on();
        let space = space_len(text.rest());
        text.pass(space.min(self.elements.closer) + 1);
        Flow::Go
    }

    /// The program said whether a name on a line has an argument after it.
    pub(super) fn line_answered(&mut self, is_call: bool, here: u32, sink: &mut impl Sink) -> Flow {
        self.elements.is_line = false;
        if !is_call {
            return self.fail(Why::Rejected, here, sink);
        }
        self.phase = Phase::Elements(Place::Members);
        Flow::Go
    }

    /// An element has ended.
    pub(super) fn close_element(&mut self, row: &Row, from: u32, to: u32, sink: &mut impl Sink) -> Flow {
        sink.record(Op::Close.at(from, to));
        self.elements.depth = self.elements.depth.saturating_sub(1);
        self.payload_end = to;
        self.phase = Phase::Elements(Place::Members);
        self.has_params |= self.elements.depth == 1;
        if self.elements.depth == 1 && row.is(Flag::AsksWhole) { self.ask(Ask::Member) } else { Flow::Go }
    }

    /// The tool's closing tag ends the call.
    fn close_own(&mut self, length: usize, text: &mut Stretch<'_>, sink: &mut impl Sink) -> Flow {
        text.pass(length);
        let here = text.here();
        self.payload_end = here;
        self.elements.end();
        self.finish_call(here, sink);
        self.end(here, sink);
        Flow::Go
    }

    /// The program took the call, whose closing tag comes next; or it didn't.
    pub(super) fn body_answered(&mut self, is_call: bool, text: &mut Stretch<'_>, sink: &mut impl Sink) -> Flow {
        let here = text.here();
        if is_call {
            self.elements.is_taken = true;
            self.phase = Phase::Elements(Place::Members);
            return Flow::Go;
        }
        let failed = std::mem::take(&mut self.elements.failed);
        if failed > 0 && self.budget.pays(here.saturating_sub(failed), here) {
            return self.fail(Why::Malformed, failed, sink);
        }
        self.fail(Why::Malformed, here, sink)
    }

    /// Something else than an element stands at the place.
    pub(super) fn not_elements(&mut self, row: &Row, here: u32, sink: &mut impl Sink) -> Flow {
        if row.is(Flag::MessageText)
            && self.elements.is_own
            && self.budget.pays(here.saturating_sub(self.payload), here)
        {
            self.elements.failed = here;
            return self.ask(Ask::Message);
        }
        self.fail(Why::Malformed, here, sink)
    }

    /// The program said whether the body may be one text.
    pub(super) fn message_answered(&mut self, is_text: bool, sink: &mut impl Sink) -> Flow {
        let failed = self.elements.failed;
        if !is_text {
            return self.fail(Why::Malformed, failed, sink);
        }
        self.repairs |= Repair::MessageText.bit();
        self.payload_end = self.payload;
        self.elements.depth = 1;
        self.value.emitted = self.payload;
        self.phase = Phase::Elements(Place::Message);
        Flow::At(self.payload)
    }

    /// A body that is one text, up to the tool's closing tag.
    fn read_message(&mut self, text: &mut Stretch<'_>, sink: &mut impl Sink) -> Flow {
        let name = self.elements.name(1);
        let found = loop {
            let plain = text.rest().iter().take_while(|&&byte| byte != b'<').count();
            text.pass(plain);
            if text.is_at_end() {
                break Flow::Stop;
            }
            match starts_with(text.rest(), &[b"</", name, b">"], self.is_last) {
                None => break Flow::Wait,
                Some(false) => text.pass(1),
                Some(true) => break Flow::Go,
            }
        };
        let here = text.here();
        self.emit_value(here, sink);
        if matches!(found, Flow::Go) { self.ask(Ask::Whole) } else { found }
    }

    /// The stream ends in such a text: it is malformed where it was. Where reading goes on.
    pub(super) fn end_message(&mut self, held: u32, sink: &mut impl Sink) -> u32 {
        let failed = self.elements.failed;
        if !self.budget.pays(held.saturating_sub(failed), held) {
            let _ = self.fail(Why::Unfinished, held, sink);
            return held;
        }
        let _ = self.fail(Why::Malformed, failed, sink);
        failed
    }
}
