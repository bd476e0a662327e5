//! Files, commands and other tools in an agent's answer, as they arrive.
//!
//!     cargo run --example segments -- examples/streams/agent-turn.txt

mod chunks;

use std::error::Error;
use std::io::{self, Write};
use tokenweir::segment::{Event, EventKind, Options, SegmentParser};

fn main() -> Result<(), Box<dyn Error>> {
    let mut parser = SegmentParser::new(Options::default());
    chunks::each_chunk(|chunk| print(parser.feed(chunk)?))?;
    print(parser.finish())
}

fn print(events: Vec<Event>) -> Result<(), Box<dyn Error>> {
    let mut out = io::stdout().lock();
    for Event { segment, kind, .. } in events {
        match kind {
            EventKind::Start { segment_type, metadata } => {
                writeln!(out, "{segment} {} {metadata:?}", segment_type.name())?;
            }
            EventKind::Content(text) => writeln!(out, "  {text:?}")?,
            EventKind::End => writeln!(out, "{segment} end")?,
            EventKind::Fault(fault) => writeln!(out, "{segment} {fault:?}")?,
            EventKind::Markup(_) => {}
            // What later versions add.
            _ => {}
        }
    }
    Ok(())
}
