#!/usr/bin/env python3
"""How long Agently's StreamingJSONParser takes for a document: one run, without the import.

Reads the chunks from stdin, as a JSON array of strings, and prints {version, python, seconds, deltas, dones, data}.
Needs agently==4.0.7 from PyPI; bench/fields.mjs runs this with the Python that AGENTLY_PYTHON names:

    python -m venv agently-env && agently-env/bin/pip install agently==4.0.7
    AGENTLY_PYTHON=agently-env/bin/python node bench/fields.mjs --only agently
"""

import asyncio
import importlib.metadata
import json
import os
import platform
import sys
import time

# This file has the package's name, so its folder mustn't be searched.
sys.path.remove(os.path.dirname(os.path.abspath(__file__)))

from agently.utils import StreamingJSONParser  # noqa: E402


def schema_of(value):
    """The schema that a document has, as its user would have written it: without one, the rule for done has less to do."""
    if isinstance(value, dict):
        return {key: schema_of(member) for key, member in value.items()}
    if isinstance(value, list):
        return [schema_of(item) for item in value[:1]]
    return (type(value),)


async def read(parser, chunks):
    deltas = dones = 0
    for source in [*(parser.parse_chunk(chunk) for chunk in chunks), parser.finalize()]:
        async for event in source:
            if event.event_type == "delta":
                deltas += 1
            else:
                dones += 1
    return deltas, dones


def main():
    chunks = json.load(sys.stdin)
    parser = StreamingJSONParser(schema_of(json.loads("".join(chunks))))
    start = time.perf_counter()
    deltas, dones = asyncio.run(read(parser, chunks))
    seconds = time.perf_counter() - start
    report = {
        "version": importlib.metadata.version("agently"),
        "python": platform.python_version(),
        "seconds": seconds,
        "deltas": deltas,
        "dones": dones,
        "data": parser.current_data,
    }
    print(json.dumps(report))


main()
