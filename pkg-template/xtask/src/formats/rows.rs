//! The catalogue of Rust programs. rows.mjs checks rows and writes their bytes, as the package does with those of programs.

use super::Format;
use crate::workspace::{self, Workspace};
use anyhow::{Context, Result};
use serde_json::Value;
use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::Path;
use std::process::Command;
use tokenweir::format::Trait;

/// Writes the bytes of all rows, by the sources in a folder. A wrong row is an error that names its field.
pub fn write(workspace: &Workspace, sources: &Path, formats: &BTreeMap<String, Format>) -> Result<()> {
    workspace::write(&sources.join("rows.json"), serde_json::to_string(formats)?)?;
    let program = workspace.path("pkg-template/rows.mjs");
    workspace::run("rows.mjs", Command::new("node").arg(program).arg(sources))
}

/// The catalogue as a Rust source, of the bytes that were written.
pub fn catalogue(sources: &Path, formats: &BTreeMap<String, Format>) -> Result<String> {
    let bytes: BTreeMap<String, Vec<u8>> = serde_json::from_str(&workspace::read(&sources.join("rows-bytes.json"))?)?;
    let mut text = format!(
        "//! Written by `cargo xtask formats` from formats/*.json5.\n\
         \n\
         use super::catalogue::{{Format, Trait}};\n\
         \n\
         #[rustfmt::skip]\n\
         pub(super) static ROWS: [Format; {}] = [\n",
        formats.len()
    );
    for (id, format) in formats {
        let field = |name: &str| format.get(name).and_then(Value::as_str).unwrap_or_default();
        let traits: Vec<String> = traits(format).map(|each| format!("Trait::{each:?}")).collect();
        writeln!(
            text,
            "    Format {{\n        id: {id:?},\n        title: {:?},\n        sample: {:?},\n        \
             traits: &[{}],\n        bytes: b\"{}\",\n    }},",
            field("title"),
            field("sample"),
            traits.join(", "),
            bytes.get(id).with_context(|| format!("`{id}` has no bytes"))?.escape_ascii()
        )?;
    }
    Ok(text + "];\n")
}

/// What the machine needs not know, and the program does.
fn traits(format: &Format) -> impl Iterator<Item = Trait> {
    let row = Value::Object(format.clone());
    let is = |path: &str, value: Value| {
        let field = row.pointer(path);
        field == Some(&value) || field.and_then(Value::as_array).is_some_and(|items| items.contains(&value))
    };
    let is_word = |path: &str, word: &str| is(path, Value::from(word));
    let items = |path: &str| row.pointer(path).and_then(Value::as_array).into_iter().flatten();
    let names = items("/call/head").chain(items("/messages/routes").filter_map(|route| route.get("name")));
    let mut texts = names.filter_map(Value::as_array).flatten().filter_map(Value::as_str);
    [
        (Trait::Known, is("/call/known", Value::Bool(true))),
        (Trait::UntypedJson, is_word("/untyped", "json")),
        (Trait::Attributes, is_word("/typing", "attribute")),
        (Trait::Python, is_word("/literals", "python")),
        (Trait::RejectsRepeats, is_word("/params/duplicate", "reject")),
        (Trait::ListsRepeats, is_word("/params/duplicate", "list")),
        (Trait::Namespace, texts.any(|text| text.ends_with("functions."))),
        (Trait::Prefixed, is_word("/call/body", "brace") || is_word("/call/body", "python")),
        (Trait::TextIds, is_word("/ids", "text")),
        (Trait::DoubledName, is_word("/repairs", "doubled-name")),
        (Trait::ValueTag, is_word("/repairs", "value-tag")),
        (Trait::DropsUnsafe, is_word("/repairs", "drop-unsafe")),
        (Trait::Prefilled, is_word("/reasoning/prefilled", "always")),
        (Trait::Messages, format.contains_key("messages")),
    ]
    .into_iter()
    .filter_map(|(each, is)| is.then_some(each))
}
