//! What holds for every text, made at random of what matters to calls.

use crate::reading::{check, joined, random_cut, read, read_with};
use crate::support::{Random, cut, places, seed};
use tokenweir::tool_call::{EventKind, LONGEST_SPACE, Options, ToolCallParser};

const CALL: &str = "<tool_call>{\"name\":\"add\",\"arguments\":{\"a\":\"x\"}}</tool_call>";
const HERMES: [&str; 42] = [
    CALL,
    "<tool_call>",
    "<tool_call>",
    "</tool_call>",
    "</tool_call>",
    "</tool_call >",
    "<tool_call",
    "</tool",
    "<",
    "{",
    "{",
    "}",
    "}",
    "[",
    "]",
    "\"name\":",
    "\"name\":\"add\"",
    "\"arguments\":",
    "\"arguments\":{",
    "\"parameters\":",
    "name:'add'",
    "\"{\\\"a\\\":1}\"",
    "\"",
    "\"",
    "'",
    "\\",
    "\\u00e9",
    "\\ud83d",
    ":",
    ",",
    ",",
    " ",
    "\n",
    "é",
    "🙂",
    "x",
    "\"a\":",
    "1",
    "007",
    "True",
    "/*",
    "*/",
];
const ELEMENTS: [&str; 30] = [
    "<add><a>x</a></add>",
    "<add>",
    "<add>",
    "</add>",
    "</add>",
    "</add >",
    "<add/>",
    "<add x='1' y>",
    "<add",
    "<get>",
    "</get>",
    "<a>",
    "</a>",
    "</a>",
    "<b c=\"d\">",
    "</b>",
    "<b/>",
    "<",
    ">",
    "&amp;",
    "&",
    "<![CDATA[",
    "]]>",
    "<!--",
    "-->",
    " ",
    "\n",
    "é",
    "🙂",
    "x",
];

fn text_of(fragments: &[&str], random: &mut Random) -> String {
    (0..1 + random.below(14)).map(|_| fragments[random.below(fragments.len())]).collect()
}

fn settings() -> [(Options, &'static [&'static str]); 4] {
    let mut short = Options::hermes();
    short.longest = 70;
    let mut short_elements = Options::morph(&["add", "get"]);
    short_elements.longest = 25;
    [
        (Options::hermes(), &HERMES),
        (short.only(&["get"]), &HERMES),
        (Options::morph(&["add", "get"]), &ELEMENTS),
        (short_elements, &ELEMENTS),
    ]
}

#[test]
fn cuts_of_any_text_change_nothing_and_spans_tile_it() {
    let seed = seed();
    let mut random = Random::new(seed);
    let mut calls = 0;
    for round in 0..6_000 {
        let (options, fragments) = &settings()[round % 4];
        let text = text_of(fragments, &mut random);
        let whole = read(options, [text.as_str()]);
        check(&whole, &text);
        let whole = joined(&whole);
        calls += whole.iter().filter(|event| matches!(event.kind, EventKind::CallDone { .. })).count();
        let units = cut(&text, &places(&text));
        for pieces in [units, random_cut(&text, &mut random), random_cut(&text, &mut random)] {
            let events = read(options, pieces.iter().copied());
            check(&events, &text);
            assert_eq!(joined(&events), whole, "{text:?} as {pieces:?} (SEED={seed})");
        }
    }
    assert!(calls > 300, "{calls} calls in all: the texts show little (SEED={seed})");
}

/// Whether a text may be the front of a tag, and what is behind it if it is whole.
enum Front<'a> {
    No,
    Part,
    Behind(&'a str),
}

const SPACE: [char; 4] = [' ', '\t', '\n', '\r'];

fn tag<'a>(text: &'a str, name: &str) -> Front<'a> {
    if name.starts_with(text) {
        return Front::Part;
    }
    let Some(rest) = text.strip_prefix(name) else { return Front::No };
    let behind = rest.trim_start_matches(SPACE);
    match behind.strip_prefix('>') {
        _ if rest.len() - behind.len() > 64 => Front::No,
        Some(behind) => Front::Behind(behind),
        None if behind.is_empty() => Front::Part,
        None => Front::No,
    }
}

