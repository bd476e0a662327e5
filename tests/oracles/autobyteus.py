#!/usr/bin/env python3
"""What AutoByteus emits of a text: its segments and its tool invocations.

Needs autobyteus==1.4.4 from PyPI; nothing in the repository depends on it:

    python -m venv autobyteus-env
    autobyteus-env/bin/pip install --no-deps autobyteus==1.4.4 && autobyteus-env/bin/pip install pydantic
    autobyteus-env/bin/python tests/oracles/autobyteus.py --count 168 --seed 11 > tests/cases/segments-more.jsonl
    autobyteus-env/bin/python tests/oracles/autobyteus.py --check tests/cases/segments.jsonl
    autobyteus-env/bin/python tests/oracles/autobyteus.py --texts FILE

--count, --seed and --features write random texts of these features, in turn (--list names the features).
--check records a file's texts again and lists those whose events differ now.
--texts records lines of {strategy, jsonProfile?, order?, text}, or of records, which are recorded again.

A line is {name, strategy, jsonProfile?, order?, text, events, invocations}. Events are ["start", type, metadata],
["content", text] and ["end"]. Contents are joined, a text segment without metadata that follows a text segment is
part of it, and what END repeats of START is left out. Only texts which the reference reads the same at every cut are
kept; sentinel markers it doesn't find when they are cut, so texts with such markers are read whole alone.

The random texts are well-formed, and keep clear of what the reference gets wrong: see the notes at the features.
"""

import argparse
import contextlib
import importlib.metadata
import json
import logging
import os
import random
import sys

VERSION = "1.4.4"

# This file has the package's name, so its folder mustn't be searched.
sys.path.remove(os.path.dirname(os.path.abspath(__file__)))
# The package says on standard output which of its tools lack their libraries.
logging.disable(logging.CRITICAL)
with contextlib.redirect_stdout(sys.stderr):
    from autobyteus.agent.streaming.adapters.invocation_adapter import ToolInvocationAdapter
    from autobyteus.agent.streaming.parser.json_parsing_strategies import registry
    from autobyteus.agent.streaming.parser.parser_context import ParserConfig
    from autobyteus.agent.streaming.parser.streaming_parser import StreamingParser

PROFILES = {"openai": registry.OPENAI_PROFILE, "gemini": registry.GEMINI_PROFILE, "default": registry.DEFAULT_PROFILE}
MARKERS = {"xml": ["xml_tag"], "json": ["json_tool"], "sentinel": ["sentinel"]}


def read(setup, chunks):
    """Segments and invocations of a text in chunks."""
    profile = PROFILES[setup["jsonProfile"]] if "jsonProfile" in setup else None
    order = setup["order"] if "order" in setup else MARKERS[setup["strategy"]]
    json_setup = {"json_tool_patterns": list(profile.signature_patterns), "json_tool_parser": profile.parser} if profile else {}
    parser = StreamingParser(ParserConfig(strategy_order=list(order), **json_setup))
    adapter = ToolInvocationAdapter(json_tool_parser=profile.parser if profile else None)
    events = [event for chunk in chunks for event in parser.feed(chunk)] + parser.finalize()
    invocations = [{"name": call.name, "arguments": call.arguments} for call in adapter.process_events(events)]
    return {"events": joined(events), "invocations": invocations}


def joined(events):
    lines = []
    for event in events:
        kind = event.event_type.name
        if kind == "START":
            segment_type, metadata = event.segment_type.value, event.payload.get("metadata", {})
            if segment_type == "text" and not metadata and len(lines) > 1 and started(lines) == "text":
                lines.pop()
            else:
                lines.append(["start", segment_type, metadata])
        elif kind == "END":
            lines.append(["end"])
        elif lines[-1][0] == "content":
            lines[-1][1] += event.payload["delta"]
        else:
            lines.append(["content", event.payload["delta"]])
    return lines


def started(lines):
    """The type of the last segment."""
    return next(line[1] for line in reversed(lines) if line[0] == "start")


