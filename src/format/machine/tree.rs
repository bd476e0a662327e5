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

use super::look::{LONGEST_INDENT, Tag, after, record_part};
use super::tolerant::Place;
use super::{Ask, Flow, LONGEST_SPACE, LONGEST_TOOL_TAG, Machine, Op, Phase, Why};
use crate::format::op::Repair;
use crate::format::row::Row;
use crate::format::table::Table;
use crate::scan::{at_most, find_any, is_space, pass_space, space_len};
use crate::text::{Sink, Stretch, state};
use crate::xml::{After, Closer, Closing, NamedTag, TreeFault, TreeFlow, TreeOp, named_tag};

state! {
    /// A closing tag in a string that is decided about: the string's own, or the tool's.
    #[derive(Clone, Copy, Debug)]
    pub(super) struct Ahead {
        from: u32,
        to: u32,
        is_own: bool,
        closer: Closer,
    }
}

impl Ahead {
    pub(super) const NONE: Ahead = Ahead::at(0, 0, false);

    const fn at(from: u32, to: u32, is_own: bool) -> Ahead {
        Ahead { from, to, is_own, closer: Closer::begin(to.saturating_sub(from)) }
    }

    pub(super) fn release(&mut self, units: u32) {
        self.from = self.from.saturating_sub(units);
        self.to = self.to.saturating_sub(units);
    }

