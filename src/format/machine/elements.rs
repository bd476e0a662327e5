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

use super::look::{LONGEST_NAME, Marker, Step, Tag, record_part, starts_with};
use super::params::{Place, Tagged};
use super::payload::Move;
use super::segment::Segment;
use super::{Ask, LONGEST_HEAD, LONGEST_SPACE, Op, Why};
use crate::format::head;
use crate::format::op::Repair;
use crate::format::row::{Body, Flag, HeadPiece, Part, Row};
use crate::format::table::Table;
use crate::scan::{Short, Sight, after, space_len};
use crate::text::{Sink, Stretch};
use crate::xml::TreeOp;

/// Attributes, which mean nothing here, and the end of the tag.
const ATTRIBUTES: &[u8] = &[HeadPiece::Attributes as u8, 1, b'>'];

/// What comes after a closing tag in a text.
enum Next {
    /// What lets it close.
    Fits,
    /// An opening tag, whose name the program knows or not.
    Tag((usize, usize)),
    Other,
}

/// The prefix of a row's tags.
fn prefix(row: &Row) -> &[u8] {
    row.list(Part::Prefix).next().unwrap_or_default()
}

impl Segment {
    /// The length of the closing tag of the element at a depth at the start of a text, or 0.
    fn closing_tag(&self, depth: usize, row: &Row, text: &[u8]) -> Sight<usize> {
        if depth == 1 && !self.elements.is_own {
            return row.fits(Part::CallClose, text, self.is_last);
        }
        let prefix = prefix(row);
        let name = self.elements.name(depth);
        let is_there = starts_with(text, &[prefix, b"</", name, b">"], self.is_last)?;
        Ok(if is_there { prefix.len() + name.len() + 3 } else { 0 })
    }

    /// The length of what closes the call at the start of a text, or 0.
    pub(super) fn call_closer(&self, row: &Row, text: &[u8]) -> Sight<usize> {
        if self.elements.is_open() {
            self.closing_tag(1, row, text)
        } else {
            let length = row.fits(Part::CallClose, text, self.is_last)?;
            let is_own = length == 0 && self.body == Body::Params;
            if is_own { self.closes_own(row, text) } else { Ok(length) }
        }
    }

    /// The length of the tool's closing tag at the start of a text, or 0 if it is not its name.
    pub(super) fn closes_own(&self, row: &Row, text: &[u8]) -> Sight<usize> {
        if self.elements.is_own { self.closing_tag(1, row, text) } else { Ok(0) }
    }

    /// Whether the stream ends in the tool's closing tag, if the call's tag is its name.
    pub(super) fn is_cut_own(&self, row: &Row, text: &[u8]) -> bool {
        let pieces = [prefix(row), b"</", self.elements.own(), b">"];
        self.elements.is_own && starts_with(text, &pieces, false).is_err()
    }

    /// The opening tag at the start of a text.
    pub(super) fn tag(&self, row: &Row, text: &[u8]) -> Sight<Tag> {
        let prefix = prefix(row);
        let short = if self.is_last { Ok(Tag::Cut) } else { Err(Short) };
        match starts_with(text, &[prefix, b"<"], false) {
            Err(Short) => return short,
            Ok(false) => return Ok(Tag::Other),
            Ok(true) => {}
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
            return Ok(Tag::Other);
        }
        let tail = after(rest, len);
        let name = (from, from + len);
        if tail.is_empty() {
            return short;
        }
        if !prefix.is_empty() {
            let is_end = tail.first() == Some(&b'>');
            return Ok(if is_end { Tag::Open { name, len: from + len + 1, is_empty: false } } else { Tag::Other });
        }
        match head::read(row, None, ATTRIBUTES, tail, false) {
            Err(Short) if tail.len() >= LONGEST_HEAD => Ok(Tag::Other),
            Err(Short) => short,
            Ok(None) => Ok(Tag::Other),
            Ok(Some(head)) => Ok(Tag::Open { name, len: from + len + head.len, is_empty: head.is_empty }),
        }
    }

    /// Whether arguments as elements or in YAML are read.
    pub(super) fn is_in_elements(&self) -> bool {
        matches!(self.body, Body::Elements | Body::Yaml)
    }
}

/// The stream ends in a text that may be all of the body: why it is not a call, and where reading goes on. That is where
/// the body could not be read, if reading it again may cost so much.
pub(super) fn cut_message(segment: &mut Segment, held: u32) -> (Why, u32) {
    let failed = segment.elements.failed;
    if segment.is_cut_off {
        return (Why::Unfinished, held);
    }
    let pays = segment.budget.pays(held.saturating_sub(failed), held);
    if pays { (Why::Malformed, failed) } else { (Why::Unfinished, held) }
}

