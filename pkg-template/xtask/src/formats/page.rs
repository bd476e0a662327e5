//! docs/formats.md: a table of all formats, and a part for each of them.

use super::Format;
use serde_json::Value;
use std::collections::BTreeMap;

const HEAD: &str = "# The wire formats\n\n\
    Written by `cargo xtask formats` from `formats/*.json5`. How to use them: [local models](local-models.md).\n\n\
    Each format is a row of data. `formats` of `tokenweir/formats` has all of them by their ids, `tokenweir/formats/<id>` one alone; \
    `formatFor` finds the one of a model by its name or its chat template, `defineFormat` makes your own. In TypeScript \
    an id is a `FormatId`, which an editor completes; `isFormatId` checks one that comes from a setting.\n\n\
    For all of them: what the model writes besides calls stays as text or reasoning. A call that is cut off is text. \
    A malformed call costs only itself. A marker inside a value opens nothing.\n\n\
    The last column says which [grammars](constrain.md) can hold a model to a format: structural tags, GBNF and Lark.\n\n";

/// The page.
pub fn text(formats: &BTreeMap<String, Format>) -> String {
    let mut page = String::from(HEAD);
    page += "| id | models | how it is written | grammar |\n| --- | --- | --- | --- |\n";
    for (id, format) in formats {
        let models = list(format, "models").iter().map(|model| code(model)).collect::<Vec<_>>().join(", ");
        let (written, grammar) = (written(format), grammar(format));
        page += &format!("| [`{id}`](#{}) | {} | {} | {grammar} |\n", anchor(id), cell(&models), cell(&written));
    }
    for (id, format) in formats {
        page += &part(id, format);
    }
    page
}

/// The part of a format.
fn part(id: &str, format: &Format) -> String {
    let mut part = format!("\n## {id}\n\n");
    let title = format.get("title").and_then(Value::as_str).unwrap_or(id);
    part += &format!("{}.", title.trim_end_matches('.'));
    if let Some(call) = format.get("call") {
        part += &format!(" Calls: {}.", shape(call));
    }
    if let Some(reasoning) = format.get("reasoning") {
        part += &format!(" Reasoning: {}.", reasoning_of(reasoning));
    }
    part += "\n";
    let limits = format.get("write").and_then(|write| write.get("limits")).and_then(Value::as_array);
    let text = |field: &str, write: fn(&str) -> String| format.get(field).and_then(Value::as_str).map(write);
    let lines = [
        ("A call", text("sample", code).into_iter().collect()),
        ("Repairs", list(format, "repairs").into_iter().map(code).collect()),
        ("Special tokens", special(format)),
        ("Notes", list(format, "notes").into_iter().map(escaped).collect()),
        ("Not written", limits.into_iter().flatten().filter_map(Value::as_str).map(escaped).collect::<Vec<_>>()),
        ("Source", text("source", escaped).into_iter().collect()),
    ];
    let lines: String = lines
        .iter()
        .filter(|(_, items)| !items.is_empty())
        .map(|(name, items)| format!("- {name}: {}\n", items.join("; ")))
        .collect();
    if lines.is_empty() { part } else { part + "\n" + &lines }
}

/// Which grammars hold a model to it: structural tags, GBNF and Lark; tests/pkg/grammar-docs.test.mjs tries them.
fn grammar(format: &Format) -> &'static str {
    let call = format.get("call");
    let body = call.and_then(|call| call["body"].as_str());
    let is_written = format.get("write").is_some_and(|write| write.get("call").is_some());
    match (body, format.get("typing").and_then(Value::as_str)) {
        (None | Some("yaml"), _) => "",
        _ if !is_written => "",
        (_, Some("string")) => "all three, of strings",
        _ => "all three",
    }
}

/// Where a call's arguments are, in a few words.
fn shape(call: &Value) -> String {
    let open = call["open"].as_array().into_iter().flatten().filter_map(Value::as_str).map(code).collect::<Vec<_>>();
    let body = match call["body"].as_str().unwrap_or_default() {
        "json" => "a JSON object or a list of them",
        "keyed" => "JSON with the tool's name as the key",
        "args" => "the arguments as JSON",
        "params" => "tagged values",
        "elements" => "elements",
        "brace" => "values in braces",
        "python" => "Python calls",
        "yaml" => "YAML",
        "text" => "a text",
        other => other,
    };
    match (open.is_empty(), call["bare"].as_str()) {
        (true, _) => format!("{body}, without an opening marker"),
        (false, Some(bare)) => format!(
            "{body} after {}, or without a marker {}",
            open.join(" or "),
            match bare {
                "start" => "at the start",
                "line" => "on a line",
                _ => "anywhere",
            }
        ),
        (false, None) => format!("{body} after {}", open.join(" or ")),
    }
}

fn reasoning_of(reasoning: &Value) -> String {
    let markers = |side: &str| {
        let list = reasoning[side].as_array().into_iter().flatten().filter_map(Value::as_str).map(code);
        list.collect::<Vec<_>>().join(" or ")
    };
    let (open, close) = (markers("open"), markers("close"));
    let text = if open.is_empty() { format!("up to {close}") } else { format!("{open} to {close}") };
    match reasoning["prefilled"].as_str() {
        Some("always") => text + "; a reply starts inside it unless `prefill` is given",
        Some("sometimes") => text + "; a reply starts inside it if `prefill` says so",
        _ => text,
    }
}

/// What the table says of a call.
fn written(format: &Format) -> String {
    match format.get("sample").and_then(Value::as_str) {
        Some(sample) if sample.chars().count() > 90 => code(&(sample.chars().take(87).collect::<String>() + "…")),
        Some(sample) => code(sample),
        None => match format.get("reasoning") {
            Some(reasoning) => reasoning_of(reasoning),
            None => "text".to_owned(),
        },
    }
}

fn special(format: &Format) -> Vec<String> {
    match format.get("special") {
        Some(Value::String(_)) => vec!["all markers".to_owned()],
        Some(Value::Array(markers)) => markers.iter().filter_map(Value::as_str).map(code).collect(),
        _ => Vec::new(),
    }
}

fn list<'a>(format: &'a Format, field: &str) -> Vec<&'a str> {
    format.get(field).and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str).collect()
}

/// What a table may have in a cell.
fn cell(text: &str) -> String {
    text.replace('|', "\\|")
}

/// A text as code in a line: line ends are shown, and backticks need longer ones around them.
fn code(text: &str) -> String {
    let line = text.replace('\n', "↵");
    let longest = line.split(|character| character != '`').map(str::len).max().unwrap_or(0);
    let fence = "`".repeat(longest + 1);
    let pad = if line.starts_with('`') || line.ends_with('`') { " " } else { "" };
    format!("{fence}{pad}{line}{pad}{fence}")
}

/// Prose: a marker isn't markup, in code or not.
fn escaped(text: &str) -> String {
    let parts = text.trim_end_matches('.').split('`').enumerate();
    let parts: Vec<String> =
        parts.map(|(at, part)| if at % 2 == 0 { part.replace('<', "&lt;") } else { part.to_owned() }).collect();
    parts.join("`")
}

/// How GitHub names a heading.
fn anchor(heading: &str) -> String {
    heading.to_lowercase().chars().filter(|character| character.is_alphanumeric() || *character == '-').collect()
}
