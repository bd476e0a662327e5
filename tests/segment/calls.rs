//! The arguments of API calls, read as they come: against serde_json at every
//! cut, cuts inside of surrogate pairs among them.

use crate::config;
use crate::support::Random;
use proptest::prelude::*;
use serde::de::IgnoredAny;
use serde_json::{Map, Value, json};
use tokenweir::segment::{CallMachine, CallMode, CallOp};
use tokenweir::text::{Machine as _, Outcome, Record, Stretch};

const NAMES: [&str; 2] = ["path", "content"];

/// What was emitted of one call.
#[derive(Clone, Debug, Default, PartialEq)]
struct Reading {
    /// The strings that were asked for, in UTF-16 units, and whether each is whole.
    strings: [Option<(Vec<u16>, bool)>; 2],
    /// The unit after which the object is whole.
    closed: Option<usize>,
    /// The unit from which on it is invalid.
    bad: Option<usize>,
}

impl Reading {
    /// A string that is whole.
    fn string(&self, name: usize) -> Option<String> {
        let (units, is_whole) = self.strings[name].as_ref()?;
        is_whole.then(|| String::from_utf16(units).unwrap())
    }
}

/// Reads units in pieces, as the package does.
struct Reader {
    machine: CallMachine,
    held: Vec<u16>,
    /// Units before the pending ones.
    origin: usize,
    reading: Reading,
}

/// The bytes that JavaScript's side sends: UTF-8, and half a surrogate pair in three bytes.
fn encode(units: &[u16]) -> Vec<u8> {
    let mut bytes = Vec::new();
    for unit in char::decode_utf16(units.iter().copied()) {
        match unit {
            Ok(c) => bytes.extend(c.encode_utf8(&mut [0; 4]).as_bytes()),
            Err(half) => {
                let half = half.unpaired_surrogate();
                bytes.extend([0xED, 0x80 | (half >> 6 & 0x3F) as u8, 0x80 | (half & 0x3F) as u8]);
            }
        }
    }
    bytes
}

impl Reader {
    fn new(names: &[&str]) -> Reader {
        let names: Vec<_> = names.iter().map(|name| name.as_bytes()).collect();
        let machine = CallMachine::new(&names).expect("names that fit");
        Reader { machine, held: Vec::new(), origin: 0, reading: Reading::default() }
    }

    fn feed(&mut self, piece: &[u16]) {
        self.check_plain_string(piece);
        let bytes = encode(piece);
        let held = self.held.len() as u32;
        self.held.extend(piece);
        let mut records = Vec::new();
        let mut stretch = Stretch::new(&bytes, held, bytes.is_ascii());
        let Outcome { next, held_from: from, .. } = self.machine.run(&(), &mut stretch, &mut records);
        assert_eq!(next as usize, self.held.len(), "a piece is not read to its end");
        self.take(&records);
        self.held.drain(..from as usize);
        self.origin += from as usize;
        // `\ud83d\ude4`, or half a pair; and of a number enough to know where it ends.
        let most = if self.held.first() == Some(&u16::from(b'\\')) { 11 } else { 64 };
        assert!(self.held.len() <= most, "{:?} is held", String::from_utf16_lossy(&self.held));
    }

    /// Text that isn't read, since it is more of a string, is what the machine says it is.
    fn check_plain_string(&self, piece: &[u16]) {
        let is_plain = |&unit: &u16| unit >= 0x20 && unit != u16::from(b'"') && unit != u16::from(b'\\');
        let ends_in_half = piece.last().is_some_and(|unit| (0xD800..0xDC00).contains(unit));
        let mode = self.machine.mode();
        let open = match mode {
            CallMode::Read => return,
            CallMode::Other => None,
            CallMode::First => Some(0),
            CallMode::Second => Some(1),
        };
        if piece.is_empty() || !self.held.is_empty() || ends_in_half || !piece.iter().all(is_plain) {
            return;
        }
        let mut machine = self.machine;
        let (bytes, mut records) = (encode(piece), Vec::new());
        let end = piece.len() as u32;
        assert_eq!(machine.run(&(), &mut Stretch::new(&bytes, 0, false), &mut records), Outcome::new(end, end));
        let expected: Vec<_> = open.map(|name| CallOp::Piece(name).at(0, end)).into_iter().collect();
        assert_eq!((records, machine.mode()), (expected, mode));
    }

