//! What the package knows by heart is what the machines say: numbers of
//! records, types, faults, modes, attributes, words of rows and flags. Its
//! sources are read as text, so a line that is written otherwise fails here as
//! well.

use crate::properties;
use std::collections::BTreeSet;
use tokenweir::segment::{
    CallOp, Fault, LONGEST_SIGNATURE, LONGEST_WORD, MOST_METADATA, MOST_SIGNATURES, Mode, Op, Profile, Row,
    SegmentType, ToolState,
};
use tokenweir::text::Record;
use tokenweir::xml::{Element, ElementOp};

fn source(file: &str) -> String {
    let path = format!("{}/pkg-template/src/segments/{file}", env!("CARGO_MANIFEST_DIR"));
    std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// The number of `const NAME = number`.
fn constant(source: &str, name: &str) -> u32 {
    let line = source.lines().find_map(|line| line.strip_prefix(&format!("const {name} = ")));
    let number = line.unwrap_or_else(|| panic!("there is no const {name}"));
    number.strip_prefix("0x").map_or_else(|| number.parse(), |hex| u32::from_str_radix(hex, 16)).unwrap()
}

/// What stands in the brackets of `const NAME… = […]`, on one line.
fn list<'a>(source: &'a str, name: &str) -> Vec<&'a str> {
    let (_, rest) = source.split_once(&format!("const {name}")).unwrap_or_else(|| panic!("there is no const {name}"));
    let (_, rest) = rest.split_once("= [").unwrap();
    let line = rest.lines().next().unwrap();
    // Of strings nothing is left behind the bracket but types.
    let (inside, _) = line.split_once("'] ").or_else(|| line.rsplit_once(']')).unwrap();
    inside.split(", ").map(|item| item.trim().trim_matches('\'')).collect()
}

/// Asserts that the source has that line.
fn has(source: &str, line: &str) {
    assert!(source.contains(line), "there is no {line}");
}

#[test]
fn records_have_their_numbers() {
    let reader = source("reader.ts");
    let ops = [
        ("TEXT", Op::Text),
        ("CONTENT", Op::Content),
        ("MARKUP", Op::Markup),
        ("START", Op::Start(SegmentType::Text)),
        ("END", Op::End),
        ("NAME", Op::Name),
        ("METADATA", Op::Metadata(0)),
        ("ATTRIBUTE", Op::Attribute(0)),
        ("HEADER", Op::Header),
        ("DROP", Op::Drop),
        ("FAULT", Op::Fault(Fault::Unterminated)),
        ("OTHER_NAME", Op::OtherName),
        ("OTHER_VALUE", Op::OtherValue),
        ("MISSING", Op::Missing),
        ("CALLED", Op::Called(SegmentType::Text)),
    ];
    for (at, (name, op)) in ops.into_iter().enumerate() {
        // The list is whole: the numbers go from 1 on.
        assert_eq!(op.at(0, 0).word, at as u32 + 1, "{name}");
        assert_eq!(constant(&reader, name), at as u32 + 1, "{name}");
        has(&reader, &format!("case {name}:"));
    }
    assert_eq!(Op::of(Record { word: ops.len() as u32 + 1, start: 0, end: 0 }), None);
    // What is above the number of the op is read by shifts of 8.
    has(&reader, "switch (word & 0xff)");
    for (op, detail, line) in [
        (Op::Start(SegmentType::RunBash), SegmentType::RunBash as u32, "this.start(word >>> 8, "),
        (Op::Metadata(7), 7, "this.metadata(word >>> 8, "),
        (Op::Attribute(2), 2, "this.attribute(word >>> 8, "),
        (Op::Fault(Fault::BadHeader), Fault::BadHeader as u32, "this.fault(word >>> 8, "),
        (Op::Called(SegmentType::ToolCall), SegmentType::ToolCall as u32, "this.called(word >>> 8, "),
    ] {
        assert_eq!(op.at(0, 0).word >> 8, detail);
        has(&reader, line);
    }
}

