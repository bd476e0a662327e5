//! Random documents against other parsers, and any text against itself cut elsewhere.

use crate::generate::{Dialect, document};
use crate::pieces::PIECES;
use crate::reader::{Part, Reading, read, read_whole};
use crate::thin::thinned;
use crate::value::Value;
use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::FileFailurePersistence;
use serde::de::IgnoredAny;
use tokenweir::json::{Container, Recogniser, Rule, Rules};

fn bytes() -> impl Strategy<Value = Vec<u8>> {
    prop::collection::vec(any::<u8>(), 0..300)
}

fn json() -> impl Strategy<Value = String> {
    bytes().prop_map(|bytes| document(&bytes, Dialect::Json))
}

fn json5() -> impl Strategy<Value = String> {
    bytes().prop_map(|bytes| document(&bytes, Dialect::Json5))
}

/// Any pieces, or a document in which a few places were replaced by pieces.
fn almost_json() -> impl Strategy<Value = String> {
    let pieces = prop::collection::vec(prop::sample::select(PIECES), 0..16).prop_map(|pieces| pieces.concat());
    let edit = (any::<prop::sample::Index>(), 0..3usize, prop::sample::select(PIECES), any::<bool>());
    let edited = (prop_oneof![json(), json5()], prop::collection::vec(edit, 0..3)).prop_map(|(text, edits)| {
        let mut chars: Vec<char> = text.chars().collect();
        for (at, length, piece, is_inserted) in edits {
            let from = at.index(chars.len() + 1);
            let to = (from + length).min(chars.len());
            chars.splice(from..to, piece.chars().filter(|_| is_inserted));
        }
        chars.into_iter().collect()
    });
    prop_oneof![pieces, edited]
}

/// The same in UTF-16, here and there with half a surrogate pair.
fn almost_json_units() -> impl Strategy<Value = Vec<u16>> {
    let half = (any::<prop::sample::Index>(), prop::sample::select(&[0xD83Du16, 0xDE42][..]));
    (almost_json(), prop::collection::vec(half, 0..3)).prop_map(|(text, halves)| {
        let mut units: Vec<u16> = text.encode_utf16().collect();
        for (at, half) in halves {
            units.insert(at.index(units.len() + 1), half);
        }
        units
    })
}

fn rules() -> impl Strategy<Value = Rules> {
    let some = prop::sample::subsequence(Rules::LENIENT.iter().collect::<Vec<_>>(), 0..=18)
        .prop_map(|rules| rules.into_iter().fold(Rules::STRICT, Rules::with));
    prop_oneof![Just(Rules::STRICT), Just(Rules::JSON5), Just(Rules::LENIENT), some]
}

/// The rules of both sets.
fn union(one: Rules, other: Rules) -> Rules {
    other.iter().fold(one, Rules::with)
}

/// The rules that allow something after a string, and so decide where an unescaped quote ends one.
const AFTER_A_STRING: [Rule; 8] = [
    Rule::Comment,
    Rule::Json5Whitespace,
    Rule::MissingComma,
    Rule::DoubledComma,
    Rule::StrayCloser,
    Rule::WrongCloser,
    Rule::BareWord,
    Rule::SmartQuotes,
];

/// The rules by which a backslash goes.
const JSON5_ESCAPES: [Rule; 2] = [Rule::Json5Escape, Rule::LineContinuation];

/// Places to cut at, as parts of the length.
fn cuts() -> impl Strategy<Value = Vec<prop::sample::Index>> {
    prop::collection::vec(any::<prop::sample::Index>(), 0..8)
}

fn places(cuts: &[prop::sample::Index], length: usize) -> Vec<usize> {
    let mut places: Vec<usize> = cuts.iter().map(|cut| cut.index(length + 1)).collect();
    places.sort_unstable();
    places
}

/// Reads whole, unit by unit and at cuts; all must be the same.
fn read_every_way(units: &[u16], cuts: &[prop::sample::Index], rules: Rules, max_depth: u16) -> Reading {
    let whole = read(units, &[], rules, max_depth);
    let each: Vec<usize> = (1..units.len()).collect();
    let text = String::from_utf16_lossy(units);
    assert_eq!(read(units, &each, rules, max_depth), whole, "{text:?} unit by unit");
    let places = places(cuts, units.len());
    assert_eq!(read(units, &places, rules, max_depth), whole, "{text:?} cut at {places:?}");
    whole
}

fn config() -> ProptestConfig {
    // Beside this file, where git ignores them.
    let failures = FileFailurePersistence::WithSource("proptest-regressions");
    ProptestConfig {
        cases: thinned(10_000) as u32,
        failure_persistence: Some(Box::new(failures)),
        ..ProptestConfig::default()
    }
}

