//! What the package knows by heart is what the machines say: numbers of records,
//! modes, answers, reasons, repairs, and places of faults. Its sources are read as
//! text, so a line that is written otherwise fails here as well.

use tokenweir::json::{
    Container, Fault, JsonOp, Literal, Place, Quote, Rule, Rules, State, Text, Within, fault_record,
};
use tokenweir::text::Record;
use tokenweir::tool_call::{Answer, LONGEST_TOOL_NAME, MOST_TOOLS, Mode, NAMES_ROOM, Op, Reasoning, Repair, Why};
use tokenweir::xml::{TreeFault, TreeOp};

fn source(file: &str) -> String {
    let path = format!("{}/pkg-template/src/{file}", env!("CARGO_MANIFEST_DIR"));
    std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// The number of `const NAME = number`.
fn constant(source: &str, name: &str) -> u32 {
    let line = source
        .lines()
        .find_map(|line| line.strip_prefix("export ").unwrap_or(line).strip_prefix(&format!("const {name} = ")));
    let number = line.unwrap_or_else(|| panic!("there is no const {name}"));
    let number = number.replace('_', "");
    number.strip_prefix("0x").map_or_else(|| number.parse(), |hex| u32::from_str_radix(hex, 16)).unwrap()
}

/// What stands in the brackets of `const NAME = […]`, on one line.
fn list<'a>(source: &'a str, name: &str) -> Vec<&'a str> {
    let (_, rest) = source.split_once(&format!("const {name} = [")).unwrap_or_else(|| panic!("there is no {name}"));
    let (inside, _) = rest.split_once(']').unwrap();
    inside.split(", ").map(|item| item.trim().trim_matches('\'')).collect()
}

/// Asserts that the source has that text.
fn has(source: &str, text: &str) {
    assert!(source.contains(text), "there is no {text}");
}

fn record(word: u32) -> Record {
    Record { word, start: 0, end: 0 }
}

#[test]
fn records_of_calls_have_their_numbers() {
    let reader = source("tool-calls/reader.ts");
    let ops = [
        ("TEXT", Op::Text),
        ("BEGIN", Op::Begin),
        ("NAME", Op::Name),
        ("NAME_CHARACTER", Op::NameCharacter(0)),
        ("NAME_END", Op::NameEnd { is_alias: false }),
        ("ARGUMENTS", Op::Arguments),
        ("DONE", Op::Done { repairs: 0 }),
        ("END", Op::End),
        ("FAIL", Op::Fail(Why::Malformed)),
        ("FAILED", Op::Failed),
        ("FAIL_END", Op::FailEnd { is_cut: false }),
        ("NO_CALL", Op::NoCall),
        ("CHECK", Op::Check),
        ("QUOTED", Op::Quoted),
        ("REASONING", Op::Reasoning),
        ("REASONED", Op::Reasoned),
        ("REOPENED", Op::Reopened),
        ("REASONING_END", Op::ReasoningEnd),
        ("WHOLE", Op::Whole { is_missing: false }),
        ("KEY", Op::Key { is_first: false }),
    ];
    let first = constant(&reader, "OWN");
    for (at, (name, op)) in ops.into_iter().enumerate() {
        // The list is whole: the numbers go from the first of calls on.
        let number = first + at as u32;
        assert_eq!((op.at(0, 0).word, constant(&reader, name)), (number, number), "{name}");
        assert_eq!(Op::of(record(number)), Some(op));
        has(&reader, &format!("case {name}:"));
    }
    assert_eq!(Op::of(record(first + ops.len() as u32)), None);
    assert_eq!(Op::of(record(first - 1)), None);
    for op in [
        Op::NameCharacter(0x1F642),
        Op::NameEnd { is_alias: true },
        Op::Done { repairs: 0xFF_FFFF },
        Op::Fail(Why::Mentioned),
        Op::FailEnd { is_cut: true },
        Op::Whole { is_missing: true },
        Op::Key { is_first: true },
    ] {
        assert_eq!(Op::of(op.at(3, 5)), Some(op));
    }
    has(&reader, "this.tellOwn(kind, word >>> 8, start, end, origin)");
    has(&reader, "const kind = word & 0xff\n");
    has(&reader, "if (kind >= OWN)");
    has(&reader, "if (kind >= XML)");
    has(&reader, "teller.failEnd(end - start, detail !== 0)");
    // The start of `Done` is no place.
    has(&reader, "teller.done(start, detail)");
}

