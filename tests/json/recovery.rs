//! Text that can't be read: where the fault is, and where reading goes on.

use crate::reader::{Part, Reading, read, read_cut};
use tokenweir::json::{Fault, Kind, LONGEST_NUMBER, Literal, Rule, Rules, Tokenizer};
use tokenweir::text::Stretch;

/// A text, and its tokens as `Reading::render` writes them: a fault that ends
/// something is `<Fault a..b>`, one inside of a text stands after all tokens
/// as `(Fault a..b)`, and `…` is after what was cut.
type Row = (&'static str, &'static str);

const STRICT: [Row; 71] = [
    // No value, and more than one.
    ("", ""),
    ("}", "<Unexpected 0..1>"),
    ("]", "<Unexpected 0..1>"),
    (",", "<Unexpected 0..1>"),
    (":", "<Unexpected 0..1>"),
    ("1,", "1 <Unexpected 1..2>"),
    ("1 2", "1 <Unexpected 2..3>"),
    ("{}}", "{ } <Unexpected 2..3>"),
    ("{} x\ny", "{ } <Unexpected 3..4> <Unexpected 5..6>"),
    ("[1}", "[ 1 <Unexpected 2..3>"),
    ("[1}]", "[ 1 <Unexpected 2..3> ]"),
    (r#"{"a":1]"#, r#"{ "a": 1 <Unexpected 6..7>"#),
    (r#"{"a":1],"b":2}"#, r#"{ "a": 1 <Unexpected 6..7> "b": 2 }"#),
    // Commas.
    ("[1,]", "[ 1 <Unexpected 3..3> ]"),
    ("[,1]", "[ <Unexpected 1..1> 1 ]"),
    ("[1,,2]", "[ 1 <Unexpected 3..3> 2 ]"),
    (r#"{"a":1,}"#, r#"{ "a": 1 <Unexpected 7..7> }"#),
    (r#"{,"a":1}"#, r#"{ <Unexpected 1..1> "a": 1 }"#),
    ("[1 2]", "[ 1 <Unexpected 3..4> ]"),
    // Numbers.
    ("[01]", "[ <Unexpected 1..3> ]"),
    ("[1.]", "[ <Unexpected 1..3> ]"),
    ("[.5]", "[ <Unexpected 1..3> ]"),
    ("[+1]", "[ <Unexpected 1..3> ]"),
    ("[0x1]", "[ <Unexpected 1..4> ]"),
    ("[1e]", "[ <Unexpected 1..3> ]"),
    ("[-]", "[ <Unexpected 1..2> ]"),
    ("[- 1]", "[ <Unexpected 1..4> ]"),
    // Words, quotes, comments.
    ("[NaN]", "[ <Unexpected 1..4> ]"),
    ("[tru]", "[ <Unexpected 1..4> ]"),
    ("[truex]", "[ true <Unexpected 5..6> ]"),
    ("[True,1]", "[ <Unexpected 1..5> 1 ]"),
    ("['a',1]", "[ <Unexpected 1..4> 1 ]"),
    ("[1 // c\n]", "[ 1 <Unexpected 3..7> ]"),
    ("[1 /* c */]", "[ 1 <Unexpected 3..10> ]"),
    // Names and values.
    (r#"{a:1,"b":2}"#, r#"{ <Unexpected 1..4> "b": 2 }"#),
    (r#"{"a"}"#, r#"{ "a": <MissingValue 4..4> }"#),
    (r#"{"a","b":1}"#, r#"{ "a": <MissingValue 4..4> "b": 1 }"#),
    (r#"{"a":}"#, r#"{ "a": <MissingValue 5..5> }"#),
    (r#"{"a":,"b":1}"#, r#"{ "a": <MissingValue 5..5> "b": 1 }"#),
    (r#"{"a" 1,"b":2}"#, r#"{ "a": <Unexpected 5..6> "b": 2 }"#),
    (r#"{"a":1 "b":2,"c":3}"#, r#"{ "a": 1 <Unexpected 7..12> "c": 3 }"#),
    (r#"{"a"::1}"#, r#"{ "a": <Unexpected 5..7> }"#),
    ("{:1}", "{ <Unexpected 1..3> }"),
    ("{1:2}", "{ <Unexpected 1..4> }"),
    (r#"{"a":"""x"""}"#, r#"{ "a": "" <Unexpected 7..12> }"#),
    // Inside of texts, which go on.
    ("[\"a\tb\"]", r#"[ "a\tb" ] (RawControl 3..4)"#),
    ("[\"a\\\nb\"]", r#"[ "a\\\nb" ] (BadEscape 3..4) (RawControl 4..5)"#),
    (r#"["\x41"]"#, r#"[ "\\x41" ] (BadEscape 2..3)"#),
    (r#"["\u12"]"#, r#"[ "\\u12" ] (BadEscape 2..6)"#),
    (r#"["\u12G4"]"#, r#"[ "\\u12G4" ] (BadEscape 2..6)"#),
    (r#"["\ud83d\u12"]"#, r#"[ "\ud83d\\u12" ] (BadEscape 8..12)"#),
    (r#"["\ud83d\n"]"#, r#"[ "\ud83d\n" ]"#),
    (r#"["\ud83d\uec00"]"#, r#"[ "\ud83d\u{ec00}" ]"#),
    (r#"["\ud83d\udbff\udc00"]"#, r#"[ "\ud83d\u{10fc00}" ]"#),
    (r#"["\1"]"#, r#"[ "\\1" ] (BadEscape 2..3)"#),
    (r#"["\'"]"#, r#"[ "\\\'" ] (BadEscape 2..3)"#),
    (r#"{"\q":1}"#, r#"{ "\\q": 1 } (BadEscape 2..3)"#),
    ("{\"a\nb\":1}", r#"{ "a\nb": 1 } (RawControl 3..4)"#),
    // Not white space.
    ("[\u{a0}1]", "[ <Unexpected 1..3> ]"),
    ("\u{feff}[]", "<Unexpected 0..3>"),
    // What is passed over: up to a comma, a closing bracket or a line's end.
    ("[#,1]", "[ <Unexpected 1..2> 1 ]"),
    ("[#[1,2],3]", "[ <Unexpected 1..7> 3 ]"),
    (r#"[#{"a":1}x,3]"#, "[ <Unexpected 1..10> 3 ]"),
    (r#"[# "a,b", 1]"#, "[ <Unexpected 1..5> <Unexpected 6..8> 1 ]"),
    ("[#\n1]", "[ <Unexpected 1..2> <Unexpected 3..4> ]"),
    ("[#\n,1]", "[ <Unexpected 1..2> 1 ]"),
    ("{\"a\":#\n\"b\":2}", r#"{ "a": <Unexpected 5..6> <Unexpected 7..12> }"#),
    ("[1,#", "[ 1 <Unexpected 3..4>"),
    ("[é,🙂,1]", "[ <Unexpected 1..2> <Unexpected 3..5> 1 ]"),
    ("[2024-01-01,1]", "[ <Unexpected 1..11> 1 ]"),
    ("[1.2.3]", "[ <Unexpected 1..6> ]"),
];

/// With every rule.
const LENIENT: [Row; 60] = [
    // No value, and more than one.
    ("}", "<Unexpected 0..1>"),
    ("]1", "<Unexpected 0..2>"),
    (",", "<Unexpected 0..1>"),
    ("1,", "1 <Unexpected 1..2>"),
    ("1 2", "1 <Unexpected 2..3>"),
    ("{}}", "{ } <Unexpected 2..3>"),
    ("[]]", "[ ] <Unexpected 2..3>"),
    // Names and values.
    ("[1 @ 2, 3]", "[ 1 <Unexpected 3..6> 3 ]"),
    (r#"{"a": @, "b":2}"#, r#"{ "a": <Unexpected 6..7> "b": 2 }"#),
    (r#"{"a": @}, "b":2}"#, r#"{ "a": <Unexpected 6..7> } <Unexpected 8..16>"#),
    (r#"{"a": @]}"#, r#"{ "a": <Unexpected 6..7> }"#),
    ("{a b:1}", r#"{ "a": <Unexpected 3..6> }"#),
    ("{a:}", r#"{ "a": <MissingValue 3..3> }"#),
    ("{a:,b:1}", r#"{ "a": <MissingValue 3..3> "b": 1 }"#),
    ("{a,b:1}", r#"{ "a": <MissingValue 2..2> "b": 1 }"#),
    ("{a:b,c:1}", r#"{ "a": <Unexpected 3..4> "c": 1 }"#),
    ("{a:'b' c:1}", r#"{ "a": "b" "c": 1 }"#),
    ("[a]", "[ <Unexpected 1..2> ]"),
    ("[a b,1]", "[ <Unexpected 1..4> 1 ]"),
    ("{1:2,a:3}", r#"{ <Unexpected 1..4> "a": 3 }"#),
    (r#"{"a"=1,b:2}"#, r#"{ "a": <Unexpected 4..6> "b": 2 }"#),
    (r#"{"a":1:2}"#, r#"{ "a": 1 <Unexpected 6..8> }"#),
    // Almost comments, numbers, words.
    ("[1/2]", "[ 1 <Unexpected 2..4> ]"),
    ("[1 /]", "[ 1 <Unexpected 3..4> ]"),
    ("[0x]", "[ <Unexpected 1..3> ]"),
    ("[0xG,1]", "[ <Unexpected 1..4> 1 ]"),
    ("[+]", "[ <Unexpected 1..2> ]"),
    ("[+-1]", "[ <Unexpected 1..4> ]"),
    ("[.]", "[ <Unexpected 1..2> ]"),
    ("[1_000,2]", "[ <Unexpected 1..6> 2 ]"),
    ("[1e+,2]", "[ <Unexpected 1..4> 2 ]"),
    ("[-true]", "[ <Unexpected 1..6> ]"),
    ("[-I,1]", "[ <Unexpected 1..3> 1 ]"),
    ("[-Nope,1]", "[ <Unexpected 1..6> 1 ]"),
    ("[-None,1]", "[ <Unexpected 1..6> 1 ]"),
    ("[Nul,1]", "[ <Unexpected 1..4> 1 ]"),
    ("[undefined,1]", "[ <Unexpected 1..10> 1 ]"),
    ("[nan,1]", "[ <Unexpected 1..4> 1 ]"),
    // Escapes.
    (r#"["\x4"]"#, r#"[ "\\x4" ]"#),
    (r#"["\u{41}"]"#, r#"[ "\\u{41}" ]"#),
    (r#"["\1a\9"]"#, r#"[ "\\1a\\9" ]"#),
    (r"{\q:1}", r#"{ "\\q": 1 }"#),
    (r"{\u12:1}", r#"{ "\\u12": 1 }"#),
    (r"{a\u00zz:1}", r#"{ "a\\u00zz": 1 }"#),
    (r#"["\ud83d\u12"]"#, r#"[ "\ud83d\\u12" ]"#),
    (r#"["\ud83d\ud83d\ude42"]"#, r#"[ "\ud83d🙂" ]"#),
    (r#"["\ude42\ud83d"]"#, r#"[ "\ude42\ud83d" ]"#),
    (r#"["\ud83d\q"]"#, r#"[ "\ud83d\\q" ]"#),
    // What is passed over.
    ("[(1,2),3]", "[ <Unexpected 1..3> 2 <Unexpected 5..6> 3 ]"),
    ("[f(1,[2,3]),4]", "[ <Unexpected 1..4> [ 2 3 ] <Unexpected 10..11> 4 ]"),
    ("[new Date(),1]", "[ <Unexpected 1..11> 1 ]"),
    (r#"{"a": @ {"x":[1,2]} ,"b":1}"#, r#"{ "a": <Unexpected 6..20> "b": 1 }"#),
    ("[`a`,1]", "[ <Unexpected 1..4> 1 ]"),
    // No later quote ends the string.
    (r#"["a", b, 1]"#, r#"[ "a" <Unexpected 6..7> 1 ]"#),
    (r#"["a":1, 2]"#, r#"[ "a" <Unexpected 4..6> 2 ]"#),
    (r#"[1 @ "b", 1]"#, r#"[ 1 <Unexpected 3..8> 1 ]"#),
    ("[1;2]", "[ 1 <Unexpected 2..4> ]"),
    ("[1...]", "[ <Unexpected 1..5> ]"),
    ("[...]", "[ <Unexpected 1..4> ]"),
    ("[…,1]", "[ <Unexpected 1..2> 1 ]"),
];

/// Depth limit, text, tokens. A container beyond the limit is passed over whole;
/// brackets in its strings don't count.
const DEEP: [(u16, &str, &str); 16] = [
    (1, "[1]", "[ 1 ]"),
    (1, "[[1],2]", "[ <TooDeep 1..4> 2 ]"),
    (1, "[[[1]],2]", "[ <TooDeep 1..6> 2 ]"),
    (1, r#"[{"a":[1]},2]"#, "[ <TooDeep 1..10> 2 ]"),
    (1, r#"[["\"]"],2]"#, "[ <TooDeep 1..8> 2 ]"),
    (1, "[[1]x,2]", "[ <TooDeep 1..4> <Unexpected 4..5> 2 ]"),
    (1, "[[1", "[ <TooDeep 1..3>"),
    (1, r#"[["]"#, "[ <TooDeep 1..4>"),
    (1, r#"[["\"#, "[ <TooDeep 1..4>"),
    (1, "[[1}", "[ <TooDeep 1..4>"),
    (1, r#"[[🙂],"b"]"#, r#"[ <TooDeep 1..5> "b" ]"#),
    (1, "[[],[]]", "[ <TooDeep 1..3> <TooDeep 4..6> ]"),
    (0, "[[1],2]", "<TooDeep 0..7>"),
    (0, "1", "1…"),
    (0, r#"{"a":[1]}"#, "<TooDeep 0..9>"),
    (2, r#"{"a":{"b":{"c":1}},"d":2}"#, r#"{ "a": { "b": <TooDeep 10..17> } "d": 2 }"#),
];

/// What the end of the stream cuts, with every rule.
const ENDS: [Row; 24] = [
    (r#"""#, r#"""…"#),
    (r#""""#, r#""""#),
    (r#"""""#, r#"""…"#),
    (r#""""a""#, r#""a"…"#),
    (r#""""a"""#, r#""a"…"#),
    (r#"["a"#, r#"[ "a"…"#),
    (r#"["a\"#, r#"[ "a"…"#),
    (r#"["a\u00"#, r#"[ "a"…"#),
    (r#"["\ud83d"#, r#"[ ""…"#),
    (r#"["\ud83d\"#, r#"[ ""…"#),
    (r#"["\ud83d\ude4"#, r#"[ ""…"#),
    (r#"{"a"#, r#"{ "a"…:"#),
    (r#"{"a""#, r#"{ "a":"#),
    (r#"{"a":"#, r#"{ "a":"#),
    ("{a", r#"{ "a"…:"#),
    ("{", "{"),
    ("[1,", "[ 1"),
    ("[\"a\\\r", r#"[ "a\\\r"…"#),
    ("[1 /", "[ 1"),
    ("[1 /* a", "[ 1"),
    ("[@", "[ <Unexpected 1..2>"),
    ("[1 @ x", "[ 1 <Unexpected 3..6>"),
    ("'a", r#""a"…"#),
    ("{'a", r#"{ "a"…:"#),
];

/// What is no JSON is a word here, and words that are strings have their own test.
const WITHOUT_WORDS: Rules = Rules::LENIENT.without(Rule::LoneWord);

fn check(text: &str, expected: &str, rules: Rules, max_depth: u16) {
    let reading = read_cut(text, rules, max_depth);
    assert_eq!(reading.render(text), expected, "{text:?} with {rules:?}: {reading:?}");
}

#[test]
fn strict_faults() {
    for (text, expected) in STRICT {
        check(text, expected, Rules::STRICT, 512);
    }
}

#[test]
fn lenient_faults() {
    for (text, expected) in LENIENT {
        check(text, expected, WITHOUT_WORDS, 512);
    }
}

#[test]
fn a_value_may_stand_without_its_name() {
    check("{:1,\"a\":2,:[3]}", "{ 1 \"a\": 2 [ 3 ] }", Rules::TOLERANT, 512);
}

#[test]
fn nesting_beyond_the_limit() {
    for (depth, text, expected) in DEEP {
        check(text, expected, WITHOUT_WORDS, depth);
    }
}

#[test]
fn texts_that_are_cut() {
    for (text, expected) in ENDS {
        check(text, expected, WITHOUT_WORDS, 512);
    }
}

/// Half a surrogate pair at the end waits for its other half, and comes alone if there is no other.
#[test]
fn half_a_pair_at_the_end_is_emitted() {
    let mut units: Vec<u16> = "[\"a".encode_utf16().collect();
    units.push(0xD83D);
    for cuts in [&[][..], &[3], &[1, 2, 3]] {
        let reading = read(&units, cuts, Rules::STRICT, 512);
        let Some((Part::Text { text, is_whole: false, .. }, at)) = reading.parts.last() else {
            panic!("{reading:?}");
        };
        assert_eq!((&text.0[..], at.clone()), (&[0x61, 0xD83D][..], 2..4));
    }
}

#[test]
fn half_a_pair_is_open_while_its_other_half_may_follow() {
    for (text, half) in [
        (r#"["a\ud83d"#, Some(0xD83D)),
        (r#"["a\ud83d\ude"#, Some(0xD83D)),
        (r#"["a\ud83d\ude42"#, None),
        (r#"["a\ud83d\n"#, None),
        (r#"["a"#, None),
        ("[1", None),
    ] {
        let mut json = Tokenizer::new(Rules::STRICT, 512);
        let mut stretch = Stretch::new(text.as_bytes(), 0, true);
        while json.next(&mut stretch).is_some() {}
        json.rest(&mut stretch);
        assert_eq!(json.open_half(), half, "{text}");
    }
}

#[test]
fn a_quote_that_ends_nothing_is_reported_where_it_is() {
    let mut json = Tokenizer::new(Rules::CALL, 512);
    let mut stretch = Stretch::new(br#"{"a":"x"y","b":1}"#, 0, true);
    let tokens: Vec<_> = std::iter::from_fn(|| json.next(&mut stretch)).collect();
    let quotes = tokens.iter().filter(|token| token.kind == Kind::Fault(Fault::Quote));
    assert_eq!(quotes.map(|token| (token.start, token.end)).collect::<Vec<_>>(), [(7, 8)]);
}

#[test]
fn numbers_may_be_long_but_not_without_end() {
    let longest = LONGEST_NUMBER as usize;
    for (front, rules) in [("", Rules::STRICT), ("-0.", Rules::STRICT), ("1e", Rules::STRICT)] {
        for (length, is_fault) in [(longest - 1, false), (longest, false), (longest + 1, true), (3 * longest, true)] {
            let number = format!("{front}{}", "1".repeat(length - front.len()));
            let text = format!("[{number}, 2]");
            let units: Vec<u16> = text.encode_utf16().collect();
            let whole = read(&units, &[], rules, 512);
            let expected = if is_fault { Part::Fault(Fault::TooLong) } else { Part::Number };
            assert_eq!(whole.parts[1], (expected, 1..1 + length), "{front}… of {length}");
            assert_eq!(whole.parts[2], (Part::Number, length + 3..length + 4));
            for size in [1, 7, 1_000, longest, longest + 1] {
                let cuts: Vec<usize> = (size..units.len()).step_by(size).collect();
                assert_eq!(read(&units, &cuts, rules, 512), whole, "{front}… of {length} in chunks of {size}");
            }
        }
    }
    // At the end of the stream it is a fault as well.
    let units: Vec<u16> = "1".repeat(longest + 1).encode_utf16().collect();
    let reading = read(&units, &[9, 99], Rules::STRICT, 512);
    assert_eq!(reading.parts, [(Part::Fault(Fault::TooLong), 0..longest + 1)]);
}

/// The last token at the end of every front of a text in an array.
fn front_ends(text: &str, rules: Rules) -> Vec<(String, Reading)> {
    let fronts = (1..=text.len()).map(|end| &text[..end]);
    fronts.map(|front| (front.to_owned(), read_cut(&format!("[{front}"), rules, 512))).collect()
}

/// A number that is cut off is what there is of it, if that is one. After a point more digits may come.
#[test]
fn cut_numbers_are_all_there_is_or_nothing() {
    let is_json: fn(&str) -> bool = |text| serde_json::from_str::<serde::de::IgnoredAny>(text).is_ok();
    let is_json5: fn(&str) -> bool = |text| json5::from_str::<f64>(text).is_ok();
    let json = ["0", "-0", "-12.5e3", "12.50e+10", "1E-7", "0.0", "0e0", "10"];
    let json5 = ["+12.5e3", ".5", "-.5e-3", "5.", "5.e+3", "0xFF", "-0X1e", "+0", "Infinity", "-NaN"];
    let json = json.map(|number| (number, Rules::STRICT, is_json));
    for (number, rules, is_number) in json.into_iter().chain(json5.map(|number| (number, Rules::LENIENT, is_json5))) {
        for (front, reading) in front_ends(number, rules) {
            let whole = (is_number(&front) && !front.ends_with('.')).then_some(front.len());
            let found = match reading.parts.get(1) {
                Some((Part::CutNumber, at)) => Some(at.end - 1),
                // A word is whole with its last letter.
                Some((Part::Number, at)) if front == number && front.ends_with(['N', 'y']) => Some(at.end - 1),
                None => None,
                other => panic!("{front:?} gives {other:?}"),
            };
            assert_eq!(found, whole, "{front:?} of {number:?}: {reading:?}");
            assert!(!reading.has_fault() && reading.parts.len() == 1 + usize::from(found.is_some()));
            // Where all of it is a number, the text could end there.
            assert_eq!(reading.could_be_closed, is_number(&front), "{front:?}");
        }
    }
}

/// A cut word is the word that it can only become.
#[test]
fn cut_words_are_emitted_if_only_one_word_is_possible() {
    let words = [
        ("true", Rules::STRICT, 1, Literal::True),
        ("false", Rules::STRICT, 1, Literal::False),
        ("null", Rules::STRICT, 1, Literal::Null),
        ("True", Rules::LENIENT, 1, Literal::True),
        ("False", Rules::LENIENT, 1, Literal::False),
        // `N` may be `NaN`.
        ("None", Rules::LENIENT, 2, Literal::Null),
    ];
    for (word, rules, from, literal) in words {
        for (front, reading) in front_ends(word, rules) {
            let found = (front.len() >= from).then(|| (Part::Word(literal), 1..1 + front.len()));
            assert_eq!(reading.parts.get(1), found.as_ref(), "{front:?}");
            assert!(!reading.has_fault());
            assert_eq!(reading.could_be_closed, front == word, "{front:?}");
        }
    }
}

#[test]
fn control_characters_are_faults_inside_of_texts() {
    for c in (0..0x21).chain([0x7F]).map(char::from) {
        let text = format!("[\"a{c}b\", 1]");
        let reading = read_cut(&text, Rules::STRICT, 512);
        let fault = (Fault::RawControl, 3..4);
        assert_eq!(reading.text_faults, if c < ' ' { vec![fault] } else { vec![] }, "{text:?}");
        // It stays in the text.
        let expected = format!("a{c}b");
        let is_whole =
            |part: &Part| *part == Part::Text { is_key: false, text: expected.as_str().into(), is_whole: true };
        assert!(is_whole(&reading.parts[1].0) && reading.is_whole, "{reading:?}");
    }
}

#[test]
fn comments_change_nothing_about_what_could_be_closed() {
    let fronts = [
        ("[", true),
        ("[1", true),
        ("[1,", true),
        ("{", true),
        ("{a:1", true),
        ("{a:1,", true),
        ("[1]", true),
        ("", false),
        ("{a", false),
        ("{a ", false),
        ("{a:", false),
        ("[tru", false),
    ];
    for (front, could_be_closed) in fronts {
        // A word and an unquoted name end before a comment.
        let comments =
            if front.ends_with(|c: char| c.is_ascii_alphabetic()) { &[""][..] } else { &["", "//", "/* a *", "/**/ "] };
        for comment in comments {
            let text = format!("{front}{comment}");
            assert_eq!(read_cut(&text, Rules::LENIENT, 512).could_be_closed, could_be_closed, "{text:?}");
        }
        assert!(
            !read_cut(&format!("{front}/"), Rules::LENIENT, 512).could_be_closed,
            "{front:?} and half a comment's start"
        );
    }
}

#[test]
fn both_halves_of_a_pair_are_one_character() {
    for pair in [r"\ud83d\ude42", r"\uD83D\uDE42", r"\udbff\udfff", r"\ud800\udc00"] {
        let reading = read_cut(&format!(r#"["a{pair}b"]"#), Rules::STRICT, 512);
        let Some((Part::Text { text, is_whole: true, .. }, _)) = reading.parts.get(1) else {
            panic!("{reading:?}");
        };
        assert!(!reading.has_fault() && text.0.len() == 4, "{pair}: {text:?}");
        assert!(String::from_utf16(&text.0).is_ok(), "{pair}: {text:?}");
    }
}

#[test]
fn where_no_value_follows_no_comma_is_missing() {
    for text in ["[1 @]", r#"{"a": 1 @}"#, "[1 2]", r#"{"a": 1 "b": 2}"#] {
        let reading = read_cut(text, Rules::LENIENT, 512);
        assert_eq!(reading.used.has(Rule::MissingComma), !text.contains('@'), "{text}");
    }
}

#[test]
fn robust_json_escapes_the_quote_that_a_string_is_in() {
    for (text, is_fine) in [(r"['a\'b']", true), (r#"["a\'b"]"#, false), (r#"["a\"b"]"#, true), (r"['a\q']", false)] {
        assert_eq!(!read_cut(text, Rules::RELAXED, 512).has_fault(), is_fine, "{text}");
    }
    assert!(!read_cut(r"['a\'b']", Rules::STRICT.with(Rule::SingleQuotes), 512).has_fault());
}
