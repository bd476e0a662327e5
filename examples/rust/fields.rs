//! Each field of a JSON answer in a file, while the answer arrives.
//!
//!     cargo run --example fields -- FILE

mod chunks;

use std::error::Error;
use std::io::{self, Write};
use tokenweir::field::{Event, EventKind, FieldParser, Options, Source};

fn main() -> Result<(), Box<dyn Error>> {
    let mut parser = FieldParser::new(Options::default());
    chunks::each_chunk(|chunk| print(parser.feed(chunk)?))?;
    print(parser.finish())
}

fn print(events: Vec<Event>) -> Result<(), Box<dyn Error>> {
    let mut out = io::stdout().lock();
    for Event { path, kind, .. } in events {
        match kind {
            EventKind::Text(text) => writeln!(out, "{path} + {text:?}")?,
            EventKind::Number(number) => writeln!(out, "{path} = {number}")?,
            EventKind::Word(word) => writeln!(out, "{path} = {word:?}")?,
            EventKind::Done { source: Source::SyntheticRepair, .. } => writeln!(out, "{path} cut off")?,
            EventKind::Done { form, .. } => writeln!(out, "{path} done, {form:?}")?,
            // What was emitted of this document is void.
            EventKind::Reset => writeln!(out, "withdrawn")?,
            EventKind::Fault(fault) => writeln!(out, "{path} {fault:?}")?,
            EventKind::Mismatch => writeln!(out, "not the schema's")?,
            // What later versions add.
            _ => {}
        }
    }
    Ok(())
}
