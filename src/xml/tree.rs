//! Elements with their attributes and text, from a stream that may be cut
//! anywhere: what values of robust XML are made of.
//!
//! ```text
//! content   ::= (text | reference | element | cdata | comment | instruction)*
//! element   ::= '<' name attributes '>' content '</' name '>' | '<' name attributes '/>'
//! raw       ::= (text | reference | cdata)*  up to the first '</' name space* '>' of its own
//! ```
//!
//! At each tag the caller says whether the element is raw: an argument that is a
//! string has text inside, whatever it looks like. Nothing is recursive and nothing
//! allocates; an open element is kept as the hash and the length of its name.
//!
//! Source: XML 1.0, productions 39 to 43; spec/tool_call.md, "Morph-XML".
//! Differences: a name may begin with a digit (`<0>` is a tuple's first place) and
//! has at most [`LONGEST_NAME`] bytes; no `<` inside a tag, quoted or not; text that
//! isn't well-formed is a fault, and reading goes on. `elements.rs` reads the same
//! grammar for tools, with names in any case of letters, without attributes and raw
//! elements.

use super::cdata::{CDATA_CLOSER, CDATA_OPENER};
use super::entity::{Entity, Reading};
use super::op::{TreeFault, TreeOp};
use super::state::Action;
use super::tag::{self, TagReader, is_in_name};
use crate::scan::{Short, Sight, begins, find_any, is_space};
use crate::text::{Sink, Stretch, units_of};

/// Deepest nesting. An element that is deeper is a fault.
///
/// ```
/// use tokenweir::{text::Stretch, xml::{DEEPEST_TREE, Tree, TreeFault, TreeFlow}};
/// let nested = "<a>".repeat(DEEPEST_TREE + 1);
/// let mut tree = Tree::START;
/// let (mut text, mut records) = (Stretch::new(nested.as_bytes(), 0, true), Vec::new());
/// let flow = loop {
///     match tree.advance(&mut text, &mut records) {
///         TreeFlow::Ask => tree.answer(false, text.here(), &mut records),
///         TreeFlow::Go => {}
///         flow => break flow,
///     }
/// };
/// assert_eq!(flow, TreeFlow::Fault(TreeFault::TooDeep));
/// ```
pub const DEEPEST_TREE: usize = 512;

/// Longest name in bytes. With a longer one it is not a tag.
///
/// ```
/// use tokenweir::{text::Stretch, xml::{LONGEST_NAME, Tree, TreeFlow}};
/// let tag = format!("<{}>", "a".repeat(LONGEST_NAME + 1));
/// let mut tree = Tree::START;
/// let (mut text, mut records) = (Stretch::new(tag.as_bytes(), 0, true), Vec::new());
/// let mut flow = TreeFlow::Go;
/// while flow == TreeFlow::Go {
///     flow = tree.advance(&mut text, &mut records);
/// }
/// assert_eq!(flow, TreeFlow::Back(1)); // not a tag: the rest is text
/// ```
pub const LONGEST_NAME: usize = 128;

/// Most white space around the name of a closing tag, in bytes.
const LONGEST_GAP: usize = 64;

const MARKS: [(&[u8], Phase); 2] = [(CDATA_OPENER, Phase::CData), (b"<!--", Phase::Comment)];

/// Why [`Tree::advance`] came back.
///
/// ```
/// use tokenweir::{text::Stretch, xml::{Tree, TreeFlow}};
/// let mut tree = Tree::START;
/// let (mut text, mut records) = (Stretch::new(b"<city>Seoul</ci", 0, true), Vec::new());
/// assert_eq!(tree.advance(&mut text, &mut records), TreeFlow::Go); // `<`
/// while tree.advance(&mut text, &mut records) == TreeFlow::Go {}
/// tree.answer(false, text.here(), &mut records); // it asked about `<city>`
/// while tree.advance(&mut text, &mut records) == TreeFlow::Go {}
/// assert_eq!(text.rest(), b"</ci"); // it waits for more
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TreeFlow {
    /// There is more to read.
    Go,
    /// The stretch is read to its end.
    Stop,
    /// Too little text follows to decide.
    Wait,
    /// The tag is whole; the caller answers whether its element is raw.
    Ask,
    /// Read again from this unit.
    Back(u32),
    /// An element was never closed: one around it is about to close.
    Abandoned,
    /// The root has closed.
    Over,
    /// A fault, which was recorded.
    Fault(TreeFault),
}

type Name = tag::Name<LONGEST_NAME>;

/// A name on the stack: 48 bits of its hash, and its length.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "debug", derive(serde::Serialize))]
struct Hash(u64);