def record(setup):
    """The events of a text, or None where they depend on how it is cut."""
    text = setup["text"]
    whole = read(setup, [text])
    if "sentinel" in setup.get("order", [setup["strategy"]]):
        return whole
    rng = random.Random(text)
    cuts = [[at] for at in range(1, len(text))]
    cuts += [sorted(rng.sample(range(1, len(text)), min(len(text) - 1, rng.randint(2, 20)))) for _ in range(40) if len(text) > 1]
    cuts += [list(range(size, len(text), size)) for size in (1, 2, 3, 4, 7)]
    for places in cuts:
        if read(setup, [text[start:end] for start, end in zip([0, *places], [*places, len(text)])]) != whole:
            return None
    return whole


# --- random texts -----------------------------------------------------------

WORDS = ["Sure.", "I will edit the file now.", "naïve café — 東京", "😀 done", "a > b and c", "Tom & Jerry", "שלום עולם", "e\u0301 & n\u0303", "👩‍👩‍👧", "100 %", "it's \"ok\"", "x = [1, 2]", "a;b", "\ttabbed", "http://a.b/c?d=1&e=2"]
HTML = ["<b>bold</b>", "<br/>", "<p class='x'>y</p>", "<!-- note -->", "</tool>", "</write_file>", "</arg>", "<https://a.b>", "<html>", "<1>", "<toO>"]
CODE = ["print('hi')\n", "if (a<b) { c(\"<arg \") }\n", "#include <stdio.h>\nint main() { return 0; }\n", "x", "a\n\n  b\n", "<div class=\"a\">&amp; ünïcode 😀</div>\n", "{\"tool\": 1}\n", "\r\nwin\r\n", "for i in $(ls); do echo \"$i\"; done", "<tool>", "</tool", "```js\n1\n```\n", "[[SEG_END]", "東京 </writ", "&lt;tag&gt;"]
COMMANDS = ["ls -la", "cat <<E > a.txt\nhi\nE", "echo \"a b\" && pwd", "grep -r '</b>' .", "echo 東京 😀", "a | b || c", "test 1 -lt 2", "sed 's/<x>/y/'", "  spaced  "]
PATHS = ["/a.py", "src/main.rs", "/tmp/ü x.txt", "C:\\a\\b.txt", "東京.md", "a/b-c_d.e", "../x", "it's.txt"]
NAMES = ["read", "search", "Add", "get_weather", "x-y.z", "ns:tool", "рус", "lookup2"]
VALUES = ["1", " x ", "a &amp; b", "&lt;b&gt;", "true", "3.5", "東京 😀", "two\nlines", "it's", "&#65;&#x42;", "\"q\"", "a > b", "&quot;&apos;", "", "null", "{\"a\": 1}"]
KEYS = ["q", "n", "path", "max_items", "Name", "a-b", "x1"]


