//! Tags of the program's own: each is a block, and so are the tags that may stand in it.
//!
//! ```text
//! own ::= '<' name attributes '>' (text | own)* '</' name '>' | '<' name attributes '/>'
//! ```
//!
//! They count in text alone. Inside of one its closing tag counts, and the tags that its definition has inside;
//! everything else is content. The block of the outer tag goes on after an inner one.
//!
//! A tag is read twice: first whether it is one, then its attributes, so that text that is no
//! tag has no records. It is pending until then.

use super::machine::{Ending, Machine, Run};
use super::op::{Kind, Op};
use super::tags::TagTable;
use super::undecided::{Ahead, Undecided};
use crate::scan::Literals;
use crate::text::Sink;
use crate::xml::{Tag, Vocabulary};

impl Machine {
    /// Whether a whole custom tag has to be read again, with its attributes.
    pub(super) fn rereads_own_tag(&mut self, tag: &Tag) -> bool {
        let rereads = !tag.is_closer && self.undecided.ahead != Ahead::Attributes;
        self.undecided = Undecided { ahead: if rereads { Ahead::Attributes } else { Ahead::None }, ..Undecided::NONE };
        rereads
    }

    /// Where a custom tag stands that is read again, byte by byte, and where its last attribute's name ended.
    pub(super) fn own_tag_again<S: Sink>(
        &self,
        run: &mut Run<'_, '_, S>,
        words: &mut Vocabulary<'_>,
    ) -> Option<(u32, u32)> {
        if self.undecided.ahead != Ahead::Attributes {
            return None;
        }
        words.attributes = Literals { bytes: &[], entries: &[] };
        Some((run.text.here().saturating_sub(self.tag.held()), self.tag.attribute().1))
    }

    /// Says what the last byte of such a tag has ended.
    pub(super) fn say_attribute<S: Sink>(&mut self, run: &mut Run<'_, '_, S>, (start, before): (u32, u32)) {
        let (from, to) = self.tag.attribute();
        if to != before {
            run.say(Op::AttributeName, start + from, start + to);
        }
        if let Some(attribute) = self.tag.take_other() {
            run.say(Op::AttributeValue, start + attribute.value.0, start + attribute.value.1);
        }
    }

    /// A custom tag, after what came before it.
    pub(super) fn own_tag_ends<S: Sink>(&mut self, run: &mut Run<'_, '_, S>, tags: &TagTable, tag: &Tag, start: u32) {
        if tag.is_closer {
            self.say_own_tag(run, tag, start);
            return self.close_own(run, tags);
        }
        let Some(number) = tags.own_in(self.own.innermost(), tag.class) else { return };
        if self.own.depth() == 0 {
            self.complete(run, Ending::OtherTag);
        } else {
            // Nothing of the outer tag may have come since a prefill.
            self.open_if_closed(run);
        }
        self.own.push(number, tags);
        self.say_own_tag(run, tag, start);
        self.start(run, Kind::Own, start + tag.len);
        if tag.is_empty {
            self.close_own(run, tags);
        }
    }

    #[inline(never)]
    fn say_own_tag<S: Sink>(&self, run: &mut Run<'_, '_, S>, tag: &Tag, start: u32) {
        let Tag { is_closer, is_empty, name, .. } = *tag;
        let op = Op::Own { number: self.own.innermost(), depth: self.own.depth(), is_closer, is_empty };
        run.say(op, start + name.0, start + name.1);
    }

    /// Starts the block of the innermost custom tag, whose tag stands up to `to`; and of all that are open if none of
    /// them is started.
    // One copy: a block starts in many places.
    #[inline(never)]
    pub(super) fn start_own<S: Sink>(&mut self, run: &mut Run<'_, '_, S>, to: u32) {
        let depth = self.own.depth();
        let first = if self.open == Some(Kind::Own) { depth } else { 1 };
        for level in first..=depth {
            let end = if level == depth { to.max(run.from) } else { run.from };
            run.say(Op::Start { kind: Kind::Own, is_in_thinking: false, depth: level.into() }, run.from, end);
        }
        self.open = Some(Kind::Own);
    }

    #[inline(never)]
    fn close_own<S: Sink>(&mut self, run: &mut Run<'_, '_, S>, tags: &TagTable) {
        let is_started = self.open == Some(Kind::Own);
        self.complete(run, Ending::OwnTag);
        self.own.pop(tags);
        if is_started && self.own.depth() > 0 {
            self.open = Some(Kind::Own);
        }
    }
}
