//! Headers as long as they may be, and longer ones: `path-too-long`, or text.

use crate::reading::{check, lines, read};
use tokenweir::edit::{LONGEST_HEADER, Options};

/// The events of a text in which `…` is so much that a line has a length, whole and in pieces. Long texts are `…` again.
fn events(text: &str, length: usize) -> String {
    let line = text.lines().find(|line| line.contains('…')).unwrap();
    let more = "x".repeat(length - (line.len() - '…'.len_utf8()));
    let text = text.replace('…', &more);
    let of = |size: usize| {
        let pieces: Vec<&str> = text.as_bytes().chunks(size).map(|piece| std::str::from_utf8(piece).unwrap()).collect();
        let events = read(&Options::default(), pieces, true);
        check(&events, &text);
        lines(&events).join("\n").replace(&more, "…")
    };
    let whole = of(usize::MAX);
    for size in [1, 7, 4_096] {
        assert_eq!(of(size), whole);
    }
    whole
}

const LONGEST: usize = LONGEST_HEADER as usize;

#[test]
fn a_header_of_a_patch() {
    let text = "*** Begin Patch\n*** Add File: …\n+1\n*** Delete File: b\n*** End Patch\n";
    let rest = "file 0 delete \"b\" v4a\ndone 0";
    let added = "file 0 add \"…\" v4a\nhunk 0.0 []\nnew 0.0 \"1\\n\"\ndone 0.0 \"\" \"1\\n\"\ndone 0\n";
    assert_eq!(events(text, LONGEST), format!("{added}{}", rest.replace('0', "1")));
    assert_eq!(events(text, LONGEST + 1), format!("malformed path-too-long 16..16\n{rest}"));
}

#[test]
fn what_moves_a_file() {
    let text = "*** Begin Patch\n*** Update File: a\n*** Move to: …\n-1\n*** Delete File: b\n*** End Patch\n";
    assert!(events(text, LONGEST).starts_with("file 0 move \"a\" \"…\" v4a\nhunk 0.0 []\nold 0.0 \"1\\n\"\ndone 0.0"));
    let rest = "file 0 delete \"b\" v4a\ndone 0";
    assert_eq!(events(text, LONGEST + 1), format!("malformed path-too-long 35..35\n{rest}"));
}

#[test]
fn a_header_of_a_hunk() {
    let text = "*** Begin Patch\n*** Update File: a\n-1\n@@ …\n-2\n*** Delete File: b\n*** End Patch\n";
    let first = "file 0 update \"a\" v4a\nhunk 0.0 []\nold 0.0 \"1\\n\"\n";
    assert!(events(text, LONGEST).starts_with(&format!("{first}done 0.0 \"1\\n\" \"\"\nhunk 0.1 [\"…\"]\n")));
    let rest = "file 1 delete \"b\" v4a\ndone 1";
    assert_eq!(events(text, LONGEST + 1), format!("{first}malformed path-too-long 0.0 38..38\n{rest}"));
}

#[test]
fn a_header_of_a_hunk_in_a_diff() {
    let text = "--- a\n+++ a\n@@ …\n-1\n";
    assert_eq!(
        events(text, LONGEST),
        "file 0 update \"a\" unified\nhunk 0.0 [\"…\"]\nold 0.0 \"1\\n\"\ndone 0.0 \"1\\n\" \"\"\ndone 0"
    );
    let after = "text \"-1\\n\"";
    let spoiled = "file 0 update \"a\" unified\nmalformed path-too-long 0 12..12";
    assert_eq!(events(text, LONGEST + 1), format!("{spoiled}\n{after}"));
    let text = "--- a\n+++ a\n@@ -1 +1 @@\n-2\n@@ …\n-1\n";
    let first = "file 0 update \"a\" unified\nhunk 0.0 [] 1,1,1,1\nold 0.0 \"2\\n\"\ndone 0.0 \"2\\n\" \"\"";
    assert_eq!(events(text, LONGEST + 1), format!("{first}\nmalformed path-too-long 0 27..27\n{after}"));
}

#[test]
fn the_headers_of_a_diff_are_text_then() {
    for text in ["--- …\n+++ a\n@@\n-1\n", "--- a\n+++ …\n@@\n-1\n", "--- …", "--- a\n+++ …"] {
        let found = events(text, LONGEST + 1);
        assert!(found.starts_with("text "), "{found}");
        assert_eq!(found.lines().count(), 1, "{found}");
    }
    let text = "--- a\n+++ a\n--- …\n+++ b\n";
    let empty = "file 0 update \"a\" unified\nmalformed empty-update 0 12..12\ntext \"--- …\\n+++ b\\n\"";
    assert_eq!(events(text, LONGEST + 1), empty);
    // In a hunk they are lines of it.
    for section in ["@@ -1,2 +1,1 @@", "@@"] {
        let text = format!("--- a\n+++ a\n{section}\n-1\n--- …\n+++ b\n");
        assert!(events(&text, LONGEST + 1).contains("old 0.0 \"1\\n-- …\\n\"\nnew 0.0 \"++ b\\n\""));
    }
}

#[test]
fn names_of_blocks() {
    let block = "<<<<<<< SEARCH\n1\n=======\n2\n>>>>>>> REPLACE\n";
    let name = format!("….py\n{block}");
    assert!(events(&name, LONGEST).contains("file 0 update \"….py\" search-replace"));
    assert!(events(&name, LONGEST + 1).contains("malformed missing-path"));
}
