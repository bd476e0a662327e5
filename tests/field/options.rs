//! What options make of a text that may be a document, and what is known of it
//! in the middle.

use crate::reading::{lines, read};
use tokenweir::field::{EventKind, FieldParser, Options, REACH, Shape};
use tokenweir::json::Rules;

/// The events of a text, without their places.
fn lines_of(options: &Options, text: &str) -> Vec<String> {
    let lines = lines(&read(options, [text]).events, false);
    lines.iter().map(|line| line.rsplit_once(' ').map_or(line.clone(), |(what, _)| what.to_owned())).collect()
}

fn shape(shape: Shape) -> Options {
    Options { shape, ..Options::default() }
}

fn keys(shape: Shape) -> Options {
    Options { shape, keys: Some(vec!["a".to_owned()]), ..Options::default() }
}

#[test]
fn a_list_may_begin_with_null_where_that_is_allowed() {
    let nullable = Options { is_nullable: true, ..shape(Shape::ArrayOfStrings) };
    assert_eq!(lines_of(&nullable, r#"[null, "x"]"#), ["[0] = null", "[1] = \"x\""]);
    assert_eq!(lines_of(&nullable, r#"[true, "x"]"#), [""; 0]);
    assert_eq!(lines_of(&shape(Shape::ArrayOfStrings), r#"[null, "x"]"#), [""; 0]);
    assert_eq!(lines_of(&nullable, r#"{"x": null}"#), [""; 0]);
}

#[test]
fn a_list_in_a_list_of_numbers_is_the_list() {
    assert_eq!(lines_of(&shape(Shape::ArrayOfNumbers), "[[1], [2]]"), ["[0] = 1"]);
    assert_eq!(lines_of(&shape(Shape::ArrayOfStrings), r#"[["a"], "b"]"#), ["[0] = \"a\""]);
}

#[test]
fn an_empty_list_is_one_of_any_shape_and_an_empty_object_in_it_has_not_the_key() {
    for (shape, next) in [(Shape::Array, "[1, 2]"), (Shape::ArrayOfStrings, "[\"x\"]"), (Shape::ArrayOfNumbers, "[1]")]
    {
        let options = Options { shape, is_multiple: true, ..Options::default() };
        let events = read(&options, [format!("[] {next}").as_str()]).events;
        assert!(!events.is_empty() && events.iter().all(|event| event.document == 1), "{events:?}");
    }
    assert_eq!(lines_of(&keys(Shape::ArrayOfObjects), r#"[{}, {"a": 1}]"#), ["[0]", "[1].a = 1", "[1]"]);
    assert_eq!(lines_of(&keys(Shape::ArrayOfObjects), r#"[{"a": 1}]"#), ["[0].a = 1", "[0]"]);
}

#[test]
fn after_a_key_of_the_schema_only_the_value_is_wrong() {
    let text = r#"Sure: {"a": @, "b": 2}"#;
    assert_eq!(lines_of(&keys(Shape::Object), text).last().map(String::as_str), Some("b = 2"));
    let second = lines_of(&Options { keys: Some(vec!["b".to_owned()]), ..shape(Shape::Object) }, text);
    assert_eq!(second.last().map(String::as_str), Some("b = 2"));
    assert_eq!(lines_of(&Options { rules: Rules::STRICT, ..Options::default() }, text), [""; 0]);
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
fn thinking_in_front_of_a_document() {
    for (text, last) in [
        (r#"<think>{"a": 1}</think>{"a": 2}"#, "a = 2"),
        (r#"{"a": 1}</think>{"a": 2}"#, "a = 2"),
        (r#"``x {"a": 1} and {"a": 2}"#, "a = 1"),
        (r#"<think>``</think>{"a": 2}"#, "a = 2"),
    ] {
        assert_eq!(lines_of(&Options::default(), text).last().map(String::as_str), Some(last), "{text}");
    }
}

#[test]
fn what_stands_in_front_says_what_a_number_in_brackets_is() {
    for text in [
        // A reference in prose, if a document follows.
        r#"See [1] and {"k": 2}"#,
        r#"Use `a` and `b`: [1] or {"k": 2}"#,
        r#"Use `a`  [1] or {"k": 2}"#,
        "Well\n<think>x</think>[1] or {\"k\": 2}",
        "Well\n<think>```json\n</think>[1] or {\"k\": 2}",
    ] {
        assert_eq!(lines_of(&Options::default(), text), ["k = 2"], "{text}");
    }
    // The answer, until a better one comes.
    for text in [
        r#"So be it </think>[1] or {"k": 2}"#,
        "```json\n[1]\n``` or {\"k\": 2}",
        "Well\n<think>```</think> ```json\n[1] or {\"k\": 2}",
    ] {
        assert_eq!(lines_of(&Options::default(), text).first().map(String::as_str), Some("[0] = 1"), "{text}");
    }
}

#[test]
fn in_prose_a_string_with_something_wrong_in_it_makes_a_document_all_the_same() {
    assert_eq!(lines_of(&Options::default(), r#"See {"a": "\q", "b": 1}"#).last().map(String::as_str), Some("b = 1"));
    assert_eq!(lines_of(&Options::default(), r#"See {"a": @, "b": 1}"#), [""; 0]);
    let strict = Options { rules: Rules::STRICT, ..Options::default() };
    assert_eq!(lines_of(&strict, r#"See {"a": "\q", "b": 1}"#).last().map(String::as_str), Some("b = 1"));
    assert_eq!(lines_of(&strict, r#"See {"a\q": 1, "b": 1}"#), [""; 0], "in a name");
}

#[test]
fn what_was_withheld_is_of_the_document_that_it_turned_out_to_be_of() {
    let options = Options { is_multiple: true, ..Options::default() };
    let events = read(&options, [r#"{"a": 1} and [2, 3]"#]).events;
    let documents: Vec<u32> = events.iter().map(|event| event.document).collect();
    assert!(documents.len() > 3 && documents.iter().filter(|&&document| document == 0).count() == 2, "{documents:?}");
    assert!(documents.is_sorted() && documents.last() == Some(&1), "{documents:?}");
}

#[test]
fn a_string_that_has_only_begun_makes_a_document() {
    assert_eq!(lines_of(&Options::default(), r#"See {"a": ""#), ["a = \"\""]);
    assert_eq!(lines_of(&Options::default(), r#"See [""#), ["[0] = \"\""]);
    assert_eq!(lines_of(&shape(Shape::ArrayOfNumbers), r#"See [""#), [""; 0]);
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
fn what_is_emitted_of_prose_is_taken_back_until_a_second_value_has_begun_well() {
    for (text, last) in [
        (r#"See ["x", ["y" @ z"#, "reset"),
        (r#"See ["x", ["y"], @ z"#, "error unexpected-text"),
        (r#"See ["x", "y" @ z"#, "error unexpected-text"),
    ] {
        assert_eq!(lines_of(&Options::default(), text).last().map(String::as_str), Some(last), "{text}");
    }
}

#[test]
fn what_follows_a_document_begins_anew() {
    let multiple = Options { is_multiple: true, ..Options::default() };
    let last = |options: &Options, text: &str| lines_of(options, text).last().cloned();
    assert_eq!(last(&multiple, r#"Sure: {"a": 1} [1]"#).as_deref(), Some("[0] = 1"));
    // The text before it and the text after it make no tag.
    assert_eq!(last(&multiple, r#"<thi{"a": 1}nk>{"b": 2}"#).as_deref(), Some("b = 2"));
    assert_eq!(last(&Options::default(), r#"<thi{nk>{"b": 2}"#).as_deref(), Some("b = 2"));
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

#[test]
fn what_a_candidate_that_never_ends_has_inside_is_read() {
    assert_eq!(lines_of(&Options::default(), r#"See {"[true]"#), ["[0] = true"]);
}
