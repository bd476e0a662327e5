#!/usr/bin/env python3
"""Records the events of Agently's StreamingJSONParser, chunk by chunk: the reference for `completion: 'order'`.

Needs agently==4.0.7 from PyPI; nothing in the repository depends on it:

    python -m venv agently-env && agently-env/bin/pip install agently==4.0.7
    agently-env/bin/python tests/oracles/agently.py --count 156 --seed 7 > tests/cases/field-order-more.jsonl
    agently-env/bin/python tests/oracles/agently.py --count 30 --features stranger-first,no-match,stranger-root > tests/cases/field-order-roots.jsonl
    agently-env/bin/python tests/oracles/agently.py --check tests/cases/field-order.jsonl
    agently-env/bin/python tests/oracles/agently.py --documents tests/cases/field-order-differs.jsonl

--count, --seed and --features write random documents of these features, in turn (--list names the features).
--check records a file's documents again and says which sequences are others now.
--documents keeps a file's lines as they are, but for `events` and `data`, which are recorded again.

A line is {name, schema, chunks, events, data}: events[i] is what chunk i gave, the last entry is what finalize gave.
A leaf ["$t", type] of the schema is the tuple (type,); a schema that is null was recorded with {}.
{"$n": "NaN"} is the number that JSON can't write.

Its event class checks that a delta is a string, so a number's delta raises and the rest of the chunk is lost. That is
an accident and not the rule, so a plain class takes that place here; it copies values, which change later otherwise.
"""

import argparse
import asyncio
import copy
import importlib.metadata
import json
import math
import os
import random
import re
import sys

VERSION = "4.0.7"

# This file has the package's name, so its folder mustn't be searched.
sys.path.remove(os.path.dirname(os.path.abspath(__file__)))

import agently.utils  # noqa: E402

# The package's attribute of this name is the class; the module is what has the name to replace.
parser_module = sys.modules["agently.utils.StreamingJSONParser"]


class Event:
    def __init__(self, *, path, value, delta, is_complete, event_type, full_data):
        self.line = {
            "path": path,
            "eventType": event_type,
            "value": copy.deepcopy(value),
            "delta": copy.deepcopy(delta),
            "isComplete": is_complete,
        }


parser_module.StreamingData = Event

TYPES = {"str": str, "int": int, "bool": bool, "float": float}


def schema_of(shape):
    """The schema as the reference takes it."""
    if shape is None:
        return {}
    if isinstance(shape, dict):
        return {key: schema_of(value) for key, value in shape.items()}
    if shape[:1] == ["$t"]:
        return (TYPES[shape[1]],)
    return [schema_of(item) for item in shape]


def record(shape, chunks):
    """Events of each chunk and of finalize, and the data at the end."""

    async def run():
        parser = parser_module.StreamingJSONParser(schema_of(shape))
        emitted = [[event.line async for event in parser.parse_chunk(chunk)] for chunk in chunks]
        emitted.append([event.line async for event in parser.finalize()])
        return emitted, parser.current_data

    return asyncio.run(run())


def writable(value):
    """Numbers that JSON can't write become objects."""
    if isinstance(value, float) and not math.isfinite(value):
        return {"$n": "NaN" if math.isnan(value) else "Infinity" if value > 0 else "-Infinity"}
    if isinstance(value, dict):
        return {key: writable(item) for key, item in value.items()}
    if isinstance(value, list):
        return [writable(item) for item in value]
    return value


def to_line(value):
    text = json.dumps(writable(value), ensure_ascii=False, allow_nan=False)
    # Two escapes make two halves of a pair in Python, one character in JSON.
    text = re.sub("[\ud800-\udbff][\udc00-\udfff]", lambda pair: pair[0].encode("utf-16-le", "surrogatepass").decode("utf-16-le"), text)
    # One half has no UTF-8: it stays an escape.
    return "".join(f"\\u{ord(char):04x}" if "\ud800" <= char <= "\udfff" else char for char in text)


# --- random documents -------------------------------------------------------

