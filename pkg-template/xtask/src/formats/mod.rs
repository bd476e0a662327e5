//! The catalogue of wire formats, formats/*.json5, as TypeScript and as a page of the documentation.
//!
//! ```text
//! generated/formats/<id>.ts      one format, with the entry `tokenweir/formats/<id>`
//! generated/formats/reading.ts   of all, what is needed to read them
//! generated/formats/writing.ts   of all, what is needed to write them
//! generated/formats/finding.ts   of all, the models that write them
//! generated/formats/about.ts     of all, what people read of them
//! generated/format-ids.ts        the type of their ids
//! generated/format*.ts           what a row has: fields.rs
//! src/format/rows.rs             of all, what Rust programs need to read them; by `cargo xtask formats`
//! docs/formats.md                by `cargo xtask formats`; the package has it from the build, which a test compares
//! ```
//!
//! Tables and not one, so that what only reads has no more than it needs, and none is too long for bundle.mjs.

mod fields;
mod page;
mod rows;

use self::fields::Field;
use crate::workspace::{self, Workspace};
use anyhow::{Context, Result, bail, ensure};
use serde_json::{Map, Value};
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

/// A format with all its fields.
type Format = Map<String, Value>;

/// Writes the modules of all formats into a folder with the package's sources, which check them.
pub fn write(workspace: &Workspace, sources: &Path) -> Result<()> {
    let generated = sources.join("src/generated");
    let formats = read(&workspace.path("formats"))?;
    let interfaces = fields::read()?;
    fields::write(&generated, &interfaces)?;
    rows::write(workspace, sources, &formats)?;
    let folder = generated.join("formats");
    workspace::fresh(&folder)?;
    let mut names = BTreeMap::new();
    for (id, format) in &formats {
        let name = camel(id);
        if let Some(other) = names.insert(name.clone(), id) {
            bail!("`{other}` and `{id}` would both be exported as {name}");
        }
        if !is_internal(format) {
            workspace::write(&folder.join(format!("{id}.ts")), module(&name, id, format))?;
        }
    }
    let public = public(formats.clone());
    workspace::write(&generated.join("format-ids.ts"), ids(&public))?;
    let tables = [("reading", &formats), ("writing", &formats), ("finding", &public), ("about", &public)];
    let row: Vec<_> = interfaces.into_iter().filter(|one| one.name == "Format").flat_map(|one| one.fields).collect();
    for Field { name, table, .. } in &row {
        let is_there = name == "id" || tables.iter().any(|(name, _)| name == table);
        ensure!(is_there, "fields.json5: `{name}` stands in `{table}`, which is no module");
    }
    for (name, formats) in tables {
        workspace::write(&folder.join(format!("{name}.ts")), table(name, &row, formats))?;
    }
    Ok(())
}

/// The module with the type of the ids.
fn ids(formats: &BTreeMap<String, Format>) -> String {
    let ids: String = formats.keys().map(|id| format!("\n  | '{id}'")).collect();
    format!(
        "// Written by `cargo xtask build` from formats/*.json5.\n\
         \n\
         /**\n \
          * The id of a format. `isFormatId` of `tokenweir/formats` checks one that comes from elsewhere.\n \
          *\n \
          * @example\n \
          * ```ts\n \
          * import {{ type FormatId, formats }} from 'tokenweir/formats'\n \
          *\n \
          * const id: FormatId = 'kimi-k2'\n \
          * console.log(formats[id].title) // Kimi K2\n \
          * ```\n \
          */\n\
         export type FormatId ={ids}\n"
    )
}

/// Whether a row is no format of a model.
fn is_internal(format: &Format) -> bool {
    format.contains_key("internal")
}

/// The formats that models write.
fn public(mut formats: BTreeMap<String, Format>) -> BTreeMap<String, Format> {
    formats.retain(|_, format| !is_internal(format));
    formats
}

/// Writes the catalogue of Rust programs. It is checked in, so that the crate builds alone.
pub fn write_rows(workspace: &Workspace, sources: &Path) -> Result<()> {
    let formats = read(&workspace.path("formats"))?;
    workspace::write(&workspace.path("src/format/rows.rs"), rows::catalogue(sources, &formats)?)
}

/// Writes the page of the documentation into a folder.
pub fn write_page(workspace: &Workspace, docs: &Path) -> Result<()> {
    let formats = read(&workspace.path("formats"))?;
    workspace::write(&docs.join("formats.md"), page::text(&public(formats)))
}

