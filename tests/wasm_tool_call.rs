//! The border of the tool-call parser, and of the readers of whole JSON texts
//! and elements, in Node and in a browser: what JavaScript reads from wasm
//! memory is what the machines emit.
//!
//! `cargo xtask wasm-test` runs it, see pkg-template/xtask.

#![cfg(all(target_arch = "wasm32", feature = "exports"))]

use js_sys::{Reflect, Uint8Array, Uint32Array};
use tokenweir::format::{Start, Table};
use tokenweir::json::{JsonOp, JsonReading, Rule, Rules};
use tokenweir::text::{Machine as _, Record, Stretch, packed as layout};
use tokenweir::tool_call::{Answer, Machine, Mode, Op, Why, hermes_row, morph_row};
use tokenweir::wasm::{batch, format, json, xml};
use tokenweir::xml::{Tree, TreeAsk, TreeFault, TreeFlow, TreeOp};
use wasm_bindgen::JsValue;
use wasm_bindgen_test::wasm_bindgen_test;

const HERMES: &str = concat!(
    "a < b, `<tool_call>` [1] <tool_call> \n{\"name\": \"say\", \"arguments\": {\"text\": \"a \"b\" c\\n\\u00e9\", \"n\": [1, -007, True, {}]}}",
    "</tool_call>",
    "<tool_call>{\"arguments\": \"{\\\"a\\\": 1}\", \"name\": \"s\\u0061y\", \"x\": 1</tool_call>",
    "<tool_call>[{\"name\": \"say\"}, {name: 'say', parameters: null}]</tool_call>",
    "<tool_call>{,}</tool_call> <tool_call>{\"name\": 1}</tool_call>",
    "<tool_call>{\"name\": \"say\", \"arguments\": {\"text\": \"never</tool_call> and more",
);

const MORPH: &str = concat!(
    "a < b, <say> is a tool: <say loud='&lt;' now><text>1 < 2 &amp; <b></b><![CDATA[</text>]]></text>\n<n/></say>",
    "<say/><say><text>x</text>, no<say ><text>y</text></say ></say>",
    "<get></get><say><text>never</say> and more",
);

/// The outcome of a call.
#[derive(Debug, PartialEq)]
struct Call {
    next: u32,
    held_from: u32,
    asks: bool,
    mode: u32,
    waits: bool,
    records: Vec<Record>,
}

/// Reads a stretch after this many pending units, or the end.
type Reader<'a> = dyn FnMut(Option<&str>, u32) -> Call + 'a;

/// Feeds an ASCII text in pieces to its end, and gives the records with their
/// places in the whole text. Pending text is read again with the next piece.
fn feed(text: &str, size: usize, read: &mut Reader) -> Vec<Record> {
    let (mut at, mut end, mut origin) = (0, 0, 0);
    let (mut all, mut has_finished) = (Vec::new(), false);
    loop {
        end = text.len().min(end + size);
        loop {
            let call = read(text.get(at..end), (at - origin) as u32);
            take(&mut all, &call, &mut origin, &mut at);
            if !call.asks && (at == end || call.waits) {
                break;
            }
        }
        if end < text.len() {
            continue;
        }
        assert!(!has_finished || at == end, "text is pending after its end");
        has_finished = true;
        let call = read(None, (end - origin) as u32);
        take(&mut all, &call, &mut origin, &mut at);
        if at == end {
            return all;
        }
    }
}

/// Takes the records of a call, and goes on where it ended.
fn take(all: &mut Vec<Record>, call: &Call, origin: &mut usize, at: &mut usize) {
    let base = *origin as u32;
    let moved = |&Record { word, start, end }: &Record| {
        // The first number of `Done` is not a place.
        let start = if word & 0xFF == (Op::Done { repairs: 0 }).at(0, 0).word { start } else { start + base };
        Record { word, start, end: end + base }
    };
    all.extend(call.records.iter().map(moved));
    *at = *origin + call.next as usize;
    *origin += call.held_from as usize;
}

/// The records with neighbouring pieces joined, which may come in two calls.
fn joined(records: &[Record]) -> Vec<Record> {
    let pieces = [Op::Text.word(), Op::Failed.word(), JsonOp::Piece as u32, TreeOp::Text.word()];
    let mut all: Vec<Record> = Vec::new();
    for &record in records {
        match all.last_mut() {
            Some(last) if pieces.contains(&record.word) && last.word == record.word && last.end == record.start => {
                last.end = record.end;
            }
            _ => all.push(record),
        }
    }
    all
}

