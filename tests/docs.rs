//! Every item that rustdoc shows has an example.
//!
//! The rule, as CONTRIBUTING.md says it: a struct, enum, trait, function, constant
//! or type has an example of its own, which asserts. A method or a constant of a
//! type has one too, or stands in its type's example. Variants, fields and methods
//! of a trait are shown by the example of what they belong to. What is
//! `#[doc(hidden)]` says why in a comment above.
//!
//! rustdoc has such a lint only in nightly, so the sources are walked here.

#![allow(clippy::unwrap_used, reason = "a test that can't go on fails")]
#![allow(clippy::wildcard_enum_match_arm, reason = "few of the many kinds of syntax matter")]

use std::fs;
use std::path::{Path, PathBuf};
use syn::parse::ParseStream;
use syn::punctuated::Punctuated;
use syn::token::Brace;
use syn::{Attribute, Expr, Generics, ImplItem, Item, ItemEnum, Lit, Meta, Token, Type, UseTree, Visibility};

/// One item, or something of a type.
struct Shown {
    name: String,
    docs: String,
    /// Methods and constants of a type.
    parts: Vec<Shown>,
}

/// The examples of a doc comment: those of its blocks that rustdoc compiles and runs.
fn examples(docs: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut open: Option<(bool, String)> = None;
    for line in docs.lines() {
        match (line.trim().strip_prefix("```"), &mut open) {
            (Some(info), None) => open = Some((matches!(info, "" | "rust"), String::new())),
            (Some(_), Some((is_run, code))) => {
                if *is_run {
                    found.push(std::mem::take(code));
                }
                open = None;
            }
            (None, Some((_, code))) => {
                code.push_str(line);
                code.push('\n');
            }
            (None, None) => {}
        }
    }
    found
}

fn has_example(docs: &str) -> bool {
    examples(docs).iter().any(|code| code.contains("assert"))
}

/// What has no example, by the rule above.
fn lacking(place: &str, item: &Shown) -> Vec<String> {
    let mut missing = Vec::new();
    if !has_example(&item.docs) {
        missing.push(format!("{place}::{}", item.name));
    }
    let shown = examples(&item.docs).concat();
    for part in &item.parts {
        let is_shown = [".", "::"].iter().any(|before| names(&shown, before, &part.name));
        if !is_shown && !has_example(&part.docs) {
            missing.push(format!("{place}::{}::{}", item.name, part.name));
        }
    }
    missing
}

/// Whether a code has a whole name after a prefix.
fn names(code: &str, before: &str, name: &str) -> bool {
    let called = format!("{before}{name}");
    let is_end = |rest: &str| !rest.starts_with(|c: char| c.is_alphanumeric() || c == '_');
    code.match_indices(&called).any(|(at, _)| is_end(code.get(at + called.len()..).unwrap()))
}

fn docs_of(attributes: &[Attribute]) -> String {
    let line = |attribute: &Attribute| match &attribute.meta {
        Meta::NameValue(pair) if pair.path.is_ident("doc") => match &pair.value {
            Expr::Lit(literal) => match &literal.lit {
                Lit::Str(text) => Some(format!("{}\n", text.value())),
                _ => None,
            },
            _ => None,
        },
        _ => None,
    };
    attributes.iter().filter_map(line).collect()
}

fn is_hidden(attributes: &[Attribute]) -> bool {
    attributes.iter().any(|attribute| match &attribute.meta {
        Meta::List(list) => list.path.is_ident("doc") && list.tokens.to_string() == "hidden",
        _ => false,
    })
}

fn is_shown(visibility: &Visibility, attributes: &[Attribute]) -> bool {
    matches!(visibility, Visibility::Public(_)) && !is_hidden(attributes)
}

/// A source file, and the files of the modules in it.
struct Source {
    path: PathBuf,
    items: Vec<Item>,
}

/// The head of a type that a macro of src/text/numbered.rs or state.rs writes; any other item as it is.
/// What the macros add to each enum says itself what it is.
fn written(item: Item) -> Item {
    let Item::Macro(call) = &item else { return item };
    if !["numbered", "records", "state"].iter().any(|name| call.mac.path.is_ident(name)) {
        return item;
    }
    let head = |input: ParseStream<'_>| {
        let item = ItemEnum {
            attrs: input.call(Attribute::parse_outer)?,
            vis: input.parse()?,
            enum_token: match input.parse::<Option<Token![struct]>>()? {
                Some(_) => Default::default(),
                None => input.parse()?,
            },
            ident: input.parse()?,
            generics: Generics::default(),
            brace_token: Brace::default(),
            variants: Punctuated::new(),
        };
        while !input.is_empty() {
            input.step(|cursor| Ok(((), cursor.token_tree().map_or(*cursor, |(_, rest)| rest))))?;
        }
        Ok(item)
    };
    Item::Enum(call.mac.parse_body_with(head).unwrap())
}

