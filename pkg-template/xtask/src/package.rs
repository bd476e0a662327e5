//! From the wasm and the TypeScript sources to `pkg/`.
//!
//! ```text
//! target/pkg-src/src/**            copy of pkg-template/src
//! target/pkg-src/src/generated/    types of the wasm's exports, each wasm as text and what decodes it, and the numbers of the border
//!   tsc
//! target/pkg-src/js/**             JavaScript
//! target/pkg-src/types/**          types
//!   bundle.mjs
//! pkg/dist/esm/** …  pkg/dist/tokenweir.wasm  pkg/package.json  pkg/README.md
//!   meanwhile, bundle-cli.mjs: target/pkg-src/src/cli/**
//! pkg/dist/cli.js  pkg/dist/cli.LICENSES.txt
//!   digests.mjs: pkg/dist/SHA256SUMS
//! ```
//!
//! The debug build is target/debug-pkg: src and js as above, and wasm/ with the debug wasm and its JavaScript.

use crate::formats;
use crate::ops;
use crate::wasm::{BUILDS, Wasm};
use crate::wasm_text;
use crate::workspace::{self, Workspace};
use anyhow::{Context, Result, anyhow, bail};
use serde_json::Value;
use std::fs;
use std::path::Path;
use std::process::Command;

/// What the package is checked with, and its command line.
const CONFIGS: [&str; 2] = ["tsconfig.json", "tsconfig.cli.json"];

/// Which are files of the package.
const FILES: [&str; 3] = ["tokenweir", "blocks", "json"];

/// Assembles the package around the wasm.
pub fn make(workspace: &Workspace, builds: &[Wasm]) -> Result<()> {
    let sources = workspace.target.join("pkg-src");
    let package = workspace.path("pkg");
    workspace::fresh(&sources)?;
    lay_sources(workspace, builds, &sources)?;
    // A folder of its own until all went well, so that a failed build leaves the last good package.
    let dist = sources.join("dist");
    compile(workspace, &sources, &dist)?;
    // The others are there as text only: what can't compile bytes has these.
    for Wasm { name, bytes, .. } in builds.iter().filter(|wasm| FILES.contains(&wasm.name)) {
        workspace::write(&dist.join(format!("{name}.wasm")), bytes)?;
    }

    workspace::fresh(&package)?;
    workspace::copy_folder(&dist, &package.join("dist"))?;
    let (manifest, repository) = manifest(workspace)?;
    workspace::write(&package.join("package.json"), manifest)?;
    copy_documents(workspace, &package, &repository)?;
    copy_pages(workspace, &package, &repository)?;
    let program = workspace.path("pkg-template/digests.mjs");
    workspace::run("digests.mjs", Command::new("node").arg(program).arg(package.join("dist")))?;
    // A test compares it with the one in docs/.
    formats::write_page(workspace, &sources)
}

/// Prints what each entry takes in a program.
pub fn list_sizes(workspace: &Workspace) -> Result<()> {
    let [program, package] = ["pkg-template/sizes.mjs", "pkg"].map(|path| workspace.path(path));
    workspace::run("the list of sizes", Command::new("node").arg(program).arg(package))
}

/// Makes the debug package: the modules as tsc makes them, and the debug wasm. pkg-template/debug.mjs starts it.
pub fn make_debug(workspace: &Workspace, folder: &Path, wasm: impl FnOnce(&Path) -> Result<String>) -> Result<()> {
    workspace::fresh(folder)?;
    let types = wasm(&folder.join("wasm"))?;
    // The modules have one wasm for all, which isn't among them as text.
    let builds = BUILDS.map(|(name, ..)| Wasm { name, types: types.clone(), bytes: Vec::new() });
    lay_sources(workspace, &builds, folder)?;
    // So that the numbers of modes have names.
    run_tsc(workspace, folder, &["--preserveConstEnums"])
}

