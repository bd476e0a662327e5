//! The segment front-end's calls.

use super::batch::{self, Batch};
use super::desk::Desk;
use crate::segment::{
    CallMachine, Choice, ChoiceNumber, Flag, Machine, Markers, Outcome, Profile, Row, Signatures, Tools,
};
use crate::xml::Elements;
use wasm_bindgen::prelude::wasm_bindgen;

thread_local! {
    static SEGMENTS: Desk<Machine> = const { Desk::new(Machine::new(Markers::NONE, Signatures::NONE)) };
    static CALLS: Desk<CallMachine> = const { Desk::new(CallMachine::REST) };
    static ELEMENTS: Desk<Elements> = const { Desk::new(Elements::START) };
}

/// Packs what the glue needs at once, above the number of records: whether a
/// tool is asked about (1 bit), and the mode (3).
fn close(batch: &mut Batch, outcome: Outcome, machine: &Machine) -> u32 {
    let bits = u32::from(outcome.asks_state) | (machine.mode() as u32) << 1;
    batch.close(outcome.next, outcome.held_from, bits)
}

/// Where the machine of the parser at work lies.
#[wasm_bindgen]
pub fn segment_machine_pointer() -> usize {
    SEGMENTS.with(Desk::pointer)
}

/// Its size in bytes.
#[wasm_bindgen]
pub fn segment_machine_size() -> usize {
    size_of::<Machine>()
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
    SEGMENTS.with(|desk| {
        desk.at_work(|machine| {
            *machine = Machine::new(markers, signatures);
            machine.know(tools);
        });
    });
}

/// Adds the signature that is in the input buffer; false if it can be none.
#[wasm_bindgen]
pub fn segment_signature(len: usize) -> bool {
    SEGMENTS.with(|desk| desk.at_work(|machine| batch::with(len, |text, _| machine.add_signature(text))))
}

/// So many units were told without being read.
#[wasm_bindgen]
pub fn segment_pass(units: u32) {
    SEGMENTS.with(|desk| desk.at_work(|machine| machine.pass(units)));
}

/// Reads `len` bytes of the input buffer behind `held` held units.
#[wasm_bindgen]
pub fn segment_run(len: usize, held: u32, is_ascii: bool) -> u32 {
    SEGMENTS.with(|desk| {
        desk.at_work(|machine| {
            batch::with(len, |text, batch| {
                let outcome = machine.run(text, held, is_ascii, batch);
                close(batch, outcome, machine)
            })
        })
    })
}

/// Whether a tool is held whole, since its segment may not begin yet.
#[wasm_bindgen]
pub fn segment_is_in_call() -> bool {
    SEGMENTS.with(|desk| desk.at_work(|machine| machine.is_in_call()))
}

/// Gives up that tool, of which `held` units are held.
#[wasm_bindgen]
pub fn segment_give_up(held: u32) -> u32 {
    SEGMENTS.with(|desk| {
        desk.at_work(|machine| {
            batch::with(0, |_, batch| {
                let outcome = machine.give_up(held, batch);
                close(batch, outcome, machine)
            })
        })
    })
}

/// The end of the stream.
#[wasm_bindgen]
pub fn segment_finish(held: u32) -> u32 {
    SEGMENTS.with(|desk| {
        desk.at_work(|machine| {
            batch::with(0, |_, batch| {
                let outcome = machine.finish(held, batch);
                close(batch, outcome, machine)
            })
        })
    })
}

/// Answers about a tool by a [`ChoiceNumber`]; a row of its own is `len` bytes in
/// the input buffer. False if it is no row.
#[wasm_bindgen]
pub fn segment_answer(choice: u32, len: usize) -> bool {
    let choice = match ChoiceNumber::from_number(choice) {
        Some(ChoiceNumber::BuiltIn) => Some(Choice::BuiltIn),
        Some(ChoiceNumber::Generic) => Some(Choice::Generic),
        Some(ChoiceNumber::Unknown) => Some(Choice::Unknown),
        Some(ChoiceNumber::Own) | None => batch::with(len, |row, _| Row::read(row)).map(Choice::Own),
    };
    let Some(choice) = choice else { return false };
    SEGMENTS.with(|desk| desk.at_work(|machine| machine.answer(&choice)));
    true
}

/// Where the machine of the call at work lies.
#[wasm_bindgen]
pub fn call_machine_pointer() -> usize {
    CALLS.with(Desk::pointer)
}

/// Its size in bytes.
#[wasm_bindgen]
pub fn call_machine_size() -> usize {
    size_of::<CallMachine>()
}

/// A new machine at the start of a call's arguments. The two names that are
/// asked for are in the input buffer, one behind the other; an empty one asks
/// for nothing. False if one is too long.
#[wasm_bindgen]
pub fn call_start(first: usize, second: usize) -> bool {
    let machine = batch::with(first + second, |text, _| {
        let (first, second) = text.split_at_checked(first).unwrap_or_default();
        CallMachine::new(&[first, second])
    });
    let Some(machine) = machine else { return false };
    CALLS.with(|desk| desk.at_work(|call| *call = machine));
    true
}

/// Reads `len` bytes of the input buffer behind `held` held units. Packs, above
/// the number of records, whether plain text is more of a string (1 bit), and
/// which of the names it has, from 1 on (2).
#[wasm_bindgen]
pub fn call_run(len: usize, held: u32, is_ascii: bool) -> u32 {
    CALLS.with(|desk| {
        desk.at_work(|call| {
            batch::with(len, |text, batch| {
                let (next, held_from) = call.run(text, held, is_ascii, batch);
                let bits = call.plain_string().map_or(0, |name| 1 | name.map_or(0, |name| u32::from(name) + 1) << 1);
                batch.close(next, held_from, bits)
            })
        })
    })
}

/// The end of the stream.
#[wasm_bindgen]
pub fn call_finish(held: u32) -> u32 {
    CALLS.with(|desk| {
        desk.at_work(|call| {
            batch::with(0, |_, batch| {
                call.finish(held, batch);
                batch.close(held, held, 0)
            })
        })
    })
}

/// At the start of a text whose elements are read.
#[wasm_bindgen]
pub fn elements_start() {
    ELEMENTS.with(|desk| desk.at_work(|elements| *elements = Elements::START));
}

/// Reads `len` bytes of the input buffer, which begin at unit `from` of the text.
#[wasm_bindgen]
pub fn elements_run(len: usize, from: u32) -> u32 {
    ELEMENTS.with(|desk| {
        desk.at_work(|elements| {
            batch::with(len, |text, batch| {
                let next = elements.run(text, from, batch);
                batch.close(next, next, 0)
            })
        })
    })
}

/// The end of the text.
#[wasm_bindgen]
pub fn elements_finish() -> u32 {
    ELEMENTS.with(|desk| {
        desk.at_work(|elements| {
            batch::with(0, |_, batch| {
                elements.finish(batch);
                batch.close(0, 0, 0)
            })
        })
    })
}
