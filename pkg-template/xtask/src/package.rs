//! From the glue and the TypeScript sources to `pkg/`.
//!
//! ```text
//! target/pkg-src/src/**            copy of pkg-template/src
//! target/pkg-src/src/generated/    core.js, core.d.ts, inline.ts
//!   tsc, twice
//! pkg/dist/esm/**  pkg/dist/cjs/**  pkg/dist/tokenweir.wasm  pkg/package.json
//!   bundle-cli.mjs: target/pkg-src/src/cli/**
//! pkg/dist/cli.js  pkg/dist/cli.LICENSES.txt
//! ```

use crate::glue::Glue;
use crate::workspace::{self, Workspace};
use anyhow::{Context, Result, bail};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde_json::Value;
use std::fs;
use std::path::Path;
use std::process::Command;

/// What tsc runs with: ES modules, CommonJS, and the glue as CommonJS.
const CONFIGS: [&str; 3] = ["tsconfig.json", "tsconfig.cjs.json", "tsconfig.glue.json"];

/// What bundle-cli.mjs checks the command line with.
const CLI_CONFIG: &str = "tsconfig.cli.json";

/// Assembles the package around the glue.
pub fn make(workspace: &Workspace, glue: &Glue) -> Result<()> {
    let sources = workspace.target.join("pkg-src");
    let package = workspace.path("pkg");
    lay_sources(workspace, glue, &sources)?;
    // A folder of its own until all went well, so that a failed build leaves the last good package.
    compile(workspace, &sources)?;
    bundle_cli(workspace, &sources)?;

    workspace::fresh(&package)?;
    let dist = package.join("dist");
    workspace::copy_folder(&sources.join("dist"), &dist)?;
    workspace::write(&dist.join("cjs/package.json"), "{ \"type\": \"commonjs\" }\n")?;
    workspace::write(&dist.join("tokenweir.wasm"), &glue.wasm)?;
    fs::copy(workspace.path("pkg-template/tokenweir.wasm.d.ts"), dist.join("tokenweir.wasm.d.ts"))?;
    workspace::write(&package.join("package.json"), manifest(workspace)?)?;
    copy_documents(workspace, &package)?;

    workspace::run(
        "the list of sizes",
        Command::new("node").arg(workspace.path("pkg-template/sizes.mjs")).arg(&package),
    )
}

/// Lays out what tsc compiles.
fn lay_sources(workspace: &Workspace, glue: &Glue, sources: &Path) -> Result<()> {
    workspace::fresh(sources)?;
    workspace::copy_folder(&workspace.path("pkg-template/src"), &sources.join("src"))?;
    for config in CONFIGS.into_iter().chain([CLI_CONFIG]) {
        fs::copy(workspace.path("pkg-template").join(config), sources.join(config))?;
    }
    let generated = sources.join("src/generated");
    workspace::write(&generated.join("core.js"), &glue.js)?;
    workspace::write(&generated.join("core.d.ts"), &glue.types)?;
    workspace::write(&generated.join("inline.ts"), inline(&glue.wasm))
}

/// The module that carries the wasm as text.
fn inline(wasm: &[u8]) -> String {
    // Without a mapping callback for each byte: that costs milliseconds at start-up.
    format!(
        "\
const base64 = '{}'

/** The bytes of tokenweir.wasm. */
export function bytes(): Uint8Array<ArrayBuffer> {{
  const native = Uint8Array as unknown as {{ fromBase64?: (text: string) => Uint8Array<ArrayBuffer> }}
  if (native.fromBase64) return native.fromBase64(base64)
  const node = globalThis as unknown as {{ Buffer?: {{ from(text: string, encoding: 'base64'): Uint8Array<ArrayBuffer> }} }}
  if (node.Buffer) return node.Buffer.from(base64, 'base64')
  const binary = atob(base64)
  const bytes = new Uint8Array(binary.length)
  for (let at = 0; at < bytes.length; at++) bytes[at] = binary.charCodeAt(at)
  return bytes
}}
",
        STANDARD.encode(wasm)
    )
}

/// Runs tsc for both kinds of module.
fn compile(workspace: &Workspace, sources: &Path) -> Result<()> {
    for config in CONFIGS {
        workspace::run(
            &format!("tsc ({config})"),
            Command::new("node")
                .arg(workspace.node_module("typescript/bin/tsc")?)
                .args(["--project", config])
                .current_dir(sources),
        )?;
    }
    let generated = sources.join("src/generated");
    fs::copy(generated.join("core.js"), sources.join("dist/esm/generated/core.js"))?;
    for kind in ["esm", "cjs"] {
        fs::copy(generated.join("core.d.ts"), sources.join(format!("dist/{kind}/generated/core.d.ts")))?;
    }
    Ok(())
}

/// Makes the command line's one file, beside what tsc made.
fn bundle_cli(workspace: &Workspace, sources: &Path) -> Result<()> {
    workspace::run(
        "bundle-cli.mjs",
        Command::new("node").arg(workspace.path("pkg-template/bundle-cli.mjs")).arg(sources).arg(sources.join("dist")),
    )
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

/// The documents of the root, so far as they are written; pkg-template's own README goes first.
fn copy_documents(workspace: &Workspace, package: &Path) -> Result<()> {
    for entry in fs::read_dir(&workspace.root)? {
        let name = entry?.file_name();
        let text = name.to_string_lossy();
        if text == "README.md" || text == "CHANGELOG.md" || text.starts_with("LICENSE") {
            fs::copy(workspace.root.join(&name), package.join(&name))?;
        }
    }
    let own = workspace.path("pkg-template/README.md");
    if own.exists() {
        fs::copy(own, package.join("README.md"))?;
    }
    Ok(())
}
