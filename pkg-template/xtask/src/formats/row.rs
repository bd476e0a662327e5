//! The fields of a row, for the build: a field that is unknown or of another type fails it.
//! What can't work together is `defineFormat`'s, in TypeScript, which a test asks of each row.

#![allow(dead_code, reason = "a row is written as its file has it; these only say what may be in it")]

use serde::Deserialize;
use serde_json::{Map, Value};
use std::collections::BTreeMap;

type Texts = Vec<String>;

#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct Row {
    id: String,
    /// Whether it is no format of a model, but a repair of a peer or a row of its tests: in no public list.
    internal: Option<bool>,
    like: Option<String>,
    title: Option<String>,
    models: Option<Texts>,
    template: Option<Texts>,
    source: Option<String>,
    sample: Option<String>,
    notes: Option<Texts>,
    section: Option<Section>,
    call: Option<Call>,
    keys: Option<Keys>,
    params: Option<Params>,
    elements: Option<Elements>,
    typing: Option<Typing>,
    literals: Option<Vec<Literals>>,
    untyped: Option<Untyped>,
    ids: Option<Ids>,
    reasoning: Option<Reasoning>,
    answer: Option<Vec<Markers>>,
    turn: Option<Turn>,
    drop: Option<Texts>,
    skip: Option<Vec<Markers>>,
    citations: Option<Citations>,
    messages: Option<Messages>,
    repairs: Option<Texts>,
    special: Option<Special>,
    write: Option<Write>,
}

impl Row {
    /// Reads a row, and says which of its fields is wrong.
    pub fn check(row: &Map<String, Value>) -> Result<(), String> {
        let Err(whole) = read(row.clone()) else { return Ok(()) };
        let id = row.get("id").cloned().unwrap_or_default();
        for (field, value) in row.iter().filter(|(field, _)| *field != "id") {
            let alone = [("id".to_owned(), id.clone()), (field.clone(), value.clone())].into_iter().collect();
            if let Err(error) = read(alone) {
                return Err(format!("{field}: {error}"));
            }
        }
        Err(whole)
    }
}

fn read(row: Map<String, Value>) -> Result<Row, String> {
    serde_json::from_value(Value::Object(row)).map_err(|error| error.to_string())
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Markers {
    open: Texts,
    close: Texts,
}

/// What stands around the model's turn.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Turn {
    end: Option<Texts>,
    other: Option<Texts>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Section {
    open: Texts,
    close: Texts,
    optional: Option<bool>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
struct Call {
    open: Option<Texts>,
    names: Option<Markers>,
    head: Option<Vec<Piece>>,
    body: Body,
    tolerant: Option<bool>,
    or_json: Option<bool>,
    close: Option<Texts>,
    require_close: Option<bool>,
    separator: Option<Texts>,
    bare: Option<Bare>,
    known: Option<bool>,
    fences: Option<bool>,
    quote: Option<String>,
    texts: Option<bool>,
}

/// A piece of a head.
#[derive(Deserialize)]
#[serde(untagged)]
enum Piece {
    Text(String),
    Any(Texts),
    Attributes(Attributes),
    Optional(Optional),
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Attributes {
    attributes: BTreeMap<String, String>,
    end: String,
    entities: Option<bool>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Optional {
    optional: Vec<Piece>,
}

#[derive(Deserialize)]
#[serde(rename_all = "lowercase")]
enum Body {
    Json,
    Keyed,
    Args,
    Params,
    Elements,
    Brace,
    Python,
    Yaml,
    Text,
}

#[derive(Deserialize)]
#[serde(rename_all = "lowercase")]
enum Bare {
    Start,
    Line,
    Anywhere,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Keys {
    name: Texts,
    args: Texts,
    id: Option<Texts>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Params {
    open: Option<Texts>,
    head: Option<Vec<Piece>>,
    close: Option<Texts>,
    trim: Option<Trim>,
    cdata: Option<bool>,
    entities: Option<bool>,
    closer: Option<Closer>,
    duplicate: Option<Duplicate>,
}

#[derive(Deserialize)]
#[serde(rename_all = "lowercase")]
enum Trim {
    None,
    Line,
    Block,
    All,
}

#[derive(Deserialize)]
#[serde(rename_all = "lowercase")]
enum Closer {
    Structure,
    First,
    Last,
}

#[derive(Deserialize)]
#[serde(rename_all = "lowercase")]
enum Duplicate {
    Last,
    List,
    Reject,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Elements {
    prefix: Option<String>,
}

#[derive(Deserialize)]
#[serde(rename_all = "lowercase")]
enum Typing {
    Schema,
    Attribute,
    String,
}

#[derive(Deserialize)]
#[serde(rename_all = "lowercase")]
enum Literals {
    Json,
    Python,
}

#[derive(Deserialize)]
#[serde(rename_all = "lowercase")]
enum Untyped {
    Json,
}

#[derive(Deserialize)]
#[serde(rename_all = "lowercase")]
enum Ids {
    Text,
    None,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
struct Reasoning {
    open: Texts,
    close: Texts,
    label: Option<String>,
    prefilled: Option<Prefilled>,
    ends_at_call: Option<bool>,
    #[serde(rename = "where")]
    place: Option<Place>,
}

#[derive(Deserialize)]
#[serde(rename_all = "lowercase")]
enum Prefilled {
    Never,
    Sometimes,
    Always,
}

#[derive(Deserialize)]
#[serde(rename_all = "lowercase")]
enum Place {
    Line,
    Anywhere,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Citations {
    open: String,
    close: String,
    end: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
struct Messages {
    open: Texts,
    begins: Option<Texts>,
    head_end: Texts,
    close: Option<Texts>,
    join: Option<String>,
    routes: Vec<Route>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Route {
    is: Option<Texts>,
    has: Option<Texts>,
    lacks: Option<Texts>,
    name: Option<Texts>,
    kind: Kind,
}

#[derive(Deserialize)]
#[serde(rename_all = "lowercase")]
enum Kind {
    Call,
    Calls,
    Reasoning,
    Text,
    Drop,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum Special {
    All(All),
    Some(Texts),
}

#[derive(Deserialize)]
#[serde(rename_all = "lowercase")]
enum All {
    All,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
struct Write {
    call: Option<String>,
    param: Option<String>,
    param_join: Option<String>,
    item: Option<String>,
    join: Option<String>,
    section: Option<(String, String)>,
    before: Option<String>,
    text: Option<(String, String)>,
    json: Option<Layout>,
    values: Option<Values>,
    id: Option<String>,
    first_index: Option<u32>,
    result: Option<String>,
    result_join: Option<String>,
    results: Option<(String, String)>,
    role: Option<String>,
    tools: Option<Tools>,
    reasoning: Option<(String, String)>,
    limits: Option<Texts>,
}

#[derive(Deserialize)]
#[serde(rename_all = "lowercase")]
enum Layout {
    Spaced,
    Compact,
    Indent4,
}

#[derive(Deserialize)]
#[serde(rename_all = "lowercase")]
enum Values {
    Json,
    Python,
    Brace,
    Elements,
}

#[derive(Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Tools {
    JsonLines,
    JsonArray,
}