/// Starts the machine at the border, and one like it.
fn start(is_morph: bool) -> (Machine, Table) {
    let mut table = Table::NOTHING;
    format::format_names_clear();
    for name in ["get", "say"] {
        assert!(table.names.add(name.as_bytes()) && add_name(name));
    }
    let (first, last) = if is_morph { ("", "") } else { ("<tool_call>", "</tool_call>") };
    assert!(start_between(first, last) && table.add(&row(first, last)));
    (Machine::new(Start::Turn, true, false), table)
}

fn row(first: &str, last: &str) -> Vec<u8> {
    if first.is_empty() && last.is_empty() { morph_row(false) } else { hermes_row(first, last) }
}

/// Loads the row, which parsers of the same protocol share.
fn load(first: &str, last: &str) -> bool {
    let row = row(first, last);
    write(&row);
    format::format_rows_clear();
    format::format_rows_add(row.len())
}

fn load_protocol(is_morph: bool) -> bool {
    if is_morph { load("", "") } else { load("<tool_call>", "</tool_call>") }
}

fn start_between(first: &str, last: &str) -> bool {
    let fits = load(first, last);
    format::format_start(Start::Turn as u32, true, false);
    fits
}

fn add_name(name: &str) -> bool {
    write(name.as_bytes());
    format::format_names_add(name.len())
}

/// Calls are calls, and arguments of elements are raw.
fn answer(is_morph: bool) -> Answer {
    if is_morph { Answer::Text } else { Answer::Accept }
}

fn natively(machine: &mut Machine, table: &Table, is_morph: bool, stretch: Option<&str>, held: u32) -> Call {
    let mut records = Vec::new();
    let outcome = match stretch {
        Some(stretch) => machine.run(table, &mut Stretch::new(stretch.as_bytes(), held, true), &mut records),
        None => machine.finish(held, &mut records),
    };
    let mode = machine.mode() as u32;
    if outcome.ask.is_some() {
        machine.answer(answer(is_morph));
    }
    Call {
        next: outcome.next,
        held_from: outcome.held_from,
        asks: outcome.ask.is_some(),
        mode,
        waits: outcome.waits,
        records,
    }
}

/// Reads a stretch as the glue does.
fn over_the_border(is_morph: bool, stretch: Option<&str>, held: u32) -> Call {
    let call = match stretch {
        Some(stretch) => {
            write(stretch.as_bytes());
            taken(format::format_run(stretch.len(), held, stretch.is_ascii()))
        }
        None => taken(format::format_finish(held, false)),
    };
    if call.asks {
        assert!(format::format_answer(answer(is_morph) as u32, 0));
    }
    call
}

/// What a call left: its packed bits, the outcome and the records.
fn taken(packed: u32) -> Call {
    let (records, [next, held_from]) = (records(packed), outcome());
    let (asks, waits) = (packed >> layout::ASK_SHIFT & layout::ASK_MASK != 0, packed & layout::WAITS != 0);
    Call { next, held_from, asks, mode: packed >> layout::MODE_SHIFT & layout::MODE_MASK, waits, records }
}

