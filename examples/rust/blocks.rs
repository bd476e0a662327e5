//! Text, thinking, tool calls and tool results of a file, as they arrive.
//!
//!     cargo run --example blocks -- examples/streams/anthropic-tools.xml

mod chunks;

use std::error::Error;
use std::io::{self, Write};
use tokenweir::block::{BlockParser, Event, EventKind, Options};

fn main() -> Result<(), Box<dyn Error>> {
    let mut parser = BlockParser::new(Options::default());
    chunks::each_chunk(|chunk| print(parser.feed(chunk)?))?;
    print(parser.finish())
}

fn print(events: Vec<Event>) -> Result<(), Box<dyn Error>> {
    let mut out = io::stdout().lock();
    for Event { kind, .. } in events {
        match kind {
            EventKind::BlockStart { index, block } => writeln!(out, "{index} {block:?}")?,
            EventKind::Chunk { part, text, .. } => match part {
                Some(part) => writeln!(out, "  {part:?} {text:?}")?,
                None => writeln!(out, "  {text:?}")?,
            },
            // A call that was cut off is not executed.
            EventKind::BlockComplete { index, is_incomplete: true, .. } => writeln!(out, "{index} incomplete")?,
            EventKind::BlockComplete { index, tool_name: Some(name), input: Some(input), .. } => {
                writeln!(out, "{index} call {name} {input}")?;
            }
            EventKind::BlockComplete { index, .. } => writeln!(out, "{index} complete")?,
            EventKind::OwnTag { .. } | EventKind::Markup | EventKind::UnopenedThinking => {}
            // What later versions add.
            _ => {}
        }
    }
    Ok(())
}
