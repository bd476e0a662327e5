//! The promises on random text that is almost JSON, in what is almost prose,
//! and on JSON documents. (Growth is in `linear.rs`, cuts of the written cases
//! in `conformance.rs`.)

use crate::document;
use crate::pieces::PIECES;
use crate::reading::{joined, lines, read, value};
use crate::support::thin::thinned;
use crate::support::{Random, cut, places};
use proptest::prelude::*;
use proptest::test_runner::FileFailurePersistence;
use serde_json::Value;
use tokenweir::field::{Event, EventKind, Options, Path, Shape, Step};
use tokenweir::json::Rules;

fn text() -> impl Strategy<Value = String> {
    let pieces = prop::collection::vec(prop::sample::select(PIECES), 0..20).prop_map(|pieces| pieces.concat());
    let document = (document::value(), any::<u64>()).prop_map(|(value, seed)| document::write(&value, seed));
    let edit = (any::<prop::sample::Index>(), 0..3usize, prop::sample::select(PIECES));
    let edited =
        (prop::sample::select(PIECES), document, prop::collection::vec(edit, 0..4)).prop_map(|(front, text, edits)| {
            let mut chars: Vec<char> = front.chars().chain(text.chars()).collect();
            for (at, length, piece) in edits {
                let from = at.index(chars.len() + 1);
                chars.splice(from..(from + length).min(chars.len()), piece.chars());
            }
            chars.into_iter().collect()
        });
    prop_oneof![2 => pieces, 1 => edited]
}

fn options() -> impl Strategy<Value = Options> {
    let some = prop::sample::subsequence(Rules::LENIENT.iter().collect::<Vec<_>>(), 0..=19)
        .prop_map(|rules| rules.into_iter().fold(Rules::STRICT, Rules::with));
    let rules = prop_oneof![4 => Just(Rules::LENIENT), 2 => Just(Rules::STRICT), 1 => Just(Rules::JSON5), 1 => some];
    let depth = prop_oneof![3 => Just(512), 1 => 1..4u16];
    let shape = prop_oneof![2 => Just(Shape::Any), 1 => prop::sample::select(&Shape::ALL[..])];
    let keys = prop::option::weighted(0.7, Just(vec!["a".to_owned()]));
    (rules, depth, any::<bool>(), shape, any::<bool>(), keys, any::<bool>(), any::<bool>()).prop_map(
        |(rules, max_depth, is_multiple, shape, is_nullable, keys, starts_with_thinking, skips_code)| Options {
            starts_with_thinking,
            skips_code,
            rules,
            max_depth,
            is_multiple,
            shape,
            is_nullable,
            keys,
        },
    )
}

/// Reads a text whole, one character at a time and at some cuts; all must be the same.
fn read_every_way(text: &str, options: &Options, seed: u64) -> Vec<Event> {
    let reading = read(options, [text]);
    let whole = joined(reading.events.clone());
    let places = places(text);
    let mut random = Random::new(seed);
    let mut some: Vec<_> = (0..8).map(|_| places[random.below(places.len())]).collect();
    some.sort_unstable();
    for cuts in [places, some] {
        let again = read(options, cut(text, &cuts));
        assert_eq!(joined(again.events), whole, "{text:?} cut at {cuts:?}, {options:?}");
        assert_eq!(again.used, reading.used, "{text:?} cut at {cuts:?}, {options:?}");
    }
    reading.events
}

fn config(cases: u32) -> ProptestConfig {
    // Beside this file, where git ignores them.
    let failures = FileFailurePersistence::WithSource("proptest-regressions");
    ProptestConfig {
        cases: thinned(cases as usize) as u32,
        failure_persistence: Some(Box::new(failures)),
        ..ProptestConfig::default()
    }
}

proptest! {
    #![proptest_config(config(10_000))]

    /// Cuts don't matter, text never raises an error, held text is bounded, and
    /// events are in order: see `lines` and `read`.
    #[test]
    fn cuts_do_not_matter(text in text(), options in options(), seed in any::<u64>()) {
        let events = read_every_way(&text, &options, seed);
        lines(&events, true);
        let last = events.iter().map(|event| event.document).max();
        prop_assert!(options.is_multiple || last.is_none_or(|last| last == 0));
    }

    /// The text of an event is the text at its span.
    #[test]
    fn spans_are_where_the_text_is(text in text(), options in options(), size in 1..9usize) {
        let units: Vec<u16> = text.encode_utf16().collect();
        let pieces = cut(&text, &places(&text).into_iter().step_by(size).collect::<Vec<_>>());
        for event in read(&options, pieces).events {
            let there = String::from_utf16_lossy(&units[event.span.start as usize..event.span.end as usize]);
            match &event.kind {
                // Where only the end made it known, its text had passed.
                EventKind::Text(text) => {
                    let is_there = event.span.is_empty() || there.contains('\\') || *text == there;
                    prop_assert!(is_there, "{:?} at {:?}", text, there);
                }
                EventKind::Number(text) => prop_assert!(there.is_empty() || *text == there, "{:?} at {:?}", text, there),
                EventKind::Word(word) => {
                    let front = there.to_lowercase();
                    let word = format!("{word:?}").to_lowercase();
                    prop_assert!(word.starts_with(&front) || front.starts_with("no"), "{} at {:?}", word, there);
                }
                EventKind::Done { .. } | EventKind::Reset | EventKind::Mismatch => prop_assert!(event.span.is_empty()),
                EventKind::Fault(_) => {}
                _ => panic!("unknown: {event:?}"),
            }
        }
    }

    /// Really any text.
    #[test]
    fn no_text_is_refused(text in any::<String>(), options in options(), seed in any::<u64>()) {
        lines(&read_every_way(&text, &options, seed), true);
    }
}

