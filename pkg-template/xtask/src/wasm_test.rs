//! wasm-bindgen tests. This program is its own test runner, so that there is
//! none to install: cargo calls it back for each test program that it built.

use crate::workspace::{self, Workspace};
use anyhow::{Context, Result, bail};
use std::process::Command;

/// Builds `tests/wasm*.rs` for wasm32 and runs them in `place`.
pub fn run(workspace: &Workspace, place: &str, filters: &[&str]) -> Result<()> {
    let this = std::env::current_exe().context("this program does not know where it is")?;
    // As a list in --config, since the path may have a space in it.
    let runner = serde_json::to_string(&[this.to_string_lossy().as_ref(), "wasm-test-runner"])?;
    let mut command = Command::new(workspace::cargo());
    command
        .args([
            "test",
            "--package",
            "tokenweir",
            "--target",
            "wasm32-unknown-unknown",
            "--features",
            "exports",
            "--test",
            "wasm*",
        ])
        .args(["--config", &format!("target.wasm32-unknown-unknown.runner={runner}")])
        .current_dir(&workspace.root)
        .arg("--")
        .args(filters);
    match place {
        "node" => {}
        "chromium" => {
            // Its settings stand in webdriver.json, beside Cargo.toml.
            command.env("WASM_BINDGEN_USE_BROWSER", "1");
            if std::env::var_os("CHROMEDRIVER").is_none() {
                command.env("CHROMEDRIVER", "chromedriver");
            }
        }
        _ => bail!("wasm tests run in `node` or `chromium`, not in `{place}`"),
    }
    workspace::run(&format!("the wasm tests in {place}"), &mut command)
}

/// What cargo calls: runs one test program.
pub fn runner(arguments: &[&str]) -> Result<()> {
    wasm_bindgen_cli::wasm_bindgen_test_runner::run_cli_with_args(
        std::iter::once(&"xtask wasm-test-runner").chain(arguments),
    )
}
