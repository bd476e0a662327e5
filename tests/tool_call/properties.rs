//! What holds for every text, made at random of what matters to calls.

use crate::held::may_be_held;
use crate::pieces::{HERMES, MORPH};
use crate::reading::{check, joined, random_cut, read, read_with};
use crate::support::thin::thinned;
use crate::support::{Random, cut, places, seed};
use tokenweir::tool_call::{EventKind, Options, ToolCallParser};

const CALL: &str = "<tool_call>{\"name\":\"add\",\"arguments\":{\"a\":\"x\"}}</tool_call>";
fn text_of(fragments: &[&str], random: &mut Random) -> String {
    (0..1 + random.below(14)).map(|_| fragments[random.below(fragments.len())]).collect()
}

fn settings() -> [(Options, &'static [&'static str]); 4] {
    let mut short = Options::hermes();
    short.longest = 70;
    let mut short_elements = Options::morph(&["add", "get"]);
    short_elements.longest = 25;
    [
        (Options::hermes(), HERMES),
        (short.only(&["get"]), HERMES),
        (Options::morph(&["add", "get"]), MORPH),
        (short_elements, MORPH),
    ]
}

#[test]
fn cuts_of_any_text_change_nothing_and_spans_tile_it() {
    let seed = seed();
    let mut random = Random::new(seed);
    let mut calls = 0;
    for round in 0..thinned(6_000) {
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
    assert!(calls > thinned(300), "{calls} calls in all: the texts show little (SEED={seed})");
}

#[test]
fn held_text_may_be_markup() {
    let seed = seed();
    let mut random = Random::new(seed);
    for round in 0..thinned(4_000) {
        let (options, fragments) = &settings()[round % 4];
        let text = text_of(fragments, &mut random);
        let places = places(&text);
        let mut at = 0;
        read_with(options, cut(&text, &places), |parser, events| {
            let after = &text[..places[at.min(places.len() - 1)]];
            at += 1;
            let units: Vec<u16> = after.encode_utf16().collect();
            let held = String::from_utf16(&units[units.len() - parser.held() as usize..]).unwrap();
            let is_failed =
                matches!(events.last().map(|event| &event.kind), Some(EventKind::Failed(_) | EventKind::Fail(_)));
            assert!(may_be_held(&held, round % 4 >= 2, is_failed), "{held:?} is pending of {after:?} (SEED={seed})");
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
        // After an argument the end of the stream closes an element, in the middle of its closing tag too.
        let ends = |front: &str| {
            let without = (0.."</add>".len()).filter_map(|length| front.strip_suffix(&"</add>"[..length]));
            without.map(str::trim_end).any(|front| front.ends_with("</a>") || front.ends_with("<b/>"))
        };
        for place in places(text) {
            let front = &text[..place];
            let is_whole = front.len() == text.len();
            let mut parser = ToolCallParser::new(options.clone());
            assert_eq!(called(&parser.feed(front).unwrap()), is_whole, "{front}");
            assert_eq!(called(&parser.finish()), ends(front), "{front}");
            // What was not a call is text, all of it.
            let events = read(&options, [front]);
            check(&events, front);
            let is_text = |kind: &EventKind| matches!(kind, EventKind::Text(_) | EventKind::Failed(_));
            assert!(is_whole || ends(front) || front.is_empty() || events.iter().any(|event| is_text(&event.kind)));
        }
    }
}