    fn finish(mut self) -> Reading {
        let mut records = Vec::new();
        self.machine.finish(self.held.len() as u32, &mut records);
        self.take(&records);
        self.reading
    }

    fn take(&mut self, records: &[Record]) {
        for &record in records {
            let (start, end) = (record.start as usize, record.end as usize);
            assert!(start <= end && end <= self.held.len(), "{record:?} stands nowhere");
            assert_eq!((self.reading.closed, self.reading.bad), (None, None), "{record:?} comes after the end");
            let op = CallOp::of(record).unwrap_or_else(|| panic!("{record:?} says nothing"));
            let units: Vec<u16> = match op {
                CallOp::Piece(_) => self.held[start..end].to_vec(),
                CallOp::Character(_, code) => match char::from_u32(code) {
                    Some(c) => c.encode_utf16(&mut [0; 2]).to_vec(),
                    None => vec![code as u16],
                },
                CallOp::End(_) => Vec::new(),
                CallOp::Closed => {
                    self.reading.closed = Some(self.origin + end);
                    continue;
                }
                CallOp::Bad => {
                    self.reading.bad = Some(self.origin + start);
                    continue;
                }
            };
            let (CallOp::Piece(name) | CallOp::Character(name, _) | CallOp::End(name)) = op else { unreachable!() };
            let (text, is_whole) = self.reading.strings[usize::from(name)].get_or_insert_default();
            assert!(!*is_whole, "{op:?} after the end of its string");
            assert!(op == CallOp::End(name) || !units.is_empty(), "{op:?} is empty");
            text.extend(units);
            *is_whole = op == CallOp::End(name);
        }
    }
}

fn read(text: &[u16], cuts: &[usize]) -> Reading {
    let mut reader = Reader::new(&NAMES);
    let mut from = 0;
    for &to in cuts.iter().chain([&text.len()]) {
        reader.feed(&text[from..to]);
        from = to;
    }
    reader.finish()
}

/// Reads a text whole, unit by unit, at every cut and at some; all must be the same.
fn read_every_way(text: &[u16], seed: u64) -> Reading {
    let whole = read(text, &[]);
    let every: Vec<usize> = (0..=text.len()).collect();
    assert_eq!(read(text, &every), whole, "{:?} unit by unit", String::from_utf16_lossy(text));
    for at in every {
        assert_eq!(read(text, &[at]), whole, "{:?} cut at {at}", String::from_utf16_lossy(text));
    }
    let mut random = Random::new(seed);
    for count in 2..6 {
        let mut cuts: Vec<_> = (0..count).map(|_| random.below(text.len() + 1)).collect();
        cuts.sort_unstable();
        assert_eq!(read(text, &cuts), whole, "{:?} cut at {cuts:?}", String::from_utf16_lossy(text));
    }
    whole
}

fn units(text: &str) -> Vec<u16> {
    text.encode_utf16().collect()
}