#[test]
fn reasons_answers_and_modes_have_their_numbers() {
    let reader = source("tool-calls/reader.ts");
    assert!(Why::ALL.iter().enumerate().all(|(at, &why)| why as usize == at));
    assert_eq!(list(&reader, "REASONS"), Why::ALL.map(Why::name));
    assert_eq!(Op::of(record(40 | (Why::ALL.len() as u32) << 8)), None, "there is another reason");
    let answers = [
        ("ACCEPT", Answer::Accept),
        ("RAW", Answer::Raw),
        ("REJECT", Answer::Reject),
        ("MALFORMED", Answer::Malformed),
        ("NESTED", Answer::Nested),
        ("KNOWN", Answer::Known),
        ("OTHER", Answer::Other),
    ];
    for (at, (name, answer)) in answers.into_iter().enumerate() {
        assert_eq!((answer as usize, constant(&reader, name)), (at, answer as u32), "{name}");
        assert_eq!(Answer::of(answer as u32), answer);
    }
    // What is none is taken for the worst.
    assert_eq!(Answer::of(answers.len() as u32), Answer::Malformed);
    let modes = [
        ("TEXT", Mode::Text),
        ("STRING", Mode::String),
        ("SILENT", Mode::Silent),
        ("ELEMENT", Mode::Element),
        ("FAILED", Mode::Failed),
        ("REASONING", Mode::Reasoning),
    ];
    assert_eq!(Mode::Ask as u32, 0);
    for (at, (name, mode)) in modes.into_iter().enumerate() {
        assert_eq!(mode as usize, at + 1, "{name}");
        assert_eq!(constant(&reader, &format!("MODE_{name}")), mode as u32);
        has(&reader, &format!("case MODE_{name}:"));
    }
    has(&reader, "const STRING_ENDS = /[\"\\\\\\u0000-\\u001f]/\n");
    has(&reader, "const ELEMENT_ENDS = /[<&]/\n");
}

#[test]
fn ways_to_read_reasoning_have_their_numbers() {
    let wasm = source("wasm/tool-calls.ts");
    let ways = [("SEARCH", Reasoning::Search), ("SKIP", Reasoning::Skip), ("INSIDE", Reasoning::Inside)];
    for (at, (name, way)) in ways.into_iter().enumerate() {
        assert_eq!((way as usize, constant(&wasm, &format!("REASONING_{name}"))), (at, way as u32), "{name}");
        assert_eq!(Reasoning::of(way as u32), way);
    }
}

#[test]
fn what_a_call_packs_is_read_so() {
    let wasm = source("wasm/border.ts") + &source("wasm/tool-calls.ts");
    let bits = |name: &str| {
        let wanted = format!("const {name} = ");
        let line = wasm.lines().find_map(|line| line.split_once(&wanted)).unwrap_or_else(|| panic!("no {name}"));
        u32::from_str_radix(line.1.strip_prefix("0x").unwrap(), 16).unwrap()
    };
    // 10 bits of count, then 3 of the question, waits, and 3 bits of mode.
    assert_eq!((bits("COUNT"), bits("ASKS"), bits("WAITS")), (0x3FF, 7 << 10, 1 << 13));
    assert!((Mode::Reasoning as u32) < 8);
    assert_eq!((MOST_TOOLS, NAMES_ROOM, LONGEST_TOOL_NAME), (1_024, 32_768, 120));
}

#[test]
fn records_of_json_have_their_numbers() {
    let json = source("json-ops.ts");
    let names = [
        "OBJECT",
        "ARRAY",
        "CLOSE",
        "PIECE",
        "KEY_PIECE",
        "CHARACTER",
        "KEY_CHARACTER",
        "END",
        "KEY_END",
        "NUMBER",
        "WORD",
        "FAULT",
    ];
    for (at, (name, op)) in names.into_iter().zip(JsonOp::ALL).enumerate() {
        let number = at as u32 + 1;
        assert_eq!((op as u32, constant(&json, name)), (number, number), "{name}");
        assert_eq!(JsonOp::of(record(number | 0x1F642 << 8)), Some(op));
        assert!(name == "FAULT" || json.contains(&format!("case {name}:")), "{name} isn't read");
    }
    assert_eq!(JsonOp::ALL.len(), names.len());
    assert_eq!(JsonOp::of(record(0)).or(JsonOp::of(record(names.len() as u32 + 1))), None);
    has(&json, "const WORDS = [false, true, null] as const\n");
    assert_eq!([Literal::False, Literal::True, Literal::Null].map(|word| word as u32), [0, 1, 2]);
    has(&json, "WORDS[word >>> 8]");
    has(&json, "String.fromCodePoint(word >>> 8)");
}

