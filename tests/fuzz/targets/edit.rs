//! Edits: `src/edit`. A plain reader of whole texts agrees, at every cut.

#![no_main]
#![allow(dead_code, reason = "each target uses its part of what the tests share")]

#[path = "../../edit/naive.rs"]
mod naive;
#[path = "../../edit/naive_diff.rs"]
mod naive_diff;
#[path = "../../edit/naive_patch.rs"]
mod naive_patch;
#[path = "../../pieces/edit.rs"]
mod pieces;
#[path = "../../edit/reading.rs"]
mod reading;
#[path = "../../support/mod.rs"]
mod support;

use arbitrary::{Arbitrary, Result, Unstructured};
use libfuzzer_sys::fuzz_target;
use reading::{check, lines, read, read_with};
use tokenweir::edit::{Format, LONGEST_HEADER, Options};
use tokenweir_fuzz::{Cuts, Input, Setting, check_steps, pieces_of, repeated};

/// A header is read again as text, and what may be one in a hunk as a line of it.
const STEPS_A_BYTE: u64 = 6;
const STEPS_ONCE: u64 = 20_000;

#[derive(Arbitrary, Debug)]
struct Choices {
    /// Of the formats one alone, or all.
    format: u8,
    /// Whether the text is a patch as a whole, and whether there is a path.
    whole: u8,
    has_finished: bool,
}

impl Choices {
    fn options(&self) -> Options {
        let one = Format::ALL.into_iter().nth(usize::from(self.format) % 6);
        let formats = one.map_or(Format::ALL.to_vec(), |format| vec![format]);
        let path = (self.whole & 2 != 0).then(|| "p.txt".to_owned());
        Options { formats: if self.format == 0 { Format::ALL.to_vec() } else { formats }, path, whole: self.whole & 1 != 0, ..Options::default() }
    }
}

impl Setting for Choices {
    fn pieces(&self) -> &'static [&'static str] {
        pieces::PIECES
    }

    fn item(&self, bytes: &mut Unstructured<'_>) -> Result<String> {
        let mut text = bytes.choose(&["*** Begin Patch\n*** Update File: a\n", "a.b\n<<<<<<< SEARCH\n", "--- a\n+++ b\n@@ -1,2 +1,2 @@\n"])?.to_string();
        for _ in 0..bytes.int_in_range(0..=9)? {
            text += bytes.choose(&pieces::PIECES[13..28])?;
        }
        text += bytes.choose(&["*** End Patch\n", "=======\n>>>>>>> REPLACE\n", "\n"])?;
        Ok(text)
    }
}

fuzz_target!(|input: Input<Choices>| {
    let Input { setting, text, cuts } = &input;
    let options = setting.options();
    if let Cuts::Grown(size) = cuts {
        let text = repeated(text);
        let mut steps = 0;
        let events = read_with(&options, pieces_of(&text, *size), false, |parser, _| steps = parser.steps());
        check(&events, &text);
        return check_steps(steps, &text, STEPS_A_BYTE, STEPS_ONCE, cuts);
    }
    let read = |pieces: Vec<&str>| {
        let events = read(&options, pieces, setting.has_finished);
        check(&events, text);
        lines(&events)
    };
    cuts.check(text, read);
    // The plain reader has no bounds.
    if text.lines().all(|line| line.len() < LONGEST_HEADER as usize / 2) {
        assert_eq!(naive::lines(&options, text, setting.has_finished), read(vec![text]), "{text:?}");
    }
});