/// The members of an object, names that come twice among them, as a text.
fn object() -> impl Strategy<Value = String> {
    let name = prop::sample::select(
        &["path", "content", "Path", "paths", "pat", "", "con\\u0074ent", "p\\u0061th", "\\ud83d\\ude42", "other 水🙂"]
            [..],
    );
    let piece = prop::sample::select(
        &[
            "a",
            "word ",
            "\\n",
            "\\\"",
            "\\\\",
            "\\/",
            "\\u0041",
            "\\u6c34",
            "\\ud83d\\ude42",
            "é",
            "水",
            "🙂",
            "'",
            "{",
            "}",
            "]",
            ":",
            ",",
        ][..],
    );
    let string = prop::collection::vec(piece, 0..8).prop_map(|pieces| format!("\"{}\"", pieces.concat()));
    let plain = prop::sample::select(&["1", "-12.5e3", "true", "false", "null", "[]", "{}", "0"][..]);
    let leaf = prop_oneof![4 => string, 1 => plain.prop_map(str::to_owned)].boxed();
    let space = prop::sample::select(&["", "", " ", "\n\t"][..]);
    let member = |value: BoxedStrategy<String>| {
        (name.clone(), value, space.clone())
            .prop_map(|(name, value, space)| format!("{space}\"{name}\":{space}{value}"))
    };
    let value = leaf.clone().prop_recursive(3, 12, 4, move |value| {
        let name = prop::sample::select(&["path", "content", "a"][..]);
        let members = prop::collection::vec((name, value.clone()), 0..4).prop_map(|members| {
            let members: Vec<_> = members.iter().map(|(name, value)| format!("\"{name}\": {value}")).collect();
            format!("{{{}}}", members.join(","))
        });
        prop_oneof![members, prop::collection::vec(value, 0..4).prop_map(|items| format!("[{}]", items.join(", "))),]
    });
    let value = prop_oneof![2 => leaf, 1 => value].boxed();
    (prop::collection::vec(member(value), 0..6), space)
        .prop_map(|(members, space)| format!("{space}{{{}{space}}}", members.join(",")))
}

/// The first string of each name that is asked for, by serde_json.
fn expected(object: &str) -> [Option<String>; 2] {
    /// The members in their order, those that come again among them.
    struct Members(Vec<(String, Value)>);
    impl<'de> serde::Deserialize<'de> for Members {
        fn deserialize<D: serde::Deserializer<'de>>(from: D) -> Result<Members, D::Error> {
            struct All;
            impl<'de> serde::de::Visitor<'de> for All {
                type Value = Members;
                fn expecting(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
                    f.write_str("an object")
                }
                fn visit_map<M: serde::de::MapAccess<'de>>(self, mut map: M) -> Result<Members, M::Error> {
                    let mut members = Vec::new();
                    while let Some(member) = map.next_entry()? {
                        members.push(member);
                    }
                    Ok(Members(members))
                }
            }
            from.deserialize_map(All)
        }
    }
    let Members(members) = serde_json::from_str(object).unwrap();
    NAMES.map(|name| {
        let mut strings = members.iter().filter(|(key, _)| key == name).filter_map(|(_, value)| value.as_str());
        strings.next().map(str::to_owned)
    })
}

/// Whether a text is the start of a JSON value; for serde_json `1e` isn't a value, and `1e0` is.
fn is_cut(text: &str) -> bool {
    let is_cut = |text: &str| serde_json::from_str::<IgnoredAny>(text).is_err_and(|error| error.is_eof());
    is_cut(text) || is_cut(&format!("{text}0"))
}

