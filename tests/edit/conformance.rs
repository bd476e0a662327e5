//! Every case of `tests/cases/edit`: whole, cut at every place and at every two, one character at a time, and at
//! random. The judge is judged: parsers that get cuts wrong must fail here.

use crate::case::{Case, cases};
use crate::reading::{check, lines, read};
use crate::support::thin::{thinned, thinness};
use crate::support::{self, Random, cut, places};
use tokenweir::edit::{EditParser, Event, Options};

/// Longest input, in places, whose every two cuts are tried.
const EVERY_TWO: usize = 160;

type Reader = fn(&Options, &[&str], bool) -> Vec<Event>;

fn faithful(options: &Options, pieces: &[&str], has_finished: bool) -> Vec<Event> {
    let events = read(options, pieces.iter().copied(), has_finished);
    check(&events, &pieces.concat());
    events
}

/// Forgets after each piece what it doesn't know for sure.
fn forgetful(options: &Options, pieces: &[&str], _: bool) -> Vec<Event> {
    let mut parser = EditParser::new(options.clone());
    let mut events = Vec::new();
    for piece in pieces {
        if parser.held() > 0 {
            parser = EditParser::new(options.clone());
        }
        events.extend(parser.feed(piece).unwrap());
    }
    events.extend(parser.finish());
    events
}

/// The message about the first cuts that lead to other events than the case has.
fn first_difference(case: &Case, read: Reader, seed: u64) -> Option<String> {
    let (options, text) = (case.options(), &case.input);
    let expected: Vec<&str> = case.events.lines().filter(|line| !line.is_empty()).collect();
    let wrong = |cuts: &[usize]| {
        let pieces = cut(text, cuts);
        let found = lines(&read(&options, &pieces, case.has_finished()));
        (found != expected).then(|| {
            let (name, expected, found) = (&case.name, expected.join("\n"), found.join("\n"));
            format!("{name} (SEED={seed}) cut into {pieces:?}\nexpected:\n{expected}\nfound:\n{found}")
        })
    };
    let places = places(text);
    let mut random = Random::new(seed);
    let mut all = vec![vec![], places.clone(), places.iter().flat_map(|&place| [place, place]).collect()];
    all.extend(places.iter().step_by(thinness()).map(|&place| vec![place]));
    all.extend((0..thinned(60)).map(|nth| {
        let mut cuts: Vec<_> = (0..2 + nth % 9).map(|_| places[random.below(places.len())]).collect();
        cuts.sort_unstable();
        cuts
    }));
    if places.len() <= EVERY_TWO {
        all.extend(
            places
                .iter()
                .flat_map(|&first| places.iter().map(move |&second| vec![first, second]))
                .filter(|cuts| cuts[0] < cuts[1])
                .step_by(thinness()),
        );
    }
    all.iter().find_map(|cuts| wrong(cuts))
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
fn a_forgetful_parser_is_caught() {
    let cases = cases();
    let caught = cases.iter().filter(|case| first_difference(case, forgetful, 1).is_some()).count();
    assert!(caught > cases.len() * 3 / 4, "{caught} of {} cases notice", cases.len());
}
