//! Each rule of `json/tolerance.rs`: what it allows, what is read then, and
//! that nothing else allows it.

use crate::reader::{read_cut, read_whole};
use crate::value::Value;
use tokenweir::json::{Rule, Rules};

/// The rule, a text that needs it and nothing else, and what the text says in
/// JSON (or JSON5, where JSON has no word for it).
const ROWS: [(Rule, &str, &str); 91] = [
    (Rule::Comment, "[1] // and no line after it", "[1]"),
    (Rule::Comment, "// a\n[1, // b\r 2 // c\u{2028}, 3 // d\u{2029}]", "[1,2,3]"),
    (Rule::Comment, "/* a */{/**/\"a\"/***/:/* * / */1/*\n*/}/*/*/", r#"{"a":1}"#),
    (Rule::Comment, "[1/**/,2//\n]", "[1,2]"),
    (Rule::TrailingComma, "[1,]", "[1]"),
    (Rule::TrailingComma, "[[1 , ] , ]", "[[1]]"),
    (Rule::TrailingComma, "{\"a\":1,}", r#"{"a":1}"#),
    (Rule::SingleQuotes, "'a\"b'", r#""a\"b""#),
    (Rule::SingleQuotes, "['', '水\\n\\u0027']", r#"["","水\n'"]"#),
    (Rule::SingleQuotes, "{'a':1}", r#"{"a":1}"#),
    (Rule::SingleQuotes, r"'it\'s \n'", r#""it's \n""#),
    (Rule::UnquotedKey, "{a:1}", r#"{"a":1}"#),
    (Rule::UnquotedKey, "{$_1 :1,true:2,é水:3}", r#"{"$_1":1,"true":2,"é水":3}"#),
    (Rule::UnquotedKey, "{\\u0061b\\u0063:1}", r#"{"abc":1}"#),
    (Rule::UnquotedKey, "{a🙂:1}", r#"{"a🙂":1}"#),
    (Rule::HexNumber, "[0xFF, 0X1e5]", "[255,485]"),
    (Rule::HexNumber, "-0x10", "-16"),
    (Rule::HexNumber, "0x20000000000001", "9007199254740992"),
    (Rule::PlusSign, "[+1, +1.5e+3]", "[1,1500]"),
    (Rule::PlusSign, "+0", "0"),
    (Rule::BarePoint, "[.5, 5., -.5, -5.]", "[0.5,5,-0.5,-5]"),
    (Rule::BarePoint, "[5.e3, .5e3]", "[5000,500]"),
    (Rule::BarePoint, "{\"a\":5.}", r#"{"a":5}"#),
    (Rule::NonFinite, "NaN", "NaN"),
    (Rule::NonFinite, "[Infinity, -Infinity, -NaN]", "[Infinity,-Infinity,NaN]"),
    (Rule::LineContinuation, "\"a\\\nb\\\r\nc\\\rd\\\u{2028}e\\\u{2029}\"", r#""abcde""#),
    (Rule::LineContinuation, "\"\\\n\"", r#""""#),
    (Rule::LineContinuation, "{\"a\\\nb\":1}", r#"{"ab":1}"#),
    (Rule::Json5Escape, r#""\x41\xe9\v\0\'\q\水\🙂\ ""#, r#""Aé\u000b\u0000'q水🙂 ""#),
    (Rule::Json5Escape, r#""\01""#, r#""\u00001""#),
    (Rule::Json5Escape, r#"{"\x61":1}"#, r#"{"a":1}"#),
    (Rule::Json5Whitespace, "\u{feff}[\u{b}1\u{c},\u{a0}2\u{2028}]", "[1,2]"),
    (Rule::Json5Whitespace, "[1]\u{3000}\u{1680}\u{2000}\u{200a}\u{202f}\u{205f}\u{2029}", "[1]"),
    (Rule::RawControl, "\"a\nb\r\n\tc\"", r#""a\nb\r\n\tc""#),
    (Rule::RawControl, "\"\u{0}\u{1}\u{1f}\"", r#""\u0000\u0001\u001f""#),
    (Rule::RawControl, "{\"a\nb\":1}", r#"{"a\nb":1}"#),
    (
        Rule::RawControl,
        "\"plain text of some length\nand more of it\"",
        r#""plain text of some length\nand more of it""#,
    ),
    (Rule::PythonWord, "[True, False, None]", "[true,false,null]"),
    (Rule::PythonWord, "None", "null"),
    (Rule::PythonWord, "{\"a\":True}", r#"{"a":true}"#),
    (Rule::TripleQuotes, r#""""""""#, r#""""#),
    (Rule::TripleQuotes, r#""""a"b""c\n""""#, r#""a\"b\"\"c\\n""#),
    (Rule::TripleQuotes, "[\"\"\"a\nb\t\"\"\", 1]", r#"["a\nb\t",1]"#),
    (Rule::TripleQuotes, "{\"a\":\"\"\"🙂\"\"\"}", r#"{"a":"🙂"}"#),
    (Rule::MissingComma, "[1 2]", "[1,2]"),
    (Rule::MissingComma, "[1\"a\"[2]{}true null-3]", r#"[1,"a",[2],{},true,null,-3]"#),
    (Rule::MissingComma, "[{} {}]", "[{},{}]"),
    (Rule::MissingComma, "{\"a\":1 \"b\":2\n\"c\":\"\" \"d\":{}\"e\":3}", r#"{"a":1,"b":2,"c":"","d":{},"e":3}"#),
    (Rule::MissingComma, "[true false]", "[true,false]"),
    (Rule::MissingComma, "[truefalse]", "[true,false]"),
    (Rule::MissingComma, "[\"a\"1]", r#"["a",1]"#),
    (Rule::DoubledComma, "[1,,2]", "[1,2]"),
    (Rule::DoubledComma, "[1, , ,2]", "[1,2]"),
    (Rule::DoubledComma, "[,1]", "[1]"),
    (Rule::DoubledComma, "{\"a\":1,,\"b\":2}", r#"{"a":1,"b":2}"#),
    (Rule::DoubledComma, "{,\"a\":1}", r#"{"a":1}"#),
    (Rule::StrayCloser, "{\"a\":1]}", r#"{"a":1}"#),
    (Rule::StrayCloser, "[1}]", "[1]"),
    (Rule::StrayCloser, "[}1}}]", "[1]"),
    (Rule::StrayCloser, "{]\"a\"]:]1]}", r#"{"a":1}"#),
    (Rule::StrayCloser, "[1,}2]", "[1,2]"),
    (Rule::WrongCloser, "{\"a\":[1,2,3}}", r#"{"a":[1,2,3]}"#),
    (Rule::WrongCloser, "[{\"a\":1]]", r#"[{"a":1}]"#),
    (Rule::SmartQuotes, "{“a”: “b \"c\" \\n”}", r#"{"a":"b \"c\" \n"}"#),
    (Rule::SmartQuotes, "[”a“, “”]", r#"["a",""]"#),
    (Rule::UnescapedQuote, r#"["a"b"]"#, r#"["a\"b"]"#),
    (Rule::UnescapedQuote, r#"{"a": "say "hi" now", "b":1}"#, r#"{"a":"say \"hi\" now","b":1}"#),
    (Rule::UnescapedQuote, r#"["say "hi"", ["é" + "🙂"]]"#, r#"["say \"hi\"",["é\" + \"🙂"]]"#),
    (Rule::UnescapedQuote, r#"{"a": "", "b": ""hi" he said, "no""}"#, r#"{"a":"","b":"\"hi\" he said, \"no\""}"#),
    (Rule::UnescapedQuote, "[\"\"a\" b\",\t\"c\"]", r#"["\"a\" b","c"]"#),
    (Rule::SmartQuotes, "“say \\”hi\\””", r#""say ”hi”""#),
    (
        Rule::KeptEscape,
        r#""\d C:\Users \x41 \v \0 \033 \' \水 \🙂""#,
        r#""\\d C:\\Users \\x41 \\v \\0 \\033 \\' \\水 \\🙂""#,
    ),
    (Rule::KeptEscape, r#"["\u", "\u1", "\u12g4", "\u{41}"]"#, r#"["\\u","\\u1","\\u12g4","\\u{41}"]"#),
    (Rule::KeptEscape, r#"{"\q":1}"#, r#"{"\\q":1}"#),
    (Rule::KeptEscape, "\"a\\\u{2028}b\"", r#""a\\\u2028b""#),
    (Rule::LoneWord, r#"{"a":Some_Tool, "b":[x, y-1.5+z ,é]}"#, r#"{"a":"Some_Tool","b":["x","y-1.5+z","é"]}"#),
    (Rule::LoneWord, "[[tru,nul\n], {\"a\":trup \t, \"b\":Nope\r\n}]", r#"[["tru","nul"],{"a":"trup","b":"Nope"}]"#),
    (Rule::LoneWord, "[N, Inf, _, $a]", r#"["N","Inf","_","$a"]"#),
    (Rule::LoneWord, "{\"a\":undefine,\"b\":u}", r#"{"a":"undefine","b":"u"}"#),
    // What looks like one tolerated error and is another.
    (Rule::SingleQuotes, "'\"\"\"'", r#""\"\"\"""#),
    (Rule::Comment, "[1,/*,*/2]", "[1,2]"),
    (Rule::Comment, "//[2]\n[1]", "[1]"),
    (Rule::Json5Whitespace, "\u{feff}1", "1"),
    (Rule::UnquotedKey, "{NaN:1,Infinity:2,None:3}", r#"{"NaN":1,"Infinity":2,"None":3}"#),
    (Rule::UnquotedKey, "{e5:1}", r#"{"e5":1}"#),
    (Rule::LineContinuation, "\"\\\r\\\n\"", r#""""#),
    (Rule::RawControl, "\"\u{b}\"", r#""\u000b""#),
    (Rule::TripleQuotes, "\"\"\"\\\"\"\"", r#""\\""#),
    (Rule::NonFinite, "{\"a\":NaN}", "{\"a\":NaN}"),
    (Rule::PlusSign, "{\"a\":+1}", "{\"a\":1}"),
    (Rule::DoubledComma, "[,,1]", "[1]"),
];

#[test]
fn each_rule_allows_its_texts_and_no_other_rule_does() {
    for (rule, text, expected) in ROWS {
        let expected: Value = json5::from_str(expected).unwrap();
        let name = format!("{}: {text:?}", rule.name());
        let alone = Rules::STRICT.with(rule);
        let all = if Rules::LENIENT.has(rule) { Rules::LENIENT } else { Rules::JSON5 };
        let all_others = Rules::LENIENT.without(rule);
        for rules in [alone, all] {
            let reading = read_cut(text, rules, 512);
            assert!(reading.is_accepted(), "{name}: {reading:?}");
            assert_eq!(reading.value.as_ref(), Some(&expected), "{name}");
            assert_eq!(reading.used, alone, "{name}");
        }
        assert!(read_cut(text, Rules::STRICT, 512).has_fault(), "{name} is not a fault in strict JSON");
        // Three strings and two missing commas, for example, aren't a text in triple quotes.
        let other = read_cut(text, all_others, 512);
        assert!(!other.is_accepted() || other.value != Some(expected), "{name} is read without the rule");
        // What stays for a program often has another meaning in JSON5.
        let is_json5 = Rules::JSON5.has(rule);
        assert!(rule == Rule::KeptEscape || read_whole(text, Rules::JSON5).is_accepted() == is_json5, "{name}");
    }
}

#[test]
fn every_rule_has_a_row() {
    for rule in Rules::LENIENT.iter().chain(Rules::JSON5.iter()) {
        assert!(ROWS.iter().filter(|(known, ..)| *known == rule).count() >= 2, "{}", rule.name());
    }
}

/// What robust JSON reads besides.
#[test]
fn robust_json_reads_words_and_leading_zeros() {
    for (text, expected) in [
        ("hello", r#""hello""#),
        ("{a:b-c.d}", r#"{"a":"b-c.d"}"#),
        ("[True, NaN, +1, .5, -, -x, tru, nope, fals/e]", r#"["True","NaN","+1",".5","-","-x","tru","nope","fals/e"]"#),
        ("{a-b:1, $c : yes}", r#"{"a-b":1,"$c":"yes"}"#),
        ("{a:01, b:-007.5}", r#"{"a":1,"b":-7.5}"#),
        (r"{a:b\n}", r#"{"a":"b\\n"}"#),
        ("// c\n{'a' : [x,],}", r#"{"a":["x"]}"#),
        ("{a:/x/, b:c//d\n}", r#"{"a":"/x/","b":"c//d"}"#),
        ("[1//x\n,a/*x*/]", r#"[1,"a/*x*/"]"#),
    ] {
        let reading = read_cut(text, Rules::RELAXED, 512);
        assert!(reading.is_accepted(), "{text}: {reading:?}");
        assert_eq!(reading.value, Some(json5::from_str(expected).unwrap()), "{text}");
    }
    for text in [
        "{a:hello world}",
        "{a:http://x}",
        "{a:0x10}",
        "{a:1.}",
        "{a:truely}",
        "{1:2}",
        "{a:日}",
        "123abc",
        "[1,,2]",
        "[1 2]",
        "`x`",
    ] {
        assert!(!read_cut(text, Rules::RELAXED, 512).is_accepted(), "{text}");
    }
}

/// `"a\d"` and `"a\` at a line's end, where a program reads them: nothing is dropped.
#[test]
fn a_line_s_end_after_a_backslash_stays_too() {
    let reading = read_cut("\"docker run \\\n  -v a\"", Rules::LENIENT, 512);
    assert_eq!(reading.value, Some(json5::from_str(r#""docker run \\\n  -v a""#).unwrap()));
    assert_eq!(reading.used, Rules::KEPT.with(Rule::RawControl));
}

#[test]
fn python_s_strings_follow_python() {
    for (text, expected) in [
        (r"'grep \d+ \/ \. \8'", r#""grep \\d+ \\/ \\. \\8""#),
        (r"'\033[0m\x1b\0\7\101\1012\12a\08'", r#""\u001b[0m\u001b\u0000\u0007AA2\na\u00008""#),
        (r#""\a\b\f\n\r\t\v\'\"\\""#, r#""\u0007\b\f\n\r\t\u000b'\"\\""#),
        (r"'\u00e9\U0001F642\ud83d\ude42'", r#""é🙂🙂""#),
        ("'a\\\nb\\\r\nc'", r#""abc""#),
        (r"'''it's \d\n'''", r#""it's \\d\n""#),
        ("\"\"\"a\"b\\x41\"\"\"", r#""a\"bA""#),
        ("['', '''''', 'a']", r#"["","","a"]"#),
        // Errors in Python.
        (r"'C:\Users \x4 \u12 \N{DASH} \UFFFFFFFF'", r#""C:\\Users \\x4 \\u12 \\N{DASH} \\UFFFFFFFF""#),
    ] {
        let reading = read_cut(text, Rules::PYTHON.with(Rule::KeptEscape), 512);
        assert!(reading.is_accepted(), "{text}: {reading:?}");
        assert_eq!(reading.value, Some(json5::from_str(expected).unwrap()), "{text}");
        assert_eq!(reading.used.has(Rule::KeptEscape), text.contains("Users"), "{text}");
    }
    assert!(read_cut(r"'\N{DASH}'", Rules::PYTHON, 512).has_fault());
}

/// A rule that is not allowed is not what something was read by.
#[test]
fn a_key_without_quotes_is_read_by_the_rule_that_is_allowed() {
    let words = Rules::STRICT.with(Rule::BareWord);
    for (rules, used) in [(words, Rule::BareWord), (words.with(Rule::UnquotedKey), Rule::UnquotedKey)] {
        let reading = read_cut("{a:1}", rules, 512);
        assert!(reading.is_accepted(), "{reading:?}");
        assert_eq!(reading.used, Rules::STRICT.with(used));
    }
}

#[test]
fn rules_come_together() {
    let text = "{a: 'it's', // one\n 'b': [+.5, 0xF,, -Infinity,], c: True \"d\": \"\"\"x\"\"\"], \"e\": [“f”}}";
    let expected = r#"{"a":"it's","b":[0.5,15,-Infinity],"c":true,"d":"x","e":["f"]}"#;
    let reading = read_cut(text, Rules::LENIENT, 512);
    assert!(reading.is_accepted(), "{reading:?}");
    assert_eq!(reading.value, Some(json5::from_str(expected).unwrap()));
    let names: Vec<&str> = reading.used.iter().map(Rule::name).collect();
    let expected = "comment trailing-comma single-quotes unquoted-key hex-number plus-sign bare-point non-finite \
        python-word triple-quotes missing-comma doubled-comma stray-closer unescaped-quote wrong-closer smart-quotes";
    assert_eq!(names.join(" "), expected);
}