/// All formats of a folder, by their ids in order.
fn read(folder: &Path) -> Result<BTreeMap<String, Format>> {
    let entries = fs::read_dir(folder).with_context(|| format!("can't read {}", folder.display()))?;
    let mut paths = entries.map(|entry| Ok(entry?.path())).collect::<Result<Vec<_>>>()?;
    paths.retain(|path| path.extension().is_some_and(|extension| extension == "json5"));
    paths.sort();
    let name = |path: &Path| path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    resolved(paths.iter().map(|path| Ok((name(path), workspace::read(path)?))))
}

/// All formats of some files, each a name and a text.
fn resolved(files: impl IntoIterator<Item = Result<(String, String)>>) -> Result<BTreeMap<String, Format>> {
    let mut rows = BTreeMap::new();
    for file in files {
        let (name, text) = file?;
        let file: Vec<Format> =
            json5::from_str(&text).with_context(|| format!("formats/{name} is not a list of rows"))?;
        for (at, row) in file.into_iter().enumerate() {
            let id = row.get("id").and_then(Value::as_str).map(str::to_owned);
            let id = id.with_context(|| format!("formats/{name}: row {at} has no id"))?;
            ensure!(!rows.contains_key(&id), "formats/{name}: there is another `{id}`");
            rows.insert(id, row);
        }
    }
    let own = [fields::own(&fields::read()?), vec!["internal".to_owned()]].concat();
    rows.keys().map(|id| Ok((id.clone(), resolve(&rows, id, &own, &mut Vec::new())?))).collect()
}

/// A row with the fields of the one that it is like.
fn resolve(rows: &BTreeMap<String, Format>, id: &str, own: &[String], below: &mut Vec<String>) -> Result<Format> {
    let row =
        rows.get(id).with_context(|| format!("`{}` is like `{id}`, which is no format", below.join("`, like `")))?;
    ensure!(!below.iter().any(|other| other == id), "`{}` is like itself", below.join("`, like `"));
    below.push(id.to_owned());
    let mut format = match row.get("like") {
        Some(like) => copied(&resolve(rows, like.as_str().unwrap_or_default(), own, below)?, own, ""),
        None => Format::new(),
    };
    for (field, value) in row.iter().filter(|(field, _)| *field != "like") {
        if value.is_null() {
            format.shift_remove(field);
        } else {
            format.insert(field.clone(), value.clone());
        }
    }
    Ok(format)
}

/// What another row gets of a format, or of the part of one that is at a path.
fn copied(format: &Format, own: &[String], path: &str) -> Format {
    let paths = format.iter().map(|(field, value)| (field, value, format!("{path}{field}")));
    paths
        .filter(|(_, _, path)| !own.contains(path))
        .map(|(field, value, path)| {
            let inner = value.as_object().map(|inner| Value::from(copied(inner, own, &format!("{path}."))));
            (field.clone(), inner.unwrap_or_else(|| value.clone()))
        })
        .collect()
}

/// A module with one format.
fn module(name: &str, id: &str, format: &Format) -> String {
    let title = format.get("title").and_then(Value::as_str).unwrap_or(id);
    format!(
        "// Written by `cargo xtask build` from formats/*.json5.\n\
         import {{ frozen }} from '../../formats/frozen.js'\n\
         import type {{ Format }} from '../../formats/types.js'\n\
         \n\
         /**\n \
          * The wire format of {title}.\n \
          *\n \
          * @example\n \
          * ```ts\n \
          * import {{ {name} }} from 'tokenweir/formats/{id}'\n \
          *\n \
          * console.log({name}.id) // {id}\n \
          * ```\n \
          */\n\
         export const {name}: Format = /* @__PURE__ */ frozen({})\n",
        literal(&Value::Object(format.clone()))
    )
}

/// A module with the fields of all formats that fields.json5 puts into it.
fn table(name: &str, row: &[Field], formats: &BTreeMap<String, Format>) -> String {
    let mut fields: Vec<_> = row.iter().filter(|field| field.table == name).map(|field| field.name.as_str()).collect();
    let names = fields.iter().map(|field| format!("'{field}'")).collect::<Vec<_>>().join(" | ");
    let is_read = name == "reading";
    let more = if is_read { " & { readonly internal?: true }" } else { "" };
    fields.extend(is_read.then_some("internal"));
    let rows: String = formats
        .iter()
        .map(|(id, format)| {
            let format = format.iter().filter(|(field, _)| fields.contains(&field.as_str()));
            let format = format.map(|(field, value)| (field.clone(), value.clone())).collect();
            format!("  {}: {},\n", literal(&Value::from(id.as_str())), literal(&Value::Object(format)))
        })
        .collect();
    format!(
        "// Written by `cargo xtask build` from formats/*.json5.\n\
         import type {{ Format }} from '../../formats/types.js'\n\
         \n\
         export const {}: Readonly<Record<string, Pick<Format, {names}>{more}>> = {{\n{rows}}}\n",
        name.to_uppercase()
    )
}