#[test]
fn modes_have_their_numbers_and_what_ends_them() {
    let reader = source("reader.ts");
    let modes = [
        ("TEXT", Mode::Text),
        ("ELEMENT", Mode::Element),
        ("SENTINEL", Mode::Sentinel),
        ("MARKED", Mode::Marked),
        ("JSON", Mode::Json),
        ("JSON_STRING", Mode::JsonString),
        ("MARKUP", Mode::Markup),
    ];
    let written = list(&reader, "ENDS");
    assert_eq!(written.len(), modes.len() + 1);
    for (at, (name, mode)) in modes.into_iter().enumerate() {
        assert_eq!(mode as usize, at + 1, "{name}");
        assert_eq!(constant(&reader, &format!("MODE_{name}")), mode as u32);
        // What is asked of the machine in `properties` is what the package does.
        assert_eq!(members(written[mode as usize]), properties::ends(mode).chars().collect(), "{name}");
    }
    assert_eq!(Mode::Ask as u32, 0);
    // In prose it hangs on what is looked for.
    has(&reader, "const xml = (flags & 1) !== 0 ? '<' : ''\n");
    has(&reader, "const brackets = (flags & 2) !== 0 ? '{[' : (flags & 4) !== 0 ? '[' : ''\n");
}

/// The characters of `/x/` or `/[xyz]/`.
fn members(pattern: &str) -> BTreeSet<char> {
    let inside = pattern.trim_matches('/');
    let inside = inside.strip_prefix('[').and_then(|inside| inside.strip_suffix(']')).unwrap_or(inside);
    let mut chars = inside.chars();
    let mut members = BTreeSet::new();
    while let Some(c) = chars.next() {
        members.insert(if c == '\\' { chars.next().map(|c| if c == 'n' { '\n' } else { c }).unwrap() } else { c });
    }
    members
}

#[test]
fn types_and_faults_are_in_their_order() {
    let types = SegmentType::ALL;
    assert!(types.iter().enumerate().all(|(at, &kind)| kind as usize == at));
    let (own, named) = types.split_last().unwrap();
    let row = source("row.ts");
    assert_eq!(list(&row, "TYPES"), named.iter().map(|kind| kind.name()).collect::<Vec<_>>());
    assert_eq!(*own, SegmentType::Own);
    has(&row, "const OWN = TYPES.length\n");
    let faults = [Fault::Unterminated, Fault::BadTag, Fault::BadHeader, Fault::MissingArgument, Fault::TooLong];
    assert!(faults.iter().enumerate().all(|(at, &fault)| fault as usize == at));
    let next = Op::Fault(Fault::Unterminated).at(0, 0).word | (faults.len() as u32) << 8;
    assert_eq!(Op::of(Record { word: next, start: 0, end: 0 }), None, "there is another fault");
    assert_eq!(list(&source("faults.ts"), "FAULTS"), faults.map(Fault::code));
}

#[test]
fn a_row_is_read_as_it_is_written() {
    let row = source("row.ts");
    let [content, needed, metadata, start, end] =
        ["CONTENT", "NEEDED", "METADATA", "START_MARKER", "END_MARKER"].map(|name| constant(&row, name) as u8);
    let state = ToolState {
        tool: "x",
        segment_type: SegmentType::EditFile,
        content: "c",
        start_when: &["n"],
        metadata: &["é"],
        markers: Some(("<S>", "</S>")),
    };
    let mut bytes = vec![SegmentType::EditFile as u8];
    for (kind, word) in [(content, "c"), (needed, "n"), (metadata, "é"), (start, "<S>"), (end, "</S>")] {
        bytes.extend([kind, word.len() as u8]);
        bytes.extend(word.as_bytes());
    }
    assert_eq!(format!("{:?}", Row::read(&bytes).unwrap()), format!("{:?}", Row::of(&state).unwrap()));
    has(&row, "bytes.push(kind, encoded.length, ...encoded)");
}

#[test]
fn attributes_have_their_numbers() {
    use crate::driver::Driver;
    use tokenweir::segment::{Choice, Machine, Markers, Signatures};
    let numbers = |text: &str| {
        let mut driver = Driver::new(Machine::new(Markers::XML, Signatures::NONE), usize::MAX, Choice::BuiltIn);
        driver.feed(text);
        let (_, said) = driver.finish();
        let number = |number: u8| said.iter().any(|&(op, ..)| op == Op::Attribute(number)).then_some(u32::from(number));
        (0..=u8::MAX).filter_map(number).collect::<Vec<_>>()
    };
    let teller = source("teller.ts");
    has(&teller, "const ATTRIBUTES = ['path', 'background', 'timeout_seconds'] as const\n");
    assert_eq!(numbers("<write_file path='a'/>"), [0]);
    assert_eq!(numbers("<run_bash background='a'/>"), [1]);
    // The third is the timeout, by either name.
    for name in ["timeout_seconds", "timeoutSeconds"] {
        assert_eq!(numbers(&format!("<run_bash {name}='a'/>")), [2]);
    }
    // The one metadata of the built-in states is their path.
    has(&teller, "const BUILT_IN_METADATA = 'path'\n");
    let states = tokenweir::segment::STATES;
    assert!(
        states
            .iter()
            .all(|state| state.metadata.is_empty() && ["", "path"].contains(&state.start_when.concat().as_str()))
    );
}

