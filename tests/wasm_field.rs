//! The border of the field parser, in Node and in a browser: what JavaScript
//! reads from wasm memory is what the machine emits.
//!
//! `cargo xtask wasm-test` runs it, see pkg-template/xtask.

#![cfg(all(target_arch = "wasm32", feature = "exports"))]

use js_sys::{Reflect, Uint8Array, Uint32Array};
use tokenweir::field::{Ask, Machine, Mode, Op, Shape};
use tokenweir::json::{Container, Fault, Literal, MOST_LEVELS, Rule, Rules};
use tokenweir::text::{Machine as _, Record, Stretch, packed as layout};
use tokenweir::wasm::{batch, field};
use wasm_bindgen::JsValue;
use wasm_bindgen_test::wasm_bindgen_test;

const REPLY: &str = concat!(
    "Here's it [1]:\n<think>{\"no\": 1}</think>\n```json\n",
    r#"{"title": "a \"b\" \u00e9\ud83d\ude42", "n": [1, -2.5e3, 0xF,], ok: True, "e": "", "x": @oops, 'o': {"p": null}}"#,
    "\n```\nThat is all {of it}.",
);

// The flags of `field_start`.
const STRICT: u32 = 1;
const MULTIPLE: u32 = 2;
const TELLS_NUMBERS: u32 = 4;
const BARE: u32 = 8;
const NULLABLE: u32 = 16;

/// The outcome of a call.
struct Call {
    next: u32,
    held_from: u32,
    asks_key: bool,
    mode: u32,
    could_be_closed: bool,
    records: Vec<Record>,
}

/// Reads a stretch after this many pending units.
type Reader<'a> = dyn FnMut(&str, u32) -> Call + 'a;

/// Feeds an ASCII text in pieces, and gives the records with their places in the whole text.
fn feed(text: &str, size: usize, read: &mut Reader) -> Vec<Record> {
    let (mut at, mut origin) = (0, 0);
    let mut seen_to = 0;
    let mut last = None;
    let mut all = Vec::new();
    while at < text.len() {
        // What the machine waits for comes with a longer stretch.
        let end = text.len().min(at.max(seen_to) + size);
        let stretch = text.get(at..end).expect("an ASCII text");
        let call = read(stretch, (at - origin) as u32);
        let base = origin as u32;
        all.extend(call.records.iter().map(|&Record { word, start, end }| Record {
            word,
            start: start + base,
            end: end + base,
        }));
        at = origin + call.next as usize;
        seen_to = end;
        // At the end nothing more comes.
        if last.replace((at, end)) == Some((at, end)) {
            break;
        }
        origin += call.held_from as usize;
    }
    all
}

/// The same records once the pieces of a text are joined, which may come in two
/// calls. An empty one, with which a string begins, is part of the next.
fn joined(records: &[Record]) -> Vec<Record> {
    let mut joined: Vec<Record> = Vec::new();
    let piece = Op::Piece.at(0, 0).word;
    let key_piece = Op::KeyPiece.at(0, 0).word;
    for &record in records {
        let is_text = record.word == Op::Text.at(0, 0).word || record.word == Op::Key.at(0, 0).word;
        match joined.last_mut() {
            Some(last)
                if (last.word == piece || last.word == key_piece)
                    && last.end == record.start
                    && (is_text || record.word == last.word) =>
            {
                *last = Record { start: last.start, ..record };
            }
            _ => joined.push(record),
        }
    }
    joined
}

/// A machine in Rust that was started alike.
fn machine(flags: u32, shape: Shape, max_depth: u16) -> Machine {
    let rules = if flags & STRICT == 0 { Rules::LENIENT } else { Rules::STRICT };
    // Where it counts what each chunk has, no string waits for what follows it.
    let rules =
        if flags & TELLS_NUMBERS == 0 { rules } else { rules.without(Rule::UnescapedQuote).without(Rule::LoneWord) };
    let mut machine = Machine::new(shape, rules, max_depth);
    machine.configure(flags & NULLABLE != 0, flags & MULTIPLE != 0, flags & TELLS_NUMBERS != 0, flags & BARE != 0);
    machine
}