class Text:
    """One random text with its setup, as the feature says."""

    def __init__(self, rng, feature):
        self.rng = rng
        self.setup = {"strategy": "xml"}
        self.pieces = []
        getattr(self, feature.replace("-", "_"))()
        self.setup["text"] = "".join(self.pieces)

    def pick(self, among):
        return self.rng.choice(among)

    def flip(self, chance=0.5):
        return self.rng.random() < chance

    def times(self, most, make):
        for _ in range(self.rng.randint(1, most)):
            self.pieces.append(make())

    def between(self, chance=0.6):
        """Prose between segments, in which no marker begins."""
        if self.flip(chance):
            self.pieces.append(self.pick(WORDS) + self.pick([" ", "\n", "\n\n", ""]))

    def amid(self, most, make, chance=0.6):
        self.between(chance)
        for _ in range(self.rng.randint(1, most)):
            self.pieces.append(make())
            self.between(chance)

    # xml. No `<` alone in prose: the reference loses the rest of the chunk after it.

    def xml_prose(self):
        self.times(5, lambda: self.pick(WORDS + HTML) + self.pick([" ", "\n", ""]))

    def quoted(self, value):
        return self.pick([f'"{value}"', f"'{value}'"])

    # Either quote ends a value there, so the text has no quotes in it.
    def write_file(self):
        path = self.pick([path for path in PATHS if "'" not in path])
        attributes = [f"{self.pick(['path', 'PATH', 'path ', 'path'])}={self.pick(['', ' '])}{self.quoted(path)}"]
        if self.flip(0.3):
            attributes.insert(self.rng.randint(0, 1), self.pick(["mode='w'", 'lang="py"', "x"]))
        name, close = self.pick([("write_file", "write_file"), ("write_file", "write_file"), ("WRITE_FILE", "Write_File")])
        return f"<{name}{self.pick([' ', '  ', chr(10)])}{' '.join(attributes)}{self.pick(['', ' '])}>{self.pick(CODE)}</{close}>"

    def run_bash(self):
        name, close = self.pick([("run_bash", "run_bash"), ("run_bash", "run_bash"), ("Run_Bash", "RUN_BASH")])
        return f"<{name}{self.pick(['', ' '])}>{self.pick(COMMANDS)}</{close}>"

    def xml_write_file(self):
        self.amid(2, self.write_file)

    def xml_run_bash(self):
        self.amid(3, self.run_bash)

    def tool(self, name, body):
        open_tag = f"<{self.pick(['tool', 'tool', 'TOOL'])}{self.pick([' ', chr(10)])}name={self.quoted(name)}{self.pick(['', ' '])}>"
        return f"{open_tag}{body}</{self.pick(['tool', 'tool', 'Tool'])}>"

    def wrapped(self, arguments, must=False):
        line = self.pick(["", "\n", "\n  "])
        inner = line + line.join(arguments) + (line and "\n")
        return f"<arguments>{inner}</arguments>" if must or self.flip(0.7) else inner

    def generic(self):
        arguments = [f'<arg name="{key}">{self.pick(VALUES)}</arg>' for key in self.rng.sample(KEYS, self.rng.randint(0, 3))]
        return self.tool(self.pick(NAMES), self.wrapped(arguments))

    def xml_tool(self):
        self.amid(3, self.generic)

    def xml_tool_legacy(self):
        def one():
            return self.tool(self.pick(NAMES), self.wrapped([f"<{key}>{self.pick(VALUES)}</{key}>" for key in self.rng.sample(KEYS, self.rng.randint(1, 3))]))

        self.amid(2, one)

    # Text next to elements is dropped there, and a nested list is '', so the texts have neither.
    def nested(self, depth, is_item=False):
        kind = self.rng.random()
        if depth > 2 or kind < 0.35:
            return self.pick([value for value in VALUES if value])
        count = self.rng.randint(1, 3)
        if kind < 0.6 and not is_item:
            return "".join(f"<item>{self.nested(depth + 1, True)}</item>" for _ in range(count))
        if kind < 0.85:
            return "".join(f'<arg name="{key}">{self.nested(depth + 1)}</arg>' for key in self.rng.sample(KEYS, count))
        return "".join(f"<{key}>{self.nested(depth + 1)}</{key}>" for key in self.rng.sample(KEYS, count))

    def xml_tool_nested(self):
        def one():
            return self.tool(self.pick(NAMES), self.wrapped([f'<arg name="{key}">{self.nested(1)}</arg>' for key in self.rng.sample(KEYS, self.rng.randint(1, 2))]))

        self.amid(1, one)

    def xml_tool_cdata(self):
        def value():
            return self.pick(["<![CDATA[a < b && c]]>", "<![CDATA[<div>hi</div>]]>", "x<![CDATA[&amp;]]>y", "<![CDATA[]]>", "<![CDATA[]] >]]>"])

        def one():
            return self.tool(self.pick(NAMES), self.wrapped([f'<arg name="{key}">{value()}</arg>' for key in self.rng.sample(KEYS, self.rng.randint(1, 2))]))

        self.amid(2, one)

    def arg(self, name, value):
        quote = self.pick(["'", '"'])
        return f"<arg{self.pick([' ', '  '])}name={quote}{name}{quote}>{value}</arg>"

    def content(self):
        return self.pick([code for code in CODE if "</arg" not in code])

    def file_tool(self, name, argument, value):
        arguments = [self.arg("path", self.pick(["", " ", "\n"]) + self.pick(PATHS) + self.pick(["", " "])), self.arg(argument, value)]
        space = self.pick(["", "\n", "\n  "])
        body = space + space.join(arguments) + self.pick(["", "\n"])
        return self.tool(name, f"<arguments>{body}</arguments>{self.pick(['', chr(10)])}" if self.flip(0.7) else body).replace("</Tool>", "</tool>")

    def xml_tool_write_file(self):
        self.amid(2, lambda: self.file_tool(self.pick(["write_file", "write_file", "WRITE_FILE"]), "content", self.content()))

    def xml_tool_patch_file(self):
        def patch():
            return self.pick(["@@ -1 +1 @@\n-a\n+b\n", "--- a\n+++ b\n@@ -1,2 +1,2 @@\n ü\n-x < y\n+x > y 😀\n", "-<b>\n+</b>\n", "\n@@\n"])

        self.amid(2, lambda: self.file_tool("patch_file", "patch", patch()))

    def xml_tool_run_bash(self):
        def one():
            return self.tool(self.pick(["run_bash", "RUN_BASH"]), self.wrapped([self.arg("command", self.pick(COMMANDS))])).replace("</Tool>", "</tool>")

        self.amid(3, one)

    # A newline after the start marker stays if the chunk ends between them, so the text has no newline there.
    def marked(self, start, end, inner):
        return self.pick(["", "\n"]) + start + inner + end + self.pick(["", "\n", "  "])

    def xml_markers(self):
        inner = lambda: self.pick(["x = 1\n", "<arg name=\"x\">y</arg> z\n", "</arg>b", "a __END_CONTENT__ b\n", "<tool name=\"run_bash\">", "__START_CONTENT__", " 東京 😀 </arg> x\n", "__END_", "</ar"])  # noqa: E731
        self.amid(2, lambda: self.file_tool("write_file", "content", self.marked("__START_CONTENT__", "__END_CONTENT__", inner())))

    def xml_patch_markers(self):
        inner = lambda: self.pick(["@@\n-</arg>\n+b\n", "-__END_PATCH__ x\n", "+a\n"])  # noqa: E731
        self.amid(2, lambda: self.file_tool("patch_file", "patch", self.marked("__START_PATCH__", "__END_PATCH__", inner())))

    def xml_mixed(self):
        makes = [self.write_file, self.run_bash, self.generic, lambda: self.file_tool("write_file", "content", self.content()), lambda: self.pick(HTML)]
        self.amid(6, lambda: self.pick(makes)(), 0.4)

    def xml_fenced(self):
        self.amid(2, lambda: f"{self.pick(['```xml', '~~~', '```'])}\n{self.pick([self.run_bash, self.generic])()}\n```\n")

    def xml_empty(self):
        self.amid(3, lambda: self.pick(["<run_bash></run_bash>", '<write_file path="a"></write_file>', '<tool name="t"></tool>', '<tool name="t"><arguments></arguments></tool>', '<tool name="write_file"><arg name="path">a</arg><arg name="content"></arg></tool>', '<tool name="t"> \n </tool>']))

    # json. One call in each text of JSON: all but the first are lost there.

    def json_text(self, value):
        how = self.pick([{}, {}, {"indent": 2}, {"separators": (",", ":")}, {"ensure_ascii": False}, {"indent": "\t", "ensure_ascii": False}])
        return json.dumps(value, **how)

    def some_arguments(self):
        def value(depth):
            options = ["}{[", 'say "hi"', "東京 😀", "a\\b\n", "", "]]", 1, -2.5, True, None, {"k": [1, {"z": None}]}, [], {}]
            return self.pick(options) if depth else [self.pick(options), {"in": self.pick(options)}]

        return {key: value(self.rng.randint(0, 2)) for key in self.rng.sample(KEYS, self.rng.randint(0, 3))}

    def string_or(self, arguments):
        return json.dumps(arguments) if self.flip(0.3) else arguments

    def json_with(self, profile, make, prose=()):
        self.setup = {"strategy": "json", "jsonProfile": profile}
        self.between()
        for _ in range(self.rng.randint(1, 3)):
            if prose and self.flip():
                self.pieces.append(self.pick(prose) + self.pick([" ", "\n"]))
            self.pieces.append(self.json_text(make()))
            self.between()

    def openai_call(self):
        name, arguments = self.pick(NAMES), self.string_or(self.some_arguments())
        key = self.pick(["arguments", "parameters"])
        function = {"name": name, key: arguments}
        return self.pick([{"tool_calls": [{"function": function}]}, {"tool_calls": [{"id": "c1", "type": "function", "function": function}]}, {"tools": [function]}, {"tool": {"function": name, key: arguments}}, {"tool": function}, {"function": function}, {"function": name, key: arguments}, [{"function": function}], [{"tool": {"function": name, key: arguments}}]])

    def json_openai(self):
        self.json_with("openai", self.openai_call)

    def gemini_call(self):
        call = {"name": self.pick(NAMES), "args": self.string_or(self.some_arguments())}
        return self.pick([call, call, [call]])

    def json_gemini(self):
        self.json_with("gemini", self.gemini_call)

    def default_call(self):
        name, key = self.pick(NAMES), self.pick(["parameters", "arguments"])
        return {"tool": {"function": self.pick([name, {"name": name}]), key: self.string_or(self.some_arguments())}}

    def json_default(self):
        self.json_with("default", self.default_call)

    # No tool inside another object: it would be called there.
    def json_prose(self):
        prose = ['{"a": 1}', "[1, 2]", "{}", "[]", "{x}", "[see 3]", '{"a": {"b": ["c"]}}', "f() { return }", "{{name}}", "[{}]", '{"toolbox": 1}', "a[0]"]
        profile = self.pick(["openai", "gemini", "default"])
        self.json_with(profile, getattr(self, f"{profile}_call"), prose)

    # sentinel. The header has no `]]`, which ends it there, and no key that is a parameter's name there.

    def segment(self, header, body):
        return f"[[SEG_START{self.pick([' ', '  ', chr(10)])}{self.json_text(header)}{self.pick(['', ' '])}]]{body}[[SEG_END]]"

    def sentinel_files(self):
        self.setup = {"strategy": "sentinel"}
        one = lambda: self.segment({"type": self.pick(["write_file", " WRITE_FILE "]), "path": self.pick(PATHS)}, self.pick([code for code in CODE if not code.endswith("]")]))  # noqa: E731
        self.amid(2, one)

    def sentinel_tools(self):
        def one():
            arguments = {key: value for key, value in self.some_arguments().items() if "]]" not in json.dumps(value)}
            if not arguments:
                return self.segment({"type": "tool_call", "tool_name": self.pick(NAMES)}, f'<arg name="q">{self.pick(VALUES)}</arg>')
            return self.segment({"type": self.pick(["tool", "tool_call", "TOOL"]), "tool_name": self.pick(NAMES), "arguments": arguments}, "")

        self.setup = {"strategy": "sentinel"}
        self.amid(2, one)

    def sentinel_mixed(self):
        def one():
            kind = self.pick(["run_bash", "text", "write_file"])
            header = {"type": kind, **({"path": self.pick(PATHS)} if kind == "write_file" else {}), **self.pick([{}, {"lang": "py"}, {"k": {"l": [1]}}, {"n": None}])}
            return self.segment(header, self.pick(COMMANDS))

        self.setup = {"strategy": "sentinel"}
        self.amid(3, one)

    # several markers

    def order_xml_json(self):
        profile = self.pick(["openai", "gemini", "default"])
        self.setup = {"strategy": "xml", "order": self.pick([["xml_tag", "json_tool"], ["json_tool", "xml_tag"]]), "jsonProfile": profile}
        self.amid(4, lambda: self.pick([self.run_bash, self.write_file, lambda: self.json_text(getattr(self, f"{profile}_call")())])())

    def order_xml_sentinel(self):
        self.setup = {"strategy": "xml", "order": ["xml_tag", "sentinel"]}
        self.amid(4, lambda: self.pick([self.run_bash, self.generic, lambda: self.segment({"type": "run_bash"}, self.pick(COMMANDS))])())


