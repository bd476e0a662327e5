//! No import leads back to its own file, directly or by others.
//!
//! A name is followed to the file that defines it, through what a room passes on (`pub use`).

#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test that can't go on fails")]

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;
use syn::{Item, UseTree, Visibility};

/// What is known of a file: the names that it defines, and those that it imports or passes on.
#[derive(Default)]
struct Module {
    defined: BTreeSet<String>,
    imported: Vec<Vec<String>>,
    /// By the name that others see.
    passed_on: Vec<(String, Vec<String>)>,
}

type Modules = BTreeMap<Vec<String>, Module>;

/// Words that a definition begins with.
const DEFINING: [&str; 8] = ["struct", "enum", "fn", "const", "static", "type", "trait", "macro_rules"];

fn modules(folder: &Path, place: &[String], found: &mut Modules) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_stem().unwrap().to_str().unwrap().to_owned();
        let inside = [place, std::slice::from_ref(&name)].concat();
        if path.is_dir() {
            modules(&path, &inside, found);
        } else if path.extension().is_some_and(|extension| extension == "rs") && name != "tests" {
            let is_folder = name == "mod" || name == "lib";
            let place = if is_folder { place.to_vec() } else { inside };
            found.insert(place, module(&fs::read_to_string(&path).unwrap()));
        }
    }
}

fn module(source: &str) -> Module {
    let mut module = Module::default();
    for item in syn::parse_file(source).unwrap().items {
        let Item::Use(item) = item else { continue };
        let is_private = matches!(item.vis, Visibility::Inherited);
        let mut paths = Vec::new();
        leaves(&item.tree, &[], &mut paths);
        for (name, path) in paths {
            if is_private {
                module.imported.push(path);
            } else {
                module.passed_on.push((name, path));
            }
        }
    }
    let code = source.split("#[cfg(test)]\nmod tests").next().unwrap();
    let lines: Vec<&str> = code.lines().filter(|line| !line.trim_start().starts_with("//")).collect();
    let code = lines.join("\n");
    let words: Vec<&str> =
        code.split(|c: char| !c.is_alphanumeric() && c != '_').filter(|word| !word.is_empty()).collect();
    for pair in words.windows(2) {
        if DEFINING.contains(&pair[0]) {
            module.defined.insert(pair[1].to_owned());
        }
    }
    module.imported.extend(lines.iter().filter(|line| !line.contains("use ")).flat_map(|line| written_out(line)));
    module
}

/// The names of a `use`, each with its path.
fn leaves(tree: &UseTree, place: &[String], found: &mut Vec<(String, Vec<String>)>) {
    let and = |name: &syn::Ident| [place, &[name.to_string()]].concat();
    match tree {
        UseTree::Path(path) => leaves(&path.tree, &and(&path.ident), found),
        UseTree::Name(name) => found.push((name.ident.to_string(), and(&name.ident))),
        UseTree::Rename(rename) => found.push((rename.rename.to_string(), and(&rename.ident))),
        UseTree::Glob(_) => found.push(("*".to_owned(), place.to_vec())),
        UseTree::Group(group) => group.items.iter().for_each(|tree| leaves(tree, place, found)),
    }
}

/// Paths from `crate` or `super` that are written out where they are used.
fn written_out(line: &str) -> Vec<Vec<String>> {
    let is_part = |c: char| c.is_alphanumeric() || c == '_' || c == ':';
    let paths = line.split(|c| !is_part(c)).map(|path| path.split("::").map(str::to_owned).collect::<Vec<_>>());
    paths.filter(|path| path.len() > 1 && (path[0] == "crate" || path[0] == "super")).collect()
}

/// A path from the crate's root, or `None` of another crate.
fn absolute(modules: &Modules, place: &[String], path: &[String]) -> Option<Vec<String>> {
    match path.first()?.as_str() {
        "crate" => Some(path[1..].to_vec()),
        "self" => Some([place, &path[1..]].concat()),
        "super" => {
            let up = path.iter().take_while(|step| *step == "super").count();
            Some([&place[..place.len().checked_sub(up)?], &path[up..]].concat())
        }
        first => {
            let inside = [place, &[first.to_owned()]].concat();
            modules.contains_key(&inside).then(|| [place, path].concat())
        }
    }
}

/// The file that defines what a path leads to.
fn defining(modules: &Modules, path: &[String], steps: u32) -> Option<Vec<String>> {
    let (place, rest) =
        (0..=path.len()).rev().map(|len| path.split_at(len)).find(|(place, _)| modules.contains_key(*place))?;
    let module = &modules[place];
    let Some(name) = rest.first().filter(|name| steps < 8 && !module.defined.contains(*name)) else {
        return Some(place.to_vec());
    };
    let further = module.passed_on.iter().find(|(passed, _)| passed == name);
    let further = further.and_then(|(_, path)| absolute(modules, place, path));
    further.and_then(|path| defining(modules, &path, steps + 1)).or_else(|| Some(place.to_vec()))
}

/// A way from a file back to it.
fn circle(uses: &BTreeMap<Vec<String>, BTreeSet<Vec<String>>>, from: &[String]) -> Option<Vec<Vec<String>>> {
    let mut ways = vec![vec![from.to_vec()]];
    let mut seen = BTreeSet::new();
    while let Some(way) = ways.pop() {
        for next in uses.get(way.last()?).into_iter().flatten() {
            if next == from {
                return Some(way);
            }
            if seen.insert(next.clone()) {
                ways.push([&way[..], std::slice::from_ref(next)].concat());
            }
        }
    }
    None
}

fn circles(modules: &Modules) -> Vec<String> {
    let mut uses: BTreeMap<Vec<String>, BTreeSet<Vec<String>>> = BTreeMap::new();
    for (place, module) in modules {
        let found = module.imported.iter().filter_map(|path| absolute(modules, place, path));
        let files = found.filter_map(|path| defining(modules, &path, 0)).filter(|file| file != place);
        uses.insert(place.clone(), files.collect());
    }
    let ways = modules.keys().filter_map(|place| circle(&uses, place));
    ways.map(|way| way.iter().map(|place| place.join("::")).collect::<Vec<_>>().join(" → ")).collect()
}

#[test]
fn no_import_leads_back() {
    let mut found = Modules::new();
    modules(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src"), &[], &mut found);
    assert!(found.len() > 100, "{} files", found.len());
    assert_eq!(circles(&found), Vec::<String>::new());
}

#[test]
fn a_circle_is_found() {
    let file = |name: &str, source: &str| (vec!["room".to_owned(), name.to_owned()], module(source));
    let room = (vec!["room".to_owned()], module("pub use one::One;"));
    let one = file("one", "use super::two::Two; pub struct One(Two);");
    let through_the_room = file("two", "pub struct Two(Option<Box<crate::room::One>>);");
    let found = circles(&Modules::from([room, one, through_the_room]));
    assert_eq!(found, ["room::one → room::two", "room::two → room::one"]);
    let alone = file("two", "pub struct Two;\n#[cfg(test)]\nmod tests { use super::super::one::One; }");
    let one = file("one", "use super::two::Two; pub struct One(Two);");
    assert_eq!(circles(&Modules::from([one, alone])), Vec::<String>::new());
}