proptest! {
    #![proptest_config(config())]

    /// JSON is read as serde_json reads it, by no rule.
    #[test]
    fn json_is_what_serde_json_says(text in json(), cuts in cuts(), rules in rules()) {
        let expected: Value = serde_json::from_str(&text).unwrap_or_else(|error| panic!("{error}: {text:?}"));
        let units: Vec<u16> = text.encode_utf16().collect();
        let reading = read_every_way(&units, &cuts, rules, 512);
        prop_assert!(reading.is_accepted(), "{:?}", reading);
        prop_assert_eq!(reading.used, Rules::STRICT);
        prop_assert_eq!(reading.value, Some(expected));
    }

    /// JSON5 is read as the crate json5 reads it, by JSON5's rules, whatever else is allowed; but
    /// for programs a backslash that JSON doesn't know stays.
    #[test]
    fn json5_is_what_json5_says(text in json5(), cuts in cuts()) {
        let expected: Value = json5::from_str(&text).unwrap_or_else(|error| panic!("{error}: {text:?}"));
        let units: Vec<u16> = text.encode_utf16().collect();
        let reading = read_every_way(&units, &cuts, Rules::JSON5, 512);
        prop_assert!(reading.is_accepted(), "{:?}", reading);
        prop_assert_eq!(reading.value.clone().map(Value::without_minus_zero), Some(expected.without_minus_zero()));
        let lenient = read_every_way(&units, &cuts, Rules::LENIENT, 512);
        if JSON5_ESCAPES.into_iter().any(|rule| reading.used.has(rule)) {
            prop_assert!(lenient.is_accepted() && lenient.used.has(Rule::KeptEscape), "{:?}", lenient);
        } else {
            prop_assert_eq!(lenient, reading);
        }
    }

    /// Strict reading takes what JSON is, no less and no more. serde_json, when
    /// it ignores what it reads, is as free as `JSON.parse` is with lone
    /// surrogates, huge numbers and depth.
    #[test]
    fn strict_is_json(text in almost_json(), cuts in cuts()) {
        let is_json = serde_json::from_str::<IgnoredAny>(&text).is_ok();
        let units: Vec<u16> = text.encode_utf16().collect();
        let reading = read_every_way(&units, &cuts, Rules::STRICT, 4_096);
        prop_assert_eq!(reading.is_accepted(), is_json, "{:?}", reading);
        prop_assert_eq!(reading.used, Rules::STRICT);
        if let Ok(expected) = serde_json::from_str::<Value>(&text) {
            prop_assert_eq!(reading.value, Some(expected));
        }
        // The recogniser lets a backslash stand that JSON has no meaning for.
        let kept = read_every_way(&units, &cuts, Rules::KEPT, 4_096);
        let mut json = Recogniser::START;
        prop_assert_eq!(text.bytes().all(|byte| json.step(byte)) && json.is_whole(), kept.is_accepted());
    }

    /// What JSON5's rules take without fault is JSON5 for the crate as well, but
    /// for the differences that `tolerance.rs` names and numbers that it can't hold.
    #[test]
    fn json5_is_no_more_than_json5(text in almost_json()) {
        let units: Vec<u16> = text.encode_utf16().collect();
        let reading = read(&units, &[], Rules::JSON5, 4_096);
        let is_comment_open = !read_whole(&format!("{text}\n@"), Rules::JSON5).has_fault();
        let is_apart = is_comment_open || text.contains("\\0") || text.contains("\\u") || !text.is_ascii();
        if reading.is_accepted() && !is_apart {
            let expected: Value = json5::from_str(&text).unwrap_or_else(|error| panic!("{error}: {text:?}"));
            prop_assert_eq!(reading.value.map(Value::without_minus_zero), Some(expected.without_minus_zero()));
        } else if !reading.is_accepted() && !text.chars().any(|c| c < ' ') {
            prop_assert!(json5::from_str::<Value>(&text).is_err(), "{:?}", reading);
        }
    }

    /// Any text, any rules, any depth, any cuts: the same tokens and faults. The
    /// reader asserts that held text and steps are bounded and places in order.
    #[test]
    fn cuts_do_not_matter(units in almost_json_units(), rules in rules(), depth in 1..6u16, cuts in cuts()) {
        let reading = read_every_way(&units, &cuts, rules, depth);
        // Only rules that are allowed are used.
        prop_assert_eq!(union(reading.used, rules), rules);
        let open = |part: &Part| i32::from(matches!(part, Part::Push(_))) - i32::from(matches!(part, Part::Pop(_)));
        let most = reading.parts.iter().scan(0, |depth, (part, _)| { *depth += open(part); Some(*depth) }).max();
        prop_assert!(most.is_none_or(|most| most <= i32::from(depth)));
    }

    /// Really any text.
    #[test]
    fn no_text_is_refused(text in any::<String>(), rules in rules(), cuts in cuts()) {
        let units: Vec<u16> = text.encode_utf16().collect();
        read_every_way(&units, &cuts, rules, 512);
    }

    /// More rules take more texts: what one set reads without fault, a larger
    /// set reads the same way. (But for triple quotes, which without their rule
    /// are three strings and missing commas, and for quotes, which end a string by what
    /// the rules allow after it.)
    #[test]
    fn more_rules_change_nothing_that_was_read(text in almost_json(), rules in rules(), more in rules()) {
        let units: Vec<u16> = text.encode_utf16().collect();
        let reading = read(&units, &[], rules, 512);
        let more = if rules.has(Rule::TripleQuotes) { more } else { more.without(Rule::TripleQuotes) };
        // A closing bracket that closes nothing closes something by this rule.
        let is_stray = reading.used.has(Rule::StrayCloser);
        let more = if is_stray && !rules.has(Rule::WrongCloser) { more.without(Rule::WrongCloser) } else { more };
        let is_json5 = union(reading.used, Rules::JSON5) == Rules::JSON5;
        let more = if is_json5 || rules.has(Rule::UnescapedQuote) { more } else { more.without(Rule::UnescapedQuote) };
        // `["a "null]` is one string, or `"a "` and `null` without a comma.
        let has_quote = reading.used.has(Rule::UnescapedQuote);
        let apart = AFTER_A_STRING.into_iter().filter(|&rule| has_quote && !rules.has(rule));
        let more = apart.fold(more, Rules::without);
        // A backslash stays, or goes.
        let is_kept = reading.used.has(Rule::KeptEscape);
        let more = JSON5_ESCAPES.into_iter().filter(|_| is_kept).fold(more, Rules::without);
        // A word that is a string may be a value by another rule.
        if reading.is_accepted() && !reading.used.has(Rule::LoneWord) {
            prop_assert_eq!(read(&units, &[], union(rules, more), 512), reading);
        }
    }

    /// `could_be_closed` is true exactly where closing what is open makes a text.
    #[test]
    fn what_could_be_closed_can_be_closed(text in json(), at in any::<prop::sample::Index>()) {
        let units: Vec<u16> = text.encode_utf16().collect();
        let front = &units[..at.index(units.len() + 1)];
        // `{"a":"b","c` and a quote could all be one string, and an escape that is cut off would be text.
        // And `nul` would be a string.
        let some = [Rule::UnescapedQuote, Rule::KeptEscape, Rule::LoneWord];
        let rules = some.into_iter().fold(Rules::LENIENT, Rules::without);
        let reading = read(front, &[], rules, 512);
        let mut closed = front.to_vec();
        if matches!(reading.parts.last(), Some((Part::Text { is_whole: false, .. }, _))) {
            closed.push(u16::from(b'"'));
        }
        let mut open = Vec::new();
        for (part, _) in &reading.parts {
            match part {
                Part::Push(Container::Object) => open.push(u16::from(b'}')),
                Part::Push(_) => open.push(u16::from(b']')),
                Part::Pop(_) => { open.pop(); }
                Part::Text { .. } | Part::Number | Part::CutNumber | Part::Word(_) | Part::Fault(_) => {}
            }
        }
        closed.extend(open.iter().rev());
        prop_assert_eq!(read(&closed, &[], rules, 512).is_accepted(), reading.could_be_closed, "{:?}", reading);
    }

}

#[test]
fn documents_have_all_sorts_of_values() {
    // The judge is judged: what the generators write is worth reading.
    let mut random = proptest::test_runner::TestRunner::deterministic();
    let mut seen = std::collections::BTreeSet::new();
    let mut longest = 0;
    let mut used = Rules::STRICT;
    for _ in 0..300 {
        let text = json5().new_tree(&mut random).unwrap().current();
        let units: Vec<u16> = text.encode_utf16().collect();
        let reading = read(&units, &[], Rules::JSON5, 512);
        used = union(used, reading.used);
        longest = longest.max(units.len());
        seen.extend(reading.parts.iter().map(|(part, _)| std::mem::discriminant(part)).map(|kind| format!("{kind:?}")));
    }
    assert_eq!(used, Rules::JSON5);
    assert!(longest > 300 && seen.len() >= 5, "{longest} {seen:?}");
}