proptest! {
    #![proptest_config(config(2_000))]

    /// Strings are what serde_json says, the first of a name counts, and what is
    /// further inside doesn't.
    #[test]
    fn strings_are_what_serde_json_says(object in object(), after in "[ \\n]{0,3}|x|\\{\"path\":\"y\"\\}", seed in any::<u64>()) {
        let reading = read_every_way(&units(&format!("{object}{after}")), seed);
        prop_assert_eq!([0, 1].map(|name| reading.string(name)), expected(&object), "{}", object);
        prop_assert_eq!(reading.closed, Some(object.encode_utf16().count()), "{}", object);
        prop_assert_eq!(reading.bad, None);
    }

    /// A front of an object has the fronts of its strings, and no end.
    #[test]
    fn a_front_has_what_came(object in object(), at in any::<prop::sample::Index>(), seed in any::<u64>()) {
        let text = units(&object);
        let front = &text[..at.index(text.len())];
        let (whole, cut) = (read(&text, &[]), read_every_way(front, seed));
        prop_assert_eq!((cut.closed, cut.bad), (None, None), "{:?}", String::from_utf16_lossy(front));
        for (whole, cut) in whole.strings.iter().zip(&cut.strings) {
            let Some((cut, is_whole)) = cut else { continue };
            // A word that is cut may be one without quotes, a string.
            let Some((whole, _)) = whole.as_ref() else { continue };
            let is_word = || ["true", "false", "null"].iter().any(|word| units(word).starts_with(cut));
            prop_assert!(if *is_whole { whole == cut } else { whole.starts_with(cut) || is_word() }, "{:?} {:?}", whole, cut);
        }
    }

    /// Anything but an object is bad, or JSON that tool calls are read from and serde_json isn't.
    #[test]
    fn what_is_no_json_is_bad(object in object(), at in any::<prop::sample::Index>(), length in 0..3usize, put in "[{}\\[\\]\",:a1\\\\ \\x01]{0,2}", seed in any::<u64>()) {
        let mut chars: Vec<char> = object.chars().collect();
        let from = at.index(chars.len() + 1);
        chars.splice(from..(from + length).min(chars.len()), put.chars());
        let text: String = chars.into_iter().collect();
        let reading = read_every_way(&units(&text), seed);
        let is_object = text.trim_start_matches([' ', '\t', '\n', '\r']).starts_with(['{']) || text.trim().is_empty();
        let mut values = serde_json::Deserializer::from_str(&text).into_iter::<IgnoredAny>();
        match values.next() {
            None => prop_assert_eq!((reading.closed, reading.bad), (None, None), "{:?}", text),
            Some(Ok(_)) if is_object => {
                let end = text[..values.byte_offset()].encode_utf16().count();
                prop_assert_eq!((reading.closed, reading.bad), (Some(end), None), "{:?}", text);
            }
            Some(Err(_)) if is_cut(&text) && is_object => {
                prop_assert_eq!((reading.closed, reading.bad), (None, None), "{:?}", text);
            }
            Some(_) => {
                prop_assert!(reading.closed.is_none() || is_object, "{:?}", text);
                prop_assert!(reading.bad.is_some() || is_object, "{:?}", text);
                let at = reading.closed.or(reading.bad).unwrap_or_default();
                prop_assert!(at <= text.encode_utf16().count(), "{:?} {}", text, at);
            }
        }
    }

    /// Any text is read to its end, the same at every cut.
    #[test]
    fn no_text_is_refused(text in prop_oneof![any::<String>(), "[{}\\[\\]\",:\\\\upath0-9 d83]{0,40}"], seed in any::<u64>()) {
        read_every_way(&units(&text), seed);
    }
}

