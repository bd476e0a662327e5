//! From Rust to wasm: cargo, wasm-bindgen, what a panic would say taken out, wasm-opt.

use crate::workspace::{self, Workspace};
use anyhow::{Context, Result, anyhow, bail};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Mutex;
use walrus::{ElementItems, FunctionId, FunctionKind, ModuleConfig};
use wasm_bindgen_cli_support::Bindgen;

/// One WebAssembly of the package.
pub struct Wasm {
    /// Its name, one of `BUILDS`.
    pub name: &'static str,
    /// What it exports, as a TypeScript module.
    pub types: String,
    /// The optimised wasm.
    pub bytes: Vec<u8>,
}

/// What is built: the name, cargo's features for it, and how large a function may be that the compiler puts into its callers.
/// pkg-template/entries.mjs says which entry has which. By the compiler's own 225 all are larger: segments get slower below 160,
/// the others below 130, and in what reads whole values a byte counts more than a nanosecond. docs/internals/trials.md has the figures.
pub const BUILDS: [(&str, &str, u32); 9] = [
    ("tokenweir", "default", 130),
    ("blocks", "block", 130),
    ("json", "json", 25),
    ("arguments", "arguments", 25),
    ("fields", "field", 130),
    ("segments", "segment,json,xml", 160),
    ("tool-calls", "tool_call,json,xml", 130),
    ("values", "json,xml", 25),
    ("edits", "edit", 25),
];

/// How large a function with one caller may be that wasm-opt puts into it, where not each may. The engine compiles a function
/// when it is first called: what reads arguments is not needed for the first chunk. Blocks and segments gain nothing by it.
const LARGEST_OF_ONE_CALLER: [(&str, u32); 2] = [("fields", 500), ("tool-calls", 500)];

/// The builds that read JSON by few rules, and by which, as `json/tolerance.rs` calls them. Those of wire formats have all: a
/// row may name any of them.
const RULES: [(&str, &str); 5] =
    [("arguments", "arguments"), ("fields", "lenient"), ("json", "sets"), ("segments", "sets"), ("values", "sets")];

/// Loops that can't be unrolled whole aren't unrolled in part: vector loops are as fast without.
const WHOLE_LOOPS: &str = "-Cllvm-args=-unroll-partial-threshold=0";

/// The debug build is not optimised, so an overflow panics too, and has names but nothing else for a debugger.
const DEBUG: [&str; 4] = ["--features", "debug", "--config", "profile.dev.debug=false"];

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

/// Each WebAssembly that the package needs; those whose inputs are as they were are not made again. Each is one unit for the
/// compiler, so two are made at a time, in a folder of cargo's each.
pub fn make_all(workspace: &Workspace) -> Result<Vec<Wasm>> {
    let inputs = inputs(workspace)?;
    let folder = |name: &str| workspace.target.join("wasm").join(name);
    let is_stale =
        |name: &str| std::fs::read_to_string(folder(name).join("inputs")).map_or(true, |made_of| made_of != inputs);
    let stale = Mutex::new(BUILDS.iter().filter(|(name, ..)| is_stale(name)));
    let make_some = |target: &Path| -> Result<()> {
        loop {
            let Some(build) = stale.lock().ok().and_then(|mut builds| builds.next()) else { return Ok(()) };
            let folder = folder(build.0);
            make(workspace, target, build, &folder)?;
            // Last, so that a build that was interrupted isn't taken for one.
            workspace::write(&folder.join("inputs"), &inputs)?;
        }
    };
    std::thread::scope(|scope| {
        let other = scope.spawn(|| make_some(&workspace.target.join("second")));
        let made = make_some(&workspace.target);
        other.join().map_err(|_| anyhow!("a build panicked"))?.and(made)
    })?;
    BUILDS.iter().map(|(name, ..)| result(name, &folder(name))).collect()
}

/// One of them, whatever is there.
pub fn make_one(workspace: &Workspace, name: &str) -> Result<()> {
    let build =
        BUILDS.iter().find(|(build, ..)| *build == name).with_context(|| format!("no WebAssembly is `{name}`"))?;
    make(workspace, &workspace.target, build, &workspace.target.join("wasm").join(name))
}

