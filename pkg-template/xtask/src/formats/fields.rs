//! The fields of a row, fields.json5, as TypeScript.
//!
//! ```text
//! generated/format.ts          the types
//! generated/format-check.ts    how each field is checked
//! generated/format-bytes.ts    what each is for the machine
//! ```

use crate::workspace;
use anyhow::{Context, Result};
use serde::Deserialize;
use serde_json::{Map, Value};
use std::path::Path;
use tokenweir::format::Part;

const HEAD: &str = "// Written by `cargo xtask build` from fields.json5.\n";

/// A field, as the head of fields.json5 says.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Field {
    pub(super) name: String,
    kind: String,
    #[serde(default)]
    needed: bool,
    #[serde(default)]
    to: String,
    #[serde(default)]
    empty: String,
    #[serde(default)]
    words: Map<String, Value>,
    #[serde(default)]
    own: bool,
    #[serde(default = "reading")]
    pub(super) table: String,
    #[serde(default)]
    pub(super) fields: Vec<Field>,
    #[serde(default)]
    doc: String,
}

fn reading() -> String {
    "reading".to_owned()
}

/// The interfaces that rows are made of.
pub(super) fn read() -> Result<Vec<Field>> {
    json5::from_str(include_str!("fields.json5")).context("fields.json5 is not a list of fields")
}

/// Writes the modules.
pub(super) fn write(generated: &Path, interfaces: &[Field]) -> Result<()> {
    workspace::write(&generated.join("format.ts"), types(interfaces))?;
    workspace::write(&generated.join("format-check.ts"), checks(interfaces))?;
    workspace::write(&generated.join("format-bytes.ts"), bytes(interfaces))
}

/// What `like` leaves out, by the path: `write.limits`.
pub(super) fn own(interfaces: &[Field]) -> Vec<String> {
    let format = interfaces.iter().find(|interface| interface.name == "Format");
    format.map_or_else(Vec::new, |format| own_of(&format.fields, interfaces))
}

fn own_of(fields: &[Field], interfaces: &[Field]) -> Vec<String> {
    let paths = fields.iter().flat_map(|field| {
        let named = interfaces.iter().find(|interface| interface.name == field.kind);
        let inner = own_of(&named.unwrap_or(field).fields, interfaces);
        let inner = inner.iter().map(|path| format!("{}.{path}", field.name));
        field.own.then(|| field.name.clone()).into_iter().chain(inner).collect::<Vec<_>>()
    });
    paths.collect()
}

fn types(interfaces: &[Field]) -> String {
    let text: String = interfaces
        .iter()
        .map(|field| format!("\n{}export interface {} {}\n", doc(field), field.name, members(&field.fields)))
        .collect();
    format!("{HEAD}import type {{ HeadPiece, Markers }} from '../formats/kinds.js'\n{text}")
}

fn doc(field: &Field) -> String {
    if field.doc.contains('\n') {
        format!("/**\n * {}\n */\n", field.doc.replace('\n', "\n * "))
    } else {
        format!("/** {} */\n", field.doc)
    }
}

fn members<'a>(fields: impl IntoIterator<Item = &'a Field>) -> String {
    let member = |field: &Field| {
        let optional = if field.needed { "" } else { "?" };
        format!("{}readonly {}{optional}: {}\n", doc(field), field.name, type_of(field))
    };
    format!("{{\n{}}}", fields.into_iter().map(member).collect::<String>())
}

fn type_of(field: &Field) -> String {
    let words = || field.words.keys().map(|word| format!("'{word}'")).collect::<Vec<_>>().join(" | ");
    match field.kind.as_str() {
        "flag" => "boolean".to_owned(),
        "id" | "text" | "marker" => "string".to_owned(),
        "wholeNumber" => "number".to_owned(),
        "around" => "readonly [string, string]".to_owned(),
        "pieces" => "readonly HeadPiece[]".to_owned(),
        "special" => "'all' | readonly string[]".to_owned(),
        "word" => words(),
        "words" => format!("ReadonlyArray<{}>", words()),
        "object" => object(field),
        "objects" => format!("ReadonlyArray<{}>", object(field)),
        named if named.starts_with(char::is_uppercase) => named.to_owned(),
        _ => "readonly string[]".to_owned(),
    }
}

/// `open` and `close` without a comment are those of `Markers`.
fn object(field: &Field) -> String {
    let is_own = |field: &&Field| !field.doc.is_empty() || !["open", "close"].contains(&field.name.as_str());
    let (own, markers): (Vec<_>, Vec<_>) = field.fields.iter().partition(is_own);
    match (markers.is_empty(), own.is_empty()) {
        (true, _) => members(own),
        (false, true) => "Markers".to_owned(),
        (false, false) => format!("Markers & {}", members(own)),
    }
}