#[test]
fn strings_one_by_one() {
    // The text, both strings with `…` where they aren't whole, and the end.
    for (text, path, content, end) in [
        (r#"{"path":"a","content":"b"}"#, "a", "b", "closed 26"),
        (r#"{"path":"a","path":"b"}"#, "a", "-", "closed 23"),
        // A name inside isn't the front of the next one.
        (r#"{"a":{"pa\n":1},"th":"x"}"#, "-", "-", "closed 25"),
        (r#"{"a":{"\u0070":1},"ath":"x"}"#, "-", "-", "closed 28"),
        (r#"{"Path":"a","path ":"b","":"c"}"#, "-", "-", "closed 31"),
        (r#"{"path":"","content":"\\\/\b\f\r\t\""}"#, "", "\\/\u{8}\u{c}\r\t\"", "closed 38"),
        (r#"{"path":"\ud83d","content":"\ude42x"}"#, "\u{FFFD}", "\u{FFFD}x", "closed 37"),
        (r#"{"path":"ab\"#, "ab…", "-", ""),
        (r#"{"path":"ab","content":"c\n"#, "ab", "c\n…", ""),
        ("", "-", "-", ""),
        (" \n", "-", "-", ""),
        ("{}{}", "-", "-", "closed 2"),
        (" {} x", "-", "-", "closed 3"),
        ("[]", "-", "-", "bad 0"),
        ("  null", "-", "-", "bad 2"),
        ("\"path\"", "-", "-", "bad 1"),
        ("x", "-", "-", "bad 0"),
        ("{path:1}", "-", "-", "closed 8"),
        ("{'path':1}", "-", "-", "closed 10"),
        (r#"{"path":"a",}"#, "a", "-", "closed 13"),
        (r#"{"path":"a" "content":"b"}"#, "a", "-", "bad 12"),
        ("{\"path\":\"a\nb\"}", "a\nb", "-", "closed 14"),
        (r#"{"path":"a\qb\u12"}"#, r"a\qb\u12", "-", "closed 19"),
        (r#"{"path":"a"]"#, "a", "-", "bad 11"),
        (r#"{"path":"a","b":[}}"#, "a", "-", "bad 17"),
        (r#"{"path":"a","b":tru}"#, "a", "-", "closed 20"),
        (r#"{"path":"a","b":01}"#, "a", "-", "closed 19"),
        (r#"{"path":"a","b":,}"#, "a", "-", "bad 16"),
    ] {
        let reading = read_every_way(&units(text), 1);
        let found = |name: usize| match &reading.strings[name] {
            None => "-".to_owned(),
            Some((units, true)) => String::from_utf16_lossy(units),
            Some((units, false)) => String::from_utf16_lossy(units) + "…",
        };
        let found_end = match (reading.closed, reading.bad) {
            (None, None) => String::new(),
            (Some(at), None) => format!("closed {at}"),
            (None, Some(at)) => format!("bad {at}"),
            (Some(_), Some(_)) => panic!("closed and bad: {text}"),
        };
        assert_eq!((found(0), found(1), found_end), (path.to_owned(), content.to_owned(), end.to_owned()), "{text}");
    }
}

#[test]
fn nesting_has_an_end() {
    for (depth, is_read) in [(511, true), (512, false)] {
        let text = format!(r#"{{"a":{}{},"path":"x"}}"#, "[".repeat(depth), "]".repeat(depth));
        let reading = read(&units(&text), &[]);
        assert_eq!((reading.closed.is_some(), reading.bad.is_some()), (is_read, !is_read), "{depth}");
        assert_eq!(reading.string(0).is_some(), is_read);
    }
}

#[test]
fn names_that_do_not_fit_are_refused() {
    let long = [b'x'; 65];
    assert!(CallMachine::new(&[&long[..64], b"a"]).is_some());
    assert!(CallMachine::new(&[&long]).is_none());
    assert!(CallMachine::new(&[b"a", b"b", b"c"]).is_none());
    // Without a name, and with an empty one, only the end is emitted.
    for names in [&[][..], &[""], &["", ""]] {
        let mut reader = Reader::new(names);
        let text = json!({ "": "x", "path": "y" }).to_string();
        reader.feed(&units(&text));
        let closed = Some(text.len());
        assert_eq!(reader.finish(), Reading { closed, ..Reading::default() });
    }
    // A name as long as can be is found.
    let name = "é".repeat(32);
    let mut members = Map::new();
    members.insert(format!("{name}x"), json!("no"));
    members.insert(name.clone(), json!("yes"));
    let mut reader = Reader::new(&[&name]);
    for unit in units(&Value::Object(members).to_string()) {
        reader.feed(&[unit]);
    }
    assert_eq!(reader.finish().string(0).as_deref(), Some("yes"));
}

#[test]
fn every_op_comes_back() {
    for op in [
        CallOp::Piece(0),
        CallOp::Piece(1),
        CallOp::Character(1, 0x1F642),
        CallOp::Character(0, 0xD83D),
        CallOp::End(1),
        CallOp::Closed,
        CallOp::Bad,
    ] {
        assert_eq!(CallOp::of(op.at(1, 2)), Some(op));
    }
    assert_eq!(CallOp::of(Record { word: 0, start: 0, end: 0 }), None);
}