/// One WebAssembly for all entries, hardly optimised: for work on it.
pub fn make_quick(workspace: &Workspace) -> Result<Vec<Wasm>> {
    let (name, features, _) = BUILDS[0];
    let folder = workspace.target.join("wasm/quick");
    let trimmed = bound(workspace, &workspace.target, features, name, &folder, &[])?;
    let flags = ["-O1", "--strip-debug", "--strip-producers", "--strip-target-features"];
    let optimised = folder.join(format!("{name}.wasm"));
    optimise(workspace, &[&flags[..], &FEATURES].concat(), &trimmed, &optimised)?;
    let bytes = std::fs::read(optimised)?;
    let types = exports(&workspace::read(&folder.join(format!("{name}.d.ts")))?)?;
    Ok(BUILDS.map(|(name, ..)| Wasm { name, types: types.clone(), bytes: bytes.clone() }).into())
}

/// A digest of all that decides what is made: the crate, its dependencies, the compiler, wasm-opt, this program.
fn inputs(workspace: &Workspace) -> Result<String> {
    let rustc = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let compiler = Command::new(rustc).arg("-vV").output().context("rustc could not be started")?.stdout;
    let single = ["Cargo.toml", "Cargo.lock", ".cargo/config.toml"].map(|name| workspace.path(name));
    let mut files = workspace::files(&workspace.path("src"))?;
    files.extend(single);
    files.push(workspace.node_module("binaryen/package.json")?);
    files.push(std::env::current_exe()?);
    digest(&compiler, &files)
}

fn digest(compiler: &[u8], files: &[PathBuf]) -> Result<String> {
    let mut digest = DefaultHasher::new();
    compiler.hash(&mut digest);
    for path in files {
        path.hash(&mut digest);
        std::fs::read(path).with_context(|| format!("can't read {}", path.display()))?.hash(&mut digest);
    }
    Ok(format!("{:016x}", digest.finish()))
}

/// Makes the debug build, for Node and browsers, with wasm-bindgen's JavaScript, as objects and texts cross its
/// border. Gives what it exports, as a TypeScript module.
pub fn make_debug(workspace: &Workspace, folder: &Path) -> Result<String> {
    let compiled = compile(workspace, &workspace.target, "debug", &DEBUG, &[])?;
    Bindgen::new()
        .input_path(&compiled)
        .web(true)?
        .typescript(true)
        .out_name("tokenweir")
        .generate(folder)
        .context("wasm-bindgen failed")?;
    exports(&workspace::read(&folder.join("tokenweir.d.ts"))?)
}

/// What `make` left in its folder.
fn result(name: &'static str, folder: &Path) -> Result<Wasm> {
    Ok(Wasm {
        name,
        types: exports(&workspace::read(&folder.join(format!("{name}.d.ts")))?)?,
        bytes: std::fs::read(folder.join(format!("{name}.wasm")))?,
    })
}

fn make(workspace: &Workspace, target: &Path, build: &(&str, &str, u32), folder: &Path) -> Result<()> {
    let (name, features, largest) = build;
    let largest = format!("-Cllvm-args=-inline-threshold={largest}");
    let rules = RULES.iter().find(|(build, _)| build == name);
    let rules = rules.map(|(_, rules)| format!("--cfg=tokenweir_rules=\"{rules}\""));
    let flags: Vec<&str> = [largest.as_str(), WHOLE_LOOPS].into_iter().chain(rules.as_deref()).collect();
    let trimmed = bound(workspace, target, features, name, folder, &flags)?;
    let flags = ["-O3", "--strip-debug", "--strip-producers", "--strip-target-features"];
    let largest = LARGEST_OF_ONE_CALLER.iter().find(|(build, _)| build == name);
    let largest = largest.map(|(_, size)| format!("--one-caller-inline-max-function-size={size}"));
    let flags: Vec<&str> = flags.into_iter().chain(FEATURES).chain(largest.as_deref()).collect();
    optimise(workspace, &flags, &trimmed, &folder.join(format!("{name}.wasm")))
}

/// What cargo and wasm-bindgen make, and its types, in a fresh folder.
fn bound(
    workspace: &Workspace,
    target: &Path,
    features: &str,
    name: &str,
    folder: &Path,
    flags: &[&str],
) -> Result<PathBuf> {
    let features = format!("exports,{features}");
    let arguments = ["--release", "--no-default-features", "--features", &features];
    let compiled = compile(workspace, target, "release", &arguments, flags)?;
    workspace::fresh(folder)?;
    // The JavaScript that it makes isn't used: only numbers cross, so wasm.exports needs no wrapping.
    Bindgen::new()
        .input_path(&compiled)
        .web(true)?
        .typescript(true)
        .omit_default_module_path(true)
        .out_name(name)
        .generate(folder)
        .context("wasm-bindgen failed")?;
    let bound = folder.join(format!("{name}_bg.wasm"));
    let trimmed = folder.join("trimmed.wasm");
    trim(&bound, &trimmed).with_context(|| format!("can't trim {}", bound.display()))?;
    Ok(trimmed)
}

