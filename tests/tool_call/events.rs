//! What a program hears, event by event, and what its options do.

use crate::reading::{check, joined, read};
use tokenweir::tool_call::{EventKind, Options, Repair, ToolCallParser, Why};

fn kinds(options: &Options, text: &str) -> Vec<EventKind> {
    let events = read(options, [text]);
    check(&events, text);
    joined(&events).into_iter().map(|event| event.kind).collect()
}

fn text(text: &str) -> EventKind {
    EventKind::Text(text.to_owned())
}

fn start(name: &str) -> EventKind {
    EventKind::CallStart { name: name.to_owned() }
}

fn delta(json: &str) -> EventKind {
    EventKind::Delta(json.to_owned())
}

fn done(name: &str, json: &str, repairs: u64) -> EventKind {
    EventKind::CallDone { name: name.to_owned(), id: None, arguments: json.to_owned(), repairs }
}

/// The calls of a text: their names and their JSON.
fn calls(options: &Options, text: &str) -> Vec<(String, String)> {
    let call = |kind| match kind {
        EventKind::CallDone { name, arguments, .. } => Some((name, arguments)),
        _ => None,
    };
    kinds(options, text).into_iter().filter_map(call).collect()
}

#[test]
fn a_call_comes_while_it_is_written() {
    let mut parser = ToolCallParser::new(Options::hermes());
    let mut fed = |chunk: &str| -> Vec<(u32, EventKind, u64, u64)> {
        let events = parser.feed(chunk).unwrap();
        events.into_iter().map(|event| (event.call, event.kind, event.span.start, event.span.end)).collect()
    };
    assert_eq!(fed("Hi <tool_call"), [(0, text("Hi "), 0, 3)]);
    assert_eq!(fed(">{\"name\": \"add\""), []);
    // What follows says whether the quote ends the name.
    assert_eq!(fed(", \"arguments\""), []);
    assert_eq!(fed(": {\"a\": 1"), [(1, start("add"), 27, 27), (1, delta("{\"a\":"), 43, 46)]);
    assert_eq!(fed("2, \"b\":\"x\\"), [(1, delta("12,\"b\":\"x"), 49, 59)]);
    assert_eq!(fed("n\"}"), [(1, delta("\\n"), 59, 61)]);
    assert_eq!(fed("}"), [(1, delta("\"}"), 61, 63)]);
    let json = "{\"a\":12,\"b\":\"x\\n\"}";
    let after = [(1, done("add", json, 0), 64, 64), (1, EventKind::End, 3, 76), (0, text(" bye"), 76, 80)];
    assert_eq!(fed("</tool_call> bye"), after);
}