/// Lays out what tsc compiles.
fn lay_sources(workspace: &Workspace, builds: &[Wasm], sources: &Path) -> Result<()> {
    lay_formats(workspace, sources)?;
    for config in CONFIGS {
        fs::copy(workspace.path("pkg-template").join(config), sources.join(config))?;
    }
    // The sources may be in a target folder elsewhere, and import a package.
    let modules = sources.join("node_modules");
    if modules.symlink_metadata().is_err() {
        link(&workspace.path("node_modules"), &modules)?;
    }
    let generated = sources.join("src/generated");
    workspace::write(&generated.join("decoder.ts"), wasm_text::decoder(workspace)?)?;
    workspace::write(&generated.join("version.ts"), version(&workspace.version))?;
    for Wasm { name, types, bytes } in builds {
        workspace::write(&generated.join(format!("{name}.ts")), types)?;
        workspace::write(&generated.join(format!("{name}-text.ts")), wasm_text::module(bytes)?)?;
    }
    Ok(())
}

/// Lays out the sources with the numbers of the border and the formats.
pub fn lay_formats(workspace: &Workspace, sources: &Path) -> Result<()> {
    workspace::copy_folder(&workspace.path("pkg-template/src"), &sources.join("src"))?;
    ops::write(&sources.join("src/generated"))?;
    formats::write(workspace, sources)
}

/// The package's version, as a program can ask for it.
fn version(version: &str) -> String {
    format!(
        "/**\n * The version of the package.\n *\n * @example\n * ```ts\n * import {{ version }} from 'tokenweir'\n *\n \
         * console.log(/^\\d+\\.\\d+\\.\\d+/.test(version)) // true\n * ```\n */\nexport const version: string = '{version}'\n"
    )
}

#[cfg(unix)]
fn link(folder: &Path, link: &Path) -> Result<()> {
    Ok(std::os::unix::fs::symlink(folder, link)?)
}

#[cfg(windows)]
fn link(folder: &Path, link: &Path) -> Result<()> {
    Ok(std::os::windows::fs::symlink_dir(folder, link)?)
}

