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

#[test]
fn a_list_without_an_opener_that_breaks_off_after_a_call_has_no_more_text() {
    assert_eq!(names("pythonic", Way::PLAIN, "[get_weather(location='Paris')"), ["get_weather"]);
    let object = "{\"name\": \"get_weather\", \"arguments\": {}}";
    assert_eq!(names("xlam", Way::PLAIN, &format!("[{object}")), ["get_weather"]);
}

#[test]
fn brackets_that_are_passed_over_are_the_calls_wherever_the_text_was_cut() {
    let call = "functools[{\"name\": \"get_weather\", \"arguments\": {}}]";
    assert_eq!(names("phi4", Way::PLAIN, &format!("{call}}} ]{call}")), ["get_weather", "get_weather"]);
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
fn a_word_without_quotes_has_no_markup() {
    for value in ["<turn|>", "a<b", "a{b", "a:b", "a\"b"] {
        let text = format!("<|tool_call>call:get_weather{{location:{value}}}<tool_call|>");
        assert_eq!(names("gemma4", Way::PLAIN, &text), [""; 0], "{value}");
    }
    let text = "<|tool_call>call:get_weather{location:Paris, France}<tool_call|>";
    assert_eq!(names("gemma4", Way::PLAIN, text), [""; 0]);
    assert_eq!(names("gemma4", Way::PLAIN, &text.replace(", ", " ")), ["get_weather"]);
}

#[test]
fn white_space_that_a_turn_begins_with_does_not_wait_without_bound() {
    let space = " \n".repeat(3_000);
    let call = "{\"name\": \"get_weather\", \"arguments\": {}}";
    assert_eq!(names("json-bare", Way::PLAIN, &format!("{space}{call}")), ["get_weather"]);
    names("deepseek-v3.2", Way::PLAIN, &format!("{space}</think>a"));
    let header = " to=get_weather<|channel|>analysis <|constrain|>xml<|message|>";
    names("beam", Way::PLAIN, &format!("{header}{space}<rfl:parameter name=\"a\">b</rfl:parameter><|call|>"));
}

#[test]
fn long_white_space_after_a_call_is_text_wherever_it_was_cut() {
    let call = "[TOOL_CALLS]get_weather[ARGS]{}";
    for length in [4_095, 4_096, 4_557] {
        let text = format!("{call}{}{call}", "\t".repeat(length));
        assert_eq!(names("mistral-v13", Way::PLAIN, &text), ["get_weather", "get_weather"]);
        assert_eq!(names("mistral-v13", Way::PLAIN, &text[..text.len() - call.len()]), ["get_weather"]);
    }
}

#[test]
fn a_value_without_quotes_that_goes_on_after_a_comma_is_not_half_of_itself() {
    let call = |value: &str| format!("<start_function_call>call:f{{a:{value}}}<end_function_call>");
    assert_eq!(names("functiongemma", Way::PLAIN, &call("Paris,b:1")), ["f"]);
    for value in ["{b:1,c:2}", "[1,b:2]", "\"Paris,b:c\"", "{'b': None,"] {
        assert!(names("functiongemma", Way::PLAIN, &call(value)).is_empty(), "{value}");
    }
    let call = |key: &str| format!("<|tool_call>call:f{{{key}:1}}<tool_call|>");
    assert_eq!(names("gemma4", Way::PLAIN, &call("a")), ["f"]);
    assert!(names("gemma4", Way::PLAIN, &call("a{\"b\"")).is_empty());
}

#[test]
fn what_is_no_name_is_no_argument_of_python() {
    assert_eq!(names("pythonic", Way::PLAIN, "[f( a = 1)]"), ["f"]);
    for key in ["a b", "a[0]", "{a", "a.b()"] {
        assert!(names("pythonic", Way::PLAIN, &format!("[f({key}=1)]")).is_empty(), "{key}");
    }
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
