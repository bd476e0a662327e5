//! Promise 1: where the text was cut makes no difference. Every case of
//! `tests/cases/block`, cut at every place, at every two, one character at a
//! time, and at random; empty chunks change nothing.
//!
//! The judge is judged: a parser that forgets what it held at the end of a
//! chunk must fail here.

#![allow(clippy::unwrap_used, reason = "a test that can't go on fails")]

mod support;

use support::Case;
use tokenweir::block::{BlockParser, Event};

/// Longest input, in places, whose every two cuts are tried.
const ALL_PAIRS: usize = 120;

/// Reads pieces, and returns the events of each piece separately.
type Reader = fn(&Case, &[&str]) -> Vec<Event>;

fn faithful(case: &Case, pieces: &[&str]) -> Vec<Event> {
    support::feed(case.options(), pieces.iter().copied())
}

/// Begins anew with each piece what it doesn't know to be whole.
fn forgetful(case: &Case, pieces: &[&str]) -> Vec<Event> {
    support::forgetful(|| BlockParser::new(case.options()), pieces).1
}

/// The first cut of a case that gives other blocks, spans or markup than the whole.
fn first_difference(case: &Case, read: Reader, seed: u64) -> Option<String> {
    let face = case.options().face;
    let expected = support::render(&faithful(case, &[&case.input]), face);
    let wrong = support::at_every_cut(&case.input, seed, ALL_PAIRS, |pieces| {
        let events = read(case, pieces);
        support::assert_tiled(&events, &case.input);
        let found = support::render(&events, face);
        (found != expected).then(|| format!("expected:\n{expected}\nfound:\n{found}"))
    });
    wrong.map(|wrong| format!("{} {wrong}", case.name))
}

#[test]
fn cuts_do_not_matter() {
    let seed = support::seed();
    eprintln!("SEED={seed}");
    for case in support::cases() {
        if let Some(difference) = first_difference(&case, faithful, seed) {
            panic!("{difference}");
        }
    }
}

#[test]
fn a_forgetful_parser_is_caught() {
    let is_caught = |case: &&Case| first_difference(case, forgetful, 1).is_some();
    let caught = support::quietly(|| support::cases().iter().filter(is_caught).count());
    assert!(caught > 100, "only {caught} cases notice a parser that forgets");
}

#[test]
fn held_text_is_the_longest_undecided_ending() {
    // After each of these, so many characters are pending and no more.
    for (text, held) in [
        ("Hello ", 0),
        ("Hello <", 1),
        ("Hello <thin", 5),
        ("Hello <think", 6),
        ("Hello <thinx", 0),
        ("Hello <thinkingl", 0),
        ("Hello <thinking", 9),
        ("Hello <thinking a='>", 20 - 6),
        ("Hello </", 2),
        ("Hello </thinking", 10),
        ("Hello </thinking x", 0),
        ("a <b", 0),
        ("<res", 0),
        ("<function_results><res", 4),
        ("<function_results>a &l", 2),
        ("<function_results>a &x", 0),
        ("a &l", 0),
        ("<invoke name='a'><parameter name='b'>hello", 0),
        ("<invoke name='a'><parameter name='b'>hello  ", 2),
        ("<invoke name='a'><parameter name='b'>hello  </par", 7),
        ("<invoke name='a'><parameter name='b'>hello <thinking", 0),
        ("<invoke name='a'><parameter name='b'>12", 2),
        ("<invoke name='a'><parameter name='b'>12x", 0),
        ("<invoke name='a'><parameter name='b'>  [1, ", 4),
        ("<invoke name='a'><parameter name='b'>  [1, x", 0),
    ] {
        for size in 1..=text.len() {
            let mut parser = BlockParser::new(tokenweir::block::Options::default());
            for piece in text.as_bytes().chunks(size) {
                parser.feed(std::str::from_utf8(piece).unwrap()).unwrap();
            }
            assert_eq!(parser.held(), held, "after {text:?} in chunks of {size}");
        }
    }
}
