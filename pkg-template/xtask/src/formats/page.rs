//! docs/formats.md: a table of all formats, and their repairs.

use super::Format;
use serde_json::Value;
use std::collections::BTreeMap;

const HEAD: &str = "# The wire formats\n\n\
    Written by `cargo xtask formats` from `formats/*.json5`. How to use them: [local models](local-models.md).\n\n\
    How each family of models writes its tool calls and its reasoning. Find the one of your model by its name, or by a \
    marker that stands in its text; a program finds it with `formatFor`. If there is none, \
    [define a format](define-format.md).\n\n\
    `formats` of `tokenweir/formats` has all of them by their ids, `tokenweir/formats/<id>` one alone. An id has the type \
    `FormatId`; `isFormatId` checks one that comes from a setting. `formats[id].notes` has the peculiarities of a model, \
    and `source` says where they were read.\n\n\
    In the column *reading*:\n\n\
    - **special tokens**: markers that a server leaves out of the text \
    [unless it is started for them](local-models.md#what-to-send).\n\
    - **starts in reasoning**: a reply begins inside reasoning, unless \
    [`prefill`](local-models.md#where-a-reply-begins) says otherwise.\n\
    - **`endsAtCall`**: a call [may end the reasoning](tool-calls.md#reasoning) that it stands in.\n\
    - **needs tools**: only the names of the given `tools` begin a call.\n\
    - Other names in code: [repairs](#repairs), besides [those of all formats](local-models.md#what-is-repaired).\n\
    - **not written**: what `writeCalls` can't write.\n\
    - **no grammar**, **grammar of strings**: all others have [grammars](constrain.md) of each kind.\n\n\
    ## All formats\n\n";

const TAIL: &str = "\n## Repairs\n\n\
    What single formats tolerate or reject, as the parsers do that they come from:\n\n\
    - `open-params`: a value that isn't closed before the next declared parameter.\n\
    - `nameless-params`: `<parameter>city</parameter>Paris`, the name between the tags.\n\
    - `element-params`: `<city>Paris</city>` instead of a parameter, in any case. Not reported.\n\
    - `loose-tags`: tags in any case, with white space in them, such as `<Function = now >`. Not reported.\n\
    - `value-tag`: a value that is all between `<value>` and `</value>`.\n\
    - `json-body`: a JSON object where tagged values are expected.\n\
    - `missing-angle`: a call without its first character, directly after its section's marker.\n\
    - `bare-name`, `line-name`: a call that begins with the tool's name alone, in a section or on a line of its own.\n\
    - `doubled-name`: `now.now` for the tool `now`.\n\
    - `unwrap-arguments`: all arguments in one that is called `arguments`, `input`, `parameters` or `properties`.\n\
    - `extra-closer`: a bracket too many, also where no closing marker follows.\n\
    - `plain-quotes`, `bare-word`: a string in JSON's quotes or without any, where the format has its own marker.\n\
    - `yaml-elements`, `raw-keys`: XML elements instead of YAML; YAML with errors, line by line.\n\
    - `message-text`: the text of a malformed call becomes the tool's argument `message`.\n\
    - `drop-unknown`: arguments that the tool doesn't declare are left out.\n\
    - `null-text`: `null` is text where a string may stand.\n\
    - `require-arguments`: a call without a required argument is rejected.\n\
    - `drop-unsafe`, `drop-unsafe-markup`: a call is rejected that has an argument, or a tag in a string, named \
    `__proto__`, `constructor` or `prototype`.\n";

/// The page.
pub fn text(formats: &BTreeMap<String, Format>) -> String {
    let mut page = String::from(HEAD);
    page += "| format | models | a call | reading |\n| --- | --- | --- | --- |\n";
    for (id, format) in formats {
        let cells = [models(format), written(format), reading(format)];
        let cells: Vec<String> = cells.iter().map(|text| cell(text)).collect();
        page += &format!("| `{id}` | {} |\n", cells.join(" | "));
    }
    page + TAIL
}

/// The models that write it, or whose it is, if no name leads to it.
fn models(format: &Format) -> String {
    let models = list(format, "models");
    let title = || format.get("title").and_then(Value::as_str).unwrap_or_default().to_owned();
    if models.is_empty() { title() } else { models.into_iter().map(code).collect::<Vec<_>>().join(", ") }
}

/// What a program has to know.
fn reading(format: &Format) -> String {
    let is = |words: &str, holds: bool| holds.then(|| words.to_owned());
    let reasoning = |field: &str| format.get("reasoning").and_then(|reasoning| reasoning.get(field));
    let limits = format.get("write").and_then(|write| write.get("limits")).and_then(Value::as_array);
    let limits: Vec<String> = limits.into_iter().flatten().filter_map(Value::as_str).map(escaped).collect();
    let starts = reasoning("prefilled").and_then(Value::as_str) == Some("always");
    let ends = reasoning("endsAtCall").and_then(Value::as_bool) == Some(true);
    let flags = [
        is("special tokens", format.contains_key("special")),
        is("starts in reasoning", starts),
        is("`endsAtCall`", ends),
        is("needs tools", needs_tools(format)),
        is(grammar(format), !grammar(format).is_empty()),
        (!limits.is_empty()).then(|| format!("not written: {}", limits.join(", "))),
    ];
    let repairs = list(format, "repairs").into_iter().map(code);
    flags.into_iter().flatten().chain(repairs).collect::<Vec<_>>().join("; ")
}

/// Whether only the names of tools begin a call; tests/pkg/formats-define.test.mjs tries it.
fn needs_tools(format: &Format) -> bool {
    let Some(call) = format.get("call") else { return false };
    let has_marker = call["open"].as_array().is_some_and(|open| !open.is_empty());
    let is_known = call["known"].as_bool() == Some(true);
    match call["body"].as_str() {
        Some("elements" | "yaml") => !has_marker,
        Some("args") => is_known && !has_marker,
        _ => false,
    }
}

/// Which grammars are missing; tests/pkg/grammar-docs.test.mjs tries them.
fn grammar(format: &Format) -> &'static str {
    let call = format.get("call");
    let body = call.and_then(|call| call["body"].as_str());
    let is_written = format.get("write").is_some_and(|write| write.get("call").is_some());
    match (body, format.get("typing").and_then(Value::as_str)) {
        (None | Some("yaml"), _) => "no grammar",
        _ if !is_written => "no grammar",
        (_, Some("string")) => "grammar of strings",
        _ => "",
    }
}

/// What the table shows of a call, or of reasoning if there are none.
fn written(format: &Format) -> String {
    format.get("sample").and_then(Value::as_str).map(code).unwrap_or_default()
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
