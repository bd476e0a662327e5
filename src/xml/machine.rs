//! The elements of whole texts by the contract of the machines. Places count from
//! the start of the text: all of it is pending up to its end.

use super::elements::Elements;
use super::tree::{Tree, TreeFlow};
use crate::text::{Machine, Never, Outcome, Sink, Stretch};

/// What a tree asks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum TreeAsk {
    /// Whether the element whose tag was read last is raw.
    Raw = 1,
}

/// Most records that a move of a tree makes.
const ROOM: usize = 6;

impl Machine for Tree {
    type Ask = TreeAsk;
    /// Whether the element is raw.
    type Answer = bool;
    type Mode = Never;
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

    fn mode(&self) -> Never {
        Never::Ask
    }

    /// Whether nothing more is read: it was too deep.
    fn flags(&self) -> u32 {
        u32::from(self.is_too_deep())
    }
}

impl Machine for Elements {
    type Ask = Never;
    type Answer = Never;
    type Mode = Never;
    type Table = ();

    fn run(&mut self, (): &(), text: &mut Stretch<'_>, sink: &mut impl Sink) -> Outcome<Never> {
        Outcome::new(Elements::run(self, text.bytes(), text.here(), sink), 0)
    }

    fn finish(&mut self, held: u32, sink: &mut impl Sink) -> Outcome<Never> {
        Elements::finish(self, sink);
        Outcome::new(held, 0)
    }

    fn answer(&mut self, _: Never) {}

    fn mode(&self) -> Never {
        Never::Ask
    }
}