impl Hash {
    const NONE: Hash = Hash(0);

    fn of(name: &[u8]) -> Hash {
        let hash = name
            .iter()
            .fold(0xCBF2_9CE4_8422_2325, |hash: u64, &byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01B3));
        Hash(hash << 16 | name.len() as u64)
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "debug", derive(serde::Serialize))]
enum Phase {
    Content,
    Tag,
    Asked { is_empty: bool },
    Comment,
    CData,
    Instruction,
}

/// The machine. Plain bytes without pointers, so that it can be copied.
///
/// It reads a stream in stretches. What is left of one ([`TreeFlow::Wait`]) begins the
/// next; and when a tag turns out to be text, [`TreeFlow::Back`] may ask for an earlier
/// place: if that is before the stretch, the next one begins there.
///
/// ```
/// use tokenweir::text::Stretch;
/// use tokenweir::xml::{Tree, TreeFlow, TreeOp};
///
/// let (mut tree, mut records) = (Tree::START, Vec::new());
/// let mut text = Stretch::new(b"<city>Se</city>oul", 0, true);
/// loop {
///     match tree.advance(&mut text, &mut records) {
///         TreeFlow::Ask => tree.answer(false, text.here(), &mut records),
///         TreeFlow::Back(unit) => assert!(text.go_back_to(unit)),
///         TreeFlow::Stop | TreeFlow::Wait => break,
///         _ => {}
///     }
/// }
/// assert!(tree.finish(text.here(), &mut records) && tree.depth() == 0);
/// let found: Vec<_> = records.iter().map(|&record| (TreeOp::of(record), record.start..record.end)).collect();
/// assert_eq!(found, [
///     (Some(TreeOp::Open), 1..5),
///     (Some(TreeOp::Text), 6..8),
///     (Some(TreeOp::Close), 8..15),
///     (Some(TreeOp::Text), 15..18),
/// ]);
/// ```
#[derive(Clone, Copy, Debug)]
#[cfg_attr(feature = "debug", derive(serde::Serialize))]
pub struct Tree {
    phase: Phase,
    /// Whether the element is raw, where that was answered and not yet taken.
    pub(super) answered: Option<bool>,
    /// Whether the text is one element with only white space between its children.
    has_root: bool,
    is_raw: bool,
    /// In a raw element: how many opening tags of the root are in it without their closing
    /// tags. `None` while its text isn't searched for the root's closing tag.
    inner_roots: Option<u16>,
    /// Where a closing tag stands in it, its own or that one, which the caller decides about.
    closing: Option<u32>,
    root: Name,
    /// Where the text begins that was not emitted yet.
    mark: u32,
    tag: TagReader,
    /// The name of the tag that is being read, or of the raw element.
    name: Name,
    depth: u16,
    #[cfg_attr(feature = "debug", serde(serialize_with = "crate::text::inspect::list"))]
    stack: [Hash; DEEPEST_TREE],
}

impl Tree {
    /// Before content.
    pub const START: Tree = Tree {
        phase: Phase::Content,
        answered: None,
        has_root: false,
        is_raw: false,
        inner_roots: None,
        closing: None,
        root: Name::EMPTY,
        mark: 0,
        tag: TagReader::REST,
        name: Name::EMPTY,
        depth: 0,
        stack: [Hash::NONE; DEEPEST_TREE],
    };

    /// Before the one element that is read, whose `<` is at `from`.
    // Hidden: for a fuzz target, which reads calls in Morph.
    #[doc(hidden)]
    pub fn begin_root(&mut self, from: u32) {
        *self = Tree { has_root: true, mark: from, ..Tree::START };
    }

    /// Inside the one element that is read, which has no tags; its children begin at `from`.
    pub(crate) fn begin_children(&mut self, from: u32) {
        *self = Tree { has_root: true, mark: from, depth: 1, ..Tree::START };
    }

    /// Whether everything up to a place is read and emitted.
    pub(crate) fn is_read_to(&self, here: u32) -> bool {
        self.mark == here
    }

    /// Whether an element was too deep; nothing is read after it.
    pub(super) fn is_too_deep(&self) -> bool {
        matches!(self.phase, Phase::Asked { .. }) && usize::from(self.depth) >= DEEPEST_TREE
    }

    /// How many elements are open.
    #[must_use]
    pub fn depth(&self) -> u16 {
        self.depth
    }

    /// Whether the root's tag is still being read.
    pub(crate) fn is_in_root_tag(&self) -> bool {
        self.depth == 0
    }

