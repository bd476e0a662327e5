//! The format machine's calls.

use super::batch;
use super::machine::machine;
use crate::format::{self, Answer, Machine, Mode, Start};
use crate::text::Machine as _;
use wasm_bindgen::prelude::wasm_bindgen;

machine! {
    Machine = Machine::new(Start::Turn, true, false), format::Table::NOTHING;
    format_pointer format_size format_run format_finish format_answer(|number, _| Some(Answer::of(number)));
    format_is_in_call format_give_up format_pass
}

/// Forgets the rows.
#[wasm_bindgen]
pub fn format_rows_clear() {
    at_work(|_, table| table.clear());
}

/// Adds the row in the input buffer; false if its bytes stand for none, or there is no room.
#[wasm_bindgen]
pub fn format_rows_add(len: usize) -> bool {
    at_work(|_, table| batch::with(len, |bytes, _| table.add(bytes)))
}

/// Writes the characters that may end text of a mode into the input buffer; returns their length.
#[wasm_bindgen]
pub fn format_stops(mode: u32) -> usize {
    at_work(|_, table| batch::fill(|input| Mode::from_number(mode).map_or(0, |mode| table.write_stops(mode, input))))
}

/// Forgets the names of the tools.
#[wasm_bindgen]
pub fn format_names_clear() {
    at_work(|_, table| table.names.clear());
}

/// Adds the name in the input buffer, after all others in byte order; false if no tag can have
/// it, or there is no room.
#[wasm_bindgen]
pub fn format_names_add(len: usize) -> bool {
    at_work(|_, table| batch::with(len, |name, _| table.names.add(name)))
}

/// A new machine at the start of a stream: the number of a `Start`, above it in bits the number of the row whose
/// reasoning the prompt has opened, and one more; whether reasoning is
/// looked for, and whether what stands in Markdown code is text.
#[wasm_bindgen]
pub fn format_start(start: u32, seeks: bool, skips_code: bool) {
    let row = (start >> 8) as u8;
    let start = Start::from_number(start & 0xFF).unwrap_or(Start::Turn);
    at_work(|machine, _| {
        let new = Machine::new(start, seeks, skips_code);
        *machine = if row > 0 { new.inside(row - 1) } else { new };
    });
}

/// A run of text has ended after `held` pending units outside of a call.
#[wasm_bindgen]
pub fn format_settle(held: u32) -> u32 {
    read(0, |machine, _, _, batch| machine.settle(held, batch))
}
