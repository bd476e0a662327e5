//! The promises on random text that is almost markup, on text that is
//! well-formed, and on any text. (Growth is in `linear.rs`, cuts of the written
//! cases in `conformance.rs`.)

use crate::config;
use crate::driver::Driver;
use crate::naive;
use crate::pieces::PIECES;
use crate::reading::{check, emitted, faults, is_as_expected, joined, read, read_with, text_of};
use crate::support::{Random, cut, places};
use crate::way::Way;
use proptest::prelude::*;
use serde_json::json;
use tokenweir::segment::{Choice, Event, EventKind, Machine, Markers, Mode, Op, Profile, Reasoning};
use tokenweir::text::{Machine as _, Outcome, Stretch};

fn way() -> impl Strategy<Value = Way> {
    let markers = prop_oneof![
        3 => Just((true, true, true)),
        2 => Just((true, false, false)),
        1 => Just((false, true, false)),
        1 => Just((false, false, true)),
        1 => any::<(bool, bool, bool)>(),
    ];
    let profile = prop_oneof![4 => prop::sample::select(&Profile::ALL[..]).prop_map(Some), 1 => Just(None)];
    let reasoning = prop::sample::select(&Reasoning::ALL[..]);
    let generic = prop::option::weighted(0.1, prop::sample::select(&["write_file", "RUN_BASH", "note"][..]));
    (markers, prop::bool::weighted(0.2), reasoning, profile, any::<bool>(), generic).prop_map(
        |((xml, json, sentinel), skips_code, reasoning, profile, has_own, generic)| Way {
            markers: Markers { xml, json, sentinel, skips_code },
            reasoning,
            profile,
            has_own,
            generic,
        },
    )
}

/// Markup that is whole, one of each kind.
fn item() -> impl Strategy<Value = String> {
    let inner = || prop::collection::vec(prop::sample::select(INSIDE), 0..6).prop_map(|pieces| pieces.concat());
    let name = || prop::sample::select(&["search", "a", "run_it", "x y"][..]);
    let file = prop::sample::select(&[("write_file", "content", "CONTENT"), ("patch_file", "patch", "PATCH")][..]);
    let path = || prop::sample::select(&["a", "/tmp/ü x.txt", " a/b-c_d.e\n"][..]);
    let space = || prop::sample::select(&["", "", " ", "\n\t"][..]);
    let tool = (file, path(), inner(), any::<(bool, bool)>(), space()).prop_map(
        |((tool, argument, marker), path, inner, (is_bracketed, is_first), space)| {
            let content = if is_bracketed { format!("__START_{marker}__\n{inner}__END_{marker}__") } else { inner };
            let content = format!("<arg name=\"{argument}\">{content}</arg{space}>");
            let path = format!("<arg name=\"path\">{path}</arg{space}>");
            let arguments = if is_first { path + &content } else { content + &path };
            format!("<tool name=\"{tool}\"><arguments>\n{arguments}</arguments{space}></tool{space}>")
        },
    );
    let kinds = &["text", "tool_call", "write_file", "edit_file", "run_bash", "reasoning"][..];
    let header = (prop::sample::select(kinds), inner(), any::<bool>()).prop_map(|(kind, text, is_last)| {
        let others = json!({ "a": text, "b": [{ "type": "x" }, "]]"] });
        let mut header = serde_json::Map::new();
        header.extend((!is_last).then(|| ("type".to_owned(), json!(kind))));
        header.extend(others.as_object().unwrap().clone());
        header.extend(is_last.then(|| ("type".to_owned(), json!(kind))));
        serde_json::to_string(&header).unwrap()
    });
    prop_oneof![
        3 => prop::collection::vec(prop::sample::select(OUTSIDE), 0..5).prop_map(|pieces| pieces.concat()),
        1 => (inner(), space()).prop_map(|(inner, space)| format!("<run_bash>{inner}</run_bash{space}>")),
        1 => (path(), inner(), space()).prop_map(|(path, inner, space)| format!("<write_file path=\"{path}\">{inner}</write_file{space}>")),
        1 => (name(), inner(), space()).prop_map(|(name, inner, space)| format!("<tool name=\"{name}\">{inner}</tool{space}>")),
        1 => (inner(), any::<bool>(), space()).prop_map(|(inner, is_long, space)| {
            let name = if is_long { "thinking" } else { "think" };
            format!("<{name}>{inner}</{name}{space}>")
        }),
        2 => tool,
        1 => (name(), inner()).prop_map(|(name, inner)| json!({ "tool": { "function": name, "parameters": { "a": inner } } }).to_string()),
        1 => inner().prop_map(|inner| json!({ "function": { "name": "f", "arguments": json!({ "a": [inner, 1.5] }).to_string() } }).to_string()),
        1 => (header, inner()).prop_map(|(header, inner)| format!("[[SEG_START {header}]]{inner}[[SEG_END]]")),
    ]
}

