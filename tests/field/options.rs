//! What is known in the middle of a text that may be a document, and how far it is searched: what cases can't say.
//! (What options make of a text is in `tests/cases/field/prose.toml`.)

use crate::reading::{lines, read};
use tokenweir::field::{EventKind, FieldParser, Options, REACH, Shape};

/// The events of a text, without their places.
fn lines_of(options: &Options, text: &str) -> Vec<String> {
    let lines = lines(&read(options, [text]).events, false);
    lines.iter().map(|line| line.rsplit_once(' ').map_or(line.clone(), |(what, _)| what.to_owned())).collect()
}

#[test]
fn a_list_may_begin_with_null_where_that_is_allowed() {
    let strings = Options { shape: Shape::ArrayOfStrings, ..Options::default() };
    let nullable = Options { is_nullable: true, ..strings.clone() };
    assert_eq!(lines_of(&nullable, r#"[null, "x"]"#), ["[0] = null", "[1] = \"x\""]);
    assert_eq!(lines_of(&nullable, r#"[true, "x"]"#), [""; 0]);
    assert_eq!(lines_of(&strings, r#"[null, "x"]"#), [""; 0]);
    assert_eq!(lines_of(&nullable, r#"{"x": null}"#), [""; 0]);
}

#[test]
fn what_may_be_a_document_is_held() {
    let mut parser = FieldParser::new(Options::default());
    parser.feed("See [1").unwrap();
    assert_eq!(parser.held(), 2);
    parser.feed("] and").unwrap();
    assert_eq!(parser.held(), 0);
}

#[test]
fn the_received_part_of_a_string_is_emitted_immediately() {
    let mut parser = FieldParser::new(Options::default());
    for (chunk, text) in [(r#"{"a": "xy"#, "xy"), ("z", "z"), ("!", "!")] {
        let events = parser.feed(chunk).unwrap();
        let text_so_far = events
            .iter()
            .find_map(|event| if let EventKind::Text(text) = &event.kind { Some(text.as_str()) } else { None });
        assert_eq!((text_so_far, parser.held()), (Some(text), 0), "{chunk}");
    }
}

#[test]
fn how_far_a_candidate_is_searched_depends_on_its_own_length() {
    let prose = "x".repeat(2 * REACH as usize);
    for chunks in [&["", r#"{"a {"#, r#""k": 2}"#][..], &[&format!(r#"{prose} {{"a {{"#), r#""k": 2}"#]] {
        let lines = lines(&read(&Options::default(), chunks.iter().copied()).events, false);
        assert!(lines.last().is_some_and(|line| line.starts_with("k = 2")), "{lines:?}");
    }
}

#[test]
fn after_a_reset_it_is_a_new_stream() {
    let mut parser = FieldParser::new(Options::default());
    let first = parser.feed(r#"Sure: {"a": [1, "x"#).unwrap();
    parser.reset();
    assert_eq!((parser.held(), parser.feed(r#"Sure: {"a": [1, "x"#).unwrap()), (0, first));
}

#[test]
fn failed_candidates_are_searched_within_a_budget() {
    // 4,096 units, and 32 more for each candidate; the last is the fifth.
    let budget = 4_096 + 5 * 32;
    let filler = format!(r#"{{"{}" @ "#, "a".repeat(930));
    let cost = 4 * (930 + 4);
    for (excess, is_found) in [(0, true), (1, false)] {
        let key = "b".repeat(budget - cost - r#"{" {""#.len() + excess);
        let text = format!(r#"{}{{"{key} {{"k": 2}}"#, filler.repeat(4));
        assert_eq!(lines_of(&Options::default(), &text) == ["k = 2"], is_found, "{excess}");
    }
}
