//! What is code, by hand and by `pulldown-cmark`.
#![allow(
    clippy::indexing_slicing,
    clippy::wildcard_enum_match_arm,
    reason = "a test that can't go on fails, and the judge has many events"
)]

use super::{Code, Found, Quotes, Standing};
use crate::text::units_of;
use proptest::prelude::*;
use pulldown_cmark::{CodeBlockKind, Event, Parser, Tag};
use std::ops::Range;

/// Which `X` of a text are code, found as a search for markers finds them; and the longest
/// text that was held for one.
fn read(text: &str) -> (Vec<bool>, usize) {
    let bytes = text.as_bytes();
    let (mut quotes, mut at, mut longest) = (Quotes::START, 0, 0);
    let mut is_code = vec![false; text.matches('X').count()];
    let number = |at: usize| text.get(..at).map_or(0, |front| front.matches('X').count());
    while let Some(&byte) = bytes.get(at) {
        let standing = if byte == b'X' { quotes.look() } else { Standing::Code };
        if standing != Standing::Open {
            if byte == b'X' {
                is_code[number(at)] = standing == Standing::Code;
            }
            quotes.code_mut().step(byte);
            at += 1;
            continue;
        }
        let marker = at;
        let found = loop {
            let Some(&byte) = bytes.get(at) else { break quotes.end() };
            if let Some(found) = quotes.ahead(byte) {
                break found;
            }
            at += 1;
            longest = longest.max(text.get(marker..at).map_or(0, |held| held.encode_utf16().count()));
        };
        match found {
            Found::Again => at = marker,
            Found::Code { mut back } => {
                while back > 0 {
                    at -= 1;
                    back -= units_of(bytes[at]);
                }
                is_code[number(marker)..number(at)].fill(true);
            }
        }
    }
    (is_code, longest)
}

/// Whether `CommonMark` may see indented code in a text; here there is no such code.
fn may_be_indented(text: &str) -> bool {
    ["     ", "\n    ", "\t ", "\t\t", "> \t"].iter().any(|indent| format!("\n{text}").contains(indent))
}

/// Where `pulldown-cmark` finds code; `None` if it has indented code.
fn judge(text: &str) -> Option<Vec<bool>> {
    let mut code: Vec<Range<usize>> = Vec::new();
    for (event, range) in Parser::new(text).into_offset_iter() {
        match event {
            Event::Start(Tag::CodeBlock(CodeBlockKind::Indented)) => return None,
            Event::Start(Tag::CodeBlock(CodeBlockKind::Fenced(_))) | Event::Code(_) => code.push(range),
            _ => {}
        }
    }
    let places = text.match_indices('X').map(|(at, _)| at);
    Some(places.map(|at| code.iter().any(|range| range.contains(&at))).collect())
}

/// The text, with each `X` in code as `*`.
fn marks(text: &str) -> String {
    let mut is_code = read(text).0.into_iter();
    text.chars().map(|c| if c == 'X' && is_code.next() == Some(true) { '*' } else { c }).collect()
}

#[test]
fn fences_and_inline_code() {
    for expected in [
        "a X b",
        "`*` X",
        "``*`*`` X",
        "a ` X\nX",
        "a ` *\n* ` X",
        "a ` X\n\nX ` X",
        "a ` X\n# X ` X",
        "# a ` X\nX ` X",
        "a ` X\n---\nX ` X",
        "a ` X\n===\nX ` X",
        "a ` X\n- X ` X",
        "a ` *\n2. * ` X",
        "a ` X\n1. X ` X",
        "a ` X\n> X ` X",
        "> a ` *\n* ` X",
        "> a ` *\n> * ` X",
        "a ` X\n```\n*\n```\nX ` X",
        "``` ` X",
        "`` X ` * ` X",
        "`` * ` * `` ` *`` `` *` X",
        "\\` X ` X",
        "\\\\` * ` X",
        "\\`` * ` X",
        "` *\\` X ` X",
        "`` X \\` X ` X",
        "```\n*\n```\nX",
        "```xml\n*\n``\n*\n````  \nX",
        "~~~\n*\n```\n*\n~~~\nX",
        "~~~ a`*`\n*\n~~~\nX",
        "~~X~~ X",
        "   ```\n*\n   ```\nX",
        "``` *\n*\n```\nX",
        "```*``` X",
        "``` sh X ` X\nX",
        "a ``` *\n``` X ` X",
        "a ` *\n``` * ` X",
        "x ```\nX",
        "aaa\nX",
        "```\n*\n``` x\n*\n```\nX",
        "```\n    ```\n*",
        "```\n* \\```\n*\n```\\\n*",
    ] {
        let text = expected.replace(['*', 'X'], "X");
        assert_eq!(marks(&text), expected);
        assert_eq!(Some(read(&text).0), judge(&text), "{text}");
    }
}

