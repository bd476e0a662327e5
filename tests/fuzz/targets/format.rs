//! Wire formats: `src/format`, by the rows of the catalogue, one or two together.

#![no_main]
#![allow(dead_code, reason = "each target uses its part of what the tests share")]

#[path = "../../format/checks.rs"]
mod checks;
#[path = "../../format/documents.rs"]
mod documents;
#[path = "../../format/reading.rs"]
mod reading;
#[path = "../../format/rows.rs"]
mod rows;
#[path = "../../support/mod.rs"]
mod support;

use arbitrary::{Arbitrary, Result, Unstructured};
use checks::assert_tiled;
use documents::{Pieces, Step};
use libfuzzer_sys::fuzz_target;
use reading::{Event, Reader, Way, calls, joined};
use rows::{ALL, Row, Rows};
use std::sync::LazyLock;
use tokenweir_fuzz::{Cuts, Input, Setting, check_steps, pieces_of, repeated};

/// What is read again at the end of the stream costs four moves a unit, and 65,536 units once.
const STEPS_A_BYTE: u64 = 20;
const STEPS_ONCE: u64 = 300_000;

#[derive(Arbitrary, Debug)]
struct Choice {
    /// Which row, and which other where that is read too.
    row: u8,
    other: u8,
    way: [u8; 6],
}

/// What texts of each row are made of.
static PIECES: LazyLock<Vec<(Pieces, Vec<&'static str>)>> = LazyLock::new(|| {
    let pieces = |row| {
        let pieces = Pieces::of(&[row]);
        let all = pieces.all().iter().map(|piece| &*piece.clone().leak()).collect();
        (pieces, all)
    };
    ALL.iter().map(pieces).collect()
});

impl Choice {
    fn place(&self) -> usize {
        usize::from(self.row) % ALL.len()
    }

    fn rows(&self) -> Vec<&'static Row> {
        let other = ALL.get(usize::from(self.other)).filter(|_| self.other % 4 == 1);
        [Some(&ALL[self.place()]), other].into_iter().flatten().collect()
    }

    fn way(&self) -> Way {
        let [a, b, c, d, e, f] = self.way;
        Way::of(u64::from_le_bytes([a, b, c, d, e, f, 0, 0]))
    }
}

impl Setting for Choice {
    fn pieces(&self) -> &'static [&'static str] {
        &PIECES[self.place()].1
    }

    fn item(&self, bytes: &mut Unstructured<'_>) -> Result<String> {
        let step: Step = bytes.arbitrary()?;
        Ok(PIECES[self.place()].0.document(&[step]))
    }
}

fuzz_target!(|input: Input<Choice>| {
    let Input { setting, text, cuts } = &input;
    let way = setting.way();
    let rows = Rows::of(setting.rows(), way.has_tools);
    if let Cuts::Grown(size) = cuts {
        let text = repeated(text);
        read(&rows, way, &text, pieces_of(&text, *size), cuts);
        return;
    }
    cuts.check(text, |pieces| joined(&read(&rows, way, text, pieces, cuts)));
});

/// Reads pieces. What holds for any text is asserted.
fn read(rows: &Rows, way: Way, text: &str, pieces: Vec<&str>, cuts: &Cuts) -> Vec<Event> {
    let mut reader = Reader::new(rows, way);
    for piece in pieces {
        reader.feed(piece);
    }
    let (events, steps) = reader.finish();
    check_steps(steps, text, STEPS_A_BYTE, STEPS_ONCE, cuts);
    assert_tiled(rows, &events, text);
    calls(&events);
    events
}
