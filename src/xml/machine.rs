//! The elements of whole texts by the contract of the machines. Places count from
//! the start of the text: all of it is pending up to its end.

use super::elements::Elements;
use super::entity::{Entity, Reading};
use super::op::TreeOp;
use super::tree::{Tree, TreeFlow};
use crate::text::{Machine, Nothing, Outcome, Sink, Stretch, numbered};

numbered! {
    /// What a tree asks.
    #[repr(u8)]
    pub enum TreeAsk {
        /// Whether the element whose tag was read last is raw.
        Raw = 1,
    }
}

/// The tree's own bit: nothing more is read, since an element is too deep.
pub const TREE_IS_OVER: u32 = 1;

/// Most records that a move of a tree makes.
const ROOM: usize = 6;

impl Machine for Tree {
    type Ask = TreeAsk;
    /// Whether the element is raw.
    type Answer = bool;
    type Mode = Nothing;
    type Table = ();

    fn run(&mut self, (): &(), text: &mut Stretch<'_>, sink: &mut impl Sink) -> Outcome<TreeAsk> {
        if let Some(is_raw) = self.answered.take() {
            Tree::answer(self, is_raw, text.here(), sink);
        }
        let mut outcome = Outcome::new(0, 0);
        while !sink.lacks_room_for(ROOM) && !self.is_too_deep() {
            match self.advance(text, sink) {
                TreeFlow::Go | TreeFlow::Abandoned | TreeFlow::Fault(_) => continue,
                TreeFlow::Stop | TreeFlow::Over => {}
                TreeFlow::Wait => outcome.waits = true,
                TreeFlow::Ask => outcome.ask = Some(TreeAsk::Raw),
                TreeFlow::Back(unit) if text.go_back_to(unit) => continue,
                TreeFlow::Back(unit) => return Outcome { next: unit, ..outcome },
            }
            break;
        }
        if self.is_too_deep() {
            // The rest is not read.
            text.pass(text.rest().len());
        }
        Outcome { next: text.here(), ..outcome }
    }

    fn finish(&mut self, held: u32, sink: &mut impl Sink) -> Outcome<TreeAsk> {
        if let Some(is_raw) = self.answered.take() {
            Tree::answer(self, is_raw, held, sink);
        }
        let waits = !self.is_too_deep() && !Tree::finish(self, held, sink);
        Outcome { waits, ..Outcome::new(held, 0) }
    }

    fn answer(&mut self, is_raw: bool) {
        self.answered = Some(is_raw);
    }

    fn mode(&self) -> Nothing {
        Nothing::Read
    }

    fn flags(&self) -> u32 {
        if self.is_too_deep() { TREE_IS_OVER } else { 0 }
    }
}

impl Machine for Elements {
    type Ask = Nothing;
    type Answer = Nothing;
    type Mode = Nothing;
    type Table = ();

    fn run(&mut self, (): &(), text: &mut Stretch<'_>, sink: &mut impl Sink) -> Outcome<Nothing> {
        Outcome::new(Elements::run(self, text.bytes(), text.here(), sink), 0)
    }

    fn finish(&mut self, held: u32, sink: &mut impl Sink) -> Outcome<Nothing> {
        Elements::finish(self, sink);
        Outcome::new(held, 0)
    }

    fn answer(&mut self, _: Nothing) {}

    fn mode(&self) -> Nothing {
        Nothing::Read
    }
}

/// Reads the character references in an attribute's value: records of text and of
/// characters.
#[derive(Clone, Copy, Debug)]
#[cfg_attr(feature = "debug", derive(serde::Serialize))]
pub struct References {
    entity: Entity,
    /// Where the text begins that has no record yet.
    from: u32,
}

impl References {
    /// At the start of a value.
    pub const START: References = References { entity: Entity::REST, from: 0 };

    fn text_up_to(&mut self, end: u32, sink: &mut impl Sink) {
        if end > self.from {
            sink.record(TreeOp::Text.at(self.from, end));
            self.from = end;
        }
    }
}

impl Machine for References {
    type Ask = Nothing;
    type Answer = Nothing;
    type Mode = Nothing;
    type Table = ();

    fn run(&mut self, (): &(), text: &mut Stretch<'_>, sink: &mut impl Sink) -> Outcome<Nothing> {
        while let Some(&byte) = text.rest().first()
            && !sink.lacks_room_for(3)
        {
            text.pass(1);
            match if self.entity.is_reading() { self.entity.step(byte) } else { Reading::Failed } {
                Reading::Pending => {}
                Reading::Whole(character) => {
                    let end = text.here();
                    self.text_up_to(end.saturating_sub(self.entity.held()), sink);
                    sink.record(TreeOp::Character(u32::from(character)).at(self.from, end));
                    self.from = end;
                }
                Reading::Failed => {
                    self.entity.give_up();
                    if byte == b'&' {
                        self.entity.begin();
                    }
                }
            }
        }
        Outcome::new(text.here(), 0)
    }

    fn finish(&mut self, held: u32, sink: &mut impl Sink) -> Outcome<Nothing> {
        self.text_up_to(held, sink);
        Outcome::new(held, 0)
    }

    fn answer(&mut self, _: Nothing) {}

    fn mode(&self) -> Nothing {
        Nothing::Read
    }
}
