//! The segment parser's calls.

use super::batch;
use super::machine::machine;
use crate::segment::{Choice, ChoiceNumber, Flag, Machine, Markers, Profile, Reasoning, Row, Signatures, Tools};
use wasm_bindgen::prelude::wasm_bindgen;

machine! {
    Machine = Machine::new(Markers::NONE, Signatures::NONE), ();
    segment_pointer segment_size segment_run segment_finish segment_answer(choice);
    segment_is_in_call segment_give_up segment_pass
}

fn choice(number: u32, bytes: &[u8]) -> Option<Choice> {
    match ChoiceNumber::from_number(number)? {
        ChoiceNumber::BuiltIn => Some(Choice::BuiltIn),
        ChoiceNumber::Generic => Some(Choice::Generic),
        ChoiceNumber::Own => Row::read(bytes).map(Choice::Own),
        ChoiceNumber::Unknown => Some(Choice::Unknown),
    }
}

/// A new machine at the start of a stream, by the bits of [`Flag`]. `profile` is
/// the number of a `Profile`; any other has no signatures.
#[wasm_bindgen]
pub fn segment_start(flags: u32, profile: usize) {
    let has = |flag: Flag| flags & flag as u32 != 0;
    let markers = Markers {
        xml: has(Flag::Xml),
        json: has(Flag::Json),
        sentinel: has(Flag::Sentinel),
        skips_code: has(Flag::SkipsCode),
    };
    let signatures = Profile::from_number(profile as u32).map_or(Signatures::NONE, Signatures::of);
    let tools = Tools {
        are_listed: has(Flag::ToolsAreListed),
        lack_file: has(Flag::LacksFile),
        lack_command: has(Flag::LacksCommand),
    };
    at_work(|machine, ()| {
        *machine = Machine::new(markers, signatures).with_reasoning(Reasoning::of(flags));
        machine.know(tools);
    });
}

/// Adds the signature that is in the input buffer; false if it is malformed, or
/// there is no room.
#[wasm_bindgen]
pub fn segment_signature(len: usize) -> bool {
    at_work(|machine, ()| batch::with(len, |text, _| machine.add_signature(text)))
}
