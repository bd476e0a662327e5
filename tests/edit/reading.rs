//! How edits are read in tests, and written down:
//!
//! ```text
//! text "Look:\n"
//! file 0 update "a" v4a                 file 1 move "a" "b" unified
//! hunk 0.0 ["f"]                        hunk 0.0 [] 1,2,3,4
//! both 0.0 "x\n"                        deltas of one hunk and side are joined
//! done 0.0 "old" "new"                  done 0.0 "old" "new" at-end
//! done 0
//! malformed bad-line 0.0 5..9           malformed stray-marker 5..9
//! ```

use crate::support::events_of;
use tokenweir::edit::{EditParser, Event, EventKind, Options, Side};

/// The events of a text that is fed in pieces.
pub fn read<'a>(options: &Options, pieces: impl IntoIterator<Item = &'a str>, has_finished: bool) -> Vec<Event> {
    read_with(options, pieces, has_finished, |_, _| {})
}

/// Reads so, and `look` sees the parser and all events after each piece and after the end.
pub fn read_with<'a>(
    options: &Options,
    pieces: impl IntoIterator<Item = &'a str>,
    has_finished: bool,
    look: impl FnMut(&EditParser, &[Event]),
) -> Vec<Event> {
    let finish = if has_finished { EditParser::finish_whole } else { EditParser::finish };
    events_of(EditParser::new(options.clone()), pieces, finish, look)
}

/// Checks what holds for any text: the protocol, and that spans tile the input.
pub fn check(events: &[Event], text: &str) {
    let units: Vec<u16> = text.encode_utf16().collect();
    let slice = |from: u64, to: u64| String::from_utf16(&units[from as usize..to as usize]).unwrap();
    let mut at = 0;
    let mut open: Option<(u32, bool)> = None;
    let mut hunk: Option<(u32, u32, String, String)> = None;
    let (mut files, mut hunks) = (0, 0);
    for Event { kind, span } in events {
        assert!(span.start <= span.end && span.end <= units.len() as u64, "{kind:?} {span:?}");
        match kind {
            EventKind::Text(piece) | EventKind::Markup(piece) | EventKind::Delta { text: piece, .. } => {
                assert!(!piece.is_empty(), "an empty piece");
                assert_eq!(span.start, at, "spans don't tile at {kind:?}");
                assert_eq!(*piece, slice(span.start, span.end));
                at = span.end;
            }
            EventKind::Malformed { .. } => {
                assert_eq!(span.start, at, "spans don't tile at {kind:?}");
                at = span.end;
            }
            EventKind::File { .. } => assert!(span.start == at && span.is_empty(), "{kind:?} {span:?} {at}"),
            EventKind::Hunk { .. } => assert!(span.start <= at && span.is_empty(), "{kind:?} {span:?} {at}"),
            EventKind::HunkDone { .. } | EventKind::FileDone { .. } => assert_eq!(span.end, at, "{kind:?}"),
            _ => panic!("unknown: {kind:?}"),
        }
        match kind {
            EventKind::Text(_) => assert!(hunk.is_none(), "text in a hunk"),
            EventKind::Markup(_) => {}
            EventKind::File { file, path, .. } => {
                assert_eq!(*file, files);
                assert!(open.is_none_or(|(_, is_spoiled)| is_spoiled), "a file in a file");
                assert!(!path.is_empty());
                (open, hunks) = (Some((*file, false)), 0);
                files += 1;
            }
            EventKind::Hunk { file, hunk: number, .. } => {
                assert_eq!((Some(*file), *number), (open.map(|(file, _)| file), hunks));
                assert!(hunk.is_none(), "a hunk in a hunk");
                hunk = Some((*file, *number, String::new(), String::new()));
                hunks += 1;
            }
            EventKind::Delta { file, hunk: number, side, text } => {
                let (open, nth, old, new) = hunk.as_mut().expect("a delta outside of hunks");
                assert_eq!((&*open, &*nth), (file, number));
                if *side != Side::New {
                    old.push_str(text);
                }
                if *side != Side::Old {
                    new.push_str(text);
                }
            }
            EventKind::HunkDone { file, hunk: number, old, new, .. } => {
                let whole = hunk.take().expect("no hunk to be done");
                assert_eq!(whole, (*file, *number, old.clone(), new.clone()));
            }
            EventKind::FileDone { file } => {
                assert!(hunk.is_none(), "a file is done in a hunk");
                assert_eq!(open.take(), Some((*file, false)));
            }
            EventKind::Malformed { file, hunk: number, .. } => {
                if let Some(file) = file {
                    assert_eq!(open.map(|(open, _)| open), Some(*file));
                    open = Some((*file, true));
                }
                if let Some(number) = number {
                    assert_eq!(hunk.take().map(|(_, nth, ..)| nth), Some(*number));
                }
            }
            _ => panic!("unknown: {kind:?}"),
        }
    }
    assert_eq!(at, units.len() as u64, "spans don't reach the end");
    assert!(hunk.is_none(), "a hunk is open after the end");
    assert!(open.is_none_or(|(_, is_spoiled)| is_spoiled), "a file is open after the end");
}

/// The events as lines; text and deltas are joined.
pub fn lines(events: &[Event]) -> Vec<String> {
    let json = |text: &String| serde_json::to_string(text).unwrap();
    let mut lines: Vec<String> = Vec::new();
    let mut last = (String::new(), String::new());
    for Event { kind, span } in events {
        let (front, text) = match kind {
            EventKind::Markup(_) => continue,
            EventKind::Text(text) => ("text".to_owned(), text),
            EventKind::Delta { file, hunk, side, text } => (format!("{} {file}.{hunk}", side.name()), text),
            EventKind::File { .. }
            | EventKind::Hunk { .. }
            | EventKind::HunkDone { .. }
            | EventKind::FileDone { .. }
            | EventKind::Malformed { .. } => {
                last = (String::new(), String::new());
                lines.push(match kind {
                    EventKind::File { file, op, path, move_to, format } => {
                        let moved = move_to.as_ref().map_or(String::new(), |to| format!(" {}", json(to)));
                        format!("file {file} {} {}{moved} {}", op.name(), json(path), format.name())
                    }
                    EventKind::Hunk { file, hunk, context, range } => {
                        let context = serde_json::to_string(context).unwrap();
                        let range = range.map_or(String::new(), |[a, b, c, d]| format!(" {a},{b},{c},{d}"));
                        format!("hunk {file}.{hunk} {context}{range}")
                    }
                    EventKind::HunkDone { file, hunk, old, new, at_end } => {
                        let at_end = if *at_end { " at-end" } else { "" };
                        format!("done {file}.{hunk} {} {}{at_end}", json(old), json(new))
                    }
                    EventKind::FileDone { file } => format!("done {file}"),
                    EventKind::Malformed { fault, file, hunk } => {
                        let file = file.map_or(String::new(), |file| format!(" {file}"));
                        let hunk = hunk.map_or(String::new(), |hunk| format!(".{hunk}"));
                        format!("malformed {}{file}{hunk} {}..{}", fault.code(), span.start, span.end)
                    }
                    EventKind::Markup(_) | EventKind::Text(_) | EventKind::Delta { .. } => continue,
                    _ => panic!("unknown: {kind:?}"),
                });
                continue;
            }
            _ => panic!("unknown: {kind:?}"),
        };
        if last.0 == front {
            lines.pop();
        } else {
            last = (front, String::new());
        }
        last.1.push_str(text);
        lines.push(format!("{} {}", last.0, json(&last.1)));
    }
    lines
}