#[test]
fn flags_profiles_and_limits_are_the_same() {
    let options = source("options.ts");
    has(&options, "= { xml_tag: 1, json_tool: 2, sentinel: 4 }\n");
    assert_eq!(constant(&options, "SKIPS_CODE"), 8);
    let wasm = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/src/wasm/segment.rs")).unwrap();
    has(&wasm, "Markers { xml: has(1), json: has(2), sentinel: has(4), skips_code: has(8) }");
    assert!(Profile::ALL.iter().enumerate().all(|(at, &profile)| profile as usize == at));
    let [default, openai, gemini] = [Profile::Default, Profile::OpenAi, Profile::Gemini].map(|profile| profile as u32);
    has(&options, &format!("const PROFILES = {{ default: {default}, openai: {openai}, gemini: {gemini} }}"));
    assert_eq!(constant(&options, "MOST_SIGNATURES"), MOST_SIGNATURES as u32);
    has(&options, &format!("at most {LONGEST_SIGNATURE} bytes"));
    let states = source("states.ts");
    assert_eq!(constant(&states, "MOST_ARGUMENTS"), MOST_METADATA as u32);
    assert_eq!(constant(&states, "LONGEST"), LONGEST_WORD as u32);
}

#[test]
fn records_of_calls_have_their_numbers() {
    let reader = source("call-reader.ts");
    let ops = [
        ("PIECE", CallOp::Piece(0)),
        ("CHARACTER", CallOp::Character(0, 0)),
        ("END", CallOp::End(0)),
        ("CLOSED", CallOp::Closed),
        ("BAD", CallOp::Bad),
    ];
    for (at, (name, op)) in ops.into_iter().enumerate() {
        assert_eq!(op.at(0, 0).word, at as u32 + 1, "{name}");
        assert_eq!(constant(&reader, name), at as u32 + 1, "{name}");
        has(&reader, &format!("case {name}:"));
    }
    assert_eq!(CallOp::of(Record { word: ops.len() as u32 + 1, start: 0, end: 0 }), None);
    has(&reader, "switch (word & 0xf)");
    has(&reader, "const which = (word >>> 4) & 0xf\n");
    has(&reader, "String.fromCodePoint(word >>> 8)");
    let word = CallOp::Character(1, 0x1F642).at(0, 0).word;
    assert_eq!((word & 0xF, word >> 4 & 0xF, word >> 8), (2, 1, 0x1F642));
    // The machine's flags: from bit 17 on.
    has(&reader, "const IN_STRING = FLAG\n");
    assert_eq!(constant(&reader, "NAME_SHIFT"), 18);
}

#[test]
fn records_of_elements_have_their_numbers() {
    let reader = source("elements.ts");
    let ops = [
        ("NAME", ElementOp::Name),
        ("NAME_VALUE", ElementOp::NameValue),
        ("OPEN", ElementOp::Open { element: Element::Other, has_attributes: false }),
        ("CLOSE", ElementOp::Close),
        ("ABANDON", ElementOp::Abandon),
        ("SPOIL", ElementOp::Spoil),
        ("INNER", ElementOp::Inner),
        ("CDATA", ElementOp::CData),
    ];
    for (at, (name, op)) in ops.into_iter().enumerate() {
        assert_eq!(op.at(0, 0).word, at as u32 + 1, "{name}");
        assert_eq!(constant(&reader, name), at as u32 + 1, "{name}");
        has(&reader, &format!("case {name}:"));
    }
    let elements = [Element::Other, Element::Arg, Element::Item, Element::Arguments];
    for (at, &element) in elements.iter().enumerate() {
        let word = ElementOp::Open { element, has_attributes: true }.at(0, 0).word;
        assert_eq!((element as usize, word), (at, 3 | (at as u32) << 4 | 0x100));
    }
    assert_eq!(list(&reader, "KINDS"), elements.map(|element| format!("{element:?}").to_lowercase()));
    has(&reader, "KINDS[(word >>> 4) & 0xf]");
    has(&reader, "(word & 0x100) !== 0");
}
