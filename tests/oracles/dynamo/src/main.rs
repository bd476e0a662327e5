//! Reads lines `{"family", "text", "tools": [{"name", "parameters"}]}`; writes for each the calls and the text.

use dynamo_parsers_v2::{Tool, create_tool_parser_for_family};
use serde_json::{Value, json};
use std::io::{BufRead, stdin};

fn main() {
    for line in stdin().lock().lines() {
        let asked: Value = serde_json::from_str(&line.expect("a line")).expect("JSON");
        println!("{}", read(&asked).unwrap_or_else(|error| json!({ "error": error })));
    }
}

fn read(asked: &Value) -> Result<Value, String> {
    let tool = |tool: &Value| Tool {
        name: tool["name"].as_str().unwrap_or_default().to_owned(),
        description: None,
        parameters: tool["parameters"].clone(),
        strict: None,
    };
    let tools: Vec<Tool> = asked["tools"].as_array().into_iter().flatten().map(tool).collect();
    let text = |key: &str| asked[key].as_str().ok_or_else(|| format!("{key} is no text"));
    let mut parser = create_tool_parser_for_family(text("family")?, &tools).map_err(|error| error.to_string())?;
    let found = parser.parse_complete(text("text")?).map_err(|error| error.to_string())?;
    let calls: Vec<Value> = found
        .calls
        .into_iter()
        .map(|call| {
            let args = serde_json::from_str(&call.arguments).unwrap_or(Value::String(call.arguments));
            json!({ "name": call.name, "args": args })
        })
        .collect();
    Ok(json!({ "calls": calls, "text": found.normal_text }))
}
