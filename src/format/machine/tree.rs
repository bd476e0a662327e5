//! A call that is an element with a tool's name, read with repairs: its children are the arguments.
//!
//! ```text
//! <f><a>x</a> y</a></f>    the first closing tag is part of the string
//! <f><a>x</f> y</a></f>    and so is the tool's
//! <f><a>x</f> y            the string's own is missing
//! <f><a>x</a>              the tool's is missing at the end of the stream
//! ```
//!
//! A call whose tool's name stands on a line ends with anything, so its strings end at their first closing tags.

use super::look::{LONGEST_INDENT, Tag, ToolLine, record_part};
use super::payload::{Move, Payload};
use super::segment::Segment;
use super::{Answer, Ask, Flow, LONGEST_SPACE, LONGEST_TOOL_TAG, Machine, Op, Phase, Why};
use crate::format::op::Repair;
use crate::format::row::{Body, Row};
use crate::format::table::Table;
use crate::scan::{AtLast, Short, Sight, after, at_most, find_any, is_space, pass_space, space_len};
use crate::text::{Sink, Stretch};
use crate::xml::{After, Closer, Closing, NamedTag, Tree, TreeFault, TreeFlow, TreeOp, named_tag};

/// A closing tag in a string that is decided about: the string's own, or the tool's.
#[derive(Clone, Copy, Debug)]
#[cfg_attr(feature = "debug", derive(serde::Serialize))]
struct Ahead {
    from: u32,
    to: u32,
    is_own: bool,
    closer: Closer,
}

impl Ahead {
    const NONE: Ahead = Ahead::at(0, 0, false);

    const fn at(from: u32, to: u32, is_own: bool) -> Ahead {
        Ahead { from, to, is_own, closer: Closer::begin(to.saturating_sub(from)) }
    }

    pub(super) fn release(&mut self, units: u32) {
        self.from = self.from.saturating_sub(units);
        self.to = self.to.saturating_sub(units);
    }

    /// What follows is read again from here on.
    fn again(&mut self) -> u32 {
        *self = Ahead::at(self.from, self.to, self.is_own);
        self.from
    }
}

/// What follows a closing tag in a string.
enum Follows {
    /// So many bytes.
    Piece(After, usize),
    /// An opening tag that may be an argument's; where its name stands.
    Tag(usize, usize),
    /// The string's own opening tag, where its closing tag is missing.
    Own,
}

/// A call that is an element.
#[derive(Clone, Copy, Debug)]
#[cfg_attr(feature = "debug", derive(serde::Serialize))]
pub(super) struct Element {
    content: Tree,
    /// The closing tag in a string of it that is decided about, if one is.
    ahead: Ahead,
    is_ahead: bool,
    /// Whether it is known to be a call.
    has_begun: bool,
    /// Whether its tool's name stands on a line, without a tag.
    is_line: bool,
}

impl Element {
    pub(super) const START: Element =
        Element { content: Tree::START, ahead: Ahead::NONE, is_ahead: false, has_begun: false, is_line: false };

    /// A tool's name on a line of its own, from `mark` to `name_end`; its children may begin at `here`.
    fn begin_children(&mut self, mark: u32, name_end: u32, here: u32, sink: &mut impl Sink) {
        sink.record(Op::Name.at(mark, name_end));
        sink.record(TreeOp::Open.at(mark, name_end));
        self.content.begin_children(here);
        (self.is_line, self.has_begun, self.is_ahead) = (true, false, false);
    }

    /// Whether its tool's name stands on a line.
    pub(super) fn is_line(&self) -> bool {
        self.is_line
    }

    /// Whether more text may be passed without reading it.
    pub(super) fn takes_text(&self) -> bool {
        !self.is_ahead && self.content.takes_text()
    }

    /// Text was passed so, up to here.
    pub(super) fn pass(&mut self, here: u32) {
        self.content.pass(here);
    }

    /// Whether the stream's end at `held` ends a call whose tool's name stands on a line.
    fn ends_line(&self, held: u32) -> bool {
        self.is_line && self.content.is_between_children() && self.content.is_read_to(held)
    }

