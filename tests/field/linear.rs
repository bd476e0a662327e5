//! Linear: growth is counted in moves, not in time. Four times the text is about
//! four times the moves, so many a byte, and what is held doesn't grow at all.

use crate::reading::MOST_HELD;
use tokenweir::field::{FieldParser, Options, REACH, Shape};
use tokenweir::json::{LONGEST_NUMBER, Rules};

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

/// The text that `unit` makes of about `len` bytes, behind what opens the place.
fn bomb(open: &str, unit: &str, len: usize) -> String {
    format!("{open}{}", unit.repeat(len.div_ceil(unit.len())))
}

/// Without a schema, and with schemas that ask for the first key.
fn settings() -> [Options; 4] {
    let keys = |key: &str| Some(vec![key.to_owned()]);
    [
        Options::default(),
        Options { rules: Rules::STRICT, ..Options::default() },
        Options { shape: Shape::Object, keys: keys("a"), is_multiple: true, ..Options::default() },
        Options { shape: Shape::ArrayOfObjects, keys: keys("no such key"), ..Options::default() },
    ]
}

#[test]
fn moves_grow_with_the_text_and_not_with_its_square() {
    // Each of many candidates earns some searching, which a few others use up: as bad as it gets.
    let cheap_and_dear = format!("{}{}*/ x\n", "[".repeat(400), "[/*".repeat(80));
    // Name, what opens the place, what is repeated, most moves a byte, most held.
    let bombs: [(&str, &str, &str, u64, u32); 42] = [
        ("prose", "", "the quick brown fox ", 1, 0),
        ("open brackets", "", "[", 3, 1),
        ("open brackets in prose", "x ", "[", 3, 1),
        ("open braces", "", "{", 3, 1),
        ("open braces in prose", "x ", "{", 3, 1),
        ("braces and quotes", "", "{\"", 5, 4),
        ("braces and quotes in prose", "x ", "{\"", 5, 4),
        ("nested objects", "", "{\"a\":", 2, 5),
        ("nested objects in prose", "x ", "{\"a\":", 2, 5),
        ("braces and comments", "", "{/*", 3, REACH),
        ("braces and comments in prose", "x ", "{/*", 3, REACH),
        ("braces and single quotes", "", "{'", 5, 4),
        ("braces and single quotes in prose", "x ", "{'", 5, 4),
        ("references", "", "[1", 3, 2),
        ("references in prose", "x ", "[1", 4, 2),
        ("whole references", "x ", "[1] ", 2, 2),
        ("digits", "[", "1", 2, LONGEST_NUMBER),
        ("digits of a candidate", "x [", "1", 2, LONGEST_NUMBER),
        ("a string", "{\"a\":\"", "hello world ", 2, 5),
        ("a string of quotes", "[\"", "\\\"", 2, 1),
        ("a key", "{\"", "hello ", 2, REACH),
        ("a key of a candidate", "x {\"", "hello ", 3, REACH),
        ("an unquoted key of a candidate", "x {", "hello", 3, REACH),
        ("a comment", "[/*", "* /", 2, REACH),
        ("a comment of a candidate", "x [/*", "* /", 3, REACH),
        ("escapes that never end", "[\"", "\\u00", 3, 4),
        ("escapes", "[\"", "\\u0041", 2, 5),
        ("half pairs", "[\"", "\\ud83d", 3, 9),
        ("backticks", "", "`", 1, 0),
        ("fences", "", "```json\n{\"a\"", 2, 4),
        ("openers of thinking", "", "<think", 1, 0),
        ("closers of thinking", "", "</think>", 1, 0),
        ("documents and closers", "", "{\"a\":1}</think>", 2, 6),
        ("failing candidates", "", "{a: 1 b ", 2, 5),
        ("failing candidates in prose", "x ", "{a: 1 b ", 3, 5),
        ("candidates in keys that fail", "x ", "{\"[x\": y ", 3, 7),
        ("what can't be read", "{\"a\":1,", "{\"b\" 1 [x] ]", 2, 6),
        ("what is missing", "[1", ",", 4, 2),
        ("too deep", "{\"a\":", "{\"b\":[\"\\\"]", 2, 5),
        ("many failing candidates of some length", "x ", "{aaaaaaaaaaaaaaaaaaaaaaaaaaa [[[[[[[[[[[[[[[[[[", 4, 29),
        ("words that are none", "[1,", "Na,tru,Infinit,", 3, 8),
        ("cheap and dear candidates", "x ", &cheap_and_dear, 45, 640),
    ];
    for (name, open, unit, moves_a_byte, most_held) in bombs {
        for options in settings() {
            for size in [1, 7, 4_096, usize::MAX] {
                let (short, long) = (bomb(open, unit, 15_000), bomb(open, unit, 60_000));
                let ((short_moves, _), (long_moves, held)) =
                    (cost(&options, &short, size), cost(&options, &long, size));
                let place = format!("{name} in chunks of {size}, {options:?}");
                let bytes = long.len() as u64;
                assert!(long_moves <= moves_a_byte * bytes + 5_000, "{place}: {long_moves} moves for {bytes} bytes");
                assert!(
                    long_moves <= short_moves * 4 * 21 / 20 + 10_000,
                    "{place}: {short_moves} moves grow to {long_moves} with four times the text"
                );
                assert!(held <= most_held && held <= MOST_HELD, "{place}: {held} units were held");
            }
        }
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
        let text = bomb(open, unit, 1 << 20);
        for size in [16, 1 << 16, usize::MAX] {
            let places = (0..text.len()).step_by(size).filter(|&at| text.is_char_boundary(at)).skip(1);
            let mut parser = FieldParser::new(Options::default());
            let mut told = 0;
            for piece in crate::support::cut(&text, &places.collect::<Vec<_>>()) {
                told += parser.feed(piece).unwrap().len();
                assert!(parser.held() <= 16, "{} units are held", parser.held());
            }
            told += parser.finish().len();
            assert!(parser.steps() <= 4 * text.len() as u64, "{} moves for {} bytes", parser.steps(), text.len());
            assert!(told <= text.len());
        }
    }
}