    /// Whether text without `<` and `&` is more of the innermost element.
    pub(crate) fn takes_text(&self) -> bool {
        self.phase == Phase::Content && (!self.has_root || self.depth > 1)
    }

    /// Whether the next thing is a child of the root, or its end.
    pub(crate) fn is_between_children(&self) -> bool {
        self.phase == Phase::Content && self.has_root && self.depth == 1
    }

    /// The length of the closing tag in a raw element of the root at which reading just stopped, and whether it is
    /// the element's own. If nobody asks, that one ends the element, and the root's is text.
    pub(crate) fn take_closer(&mut self, text: &[u8]) -> Option<(usize, bool)> {
        self.closing.take()?;
        let length = |name: &[u8]| match named_tag(text, name) {
            NamedTag::Closer(length) => Some(length),
            NamedTag::Short | NamedTag::Opener { .. } | NamedTag::Other => None,
        };
        match length(self.raw_name()) {
            Some(own) => Some((own, true)),
            None => length(self.root.bytes()).map(|root| (root, false)),
        }
    }

    /// The raw element ends with its closing tag at a place.
    pub(crate) fn close_raw(&mut self, start: u32, end: u32, sink: &mut impl Sink) {
        self.close(start, end, sink);
    }

    /// That closing tag is part of the element: after it the root's may come.
    pub(crate) fn keep_raw(&mut self) {
        self.inner_roots.get_or_insert(0);
    }

    /// The raw element was never closed: the root's closing tag, which comes next, ends both.
    pub(crate) fn end_raw(&mut self, here: u32) {
        self.is_raw = false;
        self.mark = here;
    }

    /// Whether a text, which begins with `</`, closes an element around the innermost one.
    pub(crate) fn closes_outer(&self, text: &[u8]) -> Sight<bool> {
        let Some((name, _)) = closing_tag(text)? else { return Ok(false) };
        let outer = self.stack.get(..usize::from(self.depth).saturating_sub(1)).unwrap_or_default();
        Ok(outer.contains(&name))
    }

    /// The name of the raw element.
    pub(crate) fn raw_name(&self) -> &[u8] {
        self.name.bytes()
    }

    /// Where the tag begins that was read last.
    pub(crate) fn tag_from(&self) -> u32 {
        self.tag.from
    }

    /// Text up to here was emitted without being read.
    pub(crate) fn pass(&mut self, here: u32) {
        self.mark = here;
    }

    /// Forgets the first `units` units of the pending text: they were decided.
    pub(crate) fn release(&mut self, units: u32) {
        self.mark = self.mark.saturating_sub(units);
        self.tag.release(units);
    }

    /// Answers whether the element whose tag was read last is raw.
    pub fn answer(&mut self, is_raw: bool, here: u32, sink: &mut impl Sink) {
        let Phase::Asked { is_empty } = self.phase else { return };
        self.phase = Phase::Content;
        self.mark = here;
        if is_empty {
            sink.record(TreeOp::Close.at(here, here));
        } else if let Some(slot) = self.stack.get_mut(usize::from(self.depth)) {
            *slot = Hash::of(self.name.bytes());
            if self.has_root && self.depth == 0 {
                self.root = self.name;
            }
            self.depth += 1;
            self.is_raw = is_raw;
            self.inner_roots = (is_raw && !self.root.is_empty()).then_some(0);
        }
    }

    /// Whether the root has closed. An empty one has when it was answered for.
    // Hidden: for a fuzz target, which reads calls in Morph.
    #[doc(hidden)]
    #[must_use]
    pub fn is_over(&self) -> bool {
        self.has_root && self.depth == 0 && self.phase == Phase::Content
    }

    /// Reads on. One move records at most six times.
    pub fn advance(&mut self, text: &mut Stretch<'_>, sink: &mut impl Sink) -> TreeFlow {
        if text.is_at_end() && !matches!(self.phase, Phase::Asked { .. }) {
            self.emit_text(text.here(), sink);
            return TreeFlow::Stop;
        }
        match self.phase {
            Phase::Content => self.content(text, sink),
            Phase::Tag => self.read_tag(text, sink),
            Phase::Asked { .. } => TreeFlow::Ask,
            Phase::Comment => self.up_to(b"-->", text, sink),
            Phase::CData => self.up_to(CDATA_CLOSER, text, sink),
            Phase::Instruction => self.up_to(b">", text, sink),
        }
    }