    /// The program said what the element is whose tag was read.
    fn answered(&mut self, is_text: bool, segment: &mut Segment, here: u32, sink: &mut impl Sink) {
        self.content.answer(is_text, here, sink);
        segment.payload_end = here;
        segment.known.has_params |= self.content.depth() == 1;
    }

    /// It said whether the element after a closing tag in a string is an argument's.
    fn ahead_answered(&mut self, segment: &mut Segment, is_tag: bool, sink: &mut impl Sink) -> Move {
        self.step_ahead(segment, if is_tag { After::Structure } else { After::Text }, 1, sink)
    }

    /// Where what was waited for is read again, now that the stream ends, if that is not from its end on.
    pub(super) fn again(&mut self, segment: &Segment, held: u32) -> Option<u32> {
        if self.is_ahead {
            // Nothing more follows the closing tag.
            return Some(self.ahead.again());
        }
        let is_at_end = segment.payload_end == held;
        self.may_end(segment).then_some(if is_at_end { segment.mark } else { segment.payload_end })
    }

    /// Reads the element, where no closing tag in a string is decided about.
    fn read_content(&mut self, segment: &mut Segment, text: &mut Stretch<'_>, sink: &mut impl Sink) -> Move {
        if segment.is_last
            && self.may_end(segment)
            && let Some(step) = read_end(segment, text)
        {
            return step;
        }
        let was_inside = self.content.depth() > 1;
        if !self.has_begun && self.is_far_space(segment, text) {
            return Move::NoCall(text.here());
        }
        let flow = if self.content.is_in_root_tag() {
            self.root_tag(segment, text, sink)
        } else {
            self.content.advance(text, sink)
        };
        let here = text.here();
        if let Some((length, is_own)) = self.content.take_closer(text.rest()) {
            text.pass(length);
            self.ahead = Ahead::at(here, text.here(), is_own);
            self.is_ahead = true;
            return Move::Go;
        }
        if was_inside && self.content.depth() == 1 && flow == TreeFlow::Go {
            argument_ended(segment, here);
        }
        match flow {
            TreeFlow::Go => Move::Go,
            TreeFlow::Fault(fault) => self.take_fault(segment, fault, here, sink),
            // An argument that the tool's own closing tag closes.
            TreeFlow::Abandoned => {
                segment.known.repairs |= Repair::MissingCloseTag.bit();
                if self.content.depth() == 1 { Move::Ask(Ask::Element) } else { Move::Go }
            }
            TreeFlow::Stop
                if self.content.is_in_root_tag() && here.saturating_sub(segment.mark) >= LONGEST_TOOL_TAG =>
            {
                Move::NoCall(here)
            }
            TreeFlow::Stop => Move::Stop,
            TreeFlow::Wait => Move::Wait,
            TreeFlow::Back(unit) => Move::At(unit),
            TreeFlow::Ask if self.content.is_in_root_tag() => {
                segment.payload = here;
                self.content.answer(false, here, sink);
                if self.content.is_over() { self.root_ended(segment, here, sink) } else { Move::Go }
            }
            TreeFlow::Ask => {
                self.confirm(segment, sink);
                Move::Ask(Ask::Element)
            }
            TreeFlow::Over => self.root_ended(segment, here, sink),
        }
    }

    /// Something stands in the element that belongs to no call of its form.
    fn take_fault(&mut self, segment: &mut Segment, fault: TreeFault, here: u32, sink: &mut impl Sink) -> Move {
        let is_between = self.content.depth() == 1;
        match fault {
            // Between its arguments nothing but an element belongs to a call without tags.
            TreeFault::StrayCloser | TreeFault::Text if self.is_line && self.has_begun && is_between => {
                Move::Whole(segment.payload_end)
            }
            TreeFault::StrayCloser if self.is_line && is_between => Move::NoCall(segment.payload),
            TreeFault::LooseLess | TreeFault::CutTag => Move::Go,
            TreeFault::StrayCloser => {
                // A tag right after the tool's is not prose.
                self.confirm(segment, sink);
                segment.known.repairs |= Repair::StrayCloseTag.bit();
                Move::Go
            }
            TreeFault::Text | TreeFault::OwnTag | TreeFault::TooDeep if self.has_begun => {
                Move::Fail(Why::Malformed, here)
            }
            TreeFault::Text | TreeFault::OwnTag | TreeFault::TooDeep => {
                // Prose that speaks of the tag.
                Move::NoCall(if self.is_line { segment.payload } else { here })
            }
        }
    }

