//! `examples/trace.rs` prints the events of the texts in its head comment.
//! `cargo test` builds examples before it runs anything, and puts them beside the tests.

#![allow(clippy::unwrap_used, reason = "a test that can't go on fails")]

use std::env::current_exe;
use std::io::Write;
use std::process::{Command, Stdio};

/// The example's output, each line without leading white space.
fn trace(text: &str, args: &[&str]) -> Vec<String> {
    let tests = current_exe().unwrap();
    let example =
        tests.ancestors().nth(2).unwrap().join("examples").join(format!("trace{}", std::env::consts::EXE_SUFFIX));
    let mut child = Command::new(&example).args(args).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn();
    let child = child
        .as_mut()
        .unwrap_or_else(|error| panic!("{}: {error}; `cargo build --example trace` makes it", example.display()));
    child.stdin.take().unwrap().write_all(text.as_bytes()).unwrap();
    let mut printed = String::new();
    std::io::Read::read_to_string(child.stdout.as_mut().unwrap(), &mut printed).unwrap();
    assert!(child.wait().unwrap().success(), "{printed}");
    printed.lines().map(|line| line.trim_start().to_owned()).collect()
}

#[track_caller]
fn has(lines: &[String], expected: &[&str]) {
    for line in expected {
        assert!(lines.iter().any(|each| each == line), "{line:?} is not in {lines:#?}");
    }
}

#[test]
fn blocks() {
    let lines = trace("Hello <thinking>hm</thinking>done", &["5"]);
    has(
        &lines,
        &[
            "0..5   chunk \"Hello\"",
            "6..16   markup \"<thinking>\"",
            "16..18   chunk \"hm\"",
            "… 2 pending",
            "18..18 complete 1 Thinking",
            "30..33   chunk \"one\"",
            "33..33 complete 2 Text",
        ],
    );
}

#[test]
fn fields() {
    let lines = trace("Sure: {\"name\": \"Ada\", \"age\": 36}", &["--fields", "5"]);
    has(
        &lines,
        &[
            "16..19   name \"Ada\"",
            "19..19 done name String, ObservedBoundary",
            "31..31 done age Number, ObservedBoundary",
        ],
    );
}

#[test]
fn segments() {
    let lines = trace("If a < b: <run_bash>ls</run_bash>", &["--segments", "5"]);
    has(&lines, &["10..20   markup \"<run_bash>\"", "20..22   2 \"ls\"", "33..33 end    2"]);
}

#[test]
fn tool_calls() {
    has(
        &trace("<tool_call>{\"name\": \"f\"}</tool_call>", &["--tool-calls", "5"]),
        &["22..22 call   1 f", "24..24 done   1 f {}"],
    );
    has(
        &trace("<get><city>Seoul</city></get>", &["--tool-calls=get,add", "5"]),
        &["0..5 call   1 get", "29..29 done   1 get [(\"city\", \"Seoul\")]"],
    );
}
