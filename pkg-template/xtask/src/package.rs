//! From the wasm and the TypeScript sources to `pkg/`.
//!
//! ```text
//! target/pkg-src/src/**            copy of pkg-template/src
//! target/pkg-src/src/generated/    types of the wasm's exports, each wasm as text, and the numbers of the border
//!   tsc
//! target/pkg-src/js/**             JavaScript
//! target/pkg-src/types/**          types
//!   bundle.mjs
//! pkg/dist/esm/**  pkg/dist/cjs/** …  pkg/dist/tokenweir.wasm  pkg/package.json
//!   bundle-cli.mjs: target/pkg-src/src/cli/**
//! pkg/dist/cli.js  pkg/dist/cli.LICENSES.txt
//! ```
//!
//! The debug build is target/debug-pkg: src and js as above, and wasm/ with the debug wasm and its JavaScript.

use crate::formats;
use crate::ops;
use crate::wasm::{BUILDS, Wasm};
use crate::wasm_text;
use crate::workspace::{self, Workspace};
use anyhow::{Context, Result, bail};
use serde_json::Value;
use std::fs;
use std::path::Path;
use std::process::Command;

/// What the package is checked with, and its command line.
const CONFIGS: [&str; 2] = ["tsconfig.json", "tsconfig.cli.json"];

/// Kinds of module that have types of their own, since a file's module kind decides how its imports are read.
const KINDS: [&str; 2] = ["esm", "cjs"];

/// Assembles the package around the wasm.
pub fn make(workspace: &Workspace, builds: &[Wasm]) -> Result<()> {
    let sources = workspace.target.join("pkg-src");
    let package = workspace.path("pkg");
    workspace::fresh(&sources)?;
    lay_sources(workspace, builds, &sources)?;
    // A folder of its own until all went well, so that a failed build leaves the last good package.
    let dist = sources.join("dist");
    compile(workspace, &sources, &dist)?;
    for Wasm { name, bytes, .. } in builds {
        workspace::write(&dist.join(format!("{name}.wasm")), bytes)?;
        fs::copy(workspace.path("pkg-template/wasm-module.d.ts"), dist.join(format!("{name}.wasm.d.ts")))?;
    }

    workspace::fresh(&package)?;
    workspace::copy_folder(&dist, &package.join("dist"))?;
    // The maps lead here.
    workspace::copy_folder(&workspace.path("pkg-template/src"), &package.join("src"))?;
    let generated = package.join("src/generated");
    ops::write(&generated)?;
    formats::write(workspace, &generated)?;
    workspace::write(&package.join("package.json"), manifest(workspace)?)?;
    copy_documents(workspace, &package)?;

    workspace::run(
        "the list of sizes",
        Command::new("node").arg(workspace.path("pkg-template/sizes.mjs")).arg(&package),
    )
}

/// Makes the debug package: the modules as tsc makes them, and the debug wasm. pkg-template/debug.mjs starts it.
pub fn make_debug(workspace: &Workspace, folder: &Path, wasm: impl FnOnce(&Path) -> Result<String>) -> Result<()> {
    workspace::fresh(folder)?;
    let types = wasm(&folder.join("wasm"))?;
    // The modules have one wasm for all, which isn't among them as text.
    let builds = BUILDS.map(|(name, _)| Wasm { name, types: types.clone(), bytes: Vec::new() });
    lay_sources(workspace, &builds, folder)?;
    // So that the numbers of modes have names.
    run_tsc(workspace, folder, &["--preserveConstEnums"])
}