    /// The tool's own closing tag came, or its tag has no content. Whether it needs arguments is asked.
    fn root_ended(&mut self, segment: &mut Segment, here: u32, sink: &mut impl Sink) -> Move {
        if segment.known.has_params {
            return Move::Whole(here);
        }
        self.confirm(segment, sink);
        segment.payload_end = here;
        Move::Ask(Ask::Whole)
    }

    /// Whether the end of the stream may close the call: after an argument.
    fn may_end(&self, segment: &Segment) -> bool {
        segment.may_be_whole()
            && segment.known.has_params
            && self.has_begun
            && !self.is_line
            && self.content.is_between_children()
    }

    /// After a closing tag in a string.
    fn read_ahead(
        &mut self,
        segment: &mut Segment,
        table: &Table,
        text: &mut Stretch<'_>,
        sink: &mut impl Sink,
    ) -> Move {
        if text.here() < self.ahead.to {
            return Move::At(self.ahead.to);
        }
        let follows = match text.rest() {
            [] if !segment.is_last => return Move::Stop,
            [] => Follows::Piece(After::Structure, 0),
            [b'<', ..] => match self.tag_ahead(segment, table, text.rest()) {
                Err(Short) => return Move::Wait,
                Ok(follows) => follows,
            },
            rest => match space_len(rest) {
                0 => Follows::Piece(After::Text, find_any(rest, [b'<']).unwrap_or(rest.len())),
                space => Follows::Piece(After::Space, space),
            },
        };
        let here = text.here();
        match follows {
            Follows::Piece(after, length) => {
                text.pass(length);
                self.step_ahead(segment, after, text.here().saturating_sub(here), sink)
            }
            Follows::Own => Move::Fail(Why::Malformed, self.ahead.from),
            Follows::Tag(from, to) => {
                record_part(Op::Next { is_param: false }.word(), (from, to), text, sink);
                text.pass(1);
                Move::Ask(Ask::Open)
            }
        }
    }

    /// What a `<` after a closing tag in a string begins.
    fn tag_ahead(&self, segment: &Segment, table: &Table, text: &[u8]) -> Sight<Follows> {
        let Ahead { is_own, .. } = self.ahead;
        let row = segment.row(table);
        let piece = |after: After| Ok(Follows::Piece(after, 1));
        let closes_outer =
            is_own && text.starts_with(b"</") && self.content.closes_outer(text).at_last(segment.is_last)?;
        match named_tag(text, self.content.raw_name()) {
            _ if closes_outer => return piece(After::Structure),
            NamedTag::Short if !segment.is_last => return Err(Short),
            NamedTag::Closer(_) => return piece(After::Closer),
            NamedTag::Opener { .. } if is_own => return piece(After::Structure),
            NamedTag::Opener { .. } => return Ok(Follows::Own),
            NamedTag::Short | NamedTag::Other => {}
        }
        let (name, len, is_empty) = match segment.tag(row, text)? {
            Tag::Other => return piece(After::Text),
            Tag::Cut => return piece(After::Structure),
            Tag::Open { name, len, is_empty } => (name, len, is_empty),
        };
        if table.names.fits(after(text, 1)) == Ok(name.1.saturating_sub(1)) {
            // A mention of a tool is not a call.
            let rest = after(text, len);
            let begins = match after(rest, space_len(at_most(rest, LONGEST_INDENT))).first() {
                None if !is_empty && !segment.is_last => return Err(Short),
                first => is_empty || first == Some(&b'<'),
            };
            if begins {
                return piece(After::Structure);
            }
        }
        if is_own { Ok(Follows::Tag(name.0, name.1)) } else { piece(After::Text) }
    }

