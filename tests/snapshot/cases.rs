//! Each case, and random text, is restored at every place.

use crate::support::thin::{thinned, thinness};
use crate::support::{self, Random, places, seed};
use crate::{
    block_pieces, edit_case, edit_pieces, field_case, field_pieces, segment_case, segment_pieces, tool_call_case,
    tool_call_pieces,
};
use proptest::prelude::*;
use std::fmt::Debug;
use tokenweir::format::Format;
use tokenweir::text::{Emitter, Parser, Snapshot};
use tokenweir::{block, edit, field, segment, tool_call};

/// Longer texts are restored at so many places.
const PLACES: usize = 80;

/// Of a snapshot, what doesn't grow with the text that was read.
const MOST: usize = 2_048;

/// For each byte that was read: an unconfirmed document's events are kept, and each has its path and its place.
const EACH: usize = 24;

/// Through text, as another process would get it.
fn restored<E: Emitter>(parser: &Parser<E>, options: &E::Options, read: usize) -> Parser<E>
where
    E::Options: Clone,
{
    let snapshot = parser.snapshot();
    let saved = snapshot.to_string();
    let most = MOST + EACH * read;
    assert!(saved.len() <= most, "{} bytes after {read}: {saved}", saved.len());
    assert_eq!(saved.parse::<Snapshot>().unwrap(), snapshot);
    let restored = Parser::restore(options.clone(), &through_json(&saved.parse().unwrap())).unwrap();
    assert_eq!(restored.snapshot(), snapshot, "what was restored is what was saved");
    restored
}

#[cfg(feature = "serde")]
fn through_json(snapshot: &Snapshot) -> Snapshot {
    serde_json::from_str(&serde_json::to_string(snapshot).unwrap()).unwrap()
}

#[cfg(not(feature = "serde"))]
fn through_json(snapshot: &Snapshot) -> Snapshot {
    snapshot.clone()
}

fn rest<E: Emitter>(mut parser: Parser<E>, text: &str) -> Vec<E::Event> {
    let mut events = parser.feed(text).unwrap();
    events.extend(parser.finish());
    events
}

/// At each of the places: the rest is read the same by a restored parser, and by one that is restored again
/// somewhere in the rest and after its end.
fn check<E: Emitter>(name: &str, options: &E::Options, text: &str, random: &mut Random)
where
    E::Options: Clone,
    E::Event: PartialEq + Debug,
{
    let mut all = vec![0];
    all.extend(places(text));
    all.push(text.len());
    let every = all.len().div_ceil(PLACES) * thinness();
    let mut parser = Parser::<E>::of(E::of(options.clone()));
    let mut at = 0;
    for &place in all.iter().step_by(every) {
        parser.feed(&text[at..place]).unwrap();
        at = place;
        let once = restored(&parser, options, place);
        let uninterrupted = rest(parser.clone(), &text[place..]);
        assert_eq!(rest(once, &text[place..]), uninterrupted, "{name}: restored at {place} of {text:?}");

        let after: Vec<usize> = all.iter().copied().filter(|&other| other >= place).collect();
        let second = after[random.below(after.len())];
        let (mut twice, mut uninterrupted) = (restored(&parser, options, place), parser.clone());
        let front = &text[place..second];
        assert_eq!(twice.feed(front).unwrap(), uninterrupted.feed(front).unwrap(), "{name}: {place} of {text:?}");
        let twice = restored(&twice, options, second);
        let ended = rest(uninterrupted, &text[second..]);
        assert_eq!(rest(twice, &text[second..]), ended, "{name}: restored at {place} and {second} of {text:?}");
    }
    parser.finish();
    let mut ended = restored(&parser, options, text.len());
    assert_eq!(ended.feed("x").unwrap_err().kind.code(), "finished");
}

fn random() -> Random {
    let seed = seed();
    eprintln!("SEED={seed}");
    Random::new(seed)
}

#[test]
fn blocks() {
    let mut random = random();
    for case in support::cases() {
        check::<block::BlockEmitter>(&case.name, &case.options(), &case.input, &mut random);
    }
}

#[test]
fn fields() {
    let mut random = random();
    let mut count = 0;
    for case in field_case::cases() {
        if let Some(options) = case.options() {
            check::<field::FieldEmitter>(&case.name, &options, &case.input, &mut random);
            count += 1;
        }
    }
    assert!(count > 400, "{count} cases");
}

#[test]
fn edits() {
    let mut random = random();
    for case in edit_case::cases() {
        check::<edit::EditEmitter>(&case.name, &case.options(), &case.input, &mut random);
    }
}

#[test]
fn segments() {
    let mut random = random();
    for case in segment_case::cases() {
        check::<segment::SegmentEmitter>(&case.name, &case.options(), &case.input, &mut random);
    }
}

#[test]
fn tool_calls() {
    let mut random = random();
    for case in tool_call_case::cases() {
        check::<tool_call::CallEmitter>(&case.name, &case.options, &case.input, &mut random);
    }
}

#[test]
fn tool_calls_of_all_formats() {
    let mut random = random();
    for format in Format::all() {
        let options = tool_call::Options::formats(&[format]).with_tools(&["get_weather", "write_to_file"]);
        check::<tool_call::CallEmitter>(format.id(), &options, &format.sample().repeat(2), &mut random);
    }
}

fn text(pieces: &'static [&'static str]) -> impl Strategy<Value = String> {
    prop::collection::vec(prop::sample::select(pieces), 0..24).prop_map(|pieces| pieces.concat().replace('@', "antml:"))
}

proptest! {
    #![proptest_config(ProptestConfig { cases: thinned(100) as u32, ..ProptestConfig::default() })]

    #[test]
    fn random_blocks(text in text(block_pieces::PIECES), seed in any::<u64>(), skips_code in any::<bool>()) {
        let options = block::Options { skips_code, ..block::Options::default() };
        check::<block::BlockEmitter>("blocks", &options, &text, &mut Random::new(seed));
    }

    #[test]
    fn random_edits(text in text(edit_pieces::PIECES), seed in any::<u64>(), whole in any::<bool>()) {
        let options = edit::Options { whole, ..edit::Options::default() };
        check::<edit::EditEmitter>("edits", &options, &text, &mut Random::new(seed));
    }

    #[test]
    fn random_fields(text in text(field_pieces::PIECES), seed in any::<u64>(), is_multiple in any::<bool>()) {
        let options = field::Options { is_multiple, ..field::Options::default() };
        check::<field::FieldEmitter>("fields", &options, &text, &mut Random::new(seed));
    }

    #[test]
    fn random_segments(text in text(segment_pieces::PIECES), seed in any::<u64>()) {
        let mut options = segment::Options::default();
        options.markers = segment::Markers { json: true, sentinel: true, ..segment::Markers::XML };
        check::<segment::SegmentEmitter>("segments", &options, &text, &mut Random::new(seed));
    }

    #[test]
    fn random_tool_calls(text in text(tool_call_pieces::MORPH), seed in any::<u64>(), is_morph in any::<bool>()) {
        let options = if is_morph { tool_call::Options::morph(&["get", "add"]) } else { tool_call::Options::hermes() };
        check::<tool_call::CallEmitter>("tool calls", &options, &text, &mut Random::new(seed));
    }
}