/// What contents are made of: anything but what closes one.
const INSIDE: &[&str] = &[
    "ls -la",
    "\n",
    " ",
    "a < b > c",
    "</",
    "<b>",
    "</b>",
    "</write_fil>",
    "</ run_bash>",
    "<think>",
    "</thin",
    "</run_bash x>",
    "</too",
    "</ar",
    "<run_bash>",
    "<tool name=\"x\">",
    "{\"tool\":",
    "[[SEG_START ",
    "[[SEG_END] ",
    "[",
    "]]",
    "}",
    "\"",
    "\\",
    "__END_",
    "é水🙂",
    "```\n",
];

/// What prose is made of: anything but what begins a segment. A line end keeps
/// two pieces from being one.
const OUTSIDE: &[&str] = &[
    "plain words\n",
    "if a < b:\n",
    "<b>bold</b>\n",
    "</tool>\n",
    "</run_bash>\n",
    "<toolbar name=\"x\">\n",
    "<write_files path=\"a\">\n",
    "<write_file>\n",
    "<tool>\n",
    "<<\n",
    "<thinks>\n",
    "{}\n",
    "{ \"foo\": {\"bar\":1} }\n",
    "[1, 2]\n",
    "[[x]]\n",
    "[[SEG_END]]\n",
    "[[SEG_STARTS\n",
    "é水🙂\n",
    "\u{a0}\n",
];

fn text() -> impl Strategy<Value = String> {
    let pieces = prop::collection::vec(prop::sample::select(PIECES), 0..20).prop_map(|pieces| pieces.concat());
    let whole = prop::collection::vec(item(), 0..5).prop_map(|items| items.concat());
    let edit = (any::<prop::sample::Index>(), 0..3usize, prop::sample::select(PIECES));
    let edited = (whole, prop::collection::vec(edit, 0..4)).prop_map(|(text, edits)| {
        let mut chars: Vec<char> = text.chars().collect();
        for (at, length, piece) in edits {
            let from = at.index(chars.len() + 1);
            chars.splice(from..(from + length).min(chars.len()), piece.chars());
        }
        chars.into_iter().collect()
    });
    prop_oneof![1 => pieces, 1 => edited]
}

/// Reads a text whole, one character at a time and at some cuts; all must be the same.
fn read_every_way(text: &str, way: &Way, seed: u64) -> Vec<Event> {
    let options = way.options();
    let whole = read(&options, [text]);
    check(&whole, text);
    let places = places(text);
    let mut random = Random::new(seed);
    let mut some: Vec<_> = (0..8).map(|_| places[random.below(places.len())]).collect();
    some.sort_unstable();
    for cuts in [places, some] {
        let again = read(&options, cut(text, &cuts));
        check(&again, text);
        assert_eq!(joined(&again), joined(&whole), "{text:?} cut at {cuts:?}, {way:?}");
        assert_eq!(faults(&again), faults(&whole), "{text:?} cut at {cuts:?}, {way:?}");
    }
    whole
}

/// A machine with a way's markers and signatures; tools are read by the built-in rows.
fn driver(way: &Way, room: usize) -> Driver {
    Driver::new(
        Machine::new(way.markers, way.options().signatures).with_reasoning(way.reasoning),
        room,
        Choice::BuiltIn,
    )
}

