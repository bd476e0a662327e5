//! A snapshot that was changed, with its checksum made anew: it is refused, or what is restored reads on. No panic,
//! and an end. (The fuzzer's target `snapshot` does the same with inputs that it looks for.)

use crate::support::thin::thinned;
use crate::support::{self, places};
use crate::{block_pieces, edit_pieces, field_pieces, segment_pieces, tool_call_pieces};
use proptest::prelude::*;
use tokenweir::text::{Emitter, Parser};
use tokenweir::{block, edit, field, segment, tool_call};

/// Changes bytes, and takes the last ones away or adds some.
fn check<E: Emitter>(options: E::Options, text: &str, at: usize, changes: &[(prop::sample::Index, u8)], cut: i8)
where
    E::Options: Clone,
{
    let mut parser = Parser::<E>::of(E::of(options.clone()));
    let (front, back) = text.split_at(at);
    parser.feed(front).unwrap();
    let snapshot = parser.snapshot().with_state(|bytes, _| {
        for (index, byte) in changes {
            let at = index.index(bytes.len());
            bytes[at] = *byte;
        }
        let len = bytes.len().saturating_add_signed(isize::from(cut).min(0));
        bytes.truncate(len);
        bytes.extend((0..cut.max(0)).map(|byte| byte.unsigned_abs()));
    });
    let Ok(mut parser) = Parser::<E>::restore(options, &snapshot) else { return };
    for piece in support::cut(back, &places(back)) {
        let _ = parser.feed(piece);
    }
    parser.finish();
}

fn changes() -> impl Strategy<Value = Vec<(prop::sample::Index, u8)>> {
    let byte = prop_oneof![any::<u8>(), 0u8..16, Just(0x7F)];
    prop::collection::vec((any::<prop::sample::Index>(), byte), 1..4)
}

fn text(pieces: &'static [&'static str]) -> impl Strategy<Value = (String, usize)> {
    let pieces = prop::collection::vec(prop::sample::select(pieces), 1..16);
    (pieces, any::<prop::sample::Index>()).prop_map(|(pieces, at)| {
        let text = pieces.concat().replace('@', "antml:");
        let mut places = places(&text);
        places.extend([0, text.len()]);
        let at = places[at.index(places.len())];
        (text, at)
    })
}

fn cut() -> impl Strategy<Value = i8> {
    prop_oneof![8 => Just(0), 1 => -9i8..9]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: thinned(2_000) as u32, ..ProptestConfig::default() })]

    #[test]
    fn blocks((text, at) in text(block_pieces::PIECES), changes in changes(), cut in cut()) {
        check::<block::BlockEmitter>(block::Options { skips_code: true, ..block::Options::default() }, &text, at, &changes, cut);
    }

    #[test]
    fn edits((text, at) in text(edit_pieces::PIECES), changes in changes(), cut in cut()) {
        check::<edit::EditEmitter>(edit::Options::default(), &text, at, &changes, cut);
    }

    #[test]
    fn fields((text, at) in text(field_pieces::PIECES), changes in changes(), cut in cut()) {
        check::<field::FieldEmitter>(field::Options::default(), &text, at, &changes, cut);
    }

    #[test]
    fn segments((text, at) in text(segment_pieces::PIECES), changes in changes(), cut in cut()) {
        let mut options = segment::Options::default();
        options.markers = segment::Markers { json: true, sentinel: true, ..segment::Markers::XML };
        check::<segment::SegmentEmitter>(options, &text, at, &changes, cut);
    }

    #[test]
    fn hermes((text, at) in text(tool_call_pieces::HERMES), changes in changes(), cut in cut()) {
        check::<tool_call::CallEmitter>(tool_call::Options::hermes(), &text, at, &changes, cut);
    }

    #[test]
    fn morph((text, at) in text(tool_call_pieces::MORPH), changes in changes(), cut in cut()) {
        check::<tool_call::CallEmitter>(tool_call::Options::morph(&["get", "add"]), &text, at, &changes, cut);
    }
}
