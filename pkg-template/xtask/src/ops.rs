//! The numbers of the border as TypeScript: `generated/ops.ts`, and one file for each list of names,
//! so that an entry of the package has only the lists that it reads.

use crate::{decoders, workspace};
use anyhow::{Result, ensure};
use std::fmt::Write;
use std::path::Path;
use tokenweir::text::{Bits, Line};
use tokenweir::wire;

/// Writes them into the folder of generated sources.
pub fn write(generated: &Path) -> Result<()> {
    let mut ops = String::from("// Written by `cargo xtask build` from the tables of src/wire.rs.\n");
    for (name, low, lines) in wire::RECORDS {
        ops += &numbers(&format!("{name}Op"), lines.iter().map(|line| (line.variant.to_owned(), line.number)));
        let mask = ("OpMask".to_owned(), (1 << low) - 1);
        ops += &numbers(&format!("{name}Bits"), std::iter::once(mask).chain(lines.iter().flat_map(fields)));
        decoders::write(generated, name, lines)?;
    }
    for (name, lines) in wire::ENUMS.iter().chain(wire::CONSTANTS) {
        ops += &numbers(name, lines.iter().map(|line| (line.variant.to_owned(), line.number)));
    }
    for (name, names) in wire::names() {
        let first = names.first().map_or(0, |&(number, _)| number);
        let is_whole = (first..).zip(&names).all(|(at, &(number, name))| at == number && !name.is_empty());
        ensure!(is_whole, "{name}: every number needs a name: {names:?}");
        list(generated, &mut ops, name, names.iter().map(|(_, name)| format!("'{name}'")))?;
    }
    for (name, literals) in wire::literals() {
        list(generated, &mut ops, name, literals.into_iter())?;
    }
    for (name, stops) in wire::stops() {
        list(generated, &mut ops, name, stops.into_iter().map(quoted))?;
    }
    // The version of a snapshot: that of the crate.
    workspace::write(&generated.join("ops.ts"), ops)
}

/// A `const enum`: tsc leaves nothing of it but the numbers.
fn numbers(name: &str, members: impl Iterator<Item = (String, u32)>) -> String {
    let members: String = members.map(|(member, number)| format!("  {member} = {number},\n")).collect();
    format!("\nexport const enum {name} {{\n{members}}}\n")
}

/// The fields of a record: a bit's mask; of a wider one where it begins, and its mask unless nothing is above it.
fn fields(line: &Line) -> Vec<(String, u32)> {
    let name = |bits: &Bits| line.variant.to_owned() + &pascal(bits.name);
    let members = |bits: &Bits| {
        let (name, width) = (name(bits), bits.to - bits.from);
        match width {
            1 => vec![(name, 1 << bits.from)],
            _ if bits.to == 32 => vec![(name + "Shift", bits.from)],
            _ => vec![(name.clone() + "Shift", bits.from), (name + "Mask", (1 << width) - 1)],
        }
    };
    line.fields.iter().flat_map(members).collect()
}

pub fn pascal(snake: &str) -> String {
    snake.split('_').map(|word| word[..1].to_uppercase() + &word[1..]).collect()
}

/// A list in a file of its own, which ops.ts exports as well.
fn list(generated: &Path, ops: &mut String, name: &str, items: impl Iterator<Item = String>) -> Result<()> {
    let file = name.to_lowercase().replace('_', "-");
    let items: Vec<String> = items.collect();
    writeln!(ops, "\nexport {{ {name} }} from './{file}.js'")?;
    workspace::write(
        &generated.join(format!("{file}.ts")),
        format!("export const {name} = [{}] as const\n", items.join(", ")),
    )
}

/// ASCII characters as a JavaScript string.
fn quoted(bytes: &[u8]) -> String {
    let escaped = |&byte: &u8| match byte {
        b'\'' | b'\\' => format!("\\{}", char::from(byte)),
        0x20..0x7F => char::from(byte).to_string(),
        _ => format!("\\u{byte:04x}"),
    };
    format!("'{}'", bytes.iter().map(escaped).collect::<String>())
}