    /// Emits the text that is decided, at the end of a stretch too.
    fn emit_text(&mut self, here: u32, sink: &mut impl Sink) {
        let op = match self.phase {
            Phase::Content => TreeOp::Text,
            Phase::CData => TreeOp::CData,
            Phase::Comment | Phase::Instruction => {
                self.mark = here;
                return;
            }
            Phase::Tag | Phase::Asked { .. } => return,
        };
        if here > self.mark {
            sink.record(op.at(self.mark, here));
        }
        self.mark = here.max(self.mark);
    }

    fn content(&mut self, text: &mut Stretch<'_>, sink: &mut impl Sink) -> TreeFlow {
        if self.has_root && self.depth <= 1 {
            return self.between(text, sink);
        }
        let plain = find_any(text.rest(), [b'<', b'&']).unwrap_or(text.rest().len());
        text.pass(plain);
        let here = text.here();
        let flow = match text.rest() {
            [] => TreeFlow::Stop,
            [b'&', ..] => self.reference(text, sink),
            _ => self.less(text, sink),
        };
        if matches!(flow, TreeFlow::Stop | TreeFlow::Wait) {
            self.emit_text(here, sink);
        }
        flow
    }

    /// In the root, between its children.
    fn between(&mut self, text: &mut Stretch<'_>, sink: &mut impl Sink) -> TreeFlow {
        let space = text.rest().iter().take_while(|byte| is_space(**byte)).count();
        text.pass(space);
        self.mark = text.here();
        match text.rest() {
            [] => TreeFlow::Stop,
            // CDATA is text, too.
            rest if begins(rest, CDATA_OPENER) == Some(true) => self.fault(TreeFault::Text, self.mark, sink),
            [b'<', ..] => {
                let flow = self.less(text, sink);
                let is_text = flow == TreeFlow::Fault(TreeFault::LooseLess);
                if is_text { self.fault(TreeFault::Text, self.mark, sink) } else { flow }
            }
            _ => self.fault(TreeFault::Text, self.mark, sink),
        }
    }

    fn fault(&mut self, fault: TreeFault, at: u32, sink: &mut impl Sink) -> TreeFlow {
        self.emit_text(at, sink);
        sink.record(TreeOp::Fault(fault).at(at, at));
        TreeFlow::Fault(fault)
    }

    fn reference(&mut self, text: &mut Stretch<'_>, sink: &mut impl Sink) -> TreeFlow {
        let mut entity = Entity::REST;
        entity.begin();
        for (at, &byte) in text.rest().iter().enumerate().skip(1) {
            match entity.step(byte) {
                Reading::Pending => {}
                Reading::Failed => {
                    text.pass(1);
                    return TreeFlow::Go;
                }
                Reading::Whole(character) => {
                    let here = text.here();
                    self.emit_text(here, sink);
                    text.pass(at + 1);
                    self.mark = text.here();
                    sink.record(TreeOp::Character(u32::from(character)).at(here, self.mark));
                    return TreeFlow::Go;
                }
            }
        }
        TreeFlow::Wait
    }

    /// At a `<`.
    fn less(&mut self, text: &mut Stretch<'_>, sink: &mut impl Sink) -> TreeFlow {
        let rest = text.rest();
        // In a raw element a comment is text.
        for (mark, phase) in MARKS.into_iter().take(if self.is_raw { 1 } else { 2 }) {
            match begins(rest, mark) {
                Some(true) => return self.enter(phase, mark.len(), text, sink),
                Some(false) => {}
                None => return TreeFlow::Wait,
            }
        }
        if self.is_raw {
            return self.less_in_raw(text, sink);
        }
        match rest.get(1) {
            None => TreeFlow::Wait,
            Some(b'!' | b'?') => self.enter(Phase::Instruction, 1, text, sink),
            Some(b'/') => self.read_closing(text, sink),
            Some(&byte) if is_in_name(byte) && !matches!(byte, b'-' | b'.') => {
                let here = text.here();
                self.emit_text(here, sink);
                self.tag = TagReader::begin(here);
                self.name = Name::EMPTY;
                self.phase = Phase::Tag;
                text.pass(1);
                TreeFlow::Go
            }
            Some(_) => {
                let here = text.here();
                text.pass(1);
                self.fault(TreeFault::LooseLess, here, sink)
            }
        }
    }

    fn enter(&mut self, phase: Phase, length: usize, text: &mut Stretch<'_>, sink: &mut impl Sink) -> TreeFlow {
        let here = text.here();
        self.emit_text(here, sink);
        self.phase = phase;
        text.pass(length);
        self.mark = text.here();
        TreeFlow::Go
    }

