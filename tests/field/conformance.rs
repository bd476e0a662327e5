//! Every case of `tests/cases/field`: whole, cut at every place and at every
//! two, one character at a time, and at random; empty chunks change nothing.
//!
//! The judge is judged: parsers that get cuts wrong must fail here.

use crate::case::{Case, cases};
use crate::reading::{Reading, lines, read, rule_names};
use crate::support::{self, at_every_cut, cut, places};
use tokenweir::field::{FieldParser, Options};

/// Longest input, in places, whose every two cuts are tried.
const EVERY_TWO: usize = 120;

/// Whether a case is about a key that comes again. No values are kept here, so
/// nobody knows that it does, and what JavaScript calls replaced is emitted again.
fn has_duplicates(case: &Case) -> bool {
    case.name.starts_with("duplicates/") || case.events.lines().any(|line| line.ends_with(" replaced"))
}

/// Reads pieces for a case.
type Reader = fn(&Options, &[&str]) -> Reading;

fn faithful(options: &Options, pieces: &[&str]) -> Reading {
    read(options, pieces.iter().copied())
}

/// Begins anew with each piece what it doesn't know to be whole.
fn forgetful(options: &Options, pieces: &[&str]) -> Reading {
    let (parser, events) = support::forgetful(|| FieldParser::new(options.clone()), pieces);
    Reading { events, used: parser.used_rules() }
}

/// Loses half an escape that a piece ends in.
fn careless(options: &Options, pieces: &[&str]) -> Reading {
    let is_half = |end: &str| end.is_empty() || end.starts_with('u') && end.len() < 5 && !end.contains('"');
    let kept = |piece: &str| {
        piece.rsplit_once('\\').filter(|(_, end)| is_half(end)).map_or(piece.len(), |(front, _)| front.len())
    };
    read(options, pieces.iter().map(|piece| &piece[..kept(piece)]))
}

/// Takes the end of a piece for the end of a number.
fn hasty(options: &Options, pieces: &[&str]) -> Reading {
    let mut text = String::new();
    let mut apart = Vec::new();
    for piece in pieces {
        let is_split = text.ends_with(|c: char| c.is_ascii_digit()) && piece.starts_with(|c: char| c.is_ascii_digit());
        apart.extend(is_split.then_some(" "));
        apart.push(piece);
        text.push_str(piece);
    }
    read(options, apart)
}

/// The events as the case should have them, half a surrogate pair as in Rust.
fn expected(case: &Case) -> Vec<String> {
    case.events.lines().map(without_halves).collect()
}

fn without_halves(line: &str) -> String {
    let mut written = String::new();
    let mut rest = line;
    while let Some(at) = rest.find('\\') {
        let (before, escape) = rest.split_at(at);
        written.push_str(before);
        let is_half =
            escape.starts_with("\\ud") && escape.as_bytes().get(3).is_some_and(|byte| b"89abcdef".contains(byte));
        let length = if is_half { 6 } else { 2 };
        written.push_str(if is_half { "\u{FFFD}" } else { &escape[..length] });
        rest = &escape[length..];
    }
    written + rest
}

/// The first cut at which a reader gets a case wrong.
fn first_difference(case: &Case, read: Reader, seed: u64) -> Option<String> {
    let options = case.options();
    let expected = expected(case);
    let wrong = at_every_cut(&case.input, seed, EVERY_TWO, |pieces| {
        let reading = read(&options, pieces);
        let (found, rules) = (lines(&reading.events, false), rule_names(reading.used));
        (found != expected || rules != case.rules).then(|| {
            format!("expected: {:?}\n{}\nfound: {rules:?}\n{}", case.rules, expected.join("\n"), found.join("\n"))
        })
    });
    wrong.map(|wrong| format!("{} {wrong}", case.name))
}

/// The cases that are read here.
fn read_here() -> Vec<Case> {
    cases().into_iter().filter(|case| !has_duplicates(case)).collect()
}

#[test]
fn every_case_gives_its_events_at_every_cut() {
    let seed = support::seed();
    eprintln!("SEED={seed}");
    let cases = read_here();
    let wrong: Vec<_> = cases.iter().filter_map(|case| first_difference(case, faithful, seed)).collect();
    assert!(wrong.is_empty(), "{} of {} cases are wrong:\n\n{}", wrong.len(), cases.len(), wrong.join("\n\n"));
}

#[test]
fn bad_parsers_are_caught() {
    let cases = read_here();
    let caught = |reader| cases.iter().filter(|case| first_difference(case, reader, 1).is_some()).count();
    let counts = support::quietly(|| [caught(forgetful), caught(careless), caught(hasty)]);
    let least = [400, 50, 50];
    // What stops them is the cuts, and nothing else.
    for case in &cases {
        for reader in [forgetful, careless, hasty] {
            let reading = reader(&case.options(), &[&case.input]);
            assert!(lines(&reading.events, false) == expected(case), "{} uncut", case.name);
        }
    }
    assert!(counts.iter().zip(least).all(|(&caught, least)| caught > least), "{counts:?} cases notice, not {least:?}");
}

#[test]
fn a_key_that_comes_again_is_emitted_again_at_every_cut() {
    let (mut emitted_again, mut all) = (0, 0);
    for case in cases().iter().filter(|case| has_duplicates(case)) {
        let options = case.options();
        let whole = lines(&read(&options, [case.input.as_str()]).events, true);
        for place in places(&case.input) {
            let reading = read(&options, cut(&case.input, &[place]));
            assert_eq!(lines(&reading.events, true), whole, "{} cut at {place}", case.name);
        }
        emitted_again += usize::from(whole != expected(case));
        all += 1;
    }
    assert!(emitted_again > 15 && all > 25, "{emitted_again} of {all}");
}
