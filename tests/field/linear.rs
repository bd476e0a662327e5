//! Linear: growth is counted in moves, not in time. Four times the text is about
//! four times the moves, so many a byte, and what is held doesn't grow at all.

use crate::reading::{MOST_STEPS, most_held};
use crate::support;
use tokenweir::field::{FieldParser, Options, Shape};
use tokenweir::json::{LONGEST_LOOK, Rules};

/// Moves, and the most that was held, when an ASCII text comes in chunks of `size` bytes.
fn cost(options: &Options, text: &str, size: usize) -> (u64, u32) {
    let mut parser = FieldParser::new(options.clone());
    let mut held = 0;
    for piece in text.as_bytes().chunks(size) {
        parser.feed(std::str::from_utf8(piece).unwrap()).unwrap();
        held = held.max(parser.held());
    }
    parser.finish();
    (parser.steps(), held)
}

/// The text that `unit` makes of about `len` bytes, after what opens the place.
fn repeated(open: &str, unit: &str, len: usize) -> String {
    format!("{open}{}", unit.repeat(len.div_ceil(unit.len())))
}

/// Without a schema, and with schemas that ask for the first key.
fn settings() -> [Options; 5] {
    let keys = |key: &str| Some(vec![key.to_owned()]);
    [
        Options::default(),
        Options { rules: Rules::STRICT, ..Options::default() },
        Options { skips_code: true, ..Options::default() },
        Options { shape: Shape::Object, keys: keys("a"), is_multiple: true, ..Options::default() },
        Options { shape: Shape::ArrayOfObjects, keys: keys("no such key"), ..Options::default() },
    ]
}

#[test]
fn moves_grow_with_the_text_and_not_with_its_square() {
    for input in support::adversarial_inputs("field") {
        let (name, moves_a_byte) = (&input.name, input.steps);
        let mut longest = 0;
        for options in settings() {
            for size in [1, 7, 4_096, usize::MAX] {
                let (short, long) = (input.text(15_000), input.text(60_000));
                let ((short_moves, _), (long_moves, held)) =
                    (cost(&options, &short, size), cost(&options, &long, size));
                let place = format!("{name} in chunks of {size}, {options:?}");
                let bytes = long.len() as u64;
                assert!(long_moves <= moves_a_byte * bytes + 5_000, "{place}: {long_moves} moves for {bytes} bytes");
                assert!(
                    long_moves <= short_moves * 4 * 21 / 20 + 10_000,
                    "{place}: {short_moves} moves grow to {long_moves} with four times the text"
                );
                // What is withheld of a document is searched when it turns out to be another.
                let asks = matches!(options.shape, Shape::Object | Shape::ArrayOfObjects);
                let most = if asks { input.withheld.unwrap_or(input.held) } else { input.held };
                if asks {
                    longest = longest.max(held);
                }
                assert!(held <= most, "{place}: {held} units were held");
                assert!(held <= most_held(&options), "{place}: {held} units were held");
            }
        }
        assert!(input.withheld.is_none() || longest > input.held, "{name}: nothing is withheld");
    }
}

/// Not among the inputs that JavaScript reads too: in its order mode they have errors.
#[test]
fn quotes_in_strings_are_looked_at_only_so_far() {
    let inputs =
        [("{\"a\":\"", "\" "), ("{\"a\":\"", "\", "), ("[\"", "\"//"), ("{\"a\":\"", "\",'a\"\"': \"b\"\"\", '")];
    for (open, unit) in inputs {
        let text = repeated(open, unit, 60_000);
        for options in settings() {
            for size in [1, 7, 4_096, usize::MAX] {
                let (moves, held) = cost(&options, &text, size);
                let place = format!("{unit} in chunks of {size}, {options:?}");
                assert!(moves <= 4 * text.len() as u64, "{place}: {moves} moves");
                assert!(held <= LONGEST_LOOK as u32 + 2, "{place}: {held} units were held");
            }
        }
    }
}

/// The dearest text that is known: each bracket is a candidate that fails late. Longer than what can be withheld, it is
/// read twice.
#[test]
fn what_is_withheld_is_searched_only_so_often() {
    let rules = Rules::LENIENT;
    let options =
        Options { rules, shape: Shape::ArrayOfObjects, is_multiple: true, keys: Some(vec![]), ..Options::default() };
    for size in [7, usize::MAX] {
        let unit = format!("{{\"\":\"{}", "[".repeat(595));
        let (short, long) = (repeated("", &unit, 60_000), repeated("", &unit, 240_000));
        let (moves, held) = cost(&options, &short, size);
        assert!(moves > 30 * short.len() as u64, "{moves} moves: not the dearest text any more");
        assert!(moves <= MOST_STEPS * short.len() as u64, "{moves} moves in chunks of {size}");
        assert!(held <= most_held(&options), "{held} units were held");
        let (moves, _) = cost(&options, &long, size);
        assert!(moves <= 4 * long.len() as u64, "{moves} moves in chunks of {size}");
    }
}

#[test]
fn a_megabyte_in_one_and_in_many_chunks() {
    // What a driver does beside the moves isn't counted: had it a square in it,
    // this would not end.
    for (open, unit) in [
        ("{\"a\":[", "{\"b\":\"some words \\\"of\\\" a long answer\",\"c\":[1,2.5,true]},\n"),
        ("Some ", "{\"[x\": y "),
        ("{\"a\":\"", "words, words, 水🙂 "),
        ("", "{\"a\":1}</think>"),
    ] {
        let text = repeated(open, unit, 1 << 20);
        for size in [16, 1 << 16, usize::MAX] {
            let places = (0..text.len()).step_by(size).filter(|&at| text.is_char_boundary(at)).skip(1);
            let mut parser = FieldParser::new(Options::default());
            let mut emitted = 0;
            for piece in support::cut(&text, &places.collect::<Vec<_>>()) {
                emitted += parser.feed(piece).unwrap().len();
                assert!(parser.held() <= 16, "{} units are held", parser.held());
            }
            emitted += parser.finish().len();
            assert!(parser.steps() <= 4 * text.len() as u64, "{} moves for {} bytes", parser.steps(), text.len());
            assert!(emitted <= text.len());
        }
    }
}
