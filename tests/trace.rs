//! The example `trace` runs, and prints what happens in each front-end.

#![allow(clippy::unwrap_used, reason = "a test that can't go on fails")]

use std::io::Write;
use std::process::{Command, Stdio};

/// What the example prints of a text, and whether it ended well. Cargo builds it.
fn trace(text: &str, arguments: &[&str]) -> (String, bool) {
    let mut program = Command::new(env!("CARGO"))
        .args(["run", "--quiet", "--example", "trace", "--"])
        .args(arguments)
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    program.stdin.take().unwrap().write_all(text.as_bytes()).unwrap();
    let output = program.wait_with_output().unwrap();
    (String::from_utf8(output.stdout).unwrap(), output.status.success())
}

/// The lines without their positions.
fn lines(text: &str, arguments: &[&str]) -> Vec<String> {
    let (printed, is_good) = trace(text, arguments);
    assert!(is_good, "{arguments:?}");
    printed.lines().map(|line| line.split_once(' ').map_or(line, |_| line.get(10..).unwrap()).to_owned()).collect()
}

#[test]
fn each_front_end_is_traced() {
    assert_eq!(
        lines("Hi <thinking>hm", &["9"]),
        [
            "start    0 Text",
            "  chunk \"Hi \"",
            "… 6 held",
            "complete 0 Text",
            "start    1 Thinking",
            "  markup \"<thinking>\"",
            "  chunk \"hm\"",
            "complete 1 Thinking",
        ]
    );
    assert_eq!(
        lines(r#"Sure: {"name": "Ada",}"#, &["--fields", "18"]),
        ["  name \"Ad\"", "  name \"a\"", "done name String, ObservedBoundary", "rules: [\"trailing-comma\"]",]
    );
    assert_eq!(
        lines("1 <run_bash>ls</run_bash>", &["--segments"]),
        [
            "start  1 text []",
            "  1 \"1 \"",
            "end    1",
            "  markup \"<run_bash>\"",
            "start  2 run_bash []",
            "  2 \"ls\"",
            "  markup \"</run_bash>\"",
            "end    2",
        ]
    );
    assert_eq!(
        lines(r#"<tool_call>{"name": "f"}</tool_call>"#, &["--tool-calls"]),
        ["call   1 f", "  1 {}", "done   1 f {}", "end    1"]
    );
    assert_eq!(
        lines("<get><city>Seoul</city></get>", &["--tool-calls=add,get"]),
        ["call   1 get", "  1 city", "    1 \"Seoul\"", "  1 end", "done   1 get [(\"city\", \"Seoul\")]", "end    1",]
    );
}

#[test]
fn an_unknown_flag_is_refused() {
    assert_eq!(trace("a", &["--nothing"]), (String::new(), false));
}