impl Tagged {
    /// Between elements.
    pub(super) fn read_members(
        &mut self,
        segment: &mut Segment,
        table: &Table,
        text: &mut Stretch<'_>,
        sink: &mut impl Sink,
    ) -> Move {
        let row = table.row(segment.row);
        if text.here() < segment.payload_end {
            return Move::At(segment.payload_end);
        }
        let space = space_len(text.rest());
        text.pass(space);
        if text.is_at_end() && !segment.is_last {
            return Move::Stop;
        }
        let depth = segment.elements.depth;
        let here = text.here();
        if depth == 1 && segment.ends_at_last() && (text.is_at_end() || segment.is_cut_closer(row, text.rest())) {
            return Move::Ask(Ask::Ends);
        }
        match segment.closing_tag(depth, row, text.rest()) {
            Err(Short) => Move::Wait,
            Ok(0) if text.is_at_end() => Move::Fail(Why::Unfinished, here),
            Ok(0) => self.read_open_tag(segment, row, text, sink),
            Ok(length) => self.read_closing_tag(segment, row, length, text, sink),
        }
    }

    /// The closing tag of the element that was opened last, or the call's.
    fn read_closing_tag(
        &mut self,
        segment: &mut Segment,
        row: &Row,
        length: usize,
        text: &mut Stretch<'_>,
        sink: &mut impl Sink,
    ) -> Move {
        let here = text.here();
        if segment.elements.depth > 1 {
            text.pass(length);
            return self.close_element(segment, row, here, text.here(), sink);
        }
        let asks = row.is(Flag::AsksWhole) || !segment.known.has_params;
        if asks && !segment.elements.is_taken {
            return Move::Ask(Ask::Whole);
        }
        if !segment.elements.is_own {
            return Move::Ended(here);
        }
        text.pass(length);
        segment.payload_end = text.here();
        segment.elements.end();
        Move::Closed
    }

    /// Where no element is closed: an opening tag.
    fn read_open_tag(
        &mut self,
        segment: &mut Segment,
        row: &Row,
        text: &mut Stretch<'_>,
        sink: &mut impl Sink,
    ) -> Move {
        let here = text.here();
        match segment.tag(row, text.rest()) {
            Err(Short) => Move::Wait,
            Ok(Tag::Other) => self.not_elements(segment, row, here),
            Ok(Tag::Cut) => {
                let rest = text.rest().len();
                text.pass(rest);
                Move::Fail(Why::Unfinished, text.here())
            }
            Ok(Tag::Open { name, .. }) if segment.elements.is_line => {
                record_part(Op::Next { is_param: false }.word(), name, text, sink);
                Move::Ask(Ask::Open)
            }
            Ok(Tag::Open { name, len, is_empty }) => {
                if !segment.elements.push(text.rest().get(name.0..name.1).unwrap_or_default()) {
                    return self.not_elements(segment, row, here);
                }
                record_part(TreeOp::Open.word(), name, text, sink);
                text.pass(len);
                if is_empty {
                    let here = text.here();
                    return self.close_element(segment, row, here, here, sink);
                }
                Move::Ask(Ask::Element)
            }
        }
    }

    /// The program said what the element is whose tag was read.
    pub(super) fn element_answered(&mut self, is_text: bool, here: u32) -> Move {
        if is_text {
            self.begin_value(here, false);
        } else {
            self.place = Place::Look(here);
        }
        Move::Go
    }

    /// After an opening tag: elements, if another one follows.
    pub(super) fn look(&mut self, segment: &mut Segment, from: u32, table: &Table, text: &mut Stretch<'_>) -> Move {
        let row = table.row(segment.row);
        let space = space_len(text.rest());
        text.pass(space);
        if text.is_at_end() && !segment.is_last {
            return Move::Stop;
        }
        match segment.tag(row, text.rest()) {
            Err(Short) => return Move::Wait,
            Ok(Tag::Open { .. } | Tag::Cut) => {
                self.place = Place::Members;
                return Move::Go;
            }
            Ok(Tag::Other) => {}
        }
        self.begin_value(from, false);
        Move::At(from)
    }

    /// What a possible closing tag in a text is, after `space` bytes of white space before it.
    pub(super) fn leaf_step(
        &self,
        segment: &Segment,
        row: &Row,
        table: &Table,
        text: &[u8],
        space: usize,
    ) -> Sight<Step> {
        let length = segment.closing_tag(segment.elements.depth, row, text)?;
        if length == 0 {
            return Ok(Step::Text(space.max(1)));
        }
        let front = space + length;
        Ok(match self.after_closer(segment, row, table, after(text, length))? {
            Next::Fits => Step::End(front),
            Next::Tag((from, to)) => Step::Sibling { closer: front, from: front + from, to: front + to },
            Next::Other => Step::Inside(Marker::ParamClose, front),
        })
    }