proptest! {
    #![proptest_config(config(4_000))]

    /// A JSON document is read as serde_json reads it, by no rule; each path is
    /// done once, after everything in it.
    #[test]
    fn documents_are_what_serde_json_says(document in document::value(), seed in any::<u64>(), is_strict in any::<bool>()) {
        let text = document::write(&document, seed);
        let expected: Value = serde_json::from_str(&text).unwrap();
        let options = Options { rules: if is_strict { Rules::STRICT } else { Rules::LENIENT }, ..Options::default() };
        let events = read_every_way(&text, &options, seed);
        let found = lines(&events, false);
        prop_assert!(found.iter().all(|line| !line.starts_with("error") && !line.ends_with(" cut")), "{:#?}", found);
        prop_assert_eq!(read(&options, [text.as_str()]).used, Rules::STRICT);
        let found = value(&events);
        if expected.as_array().is_some_and(Vec::is_empty) || expected.as_object().is_some_and(serde_json::Map::is_empty) {
            // The root has no events.
            prop_assert!(events.is_empty());
        } else {
            prop_assert_eq!(found.to_string(), expected.to_string());
        }
    }

    /// Up to any place a document is the same as far as it goes: what was
    /// done by its own boundary is in the whole as well, and nothing is done twice.
    #[test]
    fn a_cut_document_is_a_front_of_it(document in document::value(), seed in any::<u64>(), at in any::<prop::sample::Index>()) {
        let text = document::write(&document, seed);
        let places = places(&text);
        let front = &text[..places[at.index(places.len())]];
        let whole = lines(&read(&Options::default(), [text.as_str()]).events, false);
        let cut = lines(&read_every_way(front, &Options::default(), seed), false);
        let observed = cut.iter().take_while(|line| !line.ends_with(" cut"));
        prop_assert!(observed.clone().eq(whole.iter().take(observed.count())), "{:#?} {:#?}", cut, whole);
        prop_assert!(cut.iter().skip_while(|line| !line.ends_with(" cut")).all(|line| line.ends_with(" cut")), "{:#?}", cut);
    }

    /// A key that is quoted in a path is a JSON string, as in JavaScript.
    #[test]
    fn a_quoted_key_is_a_json_string(key in any::<String>(), other in "[.\\]\\x00-\\x1f\"\\\\]{1,3}") {
        for key in [key.clone() + "[" + &other, key] {
            let path = Path(vec![Step::Key(key.clone())]).to_string();
            let quoted = path.strip_prefix('[').and_then(|path| path.strip_suffix(']'));
            let is_plain = !key.is_empty() && key != "*" && !key.starts_with('/') && !key.contains(['.', '[', ']']);
            let expected = if is_plain { key } else { format!("[{}]", serde_json::to_string(&key).unwrap()) };
            prop_assert_eq!(&path, &expected, "{:?}", quoted);
        }
    }
}

#[test]
fn random_texts_are_worth_reading() {
    // The judge is judged: there are many events, of all kinds.
    use proptest::strategy::ValueTree;
    let mut runner = proptest::test_runner::TestRunner::deterministic();
    let mut seen = std::collections::BTreeMap::<String, usize>::new();
    for _ in 0..2_000 {
        let text = text().new_tree(&mut runner).unwrap().current();
        for event in read(&Options::default(), [text.as_str()]).events {
            let name: String = format!("{:?}", event.kind).chars().filter(|c| !c.is_ascii_digit()).take(14).collect();
            *seen.entry(name.split('(').next().unwrap().to_owned()).or_default() += 1;
        }
    }
    for kind in ["Text", "Number", "Word", "Done", "Reset", "Fault"] {
        let count: usize = seen.iter().filter(|(name, _)| name.starts_with(kind)).map(|(_, count)| count).sum();
        assert!(count > 50, "{count} {kind} events: {seen:?}");
    }
}
