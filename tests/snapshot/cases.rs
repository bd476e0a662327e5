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

/// Of a snapshot, what doesn't grow with the text that was fed.
const MOST: usize = 2_048;

/// Through text, as another process would get it.
fn restored<E: Emitter>(parser: &Parser<E>, options: &E::Options) -> Parser<E>
where
    E::Options: Clone,
{
    let snapshot = parser.snapshot();
    let saved: Snapshot = snapshot.to_string().parse().unwrap();
    assert_eq!(saved, snapshot);
    let restored = Parser::restore(options.clone(), &through_json(&saved)).unwrap();
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

/// Text that was withheld comes in the pieces that it was fed in, and of a restored parser in one: joined it is the same.
trait Joined: Sized {
    /// Appends the text of the next event, if it goes on with this one's.
    fn append(&mut self, _: &Self) -> bool {
        false
    }
}

impl Joined for block::Event {
    fn append(&mut self, next: &Self) -> bool {
        let (
            block::EventKind::Chunk { index, part, text, .. },
            block::EventKind::Chunk { index: next_index, part: next_part, text: more, .. },
        ) = (&mut self.kind, &next.kind)
        else {
            return false;
        };
        let goes_on = index == next_index && part == next_part && self.span.end == next.span.start;
        if goes_on {
            text.push_str(more);
            self.span.end = next.span.end;
        }
        goes_on
    }
}

impl Joined for field::Event {
    fn append(&mut self, next: &Self) -> bool {
        let (field::EventKind::Text(text), field::EventKind::Text(more)) = (&mut self.kind, &next.kind) else {
            return false;
        };
        let goes_on = self.path == next.path && self.span.end == next.span.start;
        if goes_on {
            text.push_str(more);
            self.span.end = next.span.end;
        }
        goes_on
    }
}

// These withhold nothing.
impl Joined for edit::Event {}
impl Joined for segment::Event {}
impl Joined for tool_call::Event {}

fn joined<T: Joined>(events: Vec<T>) -> Vec<T> {
    let mut all: Vec<T> = Vec::new();
    for event in events {
        if !all.last_mut().is_some_and(|last| last.append(&event)) {
            all.push(event);
        }
    }
    all
}

/// How a parser is restored.
type Restore<E> = fn(&Parser<E>, &<E as Emitter>::Options) -> Parser<E>;

/// At each of the places: the rest is read the same by a restored parser, and by one that is restored again
/// somewhere in the rest and after its end. Returns where it isn't.
fn read_on<E: Emitter>(options: &E::Options, text: &str, random: &mut Random, restore: Restore<E>) -> Result<(), String>
where
    E::Options: Clone,
    E::Event: Joined + PartialEq + Debug,
{
    let same = |restored: Vec<E::Event>, uninterrupted: Vec<E::Event>, place: &dyn Debug| {
        let (restored, uninterrupted) = (joined(restored), joined(uninterrupted));
        let wrong = || format!("restored at {place:?} of {text:?}: {restored:#?} for {uninterrupted:#?}");
        (restored == uninterrupted).then_some(()).ok_or_else(wrong)
    };
    let mut all = vec![0];
    all.extend(places(text));
    all.push(text.len());
    let every = all.len().div_ceil(PLACES) * thinness();
    let mut parser = Parser::<E>::of(E::of(options.clone()));
    same(rest(restore(&parser, options), text), rest(parser.clone(), text), &"the start")?;
    let mut at = 0;
    for &place in all.iter().step_by(every) {
        parser.feed(&text[at..place]).unwrap();
        at = place;
        let once = restore(&parser, options);
        same(rest(once, &text[place..]), rest(parser.clone(), &text[place..]), &place)?;

        let after: Vec<usize> = all.iter().copied().filter(|&other| other >= place).collect();
        let second = after[random.below(after.len())];
        let (mut twice, mut uninterrupted) = (restore(&parser, options), parser.clone());
        let front = &text[place..second];
        same(twice.feed(front).unwrap(), uninterrupted.feed(front).unwrap(), &(place, second))?;
        let twice = restore(&twice, options);
        same(rest(twice, &text[second..]), rest(uninterrupted, &text[second..]), &(place, second))?;
    }
    parser.feed(&text[at..]).unwrap();
    let len = parser.snapshot().to_string().len();
    assert!(len <= text.len() + MOST, "{len} bytes of {}", text.len());
    parser.finish();
    let mut ended = restore(&parser, options);
    assert_eq!(ended.feed("x").unwrap_err(), parser.feed("x").unwrap_err());
    assert!(ended.finish().is_empty());
    Ok(())
}

fn check<E: Emitter>(name: &str, options: &E::Options, text: &str, random: &mut Random)
where
    E::Options: Clone,
    E::Event: Joined + PartialEq + Debug,
{
    read_on::<E>(options, text, random, restored).unwrap_or_else(|wrong| panic!("{name}: {wrong}"));
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
    let cases = field_case::cases();
    assert!(cases.len() > 400, "{} cases", cases.len());
    for case in cases {
        check::<field::FieldEmitter>(&case.name, &case.options(), &case.input, &mut random);
    }
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

/// What a restored parser didn't read is missed in each text.
#[test]
fn a_lost_character_is_caught() {
    fn forgetful(parser: &Parser<block::BlockEmitter>, options: &block::Options) -> Parser<block::BlockEmitter> {
        let saved = parser.snapshot().to_string();
        let (_, text) = saved.split_once("\n\n").unwrap();
        let mut kept = text.chars();
        kept.next_back();
        let mut parser = block::BlockParser::new(options.clone());
        parser.feed(kept.as_str()).unwrap();
        parser
    }
    let mut random = random();
    for case in support::cases().iter().filter(|case| case.input.chars().count() > thinness()) {
        let options = case.options();
        let read = read_on::<block::BlockEmitter>(&options, &case.input, &mut random, forgetful);
        assert!(read.is_err(), "{}: {:?}", case.name, case.input);
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