/// Without the pairs of characters that may end a mode, and without the first of one at the end.
fn without_fronts(text: &str, fronts: &[u8]) -> String {
    let mut text = text.to_owned();
    loop {
        let len = text.len();
        for front in fronts.chunks(2).map(|front| std::str::from_utf8(front).unwrap()) {
            text = text.replace(front, "").trim_end_matches(&front[..1]).to_owned();
        }
        if text.len() == len {
            return text;
        }
    }
}

proptest! {
    #![proptest_config(config(10_000))]

    /// Cuts don't matter, text never raises an error, nothing is lost, and
    /// what is emitted is in order: see `check`.
    #[test]
    fn cuts_do_not_matter(text in text(), way in way(), seed in any::<u64>()) {
        read_every_way(&text, &way, seed);
    }

    /// Really any text.
    #[test]
    fn no_text_is_refused(text in any::<String>(), way in way(), seed in any::<u64>()) {
        read_every_way(&text, &way, seed);
    }

    /// Pending text may still be markup, and all else was emitted.
    #[test]
    fn no_more_is_held_than_what_may_be_markup(text in text(), way in way()) {
        let setting = way.setting();
        let mut pieces = text.char_indices().map(|(at, c)| at + c.len_utf8());
        read_with(&way.options(), cut(&text, &places(&text)[1..]), |parser, events| {
            let front = &text[..pieces.next().unwrap_or(text.len())];
            let emitted = text_of(events).len();
            let held = &front[emitted..];
            assert_eq!(held.encode_utf16().count(), parser.held() as usize, "{front:?}");
            let is_quoted = way.markers.skips_code && crate::held::may_be_quoted(&front[..emitted], held);
            assert!(is_quoted || setting.may_be_held(events, held), "{held:?} is held at the end of {front:?}, {way:?}, {events:#?}");
        });
    }

    /// A batch that is full goes on in the next call.
    #[test]
    fn a_full_batch_changes_nothing(text in text(), times in 1..6usize, way in way(), room in 12..30usize, size in 1..400usize) {
        let text = text.repeat(times);
        let (mut roomy, mut narrow) = (driver(&way, usize::MAX), driver(&way, room));
        roomy.feed(&text);
        for piece in cut(&text, &places(&text).into_iter().step_by(size).collect::<Vec<_>>()) {
            narrow.feed(piece);
        }
        prop_assert_eq!(roomy.finish(), narrow.finish(), "{:?}", text);
    }

    /// Text in which nothing may happen by the mode is what the mode says, and
    /// need not be read: JavaScript doesn't.
    #[test]
    fn a_mode_says_what_text_is(text in text(), way in way(), plain in ".{1,8}", at in any::<prop::sample::Index>()) {
        let places = places(&text);
        let mut driver = driver(&way, usize::MAX);
        driver.feed(&text[..places[at.index(places.len())]]);
        let machine = driver.machine();
        let mode = machine.mode();
        let ends = match (mode, way.markers) {
            (Mode::Read | Mode::JsonToken, _) => return Ok(()),
            (Mode::Text, markers) => markers.stops(way.reasoning),
            _ => mode.stops(),
        };
        let op = if mode == Mode::Text { Op::Text } else if mode == Mode::Markup { Op::Markup } else { Op::Content };
        let plain: String = plain.chars().filter(|&c| !(c.is_ascii() && ends.contains(&(c as u8)))).collect();
        let plain = without_fronts(&plain, mode.fronts());
        let units = plain.encode_utf16().count() as u32;
        let held = driver.held();
        let mut again = machine;
        let mut records = Vec::new();
        let outcome = again.run(&(), &mut Stretch::new(plain.as_bytes(), held, false), &mut records);
        let expected: Vec<_> = (units > 0 && held == 0).then(|| op.at(0, units)).into_iter().collect();
        prop_assert_eq!(mode == Mode::Pending, driver.held() > 0, "{:?}", machine.mode());
        prop_assert_eq!(records, expected, "{:?} after {:?} in {:?}", plain, text, machine.mode());
        prop_assert_eq!(outcome, Outcome::new(held + units, if held > 0 { 0 } else { units }));
        prop_assert_eq!(again.mode(), machine.mode());
        // Whoever read it and whoever didn't go on alike.
        for next in PIECES {
            let (mut left, mut right) = (machine, again);
            let (mut one, mut other) = (Vec::new(), Vec::new());
            let from = if held > 0 { held + units } else { 0 };
            let one_outcome = left.run(&(), &mut Stretch::new(next.as_bytes(), from, false), &mut one);
            let other_outcome = right.run(&(), &mut Stretch::new(next.as_bytes(), from, false), &mut other);
            prop_assert_eq!((one, one_outcome), (other, other_outcome), "{:?} after {:?}", next, plain);
        }
    }
}

