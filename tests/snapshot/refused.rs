//! What is not a snapshot of such a parser is refused, and says why.

use std::sync::Arc;
use tokenweir::block::{BlockParser, Declared, Options};
use tokenweir::edit::{self, EditParser};
use tokenweir::field::{self, FieldParser};
use tokenweir::segment::{self, SegmentParser};
use tokenweir::text::Snapshot;
use tokenweir::tool_call::{self, ToolCallParser};
use tokenweir::{Error, ErrorKind};

fn snapshot() -> Snapshot {
    let mut parser = BlockParser::new(Options::default());
    parser.feed("<thinking>hm <fun").unwrap();
    parser.snapshot()
}

fn restore(saved: &str) -> Result<BlockParser, Error> {
    BlockParser::restore(Options::default(), &saved.parse()?)
}

fn code(saved: &str) -> &'static str {
    restore(saved).unwrap_err().kind.code()
}

#[test]
fn of_another_version() {
    let saved = snapshot().to_string();
    assert_eq!(code(&saved.replacen(" 1 ", " 2 ", 1)), "snapshot-version");
    let error = restore(&saved.replacen(tokenweir::ENGINE, "0.0.0", 1)).unwrap_err();
    assert_eq!(error.kind, ErrorKind::SnapshotVersion);
    assert_eq!(
        error.to_string(),
        "the snapshot was taken by another version of tokenweir: restore it with that version"
    );
}

#[test]
fn of_another_parser() {
    let snapshot = snapshot();
    assert_eq!(code(&snapshot.to_string().replacen("blocks", "fields", 1)), "snapshot-parser");
    let errors = [
        FieldParser::restore(field::Options::default(), &snapshot).unwrap_err(),
        SegmentParser::restore(segment::Options::default(), &snapshot).unwrap_err(),
        ToolCallParser::restore(tool_call::Options::hermes(), &snapshot).unwrap_err(),
    ];
    assert!(errors.iter().all(|error| error.kind.code() == "snapshot-parser"));
    assert_eq!(errors[0].to_string(), "the snapshot is of another parser: `Snapshot::parser` names it");
}

#[test]
fn each_changed_byte() {
    let saved = snapshot().to_string();
    for at in 0..saved.len() {
        let mut bytes = saved.clone().into_bytes();
        bytes[at] = if bytes[at] == b'7' { b'3' } else { b'7' };
        assert!(restore(std::str::from_utf8(&bytes).unwrap()).is_err(), "{at}");
        assert!(restore(&saved[..at]).is_err(), "cut at {at}");
    }
    assert_eq!(code(&format!("{saved}x")), "snapshot-invalid");
    assert_eq!(code(""), "snapshot-invalid");
    assert_eq!(
        restore("tokenweir").unwrap_err().to_string(),
        "the snapshot was changed or cut: restore it as `snapshot` gave it"
    );
}

#[test]
fn with_other_options() {
    let of = |kind| {
        let ErrorKind::SnapshotOptions { name, saved, given } = kind else { panic!("{kind:?}") };
        (name, saved, given)
    };
    let named = |options: Options| of(BlockParser::restore(options, &snapshot()).unwrap_err().kind);
    let values = |name, saved: &str, given: &str| (name, saved.to_owned(), given.to_owned());
    assert_eq!(named(Options { skips_code: true, ..Options::default() }), values("skips_code", "false", "true"));
    assert_eq!(
        named(Options { trim_parameters: false, ..Options::default() }),
        values("trim_parameters", "true", "false")
    );
    let declared: Options = Options { declared: Some(Arc::new(|_, _| Declared::Unknown)), ..Options::default() };
    assert_eq!(named(declared).0, "declared");
    let mut tags = tokenweir::block::TagTable::default();
    tags.set("plan", Some(tokenweir::block::Role::Thinking)).unwrap();
    let error = BlockParser::restore(Options { tags, ..Options::default() }, &snapshot()).unwrap_err();
    let message = error.to_string();
    let (name, saved, given) = of(error.kind);
    assert!(name == "tags" && saved != given && saved.len() < 100, "{saved} {given}");
    assert_eq!(message, format!("`tags` is {given}, but {saved} in the snapshot: restore it with the same options"));

    let snapshot = ToolCallParser::new(tool_call::Options::morph(&["get"])).snapshot();
    let error = ToolCallParser::restore(tool_call::Options::morph(&["add"]), &snapshot).unwrap_err();
    assert_eq!(of(error.kind).0, "tools");

    let snapshot = EditParser::new(edit::Options::default()).snapshot();
    let other = edit::Options { whole: true, ..edit::Options::default() };
    assert_eq!(of(EditParser::restore(other, &snapshot).unwrap_err().kind), values("whole", "false", "true"));
}
