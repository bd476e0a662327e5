//! Linear: growth is counted in moves, not in time, for each row and what it may be overwhelmed with: its markers
//! and fronts of its sample, again and again, outside of calls and inside.

use crate::documents::Pieces;
use crate::properties::found;
use crate::reading::{Reader, Way};
use crate::rows::{ALL, Row, Rows};
use crate::support::thin::thinness;
use std::collections::BTreeSet;

/// Lengths of texts. Both are beyond what is looked ahead for white space and for heads.
const SHORT: usize = 6_000;
const LONG: usize = 12_000;

/// What may be read again at the end of the stream, whatever its length.
const ONCE: u64 = 70_000;

/// Moves when a text comes in chunks of `size` characters or a few more bytes.
fn cost(rows: &Rows, text: &str, size: usize) -> u64 {
    let mut reader = Reader::new(rows, Way::PLAIN);
    let mut rest = text;
    while !rest.is_empty() {
        let end = (size.min(rest.len())..=rest.len()).find(|&end| rest.is_char_boundary(end)).unwrap();
        reader.feed(&rest[..end]);
        rest = &rest[end..];
    }
    reader.finish().1
}

/// What is repeated, and what stands before it.
fn inputs(row: &'static Row) -> Vec<(String, String)> {
    let pieces = Pieces::of(&[row]);
    let fronts = pieces.fronts();
    let mut units: BTreeSet<String> = row.markers.iter().cloned().collect();
    units.extend(["[", "{", "{\"", "<", "f(", " ", "\n", "<f>", "{\"a\":", "[1,"].map(str::to_owned));
    units.extend(fronts.iter().rev().step_by(4).take(5).cloned());
    let outside = units.iter().map(|unit| (String::new(), unit.clone()));
    let opens = [&fronts[fronts.len() / 2], &fronts[fronts.len().saturating_sub(4)]];
    let inside = opens
        .into_iter()
        .zip([0, 1])
        .flat_map(|(open, from)| units.iter().skip(from).step_by(2).map(move |unit| (open.clone(), unit.clone())));
    outside.chain(inside).collect()
}

#[test]
fn moves_grow_with_the_text_and_not_with_its_square() {
    let mut wrong = Vec::new();
    let mut seen = BTreeSet::new();
    for row in ALL.iter() {
        let rows = Rows::of(vec![row], true);
        for (open, unit) in inputs(row).into_iter().step_by(thinness()) {
            // Rows that are alike have most of them together.
            if !seen.insert((row.bytes, open.clone(), unit.clone())) {
                continue;
            }
            for size in [64, usize::MAX] {
                let input = format!("{} by {size}: {open:?} and {unit:?} repeated", row.id);
                let run = || {
                    [SHORT, LONG].map(|len| {
                        let text = format!("{open}{}", unit.repeat(len / unit.len()));
                        cost(&rows, &text, size.min(text.len()))
                    })
                };
                let [short, long] = match found(run) {
                    Ok(moves) => moves,
                    Err(why) => {
                        wrong.push(format!("{input}: {why}"));
                        continue;
                    }
                };
                if long > short * 2 * 5 / 4 + ONCE {
                    wrong.push(format!("{input}: {short}, then {long} moves"));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{} of them:\n{}", wrong.len(), wrong.join("\n"));
}
