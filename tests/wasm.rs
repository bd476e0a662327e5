//! The border, in Node and in a browser: what JavaScript reads from wasm
//! memory is what the machine emits. tests/pkg has the rest of it, through the package.
//!
//! `cargo xtask wasm-test` runs it, see pkg-template/xtask.

#![cfg(all(target_arch = "wasm32", feature = "exports"))]

use js_sys::{Reflect, Uint8Array, Uint32Array};
use tokenweir::block::{Face, Machine, Op, Settings, TagSet, TagTable};
use tokenweir::text::{Machine as _, Record, Stretch};
use tokenweir::wasm::{batch, block};
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
    let mut machine = Machine::new(Settings { marks: true, ..Settings::new(Face::Blocks) });
    feed(text, size, &mut |stretch, held| {
        let mut records = Vec::new();
        let outcome = machine.run(&tags, &mut Stretch::new(stretch.as_bytes(), held, true), &mut records);
        (outcome.next, outcome.held_from, records)
    })
}

/// Reads a stretch as the glue does.
fn over_the_border(stretch: &str, held: u32) -> (u32, u32, Vec<Record>) {
    let input =
        Uint8Array::new_with_byte_offset_and_length(&buffer(), batch::input_pointer() as u32, stretch.len() as u32);
    input.copy_from(stretch.as_bytes());
    let packed = block::block_run(stretch.len(), held, true);
    let words = words(batch::records_pointer(), ((packed & tokenweir::text::packed::COUNT_MASK) as usize) * 3);
    let records = words
        .chunks_exact(3)
        .filter_map(|chunk| <[u32; 3]>::try_from(chunk).ok())
        .map(|[word, start, end]| Record { word, start, end })
        .collect();
    let [next, held_from]: [u32; 2] = self::words(batch::outcome_pointer(), 2).try_into().expect("two words");
    (next, held_from, records)
}

/// Where JavaScript sees wasm memory. Looked up each time, since the tests themselves allocate.
fn buffer() -> JsValue {
    Reflect::get(&wasm_bindgen::memory(), &"buffer".into()).expect("memory has a buffer")
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
