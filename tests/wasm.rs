//! The border, in Node and in a browser: what JavaScript reads from wasm
//! memory is what the machine emits.
//!
//! `cargo xtask wasm-test` runs it, see pkg-template/xtask.

#![cfg(all(target_arch = "wasm32", feature = "exports"))]

use js_sys::{Reflect, Uint8Array, Uint32Array};
use tokenweir::block::{Face, Kind, Machine, Op, TagSet, TagTable};
use tokenweir::text::{Machine as _, Record, Stretch};
use tokenweir::wasm::{batch, block, references};
use tokenweir::xml::TreeOp;
use wasm_bindgen::JsValue;
use wasm_bindgen_test::wasm_bindgen_test;

const REPLY: &str = concat!(
    "Hi <thinking>a < b <b>hm</b></thinking><function_calls>\n",
    r#"<invoke name="search"><parameter name="query"> rain &amp; "snow" </parameter>"#,
    r#"<parameter name="n">5</parameter></invoke><invoke name="x"/></function_calls>"#,
    r#"<function_results><result tool_use_id="t1">5 &lt; 7</result></function_results>done"#,
);

/// Reads a stretch; returns `next`, `held_from` and the records.
type Reader<'a> = dyn FnMut(&str, u32) -> (u32, u32, Vec<Record>) + 'a;

/// Feeds an ASCII text in pieces, and gives the records with their places in the whole text.
fn feed(text: &str, size: usize, read: &mut Reader) -> Vec<Record> {
    let (mut at, mut origin) = (0, 0);
    let mut all: Vec<Record> = Vec::new();
    while at < text.len() {
        let stretch = text.get(at..text.len().min(at + size)).expect("an ASCII text");
        let (next, held_from, records) = read(stretch, (at - origin) as u32);
        for Record { word, start, end } in records {
            let (start, end) = (start + origin as u32, end + origin as u32);
            match all.last_mut() {
                // Where a batch was full, content is split in two.
                Some(last) if Op::of(*last) == Some(Op::Text) && last.word == word && last.end == start => {
                    last.end = end
                }
                _ => all.push(Record { word, start, end }),
            }
        }
        at = origin + next as usize;
        origin += held_from as usize;
    }
    all
}

/// Reads by a machine in Rust.
fn natively(text: &str, size: usize) -> Vec<Record> {
    let tags = TagTable::default();
    let mut machine = Machine::new(Face::Blocks);
    machine.configure(true, false, true);
    feed(text, size, &mut |stretch, held| {
        let mut records = Vec::new();
        let outcome = machine.run(&tags, &mut Stretch::new(stretch.as_bytes(), held, true), &mut records);
        (outcome.next, outcome.held_from, records)
    })
}

/// Reads a stretch as the glue does.
fn over_the_border(stretch: &str, held: u32) -> (u32, u32, Vec<Record>) {
    bytes(batch::input_pointer(), stretch.len()).copy_from(stretch.as_bytes());
    taken(block::block_run(stretch.len(), held, true))
}

/// The outcome and the records that a call left.
fn taken(packed: u32) -> (u32, u32, Vec<Record>) {
    let words = words(batch::records_pointer(), ((packed & tokenweir::text::packed::COUNT_MASK) as usize) * 3);
    let records = words
        .chunks_exact(3)
        .filter_map(|chunk| <[u32; 3]>::try_from(chunk).ok())
        .map(|[word, start, end]| Record { word, start, end })
        .collect();
    let [next, held_from] = outcome();
    (next, held_from, records)
}

fn outcome() -> [u32; 2] {
    words(batch::outcome_pointer(), 2).try_into().expect("two words")
}

/// Where JavaScript sees wasm memory. Looked up each time, since the tests themselves allocate.
fn buffer() -> JsValue {
    Reflect::get(&wasm_bindgen::memory(), &"buffer".into()).expect("memory has a buffer")
}

fn bytes(pointer: usize, length: usize) -> Uint8Array {
    Uint8Array::new_with_byte_offset_and_length(&buffer(), pointer as u32, length as u32)
}

fn words(pointer: usize, length: usize) -> Vec<u32> {
    Uint32Array::new_with_byte_offset_and_length(&buffer(), pointer as u32, length as u32).to_vec()
}

fn begin() {
    block::block_tags_reset(TagSet::Default as u32);
    block::block_start(2 | 8);
}

#[wasm_bindgen_test]
fn records_cross_as_the_machine_says_them() {
    for size in [1, 2, 3, 7, 64, REPLY.len()] {
        begin();
        let crossed = feed(REPLY, size, &mut over_the_border);
        assert!(crossed.len() > 20, "pieces of {size}: {crossed:?}");
        assert_eq!(crossed, natively(REPLY, size), "pieces of {size}");
    }
}

