//! Arrows point one way: each room knows only those before it.

#![allow(clippy::unwrap_used, reason = "a test that can't go on fails")]

use std::fs;
use std::path::{Path, PathBuf};

/// Each room, and the rooms of this crate that it may name. `error` is everybody's.
const ROOMS: [(&str, &[&str]); 13] = [
    ("text", &["engine", "error"]),
    ("scan", &["text"]),
    ("xml", &["scan", "text"]),
    ("json", &["scan", "text"]),
    ("markdown", &["text"]),
    ("reasoning", &["markdown", "scan", "text"]),
    ("block", &["json", "xml", "reasoning", "markdown", "scan", "text", "error"]),
    ("field", &["json", "reasoning", "markdown", "scan", "text", "error"]),
    ("segment", &["json", "xml", "reasoning", "markdown", "scan", "text", "error"]),
    ("edit", &["scan", "text"]),
    ("format", &["json", "xml", "reasoning", "markdown", "scan", "text", "error"]),
    ("tool_call", &["format", "json", "xml", "reasoning", "markdown", "scan", "text", "error"]),
    ("wasm", &["block", "edit", "field", "format", "segment", "tool_call", "json", "xml", "scan", "text", "error"]),
];

fn files(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            found.extend(files(&path));
        } else {
            found.push(path);
        }
    }
    found.sort();
    found
}

/// The rooms that a source names by `crate::`.
fn named_rooms(source: &str) -> Vec<String> {
    let code = source.lines().filter(|line| !line.trim_start().starts_with("//"));
    let mut rooms = Vec::new();
    for line in code {
        for rest in line.split("crate::").skip(1) {
            rooms.push(rest.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect());
        }
    }
    rooms
}

#[test]
fn rooms_know_only_those_below() {
    let src = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let rooms: Vec<_> =
        fs::read_dir(&src).unwrap().map(|entry| entry.unwrap().path()).filter(|path| path.is_dir()).collect();
    assert_eq!(rooms.len(), ROOMS.len(), "a room is missing from the list: {rooms:?}");
    for (room, below) in ROOMS {
        for file in files(&src.join(room)) {
            let source = fs::read_to_string(&file).unwrap();
            for named in named_rooms(&source) {
                assert!(named == room || below.contains(&named.as_str()), "{} names `{named}`", file.display());
            }
        }
    }
}

#[test]
fn only_the_border_knows_wasm_bindgen() {
    let src = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    for file in files(&src) {
        let source = fs::read_to_string(&file).unwrap();
        let is_border = file.starts_with(src.join("wasm"));
        assert!(is_border || !source.contains("wasm_bindgen"), "{} names wasm_bindgen", file.display());
    }
}

#[test]
fn a_named_room_is_found() {
    assert_eq!(
        named_rooms("use crate::scan::find_any;\n// crate::wasm\nlet x = crate::text::utf16_len;"),
        ["scan", "text"]
    );
}
