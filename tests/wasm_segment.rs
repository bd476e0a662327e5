//! The border of the segment parser, in Node and in a browser: what
//! JavaScript reads from wasm memory is what the machines emit.
//!
//! `cargo xtask wasm-test` runs it, see pkg-template/xtask.

#![cfg(all(target_arch = "wasm32", feature = "exports"))]

use js_sys::{Reflect, Uint8Array, Uint32Array};
use tokenweir::segment::{
    CallMachine, CallOp, Choice, Fault, KnownAttribute, Machine, Markers, Mode, Op, Profile, Row, SegmentType,
    Signatures, ToolState,
};
use tokenweir::text::{Machine as _, Record, Stretch, packed as layout};
use tokenweir::wasm::{batch, call, elements, segment};
use tokenweir::xml::{Element, ElementOp, Elements};
use wasm_bindgen::JsValue;
use wasm_bindgen_test::wasm_bindgen_test;

const REPLY: &str = concat!(
    "a < b, `<run_bash>`, {\"foo\": 1} [1]\n",
    "<run_bash background=\"true\" timeout_seconds='30'>ls</run_bash>\n",
    "<write_file path=\"a.py\">print(1 < 2)\n</write_file>",
    "<tool name=\"search\"><arguments><arg name=\"q\">x</arg></arguments></tool>",
    "<tool name=\"write_file\"><arg name=\"path\">b.py</arg><arg name=\"content\">",
    "__START_CONTENT__\na</arg>\n__END_CONTENT__\n</arg></tool>",
    "<tool name=\"patch_file\"></tool>",
    "{\"tool\": {\"function\": \"f\", \"parameters\": {\"a\": \"}\\\"\"}}}",
    "[[SEG_START {\"type\":\"run_bash\",\"a\":1}]]pwd[[SEG_END]] [[SEG_START {}]]",
    "<tool name=\"write_file\"><arg name=\"content\">never",
);

// The flags of `segment_start`.
const XML: u32 = 1;
const JSON: u32 = 2;
const SENTINEL: u32 = 4;
const SKIPS_CODE: u32 = 8;
const ALL: u32 = XML | JSON | SENTINEL;

/// An invalid profile.
const NO_PROFILE: usize = 99;

/// The outcome of a call.
#[derive(Debug, PartialEq)]
struct Call {
    next: u32,
    held_from: u32,
    asks: bool,
    mode: u32,
    records: Vec<Record>,
}

/// Reads a stretch after this many pending units, or the end.
type Reader<'a> = dyn FnMut(Option<&str>, u32) -> Call + 'a;

/// Feeds an ASCII text in pieces to its end, and gives the records with their
/// places in the whole text.
fn feed(text: &str, size: usize, read: &mut Reader) -> Vec<Record> {
    let (mut at, mut origin) = (0, 0);
    let mut all = Vec::new();
    loop {
        let stretch = text.get(at..text.len().min(at + size)).filter(|stretch| !stretch.is_empty());
        let call = read(stretch, (at - origin) as u32);
        let base = origin as u32;
        all.extend(call.records.iter().map(|&Record { word, start, end }| Record {
            word,
            start: start + base,
            end: end + base,
        }));
        at = origin + call.next as usize;
        origin += call.held_from as usize;
        if stretch.is_none() && at == text.len() {
            return all;
        }
    }
}

/// The records of texts, contents and markup joined, which may come in two
/// calls; after them the records in between, which may come a call sooner.
fn joined(records: &[Record]) -> Vec<Record> {
    let (mut emitted, mut said): (Vec<Record>, Vec<Record>) = (Vec::new(), Vec::new());
    for &record in records {
        let is_text = matches!(Op::of(record), Some(Op::Text | Op::Content | Op::Markup));
        match emitted.last_mut() {
            _ if !is_text && !matches!(Op::of(record), Some(Op::Start(_) | Op::End)) => said.push(record),
            Some(last) if is_text && last.word == record.word && last.end == record.start => last.end = record.end,
            _ => emitted.push(record),
        }
    }
    emitted.extend(said);
    emitted
}