#[wasm_bindgen_test]
fn a_full_batch_goes_on_in_the_next_call() {
    let text = "a<thinking>b</thinking>".repeat(500);
    begin();
    let mut calls = 0;
    let crossed = feed(&text, text.len(), &mut |stretch, held| {
        calls += 1;
        over_the_border(stretch, held)
    });
    assert!(calls > 4, "{calls} calls for {} records, and {} fit", crossed.len(), batch::records_size());
    assert_eq!(crossed, natively(&text, text.len()));
}

#[wasm_bindgen_test]
fn two_parsers_take_turns_in_one_place() {
    let texts = [REPLY, "<thinking>one</thinking>two<function_calls><invoke name=\"y\"></invoke></function_calls>"];
    let place = || bytes(block::block_pointer(), block::block_size());
    begin();
    let start = place().to_vec();
    let mut machines = [start.clone(), start];
    let mut readers = texts.map(|text| (text, 0_usize, 0_usize, Vec::new()));
    while readers.iter().any(|(text, at, ..)| *at < text.len()) {
        for ((text, at, origin, records), machine) in readers.iter_mut().zip(&mut machines) {
            let Some(stretch) = text.get(*at..text.len().min(*at + 2)).filter(|stretch| !stretch.is_empty()) else {
                continue;
            };
            place().copy_from(machine);
            let (next, held_from, emitted) = over_the_border(stretch, (*at - *origin) as u32);
            *machine = place().to_vec();
            records.extend(emitted.iter().map(|record| record.word));
            *at = *origin + next as usize;
            *origin += held_from as usize;
        }
    }
    for (text, _, _, records) in readers {
        let mut machine = Machine::new(Face::Blocks);
        machine.configure(true, false, true);
        let mut expected = Vec::new();
        let tags = TagTable::default();
        feed(text, 2, &mut |stretch, held| {
            let mut emitted = Vec::new();
            let outcome = machine.run(&tags, &mut Stretch::new(stretch.as_bytes(), held, true), &mut emitted);
            expected.extend(emitted.iter().map(|record| record.word));
            (outcome.next, outcome.held_from, emitted)
        });
        assert!(records.len() > 5);
        assert_eq!(records, expected, "{text}");
    }
}

#[wasm_bindgen_test]
fn the_end_completes_the_open_block() {
    begin();
    over_the_border("<thinking>hm", 0);
    let (.., records) = taken(block::block_finish(0, false));
    let last = records.last().copied().and_then(Op::of);
    assert_eq!(last, Some(Op::Complete { is_incomplete: true, is_error: false, is_malformed: false }));
}

#[wasm_bindgen_test]
fn tags_are_added_and_refused() {
    let set = |name: &str, role: &str| {
        bytes(batch::input_pointer(), name.len()).copy_from(name.as_bytes());
        bytes(batch::input_pointer() + name.len(), role.len()).copy_from(role.as_bytes());
        block::block_tags_set(name.len(), role.len())
    };
    let kind = || {
        block::block_start(2);
        let (.., records) = over_the_border("<think>hm", 0);
        match records.first().copied().and_then(Op::of) {
            Some(Op::Start { kind, .. }) => kind,
            other => panic!("no block started: {other:?}"),
        }
    };
    block::block_tags_reset(TagSet::Default as u32);
    assert_eq!(kind(), Kind::Thinking);
    block::block_tags_reset(TagSet::Membrane as u32);
    assert_eq!(kind(), Kind::Text);
    assert_eq!(set("think", "thinking"), 0);
    assert_eq!(kind(), Kind::Thinking);
    assert_eq!(set("think", ""), 0);
    assert_eq!(kind(), Kind::Text);
    assert_eq!(set("", "thinking"), 1);
    assert_eq!(set("a b", "thinking"), 1);
    assert_eq!(set("think", "thoughts"), 2);
    block::block_tags_reset(TagSet::Membrane as u32);
}

#[wasm_bindgen_test]
fn references_in_an_attribute_are_found() {
    let value = "é&lt;🙂&#x41;&no;&";
    bytes(batch::input_pointer(), value.len()).copy_from(value.as_bytes());
    references::references_start();
    let (next, _, mut records) = taken(references::references_run(value.len(), 0, false));
    records.extend(taken(references::references_finish(next, false)).2);
    let units: Vec<u16> = value.encode_utf16().collect();
    let mut decoded = String::new();
    for record in records {
        match TreeOp::of(record) {
            Some(TreeOp::Character(character)) => decoded.push(char::from_u32(character).expect("a character")),
            _ => decoded.push_str(&String::from_utf16_lossy(
                units.get(record.start as usize..record.end as usize).expect("a place in the value"),
            )),
        }
    }
    assert_eq!(decoded, "é<🙂A&no;&");
    assert_eq!(next as usize, units.len());
}
