//! The block front-end's calls.

use super::batch::{self, Batch};
use super::desk::Desk;
use crate::block::{Declared, Face, Flag, Kind, Machine, Op, Outcome, PlaceAsk, Role, TagAnswer, TagError, TagTable};
use crate::text::{Ruler, Sink};
use crate::xml::references;
use wasm_bindgen::prelude::wasm_bindgen;

/// The parser at work.
#[derive(Clone, Copy)]
struct Work {
    machine: Machine,
    tags: TagTable,
}

thread_local! {
    static DESK: Desk<Work> = const { Desk::new(Work { machine: Machine::new(Face::Blocks), tags: TagTable::EMPTY }) };
}

fn at_work<T: Default>(use_it: impl FnOnce(&mut Machine, &mut TagTable) -> T) -> T {
    DESK.with(|desk| desk.at_work(|Work { machine, tags }| use_it(machine, tags)))
}

/// Packs what the glue needs at once, above the number of records: whether a
/// declaration is asked for (1 bit), the mode (3), and the roles whose openers
/// (7) and closers (7) count now.
fn close(batch: &mut Batch, outcome: Outcome, machine: &Machine) -> u32 {
    let counted = machine.recognised();
    let bits = u32::from(outcome.asks_declaration)
        | (machine.mode() as u32) << 1
        | counted.openers << 4
        | counted.closers << 11;
    batch.close(outcome.next, outcome.held_from, bits)
}

/// Where the machine of the parser at work lies.
#[wasm_bindgen]
pub fn block_machine_pointer() -> usize {
    at_work(|machine, _| std::ptr::from_ref(machine) as usize)
}

/// Its size in bytes.
#[wasm_bindgen]
pub fn block_machine_size() -> usize {
    size_of::<Machine>()
}

/// Where the tag table of the parser at work lies.
#[wasm_bindgen]
pub fn block_tags_pointer() -> usize {
    at_work(|_, tags| std::ptr::from_ref(tags) as usize)
}

/// Its size in bytes.
#[wasm_bindgen]
pub fn block_tags_size() -> usize {
    size_of::<TagTable>()
}

/// A new machine at the start of a stream, by the bits of [`Flag`].
#[wasm_bindgen]
pub fn block_start(flags: u32) {
    let has = |flag: Flag| flags & flag as u32 != 0;
    let face = if has(Flag::Elements) { Face::Elements } else { Face::Blocks };
    at_work(|machine, _| {
        *machine = Machine::new(face);
        machine.configure(has(Flag::TrimsParameters), has(Flag::AsksDeclarations), has(Flag::EmitsMarkup));
    });
}

/// Reads `len` bytes of the input buffer behind `held` held units.
#[wasm_bindgen]
pub fn block_run(len: usize, held: u32, clip: u32, is_ascii: bool) -> u32 {
    at_work(|machine, tags| {
        batch::with(len, |text, batch| {
            let outcome = machine.run(tags, text, held, clip, is_ascii, batch);
            close(batch, outcome, machine)
        })
    })
}

/// The end of the stream.
#[wasm_bindgen]
pub fn block_finish(held: u32, clip: u32) -> u32 {
    at_work(|machine, _| {
        batch::with(0, |_, batch| {
            let outcome = machine.finish(held, clip, batch);
            close(batch, outcome, machine)
        })
    })
}

/// Answers a question for a declaration by the number of a `Declared`.
#[wasm_bindgen]
pub fn block_declare(declared: u32) {
    let declared = Declared::from_number(declared).unwrap_or(Declared::Unknown);
    at_work(|machine, _| machine.declare(declared));
}

/// After prefill: the kind of the block that is open, or any other number for none. A tool call stays open.
#[wasm_bindgen]
pub fn block_set_open(kind: u32) {
    let open = Kind::from_number(kind);
    at_work(|machine, _| machine.set_open(open));
}

/// Forgets a held tag and the open block, not what encloses them.
#[wasm_bindgen]
pub fn block_restart() {
    at_work(|machine, _| machine.restart());
}

/// What the machine is inside of, by the number of a [`PlaceAsk`].
#[wasm_bindgen]
pub fn block_place(what: u32) -> u32 {
    at_work(|machine, _| {
        let place = machine.place();
        match PlaceAsk::from_number(what) {
            Some(PlaceAsk::Kind) | None => place.kind as u32,
            Some(PlaceAsk::FunctionCalls) => place.function_calls,
            Some(PlaceAsk::FunctionResults) => place.function_results,
            Some(PlaceAsk::Thinking) => place.thinking,
        }
    })
}

/// Puts the default tags into the table.
#[wasm_bindgen]
pub fn block_tags_reset() {
    at_work(|_, tags| *tags = TagTable::default());
}

/// Where the table's fronts lie: a byte for each two ASCII characters that a
/// tag's name may begin with, at 128 times the first plus the second, with a bit
/// for each role that counts there. NUL as the second stands for any.
#[wasm_bindgen]
pub fn block_fronts_pointer() -> usize {
    at_work(|_, tags| tags.fronts().as_ptr() as usize)
}

/// Their size in bytes.
#[wasm_bindgen]
pub fn block_fronts_size() -> usize {
    at_work(|_, tags| tags.fronts().len())
}

/// Gives the name in the first `len` bytes of the input buffer a role, whose
/// name stands behind it in `role_len` bytes; none takes the name out. Returns
/// the number of a [`TagAnswer`].
#[wasm_bindgen]
pub fn block_tags_set(len: usize, role_len: usize) -> u32 {
    let set = |text: &[u8], tags: &mut TagTable| {
        let Some((name, role)) = std::str::from_utf8(text).ok().and_then(|text| text.split_at_checked(len)) else {
            return TagAnswer::BadName as u32;
        };
        let known = Role::named(role);
        if known.is_none() && !role.is_empty() {
            return TagAnswer::UnknownRole as u32;
        }
        match tags.set(name, known) {
            Ok(()) => TagAnswer::Done as u32,
            Err(TagError::BadName) => TagAnswer::BadName as u32,
            Err(TagError::TooMany) => TagAnswer::TooMany as u32,
        }
    };
    at_work(|_, tags| batch::with(len + role_len, |text, _| set(text, tags)))
}

/// Reads the character references in `len` bytes of an attribute's value: text
/// and character records. Where they are more than fit, `next` is the place to
/// go on from.
#[wasm_bindgen]
pub fn decode_references(len: usize, is_ascii: bool) -> u32 {
    batch::with(len, |text, batch| {
        let mut ruler = Ruler::new(text, 0, is_ascii);
        let mut from = 0;
        let mut is_full = false;
        references(text, |place, character| {
            let (start, end) = (ruler.at(place.start), ruler.at(place.end));
            batch.record(Op::Text.at(from, start));
            batch.record(Op::Character(character).at(start, end));
            from = end;
            is_full = batch.lacks_room_for(3);
            !is_full
        });
        if !is_full {
            let end = ruler.at(text.len());
            batch.record(Op::Text.at(from, end));
            from = end;
        }
        batch.close(from, from, 0)
    })
}