    /// What came next after a closing tag in a string, of so many units.
    fn step_ahead(&mut self, segment: &mut Segment, after: After, units: u32, sink: &mut impl Sink) -> Move {
        let Ahead { from, to, is_own, .. } = self.ahead;
        let closing = self.ahead.closer.step(after, units);
        if closing == Closing::Pending {
            return Move::Go;
        }
        self.is_ahead = false;
        match (closing, is_own) {
            (Closing::Ends, true) => {
                self.content.close_raw(from, to, sink);
                if self.content.depth() == 1 {
                    argument_ended(segment, to);
                }
            }
            (Closing::Ends, false) => {
                self.content.end_raw(from);
                return Move::At(from);
            }
            (Closing::Inside, true) => self.content.keep_raw(),
            (Closing::Inside | Closing::Pending, _) => {}
        }
        Move::At(to)
    }

    /// The tool's own tag, which has an end.
    fn root_tag(&mut self, segment: &Segment, text: &mut Stretch<'_>, sink: &mut impl Sink) -> TreeFlow {
        let room = (segment.mark + LONGEST_TOOL_TAG).saturating_sub(text.here());
        let mut front = text.front(room);
        let flow = self.content.advance(&mut front, sink);
        text.pass(front.at());
        flow
    }

    /// Whether white space goes on too long after the tool's tag, where nothing has
    /// shown that it is a call.
    fn is_far_space(&self, segment: &Segment, text: &mut Stretch<'_>) -> bool {
        if !self.content.is_between_children() {
            return false;
        }
        pass_space(text, segment.payload, LONGEST_SPACE);
        text.rest().first().is_some_and(|&byte| is_space(byte))
    }

    /// What is inside shows that it is a call.
    fn confirm(&mut self, segment: &Segment, sink: &mut impl Sink) {
        if !self.has_begun {
            self.has_begun = true;
            sink.record(
                Op::Begin { row: segment.row, is_bare: false, is_json: false }.at(segment.mark, segment.payload),
            );
        }
    }
}

impl Payload for Element {
    fn begin(&mut self, segment: &mut Segment, _: &Row, here: u32) {
        segment.payload = here;
        self.content.begin_root(here);
        (self.is_line, self.has_begun, self.is_ahead) = (false, false, false);
    }

    fn read(&mut self, segment: &mut Segment, table: &Table, text: &mut Stretch<'_>, sink: &mut impl Sink) -> Move {
        if self.is_ahead { self.read_ahead(segment, table, text, sink) } else { self.read_content(segment, text, sink) }
    }

    fn release(&mut self, units: u32) {
        self.content.release(units);
        self.ahead.release(units);
    }
}

impl Machine {
    /// In an element with a tool's name. Until that has shown that it is a call, it may be prose that speaks of the tag.
    #[inline(never)]
    pub(super) fn read_element(&mut self, table: &Table, text: &mut Stretch<'_>, sink: &mut impl Sink) -> Flow {
        let from = text.at();
        let may_be_prose = !self.tree.has_begun;
        let step = self.tree.read(&mut self.segment, table, text, sink);
        if may_be_prose {
            text.bytes().get(from..text.at()).unwrap_or_default().iter().for_each(|&byte| self.opening.step(byte));
        }
        self.take_move(step, sink)
    }

    /// What was asked of it is answered.
    pub(super) fn element_answered(&mut self, question: Ask, answer: Answer, here: u32, sink: &mut impl Sink) -> Flow {
        self.phase = Phase::Element;
        let whole = self.segment.payload_end;
        match (question, answer) {
            (Ask::Open, _) => {
                let step = self.tree.ahead_answered(&mut self.segment, answer == Answer::Accept, sink);
                self.take_move(step, sink)
            }
            (_, Answer::Reject) => self.fail(Why::Rejected, here, sink),
            (Ask::Element, Answer::Nested) if self.tree.is_line => self.element_ended(whole, sink),
            // The next call.
            (Ask::Element, Answer::Nested) => {
                let from = self.tree.content.tag_from();
                self.fail(Why::Nested, from, sink);
                self.end_failed(from, from, false, sink);
                Flow::At(from)
            }
            // It lacks arguments that its tool requires.
            (Ask::Whole, Answer::Malformed) => {
                let _ = self.fail(Why::Malformed, whole, sink);
                self.end_failed(whole, whole, false, sink);
                Flow::At(whole)
            }
            (Ask::Ends, Answer::Malformed) => self.fail(Why::Unfinished, here, sink),
            (_, Answer::Malformed) => self.fail(Why::Malformed, here, sink),
            (Ask::Element, _) => {
                self.tree.answered(answer == Answer::Text, &mut self.segment, here, sink);
                Flow::Go
            }
            (Ask::Ends, _) => {
                self.segment.known.repairs |= Repair::EndCloses.bit();
                self.element_ended(whole, sink)
            }
            (_, _) => self.element_ended(whole, sink),
        }
    }