NAMES = ["title", "body", "items", "count", "ok", "author", "summary"]
INNER = ["id", "name", "tags", "meta", "desc", "zeta", "alpha"]
FIELDS = ["p", "q", "r", "s", "t", "u"]
WORDS = ["hello", "café", "it's", "a \"q\"", "x\ny", "{b}", "[1]", "1,2", "//u", "/*c*/", "😀", "back\\slash", "long long long long", ""]
PLAIN_WORDS = ["hello", "café", "one two", "😀 smile", "1,2", "x", "http://a.b/c", "水", ""]
STR = ["$t", "str"]


class Document:
    """One random document: its schema, its data and its text, as the features say."""

    def __init__(self, rng, feature):
        self.rng, self.feature = rng, feature
        self.words = WORDS if feature not in ("single-quotes", "triple-quotes", "raw-newlines") else PLAIN_WORDS
        self.indent = rng.choice([None, None, 2])
        self.space = rng.choice(["", " "])
        self.shape = self.root_shape()
        self.meant = self.value(self.shape)
        if feature in ("order", "extra"):
            self.meant = self.shuffled(self.meant)
        if feature == "extra":
            self.add_keys(self.meant, first_stays=True)
        if feature in ("stranger-first", "stranger-root"):
            self.add_keys(self.meant, first_stays=False)
            self.meant = {rng.choice(["zz", "more", "x y"]): rng.choice(["extra", 5, {"k": "v"}, ["l", 1], None]), **self.meant}
        if feature == "no-match":
            self.meant = {f"{key}_": value for key, value in self.meant.items()}
        if feature == "no-schema":
            self.shape = None
            if rng.random() < 0.4:
                self.meant = [self.meant] if rng.random() < 0.5 else list(self.meant.values())
        self.text = self.framed(self.written(self.meant, 0))
        if feature == "stranger-root":
            # The reference reads the first root and nothing after it.
            after, self.meant = self.text, {rng.choice(["zz", "note"]): rng.choice(["a root", 7, ["l"], {"k": "v"}]), "more": "text"}
            self.text = self.framed(self.written(self.meant, 0)) + rng.choice([" then ", "\n", "\n\nOr "]) + after
        self.chunks = self.cut()

    def flip(self, chance=0.5):
        return self.rng.random() < chance

    # schema

    def root_shape(self):
        names = self.rng.sample(NAMES, self.rng.randint(2, 4))
        return {name: self.shape_at(1) for name in names}

    def shape_at(self, depth):
        roll = self.rng.random()
        if self.feature == "nested-arrays" and depth == 1 and roll < 0.7:
            return self.rng.choice([[[STR]], [[["$t", "int"]]], [{"p": [STR], "q": STR}]])
        if self.feature == "several-items" and depth == 1 and roll < 0.7:
            return [{"p": STR}, {"q": ["$t", "int"], "r": STR}]
        if self.feature in ("numbers", "hex", "infinity") and roll < 0.7:
            return self.rng.choice([["$t", "int"], ["$t", "float"], [["$t", "float"]]])
        if roll < 0.5 or depth > 2:
            return ["$t", self.rng.choice(["str", "str", "str", "int", "bool"])]
        if roll < 0.65:
            return [STR]
        if roll < 0.8:
            return [{name: ["$t", self.rng.choice(["str", "str", "int"])] for name in self.rng.sample(FIELDS, self.rng.randint(1, 3))}]
        return {name: self.shape_at(depth + 1) for name in self.rng.sample(INNER, self.rng.randint(1, 3))}

    # data

    def value(self, shape):
        if isinstance(shape, dict):
            return {key: self.value(inner) for key, inner in shape.items()}
        if shape[:1] == ["$t"]:
            return self.leaf(shape[1])
        if self.feature == "empty" and self.flip():
            return []
        return [self.value(self.rng.choice(shape)) for _ in range(self.rng.randint(0 if self.flip(0.2) else 1, 3))]

    def leaf(self, kind):
        if self.flip(0.4 if self.feature == "nulls" else 0.03):
            return None
        if self.feature == "empty" and self.flip():
            return self.rng.choice(["", "", {}, []])
        if kind == "str":
            if self.feature == "escapes":
                return "".join(self.rng.choice(["a", "é", "😀", "\n", "\t", "\"", "\\", "水", " ", "/"]) for _ in range(self.rng.randint(2, 6)))
            if self.feature in ("raw-newlines", "triple-quotes"):
                return "\n".join(self.rng.choice(["first line", "\tindented", "", "last, it's"]) for _ in range(self.rng.randint(1, 3)))
            return self.rng.choice(self.words) + self.rng.choice(["", "0", "7", "z"])
        if kind == "bool":
            return self.flip()
        if self.feature == "infinity" and self.flip(0.6):
            return self.rng.choice([math.inf, -math.inf])
        if kind == "float" or self.flip(0.2):
            return round(self.rng.uniform(-50, 90), self.rng.randint(1, 12))
        return self.rng.choice([0, 1, 7, self.rng.randint(-9999, 9999), self.rng.randint(0, 10**17)])

    def shuffled(self, value):
        if not isinstance(value, dict):
            return [self.shuffled(item) for item in value] if isinstance(value, list) else value
        keys = list(value)
        self.rng.shuffle(keys)
        return {key: self.shuffled(value[key]) for key in keys}

    def add_keys(self, value, first_stays=False):
        """Keys that the schema doesn't have: some that JavaScript would list first, some beyond the first 65,536 characters."""
        if isinstance(value, list):
            for item in value:
                self.add_keys(item)
        if not isinstance(value, dict):
            return
        for item in list(value.values()):
            self.add_keys(item)
        pairs = list(value.items())
        for _ in range(self.rng.randint(0, 2)):
            key = self.rng.choice(["more", "10", "2", "～", "😀", "constructor", "x y"])
            if key not in value:
                pairs.insert(self.rng.randint(1 if first_stays else 0, len(pairs)), (key, self.rng.choice(["extra", 5, {"k": "v"}, ["l", 1], True])))
        value.clear()
        value.update(pairs)

    # text

    def layout(self, depth):
        text = "" if self.indent is None else "\n" + " " * (self.indent * depth)
        if self.feature == "whitespace":
            text += self.rng.choice(["", "\t", "\r\n", "\u00a0", "\u2028", "\ufeff", "\v", "\u3000 "])
        if self.feature == "comments" and self.flip(0.4):
            text += self.rng.choice(["// it's a note\n", "/* note */", "/* two\nlines **/ ", "//\n", "/**/", " /* a // b */ "])
        return text

    def written(self, value, depth):
        if isinstance(value, dict):
            members = [self.layout(depth + 1) + self.key(key) + self.gap() + ":" + self.space + self.gap() + self.written(item, depth + 1) + self.gap() for key, item in value.items()]
            if self.feature == "duplicates":
                members = self.doubled(value, members, depth)
            return self.wrapped("{", members, "}", depth)
        if isinstance(value, list):
            return self.wrapped("[", [self.layout(depth + 1) + self.written(item, depth + 1) + self.gap() for item in value], "]", depth)
        if isinstance(value, str):
            return self.string(value)
        if isinstance(value, (int, float)) and not isinstance(value, bool):
            return self.number(value)
        return json.dumps(value)

    def gap(self):
        return self.layout(0) if self.feature in ("comments", "whitespace") and self.indent is None and self.flip(0.3) else ""

    def wrapped(self, opener, members, closer, depth):
        comma = "," + (self.space if self.indent is None else "")
        last = "," if members and self.feature == "trailing-commas" and self.flip(0.8) else ""
        return opener + comma.join(members) + last + (self.layout(depth) if members else self.gap()) + closer

    def doubled(self, value, members, depth):
        """Some keys come twice; the last value is the one that is meant."""
        out = []
        for (key, item), member in zip(value.items(), members):
            if self.flip(0.5):
                other = self.rng.choice(["old", 3, [1, 2], {"id": "was"}, "", True, None, item])
                out.append(self.layout(depth + 1) + self.key(key) + ":" + self.space + json.dumps(other, ensure_ascii=False))
            out.append(member)
            if out[1:] and self.flip(0.3):
                early = self.rng.choice(list(value))
                if list(value).index(early) <= list(value).index(key):
                    out.append(self.layout(depth + 1) + self.key(early) + ":" + self.space + json.dumps(value[early], ensure_ascii=False))
        return out

    def key(self, key):
        if self.feature == "unquoted-keys" and key.isidentifier() and self.flip(0.8):
            return key
        return self.string(key, is_key=True)

    def string(self, text, is_key=False):
        if self.feature == "single-quotes" and self.flip(0.7) and not set(text) & set("'\"\\\n[]{}"):
            return f"'{text}'"
        if self.feature == "triple-quotes" and not is_key and self.flip(0.8):
            return f'"""{text}"""'
        quoted = json.dumps(text, ensure_ascii=False)
        if self.feature in ("raw-newlines", "triple-quotes"):
            return quoted.replace("\\n", "\n").replace("\\t", "\t")
        if self.feature == "escapes":
            return json.dumps(text, ensure_ascii=self.flip(0.6)).replace("/", "\\/")
        if self.feature == "continuation" and not is_key and len(text) > 2 and self.flip(0.7):
            return '"\\\n' + quoted[1:-1] + '\\\n"'
        return quoted

    def number(self, value):
        if isinstance(value, float) and not math.isfinite(value):
            return self.rng.choice(["Infinity", "+Infinity", "1e400"]) if value > 0 else "-Infinity"
        if self.feature == "hex" and isinstance(value, int) and value >= 0:
            return self.rng.choice([f"0x{value:x}", f"0X{value:X}", f"+{value}", f"{value}.", f"+0x{value:x}"])
        if self.feature == "hex" and isinstance(value, float):
            return self.rng.choice(["", "+"] if value >= 0 else [""]) + repr(value).replace("0.", ".", 1 if abs(value) < 1 else 0)
        if self.feature == "numbers":
            return self.rng.choice([repr(value), f"{value:e}", f"{value:.3E}".replace("E+0", "E"), f"{float(value):.4f}"])
        return repr(value)

    def framed(self, text):
        roll = self.rng.random()
        if self.feature == "prose":
            before = self.rng.choice(['He said "hi" and then:\n', "See https://x.y/z\n", "/* note */ ", "a } b ] ", "C:\\dir \\ ", "<think>plan it well</think>\n", "**Result**: `x` = "])
            return before + text + self.rng.choice(["", "\nDone."])
        if self.feature == "after":
            return text + self.rng.choice([' {"title": "other"}', "}}]", " see [2]", '\n\n{"body": 1} and "more', " // it's\n"])
        if self.feature in ("plain", "order", "nulls", "numbers", "cut", "stranger-first", "no-match") and roll < 0.25:
            return f"```json\n{text}\n```"
        if self.feature in ("plain", "order", "nulls", "numbers", "cut", "stranger-first", "no-match", "stranger-root") and roll < 0.5:
            return f"Here is the result.\n\n{text}\nDone."
        return text

    def cut(self):
        text, rng = self.text, self.rng
        if self.feature == "cut":
            text = text[: rng.randint(len(text) // 4, max(len(text) - 2, 1))]
        most = 1 if self.feature in ("single", "numbers") and len(text) < 160 else rng.choice([3, 6, 12, 20])
        chunks, at = [], 0
        while at < len(text):
            size = rng.randint(1, most)
            # Half a pair is one of the differences: no cut between its escapes.
            while text[at + size - 6 : at + size - 3] in ("\\ud",) and text[at + size - 3] in "89ab":
                size += 1
            chunks.append(text[at : at + size])
            at += size
            if self.feature == "empty-chunks" and self.flip(0.25):
                chunks.append("")
        if self.feature in ("empty-chunks", "nulls", "empty") and self.flip():
            chunks.append(rng.choice(["", " ", "\n"]))
        return chunks


FEATURES = [
    "plain", "order", "extra", "empty-chunks", "single", "numbers", "nulls", "escapes", "nested-arrays", "several-items", "empty", "prose", "after",
    "cut", "duplicates", "no-schema", "whitespace", "comments", "trailing-commas", "single-quotes", "unquoted-keys", "hex", "infinity",
    "raw-newlines", "triple-quotes", "continuation",
]  # fmt: skip

# Roots whose first key isn't the schema's: only with --features, so that the others' recordings stay as they are.
ROOTS = ["stranger-first", "no-match", "stranger-root"]

# What a text of these features has, if luck didn't leave it out.
SHOWS = {
    "extra": r'"(more|10|2|～|😀|constructor|x y)":', "numbers": r"[0-9.]e|[0-9]E|\.\d+\D", "nulls": "null", "escapes": r"\\u", "nested-arrays": r"\[\s*\[", "several-items": r'"p".*"r"',
    "empty": r'\[\]|\{\}|""', "comments": r"/[/*]", "trailing-commas": r",\s*[\]}]", "single-quotes": r"'[,\s\]}]", "unquoted-keys": r"[{,]\s*\w+\s*:", "hex": "0[xX]", "infinity": "Infinity|1e400",
    "raw-newlines": r'[a-z\'"]\n(first|last|\tind)', "triple-quotes": '"""', "continuation": r"\\\n",
}  # fmt: skip


def generate(count, seed, features):
    """Documents of the features in turn, without those that the reference doesn't read to their end because of its own bugs."""
    made, number, left_out = [], 0, 0
    numbers = dict.fromkeys(features, 0)
    while len(made) < count:
        feature = features[len(made) % len(features)]
        # Of each document its own: a changed feature leaves the others as they were.
        document = Document(random.Random(f"{seed}/{feature}/{number}"), feature)
        number += 1
        if not re.search(SHOWS.get(feature, ""), document.text, re.DOTALL):
            continue
        events, data = record(document.shape, document.chunks)
        if len(to_line(events)) > 3000 or not any(events[:-1]) or (feature != "cut" and same(data) != same(document.meant)):
            left_out += 1
            continue
        name = f"{feature}-{numbers[feature]:02}"
        numbers[feature] += 1
        made.append({"name": name, "schema": document.shape, "chunks": document.chunks, "events": events, "data": data})
    print(f"{len(made)} documents; {left_out} left out: too long, without an event before the end, or not read to their end", file=sys.stderr)
    return made


def same(value):
    """For comparing: numbers as they are rounded by how they were written."""
    return json.dumps(value, sort_keys=True, default=str) if not isinstance(value, (dict, list)) else json.dumps(rounded(value), sort_keys=True)


def rounded(value):
    if isinstance(value, dict):
        return {key: rounded(item) for key, item in value.items()}
    if isinstance(value, list):
        return [rounded(item) for item in value]
    if isinstance(value, (int, float)) and not isinstance(value, bool) and math.isfinite(value):
        return f"{float(value):.2e}"
    return value


# --- the command line -------------------------------------------------------


def lines_of(path):
    with open(path, encoding="utf-8") as file:
        about, *lines = [json.loads(line) for line in file if line.strip()]
    return about, lines


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--count", type=int, default=156)
    arguments.add_argument("--seed", type=int, default=7)
    arguments.add_argument("--features", default=",".join(FEATURES))
    arguments.add_argument("--list", action="store_true")
    arguments.add_argument("--check", metavar="FILE")
    arguments.add_argument("--documents", metavar="FILE")
    options = arguments.parse_args()

    version = importlib.metadata.version("agently")
    if version != VERSION:
        sys.exit(f"agently {VERSION} is needed, not {version}.")
    if options.list:
        return print("\n".join(FEATURES + ROOTS))

    if options.check:
        _, lines = lines_of(options.check)
        others = [line["name"] for line in lines if [to_line(each) for each in record(line["schema"], line["chunks"])] != [to_line(line["events"]), to_line(line["data"])]]
        print(f"{len(lines)} sequences, {len(others)} others now: {', '.join(others) or 'none'}")
        return sys.exit(1 if others else 0)

    if options.documents:
        about, lines = lines_of(options.documents)
        for line in lines:
            line["events"], line["data"] = record(line["schema"], line["chunks"])
        about["count"] = len(lines)
    else:
        features = options.features.split(",")
        unknown = [feature for feature in features if feature not in FEATURES + ROOTS]
        if unknown:
            sys.exit(f"There is no feature {', '.join(unknown)}; --list names them.")
        lines = generate(options.count, options.seed, features)
        chosen = "" if features == FEATURES else f" --features {options.features}"
        about = {
            "about": f"Event sequences of Agently {VERSION}'s StreamingJSONParser (PyPI), recorded by tests/oracles/agently.py --count {options.count} --seed {options.seed}{chosen}, "
            "with its event class's type check switched off. A name's front is the feature. events[i] is what chunk i gave, the last entry what finalize gave. "
            'Leaves of the schema: ["$t", type] is the tuple (type,); a schema that is null was recorded with {}. {"$n": "NaN"} is a number that JSON can\'t write.',
            "count": len(lines),
        }
    print(json.dumps(about, ensure_ascii=False))
    for line in lines:
        print(to_line(line))


if __name__ == "__main__":
    main()