FEATURES = [
    "xml-prose", "xml-write-file", "xml-run-bash", "xml-tool", "xml-tool-legacy", "xml-tool-nested", "xml-tool-cdata", "xml-tool-write-file", "xml-tool-patch-file",
    "xml-tool-run-bash", "xml-markers", "xml-patch-markers", "xml-mixed", "xml-fenced", "xml-empty", "json-openai", "json-gemini", "json-default", "json-prose",
    "sentinel-files", "sentinel-tools", "sentinel-mixed", "order-xml-json", "order-xml-sentinel",
]  # fmt: skip

LONGEST = 900


def generate(count, seed, features):
    """Texts of the features in turn."""
    made, seen, number, left_out = [], set(), 0, 0
    numbers = dict.fromkeys(features, 0)
    while len(made) < count:
        feature = features[len(made) % len(features)]
        # Of each text its own: a changed feature leaves the others as they were.
        setup = Text(random.Random(f"{seed}/{feature}/{number}"), feature).setup
        number += 1
        if setup["text"] in seen or not 0 < len(setup["text"]) <= LONGEST:
            continue
        seen.add(setup["text"])
        emitted = record(setup)
        if emitted is None:
            left_out += 1
            continue
        made.append({"name": f"{feature}-{numbers[feature]:02}", **setup, **emitted})
        numbers[feature] += 1
    print(f"{len(made)} texts; {left_out} left out, since they are read differently when they are cut", file=sys.stderr)
    return made


