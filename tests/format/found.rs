//! Documents that showed a defect once, smaller than they were found.

use crate::checks::assert_tiled;
use crate::reading::{Reader, Way, calls, joined, read};
use crate::rows::{ALL, Row, Rows};
use crate::support::{cut, places};
use tokenweir::format::Start;

fn row(id: &str) -> &'static Row {
    ALL.iter().find(|row| row.id == id).unwrap_or_else(|| panic!("there is no row {id}"))
}

/// Reads a document whole and character by character, and gives the names of its calls.
fn names(id: &str, way: Way, text: &str) -> Vec<String> {
    let rows = Rows::of(id.split(' ').map(row).collect(), way.has_tools);
    let whole = read(&rows, way, [text]);
    assert_tiled(&rows, &whole, text);
    assert_eq!(joined(&read(&rows, way, cut(text, &places(text)))), joined(&whole), "{id}: {text}");
    calls(&whole).into_iter().map(|call| call.name).collect()
}

const CALL: &str = "{\"name\": \"get_weather\", \"arguments\": {}}";

/// Documents that are read in the plain way, and the names of their calls.
fn documents() -> Vec<(&'static str, String, &'static [&'static str])> {
    const ONE: &[&str] = &["get_weather"];
    const TWO: &[&str] = &["get_weather", "get_weather"];
    let gemma = |inside: &str| format!("<|tool_call>call:f{{{inside}}}<tool_call|>");
    let function_gemma = |value: &str| format!("<start_function_call>call:f{{a:{value}}}<end_function_call>");
    let space = " \n".repeat(3_000);
    let call = "[TOOL_CALLS]get_weather[ARGS]{}";
    let header = " to=get_weather<|channel|>analysis <|constrain|>xml<|message|>";
    let mut all = vec![
        // A list without an opener that breaks off after a call has no more text.
        ("pythonic", "[get_weather(location='Paris')".to_owned(), ONE),
        ("xlam", format!("[{CALL}"), ONE),
        // Brackets that are passed over are the call's wherever the text was cut.
        ("phi4", format!("functools[{CALL}]}} ]functools[{CALL}]"), TWO),
        // A word without quotes has no markup.
        ("gemma4", gemma("a:Paris, France"), &[]),
        ("gemma4", gemma("a:Paris France"), &["f"]),
        // White space that a turn begins with does not wait without bound.
        ("json-bare", format!("{space}{CALL}"), ONE),
        ("deepseek-v3.2", format!("{space}</think>a"), &[]),
        ("beam", format!("{header}{space}<rfl:parameter name=\"a\">b</rfl:parameter><|call|>"), &[]),
        // A value without quotes that goes on after a comma is not half of itself.
        ("functiongemma", function_gemma("Paris,b:1"), &["f"]),
        ("gemma4", gemma("a:1"), &["f"]),
        ("gemma4", gemma("a{\"b\":1"), &[]),
        // What is no name is no argument of Python.
        ("pythonic", "[f( a = 1)]".to_owned(), &["f"]),
    ];
    let markup = ["<turn|>", "a<b", "a{b", "a:b", "a\"b"].map(|value| gemma(&format!("a:{value}")));
    all.extend(markup.map(|text| ("gemma4", text, &[][..])));
    let values = ["{b:1,c:2}", "[1,b:2]", "\"Paris,b:c\"", "{'b': None,"].map(function_gemma);
    all.extend(values.map(|text| ("functiongemma", text, &[][..])));
    let keys = ["a b", "a[0]", "{a", "a.b()"].map(|key| format!("[f({key}=1)]"));
    all.extend(keys.map(|text| ("pythonic", text, &[][..])));
    // Long white space after a call is text wherever it was cut.
    for length in [4_095, 4_096, 4_557] {
        let front = format!("{call}{}", "\t".repeat(length));
        all.extend([("mistral-v13", format!("{front}{call}"), TWO), ("mistral-v13", front, ONE)]);
    }
    all
}

#[test]
fn documents_have_these_calls_wherever_they_are_cut() {
    for (id, text, expected) in documents() {
        assert_eq!(names(id, Way::PLAIN, &text), expected, "{id}: {text}");
    }
}

#[test]
fn a_body_that_is_one_text_and_breaks_off_comes_out() {
    let text = "<f><tool_call>get_weather><parameter=location>Paris</parameter></function></tool_call>";
    for answers in 0..500 {
        let way = Way { answers: answers << 18, ..Way::PLAIN };
        for (rows, end) in [("morph-xml", text.len()), ("mimo functionary-v31 morph-xml", text.len()), ("morph-xml", 7)]
        {
            // An element that is closed may be the last argument: then the end of the stream closes the call.
            let found = names(rows, way, &text[..end]);
            assert!(found.is_empty() || found == ["f"] && end == text.len(), "{found:?}");
        }
    }
}

#[test]
fn a_body_that_is_one_text_ends_at_the_first_closing_tag_of_the_tool() {
    let text = "<f><f><location>Paris</location></f>location>Paris</location></f>";
    for answers in 0..500 {
        let way = Way { answers: answers << 18, ..Way::PLAIN };
        let found = names("morph-xml", way, text);
        assert!(found.is_empty() || found == ["f"], "{found:?}");
    }
}

#[test]
fn white_space_after_a_call_that_closes_itself_is_not_the_calls() {
    let text = "<invoke name=\"get_weather\"/> after";
    let rows = Rows::of(vec![row("dots")], true);
    let text = format!("<dots_function_call>{text}");
    assert_eq!(names("dots", Way::PLAIN, &text), ["get_weather"]);
    assert!(joined(&read(&rows, Way::PLAIN, [text.as_str()])).concat().contains("text \" after\""));
}

#[test]
fn a_string_in_a_list_of_calls_ends_it_wherever_the_text_was_cut() {
    let text = "<TOOLCALL>[\"\"name\": \"get_weather\", \"arguments\": {\"location\": \"Paris\"}}]</TOOLCALL>";
    for longest in [40, 1 << 20] {
        assert!(names("nemotron-v2", Way { start: Start::Text, longest, ..Way::PLAIN }, text).is_empty());
    }
}

#[test]
fn a_closing_tag_that_may_be_longer_is_one_at_the_end_of_a_run_of_text() {
    let rows = Rows::of(vec![row("k-exaone")], true);
    for text in ["<tool_call>\nHello\n</tool_call>\n<think>null</think>", "</think>", "<think>", "<think>a</think>\n"] {
        let whole = joined(&read(&rows, Way::PLAIN, [text]));
        for pieces in [vec![text], cut(text, &places(text))] {
            let mut reader = Reader::new(&rows, Way::PLAIN);
            pieces.into_iter().for_each(|piece| reader.feed(piece));
            reader.settle();
            assert_eq!(joined(&reader.finish().0), whole, "{text}");
        }
    }
}

#[test]
fn a_call_after_an_object_that_breaks_off_is_read_before_the_run_of_text_ends() {
    let rows = Rows::of(vec![row("minimax-m1")], true);
    let text = format!("{{\"name\": \"get_weather\"<tool_calls>\n{CALL}\n</tool_calls>");
    let mut reader = Reader::new(&rows, Way::PLAIN);
    reader.feed(&text);
    reader.settle();
    assert_eq!(calls(&reader.finish().0).len(), 1);
}

#[test]
fn markup_in_an_argument_is_no_opener_where_that_of_the_call_is_missing() {
    let close = &row("apriel").texts("call.close")[0];
    let text = format!("{{\"name\": \"get_weather\", \"arguments\": {{'location': '<b>'}}}}\n{close}");
    assert_eq!(names("apriel", Way::PLAIN, &text), ["get_weather"]);
}

#[test]
fn a_fence_that_the_stream_ends_in_is_not_a_closer() {
    let call = "<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>function<｜tool▁sep｜>f\n```json\n";
    for end in ["```json\n{}\n```", "```", "```<｜tool▁call▁end｜>", "```json\n{}"] {
        let text = format!("{call}{end}");
        let expected = if end == "```" { [""; 0].as_slice() } else { &["f"] };
        assert_eq!(names("deepseek-v3", Way::PLAIN, &text), expected, "{end}");
        for length in (call.len()..text.len()).filter(|&length| text.is_char_boundary(length)) {
            let found = names("deepseek-v3", Way::PLAIN, &text[..length]);
            assert!(found.is_empty() || text[..length].contains(['{', '<']), "{:?}", &text[call.len()..length]);
        }
    }
}

#[test]
fn a_question_is_asked_where_the_records_before_it_took_all_room() {
    let call = "<|tools_prefix|>[{\"get_weather\": {\"location\": \"\"}}]<|tools_suffix|>";
    let text = format!("{call}<|inner_prefix|><|tools_prefix|>[{{\"get_weather\"");
    let way = Way { start: Start::Reasoning, skips_code: true, ..Way::PLAIN };
    assert_eq!(names("apertus", way, &text), ["get_weather"]);
}
