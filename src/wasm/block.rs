//! The block parser's calls.

use super::batch;
use super::machine::machine;
use crate::block::{Declared, Face, Kind, Machine, Op, Role, TagError, TagTable};
use crate::text::{Ruler, Sink};
use crate::xml::references;
use wasm_bindgen::prelude::wasm_bindgen;

machine! {
    Machine = Machine::new(Face::Blocks), TagTable::EMPTY;
    block_pointer block_size block_run block_finish block_answer(declared)
}

/// What a number says of a parameter.
fn declared(number: u32, _: &[u8]) -> Option<Declared> {
    [Declared::Unknown, Declared::String, Declared::Container].get(number as usize).copied()
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

/// A new machine at the start of a stream. `flags`: 1 membrane's elements, 2
/// trims parameters, 4 asks for declarations, 8 emits markup.
#[wasm_bindgen]
pub fn block_start(flags: u32) {
    let face = if flags & 1 == 0 { Face::Blocks } else { Face::Elements };
    at_work(|machine, _| {
        *machine = Machine::new(face);
        machine.configure(flags & 2 != 0, flags & 4 != 0, flags & 8 != 0);
    });
}

/// After prefill: the kind of the block that is open, or 4 for none, and how many
/// units are pending, which were sent before. A tool call stays open.
#[wasm_bindgen]
pub fn block_set_open(kind: u32, held: u32) {
    let open = [Kind::Text, Kind::Thinking, Kind::ToolCall, Kind::ToolResult].get(kind as usize).copied();
    at_work(|machine, _| machine.set_open(open, held));
}

/// Forgets a pending tag and the open block, not what encloses them.
#[wasm_bindgen]
pub fn block_restart() {
    at_work(|machine, _| machine.restart());
}

/// What the machine is inside of: 0 the kind of a block that would start here,
/// 1 open function calls, 2 open function results, 3 open thinking.
#[wasm_bindgen]
pub fn block_place(what: u32) -> u32 {
    at_work(|machine, _| {
        let place = machine.place();
        match what {
            0 => match place.kind {
                Kind::Text => 0,
                Kind::Thinking => 1,
                Kind::ToolCall => 2,
                Kind::ToolResult => 3,
            },
            1 => place.function_calls,
            2 => place.function_results,
            _ => place.thinking,
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
/// name stands after it in `role_len` bytes; none takes the name out. Returns
/// 0, or 1 for a bad name, 2 for an unknown role, 3 for one name too many.
#[wasm_bindgen]
pub fn block_tags_set(len: usize, role_len: usize) -> u32 {
    let set = |text: &[u8], tags: &mut TagTable| {
        let Some((name, role)) = std::str::from_utf8(text).ok().and_then(|text| text.split_at_checked(len)) else {
            return 1;
        };
        let known = Role::named(role);
        if known.is_none() && !role.is_empty() {
            return 2;
        }
        match tags.set(name, known) {
            Ok(()) => 0,
            Err(TagError::BadName) => 1,
            Err(TagError::TooMany) => 3,
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