#[test]
fn fences_in_lists_and_quotes() {
    for expected in [
        "- ```\n  *\n  ```\n  X",
        "- ```\n  *\nX",
        "- a\n\n  ```\n  *\nX\n```\n*",
        "> ```\n> *\n> ```\n> X",
        "> ```\n> *\nX",
        "> ```\n> *\n\nX",
        "1. ```\n   *\n\n   *\n   ```\n   X",
        "10) ```\n    *\n    ```\nX",
        "- - ```\n    *\n  X",
        "- > ```\n  > *\n  X",
        "> - ```\n>   *\n> X",
        "* ```\n  *\n* X",
        "+\t```\n\t*\n\t```\n\tX",
        "-\n  ```\n  *\n  ```\n  X",
        "-\n\n  ```\n*\n  ```\nX",
        "- a\n  - b\n    ```\n    *\n    ```\n    X\n  X",
        "> a\n```\n*\n```\nX",
        "- - -\n  ```\n*\n  ```\nX",
        "-X",
        "1.X",
        "```\r\n*\r\n```\r\nX",
        "a ` X\r\n\r\nX ` X",
    ] {
        let text = expected.replace("* ```", "+ ```").replace("* X", "+ X").replace('*', "X");
        let expected = expected.replace("* ```", "+ ```").replace("* X", "+ X");
        assert_eq!(marks(&text), expected);
        assert_eq!(Some(read(&text).0), judge(&text), "{text}");
    }
}

/// Where `CommonMark` sees indented code, which models don't mean.
#[test]
fn fences_after_any_white_space() {
    for expected in [
        "      ```\n      *\n      ```\n      X",
        "\t```\n\t*\n\t```\nX",
        "      ```\n*\n```\nX",
        "a\n      ```\n      *\n      ```\nX",
        "      - ```\n        *\n        ```\nX",
        "      > ```\n      > *\n      X",
        "-      ```\n       *\n       ```\nX",
        "    X",
    ] {
        assert_eq!(marks(&expected.replace('*', "X")), expected);
    }
}

#[test]
fn inline_code_has_a_longest_length() {
    for c in ["a", "é", "🙂"] {
        let fill = |units: usize| c.repeat(units / c.encode_utf16().count());
        for (units, expected) in [(1_022, '*'), (1_024, 'X')] {
            let text = format!("a `X{}` X", fill(units));
            assert_eq!(marks(&text), format!("a `{expected}{}` X", fill(units)));
        }
        let text = format!("a `{}X{}", fill(1_000), fill(3_000));
        let (is_code, longest) = read(&text);
        assert_eq!((is_code, longest), (vec![false], 23 + usize::from(c == "a")));
        let text = format!("```{}X{}\nX", fill(1_000), fill(3_000));
        assert_eq!(read(&text).0, [false, false]);
    }
}