    fn less_in_raw(&mut self, text: &mut Stretch<'_>, sink: &mut impl Sink) -> TreeFlow {
        let here = text.here();
        match named_tag(text.rest(), self.raw_name()) {
            NamedTag::Short => return TreeFlow::Wait,
            NamedTag::Opener { .. } => {
                text.pass(1);
                return self.fault(TreeFault::OwnTag, here, sink);
            }
            NamedTag::Closer(length) => {
                self.emit_text(here, sink);
                // Inside a root the caller is asked first.
                if !self.root.is_empty() && self.closing.replace(here) != Some(here) {
                    return TreeFlow::Go;
                }
                self.closing = None;
                text.pass(length);
                self.close(here, text.here(), sink);
                return TreeFlow::Go;
            }
            NamedTag::Other => {}
        }
        if let Some(inner) = self.inner_roots {
            match named_tag(text.rest(), self.root.bytes()) {
                NamedTag::Short => return TreeFlow::Wait,
                NamedTag::Opener { is_empty: false } => self.inner_roots = Some(inner.saturating_add(1)),
                NamedTag::Closer(_) => {
                    self.inner_roots = inner.checked_sub(1);
                    if inner == 0 {
                        self.emit_text(here, sink);
                        self.closing = Some(here);
                        return TreeFlow::Go;
                    }
                }
                NamedTag::Opener { is_empty: true } | NamedTag::Other => {}
            }
        }
        text.pass(1);
        TreeFlow::Go
    }

    fn close(&mut self, start: u32, end: u32, sink: &mut impl Sink) {
        sink.record(TreeOp::Close.at(start, end));
        self.depth = self.depth.saturating_sub(1);
        self.is_raw = false;
        self.mark = end;
    }

    fn read_closing(&mut self, text: &mut Stretch<'_>, sink: &mut impl Sink) -> TreeFlow {
        let here = text.here();
        let Ok(tag) = closing_tag(text.rest()) else { return TreeFlow::Wait };
        let Some((hash, length)) = tag else {
            text.pass(1);
            return self.fault(TreeFault::LooseLess, here, sink);
        };
        let open = self.stack.get(..usize::from(self.depth)).unwrap_or_default();
        let Some(at) = open.iter().rposition(|name| *name == hash) else {
            self.emit_text(here, sink);
            text.pass(length);
            self.mark = text.here();
            return self.fault(TreeFault::StrayCloser, here, sink);
        };
        self.emit_text(here, sink);
        // One record a move: the elements inside it are abandoned first.
        if usize::from(self.depth) > at + 1 {
            sink.record(TreeOp::Abandon.at(here, here));
            self.depth = self.depth.saturating_sub(1);
            return TreeFlow::Abandoned;
        }
        text.pass(length);
        self.close(here, text.here(), sink);
        if self.has_root && self.depth == 0 { TreeFlow::Over } else { TreeFlow::Go }
    }

    /// In an opening tag.
    fn read_tag(&mut self, text: &mut Stretch<'_>, sink: &mut impl Sink) -> TreeFlow {
        while let Some(&byte) = text.rest().first() {
            if sink.lacks_room_for(4) {
                return TreeFlow::Go;
            }
            let here = text.here();
            let action = self.tag.step(byte, here, here + units_of(byte));
            let part = match action {
                Action::Name if !is_in_name(byte) || !self.name.add(byte) => return self.drop_tag(sink),
                Action::Inner if byte == b'<' => return self.drop_tag(sink),
                Action::Fail => return self.drop_tag(sink),
                Action::AttributeEnd => Some((TreeOp::Attribute, self.tag.attribute)),
                Action::ValueEnd | Action::ValueSlash => Some((TreeOp::Value, self.tag.value)),
                Action::Hold
                | Action::Closing
                | Action::Name
                | Action::NameEnd
                | Action::AttributeStart
                | Action::Attribute
                | Action::ValueAfter
                | Action::ValueHere
                | Action::Inner
                | Action::Space
                | Action::EmptyTag => None,
            };
            if let Some((op, (start, end))) = part {
                sink.record(op.at(start, end));
            }
            text.pass(1);
            if !self.tag.is_reading() {
                return self.tag_end(action == Action::EmptyTag, text.here(), sink);
            }
        }
        TreeFlow::Stop
    }

    /// What looked like a tag is text. No other tag is in it, as a tag has no `<` inside.
    fn drop_tag(&mut self, sink: &mut impl Sink) -> TreeFlow {
        let from = self.tag.from;
        self.phase = Phase::Content;
        self.mark = from;
        sink.record(TreeOp::Fault(TreeFault::LooseLess).at(from, from));
        if self.has_root && self.depth <= 1 {
            return self.fault(TreeFault::Text, from, sink);
        }
        sink.record(TreeOp::Text.at(from, from + 1));
        self.mark = from + 1;
        TreeFlow::Back(from + 1)
    }

