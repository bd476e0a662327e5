//! Linear: growth is counted in moves, not in time, for each row and what it may be overwhelmed with: its markers
//! and fronts of its sample, again and again, outside of calls and inside.

use crate::documents::Pieces;
use crate::properties::found;
use crate::reading::{Reader, Way, joined, read};
use crate::rows::{ALL, Row, Rows};
use crate::support::thin::thinness;
use std::collections::BTreeSet;
use tokenweir::format::{Body, Flag, Part};

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

/// A row of values in prose, as the middleware has it for an answer to a tool choice: JSON, or arguments alone.
fn prose(body: Body) -> Rows {
    let part = |part: Part, content: &[u8]| [&[part as u8, content.len() as u8, 0], content].concat();
    let flags: u32 = [Flag::BareAnywhere, Flag::Tolerant].iter().map(|&flag| 1 << flag as u32).sum();
    let bytes = [
        part(Part::NameKey, b"name"),
        part(Part::ArgsKey, b"arguments"),
        part(Part::ReasoningOpen, b"<think>"),
        part(Part::ReasoningClose, b"</think>"),
        part(Part::Body, &[body as u8]),
        part(Part::Flags, &flags.to_le_bytes()),
    ];
    let mut rows = Rows::of(vec![ALL.iter().find(|row| row.id == "json-bare").unwrap()], true);
    rows.table.clear();
    assert!(rows.table.add(&bytes.concat()));
    rows
}

#[test]
fn values_in_prose_are_looked_for_in_moves_that_grow_with_the_text() {
    let call = r#"{"name": "f", "arguments": {"a": 1}}"#;
    for rows in [Body::Json, Body::Args].map(prose) {
        for unit in [
            "{",
            "[",
            "{\"a\":",
            "{'",
            "{} ",
            "[{",
            "[1, ",
            "{ a ",
            "{a:1 ",
            "[{\"a\":1} 2 ",
            "```json\n",
            "```\n{",
            "<think>",
            call,
        ] {
            for before in ["", "{\"a\": ", "[", "```json\n", call] {
                for size in [64, usize::MAX] {
                    let [short, long] = [SHORT, LONG].map(|len| {
                        let text = format!("{before}{}", unit.repeat(len / unit.len()));
                        cost(&rows, &text, size.min(text.len()))
                    });
                    assert!(long <= short * 2 * 5 / 4 + ONCE, "{before:?}, {unit:?}: {short}, then {long} moves");
                }
            }
        }
    }
}

#[test]
fn where_prose_was_cut_makes_no_difference() {
    let whole = [
        r#"So {"name": "f", "arguments": {"a": 1}} and {"arguments": {"a": [1]}, "name": "g"}."#,
        r#"[{"name": "f", "arguments": {}}, {"name": "g", "arguments": {"a": "]"}}] [0, 1) [1, {"name": "f"}]"#,
        "I add:\n```json\n{\"name\": \"f\", \"arguments\": {\"a\": 1}}\n{\"name\": \"g\", \"arguments\": {}}\n```\nDone.",
        "```json\n{\"name\": \"f\", \"arguments\": {\"a\": 1\n```",
        r#"{"a": <b>, "c": {"name": "f", "arguments": {}}} {"name": "f", "arguments": {"a": {"b": 2"#,
        r#"[{"name": "f", "arguments": {"a": 1}}, {"name": "g", "arguments": {}"#,
        "{ a [b] {\"plan\": [{\"name\": \"f\"}]} <think>{\"name\": \"f\", \"arguments\": {}}</think>{\"a\": 1}",
    ];
    for rows in [Body::Json, Body::Args].map(prose) {
        for text in whole {
            for end in (0..=text.len()).filter(|&end| text.is_char_boundary(end)) {
                let text = &text[..end];
                let one = joined(&read(&rows, Way::PLAIN, [text]));
                for size in [1, 2, 7] {
                    let bytes: Vec<_> =
                        text.as_bytes().chunks(size).map(|piece| std::str::from_utf8(piece).unwrap()).collect();
                    assert_eq!(joined(&read(&rows, Way::PLAIN, bytes)), one, "{text} by {size}");
                }
            }
        }
    }
}