fn machine(flags: u32, profile: usize) -> Machine {
    let has = |flag| flags & flag != 0;
    let markers = Markers { xml: has(XML), json: has(JSON), sentinel: has(SENTINEL), skips_code: has(SKIPS_CODE) };
    let signatures = Profile::ALL.get(profile).map_or(Signatures::NONE, |&profile| Signatures::of(profile));
    Machine::new(markers, signatures)
}

/// Reads a stretch by a machine in Rust, which knows the tools that are built in.
fn natively(machine: &mut Machine, stretch: Option<&str>, held: u32) -> Call {
    let mut records = Vec::new();
    let outcome = match stretch {
        Some(stretch) => machine.run(&(), &mut Stretch::new(stretch.as_bytes(), held, true), &mut records),
        None => machine.finish(held, &mut records),
    };
    let mode = machine.mode() as u32;
    if outcome.ask.is_some() {
        machine.answer(Choice::BuiltIn);
    }
    Call { next: outcome.next, held_from: outcome.held_from, asks: outcome.ask.is_some(), mode, records }
}

/// Reads a stretch as the glue does.
fn over_the_border(stretch: Option<&str>, held: u32) -> Call {
    let call = match stretch {
        Some(stretch) => {
            write(stretch.as_bytes());
            taken(segment::segment_run(stretch.len(), held, stretch.is_ascii()))
        }
        None => taken(segment::segment_finish(held, false)),
    };
    if call.asks {
        assert!(segment::segment_answer(0, 0));
    }
    call
}

