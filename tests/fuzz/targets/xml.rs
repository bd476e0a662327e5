//! Markup: `src/xml` but for trees. Elements of arguments (`elements.rs`), tags
//! by words (`tokenizer.rs`, whose runs are steps) and references (`entity.rs`).

#![no_main]
#![allow(dead_code, reason = "each target uses its part of what the tests share")]

#[path = "../../segment/driver.rs"]
mod driver;
#[path = "../../segment/element_reading.rs"]
mod element_reading;
#[path = "../../pieces/elements.rs"]
mod pieces;
#[path = "../../support/mod.rs"]
mod support;

use arbitrary::{Arbitrary, Result, Unstructured};
use element_reading::{Token, read};
use libfuzzer_sys::fuzz_target;
use support::places;
use tokenweir::scan::{Entry, Literals};
use tokenweir::xml::{
    DEEPEST_ELEMENT, Entity, LONGEST_TAG, Progress, Reading, Recognised, Tokenizer, VALUES, Vocabulary, references,
};
use tokenweir_fuzz::{Input, Setting, element};

#[derive(Arbitrary, Debug)]
struct Way {
    /// Room in a batch beyond the least.
    room: u8,
    openers: u8,
    closers: u8,
    folds_case: bool,
    slash_closes: bool,
}

/// Names, among them one that begins another, and attributes.
const NAMES: Literals<'static> = Literals {
    bytes: b"aaabargb",
    entries: &[
        Entry { start: 0, len: 1, class: 0 },
        Entry { start: 1, len: 2, class: 1 },
        Entry { start: 4, len: 3, class: 2 },
        Entry { start: 3, len: 1, class: 3 },
    ],
};
const ATTRIBUTES: Literals<'static> = Literals {
    bytes: b"anamenames",
    entries: &[
        Entry { start: 0, len: 1, class: 1 },
        Entry { start: 1, len: 4, class: 0 },
        Entry { start: 5, len: 5, class: 2 },
    ],
};

impl Way {
    fn words(&self) -> Vocabulary<'static> {
        let (folds_case, slash_closes) = (self.folds_case, self.slash_closes);
        Vocabulary { names: NAMES, attributes: ATTRIBUTES, folds_case, slash_closes }
    }
}

impl Setting for Way {
    fn pieces(&self) -> &'static [&'static str] {
        pieces::PIECES
    }

    fn item(&self, bytes: &mut Unstructured<'_>) -> Result<String> {
        element(bytes, &["a", "b", "B", "arg", "ARG", "item", "arguments", "水", "b-c.d:e"])
    }
}

fuzz_target!(|input: Input<Way>| {
    let Input { setting, text, cuts } = &input;
    // The reader asserts that each call goes on and that tokens are in order.
    let whole = read(text, &[], usize::MAX);
    check_gaps(&whole, text);
    let room = DEEPEST_ELEMENT + 4 + usize::from(setting.room);
    let ways = cuts.ways_with_empty(&places(text)).into_iter().zip([usize::MAX, room]);
    for (places, room) in ways.chain([(Vec::new(), room)]) {
        assert_eq!(read(text, &places, room), whole, "{text:?} cut at {places:?}, room {room}");
    }
    check_tags(setting, text);
    check_references(text);
});

/// What isn't a token is text: between tokens no element may be left.
fn check_gaps(tokens: &[Token], text: &str) {
    let units: Vec<u16> = text.encode_utf16().collect();
    let mut at = 0;
    for token in tokens {
        let (from, to) = match token {
            Token::Open { from, to, .. }
            | Token::Close { from, to }
            | Token::Reclose { from, to }
            | Token::CData { from, to, .. } => (*from, *to),
            Token::Abandon | Token::Spoil | Token::Stray | Token::Lacks => continue,
        };
        assert!(at <= from && from <= to && to as usize <= units.len(), "{token:?} after {at} in {text:?}");
        at = to;
    }
}

/// Each tag of the text, byte by byte and in runs that are cut anywhere.
fn check_tags(way: &Way, text: &str) {
    let words = way.words();
    let recognised = Recognised { openers: u32::from(way.openers) & 0xF, closers: u32::from(way.closers) & 0xF };
    for (from, _) in text.match_indices('<').take(40) {
        let rest = &text.as_bytes()[from..];
        let (mut by_steps, mut by_runs) = (Tokenizer::REST, Tokenizer::REST);
        by_steps.begin();
        by_runs.begin();
        let mut steps = (1, Progress::Pending);
        while let Some(&byte) = rest.get(steps.0) {
            steps.1 = by_steps.step(&words, recognised, byte);
            assert!(by_steps.held() <= LONGEST_TAG, "{} units are held of {text:?}", by_steps.held());
            if steps.1 != Progress::Pending {
                break;
            }
            steps.0 += 1;
        }
        let mut runs = (1, Progress::Pending);
        let mut stop = 3;
        loop {
            let end = rest.len().min(stop);
            runs.0 += by_runs.run(&words, rest.get(runs.0..end).unwrap_or_default());
            if runs.0 >= end && end < rest.len() {
                stop += 1 + stop / 2;
                continue;
            }
            let Some(&byte) = rest.get(runs.0) else { break };
            runs.1 = by_runs.step(&words, recognised, byte);
            if runs.1 != Progress::Pending {
                break;
            }
            runs.0 += 1;
        }
        assert_eq!(runs, steps, "the tag at {from} of {text:?}");
        if let Progress::Whole(tag) = steps.1 {
            let units: Vec<u16> = std::str::from_utf8(&rest[..=steps.0]).unwrap().encode_utf16().collect();
            assert_eq!(tag.len as usize, units.len(), "{tag:?} at {from} of {text:?}");
            for (start, end) in tag.values.iter().take(VALUES).flatten() {
                assert!(start <= end && *end < tag.len, "{tag:?} at {from} of {text:?}");
            }
        }
    }
}

/// The references of the text, by `references` and one by one.
fn check_references(text: &str) {
    let mut found = Vec::new();
    references(text.as_bytes(), |place, character| {
        found.push((place, character));
        true
    });
    let mut expected = Vec::new();
    let mut at = 0;
    while let Some(from) = text[at..].find('&').map(|from| from + at) {
        let mut entity = Entity::REST;
        entity.begin();
        at = from + 1;
        for (nth, byte) in text.bytes().enumerate().skip(from + 1) {
            match entity.step(byte) {
                Reading::Pending => assert!(entity.held() <= 10, "{} units are held of {text:?}", entity.held()),
                Reading::Failed => break,
                Reading::Whole(character) => {
                    expected.push((from..nth + 1, character));
                    at = nth + 1;
                    break;
                }
            }
        }
    }
    assert_eq!(found, expected, "{text:?}");
}
