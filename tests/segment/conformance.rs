//! Every case of `tests/cases/segment` and every text that AutoByteus was
//! recorded on: whole, cut at every place and at every two, one character at a
//! time, and at random; empty chunks change nothing.
//!
//! The judge is judged: parsers that get cuts wrong must fail here.

use crate::case::{Case, Recorded, cases, recorded};
use crate::reading::{Emitted, as_recorded, check, emitted, faults, is_as_expected, read};
use crate::support::thin::{thinned, thinness};
use crate::support::{self, Random, cut, places};
use std::collections::BTreeSet;
use std::sync::{Arc, Mutex};
use tokenweir::segment::{Event, Options, SegmentParser};

/// Longest input, in places, whose every cut is tried, and whose every two are.
const EVERY_CUT: usize = 4_200;
const EVERY_TWO: usize = 200;

/// The same two for recorded texts, which are longer and alike.
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
    let mut parser = SegmentParser::new(options.clone());
    let mut events = Vec::new();
    for piece in pieces {
        if parser.held() > 0 {
            parser = SegmentParser::new(options.clone());
        }
        events.extend(parser.feed(piece).unwrap());
    }
    events.extend(parser.finish());
    events
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

/// The message about the first cuts that lead to a wrong reading.
fn at_every_cut(text: &str, seed: u64, every_two: usize, check: impl Fn(&[&str]) -> Option<String>) -> Option<String> {
    let check = |cuts: &[usize]| {
        let pieces = cut(text, cuts);
        let found = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| check(&pieces)));
        let wrong = found.unwrap_or_else(|_| Some("a panic, see above".to_owned()));
        wrong.map(|wrong| format!("(SEED={seed}) cut into {pieces:?}\n{wrong}"))
    };
    let places = places(text);
    let whole = [vec![], places.clone(), places.iter().flat_map(|&place| [place, place]).collect()];
    if let Some(wrong) = whole.into_iter().find_map(|cuts| check(&cuts)) {
        return Some(wrong);
    }
    let mut random = Random::new(seed);
    let mut some = |count: usize| {
        let mut cuts: Vec<_> = (0..count).map(|_| places[random.below(places.len())]).collect();
        cuts.sort_unstable();
        cuts
    };
    let at_random: Vec<_> = (0..thinned(100)).map(|nth| some(2 + nth % 9)).collect();
    if let Some(wrong) = at_random.iter().find_map(|cuts| check(cuts)) {
        return Some(wrong);
    }
    assert!(places.len() <= EVERY_CUT, "{text:?} is too long for every cut");
    if let Some(wrong) = places.iter().step_by(thinness()).find_map(|&place| check(&[place])) {
        return Some(wrong);
    }
    if places.len() > every_two {
        return None;
    }
    let second = |nth: usize| places.iter().skip(nth);
    let pairs = places.iter().enumerate().flat_map(|(nth, &first)| second(nth).map(move |&second| [first, second]));
    pairs.step_by(thinness()).find_map(|cuts| check(&cuts))
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
    // Their panics are what is looked for, and nobody needs to read them; those
    // of other tests, which run beside this one, are to be read.
    let quiet = Arc::new(Mutex::new(Some(std::thread::current().id())));
    let print = std::panic::take_hook();
    let is_quiet = Arc::clone(&quiet);
    std::panic::set_hook(Box::new(move |panic| {
        if *is_quiet.lock().unwrap() != Some(std::thread::current().id()) {
            print(panic);
        }
    }));
    let cases = cases();
    let caught = |reader| cases.iter().filter(|case| first_difference(case, reader, 1).is_some()).count();
    let counts = [caught(forgetful), caught(careless), caught(hasty)];
    *quiet.lock().unwrap() = None;
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

#[test]
fn names_are_there_once() {
    let cases = cases();
    let names: BTreeSet<_> = cases.iter().map(|case| case.name.as_str()).collect();
    assert_eq!(names.len(), cases.len(), "two cases have one name");
}