/// TypeScript to JavaScript and types, and JavaScript to the package's files. Meanwhile the command line, which needs only
/// the sources: so two cores are busy.
fn compile(workspace: &Workspace, sources: &Path, dist: &Path) -> Result<()> {
    fs::create_dir_all(dist)?;
    std::thread::scope(|scope| {
        let command_line = scope.spawn(|| {
            let program = workspace.path("pkg-template/bundle-cli.mjs");
            workspace::run("bundle-cli.mjs", Command::new("node").arg(program).arg(sources).arg(dist))
        });
        run_tsc(workspace, sources, &["--declarationDir", "types"])?;
        let program = workspace.path("pkg-template/bundle.mjs");
        workspace::run("bundle.mjs", Command::new("node").arg(program).arg(sources.join("js")).arg(dist))?;
        command_line.join().map_err(|_| anyhow!("bundle-cli.mjs was not run"))?
    })
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

/// package.json, with the version of Cargo.toml and the addresses that follow from `repository`; and that address.
fn manifest(workspace: &Workspace) -> Result<(String, String)> {
    let template = workspace.path("pkg-template/package.json");
    let mut manifest: Value = serde_json::from_str(&workspace::read(&template)?)
        .with_context(|| format!("{} is not JSON", template.display()))?;
    manifest["version"] = Value::from(workspace.version.as_str());
    let repository = manifest["repository"]["url"]
        .as_str()
        .and_then(|url| url.strip_prefix("git+")?.strip_suffix(".git"))
        .context("`repository.url` must be git+https://….git")?
        .to_owned();
    manifest["homepage"] = Value::from(format!("{repository}#readme"));
    manifest["bugs"] = Value::from(format!("{repository}/issues"));

    let root: Value = serde_json::from_str(&workspace::read(&workspace.path("package.json"))?)?;
    if root["exports"] != inside_pkg(&manifest["exports"]) {
        bail!("the root package.json must export what pkg-template/package.json exports, with ./pkg/ before each path");
    }
    Ok((serde_json::to_string_pretty(&manifest)? + "\n", repository))
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

/// The documents of the root. Their links lead into the repository, as the package has nothing else of it.
fn copy_documents(workspace: &Workspace, package: &Path, repository: &str) -> Result<()> {
    for entry in fs::read_dir(&workspace.root)? {
        let name = entry?.file_name();
        let text = name.to_string_lossy();
        if text == "README.md" {
            let page = workspace::read(&workspace.root.join(&name))?;
            workspace::write(&package.join(&name), with_links(&page, |link| of_root(link, repository)))?;
        } else if text.starts_with("LICENSE") {
            fs::copy(workspace.root.join(&name), package.join(&name))?;
        }
    }
    Ok(())
}

/// The guides, for coding agents: they are offline with the package.
fn copy_pages(workspace: &Workspace, package: &Path, repository: &str) -> Result<()> {
    for entry in fs::read_dir(workspace.path("docs"))? {
        let path = entry?.path();
        if path.extension().is_some_and(|extension| extension == "md") {
            let name = path.file_name().context("a page has a name")?;
            let page = with_links(&workspace::read(&path)?, |link| of_guide(link, repository));
            workspace::write(&package.join("docs").join(name), page)?;
        }
    }
    let agents = workspace::read(&workspace.path("pkg-template/AGENTS.md"))?;
    workspace::write(&package.join("AGENTS.md"), agents)
}

/// A page whose links lead where `target` says. Code stays as it is.
fn with_links(page: &str, target: impl Fn(&str) -> Option<String>) -> String {
    let mut in_code = false;
    let lines = page.split_inclusive('\n').map(|line| {
        let fence = line.starts_with("```");
        in_code ^= fence;
        if fence || in_code { line.to_owned() } else { with_links_in(line, &target) }
    });
    lines.collect()
}

fn with_links_in(line: &str, target: impl Fn(&str) -> Option<String>) -> String {
    let mut parts = line.split("](");
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |before, part| {
        let (link, rest) = part.split_at(part.find(')').unwrap_or(0));
        format!("{before}]({}{rest}", target(link).unwrap_or_else(|| link.to_owned()))
    })
}

/// A link of a page of the root: one to a file of the repository works wherever the page is shown.
fn of_root(link: &str, repository: &str) -> Option<String> {
    is_relative(link).then(|| format!("{repository}/blob/HEAD/{link}"))
}

/// A link of a guide: one to another guide, or to the README, stays, as the package has both.
fn of_guide(link: &str, repository: &str) -> Option<String> {
    let path = match link.strip_prefix("../") {
        Some(path) => path.to_owned(),
        None => format!("docs/{link}"),
    };
    let is_in_package = path.starts_with("README.md") || path.matches('/').count() == 1 && path.starts_with("docs/");
    if is_in_package { None } else { is_relative(link).then(|| format!("{repository}/blob/HEAD/{path}")) }
}

/// Whether a link leads to a file, not to a heading of its page or to another site.
fn is_relative(link: &str) -> bool {
    !link.starts_with('#') && !link.split('/').next().is_some_and(|start| start.contains(':'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_of_the_repository_become_absolute() {
        let page = "[a](docs/a.md#b), [c](#d), [e](https://f.org), [g](mailto:h@i.org)\n```js\nf[0](x)\n```\n[j](k)\n";
        assert_eq!(
            with_links(page, |link| of_root(link, "https://r")),
            "[a](https://r/blob/HEAD/docs/a.md#b), [c](#d), [e](https://f.org), [g](mailto:h@i.org)\n```js\nf[0](x)\n```\n[j](https://r/blob/HEAD/k)\n"
        );
    }

    #[test]
    fn links_of_guides_stay_in_the_package() {
        let page =
            "[a](b.md#c), [d](#e), [f](https://g.org), [h](../README.md), [i](../examples/j), [k](internals/l.md#m)\n";
        assert_eq!(
            with_links(page, |link| of_guide(link, "https://r")),
            "[a](b.md#c), [d](#e), [f](https://g.org), [h](../README.md), [i](https://r/blob/HEAD/examples/j), [k](https://r/blob/HEAD/docs/internals/l.md#m)\n"
        );
    }
}
