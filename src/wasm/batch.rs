//! What crosses: text in, records and an outcome out.

use crate::text::{Record, Sink};
use std::cell::RefCell;
use wasm_bindgen::prelude::wasm_bindgen;

/// Most UTF-16 code units of one stretch.
const UNITS: usize = 16_384;

/// A unit is at most three bytes of UTF-8.
const INPUT: usize = UNITS * 3;

/// Most records of one call.
const RECORDS: usize = 511;

/// Their number fits into what a call returns.
const _: () = assert!(RECORDS <= crate::text::packed::COUNT_MASK as usize);

/// Records of one call, in a buffer that JavaScript reads.
pub(super) struct Batch {
    /// Three words a record: word, start, end.
    words: [[u32; 3]; RECORDS],
    count: usize,
    /// `next` and `held_from` of the last call.
    outcome: [u32; 2],
}

impl Sink for Batch {
    fn record(&mut self, Record { word, start, end }: Record) {
        self.put(word, start, end);
    }

    fn lacks_room_for(&self, count: usize) -> bool {
        self.count + count > RECORDS
    }
}

impl Batch {
    // One copy: machines record in hundreds of places.
    #[inline(never)]
    fn put(&mut self, word: u32, start: u32, end: u32) {
        if let Some(words) = self.words.get_mut(self.count) {
            *words = [word, start, end];
            self.count += 1;
        }
    }

    pub(super) fn clear(&mut self) {
        self.count = 0;
    }

    /// The end of a call: what it returns is the number of records, and `bits`.
    pub(super) fn close(&mut self, next: u32, held_from: u32, bits: u32) -> u32 {
        self.outcome = [next, held_from];
        self.count as u32 | bits
    }
}

/// What JavaScript writes to and reads from, in one cell, so that a call borrows once.
struct Border {
    text: [u8; INPUT],
    batch: Batch,
}

thread_local! {
    static BORDER: RefCell<Border> = const {
        RefCell::new(Border { text: [0; INPUT], batch: Batch { words: [[0; 3]; RECORDS], count: 0, outcome: [0; 2] } })
    };
}

/// The first `len` bytes of the input buffer, and an empty batch. Nobody calls
/// from inside a call; a borrow that could fail would bring in the texts of panics.
pub(super) fn with<T: Default>(len: usize, read: impl FnOnce(&[u8], &mut Batch) -> T) -> T {
    BORDER.with(|border| {
        let Ok(mut border) = border.try_borrow_mut() else { return T::default() };
        let Border { text, batch } = &mut *border;
        batch.clear();
        read(text.get(..len).unwrap_or_default(), batch)
    })
}

/// The whole input buffer, to be overwritten.
#[cfg(feature = "tool_call")]
pub(super) fn fill<T: Default>(write: impl FnOnce(&mut [u8]) -> T) -> T {
    BORDER.with(|border| border.try_borrow_mut().map_or_else(|_| T::default(), |mut border| write(&mut border.text)))
}

/// Where a part of the border lies.
fn pointer<T>(part: impl FnOnce(&Border) -> *const T) -> usize {
    BORDER.with(|border| border.try_borrow().map_or(0, |border| part(&border) as usize))
}

/// Where the input buffer lies.
#[wasm_bindgen]
pub fn input_pointer() -> usize {
    pointer(|border| border.text.as_ptr())
}

/// Its length in bytes.
#[wasm_bindgen]
pub fn input_size() -> usize {
    INPUT
}

/// Where the records lie.
#[wasm_bindgen]
pub fn records_pointer() -> usize {
    pointer(|border| border.batch.words.as_ptr())
}

/// Where the outcome lies: `next`, `held_from`.
#[wasm_bindgen]
pub fn outcome_pointer() -> usize {
    pointer(|border| border.batch.outcome.as_ptr())
}

/// Most records of one call.
#[wasm_bindgen]
pub fn records_size() -> usize {
    RECORDS
}
