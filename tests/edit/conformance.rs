//! Every case of `tests/cases/edit`: whole, cut at every place and at every two, one character at a time, and at
//! random. The judge is judged: parsers that get cuts wrong must fail here.

use crate::case::{Case, cases};
use crate::reading::{check, lines, read};
use crate::support::{self, at_every_cut};
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
    support::forgetful(|| EditParser::new(options.clone()), pieces).1
}

/// The message about the first cuts that lead to other events than the case has.
fn first_difference(case: &Case, read: Reader, seed: u64) -> Option<String> {
    let options = case.options();
    let expected: Vec<&str> = case.events.lines().filter(|line| !line.is_empty()).collect();
    let wrong = at_every_cut(&case.input, seed, EVERY_TWO, |pieces| {
        let found = lines(&read(&options, pieces, case.has_finished()));
        (found != expected).then(|| format!("expected:\n{}\nfound:\n{}", expected.join("\n"), found.join("\n")))
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
fn a_forgetful_parser_is_caught() {
    let cases = cases();
    let caught = cases.iter().filter(|case| first_difference(case, forgetful, 1).is_some()).count();
    assert!(caught > cases.len() * 3 / 4, "{caught} of {} cases notice", cases.len());
}