/// What a call left: its packed bits, the outcome and the records.
fn taken(packed: u32) -> Call {
    let (records, [next, held_from]) = (records(packed), outcome());
    Call {
        next,
        held_from,
        asks: packed >> layout::ASK_SHIFT & layout::ASK_MASK != 0,
        mode: packed >> layout::MODE_SHIFT & layout::MODE_MASK,
        records,
    }
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

/// Writes into the input buffer.
fn write(text: &[u8]) {
    assert!(text.len() <= batch::input_size());
    bytes(batch::input_pointer(), text.len()).copy_from(text);
}

#[wasm_bindgen_test]
fn records_cross_as_the_machine_says_them() {
    for flags in [XML, JSON, SENTINEL, ALL, ALL | SKIPS_CODE, 0] {
        for profile in [0, 1, 2, NO_PROFILE] {
            for size in [1, 2, 3, 7, 64, REPLY.len()] {
                segment::segment_start(flags, profile);
                let mut machine = machine(flags, profile);
                let mut calls = 0;
                feed(REPLY, size, &mut |stretch, held| {
                    let (here, there) = (over_the_border(stretch, held), natively(&mut machine, stretch, held));
                    assert_eq!(here, there, "{stretch:?}, flags {flags}, profile {profile}, pieces of {size}");
                    calls += 1;
                    here
                });
                assert!(calls > REPLY.len() / size);
            }
        }
    }
}

#[wasm_bindgen_test]
fn what_crosses_is_what_was_written() {
    segment::segment_start(ALL | SKIPS_CODE, Profile::Default as usize);
    let records = feed(REPLY, REPLY.len(), &mut over_the_border);
    let found = ops(&records);
    for op in [
        Op::Start(SegmentType::RunBash),
        Op::Start(SegmentType::WriteFile),
        Op::Start(SegmentType::ToolCall),
        Op::Drop,
        Op::Fault(Fault::MissingArguments),
        Op::Fault(Fault::BadHeader),
        Op::Fault(Fault::Unterminated),
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
    assert_eq!(there(Op::Name), ["search", "write_file", "patch_file", "write_file"]);
    assert_eq!(there(Op::Attribute(KnownAttribute::Path)), ["a.py"]);
    assert_eq!(there(Op::Attribute(KnownAttribute::Background)), ["true"]);
    assert_eq!(there(Op::Attribute(KnownAttribute::Timeout)), ["30"]);
    assert_eq!(there(Op::Metadata(0)), ["b.py"]);
    assert_eq!(there(Op::Header), ["{\"type\":\"run_bash\",\"a\":1}"]);
    assert_eq!(
        there(Op::Content),
        [
            "ls",
            "print(1 < 2)\n",
            "<arguments><arg name=\"q\">x</arg></arguments>",
            "a</arg>\n",
            "{\"tool\": {\"function\": \"f\", \"parameters\": {\"a\": \"}\\\"\"}}}",
            "pwd"
        ]
    );
    // All of it is emitted, in order.
    let emitted = records.iter().filter(|&&record| matches!(Op::of(record), Some(Op::Text | Op::Content | Op::Markup)));
    let end = emitted.fold(0, |at, record| {
        assert_eq!(record.start, at);
        record.end
    });
    assert_eq!(end as usize, REPLY.len());
}

#[wasm_bindgen_test]
fn a_full_batch_goes_on_in_the_next_call() {
    let text = "<run_bash background='1'>ls</run_bash> {\"a\": 1}[[SEG_START x ".repeat(150);
    segment::segment_start(ALL, Profile::OpenAi as usize);
    let mut calls = 0;
    let crossed = feed(&text, text.len(), &mut |stretch, held| {
        calls += 1;
        over_the_border(stretch, held)
    });
    assert!(calls > 3, "{calls} calls for {} records, and {} fit", crossed.len(), batch::records_size());
    let mut machine = machine(ALL, Profile::OpenAi as usize);
    let expected = feed(&text, text.len(), &mut |stretch, held| natively(&mut machine, stretch, held));
    assert_eq!(joined(&crossed), joined(&expected));
    assert_eq!(ops(&crossed).iter().filter(|&&op| op == Op::End).count(), 150);
}

#[wasm_bindgen_test]
fn parsers_take_turns_in_one_place() {
    let texts = [
        (REPLY, ALL, 0),
        ("[[SEG_START {\"type\":\"write_file\",\"path\":\"]]\"}]]a[b[[SEG_END", SENTINEL, NO_PROFILE),
        ("x [ {\"function\": [1, \"]\\\"\"]}] <run_bash>ls", JSON | XML, 1),
        (
            "```\n<tool name=\"run_bash\"><arg name=\"command\">ls</arg></tool>\n```\n<tool name='edit_file'><arg name='patch'>",
            XML | SKIPS_CODE,
            0,
        ),
    ];
    let place = || bytes(segment::segment_pointer(), segment::segment_size());
    // JavaScript swaps whole words.
    assert_eq!(segment::segment_size() % 4, 0);
    assert_eq!(segment::segment_pointer() % 4, 0);
    let mut parsers = texts.map(|(text, flags, profile)| {
        segment::segment_start(flags, profile);
        (text, 0_usize, 0_usize, Vec::new(), place().to_vec())
    });
    while parsers.iter().any(|(text, at, ..)| *at < text.len()) {
        for (text, at, origin, emitted, machine) in &mut parsers {
            let Some(stretch) = text.get(*at..text.len().min(*at + 2)).filter(|stretch| !stretch.is_empty()) else {
                continue;
            };
            place().copy_from(machine);
            let call = over_the_border(Some(stretch), (*at - *origin) as u32);
            *machine = place().to_vec();
            emitted.extend(call.records);
            *at = *origin + call.next as usize;
            *origin += call.held_from as usize;
        }
    }
    for ((text, flags, profile), (_, at, origin, mut emitted, last)) in texts.into_iter().zip(parsers) {
        place().copy_from(&last);
        emitted.extend(over_the_border(None, (at - origin) as u32).records);
        let mut machine = machine(flags, profile);
        let mut expected = Vec::new();
        feed(text, 2, &mut |stretch, held| {
            let call = natively(&mut machine, stretch, held);
            expected.extend(call.records.iter().copied());
            call
        });
        assert!(emitted.len() > 5, "{text}");
        assert_eq!(emitted, expected, "{text}");
    }
}

#[wasm_bindgen_test]
fn flags_profiles_and_signatures_arrive() {
    let starts = |text: &str| {
        let records = feed(text, text.len(), &mut over_the_border);
        ops(&records).iter().filter(|op| matches!(op, Op::Start(_))).count()
    };
    let started = |flags: u32, profile: usize, text: &str| {
        segment::segment_start(flags, profile);
        starts(text)
    };
    for (text, flag) in [("<run_bash/>", XML), ("{\"tool\":1}", JSON), ("[[SEG_START {\"type\":\"text\"}]]", SENTINEL)]
    {
        assert_eq!(started(flag, 0, text), 1, "{text}");
        assert_eq!(started(ALL & !flag, 0, text), 0, "{text}");
    }
    assert_eq!(started(XML | SKIPS_CODE, 0, "`<run_bash/>`"), 0);
    assert_eq!(started(XML, 0, "`<run_bash/>`"), 1);
    for (profile, calls) in [(Profile::Default, [1, 0, 0]), (Profile::OpenAi, [1, 1, 0]), (Profile::Gemini, [0, 0, 1])]
    {
        let texts = ["{\"function\":1}", "{\"tools\":1}", "[{\"name\":1}]"];
        assert_eq!(texts.map(|text| started(JSON, profile as usize, text)), calls, "{profile:?}");
    }
    // Signatures of a program, and invalid ones.
    segment::segment_start(JSON, NO_PROFILE);
    let add = |signature: &[u8]| {
        write(signature);
        segment::segment_signature(signature.len())
    };
    assert!(add(b"{\"call it\":"));
    assert!(!add(b"[[SEG_START"));
    assert!(!add(b""));
    assert_eq!(starts("{\"tool\":1}{ \"call it\" :1}"), 1);
}

#[wasm_bindgen_test]
fn a_tool_is_asked_about() {
    let state = ToolState {
        tool: "note",
        segment_type: SegmentType::Own,
        content: "text",
        start_when: &["to"],
        metadata: &[],
        markers: Some(("<S>", "</S>")),
    };
    let mut row = vec![SegmentType::Own as u8];
    for (kind, word) in [(1, "text"), (2, "to"), (4, "<S>"), (5, "</S>")] {
        row.extend([kind, word.len() as u8]);
        row.extend(word.as_bytes());
    }
    assert_eq!(format!("{:?}", Row::read(&row)), format!("{:?}", Row::of(&state)));
    let text = "<tool name=\"write_file\"><arg name=\"to\">me</arg><arg name=\"text\"><S>a</arg></S></arg></tool>";
    let read = |choice: u32, row: &[u8]| {
        segment::segment_start(XML, NO_PROFILE);
        write(text.as_bytes());
        let call = taken(segment::segment_run(text.len(), 0, true));
        assert!(call.asks);
        assert_eq!(ops(&call.records), [Op::Name]);
        assert_eq!(text.get(..call.next as usize), Some("<tool name=\"write_file\">"));
        write(row);
        let is_answered = segment::segment_answer(choice, row.len());
        let (at, rest) = (call.next as usize, &text[call.next as usize..]);
        write(rest.as_bytes());
        let call = taken(segment::segment_run(rest.len(), (at as u32) - call.held_from, true));
        (is_answered, ops(&call.records))
    };
    let (is_answered, own) = read(2, &row);
    assert!(is_answered);
    let start = Op::Start(SegmentType::Own);
    assert_eq!(
        own,
        [Op::Metadata(0), Op::Markup, start, Op::Markup, Op::Markup, Op::Content, Op::Markup, Op::Markup, Op::End]
    );
    let (is_answered, generic) = read(1, &[]);
    assert!(is_answered && generic.contains(&Op::Start(SegmentType::ToolCall)), "{generic:?}");
    let (is_answered, built_in) = read(0, &[]);
    assert!(is_answered && built_in.contains(&Op::Fault(Fault::MissingArguments)), "{built_in:?}");
    // An invalid row is not an answer: the tool is asked about again.
    let (is_answered, none) = read(2, &[99]);
    assert!(!is_answered && none.is_empty(), "{none:?}");
}

#[wasm_bindgen_test]
fn text_that_is_not_read_counts() {
    // How far a failed candidate is searched again depends on how much text there was.
    let inside = "<tool a=' \" ' b=\" ".repeat(100);
    let text = format!("{}<{inside}<run_bash>ls</run_bash>{inside}<", "<tool a=' \" ' b=\" ".repeat(216));
    let found = |passed: u32| {
        segment::segment_start(XML, NO_PROFILE);
        segment::segment_pass(passed);
        ops(&feed(&text, 4_096, &mut over_the_border)).contains(&Op::Start(SegmentType::RunBash))
    };
    assert!(!found(0) && found(400_000));
}

#[wasm_bindgen_test]
fn the_end_emits_what_is_pending() {
    segment::segment_start(ALL, Profile::Default as usize);
    let text = "<run_bash>ls</run";
    write(text.as_bytes());
    let call = taken(segment::segment_run(text.len(), 0, true));
    let held = text.len() as u32 - call.held_from;
    assert_eq!(held, 5);
    let call = taken(segment::segment_finish(held, false));
    assert_eq!(ops(&call.records), [Op::Content, Op::End, Op::Fault(Fault::Unterminated)]);
    assert_eq!((call.next, call.held_from), (held, held));
    // What may have been a header is searched again.
    let text = "[[SEG_START {\"a\":\"<run_bash/>";
    segment::segment_start(XML | SENTINEL, NO_PROFILE);
    let records = feed(text, text.len(), &mut over_the_border);
    let found = ops(&records);
    assert!(found.contains(&Op::Fault(Fault::BadHeader)) && found.contains(&Op::End), "{found:?}");
}

#[wasm_bindgen_test]
fn modes_say_what_needs_no_reading() {
    let mode = |flags: u32, text: &str| {
        segment::segment_start(flags, Profile::Default as usize);
        let (mut at, mut origin) = (0, 0);
        loop {
            let call = over_the_border(Some(&text[at..]), (at - origin) as u32);
            at = origin + call.next as usize;
            origin += call.held_from as usize;
            if at == text.len() && !call.asks {
                return call.mode;
            }
        }
    };
    for (text, expected) in [
        ("Hm ", Mode::Text),
        ("Hm <", Mode::Read),
        ("<run_bash>ls", Mode::Element),
        ("<run_bash>ls<", Mode::Read),
        ("<tool name='a'>x", Mode::Value),
        ("[[SEG_START {\"type\":\"text\"}]]x", Mode::Sentinel),
        ("<tool name='write_file'><arg name='path'>a</arg><arg name='content'>__START_CONTENT__x", Mode::Marked),
        ("<tool name='write_file'><arg name='path'>a</arg><arg name='content'>x</arg><arg name='a'>b", Mode::Markup),
        ("{\"tool\": 1", Mode::JsonToken),
        ("{\"tool\": @", Mode::Json),
        ("{\"tool\": \"x", Mode::JsonString),
        ("{\"tool\": \"x\\", Mode::JsonToken),
    ] {
        assert_eq!(mode(ALL, text), expected as u32, "{text}");
    }
    assert_eq!(mode(ALL | SKIPS_CODE, "Hm "), Mode::Text as u32);
    assert_eq!(mode(ALL | SKIPS_CODE, "Hm `a"), Mode::Read as u32);
}

/// Starts a call's machine by two names.
fn start_call(first: &str, second: &str) -> bool {
    write(format!("{first}{second}").as_bytes());
    call::call_start(first.len(), second.len())
}

/// Reads a stretch of a call: where the undecided text begins, the mode, and the
/// records.
fn run_call(stretch: &str, held: u32) -> (u32, u32, Vec<Record>) {
    write(stretch.as_bytes());
    let packed = call::call_run(stretch.len(), held, stretch.is_ascii());
    let [next, held_from] = outcome();
    assert_eq!(next as usize, held as usize + stretch.encode_utf16().count());
    (held_from, packed >> layout::MODE_SHIFT & layout::MODE_MASK, records(packed))
}

#[wasm_bindgen_test]
fn calls_cross_as_their_machine_says_them() {
    let text = "{\"path\": \"a\\u0062\\ud83d\\ude42水\", \"n\": [1, {\"path\": \"x\"}], \"content\": \"é\\n\", \"path\": \"no\"} x";
    for size in [1, 2, 5, text.len()] {
        assert!(start_call("path", "content"));
        let mut machine = CallMachine::new(&[b"path", b"content"]).expect("two names");
        let mut held = String::new();
        let mut found = Vec::new();
        let chars: Vec<char> = text.chars().collect();
        for piece in chars.chunks(size) {
            let piece: String = piece.iter().collect();
            let units = held.encode_utf16().count() as u32;
            let (held_from, mode, records) = run_call(&piece, units);
            let mut expected = Vec::new();
            let mut stretch = Stretch::new(piece.as_bytes(), units, false);
            let from = machine.run(&(), &mut stretch, &mut expected).held_from;
            assert_eq!((held_from, &records), (from, &expected), "{piece:?}");
            assert_eq!(mode, machine.mode() as u32);
            found.extend(records.iter().map(|&record| CallOp::of(record).expect("a known op")));
            held.push_str(&piece);
            let units: Vec<u16> = held.encode_utf16().skip(from as usize).collect();
            held = String::from_utf16(&units).expect("whole characters");
        }
        assert_eq!(found.last(), Some(&CallOp::Closed));
        assert!(found.contains(&CallOp::Character(0, 0x1F642)) && found.contains(&CallOp::Character(1, 0x0A)));
        assert_eq!(found.iter().filter(|op| matches!(op, CallOp::End(_))).count(), 2, "{found:?}");
    }
    // The end of a truncated one emits the pending text of a string.
    assert!(start_call("path", ""));
    let (held_from, ..) = run_call("{\"path\":\"a\\u00", 0);
    let held = "{\"path\":\"a\\u00".len() as u32 - held_from;
    let packed = call::call_finish(held, false);
    assert_eq!(outcome(), [held, held]);
    assert!(records(packed).iter().all(|&record| matches!(CallOp::of(record), Some(CallOp::Piece(0)))));
    assert!(!start_call(&"x".repeat(65), "y"));
}

#[wasm_bindgen_test]
fn calls_take_turns_in_one_place() {
    let texts = ["{\"path\": \"one\", \"content\": \"a\\tb\"}", "{\"a\": {\"path\": 1}, \"path\": \"two\"}", "[1, 2]"];
    let place = || bytes(call::call_pointer(), call::call_size());
    assert_eq!(call::call_size() % 4, 0);
    assert_eq!(call::call_pointer() % 4, 0);
    let mut calls = texts.map(|_| {
        assert!(start_call("path", "content"));
        (place().to_vec(), 0, Vec::new())
    });
    for at in 0..texts.iter().map(|text| text.len()).max().unwrap_or(0) {
        for (text, (machine, held, emitted)) in texts.iter().zip(&mut calls) {
            let Some(stretch) = text.get(at..at + 1) else { continue };
            place().copy_from(machine);
            let (held_from, _, records) = run_call(stretch, *held);
            *machine = place().to_vec();
            *held = *held + 1 - held_from;
            emitted.extend(records.into_iter().map(|record| record.word));
        }
    }
    for (text, (_, _, emitted)) in texts.iter().zip(calls) {
        let mut machine = CallMachine::new(&[b"path", b"content"]).expect("two names");
        let (mut held, mut expected) = (0, Vec::new());
        for byte in text.bytes() {
            let mut records = Vec::new();
            let from = machine.run(&(), &mut Stretch::new(&[byte], held, true), &mut records).held_from;
            held = held + 1 - from;
            expected.extend(records.into_iter().map(|record| record.word));
        }
        assert_eq!(emitted, expected, "{text}");
        assert!(!emitted.is_empty(), "{text}");
    }
}

#[wasm_bindgen_test]
fn elements_cross_as_they_are() {
    let text =
        "<arguments><arg name=\"é\">1</arg><item a='b'/><x>水🙂<![CDATA[<y>]]></arguments> <z".repeat(80) + "<x><!-- ";
    let mut elements = Elements::START;
    let mut expected = Vec::new();
    elements.run(text.as_bytes(), 0, &mut expected);
    elements.finish(&mut expected);
    elements::elements_start();
    let mut found = Vec::new();
    let (mut at, mut calls) = (0, 0);
    let units: Vec<u16> = text.encode_utf16().collect();
    while at < units.len() {
        let rest = String::from_utf16(units.get(at..).unwrap_or_default()).expect("whole characters");
        write(rest.as_bytes());
        found.extend(records(elements::elements_run(rest.len(), at as u32, false)));
        at = outcome()[0] as usize;
        calls += 1;
    }
    found.extend(records(elements::elements_finish(at as u32, false)));
    assert!(calls > 1, "{} records in one call", found.len());
    assert_eq!(found, expected);
    let arg = ElementOp::Open { element: Element::Arg, has_attributes: false }.at(0, 0).word;
    assert_eq!(found.iter().filter(|record| record.word == arg).count(), 80);
    // Nothing of one text remains for the next.
    elements::elements_start();
    write(b"</arguments>");
    let spoiled = records(elements::elements_run(12, 0, true));
    assert_eq!(spoiled, [ElementOp::Spoil.at(0, 12)]);
    assert_eq!(records(elements::elements_finish(12, false)), []);
}
