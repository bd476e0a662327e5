//! Computes `TOKENWEIR_ENGINE`, the version of what a snapshot holds: a digest of the
//! sources of all parsers, so that it changes with them and nobody has to think of it.
//!
//! Types alone would not do. A state has places in tables too, and these mean something
//! else once a table is changed. Comments, layout and tests say nothing about it.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// FNV-1a of 64 bits.
const OFFSET: u64 = 0xCBF2_9CE4_8422_2325;
const PRIME: u64 = 0x0100_0000_01B3;

fn main() -> io::Result<()> {
    let root = PathBuf::from(std::env::var_os("CARGO_MANIFEST_DIR").ok_or(io::ErrorKind::NotFound)?);
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-changed=src");
    let mut files = Vec::new();
    for room in folders(&root.join("src"))? {
        // The border is no part of a state.
        if room.file_name().is_some_and(|name| name != "wasm") {
            sources(&room, &mut files)?;
        }
    }
    // By their names, as a folder has no order.
    files.sort();
    let mut digest = OFFSET;
    for file in files {
        for word in code(&fs::read_to_string(file)?) {
            for byte in word.bytes().chain([0]) {
                digest = (digest ^ u64::from(byte)).wrapping_mul(PRIME);
            }
        }
    }
    println!("cargo::rustc-env=TOKENWEIR_ENGINE={digest:016x}");
    Ok(())
}

fn folders(of: &Path) -> io::Result<Vec<PathBuf>> {
    let entries = fs::read_dir(of)?.map(|entry| entry.map(|entry| entry.path()));
    entries.filter(|path| path.as_ref().map_or(true, |path| path.is_dir())).collect()
}

fn sources(of: &Path, files: &mut Vec<PathBuf>) -> io::Result<()> {
    for entry in fs::read_dir(of)? {
        let path = entry?.path();
        if path.is_dir() {
            sources(&path, files)?;
        } else if path.extension().is_some_and(|extension| extension == "rs")
            && path.file_name() != Some("tests.rs".as_ref())
        {
            files.push(path);
        }
    }
    Ok(())
}

/// The words of a source up to its tests, without comments that have lines of their own.
fn code(source: &str) -> impl Iterator<Item = &str> {
    let lines = source.lines().map(str::trim).take_while(|line| *line != "#[cfg(test)]");
    lines.filter(|line| !line.starts_with("//")).flat_map(str::split_whitespace)
}