fn checks(interfaces: &[Field]) -> String {
    let mut kinds = Vec::new();
    let text: String = interfaces
        .iter()
        .map(|field| format!("\nexport const {} = {}\n", field.name, check(field, &mut kinds)))
        .collect();
    kinds.retain(|kind| !interfaces.iter().any(|field| field.name == *kind));
    kinds.sort_unstable();
    kinds.dedup();
    let own: Vec<_> = own(interfaces).iter().map(|path| format!("'{path}'")).collect();
    format!(
        "{HEAD}import {{ {} }} from '../formats/kinds.js'\n\
         {text}\n\
         /** What `like` leaves out. */\n\
         export const OWN: readonly string[] = [{}]\n",
        kinds.join(", "),
        own.join(", ")
    )
}

fn check<'a>(field: &'a Field, kinds: &mut Vec<&'a str>) -> String {
    kinds.push(&field.kind);
    let names = |names: Vec<&String>| names.iter().map(|name| format!("'{name}'")).collect::<Vec<_>>().join(", ");
    if !field.words.is_empty() {
        return format!("{}([{}])", field.kind, names(field.words.keys().collect()));
    }
    if field.fields.is_empty() {
        return field.kind.clone();
    }
    let needed = names(field.fields.iter().filter(|field| field.needed).map(|field| &field.name).collect());
    let fields: String =
        field.fields.iter().map(|field| format!("  {}: {},\n", field.name, check(field, kinds))).collect();
    format!("{}({{\n{fields}}}, [{needed}])", field.kind)
}

/// The lists of markers in the order of their parts, the flags, and the numbers of words.
fn bytes(interfaces: &[Field]) -> String {
    let mut found = Found::default();
    for field in interfaces.iter().flat_map(|interface| &interface.fields) {
        found.add(field, format!("row.{}", field.name));
    }
    let Found { mut markers, flags, numbers } = found;
    markers.sort_by_key(|(part, _)| Part::TABLE.iter().position(|line| line.variant == part));
    let markers: String = markers.iter().map(|(part, at)| format!("  [FormatPart.{part}, {at}],\n")).collect();
    format!(
        "{HEAD}import {{ FormatBody, FormatCloser, FormatFlag, FormatKind, FormatPart, FormatTrim }} from './ops.js'\n\
         import type {{ Format }} from './format.js'\n\
         \n\
         export const markersOf = (row: Format): ReadonlyArray<readonly [FormatPart, readonly string[] | undefined]> => [\n\
         {markers}]\n\
         \n\
         export const flagsOf = (row: Format): ReadonlyArray<readonly [FormatFlag, boolean | undefined]> => [\n\
         {flags}]\n\
         {numbers}"
    )
}

#[derive(Default)]
struct Found {
    markers: Vec<(String, String)>,
    flags: String,
    numbers: String,
}

impl Found {
    /// What a field is for the machine; `at` is the expression for it.
    fn add(&mut self, field: &Field, at: String) {
        let is_list = field.kind != "word";
        let test =
            |word: &str| if is_list { format!("{at}?.includes('{word}')") } else { format!("{at} === '{word}'") };
        if let Some(part) = field.to.strip_prefix("Part.") {
            let list = match (field.kind.as_str(), at.rsplit_once("?.")) {
                ("marker", Some((object, _))) if field.needed => format!("{object} && [{at}]"),
                ("marker", _) => format!("[{at} ?? '']"),
                _ => at.clone(),
            };
            self.markers.push((part.to_owned(), list));
        }
        self.flag(&field.to, &at);
        self.flag(&field.empty, &test(""));
        let words = field.words.iter().filter_map(|(word, to)| Some((word, to.as_str()?)));
        let (flags, numbers): (Vec<_>, Vec<_>) = words.partition(|(_, to)| to.starts_with("Flag."));
        for (word, to) in flags {
            self.flag(to, &test(word));
        }
        if let Some((name, _)) = numbers.first().and_then(|(_, to)| to.split_once('.')) {
            let members: Vec<_> = numbers.iter().map(|(word, to)| format!("{word}: Format{to}")).collect();
            self.numbers += &format!("\nexport const {} = {{ {} }}\n", name.to_uppercase(), members.join(", "));
        }
        for inner in &field.fields {
            let name = &inner.name;
            let many = format!("{at}?.flatMap(({{ {name} }}) => {name})");
            self.add(inner, if field.kind == "objects" { many } else { format!("{at}?.{name}") });
        }
    }

    fn flag(&mut self, to: &str, holds: &str) {
        if let Some(flag) = to.strip_prefix("Flag.") {
            self.flags += &format!("  [FormatFlag.{flag}, {holds}],\n");
        }
    }
}