    fn tag_end(&mut self, is_empty: bool, here: u32, sink: &mut impl Sink) -> TreeFlow {
        let (start, end) = self.tag.name;
        sink.record(TreeOp::Open.at(start, end));
        self.mark = here;
        self.phase = Phase::Asked { is_empty };
        if usize::from(self.depth) >= DEEPEST_TREE {
            return self.fault(TreeFault::TooDeep, self.tag.from, sink);
        }
        TreeFlow::Ask
    }

    /// In a comment, a CDATA section or an instruction, which ends with a mark.
    fn up_to(&mut self, mark: &[u8], text: &mut Stretch<'_>, sink: &mut impl Sink) -> TreeFlow {
        let first = mark.first().copied().unwrap_or_default();
        loop {
            text.pass(find_any(text.rest(), [first]).unwrap_or(text.rest().len()));
            match begins(text.rest(), mark) {
                Some(true) => return self.enter(Phase::Content, mark.len(), text, sink),
                Some(false) => text.pass(1),
                None => {
                    self.emit_text(text.here(), sink);
                    return if text.is_at_end() { TreeFlow::Stop } else { TreeFlow::Wait };
                }
            }
        }
    }

    /// The end of the text at `here`: what is pending is text, what is open was never
    /// closed. Returns false when there is no room; then call it again.
    pub fn finish(&mut self, here: u32, sink: &mut impl Sink) -> bool {
        if self.phase == Phase::Tag {
            sink.record(TreeOp::Fault(TreeFault::CutTag).at(self.tag.from, self.tag.from));
            self.mark = self.tag.from;
            self.phase = Phase::Content;
        }
        self.emit_text(here, sink);
        self.phase = Phase::Content;
        while self.depth > 0 && !sink.lacks_room_for(1) {
            sink.record(TreeOp::Abandon.at(here, here));
            self.depth = self.depth.saturating_sub(1);
        }
        self.depth == 0
    }
}

/// The name of the closing tag that a text, which begins with `</`, begins with, and its length.
fn closing_tag(text: &[u8]) -> Sight<Option<(Hash, usize)>> {
    let rest = text.get(2..).unwrap_or_default();
    let gap = rest.iter().take(LONGEST_GAP).take_while(|byte| is_space(**byte)).count();
    let named = rest.get(gap..).unwrap_or_default();
    let length = named.iter().take(LONGEST_NAME).take_while(|byte| is_in_name(**byte)).count();
    let after = named.get(length..).unwrap_or_default();
    if length == 0 && !after.is_empty() {
        return Ok(None);
    }
    let hash = Hash::of(named.get(..length).unwrap_or_default());
    Ok(ends_tag(after)?.map(|tail| (hash, 2 + gap + length + tail)))
}

/// The length of the white space and the `>` that end a closing tag.
fn ends_tag(text: &[u8]) -> Sight<Option<usize>> {
    let gap = text.iter().take(LONGEST_GAP).take_while(|byte| is_space(**byte)).count();
    match text.get(gap) {
        Some(b'>') => Ok(Some(gap + 1)),
        Some(_) => Ok(None),
        None => Err(Short),
    }
}

/// A tag of a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum NamedTag {
    /// The text is too short to say.
    Short,
    /// It opens an element.
    Opener {
        /// Whether it closes the element right after the name: `<a/`.
        is_empty: bool,
    },
    /// It closes one; its length.
    Closer(usize),
    /// Anything else.
    Other,
}