/// wasm-opt, from a wasm or its text to a wasm.
pub fn optimise(workspace: &Workspace, flags: &[&str], from: &Path, to: &Path) -> Result<()> {
    workspace::run(
        "wasm-opt",
        // By node, as it is a script on every system.
        Command::new("node")
            .arg(workspace.node_module("binaryen/bin/wasm-opt")?)
            .args(flags)
            .arg(from)
            .arg("-o")
            .arg(to),
    )
}

/// `cargo build` for wasm32. The wasm must not name folders of this machine, so panics name them short.
fn compile(workspace: &Workspace, target: &Path, profile: &str, arguments: &[&str], flags: &[&str]) -> Result<PathBuf> {
    let remap = [(workspace.root.clone(), "tokenweir"), (cargo_home()?, "cargo")]
        .map(|(from, to)| format!("--remap-path-prefix={}={to}", from.display()));
    let flags: Vec<&str> = remap.iter().map(String::as_str).chain(flags.iter().copied()).collect();
    let flags = serde_json::to_string(&flags)?;
    workspace::run(
        "cargo build",
        Command::new(workspace::cargo())
            .args(["build", "--lib", "--package", "tokenweir", "--target", "wasm32-unknown-unknown"])
            .args(arguments)
            .arg("--target-dir")
            .arg(target)
            // By --config and not by RUSTFLAGS, which would replace the flags of .cargo/config.toml.
            .args(["--config", &format!("target.wasm32-unknown-unknown.rustflags={flags}")])
            .current_dir(&workspace.root),
    )?;
    Ok(target.join("wasm32-unknown-unknown").join(profile).join("tokenweir.wasm"))
}

fn cargo_home() -> Result<PathBuf> {
    if let Some(home) = std::env::var_os("CARGO_HOME") {
        return Ok(home.into());
    }
    Ok(std::env::home_dir().context("this user has no home folder")?.join(".cargo"))
}

/// The interface of the exports, without what `trim` takes out and without names
/// that only a program with the types of browsers knows.
fn exports(types: &str) -> Result<String> {
    let members = types
        .split_once("export interface InitOutput {\n")
        .and_then(|(_, rest)| rest.split_once('}'))
        .map(|(members, _)| members)
        .context(
            "wasm-bindgen's types have no `InitOutput` any more: look at what they have instead, and change wasm.rs",
        )?;
    let kept: Vec<&str> = members.lines().filter(|line| !line.contains("readonly __")).collect();
    let members = kept.join("\n").replace("WebAssembly.Memory", "{ readonly buffer: ArrayBuffer }");
    Ok(format!("/** What the wasm exports. */\nexport interface Exports {{\n{members}\n}}\n"))
}

/// Takes out what says why a panic happened, to nobody: a panic is a trap with
/// it and without. With it goes the allocator, which nothing else calls, and
/// what wasm-bindgen adds for values that aren't numbers. So the module has no
/// imports, and any way of making an instance will do. Its memory can't grow.
fn trim(from: &Path, to: &Path) -> Result<()> {
    let mut module = ModuleConfig::new().generate_producers_section(false).parse_file(from)?;
    let panics: Vec<FunctionId> = module
        .funcs
        .iter_local()
        .map(|(id, _)| id)
        .filter(|&id| module.funcs.get(id).name.as_deref().is_some_and(is_panic))
        .collect();
    for &id in &panics {
        if let FunctionKind::Local(function) = &mut module.funcs.get_mut(id).kind {
            let mut body = function.builder_mut().func_body();
            body.instrs_mut().clear();
            body.unreachable();
        }
    }
    let inner: Vec<_> =
        module.exports.iter().filter(|export| export.name.starts_with("__")).map(|export| export.id()).collect();
    for export in inner {
        module.exports.delete(export);
    }
    // What is called through a table to write a message would keep the allocator.
    let trap = *panics.first().context(
        "no function has to do with panics: have the functions lost their names, or did `is_panic` in wasm.rs?",
    )?;
    for element in module.elements.iter_mut() {
        if let ElementItems::Functions(functions) = &mut element.items {
            for function in functions {
                if module.funcs.get(*function).name.as_deref().is_some_and(writes_messages) {
                    *function = trap;
                }
            }
        }
    }
    // Nothing allocates, so the memory needs no more than it begins with. Where it can't grow, views of it stay
    // valid whatever a program does to it.
    for memory in module.memories.iter_mut() {
        memory.maximum = Some(memory.initial);
    }
    walrus::passes::gc::run(&mut module);
    let segments: Vec<_> = module.data.iter().map(|data| data.id()).collect();
    for segment in segments {
        forget_messages(&mut module.data.get_mut(segment).value);
    }
    if let Some(import) = module.imports.iter().next() {
        bail!(
            "the wasm imports {}.{}: something other than numbers crosses the border now",
            import.module,
            import.name
        );
    }
    let allocator =
        module.funcs.iter().filter_map(|function| function.name.as_deref()).find(|name| name.contains("dlmalloc"));
    if let Some(name) = allocator {
        bail!("something in the wasm allocates ({name}): views of its memory would not stay valid");
    }
    module.emit_wasm_file(to)
}

