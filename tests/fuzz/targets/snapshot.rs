//! Snapshots that were changed, with their checksums made anew: `src/text/state.rs` and all that machines do from a
//! state that no text leads to. They are refused, or what is restored reads on: no panic, and an end.

#![no_main]

use arbitrary::{Arbitrary, Unstructured};
use libfuzzer_sys::fuzz_target;
use tokenweir::text::{Emitter, Parser};
use tokenweir::{block, edit, field, segment, tool_call};

#[path = "../../pieces/block.rs"]
mod block_pieces;
#[path = "../../pieces/edit.rs"]
mod edit_pieces;
#[path = "../../pieces/field.rs"]
mod field_pieces;
#[path = "../../pieces/segment.rs"]
mod segment_pieces;
#[path = "../../pieces/tool_call.rs"]
mod tool_call_pieces;

#[derive(Arbitrary, Debug)]
struct Input {
    parser: u8,
    /// What is read before the snapshot and after it, by the numbers of pieces.
    before: Vec<u8>,
    after: Vec<u8>,
    /// Places, as distances from the end, and the bytes that are put there.
    changes: Vec<(u16, u8)>,
    /// More bytes, which replace those at the end.
    tail: Option<Vec<u8>>,
}

impl Input {
    fn run<E: Emitter>(&self, options: E::Options, pieces: &[&str])
    where
        E::Options: Clone,
    {
        let text = |picks: &[u8]| -> Vec<String> {
            picks.iter().take(64).map(|&pick| pieces[usize::from(pick) % pieces.len()].replace('@', "antml:")).collect()
        };
        let mut parser = Parser::<E>::of(E::of(options.clone()));
        parser.feed(&text(&self.before).concat()).unwrap();
        let snapshot = parser.snapshot().with_state(|bytes, _| {
            for &(from, byte) in &self.changes {
                let at = bytes.len() - 1 - usize::from(from) % bytes.len();
                bytes[at] = byte;
            }
            if let Some(tail) = &self.tail {
                bytes.truncate(bytes.len().saturating_sub(tail.len()));
                bytes.extend(tail);
            }
        });
        let Ok(mut parser) = Parser::<E>::restore(options, &snapshot) else { return };
        let again = parser.snapshot();
        assert_eq!(again.parser(), snapshot.parser());
        for piece in text(&self.after) {
            parser.feed(&piece).unwrap_or_default();
        }
        parser.finish();
    }
}

fuzz_target!(|bytes: &[u8]| {
    let Ok(input) = Input::arbitrary_take_rest(Unstructured::new(bytes)) else { return };
    match input.parser % 6 {
        5 => input.run::<edit::EditEmitter>(edit::Options::default(), edit_pieces::PIECES),
        0 => {
            let mut tags = block::TagTable::default();
            if input.parser & 16 != 0 {
                block_pieces::add_own(&mut tags);
            }
            let options = block::Options { tags, skips_code: input.parser & 8 != 0, ..block::Options::default() };
            input.run::<block::BlockEmitter>(options, block_pieces::PIECES);
        }
        1 => {
            let options = field::Options { is_multiple: input.parser & 8 != 0, ..field::Options::default() };
            input.run::<field::FieldEmitter>(options, field_pieces::PIECES);
        }
        2 => {
            let mut options = segment::Options::default();
            options.markers = segment::Markers { json: true, sentinel: true, ..segment::Markers::XML };
            input.run::<segment::SegmentEmitter>(options, segment_pieces::PIECES);
        }
        3 => input.run::<tool_call::CallEmitter>(tool_call::Options::hermes(), tool_call_pieces::HERMES),
        _ => input.run::<tool_call::CallEmitter>(tool_call::Options::morph(&["get", "add"]), tool_call_pieces::MORPH),
    }
});
