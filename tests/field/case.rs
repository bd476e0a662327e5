//! The cases of `tests/cases/field`, and the schemas that they name.

use crate::support::cases_of;
use serde::Deserialize;
use serde_json::Value;
use tokenweir::field::{Options, Shape};
use tokenweir::json::Rules;

/// One case. `data` is what JavaScript has at the end; here nobody keeps it.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Case {
    pub name: String,
    /// Where the truth comes from: for who reads the file.
    #[allow(dead_code, reason = "the key must be there")]
    source: String,
    pub input: String,
    #[serde(default)]
    pub strict: bool,
    #[serde(default)]
    pub multiple: bool,
    pub max_depth: Option<u16>,
    pub schema: Option<String>,
    /// `text`, if Markdown code is not searched.
    pub fences: Option<String>,
    #[serde(default)]
    pub rules: Vec<String>,
    #[allow(dead_code, reason = "the key is known, its value is for JavaScript")]
    data: Option<String>,
    pub events: String,
}

pub fn cases() -> Vec<Case> {
    cases_of("field", 400)
}

impl Case {
    /// The options that the case names.
    pub fn options(&self) -> Options {
        let (shape, keys) = match &self.schema {
            None => (Shape::Any, None),
            Some(schema) => shape_of(&serde_json::from_str(schema).unwrap())
                .unwrap_or_else(|| panic!("{}: its schema is beyond this reading", self.name)),
        };
        Options {
            rules: if self.strict { Rules::STRICT } else { Rules::LENIENT },
            max_depth: self.max_depth.unwrap_or(512),
            is_multiple: self.multiple,
            shape,
            keys,
            skips_code: self.fences.as_deref() == Some("text"),
            ..Options::default()
        }
    }
}

/// What the document is, and the keys that may come first: an object of
/// fields, an array of one thing, or JSON schema's `type` with `properties` or
/// `items`. Whoever needs more has the package.
fn shape_of(schema: &Value) -> Option<(Shape, Option<Vec<String>>)> {
    let keys = |fields: &Value| fields.as_object().map(|fields| fields.keys().cloned().collect::<Vec<_>>());
    if let [item] = schema.as_array().map(Vec::as_slice).unwrap_or_default() {
        return match item.as_str() {
            Some("str") => Some((Shape::ArrayOfStrings, None)),
            Some("int" | "float") => Some((Shape::ArrayOfNumbers, None)),
            Some(_) => None,
            None => keys(item).map(|keys| (Shape::ArrayOfObjects, Some(keys))),
        };
    }
    match (schema["type"].as_str(), &schema["properties"], &schema["items"]) {
        (None, ..) if schema.get("$schema").is_none() => keys(schema).map(|keys| (Shape::Object, Some(keys))),
        (Some("object"), properties, Value::Null) => keys(properties).map(|keys| (Shape::Object, Some(keys))),
        (Some("array"), Value::Null, items) => match items["type"].as_str() {
            Some("string") => Some((Shape::ArrayOfStrings, None)),
            Some("integer" | "number") => Some((Shape::ArrayOfNumbers, None)),
            None if items.is_null() => Some((Shape::Array, None)),
            _ => None,
        },
        _ => None,
    }
}
