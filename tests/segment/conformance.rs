//! Every case of `tests/cases/segment` and every text that AutoByteus was
//! recorded on: whole, cut at every place and at every two, one character at a
//! time, and at random; empty chunks change nothing.
//!
//! The judge is judged: parsers that get cuts wrong must fail here.

use crate::case::{Case, Recorded, cases, recorded};
use crate::reading::{Emitted, as_recorded, check, emitted, faults, is_as_expected, read};
use crate::support::{self, at_every_cut};
use tokenweir::segment::{Event, Options, SegmentParser};

/// Longest input, in places, whose every two cuts are tried.
const EVERY_TWO: usize = 200;

/// The same for recorded texts, which are longer and alike.
const EVERY_TWO_RECORDED: usize = 100;

/// Reads pieces for a case.
type Reader = fn(&Options, &[&str]) -> Vec<Event>;

fn faithful(options: &Options, pieces: &[&str]) -> Vec<Event> {
    let events = read(options, pieces.iter().copied());
    check(&events, &pieces.concat());
    events
}

/// Forgets after each piece what it doesn't know for sure.
fn forgetful(options: &Options, pieces: &[&str]) -> Vec<Event> {
    support::forgetful(|| SegmentParser::new(options.clone()), pieces).1
}

/// Loses what may begin a marker at the end of a piece, if more follows.
fn careless(options: &Options, pieces: &[&str]) -> Vec<Event> {
    let (last, others) = pieces.split_last().unwrap();
    read(options, others.iter().map(|piece| piece.strip_suffix(['<', '[', '{']).unwrap_or(piece)).chain([*last]))
}

/// Takes white space at the start of a piece for the rest of what it had.
fn hasty(options: &Options, pieces: &[&str]) -> Vec<Event> {
    let mut text = String::new();
    let mut apart = Vec::new();
    for piece in pieces {
        apart.push(if text.ends_with(['\n', ' ']) { piece.trim_start_matches(['\n', ' ']) } else { piece });
        text.push_str(piece);
    }
    read(options, apart)
}

/// The first cut at which a reader gets a case wrong.
fn first_difference(case: &Case, read: Reader, seed: u64) -> Option<String> {
    let options = case.options();
    let expected = case.expected();
    let wrong = at_every_cut(&case.input, seed, EVERY_TWO, |pieces| {
        let events = read(&options, pieces);
        let (emitted, faults) = (emitted(&events), faults(&events));
        (!is_as_expected(&emitted, &expected) || faults != case.errors).then(|| {
            format!(
                "expected: {:?}\n{}\nfound: {faults:?}\n{}",
                case.errors,
                written(&expected).join("\n"),
                written(&emitted).join("\n")
            )
        })
    });
    wrong.map(|wrong| format!("{} {wrong}", case.name))
}

fn written(emitted: &[Emitted]) -> Vec<String> {
    emitted.iter().map(|emitted| format!("{emitted:?}")).collect()
}

/// The same of a recorded text. Of what is wrong with it nothing was recorded.
fn first_recorded_difference(case: &Recorded, seed: u64) -> Option<String> {
    let options = case.options();
    let expected = case.expected();
    let wrong = at_every_cut(&case.text, seed, EVERY_TWO_RECORDED, |pieces| {
        let found = as_recorded(&emitted(&faithful(&options, pieces)), &expected);
        (found != expected).then(|| format!("expected: {expected:?}\nfound: {found:?}"))
    });
    wrong.map(|wrong| format!("{} {wrong}", case.name))
}

#[test]
fn every_case_gives_its_events_at_every_cut() {
    let seed = support::seed();
    eprintln!("SEED={seed}");
    let cases = cases();
    let wrong: Vec<_> = cases.iter().filter_map(|case| first_difference(case, faithful, seed)).collect();
    assert!(wrong.is_empty(), "{} of {} cases are wrong:\n\n{}", wrong.len(), cases.len(), wrong.join("\n\n"));
}

#[test]
fn what_was_recorded_is_emitted_at_every_cut() {
    let seed = support::seed();
    eprintln!("SEED={seed}");
    let cases = recorded();
    assert!(cases.len() > 300, "{} texts", cases.len());
    let wrong: Vec<_> = cases.iter().filter_map(|case| first_recorded_difference(case, seed)).collect();
    assert!(wrong.is_empty(), "{} of {} texts are wrong:\n\n{}", wrong.len(), cases.len(), wrong.join("\n\n"));
}

#[test]
fn bad_parsers_are_caught() {
    let cases = cases();
    let caught = |reader| cases.iter().filter(|case| first_difference(case, reader, 1).is_some()).count();
    let counts = support::quietly(|| [caught(forgetful), caught(careless), caught(hasty)]);
    let least = [400, 400, 20];
    // What stops them is the cuts, and nothing else.
    for case in &cases {
        for reader in [forgetful, careless, hasty] {
            let emitted = emitted(&reader(&case.options(), &[&case.input]));
            assert!(is_as_expected(&emitted, &case.expected()), "{} uncut", case.name);
        }
    }
    assert!(counts.iter().zip(least).all(|(&caught, least)| caught > least), "{counts:?} cases notice, not {least:?}");
}
