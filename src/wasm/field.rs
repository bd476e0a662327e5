//! The field parser's calls.

use super::machine::machine;
use crate::field::{Flag, Machine, Shape};
use crate::json::{MOST_LEVELS, Rule, Rules};
use wasm_bindgen::prelude::wasm_bindgen;

machine! {
    Machine = Machine::new(Shape::Any, Rules::STRICT, MOST_LEVELS), ();
    field_pointer field_size field_run field_finish field_answer(|answer, _| Some(answer as u8))
}

/// A new machine at the start of a stream, by the bits of [`Flag`]. `shape` is the number of a `Shape`.
#[wasm_bindgen]
pub fn field_start(flags: u32, shape: usize, max_depth: u16) {
    let has = |flag: Flag| flags & flag as u32 != 0;
    let shape = Shape::from_number(shape as u32).unwrap_or(Shape::Any);
    let rules = if has(Flag::Strict) { Rules::STRICT } else { Rules::LENIENT };
    // Where it counts what each chunk has, no string waits for what follows it.
    let rules =
        if has(Flag::EmitsNumbers) { rules.without(Rule::UnescapedQuote).without(Rule::LoneWord) } else { rules };
    at_work(|machine, ()| {
        *machine = Machine::new(shape, rules, max_depth);
        machine.configure(has(Flag::Nullable), has(Flag::Multiple), has(Flag::EmitsNumbers), has(Flag::Bare));
        if has(Flag::Thinking) {
            machine.start_with_thinking();
        }
        if has(Flag::Fenced) {
            machine.seek_fences();
        }
        if has(Flag::SkipsCode) {
            machine.skip_code();
        }
    });
}

/// The rules that documents were read by, one bit each.
#[wasm_bindgen]
pub fn field_rules() -> u32 {
    at_work(|machine, ()| machine.used().bits())
}