proptest! {
    #![proptest_config(config(4_000))]

    /// Well-formed text is read as by `find` and serde_json.
    #[test]
    fn well_formed_text_is_what_find_says(items in prop::collection::vec(item(), 0..6), seed in any::<u64>()) {
        let text = items.concat();
        let markers = Markers { xml: true, json: true, sentinel: true, skips_code: false };
        let way = Way { markers, reasoning: Reasoning::Parts, profile: Some(Profile::Default), has_own: false, generic: None };
        let events = read_every_way(&text, &way, seed);
        let (found, expected) = (emitted(&events), naive::read(&text));
        prop_assert!(is_as_expected(&found, &expected), "{:?}\n{:#?}\n{:#?}", text, found, expected);
    }
}

proptest! {
    #![proptest_config(config(4_000))]

    /// Whatever is inside of reasoning, cut off or not, nothing in it is a tool.
    #[test]
    fn nothing_in_reasoning_is_a_tool(
        (inside, before, after) in (text(), prop::sample::select(&["", "Hi.\n", "<run_bash>ls</run_bash> ", "> "][..]), text()),
        (tag, way, is_cut, seed) in (prop::sample::select(&["think", "thinking"][..]), way(), any::<bool>(), any::<u64>()),
    ) {
        let reasoning = if way.reasoning == Reasoning::Text { Reasoning::Text } else { Reasoning::Parts };
        let way = Way { markers: Markers { xml: true, ..way.markers }, reasoning, ..way };
        let inside = inside.replace(&format!("</{tag}"), "</x");
        let front = format!("{before}<{tag}>{inside}");
        let text = if is_cut { front.clone() } else { format!("{front}</{tag}>{after}") };
        let (from, to) = (before.encode_utf16().count() as u64, front.encode_utf16().count() as u64);
        for event in read_every_way(&text, &way, seed) {
            if let EventKind::Start { segment_type, .. } = event.kind && (from + 1..to).contains(&event.span.start) {
                prop_assert_eq!(segment_type, tokenweir::segment::SegmentType::Reasoning, "{:?}", text);
            }
        }
    }
}

#[test]
fn random_texts_are_worth_reading() {
    // The judge is judged: much is emitted, of all kinds, and much is pending.
    use proptest::strategy::ValueTree;
    let mut runner = proptest::test_runner::TestRunner::deterministic();
    let mut seen = std::collections::BTreeMap::<String, usize>::new();
    let mut modes = [0; Mode::ALL.len()];
    for _ in 0..4_000 {
        let text = text().new_tree(&mut runner).unwrap().current();
        let way = way().new_tree(&mut runner).unwrap().current();
        for event in read(&way.options(), [text.as_str()]) {
            let name = match event.kind {
                EventKind::Start { segment_type, .. } => segment_type.name(),
                EventKind::Fault(fault) => fault.code(),
                EventKind::Content(_) => "content",
                EventKind::Markup(_) => "markup",
                EventKind::End => "an end",
                _ => panic!("unknown: {event:?}"),
            };
            *seen.entry(name.to_owned()).or_default() += 1;
        }
        let places = places(&text);
        let mut driver = driver(&way, usize::MAX);
        driver.feed(&text[..places[text.len() % places.len()]]);
        modes[driver.mode() as usize] += 1;
    }
    assert_eq!(seen.len(), 8 + 5 + 3, "{seen:?}");
    assert!(seen.values().all(|&count| count > 10), "{seen:?}");
    // A content before its path is seldom; it has tests of its own.
    let mut common = Mode::ALL.into_iter().filter(|&mode| mode != Mode::Pending);
    assert!(common.all(|mode| modes[mode as usize] > 5), "{modes:?}");
}