/// Lays out what tsc compiles.
fn lay_sources(workspace: &Workspace, builds: &[Wasm], sources: &Path) -> Result<()> {
    workspace::copy_folder(&workspace.path("pkg-template/src"), &sources.join("src"))?;
    for config in CONFIGS {
        fs::copy(workspace.path("pkg-template").join(config), sources.join(config))?;
    }
    // The sources may be in a target folder elsewhere, and import a package.
    let modules = sources.join("node_modules");
    if modules.symlink_metadata().is_err() {
        link(&workspace.path("node_modules"), &modules)?;
    }
    let generated = sources.join("src/generated");
    ops::write(&generated)?;
    formats::write(workspace, &generated)?;
    for Wasm { name, types, bytes } in builds {
        workspace::write(&generated.join(format!("{name}.ts")), types)?;
        workspace::write(&generated.join(format!("{name}-text.ts")), wasm_text::module(bytes))?;
    }
    Ok(())
}

#[cfg(unix)]
fn link(folder: &Path, link: &Path) -> Result<()> {
    Ok(std::os::unix::fs::symlink(folder, link)?)
}

#[cfg(windows)]
fn link(folder: &Path, link: &Path) -> Result<()> {
    Ok(std::os::windows::fs::symlink_dir(folder, link)?)
}

/// TypeScript to JavaScript and types, and JavaScript to the package's files.
fn compile(workspace: &Workspace, sources: &Path, dist: &Path) -> Result<()> {
    run_tsc(workspace, sources, &["--declarationDir", "types"])?;
    workspace::run(
        "bundle.mjs",
        Command::new("node").arg(workspace.path("pkg-template/bundle.mjs")).arg(sources.join("js")).arg(dist),
    )?;
    workspace::run(
        "bundle-cli.mjs",
        Command::new("node").arg(workspace.path("pkg-template/bundle-cli.mjs")).arg(sources).arg(dist),
    )?;
    // What starts the parsers has nothing to export.
    fs::remove_dir_all(sources.join("types/start"))?;
    for kind in KINDS {
        workspace::copy_folder(&sources.join("types"), &dist.join(kind).join("types"))?;
    }
    Ok(())
}

/// TypeScript to JavaScript and types.
fn run_tsc(workspace: &Workspace, sources: &Path, arguments: &[&str]) -> Result<()> {
    workspace::run(
        "tsc",
        Command::new("node").arg(workspace.node_module("typescript/bin/tsc")?).args(arguments).current_dir(sources),
    )?;
    // The tests of what isn't public import it from here.
    workspace::write(&sources.join("js/package.json"), "{ \"type\": \"module\" }\n")
}

/// package.json, with the version of Cargo.toml.
fn manifest(workspace: &Workspace) -> Result<String> {
    let template = workspace.path("pkg-template/package.json");
    let mut manifest: Value = serde_json::from_str(&workspace::read(&template)?)
        .with_context(|| format!("{} is not JSON", template.display()))?;
    manifest["version"] = Value::from(workspace.version.as_str());

    let root: Value = serde_json::from_str(&workspace::read(&workspace.path("package.json"))?)?;
    if root["exports"] != inside_pkg(&manifest["exports"]) {
        bail!("the root package.json must export what pkg-template/package.json exports, with ./pkg/ before each path");
    }
    Ok(serde_json::to_string_pretty(&manifest)? + "\n")
}

/// The same exports, seen from the folder above. The root has them so that
/// examples and tests can import 'tokenweir' in the repository as users do.
fn inside_pkg(exports: &Value) -> Value {
    match exports {
        Value::String(path) => Value::from(path.replacen("./", "./pkg/", 1)),
        Value::Object(entries) => entries.iter().map(|(key, value)| (key.clone(), inside_pkg(value))).collect(),
        other => other.clone(),
    }
}

/// The documents of the root.
fn copy_documents(workspace: &Workspace, package: &Path) -> Result<()> {
    for entry in fs::read_dir(&workspace.root)? {
        let name = entry?.file_name();
        let text = name.to_string_lossy();
        if text == "README.md" || text == "CHANGELOG.md" || text.starts_with("LICENSE") {
            fs::copy(workspace.root.join(&name), package.join(&name))?;
        }
    }
    // The README leads to these.
    workspace::copy_folder(&workspace.path("docs"), &package.join("docs"))?;
    formats::write_page(workspace, &package.join("docs"))
}