    /// The stream ends in an element; gives the place to read on at.
    pub(super) fn cut_element(&mut self, held: u32, sink: &mut impl Sink) -> u32 {
        let payload = self.segment.payload;
        if !self.tree.has_begun {
            // After the tag, a comment that never ended may have hidden a call.
            let is_hidden = payload > self.segment.mark && payload < held;
            let again = is_hidden && self.segment.budget.pays(held.saturating_sub(payload), held);
            let next = if again { payload } else { held };
            self.no_call(sink);
            if again {
                self.opening.pass_words();
            }
            self.emit(self.text_op(), next, sink);
            return next;
        }
        if self.segment.may_be_whole() && self.tree.ends_line(held) {
            let _ = self.element_ended(self.segment.payload_end, sink);
            return self.emitted;
        }
        self.cut_call(held, sink)
    }

    /// The element is a whole call, up to here.
    pub(super) fn element_ended(&mut self, here: u32, sink: &mut impl Sink) -> Flow {
        self.tree.confirm(&self.segment, sink);
        self.segment.record_done(here, sink);
        self.segment_ended(here, sink);
        Flow::At(here)
    }

    /// The tag is text, and so is what follows it.
    pub(super) fn no_call(&mut self, sink: &mut impl Sink) {
        sink.record(Op::NoCall.at(self.segment.mark, self.segment.mark));
        self.turn.line_start = self.tree.is_line.then_some(self.segment.payload);
        if self.tree.is_line {
            self.opening.pass_line();
        }
        self.phase = Phase::Text;
    }

    /// A tool's name stands on a line of its own: its arguments' elements may follow.
    pub(super) fn begin_line(&mut self, line: ToolLine, row: &Row, text: &mut Stretch<'_>, sink: &mut impl Sink) {
        text.pass(line.space);
        let here = text.here();
        self.emit(self.text_op(), here, sink);
        self.begin_call(row, Body::Tree, true);
        self.segment.mark = here;
        self.segment.known.repairs = 0;
        self.opening.pass_line();
        self.segment.elements.begin(text.rest().get(..line.name));
        text.pass(line.name);
        let name_end = text.here();
        text.pass(line.rest);
        let payload = text.here();
        self.tree.begin_children(here, name_end, payload, sink);
        self.segment.payload = payload;
        self.segment.payload_end = payload;
        self.phase = Phase::Element;
    }
}

/// After an argument, at the end of the stream: it closes the call where nothing follows, or only a part of the
/// tool's closing tag. `None` if something else does.
fn read_end(segment: &mut Segment, text: &mut Stretch<'_>) -> Option<Move> {
    if text.here() < segment.payload_end {
        return Some(Move::At(segment.payload_end));
    }
    let rest = after(text.rest(), space_len(text.rest()));
    let is_part =
        matches!(rest, [b'<', b'/', ..] | [b'<']) && named_tag(rest, segment.elements.own()) == NamedTag::Short;
    if !is_part && !rest.is_empty() {
        return None;
    }
    if is_part {
        let length = text.rest().len();
        text.pass(length);
        segment.payload_end = text.here();
    }
    Some(Move::Ask(Ask::Ends))
}

/// An argument has ended.
fn argument_ended(segment: &mut Segment, here: u32) {
    segment.payload_end = here;
    segment.known.has_params = true;
}
