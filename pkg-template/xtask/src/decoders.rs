//! The decoders of records as TypeScript, of each enum that `records!` writes: an interface of what receives them, and
//! the `switch` that calls it. A method may be one of a part of the receiver (`=> body.text(text)`), which has an
//! interface of its own. Where a record names no method, it is decoded by hand.

use crate::ops::pascal;
use crate::workspace;
use anyhow::{Context, Result};
use std::path::Path;
use tokenweir::text::{Bits, Line};

/// Writes `generated/NAME-records.ts`, if any record of the enum has a method.
pub fn write(generated: &Path, name: &str, lines: &[Line]) -> Result<()> {
    let decoded: Vec<&Line> = lines.iter().filter(|line| !line.method.is_empty()).collect();
    if decoded.is_empty() {
        return Ok(());
    }
    let (mut cases, mut seen) = (String::new(), Vec::new());
    // The methods of the receiver itself, and those of its parts by their names.
    let mut parts = vec![("", String::new())];
    for line in decoded {
        let arguments = line.arguments.iter().map(|word| argument(name, line, word)).collect::<Result<Vec<_>>>()?;
        let (part, method) = line.method.split_once('.').unwrap_or(("", line.method));
        let method = camel(method);
        let values: Vec<&str> = arguments.iter().map(|(_, _, value)| value.as_str()).collect();
        cases += &format!("    case {name}Op.{}:\n", line.variant);
        let of_part = if part.is_empty() { String::new() } else { format!("{}.", camel(part)) };
        cases += &format!("      return handler.{of_part}{method}({})\n", values.join(", "));
        if seen.contains(&line.method) {
            continue;
        }
        seen.push(line.method);
        let about: String = line.about.iter().filter_map(|about| about.split('"').nth(1)).collect();
        let parameters: Vec<_> = arguments.iter().map(|(name, kind, _)| format!("{name}: {kind}")).collect();
        let at = parts.iter().position(|(name, _)| *name == part).unwrap_or_else(|| {
            parts.push((part, String::new()));
            parts.len() - 1
        });
        parts[at].1 += &format!("  /**{about} */\n  {method}({}): void\n", parameters.join(", "));
    }
    let (methods, of_parts) = interfaces(&parts);
    let bits = if cases.contains(&format!("{name}Bits.")) { format!("{name}Bits, ") } else { String::new() };
    let origin = if cases.contains("text.origin") { "  readonly origin: number\n" } else { "" };
    let file = format!(
        "// Written by `cargo xtask build` from `records!` in Rust.\n\
         import {{ {bits}{name}Op }} from './ops.js'\n\n\
         /** The text at hand, which begins `offset` units from the start of the stream. */\n\
         interface AtHand {{\n  readonly offset: number\n{origin}  \
         slice(from: number, to: number): string\n}}\n\n{of_parts}\
         /** Receives records. Places are UTF-16 code units from the start of the stream. */\n\
         export interface {name}Records {{\n{methods}}}\n\n\
         /** Passes on a record whose number is `op`. */\n\
         export function decode{name}(\n  op: number,\n  word: number,\n  from: number,\n  to: number,\n  \
         text: AtHand,\n  handler: {name}Records,\n): void {{\n  switch (op) {{\n{cases}  }}\n}}\n"
    );
    workspace::write(&generated.join(format!("{}-records.ts", name.to_lowercase())), file)
}

/// The members of what receives the records, and the interfaces of its parts.
fn interfaces(parts: &[(&str, String)]) -> (String, String) {
    let (mut members, mut interfaces) = (String::new(), String::new());
    for (part, methods) in parts {
        if part.is_empty() {
            members += methods;
            continue;
        }
        members += &format!("  readonly {}: {}Records\n", camel(part), pascal(part));
        interfaces += &format!("/** Receives those of its `{part}`. */\n");
        interfaces += &format!("export interface {}Records {{\n{methods}}}\n\n", pascal(part));
    }
    (members, interfaces)
}

/// An argument: its name, its type and its value.
fn argument(name: &str, line: &Line, word: &str) -> Result<(String, String, String)> {
    let of_place = match word {
        "text" => Some(("string", "text.slice(from, to)")),
        // The text, which is cut out only where it is needed.
        "raw" => Some(("() => string", "() => text.slice(from, to)")),
        "from" => Some(("number", "text.offset + from")),
        "to" => Some(("number", "text.offset + to")),
        "length" => Some(("number", "to - from")),
        // A set of them instead of the place's start.
        "rules" => Some(("number", "from - text.origin")),
        _ => None,
    };
    if let Some((kind, value)) = of_place {
        return Ok((word.to_owned(), kind.to_owned(), value.to_owned()));
    }
    let is_character = word == "character";
    let named = |bits: &&Bits| bits.name == if is_character { "code" } else { word };
    let bits = line.fields.iter().find(named).with_context(|| format!("{name}::{}: no `{word}`", line.variant))?;
    let member = format!("{name}Bits.{}{}", line.variant, pascal(bits.name));
    Ok(if bits.to - bits.from == 1 {
        (camel(word), "boolean".to_owned(), format!("(word & {member}) !== 0"))
    } else if is_character {
        (word.to_owned(), "string".to_owned(), format!("String.fromCodePoint(word >>> {member}Shift)"))
    } else if bits.to == 32 {
        (camel(word), "number".to_owned(), format!("word >>> {member}Shift"))
    } else {
        (camel(word), "number".to_owned(), format!("(word >>> {member}Shift) & {member}Mask"))
    })
}

fn camel(snake: &str) -> String {
    let pascal = pascal(snake);
    pascal[..1].to_lowercase() + &pascal[1..]
}