fn records(packed: u32) -> Vec<Record> {
    words(batch::records_pointer(), (packed & layout::COUNT_MASK) as usize * 3)
        .chunks_exact(3)
        .filter_map(|chunk| <[u32; 3]>::try_from(chunk).ok())
        .map(|[word, start, end]| Record { word, start, end })
        .collect()
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

/// Writes into the input buffer.
fn write(text: &[u8]) {
    assert!(text.len() <= batch::input_size());
    bytes(batch::input_pointer(), text.len()).copy_from(text);
}

fn has(records: &[Record], op: Op) -> bool {
    records.iter().any(|&record| Op::of(record) == Some(op))
}

fn calls_in(records: &[Record]) -> usize {
    records.iter().filter(|&&record| matches!(Op::of(record), Some(Op::Done { .. }))).count()
}

fn count(records: &[Record], op: Op) -> usize {
    records.iter().filter(|&&record| Op::of(record) == Some(op)).count()
}

#[wasm_bindgen_test]
fn records_cross_as_the_machine_says_them() {
    for (text, is_morph) in [(HERMES, false), (MORPH, true)] {
        for size in [1, 2, 3, 7, 64, text.len()] {
            let (mut machine, table) = start(is_morph);
            let mut calls = 0;
            feed(text, size, &mut |stretch, held| {
                let here = over_the_border(is_morph, stretch, held);
                let there = natively(&mut machine, &table, is_morph, stretch, held);
                assert_eq!(here, there, "{stretch:?} in pieces of {size}");
                assert_eq!(format::format_is_in_call(), machine.is_in_call());
                calls += 1;
                here
            });
            assert!(calls > text.len() / size);
        }
    }
}

#[wasm_bindgen_test]
fn what_crosses_is_what_was_written() {
    start(false);
    let crossed = feed(HERMES, HERMES.len(), &mut |stretch, held| over_the_border(false, stretch, held));
    assert_eq!((calls_in(&crossed), count(&crossed, Op::End)), (4, 3));
    for op in [
        Op::Check { row: 0 },
        Op::Quoted,
        Op::NameCharacter(u32::from(b'a')),
        Op::Fail(Why::Malformed),
        Op::Fail(Why::NoName),
        Op::Fail(Why::Unfinished),
        Op::FailEnd { is_cut: false },
    ] {
        assert!(has(&crossed, op), "{op:?} is not in {crossed:?}");
    }
    start(true);
    let crossed = feed(MORPH, MORPH.len(), &mut |stretch, held| over_the_border(true, stretch, held));
    assert_eq!((calls_in(&crossed), count(&crossed, Op::NoCall)), (5, 1));
    let said: Vec<_> = crossed.iter().filter_map(|&record| TreeOp::of(record)).collect();
    for op in [TreeOp::Value, TreeOp::CData, TreeOp::Character(38), TreeOp::Close] {
        assert!(said.contains(&op), "{op:?} is not in {said:?}");
    }
    // All of it is emitted, in order.
    for text in [HERMES, MORPH] {
        let is_morph = text == MORPH;
        start(is_morph);
        let crossed = feed(text, 5, &mut |stretch, held| over_the_border(is_morph, stretch, held));
        let tiles = crossed.iter().filter(|&&record| matches!(Op::of(record), Some(Op::Text | Op::End | Op::Failed)));
        let end = tiles.fold(0, |at, record| {
            assert_eq!(record.start, at);
            record.end
        });
        assert_eq!(end as usize, text.len());
    }
}

#[wasm_bindgen_test]
fn a_full_batch_goes_on_in_the_next_call() {
    let call = "<tool_call>{\"name\":\"say\",\"arguments\":{\"a\":[1,2,3,\"x\"],\"b\":{}}}</tool_call>";
    let element = "<say a='1'><text>x &amp; y</text><n/></say>";
    for (unit, is_morph) in [(call, false), (element, true)] {
        let text = unit.repeat(100);
        let (mut machine, table) = start(is_morph);
        let mut calls = 0;
        let crossed = feed(&text, text.len(), &mut |stretch, held| {
            calls += 1;
            over_the_border(is_morph, stretch, held)
        });
        // Each question ends a call as well.
        assert!(calls > 100 && crossed.len() > 1_000, "{calls} calls, {} records", crossed.len());
        let expected =
            feed(&text, text.len(), &mut |stretch, held| natively(&mut machine, &table, is_morph, stretch, held));
        assert_eq!(joined(&crossed), joined(&expected));
        assert_eq!(calls_in(&crossed), 100);
    }
    // Without questions a batch is full.
    let (mut machine, table) = start(false);
    let text = format!("<tool_call>{{\"name\":\"say\",\"arguments\":{{\"a\":[{}]}}}}</tool_call>", "1,".repeat(2_000));
    let mut calls = 0;
    let crossed = feed(&text, text.len(), &mut |stretch, held| {
        calls += 1;
        over_the_border(false, stretch, held)
    });
    assert!(calls > 4, "{calls} calls");
    let expected = feed(&text, text.len(), &mut |stretch, held| natively(&mut machine, &table, false, stretch, held));
    assert_eq!(joined(&crossed), joined(&expected));
}

#[wasm_bindgen_test]
fn parsers_take_turns_in_one_place() {
    let place = || bytes(format::format_pointer(), format::format_size());
    // JavaScript swaps whole words.
    assert_eq!((format::format_size() % 4, format::format_pointer() % 4), (0, 0));
    let texts = [(HERMES, false), (MORPH, true), ("x<tool_call>{\"name\":\"say\"} <tool_call>{\"name\":\"x", false)];
    let mut parsers = texts.map(|(_, is_morph)| {
        start(is_morph);
        (0_usize, 0_usize, 0_usize, Vec::new(), place().to_vec())
    });
    for round in 0..HERMES.len() {
        for ((text, is_morph), (at, end, origin, emitted, machine)) in texts.iter().zip(&mut parsers) {
            if round * 2 >= text.len() {
                continue;
            }
            *end = text.len().min(*end + 2);
            loop {
                assert!(load_protocol(*is_morph));
                place().copy_from(machine);
                let call = over_the_border(*is_morph, text.get(*at..*end), (*at - *origin) as u32);
                *machine = place().to_vec();
                take(emitted, &call, origin, at);
                if !call.asks && (*at == *end || call.waits) {
                    break;
                }
            }
        }
    }
    for ((text, is_morph), (_, end, _, emitted, _)) in texts.into_iter().zip(parsers) {
        assert_eq!(end, text.len());
        let (mut machine, table) = start(is_morph);
        let mut expected = feed(text, 2, &mut |stretch, held| natively(&mut machine, &table, is_morph, stretch, held));
        // Everything except the events of the end.
        assert!(emitted.len() > 5 && emitted.len() < expected.len(), "{text}");
        expected.truncate(emitted.len());
        assert_eq!(emitted, expected, "{text}");
    }
}

#[wasm_bindgen_test]
fn tags_and_names_arrive() {
    let calls = |text: &str, is_morph: bool| {
        let crossed = feed(text, text.len(), &mut |stretch, held| over_the_border(is_morph, stretch, held));
        calls_in(&crossed)
    };
    assert!(start_between("[T]", "[/T]"));
    assert_eq!(calls("[T]{\"name\":\"x\"}[/T]<tool_call>{\"name\":\"x\"}</tool_call>", false), 1);
    assert!(start_between(&"x".repeat(255), "y"));
    assert!(!start_between(&"x".repeat(256), "y") && !start_between("x", "") && !start_between("", "x"));
    start(true);
    assert_eq!(calls("<say/><get/><sayer/><other/>", true), 2);
    // What can't be a name, and the end of the room.
    assert!(!add_name("") && !add_name("a\tb") && !add_name("a<") && !add_name(&"x".repeat(121)));
    assert!(add_name("tool") && add_name(&"x".repeat(120)));
    format::format_names_clear();
    assert!(start_between("", ""));
    assert_eq!(calls("<say/><get/>", true), 0);
    let added = (0..1_100).filter(|at| add_name(&format!("t{at:04}"))).count();
    assert_eq!(added, 1_024);
    format::format_names_clear();
    let long = |at: i32| format!("{at:0120}");
    assert_eq!((0..300).filter(|&at| add_name(&long(at))).count(), 32_768 / 120);
}

#[wasm_bindgen_test]
fn answers_arrive() {
    let emitted = |answer: u32| {
        start(false);
        let text = "<tool_call>{\"name\":\"say\"}</tool_call>";
        let mut answers = [answer, Answer::Accept as u32].into_iter();
        let (mut rest, mut held, mut records) = (text, 0, Vec::new());
        loop {
            write(rest.as_bytes());
            let call = taken(format::format_run(rest.len(), held, true));
            records.extend(call.records);
            if !call.asks {
                return records;
            }
            // About the name, and about the whole without arguments.
            format::format_answer(answers.next().expect("two questions"), 0);
            rest = rest.get((call.next - held) as usize..).unwrap_or_default();
            held = call.next - call.held_from;
        }
    };
    assert!(has(&emitted(Answer::Accept as u32), Op::Done { repairs: 0 }));
    assert!(has(&emitted(Answer::Reject as u32), Op::Fail(Why::Rejected)));
    assert!(has(&emitted(Answer::Malformed as u32), Op::Fail(Why::NoName)));
    assert!(has(&emitted(99), Op::Fail(Why::NoName)));
    let inside = |answer: Answer| {
        start(true);
        let text = "<say><get>a<b>c</b></get></say>";
        let crossed = feed(text, text.len(), &mut |stretch, held| {
            let Some(stretch) = stretch else { return taken(format::format_finish(held, false)) };
            write(stretch.as_bytes());
            let call = taken(format::format_run(stretch.len(), held, true));
            if call.asks {
                format::format_answer(answer as u32, 0);
            }
            call
        });
        let opened = crossed.iter().filter(|&&record| TreeOp::of(record) == Some(TreeOp::Open)).count();
        (opened, has(&crossed, Op::Fail(Why::Nested)))
    };
    assert_eq!(inside(Answer::Accept), (3, false));
    assert_eq!(inside(Answer::Text), (2, false));
    assert!(inside(Answer::Nested).1);
}

#[wasm_bindgen_test]
fn a_segment_is_given_up_and_text_is_passed() {
    start(false);
    let text = "x<tool_call>{\"name\":\"say\",\"a\":\"";
    write(text.as_bytes());
    let mut call = taken(format::format_run(text.len(), 0, true));
    assert_eq!((call.asks, call.waits), (true, false));
    format::format_answer(Answer::Accept as u32, 0);
    let rest = text.get(call.next as usize..).unwrap_or_default();
    write(rest.as_bytes());
    let read = call.next - call.held_from;
    call = taken(format::format_run(rest.len(), read, true));
    assert_eq!((call.mode, format::format_is_in_call()), (Mode::Silent as u32, true));
    let held = read + rest.len() as u32 - call.held_from;
    assert_eq!(held as usize, text.len() - 1);
    // More of the string needs no reading; all of it is buffered.
    let call = taken(format::format_give_up(held + 5));
    assert_eq!((call.next, call.held_from, format::format_is_in_call()), (held + 5, held + 5, false));
    let said = [Op::Fail(Why::TooLong), Op::Failed, Op::FailEnd { is_cut: false }];
    assert_eq!(call.records.iter().filter_map(|&record| Op::of(record)).collect::<Vec<_>>(), said);
    // Reasoning may begin here.
    assert_eq!(call.mode, Mode::Read as u32);
    format::format_pass(1_000);
    write(b"y<tool");
    let call = taken(format::format_run(6, 0, true));
    assert_eq!((call.next, call.held_from, call.waits), (1, 1, true));
    assert_eq!(call.records, [Op::Text.at(0, 1)]);
}

#[wasm_bindgen_test]
fn json_texts_cross_as_they_are() {
    let long = format!("[{}null]", "{\"é\": \"a\\u0062\\ud83d\\ude42水\", \"n\": [1, -2.5e3]}, ".repeat(120));
    let texts = [
        long.as_str(),
        "{a: 'x', /* c */ b: True, c: 007,}",
        "[1,, 2 3]",
        "{\"a\\q\": \"say \"hi\"\"}",
        "tru",
        "{\"a\": [1",
        "",
    ];
    let rules = [Rules::STRICT, Rules::RELAXED, Rules::TOLERANT, Rules::CALL.without(Rule::UnescapedQuote)];
    let mut faults = 0;
    for text in texts {
        for (number, rules) in rules.into_iter().enumerate() {
            let length = text.encode_utf16().count() as u32;
            let mut reading = JsonReading::new(rules, 512);
            let mut expected = Vec::new();
            reading.run(&(), &mut Stretch::new(text.as_bytes(), 0, false), &mut expected);
            reading.finish(length, &mut expected);
            json::json_start(number as u32, false);
            let units: Vec<u16> = text.encode_utf16().collect();
            let (mut at, mut found, mut has_failed) = (0, Vec::new(), false);
            while at < units.len() && !has_failed {
                let rest = String::from_utf16(units.get(at..).unwrap_or_default()).expect("whole characters");
                write(rest.as_bytes());
                let packed = json::json_run(rest.len(), at as u32, false);
                found.extend(records(packed));
                has_failed = packed >> layout::FLAGS_SHIFT & 1 != 0;
                at = outcome()[0] as usize;
            }
            if !has_failed {
                let packed = json::json_finish(length, false);
                found.extend(records(packed));
                has_failed = packed >> layout::FLAGS_SHIFT & 1 != 0;
            }
            assert_eq!(joined(&found), joined(&expected), "{text} by {number}");
            assert_eq!((has_failed, json::json_rules()), (reading.has_failed(), reading.used().bits()), "{text}");
            assert_eq!(has_failed, found.last().and_then(|&last| JsonOp::of(last)) == Some(JsonOp::Fault));
            faults += usize::from(has_failed);
        }
    }
    assert!(faults > 8 && faults < 24, "{faults} faults");
}

#[wasm_bindgen_test]
fn a_json_value_in_a_text_crosses_with_its_end() {
    for (text, bits, next) in
        [("{\"é\": 1} x", 0b010, 8), ("{a b} x", 0b011, 5), ("{\"a\": 1", 0b101, 7), ("{\"a\":", 0b001, 5)]
    {
        json::json_start(3, true);
        write(text.as_bytes());
        let mut packed = json::json_run(text.len(), 0, false);
        if packed >> (layout::FLAGS_SHIFT + 1) & 1 == 0 {
            packed = json::json_finish(text.encode_utf16().count() as u32, false) | packed & 1 << layout::FLAGS_SHIFT;
        }
        assert_eq!(
            (packed >> layout::FLAGS_SHIFT, outcome()[0]),
            (bits, if bits & 2 == 0 { text.len() as u32 } else { next }),
            "{text}"
        );
    }
}

/// The records of the elements of a text; those whose name begins with `r` are raw.
fn elements(text: &str) -> Vec<Record> {
    let mut tree = Tree::START;
    let mut stretch = Stretch::new(text.as_bytes(), 0, false);
    let mut all = Vec::new();
    loop {
        match tree.advance(&mut stretch, &mut all) {
            TreeFlow::Ask => {
                let is_raw = is_raw(text, &all);
                tree.answer(is_raw, stretch.here(), &mut all);
            }
            TreeFlow::Back(unit) => assert!(stretch.go_back_to(unit)),
            TreeFlow::Go | TreeFlow::Abandoned | TreeFlow::Fault(TreeFault::LooseLess | TreeFault::StrayCloser) => {}
            TreeFlow::Fault(TreeFault::OwnTag) => {}
            TreeFlow::Fault(_) | TreeFlow::Over => return all,
            TreeFlow::Stop | TreeFlow::Wait => break,
        }
    }
    assert!(tree.finish(text.encode_utf16().count() as u32, &mut all));
    all
}

/// Whether the tag that was opened last is of a raw element.
fn is_raw(text: &str, emitted: &[Record]) -> bool {
    let open = emitted.iter().rev().find(|&&record| TreeOp::of(record) == Some(TreeOp::Open));
    let first = open.and_then(|open| text.encode_utf16().nth(open.start as usize));
    first == Some(u16::from(b'r'))
}

#[wasm_bindgen_test]
fn elements_cross_as_they_are() {
    let long = "<a é='1' b>x &amp; 水🙂<r><b></r><![CDATA[<y>]]><!-- c --></a> ".repeat(60);
    let deep = "<a>".repeat(513);
    let texts = [long.as_str(), "1 < 2 </x> <r>a<r>b</r> <a <b", "<a><b>1</a>", deep.as_str(), "<r>&am", ""];
    for text in texts {
        let units: Vec<u16> = text.encode_utf16().collect();
        let (mut at, mut found, mut calls, mut is_over) = (0, Vec::new(), 0, false);
        xml::tree_start();
        while at < units.len() && !is_over {
            let rest = String::from_utf16(units.get(at..).unwrap_or_default()).expect("whole characters");
            write(rest.as_bytes());
            let packed = xml::tree_run(rest.len(), at as u32, false);
            found.extend(records(packed));
            at = outcome()[0] as usize;
            calls += 1;
            is_over = packed >> layout::FLAGS_SHIFT & 1 != 0;
            if packed >> layout::ASK_SHIFT & layout::ASK_MASK == TreeAsk::Raw as u32 {
                assert!(xml::tree_answer(u32::from(is_raw(text, &found)), 0));
            } else if packed & layout::WAITS != 0 {
                break;
            }
        }
        while !is_over {
            let packed = xml::tree_finish(units.len() as u32, false);
            found.extend(records(packed));
            is_over = packed & layout::WAITS == 0;
        }
        assert_eq!(joined(&found), joined(&elements(text)), "{text}");
        assert!(found.len() < 500 || calls > 1);
        let all_known = found.iter().all(|&record| TreeOp::of(record).is_some());
        assert!(all_known && (!found.is_empty() || text.is_empty()));
    }
    let deepest = elements(&deep);
    let last = deepest.last().and_then(|&last| TreeOp::of(last));
    assert_eq!(last, Some(TreeOp::Fault(TreeFault::TooDeep)));
}
