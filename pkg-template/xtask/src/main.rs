//! The build program of the npm package.
//!
//! ```text
//! cargo xtask build                                   makes pkg/, and lists its sizes
//! cargo xtask build --quick                           the same with one WebAssembly for all entries
//! cargo xtask build --debug                           makes target/debug-pkg/
//! cargo xtask wasm NAME                               makes one WebAssembly of those in wasm.rs, in target/wasm/
//! cargo xtask formats                                 writes docs/formats.md, src/format/rows.rs and target/pkg-src
//! cargo xtask wasm-test node|chromium [filter]        runs tests/wasm*.rs (feature `test-runner`)
//! ```
//!
//! It is a program and not a shell script so that Cargo.lock pins all of it,
//! wasm-bindgen included, and a fresh machine has nothing to install by hand.

mod decoders;
mod formats;
mod ops;
mod package;
mod wasm;
#[cfg(feature = "test-runner")]
mod wasm_test;
mod wasm_text;
mod workspace;

use anyhow::{Result, bail};
use std::process::ExitCode;
use workspace::Workspace;

const USAGE: &str = "cargo xtask build [--quick | --debug] | wasm NAME | formats | wasm-test node|chromium [filter]";

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    match run(&args) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("xtask: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn run(args: &[String]) -> Result<()> {
    let words: Vec<&str> = args.iter().map(String::as_str).collect();
    match words.as_slice() {
        ["build"] => {
            let workspace = Workspace::find()?;
            package::make(&workspace, &wasm::make_all(&workspace)?)?;
            package::list_sizes(&workspace)
        }
        ["build", "--quick"] => {
            let workspace = Workspace::find()?;
            package::make(&workspace, &wasm::make_quick(&workspace)?)
        }
        ["build", "--debug"] => {
            let workspace = Workspace::find()?;
            let folder = workspace.target.join("debug-pkg");
            package::make_debug(&workspace, &folder, |modules| wasm::make_debug(&workspace, modules))
        }
        ["wasm", name] => wasm::make_one(&Workspace::find()?, name),
        ["formats"] => {
            let workspace = Workspace::find()?;
            let sources = workspace.target.join("pkg-src");
            package::lay_formats(&workspace, &sources)?;
            formats::write_rows(&workspace, &sources)?;
            formats::write_page(&workspace, &workspace.path("docs"))
        }
        #[cfg(feature = "test-runner")]
        ["wasm-test", place, filters @ ..] => wasm_test::run(&Workspace::find()?, place, filters),
        // Cargo calls this one, for each wasm test program that it built.
        #[cfg(feature = "test-runner")]
        ["wasm-test-runner", arguments @ ..] => wasm_test::runner(arguments),
        #[cfg(not(feature = "test-runner"))]
        ["wasm-test", ..] => bail!(
            "wasm-test needs the feature: cargo run --profile xtask -p xtask --features test-runner -- wasm-test node"
        ),
        _ => bail!("usage: {USAGE}, but got {args:?}"),
    }
}
