//! Where things are, and how other programs are run.

use anyhow::{Context, Result, bail};
use serde_json::Value;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The workspace that this program builds.
pub struct Workspace {
    /// Folder of the root Cargo.toml.
    pub root: PathBuf,
    /// Cargo's target folder, wherever the user moved it.
    pub target: PathBuf,
    /// Version of the crate, and so of the package.
    pub version: String,
}

impl Workspace {
    /// Asks cargo, since a target folder can be set in five ways.
    pub fn find() -> Result<Self> {
        let output = Command::new(cargo())
            .args(["metadata", "--no-deps", "--format-version", "1"])
            // Cargo sets it; a test sets it to build another folder with this program.
            .current_dir(std::env::var_os("CARGO_MANIFEST_DIR").unwrap_or_else(|| env!("CARGO_MANIFEST_DIR").into()))
            .output()
            .context("cargo could not be started")?;
        if !output.status.success() {
            bail!("cargo metadata failed: {}", String::from_utf8_lossy(&output.stderr));
        }
        let metadata: Value = serde_json::from_slice(&output.stdout)?;
        let path = |key: &str| {
            metadata[key].as_str().map(PathBuf::from).with_context(|| format!("cargo metadata has no `{key}`"))
        };
        let version = metadata["packages"]
            .as_array()
            .into_iter()
            .flatten()
            .find(|package| package["name"] == "tokenweir")
            .and_then(|package| package["version"].as_str())
            .context("cargo metadata has no package `tokenweir`")?
            .to_owned();
        Ok(Self { root: path("workspace_root")?, target: path("target_directory")?, version })
    }

    /// A path inside the workspace.
    pub fn path(&self, relative: &str) -> PathBuf {
        self.root.join(relative)
    }

    /// A path inside node_modules, or the sentence that says how to get it.
    pub fn node_module(&self, relative: &str) -> Result<PathBuf> {
        let path = self.root.join("node_modules").join(relative);
        if !path.exists() {
            bail!("node_modules/{relative} is missing: run `npm ci`, or build by `npm run build`, which does it");
        }
        Ok(path)
    }
}

/// The cargo that runs this program, so that a chosen toolchain stays the chosen one.
pub fn cargo() -> OsString {
    std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into())
}

/// Runs a program to its end; its output goes to the terminal.
pub fn run(what: &str, command: &mut Command) -> Result<()> {
    let status = command
        .status()
        .with_context(|| format!("{what}: {} could not be started", command.get_program().to_string_lossy()))?;
    if !status.success() {
        bail!("{what} failed ({status})");
    }
    Ok(())
}

/// Reads a text file; the error names it.
pub fn read(path: &Path) -> Result<String> {
    std::fs::read_to_string(path).with_context(|| format!("can't read {}", path.display()))
}

/// Writes a file and the folders above it; the error names it.
pub fn write(path: &Path, contents: impl AsRef<[u8]>) -> Result<()> {
    if let Some(folder) = path.parent() {
        std::fs::create_dir_all(folder).with_context(|| format!("can't make {}", folder.display()))?;
    }
    std::fs::write(path, contents).with_context(|| format!("can't write {}", path.display()))
}

/// Empties a folder, so that nothing of an earlier build stays.
pub fn fresh(folder: &Path) -> Result<()> {
    if folder.exists() {
        std::fs::remove_dir_all(folder).with_context(|| format!("can't remove {}", folder.display()))?;
    }
    std::fs::create_dir_all(folder).with_context(|| format!("can't make {}", folder.display()))
}

/// The files in a folder and those below it, in an order that doesn't depend on the file system.
pub fn files(folder: &Path) -> Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).with_context(|| format!("can't read {}", folder.display()))? {
        let path = entry?.path();
        if path.is_dir() { found.extend(files(&path)?) } else { found.push(path) }
    }
    found.sort();
    Ok(found)
}

/// Copies a folder with all that is in it.
pub fn copy_folder(from: &Path, to: &Path) -> Result<()> {
    std::fs::create_dir_all(to).with_context(|| format!("can't make {}", to.display()))?;
    for entry in std::fs::read_dir(from).with_context(|| format!("can't read {}", from.display()))? {
        let entry = entry?;
        let target = to.join(entry.file_name());
        if entry.file_type()?.is_dir() {
            copy_folder(&entry.path(), &target)?;
        } else {
            std::fs::copy(entry.path(), &target).with_context(|| format!("can't copy {}", entry.path().display()))?;
        }
    }
    Ok(())
}
