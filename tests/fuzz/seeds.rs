//! Writes the seeds: some cases of each front-end as inputs, for
//! `npm run fuzz -- --seeds`. A seed is the case's text, the bytes of how it is
//! read, and cuts.

#![allow(dead_code, reason = "of a case its text is wanted")]

#[path = "../format/rows.rs"]
mod rows;

use serde::Deserialize;
use std::fs;
use std::path::Path;
use toml::{Table, Value};

/// So many seeds a target has, at most.
const MOST: usize = 45;

/// Longest text of one, in bytes.
const LONGEST: usize = 400;

/// What is as long as may be, and a little longer: a target, what comes before,
/// and the run after it, by its place in the list of `text.rs`.
const LONG: [(&str, &str, u8); 13] = [
    ("block", "<thinking a=\"", 2),
    ("block", "<thinking a=\"", 6),
    ("segment", "<tool a=\"", 2),
    ("segment", "{\"", 0),
    ("field", "[", 3),
    ("field", "See {\"", 2),
    ("tool_call", "<tool_call>", 0),
    ("tool_call", "<tool_call>{\"name\":\"add\",\"arguments\":{\"a\":\"", 10),
    ("json", "[", 3),
    ("xml", "<a name=\"", 2),
    ("xml", "<a name=\"", 6),
    ("rxml", "<a x=\"", 2),
    ("rxml", "<a></a", 0),
];

#[derive(Deserialize)]
struct File {
    case: Vec<Table>,
}

fn main() {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let text = |case: &Table| case.get("input").or(case.get("text")).and_then(Value::as_str).map(str::to_owned);
    let has = |case: &Table, key: &str, value: &str| case.get(key).and_then(Value::as_str) == Some(value);
    let flag = |case: &Table, key: &str| u8::from(case.get(key).and_then(Value::as_bool) == Some(true));
    write(here, "block", "block", |case| Some((text(case)?, vec![u8::from(has(case, "face", "elements")), 0, 0, 0])));
    write(here, "segment", "segment", |case| {
        let markers = match case.get("strategy").and_then(Value::as_str) {
            Some("json") => 2,
            Some("sentinel") => 4,
            _ if case.contains_key("order") => 7,
            _ => 1,
        };
        Some((text(case)?, vec![markers | u8::from(has(case, "fences", "text")) << 3, 0, 0]))
    });
    write(here, "edit", "edit", |case| Some((text(case)?, vec![0, flag(case, "whole"), u8::from(has(case, "finish", "stop"))])));
    write(here, "field", "field", |case| {
        Some((text(case)?, vec![flag(case, "strict"), 0, 0, 0, flag(case, "multiple"), 0]))
    });
    write(here, "tool_call", "tool_call", |case| {
        let tools = [("get_weather", "get"), ("write_file", "add"), ("tags", "add"), ("nested", "get")];
        let text = tools.iter().fold(text(case)?, |text, (from, to)| text.replace(from, to));
        Some((text, vec![u8::from(has(case, "protocol", "morph")), 0, 0, 0]))
    });
    write(here, "json", "field", |case| {
        Some((text(case)?, vec![if flag(case, "strict") == 1 { 0 } else { 2 }, 0, 0, 0, 0, 0, 0]))
    });
    write(here, "xml", "rxml", |case| Some((text(case)?, vec![0, 0xF, 0xF, 0, 1])));
    write(here, "rxml", "rxml", |case| Some((text(case)?, vec![3, 0])));
    // A row's seed is its sample.
    let rows = (0..).zip(rows::ALL.iter());
    let samples = rows.map(|(number, row)| (row.id.clone(), (row.sample.clone(), vec![number, 0, 0xFF, 0, 0])));
    write_all(here, "format", samples.filter(|(_, (sample, _))| sample.len() <= LONGEST).collect());
}

/// Every so many cases of a folder as seeds of a target.
fn write(here: &Path, target: &str, folder: &str, seed: impl Fn(&Table) -> Option<(String, Vec<u8>)>) {
    let mut seeds = Vec::new();
    let mut paths: Vec<_> =
        fs::read_dir(here.join("../cases").join(folder)).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.retain(|path| path.extension().is_some_and(|extension| extension == "toml"));
    paths.sort();
    for path in paths {
        let File { case } = toml::from_str(&fs::read_to_string(&path).unwrap()).unwrap();
        for case in case {
            let stem = path.file_stem().unwrap().to_string_lossy();
            let name = format!("{stem}-{}", case["name"].as_str().unwrap());
            seeds.extend(
                seed(&case).filter(|(text, _)| text.len() <= LONGEST && !text.contains('⟪')).map(|seed| (name, seed)),
            );
        }
    }
    write_all(here, target, seeds);
}

/// Every so many of named texts, each with how it is read.
fn write_all(here: &Path, target: &str, seeds: Vec<(String, (String, Vec<u8>))>) {
    let folder = here.join("seeds").join(target);
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    let every = seeds.len().div_ceil(MOST);
    for (nth, (name, (text, setting))) in seeds.into_iter().step_by(every).enumerate() {
        let mut bytes = text.into_bytes();
        bytes.extend(setting.iter().chain(&[0; tokenweir_fuzz::SETTING]).take(tokenweir_fuzz::SETTING));
        // In pieces of one to three characters, or at some places.
        let mut cuts = vec![[0, 1, 2, 100][nth % 4]];
        cuts.extend((0..tokenweir_fuzz::CUTS - 1).map(|place| (nth * 37 + place * 91) as u8));
        bytes.extend(&cuts[..tokenweir_fuzz::CUTS]);
        fs::write(folder.join(name), bytes).unwrap();
    }
    for (nth, (_, front, run)) in LONG.iter().filter(|(name, ..)| *name == target).enumerate() {
        // The order of a run, which it is, the longest, and nothing less.
        let mut bytes = [front.as_bytes(), &[0xB6, *run, 12, 0]].concat();
        bytes.extend([0; tokenweir_fuzz::SETTING + tokenweir_fuzz::CUTS]);
        fs::write(folder.join(format!("long-{nth}")), bytes).unwrap();
    }
}