#[test]
fn faults_of_json_have_their_numbers() {
    let reader = source("json-reader.ts");
    let faults = [
        ("unexpected", Fault::Unexpected),
        ("missing-value", Fault::MissingValue),
        ("bad-escape", Fault::BadEscape),
        ("too-deep", Fault::TooDeep),
        ("too-long", Fault::TooLong),
        ("raw-control", Fault::RawControl),
        ("quote", Fault::Quote),
    ];
    let fields = |fault: Option<Fault>, state: State, inside: Container| {
        let word = fault_record(fault, state, inside, 0).word;
        assert_eq!(word & 0xFF, JsonOp::Fault as u32);
        [word >> 8 & 0xFF, word >> 16 & 0xFF, word >> 24].map(|number| number as usize)
    };
    let codes = list(&reader, "CODES");
    let value = State::At(Place::Value);
    for (at, (name, fault)) in faults.into_iter().enumerate() {
        assert_eq!((codes[at], fields(Some(fault), value, Container::Text)), (name, [at, 0, 0]), "{name}");
    }
    assert_eq!((codes[7], fields(None, value, Container::Text)[0], codes.len()), ("end-of-text", 7, 8));
    let places = list(&reader, "PLACES");
    let string = State::Text(Text { is_key: false, quote: Quote::Double }, Within::Plain);
    for (at, (name, state)) in [
        ("value", value),
        ("first-element", State::At(Place::FirstElement)),
        ("element", State::At(Place::Element)),
        ("first-key", State::At(Place::FirstKey)),
        ("key", State::At(Place::Key)),
        ("colon", State::At(Place::Colon)),
        ("after", State::At(Place::After)),
        ("string", string),
    ]
    .into_iter()
    .enumerate()
    {
        assert_eq!((places[at], fields(None, state, Container::Text)[1]), (name, at), "{name}");
    }
    assert_eq!(places[8..], ["number", "word", "comment"]);
    let inside = list(&reader, "INSIDE");
    for (at, container) in [Container::Text, Container::Array, Container::Object].into_iter().enumerate() {
        assert_eq!(fields(None, value, container)[2], at);
        assert_eq!(inside[at], format!("{container:?}").to_lowercase());
    }
    has(&reader, "CODES[(word >>> 8) & 0xff]");
    has(&reader, "PLACES[(word >>> 16) & 0xff]");
    has(&reader, "INSIDE[word >>> 24]");
    // The rules of `json_start`.
    for (number, name) in ["STRICT", "RELAXED", "TOLERANT", "CALL"].into_iter().enumerate() {
        assert_eq!(constant(&reader, name), number as u32, "{name}");
    }
    let border = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/src/wasm/json.rs")).unwrap();
    for arm in ["0 => Rules::STRICT,", "1 => Rules::RELAXED,", "2 => Rules::TOLERANT,", "_ => Rules::CALL."] {
        has(&border, arm);
    }
}

#[test]
fn records_of_elements_have_their_numbers() {
    let ops = source("xml-ops.ts");
    let names = [
        ("OPEN", TreeOp::Open),
        ("ATTRIBUTE", TreeOp::Attribute),
        ("VALUE", TreeOp::Value),
        ("OPENED", TreeOp::Opened { is_empty: false }),
        ("DROPPED", TreeOp::Dropped),
        ("TEXT", TreeOp::Text),
        ("CHARACTER", TreeOp::Character(0)),
        ("CDATA", TreeOp::CData),
        ("CLOSE", TreeOp::Close),
        ("ABANDON", TreeOp::Abandon),
        ("FAULT", TreeOp::Fault(TreeFault::StrayCloser)),
    ];
    let first = constant(&source("tool-calls/reader.ts"), "XML");
    for (at, (name, op)) in names.into_iter().enumerate() {
        let number = first + at as u32;
        assert_eq!((op.at(0, 0).word, constant(&ops, name)), (number, number), "{name}");
        assert_eq!(TreeOp::of(record(number)), Some(op));
        has(&ops, &format!("case {name}:"));
    }
    assert_eq!(TreeOp::of(record(first - 1)).or(TreeOp::of(record(first + names.len() as u32))), None);
    for op in [TreeOp::Opened { is_empty: true }, TreeOp::Character(0x1F642), TreeOp::Fault(TreeFault::Text)] {
        assert_eq!(TreeOp::of(op.at(3, 5)), Some(op));
    }
    assert!(TreeFault::ALL.iter().enumerate().all(|(at, &fault)| fault as usize == at));
    let kebab = |fault: TreeFault| {
        let written = format!("{fault:?}");
        let dashed = written.chars().flat_map(|c| c.is_uppercase().then_some('-').into_iter().chain([c]));
        dashed.collect::<String>().trim_start_matches('-').to_lowercase()
    };
    assert_eq!(list(&ops, "FAULTS"), TreeFault::ALL.map(kebab));
    has(&ops, "FAULTS[word >>> 8]");
    has(&ops, "teller.opened(word >>> 8 !== 0)");
}

#[test]
fn repairs_have_their_bits() {
    let repairs = source("tool-calls/repairs.ts");
    let listed: Vec<(u32, &str)> = repairs
        .lines()
        .filter_map(|line| line.trim().strip_prefix('[')?.strip_suffix("'],")?.split_once(", '"))
        .map(|(bit, name)| (bit.parse().unwrap(), name))
        .collect();
    // All rules of calls that a text may be read by, and above them the repairs.
    let rules = Rule::ALL.into_iter().filter(|&rule| Rules::CALL.has(rule)).map(|rule| (rule as u32, rule.name()));
    let own = Repair::ALL.map(|repair| (repair as u32, repair.name()));
    assert_eq!(listed, rules.chain(own).collect::<Vec<_>>());
    // A record has room for 32 rules and 24 repairs.
    assert_eq!(constant(&repairs, "OWN"), 32);
    assert!(Rule::ALL.len() <= 32);
    for (at, repair) in Repair::ALL.into_iter().enumerate() {
        assert!(repair as usize == 32 + at && repair.bit() == 1 << (32 + at) && at < 24);
    }
}