    /// What follows is read again from here on.
    pub(super) fn again(&mut self) -> u32 {
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

impl Machine {
    /// A tag with a tool's name begins.
    pub(super) fn begin_tree(&mut self, here: u32) -> Flow {
        self.tree.begin_root(here);
        self.is_line = false;
        self.has_begun = false;
        self.payload = here;
        self.phase = Phase::Tolerant(Place::Tree);
        Flow::Go
    }

    /// A tool's name on a line of its own, from `mark` to `name_end`; its children may begin at `here`.
    pub(super) fn begin_children(&mut self, mark: u32, name_end: u32, here: u32, sink: &mut impl Sink) {
        sink.record(TreeOp::Open.at(mark, name_end));
        sink.record(TreeOp::Opened { is_empty: false }.at(mark, here));
        self.tree.begin_children(here);
        self.is_line = true;
        self.has_begun = false;
        self.payload = here;
        self.payload_end = here;
        self.phase = Phase::Tolerant(Place::Tree);
    }

    /// Anything but a child ends a call whose tool's name stands on a line: after the last child.
    pub(super) fn line_ended(&mut self, sink: &mut impl Sink) -> Flow {
        let here = self.payload_end;
        let _ = self.element_ended(here, sink);
        Flow::At(here)
    }

    pub(super) fn read_tree(&mut self, text: &mut Stretch<'_>, sink: &mut impl Sink) -> Flow {
        if self.is_last
            && self.tree_may_end()
            && let Some(flow) = self.read_tree_end(text)
        {
            return flow;
        }
        let from = text.at();
        let was_inside = self.tree.depth() > 1;
        let is_far = !self.has_begun && self.is_far_space(text);
        let flow = match () {
            () if is_far => TreeFlow::Stop,
            () if self.tree.is_in_root_tag() => self.root_tag(text, sink),
            () => self.tree.advance(text, sink),
        };
        if !self.has_begun {
            // It may be prose that speaks of the tag.
            text.bytes().get(from..text.at()).unwrap_or_default().iter().for_each(|&byte| self.opening.step(byte));
        }
        if is_far {
            self.no_call(sink);
            return Flow::Go;
        }
        let here = text.here();
        if let Some((length, is_own)) = self.tree.take_closer(text.rest()) {
            text.pass(length);
            self.ahead = Ahead::at(here, text.here(), is_own);
            self.phase = Phase::Tolerant(Place::Ahead);
            return Flow::Go;
        }
        if was_inside && self.tree.depth() == 1 && flow == TreeFlow::Go {
            self.argument_ended(here);
        }
        match flow {
            TreeFlow::Go => Flow::Go,
            TreeFlow::Fault(fault) => self.take_tree_fault(fault, here, sink),
            // An argument that the tool's own closing tag closes.
            TreeFlow::Abandoned => {
                self.repairs |= Repair::MissingCloseTag.bit();
                if self.tree.depth() == 1 { self.ask(Ask::Element) } else { Flow::Go }
            }
            TreeFlow::Stop if self.tree.is_in_root_tag() && here.saturating_sub(self.mark) >= LONGEST_TOOL_TAG => {
                self.no_call(sink);
                Flow::Go
            }
            TreeFlow::Stop => Flow::Stop,
            TreeFlow::Wait => Flow::Wait,
            TreeFlow::Back(unit) => Flow::At(unit),
            TreeFlow::Ask if self.tree.is_in_root_tag() => {
                self.payload = here;
                self.tree.answer(false, here, sink);
                if self.tree.is_over() { self.root_ended(here, sink) } else { Flow::Go }
            }
            TreeFlow::Ask => {
                self.begin_element(sink);
                self.ask(Ask::Element)
            }
            TreeFlow::Over => self.root_ended(here, sink),
        }
    }

    /// After an argument, at the end of the stream: it closes the call where nothing follows, or only a part of the
    /// tool's closing tag. `None` if something else does.
    fn read_tree_end(&mut self, text: &mut Stretch<'_>) -> Option<Flow> {
        if text.here() < self.payload_end {
            return Some(Flow::At(self.payload_end));
        }
        let rest = after(text.rest(), space_len(text.rest()));
        let is_part =
            matches!(rest, [b'<', b'/', ..] | [b'<']) && named_tag(rest, self.elements.own()) == NamedTag::Short;
        if !is_part && !rest.is_empty() {
            return None;
        }
        if is_part {
            let length = text.rest().len();
            text.pass(length);
            self.payload_end = text.here();
        }
        Some(self.ask(Ask::Ends))
    }

    /// Something stands in the element that belongs to no call of its form.
    fn take_tree_fault(&mut self, fault: TreeFault, here: u32, sink: &mut impl Sink) -> Flow {
        let is_between = self.tree.depth() == 1;
        match fault {
            // Between its arguments nothing but an element belongs to a call without tags.
            TreeFault::StrayCloser | TreeFault::Text if self.is_line && self.has_begun && is_between => {
                self.line_ended(sink)
            }
            TreeFault::StrayCloser if self.is_line && is_between => {
                self.no_call(sink);
                Flow::At(self.payload)
            }
            TreeFault::LooseLess | TreeFault::CutTag => Flow::Go,
            TreeFault::StrayCloser => {
                // A tag right after the tool's is not prose.
                self.begin_element(sink);
                self.repairs |= Repair::StrayCloseTag.bit();
                Flow::Go
            }
            TreeFault::Text | TreeFault::OwnTag | TreeFault::TooDeep if self.has_begun => {
                self.fail(Why::Malformed, here, sink)
            }
            TreeFault::Text | TreeFault::OwnTag | TreeFault::TooDeep => {
                // Prose that speaks of the tag.
                self.no_call(sink);
                Flow::At(if self.is_line { self.payload } else { here })
            }
        }
    }

    /// The tool's own closing tag came, or its tag has no content. Whether it needs arguments is asked.
    fn root_ended(&mut self, here: u32, sink: &mut impl Sink) -> Flow {
        if self.has_params {
            return self.element_ended(here, sink);
        }
        self.begin_element(sink);
        self.payload_end = here;
        self.ask(Ask::Whole)
    }

    /// The call lacks arguments that its tool requires.
    pub(super) fn root_refused(&mut self, sink: &mut impl Sink) -> Flow {
        let here = self.payload_end;
        let _ = self.fail(Why::Malformed, here, sink);
        self.end_failed(here, here, false, sink);
        Flow::At(here)
    }

    fn argument_ended(&mut self, here: u32) {
        self.payload_end = here;
        self.has_params = true;
    }

    /// Whether the end of the stream may close the call: after an argument.
    pub(super) fn tree_may_end(&self) -> bool {
        self.has_params && self.has_begun && !self.is_line && self.tree.is_between_children()
    }

    /// After a closing tag in a string.
    pub(super) fn read_ahead(&mut self, table: &Table, text: &mut Stretch<'_>, sink: &mut impl Sink) -> Flow {
        if text.here() < self.ahead.to {
            return Flow::At(self.ahead.to);
        }
        let follows = match text.rest() {
            [] if !self.is_last => return Flow::Stop,
            [] => Follows::Piece(After::Structure, 0),
            [b'<', ..] => match self.tag_ahead(table, text.rest()) {
                None => return Flow::Wait,
                Some(follows) => follows,
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
                self.step_ahead(after, text.here().saturating_sub(here), sink)
            }
            Follows::Own => self.fail(Why::Malformed, self.ahead.from, sink),
            Follows::Tag(from, to) => {
                record_part(Op::Sibling, (from, to), text, sink);
                text.pass(1);
                self.ask(Ask::Open)
            }
        }
    }

    /// What a `<` after a closing tag in a string begins.
    fn tag_ahead(&self, table: &Table, text: &[u8]) -> Option<Follows> {
        let Ahead { is_own, .. } = self.ahead;
        let row: &Row = table.row(self.row);
        let piece = |after: After| Some(Follows::Piece(after, 1));
        let closes_outer = is_own
            && text.starts_with(b"</")
            && match self.tree.closes_outer(text) {
                None if self.is_last => false,
                found => found?,
            };
        match named_tag(text, self.tree.raw_name()) {
            _ if closes_outer => return piece(After::Structure),
            NamedTag::Short if !self.is_last => return None,
            NamedTag::Closer(_) => return piece(After::Closer),
            NamedTag::Opener { .. } if is_own => return piece(After::Structure),
            NamedTag::Opener { .. } => return Some(Follows::Own),
            NamedTag::Short | NamedTag::Other => {}
        }
        let (name, len, is_empty) = match self.tag(row, text)? {
            Tag::Other => return piece(After::Text),
            Tag::Cut => return piece(After::Structure),
            Tag::Open { name, len, is_empty } => (name, len, is_empty),
        };
        if table.names.fits(after(text, 1)) == Some(name.1.saturating_sub(1)) {
            // A mention of a tool is not a call.
            let rest = after(text, len);
            let begins = match after(rest, space_len(at_most(rest, LONGEST_INDENT))).first() {
                None if !is_empty && !self.is_last => return None,
                first => is_empty || first == Some(&b'<'),
            };
            if begins {
                return piece(After::Structure);
            }
        }
        if is_own { Some(Follows::Tag(name.0, name.1)) } else { piece(After::Text) }
    }

    /// What came next after a closing tag in a string, of so many units.
    pub(super) fn step_ahead(&mut self, after: After, units: u32, sink: &mut impl Sink) -> Flow {
        let Ahead { from, to, is_own, .. } = self.ahead;
        let closing = self.ahead.closer.step(after, units);
        if closing == Closing::Pending {
            return Flow::Go;
        }
        self.phase = Phase::Tolerant(Place::Tree);
        match (closing, is_own) {
            (Closing::Ends, true) => {
                self.tree.close_raw(from, to, sink);
                if self.tree.depth() == 1 {
                    self.argument_ended(to);
                }
            }
            (Closing::Ends, false) => {
                self.tree.end_raw(from);
                return Flow::At(from);
            }
            (Closing::Inside, true) => self.tree.keep_raw(),
            (Closing::Inside | Closing::Pending, _) => {}
        }
        Flow::At(to)
    }

    /// The tool's own tag, which has an end.
    fn root_tag(&mut self, text: &mut Stretch<'_>, sink: &mut impl Sink) -> TreeFlow {
        let room = (self.mark + LONGEST_TOOL_TAG).saturating_sub(text.here());
        let mut front = text.front(room);
        let flow = self.tree.advance(&mut front, sink);
        text.pass(front.at());
        flow
    }

    /// Whether white space goes on too long after the tool's tag, where nothing has
    /// shown that it is a call.
    fn is_far_space(&self, text: &mut Stretch<'_>) -> bool {
        if !self.tree.is_between_children() {
            return false;
        }
        pass_space(text, self.payload, LONGEST_SPACE);
        text.rest().first().is_some_and(|&byte| is_space(byte))
    }

    /// What is inside shows that it is a call.
    fn begin_element(&mut self, sink: &mut impl Sink) {
        if !self.has_begun {
            self.has_begun = true;
            sink.record(Op::Begin { row: self.row, is_bare: false, is_json: false }.at(self.mark, self.payload));
        }
    }

    pub(super) fn element_ended(&mut self, here: u32, sink: &mut impl Sink) -> Flow {
        self.begin_element(sink);
        self.record_done(here, sink);
        self.segment_ended(here, sink);
        Flow::Go
    }

    /// The tag is text, and so is what follows it.
    pub(super) fn no_call(&mut self, sink: &mut impl Sink) {
        sink.record(Op::NoCall.at(self.mark, self.mark));
        self.line_start = self.is_line.then_some(self.payload);
        if self.is_line {
            self.opening.pass_line();
        }
        self.phase = Phase::Text;
    }
}