#[test]
fn values_are_what_they_were_written_as() {
    for (written, json) in [
        ("{}", "{}"),
        ("null", "{}"),
        ("\"\"", "{}"),
        ("{ \"a\" : [ 1.50 , -007, 12345678901234567890, 1e400 ] }", "{\"a\":[1.50,-7,12345678901234567890,1e400]}"),
        ("{a: 0, b: -0.0, c: 00}", "{\"a\":0,\"b\":-0.0,\"c\":0}"),
        ("{'a': True, b: None, c: yes, \"\": false}", "{\"a\":true,\"b\":null,\"c\":\"yes\",\"\":false}"),
        ("{\"a\": 1, \"a\": 2}", "{\"a\":2}"),
        ("{\"a\": [[], {}, [{}]]}", "{\"a\":[[],{},[{}]]}"),
        ("{\"é\\u0041\": \"\\u00e9\\ud83d\\ude42\\ud83d\\u0001\\t\"}", "{\"éA\":\"é🙂\\ud83d\\u0001\\t\"}"),
        ("\"{\\\"a\\\": [1, 'x']}\"", "{\"a\":[1,\"x\"]}"),
        (r#"{"a": "\b\f\n\r\t\"\\\u000b"}"#, r#"{"a":"\b\f\n\r\t\"\\\u000b"}"#),
        (r#"{"a": "it\'s \q"}"#, r#"{"a":"it\\'s \\q"}"#),
        (r#"{"a": "say "hi" now"}"#, r#"{"a":"say \"hi\" now"}"#),
    ] {
        for members in [
            format!(r#""name": "f", "arguments": {written}"#),
            format!(r#""x":[0],"arguments":{written},"y":"z","name":"f","z":{{}}"#),
        ] {
            let text = format!("Well, <tool_call>{{{members}}}</tool_call>");
            assert_eq!(calls(&Options::hermes(), &text), [("f".to_owned(), json.to_owned())], "{text}");
        }
    }
}

#[test]
fn elements_are_texts() {
    let options = Options::morph(&["write", "get"]);
    let body = "<write mode='a &amp; b' now mode=\"x\">\n<path lang=\"en\" mode=\"y\">a.py</path><body>1 < 2 &amp;<![CDATA[</body>]]><b></body><n/></write>";
    let emitted = kinds(&options, body);
    let json = r#"{"path":"a.py","body":"1 < 2 &</body><b>","n":"","mode":"a & b","now":""}"#;
    let expected = [start("write"), delta(json), done("write", json, 0), EventKind::End];
    assert_eq!(emitted, expected);
    // The attributes of an argument's tag aren't the tool's, and its element counts more than an attribute.
    let emitted = kinds(&options, "<get a='1' b='2'><b c='2'>3</b></get>");
    assert_eq!(emitted[1], delta(r#"{"b":"3","a":"1"}"#));
    // A tool's name inside is another call.
    let nested = kinds(&options, "<get><write><path>x</path></write>");
    assert_eq!(
        nested[..4],
        [
            start("get"),
            EventKind::Fail(Why::Nested),
            EventKind::Failed("<get>".to_owned()),
            EventKind::FailEnd { is_cut: false }
        ]
    );
    assert!(matches!(&nested[nested.len() - 2], EventKind::CallDone { name, .. } if name == "write"));
    assert_eq!(kinds(&options, "<get> is a tag"), [text("<get> is a tag")]);
    // What turns out not to be a tag, of the tool and of children.
    for body in ["<get a <b>2</b></get>", "<get><a q=<b>2</b></get>"] {
        assert_eq!(kinds(&options, body), [text(body)]);
    }
    let cut = kinds(&options, "<get><x>1</x><a <b>2</b></get><get><y>3</y></get>");
    assert_eq!(cut[2], EventKind::Fail(Why::Malformed));
    assert_eq!(cut[cut.len() - 2], done("get", r#"{"y":"3"}"#, 0));
}

#[test]
fn a_name_that_comes_twice_is_written_once() {
    let json = r#"{"a":["1","3"],"b":"2"}"#;
    let emitted = kinds(&Options::morph(&["get"]), "<get><a>1</a><b>2</b><a>3</a></get>");
    assert_eq!(emitted[1..4], [delta(r#"{"a":"1","b":"2","a":"3"}"#), EventKind::ArgumentsRestart, delta(json)]);
    assert_eq!(emitted[4], done("get", json, 0));
}

#[test]
fn a_closing_tag_in_a_string_is_decided_about_within_4096_units() {
    let options = Options::morph(&["write"]);
    for (tag, makes_call) in [("</path>", false), ("</write>", true)] {
        for length in [4_096 - tag.len() - 1, 4_096 - tag.len()] {
            let value = format!("a{tag}{}", "x".repeat(length));
            let is_part = length + tag.len() < 4_096;
            let found = calls(&options, &format!("<write><path>{value}</path></write>"));
            let path = if is_part { &value } else { "a" };
            let call = ("write".to_owned(), format!("{{\"path\":\"{path}\"}}"));
            assert_eq!(found, if is_part || makes_call { vec![call] } else { Vec::new() }, "{length}");
        }
    }
}

#[test]
fn why_a_segment_is_no_call() {
    let failed = |options: &Options, body: &str| -> Vec<(Why, bool)> {
        let mut why = None;
        let emitted = kinds(options, body);
        let ends = emitted.iter().filter_map(|kind| match kind {
            EventKind::Fail(reason) => {
                why = Some(*reason);
                None
            }
            EventKind::FailEnd { is_cut } => Some((why.unwrap(), *is_cut)),
            _ => None,
        });
        ends.collect()
    };
    let hermes = Options::hermes();
    assert_eq!(failed(&hermes, "<tool_call>{\"name\":\"f\""), [(Why::Unfinished, true)]);
    let other = "<tool_call>{\"name\":\"other\"}</tool_call>";
    assert_eq!(failed(&hermes.clone().only(&["f"]), other), [(Why::Rejected, false)]);
    assert_eq!(failed(&hermes.clone().only(&["f", "other"]), other), []);
    // No tools: none is unknown.
    assert_eq!(failed(&hermes.clone().only(&[]), other), []);
    let mut short = Options::hermes();
    short.longest = 20;
    assert_eq!(failed(&short, other), [(Why::TooLong, false)]);
    let emitted = kinds(&short, &format!("{}{other}", "x".repeat(50)));
    assert_eq!(emitted[0], text(&"x".repeat(50)));
    assert_eq!(emitted[2], EventKind::Failed(other[..20].to_owned()));
    short.longest = other.len() as u32;
    assert_eq!(failed(&short, other), []);
}

#[test]
fn what_fails_by_a_quote_ends_with_the_tag_in_its_string() {
    let body = |inside: &str| format!("<tool_call>{{\"name\":\"f\",\"arguments\":{{\"a\":\"{inside}\"}}}}</tool_call>");
    // The tag in another string before it doesn't matter.
    let failed = body("1 </tool_call> 2\",\"b\":\"x </tool_call> \"hi\" now");
    let list =
        format!("<tool_call>[{}]</tool_call>", &failed["<tool_call>".len()..failed.len() - "</tool_call>".len()]);
    for failed in [failed, list] {
        let text = format!("Well, {failed} and {}", body("y"));
        let whole = joined(&read(&Options::hermes(), [text.as_str()]));
        let end = failed.rfind(" \"hi\"").unwrap();
        let emitted: Vec<&EventKind> = whole.iter().map(|event| &event.kind).collect();
        assert!(emitted.contains(&&EventKind::Failed(failed[..end].to_owned())), "{emitted:?}");
        assert_eq!(emitted.iter().filter(|kind| matches!(kind, EventKind::CallDone { .. })).count(), 1, "{emitted:?}");
        for cut in 1..text.len() {
            let (front, back) = text.split_at(cut);
            assert_eq!(joined(&read(&Options::hermes(), [front, back])), whole, "cut at {cut}");
        }
    }
}

#[test]
fn a_parser_can_start_again() {
    let mut parser = ToolCallParser::new(Options::hermes());
    let other = "<tool_call>{\"name\":\"f\",\"arguments\":{\"a\":\"";
    parser.feed(other).unwrap();
    assert_eq!(parser.held(), other.len() as u32);
    parser.reset();
    assert_eq!(parser.held(), 0);
    assert_eq!(parser.feed("b\"").unwrap()[0].kind, text("b\""));
    parser.finish();
    assert!(parser.feed("x").is_err());
    parser.reset();
    assert_eq!(parser.feed("x").unwrap()[0].span.start, 0);
    assert!(Options::hermes_between(" ", "x").is_none() && Options::hermes_between("x", "").is_none());
    assert!(Options::hermes_between(&"x".repeat(129), "x").is_none());
}

#[test]
fn a_list_in_a_list_is_prose() {
    let text_of = |text: &str| kinds(&Options::hermes(), text);
    let nested = r#"<tool_call>[[{"name":"f","arguments":{}}]]</tool_call> x"#;
    let [
        EventKind::Fail(Why::Mentioned),
        EventKind::Failed(_),
        EventKind::FailEnd { is_cut: false },
        EventKind::Text(_),
    ] = &text_of(nested)[..]
    else {
        panic!("{:?}", text_of(nested))
    };
    let list = text_of(r#"<tool_call>[{"name":"f","arguments":{}}]</tool_call> x"#);
    assert_eq!(list[2], done("f", "{}", Repair::List.bit()));
}

#[test]
fn what_fails_ends_at_the_next_start_tag() {
    let own = Options::hermes_between("@call:", "#end").unwrap();
    let bad = r#"@call:{"name": ( "#;
    let emitted = kinds(&own, &format!(r#"{bad}@call:{{"name":"f","arguments":{{}}}}#end x"#));
    assert_eq!(emitted[1], EventKind::Failed(bad.to_owned()));
    assert_eq!(emitted[5], done("f", "{}", 0));
}
