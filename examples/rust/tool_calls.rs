//! Tool calls of a local model, which writes them as JSON between tags.
//!
//!     cargo run --example tool_calls -- FILE

mod chunks;

use std::error::Error;
use std::io::{self, Write};
use tokenweir::tool_call::{Event, EventKind, Options, ToolCallParser};

fn main() -> Result<(), Box<dyn Error>> {
    let mut parser = ToolCallParser::new(Options::hermes());
    chunks::each_chunk(|chunk| print(parser.feed(chunk)?))?;
    print(parser.finish())
}

fn print(events: Vec<Event>) -> Result<(), Box<dyn Error>> {
    let mut out = io::stdout().lock();
    for Event { call, kind, .. } in events {
        match kind {
            EventKind::Text(text) | EventKind::Failed(text) => writeln!(out, "text {text:?}")?,
            EventKind::Reasoning(text) => writeln!(out, "reasoning {text:?}")?,
            EventKind::CallStart { name } => writeln!(out, "{call} {name}")?,
            EventKind::Delta(json) => writeln!(out, "  {json:?}")?,
            EventKind::ArgumentsRestart => writeln!(out, "  again:")?,
            // Only now is it sure that this is a call.
            EventKind::CallDone { name, arguments, .. } => writeln!(out, "{call} call {name} {arguments}")?,
            EventKind::Fail(why) => writeln!(out, "{call} not a call: {why:?}")?,
            EventKind::Markup | EventKind::End | EventKind::FailEnd { .. } => {}
            EventKind::ReasoningStart | EventKind::ReasoningRestart | EventKind::ReasoningEnd => {}
            EventKind::CitationStart | EventKind::CitationEnd(_) => {}
            // What later versions add.
            _ => {}
        }
    }
    Ok(())
}