/// Whether text may be undecided: written down from the grammar, not from the machine.
fn may_be_held(held: &str, is_morph: bool, is_failed: bool) -> bool {
    let starts: &[&str] = if is_morph { &["<add", "<get"] } else { &["<tool_call"] };
    let ends: &[&str] = if is_morph { &["</add", "</get"] } else { &["</tool_call"] };
    let lead = |behind: &str| {
        let rest = behind.trim_start_matches(SPACE);
        let rest = if is_morph { rest } else { rest.strip_prefix('[').unwrap_or(rest).trim_start_matches(SPACE) };
        let begins = if is_morph { '<' } else { '{' };
        rest.is_empty() && behind.len() <= LONGEST_SPACE as usize || rest.starts_with(begins)
    };
    let is_start = |name: &&str| match tag(held, name) {
        Front::Part => true,
        Front::Behind(behind) => lead(behind),
        // A tool's tag may have attributes, and may close itself.
        Front::No => is_morph && held.strip_prefix(*name).is_some_and(|rest| rest.starts_with(['/', ' ', '\n'])),
    };
    held.is_empty()
        || starts.iter().any(is_start)
        || is_failed && ends.iter().any(|name| matches!(tag(held, name), Front::Part))
}

#[test]
fn held_text_may_be_markup() {
    let seed = seed();
    let mut random = Random::new(seed);
    for round in 0..4_000 {
        let (options, fragments) = &settings()[round % 4];
        let text = text_of(fragments, &mut random);
        let places = places(&text);
        let mut at = 0;
        read_with(options, cut(&text, &places), |parser, events| {
            let behind = &text[..places[at.min(places.len() - 1)]];
            at += 1;
            let units: Vec<u16> = behind.encode_utf16().collect();
            let held = String::from_utf16(&units[units.len() - parser.held() as usize..]).unwrap();
            let is_failed =
                matches!(events.last().map(|event| &event.kind), Some(EventKind::Failed(_) | EventKind::Fail(_)));
            assert!(may_be_held(&held, round % 4 >= 2, is_failed), "{held:?} is held of {behind:?} (SEED={seed})");
        });
    }
    assert!(!may_be_held("<tool_call> x", false, false) && !may_be_held("</tool_call", false, false));
    assert!(!may_be_held("<add> x", true, false) && may_be_held("<add x='1'", true, false));
}

#[test]
fn nothing_is_called_before_a_call_is_whole() {
    let list = "<tool_call>[{\"name\":\"add\"},{'name':'get',arguments:{b:[1,],},}]</tool_call>";
    let before = "<tool_call>{\"arguments\":\"{\\\"a\\\":1}\",\"name\":\"add\"}</tool_call>";
    let elements = "<add x='1'><a>1 < 2</a>\n<b/></add>";
    let texts = [(CALL, Options::hermes()), (list, Options::hermes()), (before, Options::hermes())];
    let morph = [(elements, Options::morph(&["add"])), ("<add/>", Options::morph(&["add"]))];
    for (text, options) in texts.into_iter().chain(morph) {
        let called = |events: &[tokenweir::tool_call::Event]| {
            events.iter().any(|event| matches!(event.kind, EventKind::CallDone { .. }))
        };
        for place in places(text) {
            let front = &text[..place];
            let is_whole = front.len() == text.len();
            let mut parser = ToolCallParser::new(options.clone());
            assert_eq!(called(&parser.feed(front).unwrap()), is_whole, "{front}");
            assert!(!called(&parser.finish()), "{front}");
            // What was no call is text, all of it.
            let events = read(&options, [front]);
            check(&events, front);
            let is_text = |kind: &EventKind| matches!(kind, EventKind::Text(_) | EventKind::Failed(_));
            assert!(is_whole || front.is_empty() || events.iter().any(|event| is_text(&event.kind)));
        }
    }
}