/// Reads a stretch by a machine in Rust.
fn natively(machine: &mut Machine, stretch: &str, held: u32) -> Call {
    let mut records = Vec::new();
    let outcome = machine.run(&(), &mut Stretch::new(stretch.as_bytes(), held, true), &mut records);
    Call {
        next: outcome.next,
        held_from: outcome.held_from,
        asks_key: outcome.ask.is_some(),
        mode: machine.mode() as u32,
        could_be_closed: machine.could_be_closed(),
        records,
    }
}

/// Reads a stretch as the glue does.
fn over_the_border(stretch: &str, held: u32) -> Call {
    bytes(batch::input_pointer(), stretch.len()).copy_from(stretch.as_bytes());
    taken(field::field_run(stretch.len(), held, stretch.is_ascii()))
}

/// What a call left: its packed bits, the outcome and the records.
fn taken(packed: u32) -> Call {
    let records = words(batch::records_pointer(), (packed & layout::COUNT_MASK) as usize * 3)
        .chunks_exact(3)
        .filter_map(|chunk| <[u32; 3]>::try_from(chunk).ok())
        .map(|[word, start, end]| Record { word, start, end })
        .collect();
    let [next, held_from] = words(batch::outcome_pointer(), 2).try_into().expect("two words");
    Call {
        next,
        held_from,
        asks_key: packed >> layout::ASK_SHIFT & layout::ASK_MASK == Ask::Key as u32,
        mode: packed >> layout::MODE_SHIFT & layout::MODE_MASK,
        could_be_closed: packed >> layout::FLAGS_SHIFT & 1 != 0,
        records,
    }
}

