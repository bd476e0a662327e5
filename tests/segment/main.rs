//! The segment front-end: its cases at every cut, promises on any text, growth,
//! the arguments of API calls, and elements.

#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test that can't go on fails")]
#![allow(unreachable_pub, reason = "one program in several files")]

#[path = "../pieces/elements.rs"]
mod element_pieces;
#[path = "../pieces/segment.rs"]
mod pieces;
#[path = "../support/mod.rs"]
mod support;

use proptest::test_runner::{Config, FileFailurePersistence};

/// So many cases: npm test tries a part of them. Failures are kept beside the file, where git ignores them.
fn config(cases: u32) -> Config {
    let failures = FileFailurePersistence::WithSource("proptest-regressions");
    Config {
        cases: support::thin::thinned(cases as usize) as u32,
        failure_persistence: Some(Box::new(failures)),
        ..Config::default()
    }
}

mod calls;
mod case;
mod conformance;
mod driver;
mod element_reading;
mod elements;
mod held;
mod linear;
mod naive;
mod options;
mod properties;
mod reading;
mod way;
