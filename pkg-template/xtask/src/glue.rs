//! From Rust to wasm and its glue: cargo, wasm-bindgen, wasm-opt.

use crate::workspace::{self, Workspace};
use anyhow::{Context, Result, bail};
use std::path::PathBuf;
use std::process::Command;
use wasm_bindgen_cli_support::Bindgen;

/// What the package is assembled around.
pub struct Glue {
    /// The generated module, `core.js`.
    pub js: String,
    /// Its types, `core.d.ts`.
    pub types: String,
    /// The optimised wasm.
    pub wasm: Vec<u8>,
}

/// What rustc may emit for wasm32 today, and simd128, which .cargo/config.toml turns on.
const FEATURES: [&str; 7] = [
    "--enable-simd",
    "--enable-bulk-memory",
    "--enable-nontrapping-float-to-int",
    "--enable-sign-ext",
    "--enable-mutable-globals",
    "--enable-reference-types",
    "--enable-multivalue",
];

/// Compiles the crate and makes its glue.
pub fn make(workspace: &Workspace) -> Result<Glue> {
    let compiled = compile(workspace)?;
    let folder = workspace.target.join("glue");
    workspace::fresh(&folder)?;
    Bindgen::new()
        .input_path(&compiled)
        .web(true)?
        .typescript(true)
        .omit_default_module_path(true)
        .out_name("core")
        .generate(&folder)
        .context("wasm-bindgen failed")?;
    if folder.join("snippets").exists() {
        bail!(
            "wasm-bindgen made JavaScript snippets: the package is assembled from one glue file and can't carry them"
        );
    }
    let optimised = folder.join("tokenweir.wasm");
    workspace::run(
        "wasm-opt",
        // By node, as it is a script on every system.
        Command::new("node")
            .arg(workspace.node_module("binaryen/bin/wasm-opt")?)
            .args(["-O3", "--strip-debug", "--strip-producers"])
            .args(FEATURES)
            .arg(folder.join("core_bg.wasm"))
            .arg("-o")
            .arg(&optimised),
    )?;
    Ok(Glue {
        js: across_realms(&workspace::read(&folder.join("core.js"))?)?,
        types: workspace::read(&folder.join("core.d.ts"))?,
        wasm: std::fs::read(&optimised)?,
    })
}

/// `cargo build` for wasm32. The wasm must not name folders of this machine, so panics name them short.
fn compile(workspace: &Workspace) -> Result<PathBuf> {
    let remap = [(workspace.root.clone(), "tokenweir"), (cargo_home()?, "cargo")]
        .map(|(from, to)| format!("--remap-path-prefix={}={to}", from.display()));
    let flags = serde_json::to_string(&remap)?;
    workspace::run(
        "cargo build",
        Command::new(workspace::cargo())
            .args(["build", "--release", "--lib", "--package", "tokenweir", "--target", "wasm32-unknown-unknown"])
            // By --config and not by RUSTFLAGS, which would replace the flags of .cargo/config.toml.
            .args(["--config", &format!("target.wasm32-unknown-unknown.rustflags={flags}")])
            .current_dir(&workspace.root),
    )?;
    Ok(workspace.target.join("wasm32-unknown-unknown/release/tokenweir.wasm"))
}

fn cargo_home() -> Result<PathBuf> {
    if let Some(home) = std::env::var_os("CARGO_HOME") {
        return Ok(home.into());
    }
    Ok(std::env::home_dir().context("this user has no home folder")?.join(".cargo"))
}

/// Makes the glue know a module that was compiled in another realm (an edge
/// runtime's sandbox, an iframe), where `instanceof` says no.
fn across_realms(js: &str) -> Result<String> {
    const ONE_REALM: &str = "module instanceof WebAssembly.Module";
    const ANY_REALM: &str = "Object.prototype.toString.call(module) === '[object WebAssembly.Module]'";
    if !js.contains(ONE_REALM) {
        bail!("the glue has no `{ONE_REALM}` any more: look at how it tells a module, and change glue.rs");
    }
    let js = js.replace(ONE_REALM, ANY_REALM);
    if js.contains("instanceof WebAssembly.Module") {
        bail!("the glue still has an `instanceof WebAssembly.Module`: change glue.rs");
    }
    Ok(js)
}