# --- the command line -------------------------------------------------------


def lines_of(path):
    with open(path, encoding="utf-8") as file:
        return [line for line in map(json.loads, filter(str.strip, file)) if "text" in line]


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--count", type=int, default=168)
    arguments.add_argument("--seed", type=int, default=11)
    arguments.add_argument("--features", default=",".join(FEATURES))
    arguments.add_argument("--list", action="store_true")
    arguments.add_argument("--check", metavar="FILE")
    arguments.add_argument("--texts", metavar="FILE")
    options = arguments.parse_args()

    version = importlib.metadata.version("autobyteus")
    if version != VERSION:
        sys.exit(f"autobyteus {VERSION} is needed, not {version}.")
    if options.list:
        return print("\n".join(FEATURES))

    if options.check:
        lines = lines_of(options.check)
        others = [line["name"] for line in lines if record(line) != {"events": line["events"], "invocations": line["invocations"]}]
        print(f"{len(lines)} texts, {len(others)} with different events now: {', '.join(others) or 'none'}")
        return sys.exit(1 if others else 0)

    if options.texts:
        for nth, line in enumerate(lines_of(options.texts)):
            emitted = record(line)
            if emitted is None:
                print(f"left out, since it is read differently when it is cut: {line.get('name', nth)}", file=sys.stderr)
            else:
                print(json.dumps({"name": f"text-{nth:03}", **line, **emitted}, ensure_ascii=False))
        return None

    features = options.features.split(",")
    unknown = [feature for feature in features if feature not in FEATURES]
    if unknown:
        sys.exit(f"There is no feature {', '.join(unknown)}; --list names them.")
    lines = generate(options.count, options.seed, features)
    about = {
        "about": f"Recorded from AutoByteus {VERSION} (PyPI) by tests/oracles/autobyteus.py --count {options.count} --seed {options.seed}; kept only where it gives the same at every cut "
        "(with sentinel markers: whole text only, since they can't be cut there). Contents are joined, a text segment without metadata that follows a text segment is part of it, "
        "END payloads are left out. A name's front is the feature.",
        "count": len(lines),
    }
    for line in [about, *lines]:
        print(json.dumps(line, ensure_ascii=False))


if __name__ == "__main__":
    main()
