//! Linear: growth is counted in moves, not in time. Four times the text is about
//! four times the moves, and so many a byte, in small chunks and in large ones.

use tokenweir::tool_call::{EventKind, Options, ToolCallParser};

const HEAD: &str = "<tool_call>{\"name\":\"write_file\",\"arguments\":{\"path\":\"p\",\"content\":\"";
const TAIL: &str = "\"}}</tool_call>";
const XML: &str = "<write_file><path>p</path><content>";
const XML_TAIL: &str = "</content></write_file>";

/// Moves, and calls made, when an ASCII text comes in chunks of `size` bytes.
fn cost(is_morph: bool, text: &str, size: usize) -> (u64, usize) {
    let options = if is_morph { Options::morph(&["add", "write_file"]) } else { Options::hermes() };
    let mut parser = ToolCallParser::new(options);
    let mut calls = 0;
    let mut count = |events: Vec<tokenweir::tool_call::Event>| {
        calls += events.iter().filter(|event| matches!(event.kind, EventKind::CallDone { .. })).count();
    };
    for chunk in text.as_bytes().chunks(size) {
        count(parser.feed(std::str::from_utf8(chunk).unwrap()).unwrap());
    }
    count(parser.finish());
    (parser.steps(), calls)
}

/// Name, whether it is Morph, what opens the place, what is repeated, what closes
/// it, the most moves a byte in chunks of 16, and calls at the least.
type Bomb<'a> = (&'a str, bool, &'a str, &'a str, &'a str, u64, usize);

const BOMBS: [Bomb; 40] = [
    ("no end tag", false, HEAD, "x ", "", 4, 0),
    ("openers", false, "", "<tool_call>", "", 2, 0),
    ("openers of calls", false, "", "<tool_call>{", "", 2, 0),
    ("calls without end tags", false, "", "<tool_call>{\"name\":\"ping\"}", "", 3, 1),
    ("brackets", false, "<tool_call>{\"name\":\"f\",\"arguments\":{\"a\":", "[", "", 2, 0),
    ("objects", false, "<tool_call>{\"name\":\"f\",\"arguments\":", "{\"a\":", "", 2, 0),
    ("elements", false, "<tool_call>{\"name\":\"f\",\"arguments\":{\"a\":[", "1,", "]}}</tool_call>", 4, 1),
    ("keys", false, "<tool_call>{\"name\":\"f\",\"arguments\":{", "\"k\":1,", "}}</tool_call>", 3, 1),
    ("keys of the call", false, "<tool_call>{\"name\":\"f\",", "\"k\":1,", "}</tool_call>", 3, 1),
    ("quotes", false, HEAD, "\"", " x\"}}</tool_call>", 7, 1),
    ("quotes and commas", false, HEAD, "\", ", "x\"}}</tool_call>", 4, 1),
    ("quotes and closers", false, HEAD, "\"} ", "x\"}}</tool_call>", 4, 1),
    ("angles", false, HEAD, "<", TAIL, 3, 1),
    ("backslashes", false, HEAD, "\\\\", TAIL, 3, 1),
    ("bad escapes", false, HEAD, "\\q", TAIL, 4, 1),
    ("end tags in a string", false, HEAD, "</tool_call>", TAIL, 3, 1),
    ("end tags in an open string", false, HEAD, "x</tool_call>", "", 4, 0),
    (
        "calls in an open string",
        false,
        HEAD,
        "x</tool_call><tool_call>{\"name\":\"f\",\"arguments\":{\"path\":\"",
        "",
        3,
        0,
    ),
    (
        "arguments before the name",
        false,
        "<tool_call>{\"arguments\":{\"a\":\"",
        "x",
        "\"},\"name\":\"f\"}</tool_call>",
        5,
        1,
    ),
    (
        "encoded arguments",
        false,
        "<tool_call>{\"name\":\"f\",\"arguments\":\"{\\\"a\\\":[",
        "1,",
        "]}\"}</tool_call>",
        3,
        1,
    ),
    ("a failed segment", false, "<tool_call>{,", "x</tool_cal", "", 2, 0),
    ("failed segments", false, "", "<tool_call>{,}</tool_call>", "", 2, 0),
    ("comments", false, "<tool_call>{", "/**/", "\"name\":\"f\"}</tool_call>", 3, 1),
    ("spaces behind a start tag", false, "<tool_call>", " ", "", 2, 0),
    ("spaces behind a payload", false, "<tool_call>{\"name\":\"f\"}", " ", "", 3, 0),
    ("a list", false, "<tool_call>[", "{\"name\":\"ping\"},", "]</tool_call>", 5, 100),
    ("an open element", true, XML, "x ", "", 3, 0),
    ("openers of elements", true, "", "<add>", "", 4, 0),
    ("tools in tools", true, "", "<add><a>1</a>", "", 3, 0),
    ("elements of one name", true, "<add>", "<a>1</a>", "</add>", 2, 1),
    ("angles in an element", true, XML, "<", " </content></write_file>", 3, 1),
    ("references", true, XML, "&amp;", XML_TAIL, 2, 1),
    ("half references", true, XML, "&", XML_TAIL, 3, 1),
    ("almost closers", true, XML, "</content", " </content></write_file>", 2, 1),
    ("closers of the tool", true, XML, "</write_file>", XML_TAIL, 2, 1),
    ("closers of the tool in an open element", true, XML, "</write_file>", "", 3, 0),
    ("calls in an open element", true, XML, "</write_file><write_file><path>p</path><content>", "", 2, 0),
    ("attributes", true, "<add ", "a=\"1\" ", "", 2, 0),
    ("open CDATA", true, "<write_file><content><![CDATA[", "]]", "", 3, 0),
    ("an open comment", true, "<add><!--", "--", "", 2, 0),
];

#[test]
fn moves_grow_with_the_text_and_not_with_its_square() {
    let mut wrong = Vec::new();
    for (name, is_morph, open, unit, close, most, least) in BOMBS {
        let bomb = |len: usize| format!("{open}{}{close}", unit.repeat(len.div_ceil(unit.len())));
        for size in [16, 1_024, usize::MAX] {
            let [(small, _), (large, calls)] = [50_000, 200_000].map(|len| {
                let text = bomb(len);
                cost(is_morph, &text, size.min(text.len()))
            });
            if large > 5 * small || large > most * 200_000 || calls < least {
                wrong.push(format!("{name} by {size}: {small}, then {large} moves, {calls} calls"));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