impl Source {
    fn read(path: &Path) -> Source {
        let text = fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        Source {
            path: path.to_owned(),
            items: syn::parse_file(&text).unwrap().items.into_iter().map(written).collect(),
        }
    }

    /// The file of a module that is declared here.
    fn module(&self, name: &str) -> Source {
        let folder = self.path.parent().unwrap();
        let is_root = matches!(self.path.file_name().and_then(|name| name.to_str()), Some("mod.rs" | "lib.rs"));
        let folder = if is_root { folder.to_owned() } else { self.path.with_extension("") };
        let file = folder.join(format!("{name}.rs"));
        Source::read(&if file.exists() { file } else { folder.join(name).join("mod.rs") })
    }

    /// The file that defines a name which is used here by this way.
    fn origin(&self, way: &[String], name: &str) -> Source {
        let (first, rest) = way.split_first().unwrap();
        let from = if first == "crate" { Source::read(&src().join("lib.rs")) } else { self.module(first) };
        let file = rest.iter().fold(from, |file, module| file.module(module));
        let again = file.items.iter().find_map(|item| {
            let Item::Use(reexport) = item else { return None };
            let is_public = matches!(reexport.vis, Visibility::Public(_));
            is_public.then(|| used(&reexport.tree, &[])).into_iter().flatten().find(|(_, other)| other == name)
        });
        again.map(|(way, _)| file.origin(&way, name)).unwrap_or(file)
    }

    /// The item of a name that is defined here.
    fn shown(&self, name: &str) -> Option<Shown> {
        let attributes = self.items.iter().find_map(|item| {
            let (ident, visibility, attributes) = match item {
                Item::Struct(item) => (&item.ident, &item.vis, &item.attrs),
                Item::Enum(item) => (&item.ident, &item.vis, &item.attrs),
                Item::Trait(item) => (&item.ident, &item.vis, &item.attrs),
                Item::Type(item) => (&item.ident, &item.vis, &item.attrs),
                Item::Const(item) => (&item.ident, &item.vis, &item.attrs),
                Item::Static(item) => (&item.ident, &item.vis, &item.attrs),
                Item::Fn(item) => (&item.sig.ident, &item.vis, &item.attrs),
                Item::Macro(item) => (item.ident.as_ref()?, &Visibility::Inherited, &item.attrs),
                _ => return None,
            };
            (ident == name && matches!(visibility, Visibility::Public(_))).then_some(attributes)
        })?;
        Some(Shown { name: name.to_owned(), docs: docs_of(attributes), parts: Vec::new() })
    }

    /// What the types of a name have that is shown.
    fn parts(&self, name: &str) -> Vec<Shown> {
        let mut parts = Vec::new();
        for item in &self.items {
            let Item::Impl(block) = item else { continue };
            let Type::Path(path) = &*block.self_ty else { continue };
            let is_it = block.trait_.is_none() && path.path.segments.last().is_some_and(|last| last.ident == name);
            if !is_it || is_hidden(&block.attrs) {
                continue;
            }
            for item in &block.items {
                let (ident, visibility, attributes) = match item {
                    ImplItem::Fn(item) => (&item.sig.ident, &item.vis, &item.attrs),
                    ImplItem::Const(item) => (&item.ident, &item.vis, &item.attrs),
                    _ => continue,
                };
                if is_shown(visibility, attributes) {
                    parts.push(Shown { name: ident.to_string(), docs: docs_of(attributes), parts: Vec::new() });
                }
            }
        }
        parts
    }
}

/// The names that a `use` brings, with the modules on their way.
fn used(tree: &UseTree, way: &[String]) -> Vec<(Vec<String>, String)> {
    match tree {
        UseTree::Path(path) => used(&path.tree, &[way, &[path.ident.to_string()]].concat()),
        UseTree::Name(name) => vec![(way.to_vec(), name.ident.to_string())],
        UseTree::Group(group) => group.items.iter().flat_map(|tree| used(tree, way)).collect(),
        UseTree::Rename(_) | UseTree::Glob(_) => panic!("rustdoc shows other names than the sources have"),
    }
}

/// All files of a folder, for the parts of a type that stand beside it.
fn files(folder: &Path) -> Vec<Source> {
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    entries.flat_map(|path| if path.is_dir() { files(&path) } else { vec![Source::read(&path)] }).collect()
}

