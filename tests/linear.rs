//! Promise 4: linear. Growth is counted in bytes looked at, not in time: twice
//! the text is at most about twice the steps, and a step a byte or a few.

#![allow(clippy::unwrap_used, reason = "a test that can't go on fails")]

mod support;

use tokenweir::block::{BlockParser, Options};

/// Steps and the most that was held, when a text comes in chunks of `size` bytes.
fn read(text: &str, size: usize) -> (u64, u32) {
    let mut parser = BlockParser::new(Options::default());
    let mut held = 0;
    for piece in text.as_bytes().chunks(size) {
        parser.feed(std::str::from_utf8(piece).unwrap()).unwrap();
        held = held.max(parser.held());
    }
    parser.finish();
    (parser.steps(), held)
}

/// The text `unit` makes of `len` bytes, after the opening text.
fn repeated(open: &str, unit: &str, len: usize) -> String {
    format!("{open}{}", unit.repeat(len / unit.len()))
}

#[test]
fn steps_grow_with_the_text_and_not_with_its_square() {
    for input in support::adversarial_inputs("block") {
        let (name, steps_a_byte) = (&input.name, input.steps);
        for size in [1, 7, 4_096] {
            let short = input.text(60_000);
            let long = input.text(240_000);
            let (short_steps, _) = read(&short, size);
            let (long_steps, held) = read(&long, size);
            assert!(
                long_steps <= steps_a_byte * long.len() as u64 + 1_000,
                "{name} in chunks of {size}: {long_steps} steps for {} bytes",
                long.len()
            );
            assert!(
                long_steps <= short_steps * 4 * 5 / 4 + 20_000,
                "{name} in chunks of {size}: {short_steps} steps grow to {long_steps} with four times the text"
            );
            // The tags that open the place are pending too, while they are read.
            let most_held = input.held.max(input.front()) + size as u32;
            assert!(held <= most_held, "{name} in chunks of {size}: {held} units were held");
        }
    }
}

#[test]
fn sixteen_megabytes_in_one_and_in_many_chunks() {
    let text = repeated("<thinking>", "some words of a long answer, a < b and <b>bold</b>\n", 16 << 20);
    for size in [16, 1 << 20] {
        let (steps, held) = read(&text, size);
        assert!(steps <= 2 * text.len() as u64, "{steps} steps for {} bytes", text.len());
        assert!(held <= 16, "{held} units were held");
    }
}

#[test]
fn a_value_too_long_to_guess_is_a_string_at_every_cut() {
    let call = "<invoke name=\"a\"><parameter name=\"b\">";
    for (open, unit) in [("[", "1,"), ("\"", "é"), ("x", " "), ("1", "1")] {
        let text = format!("{call}{}</parameter></invoke>", repeated(open, unit, 1_200_000 * unit.len()));
        let blocks = |size: usize| {
            let places: Vec<_> = support::places(&text).into_iter().step_by(size).collect();
            let pieces = support::cut(&text, &places);
            support::render(&support::feed(Options::default(), pieces), tokenweir::block::Face::Blocks)
        };
        let whole = blocks(usize::MAX >> 1);
        assert!(whole.starts_with("call \"a\" {\"b\":\""), "{:.60}", whole);
        assert!(whole == blocks(1_000) && whole == blocks(65_537), "{open}{unit}… depends on its cuts");
    }
}
