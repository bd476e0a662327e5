//! The field parser's calls.

use super::machine::machine;
use crate::field::{Machine, Shape};
use crate::json::{MOST_LEVELS, Rules};
use wasm_bindgen::prelude::wasm_bindgen;

machine! {
    Machine = Machine::new(Shape::Any, Rules::STRICT, MOST_LEVELS), ();
    field_pointer field_size field_run field_finish field_answer(|agrees, _| Some(agrees != 0))
}

/// A new machine at the start of a stream. `flags`: 1 reads JSON alone, 2 emits
/// all documents, 4 emits cut numbers, 8 reads one value and no prose, 16 takes
/// null as a root array's element. `shape` is the number of a `Shape`.
#[wasm_bindgen]
pub fn field_start(flags: u32, shape: usize, max_depth: u16) {
    let shape = Shape::ALL.get(shape).copied().unwrap_or(Shape::Any);
    let rules = if flags & 1 == 0 { Rules::LENIENT } else { Rules::STRICT };
    at_work(|machine, ()| {
        *machine = Machine::new(shape, rules, max_depth);
        machine.configure(flags & 16 != 0, flags & 2 != 0, flags & 4 != 0, flags & 8 != 0);
    });
}

/// The rules that documents were read by, one bit each.
#[wasm_bindgen]
pub fn field_rules() -> u32 {
    at_work(|machine, ()| machine.used().bits())
}