/// What the standard library would say of a panic. Nothing refers to it any more, but it stands in the data.
const MESSAGES: [&str; 10] = [
    "to_digit: invalid radix -- radix must be in the range 2 to 36 inclusive",
    "slice index starts at ",
    "range start index ",
    "range end index ",
    " out of range for slice of length ",
    " but ends at ",
    "dest is out of bounds",
    "assertion failed: psize >= size + min_overhead",
    "assertion failed: psize <= size + max_overhead",
    "capacity overflow",
];

/// Where a panic would say that it happened: these begin the paths of files.
const SOURCES: [&str; 3] = ["/rustc/", "/rust/deps/", "src/"];

/// Puts zeros in place of messages of panics, which wasm-opt leaves out.
fn forget_messages(data: &mut [u8]) {
    // Numbers are written by two digits.
    let digits: String = (0..100).map(|number| format!("{number:02}")).collect();
    for message in MESSAGES.into_iter().chain([digits.as_str()]) {
        while let Some(at) = find(data, message.as_bytes()) {
            data[at..at + message.len()].fill(0);
        }
    }
    for source in SOURCES {
        let mut from = 0;
        while let Some(at) = find(&data[from..], source.as_bytes()).map(|at| from + at) {
            let length = data[at..].iter().take_while(|byte| byte.is_ascii_graphic()).count();
            if let Some(end) = find(&data[at..at + length], b".rs") {
                data[at..at + end + 3].fill(0);
            }
            from = at + source.len();
        }
    }
}

fn find(text: &[u8], what: &[u8]) -> Option<usize> {
    text.windows(what.len()).position(|window| window == what)
}

fn is_panic(name: &str) -> bool {
    // Of the standard library alone: `tag_fails` is ours, and has nothing to do with it.
    !name.contains("tokenweir") && ["panicking::", "_fail"].iter().any(|part| name.contains(part))
}

fn writes_messages(name: &str) -> bool {
    is_panic(name) || ["fmt::", "drop_in_place"].iter().any(|part| name.contains(part))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_of_panics_go_and_what_stands_beside_them_stays() {
        let mut data = *b"capacity overflowthinking/rustc/59/library/core.rssrc/no file<src/a/b.rs>";
        forget_messages(&mut data);
        let text: Vec<u8> = data.into_iter().filter(|&byte| byte != 0).collect();
        assert_eq!(text, b"thinkingsrc/no file<>");
    }

    #[test]
    fn another_compiler_text_or_file_makes_it_again() {
        let folder = std::env::temp_dir().join(format!("tokenweir-inputs-{}", std::process::id()));
        workspace::write(&folder.join("a.rs"), "a").expect("a file");
        workspace::write(&folder.join("inner/b.rs"), "b").expect("a file");
        let now = || digest(b"1.95", &workspace::files(&folder).expect("files")).expect("a digest");

        let first = now();
        assert_eq!(now(), first);
        assert_ne!(digest(b"1.96", &workspace::files(&folder).expect("files")).expect("a digest"), first);
        workspace::write(&folder.join("inner/b.rs"), "c").expect("a file");
        let edited = now();
        assert_ne!(edited, first);
        workspace::write(&folder.join("inner/c.rs"), "").expect("a file");
        assert_ne!(now(), edited);
        std::fs::remove_dir_all(&folder).expect("it can be removed");
    }
}