#[test]
fn no_run_of_backticks_is_read_often() {
    let runs: String = (1..30).rev().map(|length| format!("{}X", "`".repeat(length))).collect();
    assert!(read(&runs.repeat(4)).0.contains(&true));
    let deep = format!("{}X\n{}X", "> ".repeat(40), "- ".repeat(300));
    assert_eq!(read(&deep).0, [false, false]);
    let wide = format!("{}- ```\n{}X", " ".repeat(70_000), " ".repeat(70_002));
    assert_eq!(read(&wide).0, [true]);
}

#[test]
fn the_rest_of_a_line_does_not_change_the_next_one() {
    let marks = ["a", " ", "`", "``", "```", "~~~", "\n", "x`y", "- ", "-", "> ", "1. ", "# ", "="];
    for first in marks {
        for second in marks {
            for third in marks {
                let mut code = Code::START;
                let text = [first, second, third].concat();
                for (at, byte) in text.bytes().enumerate() {
                    if code.is_within_line() && byte != b'\n' {
                        let skipped = text.get(at..).unwrap_or_default().find('\n').map(|line| at + line);
                        let next = |mut code: Code, from: usize| {
                            text.bytes().skip(from).chain(*b"X\n```\n").for_each(|byte| code.step(byte));
                            (code.is_line_start(), code.standing() == Standing::Code)
                        };
                        if let Some(line) = skipped {
                            assert_eq!(next(code, at), next(code, line), "{text:?} {at}");
                        }
                    }
                    assert!(!(code.is_line_start() && code.is_within_line()));
                    code.step(byte);
                }
            }
        }
    }
}

#[test]
fn no_fence_begins_after_a_segment() {
    let mut code = Code::START;
    code.pass_segment();
    for byte in *b"```\n" {
        code.step(byte);
    }
    assert_eq!(code.standing(), Standing::Open);
    code.step(b'\n');
    assert_eq!(code.standing(), Standing::Plain);
}

#[test]
fn a_segment_in_a_fence_does_not_end_it() {
    let mut code = Code::START;
    b"```\n".iter().for_each(|&byte| code.step(byte));
    code.pass_segment();
    b"\n".iter().for_each(|&byte| code.step(byte));
    assert_eq!(code.standing(), Standing::Code);
    b"```\n".iter().for_each(|&byte| code.step(byte));
    assert_eq!(code.standing(), Standing::Plain);
}

/// Lines of what decides about code, indented no further than `CommonMark` lets markers be.
fn document() -> impl Strategy<Value = String> {
    let start = prop::sample::select(vec!["", "", "", " ", "  ", "   "]);
    let marker = prop::sample::select(vec!["> ", ">", "- ", "* ", "+ ", "1. ", "2) ", "# ", "## ", "-\t"]);
    let word = prop::sample::select(vec![
        "X", "X", "X", "`", "`", "``", "```", "````", "~~~", "~~~~", "a", "a ", " ", "\\", "\\\\", "-", "=", "#", "é🙂",
    ]);
    let line = prop_oneof![
        1 => Just(String::new()),
        1 => prop::sample::select(vec!["```", "~~~", "````", "---", "===", "***", "- - -", "-", "#", "```X", "> ```"]).prop_map(String::from),
        6 => (start, prop::collection::vec(marker, 0..3), prop::collection::vec(word, 0..8))
            .prop_map(|(start, markers, words)| format!("{start}{}{}", markers.concat(), words.concat())),
    ];
    let end = prop::sample::select(vec!["\n", "\n", "\n", "\r\n"]);
    prop::collection::vec((line, end), 1..9)
        .prop_map(|lines| lines.iter().flat_map(|(line, end)| [line.as_str(), end]).collect())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 4_000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn code_is_where_another_reader_finds_it(text in document()) {
        if let Some(expected) = judge(&text).filter(|_| !may_be_indented(&text)) {
            prop_assert_eq!(read(&text).0, expected, "{:?}", text);
        }
    }

}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn no_more_is_held_than_inline_code_may_have(text in prop::collection::vec(document(), 1..300)) {
        prop_assert!(read(&text.concat()).1 <= 2 * super::spans::LONGEST_SPAN as usize);
    }
}
