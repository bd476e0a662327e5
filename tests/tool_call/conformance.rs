//! Every case at every cut: the calls that are made, the text that comes out, what
//! is wrong, and by which repairs a call was read. Arguments are compared where
//! the case keeps them as they were written.

use crate::case::{Case, cases};
use crate::reading::{check, emitted, joined, random_cut, read};
use crate::support::thin::{thinned, thinness};
use crate::support::{Random, cut, places, seed};
use serde_json::Value;
use std::collections::BTreeSet;
use tokenweir::tool_call::EventKind;

/// Cases whose end depends on the schema. Here an argument is raw text in any case,
/// may come again, and is never a tool's name. And keys that come again, which the
/// values report, that are JavaScript's.
const NEED_A_SCHEMA: [&str; 32] = [
    "hermes-arguments/other-members-beside-arguments",
    "hermes-arguments/args-of-a-tool-that-is-not-known",
    "hermes-calls/other-keys-are-passed-over",
    "appendix-hermes/b-repeated-key",
    "hermes-arguments/key-that-comes-twice",
    "appendix-morph/a9g-missing-closer-of-a-string",
    "morph-closers/empty-object-and-empty-list",
    "morph-closers/other-tags-after-a-closing-tag-in-a-string",
    "morph-closers/empty-object-in-a-list-and-empty-list-in-an-object",
    "hermes-arguments/no-arguments-where-some-are-required",
    "hermes-arguments/no-arguments-where-some-are-required-without-the-last-brace",
    "hermes-arguments/no-arguments-in-a-list",
    "hermes-arguments/no-arguments-and-then-a-call",
    "hermes-arguments/arguments-that-are-null",
    "hermes-arguments/arguments-beside-the-name",
    "hermes-arguments/arguments-in-front-of-the-name",
    "hermes-arguments/open-quote-and-a-key-that-is-forbidden",
    "hermes-mentions/mention-that-is-too-long-to-be-kept",
    "appendix-morph/a10-repeated-tags-of-the-tools-name",
    "appendix-morph/b-text-items-that-begin-with-zero",
    "bounds/morph-nested-as-deep-as-may-be",
    "bounds/morph-deep-without-closers",
    "morph-strings/strings-in-a-list",
    "morph-strings/enum-string",
    "morph-values/items-of-strings",
    "morph-values/empty-list",
    "morph-values/one-text-for-a-list",
    "morph-values/lines-for-a-list",
    "morph-values/json-list-of-objects",
    "morph-values/items-of-objects",
    "morph-values/repeated-objects",
    "morph-values/property-named-like-the-tool",
];

/// What is wrong with the reading of a case in one chunk.
fn difference(case: &Case) -> Option<String> {
    let events = read(&case.options, [case.input.as_str()]);
    let emitted = emitted(&events, &case.on_malformed);
    if (&emitted.said, &emitted.errors) != (&case.said, &case.errors) {
        return Some(format!(
            "{:?}\n  {:?}\n  {:?}\ninstead of\n  {:?}\n  {:?}",
            case.input, emitted.said, emitted.errors, case.said, case.errors
        ));
    }
    if !case.is_morph && emitted.repairs != case.repairs {
        return Some(format!("{:?}: {:?} instead of {:?}", case.input, emitted.repairs, case.repairs));
    }
    if !case.keeps_values {
        return None;
    }
    let inputs: Vec<String> = events
        .into_iter()
        .filter_map(|event| match event.kind {
            EventKind::CallDone { arguments, .. } => Some(arguments),
            _ => None,
        })
        .collect();
    let values = |inputs: &[String]| -> Vec<Value> {
        inputs.iter().map(|json| serde_json::from_str(json).unwrap_or_else(|error| panic!("{json}: {error}"))).collect()
    };
    (values(&inputs) != values(&case.inputs)).then(|| format!("{inputs:?} instead of {:?}", case.inputs))
}

#[test]
fn cases_are_read_as_they_are_written() {
    let mut differing = BTreeSet::new();
    let mut wrong = Vec::new();
    for case in cases() {
        let Some(difference) = difference(&case) else { continue };
        differing.insert(case.name.clone());
        if !NEED_A_SCHEMA.contains(&case.name.as_str()) {
            wrong.push(format!("{}: {difference}", case.name));
        }
    }
    assert!(wrong.is_empty(), "{} are wrong:\n{}", wrong.len(), wrong.join("\n"));
    let listed: BTreeSet<String> = NEED_A_SCHEMA.map(str::to_owned).into();
    assert_eq!(differing, listed, "the list has cases that need no schema");
}

#[test]
fn cuts_of_cases_change_nothing() {
    let seed = seed();
    let mut random = Random::new(seed);
    for case in cases() {
        let text = case.input.as_str();
        let whole = read(&case.options, [text]);
        check(&whole, text);
        let whole = joined(&whole);
        let places = places(text);
        let same = |pieces: Vec<&str>| {
            let events = read(&case.options, pieces.iter().copied());
            check(&events, text);
            assert_eq!(joined(&events), whole, "{} as {pieces:?} (SEED={seed})", case.name);
        };
        same(cut(text, &places));
        // A long text is cut at some places.
        let step = thinness() + places.len() / 400;
        for &place in places.iter().step_by(step) {
            same(cut(text, &[place]));
        }
        for _ in 0..thinned(20) {
            same(random_cut(text, &mut random));
        }
    }
}
