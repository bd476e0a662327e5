//! Another reading, of well-formed text alone: the whole text in one go, by
//! `find`, and JSON by serde_json. Nothing of the machine is in it.

use crate::reading::Emitted;
use serde_json::{Map, Value};

/// What opens a segment.
const OPENINGS: [&str; 8] = [
    "<think>",
    "<thinking>",
    "<run_bash>",
    "<write_file path=\"",
    "<tool name=\"",
    "{\"tool\":",
    "{\"function\":",
    "[[SEG_START ",
];

/// The events of a text, spans in UTF-16 units.
pub fn read(text: &str) -> Vec<Emitted> {
    let units = |byte: usize| text[..byte].encode_utf16().count() as u64;
    let mut emitted = Vec::new();
    let mut segment = |kind: &str, metadata: Map<String, Value>, from: usize, to: usize| {
        emitted.push(Emitted::Start(kind.to_owned(), metadata));
        if from < to {
            emitted.push(Emitted::Content(text[from..to].to_owned(), Some((units(from), units(to)))));
        }
        emitted.push(Emitted::End);
    };
    let mut at = 0;
    loop {
        let opening = OPENINGS.iter().filter_map(|&opening| Some((at + text[at..].find(opening)?, opening))).min();
        let from = opening.map_or(text.len(), |(from, _)| from);
        if at < from {
            segment("text", Map::new(), at, from);
        }
        let Some((_, opening)) = opening else { return emitted };
        let inside = from + opening.len();
        at = match opening {
            "<run_bash>" => {
                let (end, next) = find_closing(text, inside, "</run_bash");
                segment("run_bash", Map::new(), inside, end);
                next
            }
            "<think>" | "<thinking>" => {
                let (end, next) = find_closing(text, inside, &opening.replace('<', "</").replace('>', ""));
                segment("reasoning", Map::new(), inside, end);
                next
            }
            "<write_file path=\"" => {
                let quote = find(text, inside, "\">");
                let (end, next) = find_closing(text, quote, "</write_file");
                segment("write_file", named(&[("path", &text[inside..quote])]), quote + 2, end);
                next
            }
            "<tool name=\"" => {
                let quote = find(text, inside, "\">");
                let name = &text[inside..quote];
                let content = match name {
                    "write_file" => Some(("content", "CONTENT")),
                    "patch_file" | "edit_file" => Some(("patch", "PATCH")),
                    _ => None,
                };
                let Some((argument, marker)) = content else {
                    let (end, next) = find_closing(text, quote, "</tool");
                    segment("tool_call", named(&[("tool_name", name)]), quote + 2, end);
                    at = next;
                    continue;
                };
                let opening = format!("<arg name=\"{argument}\">");
                let mut start = find(text, quote, &opening) + opening.len();
                let bracket = format!("__START_{marker}__\n");
                let is_bracketed = text[start..].starts_with(&bracket);
                start += if is_bracketed { bracket.len() } else { 0 };
                let closing = if is_bracketed { format!("__END_{marker}__</arg") } else { "</arg".to_owned() };
                let (end, _) = find_closing(text, start, &closing);
                // The path stands before the content or after it.
                let front = text[quote..start].find("<arg name=\"path\">").map(|found| quote + found);
                let path =
                    front.unwrap_or_else(|| find(text, end, "<arg name=\"path\">")) + "<arg name=\"path\">".len();
                let path = text[path..find_closing(text, path, "</arg").0].trim();
                segment(name, named(&[("tool_name", name), ("path", path)]), start, end);
                find_closing(text, end, "</tool").1
            }
            "[[SEG_START " => {
                let brackets = inside + json_len(&text[inside..]);
                let header: Map<String, Value> = serde_json::from_str(&text[inside..brackets]).unwrap();
                let start = brackets + "]]".len();
                let end = find(text, start, "[[SEG_END]]");
                let kind = header["type"].as_str().unwrap();
                let others = header.iter().filter(|(name, _)| *name != "type");
                segment(kind, others.map(|(name, value)| (name.clone(), value.clone())).collect(), start, end);
                end + "[[SEG_END]]".len()
            }
            _ => {
                let end = from + json_len(&text[from..]);
                segment("tool_call", Map::new(), from, end);
                end
            }
        };
    }
}

fn find(text: &str, from: usize, what: &str) -> usize {
    from + text[from..].find(what).unwrap_or_else(|| panic!("no {what} after {from}: not well-formed: {text:?}"))
}

/// Where a closing tag begins and ends, which may have white space before its `>`.
fn find_closing(text: &str, from: usize, front: &str) -> (usize, usize) {
    let mut at = find(text, from, front);
    loop {
        if let Some(rest) = text[at + front.len()..].trim_start_matches([' ', '\t', '\n', '\r']).strip_prefix('>') {
            return (at, text.len() - rest.len());
        }
        at = find(text, at + 1, front);
    }
}

fn named(metadata: &[(&str, &str)]) -> Map<String, Value> {
    metadata.iter().map(|&(name, value)| (name.to_owned(), value.into())).collect()
}

/// Length of the JSON value that a text begins with.
fn json_len(text: &str) -> usize {
    let mut values = serde_json::Deserializer::from_str(text).into_iter::<Value>();
    values.next().unwrap().unwrap_or_else(|error| panic!("{text}: {error}"));
    values.byte_offset()
}