/// Everything that rustdoc shows of a module, by the place where it stands.
fn walk(place: &str, source: &Source, found: &mut Vec<(String, Shown)>) {
    for item in &source.items {
        match item {
            Item::Mod(module) if is_shown(&module.vis, &module.attrs) => {
                let name = module.ident.to_string();
                walk(&format!("{place}::{name}"), &source.module(&name), found);
            }
            Item::Use(reexport) if is_shown(&reexport.vis, &reexport.attrs) => {
                for (way, name) in used(&reexport.tree, &[]) {
                    let file = source.origin(&way, &name);
                    let mut shown = file.shown(&name).unwrap_or_else(|| panic!("{place}::{name} isn't in {way:?}"));
                    let beside = if place == "tokenweir" { vec![file] } else { files(source.path.parent().unwrap()) };
                    shown.parts = beside.iter().flat_map(|file| file.parts(&name)).collect();
                    found.push((place.to_owned(), shown));
                }
            }
            Item::Struct(_) | Item::Enum(_) | Item::Fn(_) | Item::Const(_) | Item::Trait(_) | Item::Type(_) => {
                panic!("{place}: items stand in files of their own, and mod.rs names them");
            }
            _ => {}
        }
    }
}

fn src() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("src")
}

#[test]
fn every_item_has_an_example() {
    let mut found = Vec::new();
    walk("tokenweir", &Source::read(&src().join("lib.rs")), &mut found);
    assert!(found.len() > 50, "the walk found {} items", found.len());
    let missing: Vec<_> = found.iter().flat_map(|(place, item)| lacking(place, item)).collect();
    assert!(missing.is_empty(), "{} without an example:\n{}", missing.len(), missing.join("\n"));
}

#[test]
fn the_front_page_has_an_example_of_each_front_end() {
    let text = fs::read_to_string(src().join("lib.rs")).unwrap();
    let docs = docs_of(&syn::parse_file(&text).unwrap().attrs);
    for parser in ["BlockParser", "FieldParser", "SegmentParser", "ToolCallParser", "EditParser"] {
        let is_shown = examples(&docs).iter().any(|code| code.contains(parser) && code.contains("assert"));
        assert!(is_shown, "{parser}");
    }
}

#[test]
fn what_is_hidden_says_why() {
    let mut count = 0;
    for file in files(&src()) {
        let text = fs::read_to_string(&file.path).unwrap();
        let lines: Vec<_> = text.lines().map(str::trim).collect();
        for at in (0..lines.len()).filter(|&at| lines.get(at) == Some(&"#[doc(hidden)]")) {
            // One reason may stand above several lines of one group.
            let above =
                lines.iter().take(at).rev().find(|line| !line.starts_with("#[") && !line.starts_with("pub use"));
            assert!(above.is_some_and(|line| line.starts_with("// ")), "{}:{}", file.path.display(), at + 1);
            count += 1;
        }
    }
    assert!(count > 10);
}

#[test]
fn an_item_without_an_example_is_found() {
    let source = |text: &str| Source { path: PathBuf::new(), items: syn::parse_file(text).unwrap().items };
    let missing = |text: &str| {
        let source = source(text);
        let item = Shown { parts: source.parts("A"), ..source.shown("A").unwrap() };
        lacking("x", &item)
    };
    assert_eq!(missing("/// Text.\npub struct A;"), ["x::A"]);
    assert_eq!(missing("/// ```\n/// assert!(true);\n/// ```\npub struct A;"), [""; 0]);
    assert_eq!(missing("/// ```\n/// let a = A;\n/// ```\npub struct A;"), ["x::A"]);
    for info in ["text", "ignore", "no_run"] {
        assert_eq!(missing(&format!("/// ```{info}\n/// assert!(true);\n/// ```\npub enum A {{}}")), ["x::A"]);
    }

    let with = |code: &str, of: &str| {
        missing(&format!("/// ```\n/// assert!({code});\n/// ```\npub struct A;\nimpl A {{ {of} }}"))
    };
    assert_eq!(with("true", "pub fn b() {}"), ["x::A::b"]);
    assert_eq!(with("A::b()", "pub fn b() {}"), [""; 0]);
    assert_eq!(with("a.bc()", "pub fn b(&self) {}"), ["x::A::b"]);
    assert_eq!(with("true", "#[doc(hidden)] pub fn b() {}"), [""; 0]);
    assert_eq!(with("true", "fn b() {} pub(crate) fn c() {}"), [""; 0]);
    assert_eq!(with("true", "/// ```\n/// assert!(A::b());\n/// ```\npub fn b() {}"), [""; 0]);
    assert_eq!(with("true", "pub const B: u32 = 1;"), ["x::A::B"]);
}
