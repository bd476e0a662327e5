//! The segment parser's calls.

use super::batch;
use super::machine::machine;
use crate::segment::{Choice, Machine, Markers, Profile, Row, Signatures, Tools};
use wasm_bindgen::prelude::wasm_bindgen;

machine! {
    Machine = Machine::new(Markers::NONE, Signatures::NONE), ();
    segment_pointer segment_size segment_run segment_finish segment_answer(choice)
    segment_is_in_call segment_give_up segment_pass
}

/// What a number stands for: 0 the built-in row, 1 a generic one, 2 the row in
/// the bytes, 3 an unknown tool.
fn choice(number: u32, bytes: &[u8]) -> Option<Choice> {
    match number {
        0 => Some(Choice::BuiltIn),
        1 => Some(Choice::Generic),
        2 => Row::read(bytes).map(Choice::Own),
        3 => Some(Choice::Unknown),
        _ => None,
    }
}

/// A new machine at the start of a stream. `flags`: 1 looks for XML tags, 2 for
/// tools that are JSON, 4 for sentinels, 8 takes markup in Markdown code as
/// text, 16 says that tools are listed, 32 that `<write_file>` calls one that
/// is not in the list, 64 that `<run_bash>` does. `profile` is the number of a
/// `Profile`; any other has no signatures.
#[wasm_bindgen]
pub fn segment_start(flags: u32, profile: usize) {
    let has = |flag| flags & flag != 0;
    let markers = Markers { xml: has(1), json: has(2), sentinel: has(4), skips_code: has(8) };
    let signatures = Profile::ALL.get(profile).map_or(Signatures::NONE, |&profile| Signatures::of(profile));
    let tools = Tools { are_listed: has(16), lack_file: has(32), lack_command: has(64) };
    at_work(|machine, ()| {
        *machine = Machine::new(markers, signatures);
        machine.know(tools);
    });
}

/// Adds the signature that is in the input buffer; false if it is malformed, or
/// there is no room.
#[wasm_bindgen]
pub fn segment_signature(len: usize) -> bool {
    at_work(|machine, ()| batch::with(len, |text, _| machine.add_signature(text)))
}