    /// What comes after a closing tag.
    fn after_closer(&self, segment: &Segment, row: &Row, table: &Table, text: &[u8]) -> Sight<Next> {
        let space = space_len(text);
        let rest = after(text, space);
        if rest.is_empty() {
            let is_far = space >= LONGEST_SPACE as usize;
            return if segment.is_last || is_far {
                Ok(if segment.is_last { Next::Fits } else { Next::Other })
            } else {
                Err(Short)
            };
        }
        let parent = segment.elements.depth.saturating_sub(1);
        if segment.closing_tag(parent, row, rest)? > 0 {
            return Ok(Next::Fits);
        }
        if parent == 1 && row.has(Part::Prefix) && segment.ends_call(table, rest)? {
            return Ok(Next::Fits);
        }
        Ok(match segment.tag(row, rest)? {
            Tag::Cut => Next::Fits,
            Tag::Other => Next::Other,
            Tag::Open { name: (from, to), .. } => {
                if rest.get(from..to) == Some(segment.elements.name(segment.elements.depth)) {
                    Next::Fits
                } else {
                    Next::Tag((space + from, space + to))
                }
            }
        })
    }

    /// The program is asked whether the opening tag after a closing one lets that close.
    pub(super) fn ask_sibling(&mut self, segment: &mut Segment, closer: usize) -> Move {
        segment.elements.closer = closer;
        Move::Ask(Ask::Open)
    }

    /// It has answered.
    pub(super) fn sibling_answered(
        &mut self,
        segment: &mut Segment,
        is_one: bool,
        table: &Table,
        text: &mut Stretch<'_>,
        sink: &mut impl Sink,
    ) -> Move {
        if is_one {
            let from = text.here();
            text.pass(segment.elements.closer);
            let to = text.here();
            if !segment.is_in_elements() {
                return self.end_value(segment, from, to, sink);
            }
            return self.close_element(segment, table.row(segment.row), from, to, sink);
        }
        self.place = Place::Value;
        self.value.goes_on();
        let space = space_len(text.rest());
        text.pass(space.min(segment.elements.closer) + 1);
        Move::Go
    }

    /// The program said whether a name on a line has an argument after it.
    pub(super) fn line_answered(&mut self, segment: &mut Segment, is_call: bool, here: u32) -> Move {
        segment.elements.is_line = false;
        if !is_call {
            return Move::Fail(Why::Rejected, here);
        }
        self.place = Place::Members;
        Move::Go
    }

    /// An element has ended.
    pub(super) fn close_element(
        &mut self,
        segment: &mut Segment,
        row: &Row,
        from: u32,
        to: u32,
        sink: &mut impl Sink,
    ) -> Move {
        sink.record(TreeOp::Close.at(from, to));
        segment.elements.depth = segment.elements.depth.saturating_sub(1);
        segment.payload_end = to;
        self.place = Place::Members;
        segment.known.has_params |= segment.elements.depth == 1;
        if segment.elements.depth == 1 && row.is(Flag::AsksWhole) { Move::Ask(Ask::Member) } else { Move::Go }
    }

    /// The program took the call, whose closing tag comes next; or it didn't.
    pub(super) fn body_answered(&mut self, segment: &mut Segment, is_call: bool, text: &mut Stretch<'_>) -> Move {
        let here = text.here();
        if is_call {
            segment.elements.is_taken = true;
            self.place = Place::Members;
            return Move::Go;
        }
        let failed = std::mem::take(&mut segment.elements.failed);
        if failed > 0 && segment.budget.pays(here.saturating_sub(failed), here) {
            return Move::Fail(Why::Malformed, failed);
        }
        Move::Fail(Why::Malformed, here)
    }

    /// Something else than an element stands at the place.
    pub(super) fn not_elements(&mut self, segment: &mut Segment, row: &Row, here: u32) -> Move {
        if row.is(Flag::MessageText)
            && segment.elements.is_own
            && segment.budget.pays(here.saturating_sub(segment.payload), here)
        {
            segment.elements.failed = here;
            return Move::Ask(Ask::Message);
        }
        Move::Fail(Why::Malformed, here)
    }

    /// The program said whether the body may be one text.
    pub(super) fn message_answered(&mut self, segment: &mut Segment, is_text: bool) -> Move {
        let failed = segment.elements.failed;
        if !is_text {
            return Move::Fail(Why::Malformed, failed);
        }
        segment.known.repairs |= Repair::MessageText.bit();
        segment.payload_end = segment.payload;
        segment.elements.depth = 1;
        self.value.emitted = segment.payload;
        self.place = Place::Message;
        Move::At(segment.payload)
    }

    /// A body that is one text, up to the tool's closing tag.
    pub(super) fn read_message(&mut self, segment: &mut Segment, text: &mut Stretch<'_>, sink: &mut impl Sink) -> Move {
        let name = segment.elements.name(1);
        let found = loop {
            let plain = text.rest().iter().take_while(|&&byte| byte != b'<').count();
            text.pass(plain);
            if text.is_at_end() {
                break Move::Stop;
            }
            match starts_with(text.rest(), &[b"</", name, b">"], segment.is_last) {
                Err(Short) => break Move::Wait,
                Ok(false) => text.pass(1),
                Ok(true) => break Move::Go,
            }
        };
        let here = text.here();
        self.value.emit(here, sink);
        if matches!(found, Move::Go) { Move::Ask(Ask::Whole) } else { found }
    }
}
