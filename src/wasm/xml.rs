//! The elements of one text after the other.

use super::batch;
use super::desk::Desk;
use crate::text::{Sink, Stretch};
use crate::xml::{Tree, TreeFault, TreeFlow};
use wasm_bindgen::prelude::wasm_bindgen;

thread_local! {
    static TREE: Desk<Tree> = const { Desk::new(Tree::START) };
}

/// What is above the number of records: something is asked, the rest of the text
/// is too short to say what it is, or reading is over.
const ASKS: u32 = 1;
const WAITS: u32 = 2;
const OVER: u32 = 4;

/// Most records that a move makes.
const ROOM: usize = 6;

/// At the start of a text.
#[wasm_bindgen]
pub fn tree_start() {
    TREE.with(|desk| desk.at_work(|tree| *tree = Tree::START));
}

/// Reads `len` bytes of the input buffer, which begin at unit `from` of the text.
#[wasm_bindgen]
pub fn tree_run(len: usize, from: u32) -> u32 {
    TREE.with(|desk| {
        desk.at_work(|tree| {
            batch::with(len, |bytes, batch| {
                let mut text = Stretch::new(bytes, from, false);
                while !batch.lacks_room_for(ROOM) {
                    let bits = match tree.advance(&mut text, batch) {
                        TreeFlow::Fault(TreeFault::TooDeep) | TreeFlow::Over => OVER,
                        TreeFlow::Go | TreeFlow::Abandoned | TreeFlow::Fault(_) => continue,
                        TreeFlow::Stop => 0,
                        TreeFlow::Wait => WAITS,
                        TreeFlow::Ask => ASKS,
                        TreeFlow::Back(unit) if text.go_back_to(unit) => continue,
                        TreeFlow::Back(unit) => return batch.close(unit, 0, 0),
                    };
                    return batch.close(text.here(), 0, bits);
                }
                batch.close(text.here(), 0, 0)
            })
        })
    })
}

/// Answers whether the element whose tag ended at unit `here` is raw.
#[wasm_bindgen]
pub fn tree_answer(is_raw: bool, here: u32) -> u32 {
    TREE.with(|desk| {
        desk.at_work(|tree| {
            batch::with(0, |_, batch| {
                tree.answer(is_raw, here, batch);
                batch.close(here, 0, 0)
            })
        })
    })
}

/// The end of the text, which is `length` units long. To be called again while it waits.
#[wasm_bindgen]
pub fn tree_finish(length: u32) -> u32 {
    TREE.with(|desk| {
        desk.at_work(|tree| {
            batch::with(0, |_, batch| {
                let is_done = tree.finish(length, batch);
                batch.close(length, 0, if is_done { 0 } else { WAITS })
            })
        })
    })
}