/// A value as JavaScript writes it; JSON is a part of that, but for keys without quotes.
fn literal(value: &Value) -> String {
    match value {
        Value::Object(members) => {
            let members: Vec<String> =
                members.iter().map(|(key, value)| format!("{}: {}", key_of(key), literal(value))).collect();
            format!("{{ {} }}", members.join(", "))
        }
        Value::Array(items) => format!("[{}]", items.iter().map(literal).collect::<Vec<_>>().join(", ")),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => value.to_string(),
    }
}

fn key_of(key: &str) -> String {
    let is_name = key.chars().all(|character| character.is_ascii_alphabetic()) && !key.is_empty();
    if is_name { key.to_owned() } else { Value::from(key).to_string() }
}

/// `deepseek-v3.2` as `deepseekV3_2`: between two digits the separator stays.
fn camel(id: &str) -> String {
    let mut words = id.split(|character: char| !character.is_ascii_alphanumeric()).filter(|word| !word.is_empty());
    let first = words.next().unwrap_or_default().to_lowercase();
    words.fold(first, |name, word| {
        let is_between_digits =
            name.ends_with(|last: char| last.is_ascii_digit()) && word.starts_with(|next: char| next.is_ascii_digit());
        let separator = if is_between_digits { "_" } else { "" };
        name + separator + &word[..1].to_uppercase() + &word[1..]
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::package;

    #[test]
    fn the_catalogue_of_rust_programs_is_that_of_the_rows() -> Result<()> {
        let workspace = Workspace::find()?;
        let sources = workspace.target.join("rows");
        package::lay_formats(&workspace, &sources)?;
        let rows = rows::catalogue(&sources, &super::read(&workspace.path("formats"))?)?;
        ensure!(workspace::read(&workspace.path("src/format/rows.rs"))? == rows, "run `cargo xtask formats`");
        let wrong = read("[{ id: 'a', tags: [] }]")?;
        ensure!(rows::write(&workspace, &sources, &wrong).is_err(), "an unknown field fails the build");
        Ok(())
    }

    fn read(text: &str) -> Result<BTreeMap<String, Format>> {
        resolved([Ok(("mine.json5".to_owned(), text.to_owned()))])
    }

    #[track_caller]
    fn fails(text: &str, expected: &str) {
        let said = read(text).map(|_| ()).expect_err("a wrong row fails the build").to_string();
        assert!(said.starts_with(expected), "{said}");
    }

    #[test]
    fn a_file_of_rows_has_each_once_by_its_id() {
        fails("{}", "formats/mine.json5 is not a list of rows");
        fails("[{ title: 'a' }]", "formats/mine.json5: row 0 has no id");
        fails("[{ id: 'a' }, { id: 'a' }]", "formats/mine.json5: there is another `a`");
    }

    #[test]
    fn a_row_has_the_fields_of_the_one_that_it_is_like() -> Result<()> {
        let formats = read(
            "[
              { id: 'a', like: 'b', write: { call: 'c' } },
              { id: 'b', like: 'c', reasoning: null, drop: ['<b>'] },
              { id: 'c', title: 'C', models: ['c'], drop: ['<c>'], skip: [], reasoning: { open: ['<t>'], close: ['</t>'] }, \
                write: { json: 'compact', limits: ['all'] } },
            ]",
        )?;
        let text = |id: &str| Value::from(formats[id].clone()).to_string();
        assert_eq!(text("a"), r#"{"drop":["<b>"],"skip":[],"write":{"call":"c"},"id":"a"}"#);
        assert_eq!(text("b"), r#"{"drop":["<b>"],"skip":[],"write":{"json":"compact"},"id":"b"}"#);
        fails("[{ id: 'a', like: 'b' }]", "`a` is like `b`, which is no format");
        fails("[{ id: 'a', like: 'b' }, { id: 'b', like: 'a' }]", "`a`, like `b` is like itself");
        Ok(())
    }

    #[test]
    fn ids_are_names_in_javascript() {
        let ids = ["kimi-k2", "deepseek-v3.2", "glm-4.5", "glm45", "qwen3-coder-peer"];
        assert_eq!(ids.map(camel), ["kimiK2", "deepseekV3_2", "glm4_5", "glm45", "qwen3CoderPeer"]);
    }
}
