//! JSON documents without a key that comes twice, written in many ways.

use crate::support::Random;
use proptest::prelude::*;
use serde_json::Value;

/// Keys and texts that a path or a string may get wrong.
const TEXTS: &[&str] = &[
    "",
    "a",
    "b.c",
    "[0]",
    "]",
    "__proto__",
    "constructor",
    "it's",
    "\"",
    "\\",
    "/",
    "\n",
    "\u{1}",
    "é",
    "水🙂",
    "\u{2028}",
    "{\"x\":[1]}",
    "```json\n",
    "</think>",
    "// no",
    "plain words of some length, and a few more of them",
    "true",
    "-1",
];

/// A value that is an object or an array.
pub fn value() -> impl Strategy<Value = Value> {
    let text = || prop::sample::select(TEXTS).prop_map(str::to_owned);
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        (-20i64..20).prop_map(Value::from),
        any::<f64>().prop_map(Value::from),
        text().prop_map(Value::from),
    ];
    leaf.prop_recursive(5, 60, 6, move |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..6).prop_map(Value::from),
            prop::collection::vec((text(), inner), 0..6)
                .prop_map(|members| Value::Object(members.into_iter().collect())),
        ]
    })
    .prop_map(|value| if value.is_object() || value.is_array() { value } else { Value::Array(vec![value]) })
}

/// One way to write a value; the seed says which.
pub fn write(value: &Value, seed: u64) -> String {
    let mut text = String::new();
    let mut random = Random::new(seed);
    write_into(&mut text, value, &mut random);
    text
}

fn write_into(text: &mut String, value: &Value, random: &mut Random) {
    match value {
        Value::Null | Value::Bool(_) | Value::Number(_) => text.push_str(&value.to_string()),
        Value::String(string) => write_string(text, string, random),
        Value::Array(items) => {
            text.push('[');
            for (nth, item) in items.iter().enumerate() {
                text.push_str(if nth == 0 { "" } else { "," });
                space(text, random);
                write_into(text, item, random);
                space(text, random);
            }
            text.push(']');
        }
        Value::Object(members) => {
            text.push('{');
            for (nth, (key, member)) in members.iter().enumerate() {
                text.push_str(if nth == 0 { "" } else { "," });
                space(text, random);
                write_string(text, key, random);
                space(text, random);
                text.push(':');
                space(text, random);
                write_into(text, member, random);
                space(text, random);
            }
            text.push('}');
        }
    }
}

fn write_string(text: &mut String, string: &str, random: &mut Random) {
    text.push('"');
    for c in string.chars() {
        match (c, random.below(4)) {
            ('"' | '\\', 1..) => text.extend(['\\', c]),
            ('\n', 1..) => text.push_str("\\n"),
            ('\0'..' ' | '"' | '\\', _) | (_, 0) => {
                let mut units = [0; 2];
                for unit in c.encode_utf16(&mut units) {
                    text.push_str(&format!("\\u{unit:04x}"));
                }
            }
            (c, _) => text.push(c),
        }
    }
    text.push('"');
}

fn space(text: &mut String, random: &mut Random) {
    text.push_str(["", "", "", " ", "\n  ", "\t", "\r\n"][random.below(7)]);
}