fn ops(records: &[Record]) -> Vec<Op> {
    records.iter().map(|&record| Op::of(record).expect("a known op")).collect()
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

#[wasm_bindgen_test]
fn records_cross_as_the_machine_says_them() {
    for flags in [0, STRICT, MULTIPLE, TELLS_NUMBERS, STRICT | MULTIPLE | TELLS_NUMBERS | NULLABLE] {
        for size in [1, 2, 3, 7, 64, REPLY.len()] {
            field::field_start(flags, Shape::Any as usize, 512);
            let mut machine = machine(flags, Shape::Any, 512);
            let crossed = feed(REPLY, size, &mut |stretch, held| {
                let (here, there) = (over_the_border(stretch, held), natively(&mut machine, stretch, held));
                assert_eq!(here.mode, there.mode, "{stretch:?}");
                assert_eq!(here.could_be_closed, there.could_be_closed, "{stretch:?}");
                assert_eq!((here.next, here.held_from), (there.next, there.held_from), "{stretch:?}");
                assert_eq!(here.records, there.records, "{stretch:?}");
                here
            });
            assert!(crossed.len() > 30, "flags {flags}, pieces of {size}: {crossed:?}");
            assert_eq!(field::field_rules(), machine.used().bits());
        }
    }
}

#[wasm_bindgen_test]
fn what_crosses_is_what_was_written() {
    field::field_start(0, Shape::Any as usize, 512);
    let records = feed(REPLY, REPLY.len(), &mut over_the_border);
    let found = ops(&records);
    let array = [Op::Candidate, Op::Push(Container::Array), Op::Number, Op::Pop, Op::Fallback];
    assert_eq!(found.get(..7), Some(&[&array[..], &[Op::Candidate, Op::Push(Container::Object)]].concat()[..]));
    for op in [
        Op::Confirm,
        Op::Character(0x22),
        Op::Character(0xE9),
        Op::Character(0x1F642),
        Op::Word(Literal::True),
        Op::Word(Literal::Null),
        Op::Stumble,
        Op::Fault(Fault::Unexpected),
        Op::End,
    ] {
        assert!(found.contains(&op), "{op:?} is not in {found:?}");
    }
    let there = |op: Op| -> Vec<&str> {
        records
            .iter()
            .filter(|record| record.word == op.at(0, 0).word)
            .filter_map(|record| REPLY.get(record.start as usize..record.end as usize))
            .collect()
    };
    // The first is in thinking, which is read since it may never close.
    assert_eq!(there(Op::Key), ["no", "title", "n", "ok", "e", "x", "o", "p"]);
    assert_eq!(there(Op::Number), ["1", "1", "1", "-2.5e3", "0xF"]);
    let rules = [Rule::TrailingComma, Rule::SingleQuotes, Rule::UnquotedKey, Rule::HexNumber, Rule::PythonWord];
    assert_eq!(field::field_rules(), rules.into_iter().fold(Rules::STRICT, Rules::with).bits());
}

#[wasm_bindgen_test]
fn a_full_batch_goes_on_in_the_next_call() {
    let text = format!("[{}]", "{\"a\":\"\\n\",\"b\":1},".repeat(300));
    field::field_start(0, Shape::Any as usize, 512);
    let mut calls = 0;
    let crossed = feed(&text, text.len(), &mut |stretch, held| {
        calls += 1;
        over_the_border(stretch, held)
    });
    assert!(calls > 4, "{calls} calls for {} records, and {} fit", crossed.len(), batch::records_size());
    let mut machine = machine(0, Shape::Any, 512);
    let expected = feed(&text, text.len(), &mut |stretch, held| natively(&mut machine, stretch, held));
    assert_eq!(joined(&crossed), joined(&expected));
    assert_eq!(ops(&crossed).iter().filter(|&&op| op == Op::Number).count(), 300);
}

#[wasm_bindgen_test]
fn parsers_take_turns_in_one_place() {
    let texts = [
        (REPLY, 0),
        ("[1, 2, {\"a\": [\"b\"]}] and {\"c\": tru", MULTIPLE),
        ("{'a': 1} {\"b\": 2}", STRICT | TELLS_NUMBERS),
    ];
    let place = || bytes(field::field_pointer(), field::field_size());
    // JavaScript swaps whole words.
    assert_eq!(field::field_size() % 4, 0);
    assert_eq!(field::field_pointer() % 4, 0);
    let mut parsers = texts.map(|(text, flags)| {
        field::field_start(flags, Shape::Any as usize, 512);
        (text, flags, 0_usize, 0_usize, Vec::new(), place().to_vec(), 0_usize)
    });
    while parsers.iter().any(|(text, _, at, ..)| *at < text.len()) {
        for (text, _, at, origin, emitted, machine, seen_to) in &mut parsers {
            let end = text.len().min((*at).max(*seen_to) + 2);
            let Some(stretch) = text.get(*at..end).filter(|stretch| !stretch.is_empty()) else {
                continue;
            };
            *seen_to = end;
            place().copy_from(machine);
            let call = over_the_border(stretch, (*at - *origin) as u32);
            *machine = place().to_vec();
            emitted.extend(call.records.iter().map(|record| record.word));
            *at = *origin + call.next as usize;
            *origin += call.held_from as usize;
        }
    }
    for (text, flags, _, _, emitted, ..) in parsers {
        let mut machine = machine(flags, Shape::Any, 512);
        let mut expected = Vec::new();
        feed(text, 2, &mut |stretch, held| {
            let call = natively(&mut machine, stretch, held);
            expected.extend(call.records.iter().map(|record| record.word));
            call
        });
        assert!(emitted.len() > 5, "{text}");
        assert_eq!(emitted, expected, "{text}");
    }
}

#[wasm_bindgen_test]
fn the_first_key_is_asked_for() {
    for (agrees, last) in [(true, Op::End), (false, Op::Fallback)] {
        field::field_start(0, Shape::Object as usize, 512);
        let text = "So {\"a\": [1]}";
        let call = over_the_border(text, 0);
        assert!(call.asks_key);
        assert_eq!(ops(&call.records), [Op::Candidate, Op::Push(Container::Object), Op::Key]);
        assert!(field::field_answer(u32::from(agrees), 0));
        let (next, held_from) = (call.next as usize, call.held_from);
        assert_eq!(text.get(next..), Some(": [1]}"));
        let call = over_the_border(": [1]}", next as u32 - held_from);
        assert!(!call.asks_key);
        assert_eq!(ops(&call.records).last(), Some(&last), "{:?}", ops(&call.records));
    }
}

#[wasm_bindgen_test]
fn flags_and_shapes_arrive() {
    let emitted = |flags: u32, shape: Shape, max_depth: u16, text: &str| {
        field::field_start(flags, shape as usize, max_depth);
        let records = feed(text, text.len(), &mut over_the_border);
        let ops = ops(&records);
        (ops.iter().filter(|&&op| op == Op::Confirm).count(), ops.contains(&Op::CutNumber), ops.contains(&Op::Stumble))
    };
    assert_eq!(emitted(0, Shape::Any, 512, "{'a': 1}"), (1, false, false));
    assert_eq!(emitted(STRICT, Shape::Any, 512, "{'a': 1}"), (0, false, false));
    assert_eq!(emitted(0, Shape::Any, 512, "{\"a\":1} {\"b\":2}").0, 1);
    assert_eq!(emitted(MULTIPLE, Shape::Any, 512, "{\"a\":1} {\"b\":2}").0, 2);
    assert_eq!(emitted(0, Shape::Any, 512, "{\"a\": 12"), (0, false, false));
    assert_eq!(emitted(TELLS_NUMBERS, Shape::Any, 512, "{\"a\": 12"), (1, true, false));
    assert_eq!(emitted(0, Shape::Any, 1, "{\"a\": 1, \"b\": []}"), (1, false, true));
    assert_eq!(emitted(0, Shape::Any, 2, "{\"a\": 1, \"b\": []}"), (1, false, false));
    assert_eq!(emitted(0, Shape::Any, MOST_LEVELS, &"[".repeat(4_096)), (1, false, false));
    assert_eq!(emitted(0, Shape::ArrayOfStrings, 512, "[null]").0, 0);
    assert_eq!(emitted(NULLABLE, Shape::ArrayOfStrings, 512, "[null]").0, 1);
    assert_eq!(emitted(0, Shape::ArrayOfNumbers, 512, "[\"a\"]").0, 0);
    assert_eq!(emitted(0, Shape::ArrayOfStrings, 512, "[\"a\"]").0, 1);
    // One value and nothing else needs no finding.
    field::field_start(BARE, Shape::Any as usize, 512);
    assert_eq!(ops(&over_the_border("\"a\" ", 0).records), [Op::Text, Op::End]);
}

#[wasm_bindgen_test]
fn the_end_emits_what_is_pending() {
    field::field_start(0, Shape::Any as usize, 512);
    let call = over_the_border("{\"a\": true, \"b\": -12.5", 0);
    let held = "{\"a\": true, \"b\": -12.5".len() as u32 - call.held_from;
    let call = taken(field::field_finish(held, false));
    assert_eq!(call.records, [Op::CutNumber.at(0, held)]);
    assert_eq!(call.next, held);

    // A candidate that fails at the end must be read again from after its bracket.
    let text = "x {\"[true]";
    field::field_start(0, Shape::Any as usize, 512);
    let call = over_the_border(text, 0);
    let held = text.len() as u32 - call.held_from;
    let call = taken(field::field_finish(held, false));
    assert_eq!(ops(&call.records).last(), Some(&Op::Drop));
    assert_eq!((call.next, call.held_from), (1, 1));
    let call = over_the_border("\"[true]", 0);
    assert_eq!(ops(&call.records).last(), Some(&Op::End));
    assert_eq!(taken(field::field_finish(0, false)).next, 0);
}

#[wasm_bindgen_test]
fn modes_say_what_needs_no_reading() {
    field::field_start(0, Shape::Any as usize, 512);
    assert_eq!(over_the_border(" ", 0).mode, Mode::Read as u32);
    assert_eq!(over_the_border("Hm ", 0).mode, Mode::Prose as u32);
    let call = over_the_border("{\"a\": \"b", 0);
    assert_eq!(call.mode, Mode::String as u32);
    assert!(call.could_be_closed);
    assert!(over_the_border("c\"", 0).could_be_closed);
    // The quote waited for what follows it.
    assert!(!over_the_border("\", \"d\":", 0).could_be_closed);
}