/// Whether a text, which begins with `<`, begins with a tag of a name.
pub(crate) fn named_tag(text: &[u8], name: &[u8]) -> NamedTag {
    let rest = text.get(1..).unwrap_or_default();
    let mut gap = 0;
    let (is_closer, rest) = match rest {
        [] => return NamedTag::Short,
        [b'/', rest @ ..] => {
            gap = rest.iter().take(LONGEST_GAP).take_while(|byte| is_space(**byte)).count();
            (true, rest.get(gap..).unwrap_or_default())
        }
        rest => (false, rest),
    };
    let seen = rest.get(..name.len()).unwrap_or(rest);
    if !name.starts_with(seen) {
        return NamedTag::Other;
    }
    let Some(after) = rest.get(name.len()..).filter(|after| !after.is_empty()) else { return NamedTag::Short };
    if !is_closer {
        return match after.first() {
            Some(b'/') => NamedTag::Opener { is_empty: true },
            Some(&byte) if is_space(byte) || byte == b'>' => NamedTag::Opener { is_empty: false },
            _ => NamedTag::Other,
        };
    }
    match ends_tag(after) {
        Err(Short) => NamedTag::Short,
        Ok(None) => NamedTag::Other,
        Ok(Some(length)) => NamedTag::Closer(2 + gap + name.len() + length),
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test that can't go on fails")]
mod tests {
    use super::*;
    use crate::text::Record;

    #[test]
    fn names_of_up_to_three_letters_have_each_their_hash() {
        let letters = b"abcdefghijklmnopqrstuvwxyzABCXYZ_-.:0129";
        let mut hashes = std::collections::HashSet::new();
        for &a in letters {
            hashes.insert(Hash::of(&[a]).0);
            for &b in letters {
                hashes.insert(Hash::of(&[a, b]).0);
                hashes.extend(letters.iter().map(|&c| Hash::of(&[a, b, c]).0));
            }
        }
        let count = letters.len();
        assert_eq!(hashes.len(), count + count.pow(2) + count.pow(3));
    }

    /// Records as one line.
    fn logged(text: &str, records: &[Record]) -> String {
        let mut log: Vec<(u32, String)> = Vec::new();
        for record in records {
            let place = text.get(record.start as usize..record.end as usize).unwrap_or_default().to_owned();
            match (record.word & 0xFF, log.last_mut()) {
                (kind @ (19 | 21), Some((last, text))) if *last == kind => text.push_str(&place),
                (20, _) => log.push((20, char::from_u32(record.word >> 8).unwrap().to_string())),
                (24, _) => log.push((24, (record.word >> 8).to_string())),
                (kind @ (22 | 23), _) => log.push((kind, String::new())),
                (kind, _) => log.push((kind, place)),
            }
        }
        let kinds = ["attr", "=", "open", "text", "char", "cdata", "close", "abandon", "fault"];
        let lines = log.iter().map(|(kind, text)| format!("{} {text}", kinds[*kind as usize - 16]));
        lines.collect::<Vec<_>>().join("|")
    }

    /// The records of a text in chunks of a size. Elements whose name begins with `r` are raw.
    fn read(text: &str, size: usize, has_root: bool) -> String {
        let mut tree = Tree::START;
        if has_root {
            tree.begin_root(0);
        }
        let bytes = text.as_bytes();
        let mut records: Vec<Record> = Vec::new();
        let (mut at, mut end) = (0, 0);
        while end < bytes.len() {
            end = (end + size).min(bytes.len());
            let mut stretch = Stretch::new(&bytes[at..end], at as u32, true);
            loop {
                match tree.advance(&mut stretch, &mut records) {
                    TreeFlow::Stop | TreeFlow::Wait => break,
                    TreeFlow::Over | TreeFlow::Fault(TreeFault::Text | TreeFault::TooDeep) => {
                        return logged(text, &records);
                    }
                    TreeFlow::Go | TreeFlow::Abandoned | TreeFlow::Fault(_) => {}
                    TreeFlow::Ask => {
                        let is_raw = tree.raw_name()[0] == b'r';
                        tree.answer(is_raw, stretch.here(), &mut records);
                    }
                    TreeFlow::Back(unit) => {
                        if !stretch.go_back_to(unit) {
                            stretch = Stretch::new(&bytes[unit as usize..end], unit, true);
                        }
                    }
                }
            }
            at = stretch.here() as usize;
        }
        assert!(tree.finish(bytes.len() as u32, &mut records));
        logged(text, &records)
    }

    #[test]
    fn reads_the_same_at_every_cut() {
        for (text, expected) in [
            ("a<b>c</b>", "text a|open b|text c|close "),
            ("<b x=\"1\" y z='&lt;'/>t", "attr x|= 1|attr y|attr z|= &lt;|open b|close |text t"),
            ("<r><b>&amp;</b></rx></r >!", "open r|text <b>|char &|text </b></rx>|close |text !"),
            ("<r>a<r>b</r>", "open r|text a|fault 2|text <r>b|close "),
            ("<r><![CDATA[</r>]]]]></r>", "open r|cdata </r>]]|close "),
            ("<r>x</ r >y</r>", "open r|text x|close |text y|fault 0"),
            ("<r><!-- </r -->", "open r|text <!-- </r -->|abandon "),
            ("<a><b>1</a>2", "open a|open b|text 1|abandon |close |text 2"),
            ("1 < 2 & 3 <!-- <b> --><?x?></c>.", "text 1 |fault 1|text < 2 & 3 |fault 0|text ."),
            ("<a b <c>", "attr b|fault 1|text <a b |open c|abandon "),
            ("<b x/><b y />", "attr x|open b|close |attr y|open b|close "),
            ("</ a ><a></ a >", "fault 0|open a|close "),
            ("<0>x</0><1", "open 0|text x|close |fault 4|text <1"),
            ("&#65;&x;&am", "char A|text &x;&am"),
        ] {
            for size in 1..=text.len() {
                assert_eq!(read(text, size, false), expected, "{text} by {size}");
            }
        }
    }

    #[test]
    fn between_the_children_of_a_root_is_only_white_space() {
        for (text, expected) in [
            ("<t> <a>x</a>\n<r>y</r> </t>rest", "open t|open a|text x|close |open r|text y|close |close "),
            ("<t/>rest", "open t|close |fault 5"),
            ("<t> to <a>", "open t|fault 5"),
            ("<t><![CDATA[x]]>", "open t|fault 5"),
            ("<t><a>1</t>", "open t|open a|text 1|abandon |close "),
            ("<t><a>1</a>, </t>", "open t|open a|text 1|close |fault 5"),
            // The root's closing tag in raw text is text, if nobody asks for it.
            ("<t><r>1</t><r></r></t>", "open t|open r|text 1</t>|fault 2|text <r>|close |close "),
            ("<t>< a></t>", "open t|fault 1|fault 5"),
            ("<t><a <b>x", "open t|fault 1|fault 5"),
            ("<t><a>1<b <c></c></a></t>", "open t|open a|text 1|fault 1|text <b |open c|close |close |close "),
        ] {
            for size in 1..=text.len() {
                assert_eq!(read(text, size, true), expected, "{text} by {size}");
            }
        }
    }

    #[test]
    fn nesting_ends_somewhere() {
        assert!(read(&"<a>".repeat(DEEPEST_TREE), 7, false).ends_with("abandon "));
        assert!(read(&"<a>".repeat(DEEPEST_TREE + 1), 7, false).ends_with("fault 3"));
    }

    #[test]
    fn where_text_may_be_passed_without_being_read() {
        for (text, has_root, takes_text, is_between, depth) in [
            ("a", false, true, false, 0),
            ("<b", false, false, false, 0),
            ("<b>", false, true, false, 1),
            ("<!-- ", false, false, false, 0),
            ("<t", true, false, false, 0),
            ("<t>", true, false, true, 1),
            ("<t><b", true, false, false, 1),
            ("<t><b>", true, true, false, 2),
            ("<t><b></b>", true, false, true, 1),
        ] {
            let (mut tree, mut records) = (Tree::START, Vec::new());
            if has_root {
                tree.begin_root(0);
            }
            let mut stretch = Stretch::new(text.as_bytes(), 0, true);
            loop {
                match tree.advance(&mut stretch, &mut records) {
                    TreeFlow::Ask => tree.answer(false, stretch.here(), &mut records),
                    TreeFlow::Stop | TreeFlow::Wait => break,
                    TreeFlow::Go | TreeFlow::Back(_) | TreeFlow::Abandoned | TreeFlow::Over | TreeFlow::Fault(_) => {}
                }
            }
            let found = (tree.takes_text(), tree.is_between_children(), tree.depth());
            assert_eq!(found, (takes_text, is_between, depth), "{text}");
        }
    }

    #[test]
    fn text_that_was_passed_is_not_emitted_again() {
        let (mut tree, mut records) = (Tree::START, Vec::new());
        tree.pass(7);
        assert_eq!(tree.advance(&mut Stretch::new(b"ab", 7, true), &mut records), TreeFlow::Stop);
        assert_eq!(records.iter().map(|record| (record.start, record.end)).collect::<Vec<_>>(), [(7, 9)]);
    }

    #[test]
    fn text_before_a_root_is_not_part_of_it() {
        let (mut tree, mut records) = (Tree::START, Vec::new());
        tree.begin_root(5);
        assert_eq!(tree.advance(&mut Stretch::new(b"", 5, true), &mut records), TreeFlow::Stop);
        assert_eq!(records, []);
        let mut stretch = Stretch::new(b"<t>", 5, true);
        while tree.advance(&mut stretch, &mut records) == TreeFlow::Go {}
        assert_eq!(records.first().copied(), Some(TreeOp::Open.at(6, 7)));
        // It asks until it is answered.
        assert_eq!(tree.advance(&mut stretch, &mut records), TreeFlow::Ask);
    }
}
