//! The block parser's calls.

use super::batch;
use super::machine::machine;
use crate::block::{
    Declared, Face, Flag, Kind, Machine, PlaceAsk, Role, Settings, TagAnswer, TagError, TagSet, TagTable,
};
use wasm_bindgen::prelude::wasm_bindgen;

machine! {
    Machine = Machine::new(Settings::new(Face::Blocks)), TagTable::EMPTY;
    block_pointer block_size block_run block_finish block_answer(|number, _| Declared::from_number(number))
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
    let settings = Settings {
        face,
        trims: has(Flag::TrimsParameters),
        asks: has(Flag::AsksDeclarations),
        marks: has(Flag::EmitsMarkup),
        keeps_tags: has(Flag::KeepsTags),
        skips_code: has(Flag::SkipsCode),
    };
    at_work(|machine, tags| {
        *machine = Machine::new(settings);
        machine.know_own_tags(tags);
        if has(Flag::StartsInThinking) {
            machine.start_in_thinking();
        }
    });
}

/// After prefill: the kind of the block that is open, or 5 for none, and how many
/// units are pending, which were sent before. A tool call stays open.
#[wasm_bindgen]
pub fn block_set_open(kind: u32, held: u32) {
    let open = Kind::from_number(kind);
    at_work(|machine, _| machine.set_open(open, held));
}

/// Forgets a pending tag and the open block, not what encloses them.
#[wasm_bindgen]
pub fn block_forget() {
    at_work(|machine, _| machine.forget_block());
}

/// All text so far is history: a payload that it leaves open ends here.
#[wasm_bindgen]
pub fn block_end_history() {
    at_work(|machine, _| machine.end_history());
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
            Some(PlaceAsk::Payload) => u32::from(machine.is_in_payload()),
            Some(PlaceAsk::Own) => machine.own_tag().into(),
        }
    })
}

/// Makes the table one that is built in, by the number of a [`TagSet`].
#[wasm_bindgen]
pub fn block_tags_reset(set: u32) {
    at_work(|_, tags| *tags = TagTable::built_in(TagSet::from_number(set).unwrap_or(TagSet::Empty)));
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
        tags.set(name, known).map_or_else(refused, |()| TagAnswer::Done as u32)
    };
    at_work(|_, tags| batch::with(len + role_len, |text, _| set(text, tags)))
}

/// Makes the name in the first `len` bytes of the input buffer a custom tag, inside the one of the number `parent`, or
/// with 0 in text. Returns the number of a [`TagAnswer`] if it can't be one, otherwise its number and 256.
#[wasm_bindgen]
pub fn block_tags_own(len: usize, parent: u32) -> u32 {
    let own = |text: &[u8], tags: &mut TagTable| {
        let name = std::str::from_utf8(text).unwrap_or_default();
        tags.own(name, parent as u8).map_or_else(refused, |number| u32::from(number) | 256)
    };
    at_work(|_, tags| batch::with(len, |text, _| own(text, tags)))
}

fn refused(error: TagError) -> u32 {
    let answer = match error {
        TagError::BadName => TagAnswer::BadName,
        TagError::TooMany => TagAnswer::TooMany,
        TagError::HasRole => TagAnswer::HasRole,
        TagError::TooDeep => TagAnswer::TooDeep,
    };
    answer as u32
}
