#!/usr/bin/env python3
"""How long AutoByteus' streaming handlers take for a stream: one run, without the import, and their results.

Reads {strategy, tool, chunks} from stdin: `strategy` is xml, json or sentinel; `tool` is null, or the name of the
tool whose API arguments are the chunks. Prints {version, python, seconds, segments, invocations}, or
{version, python, failure} if the handler raises.
Needs autobyteus==1.4.4 from PyPI; bench/segments.mjs runs this with the Python that AUTOBYTEUS_PYTHON names:

    python -m venv autobyteus-env
    autobyteus-env/bin/pip install --no-deps autobyteus==1.4.4 && autobyteus-env/bin/pip install pydantic
    AUTOBYTEUS_PYTHON=autobyteus-env/bin/python node bench/segments.mjs --only autobyteus
"""

import contextlib
import importlib.metadata
import json
import logging
import os
import platform
import sys
import time

# This file has the package's name, so its folder mustn't be searched.
sys.path.remove(os.path.dirname(os.path.abspath(__file__)))
logging.disable(logging.CRITICAL)

# The package prints which of its tools lack their libraries.
with contextlib.redirect_stdout(sys.stderr):
    from autobyteus.agent.streaming.handlers import ApiToolCallStreamingResponseHandler, ParsingStreamingResponseHandler
    from autobyteus.agent.streaming.parser import ParserConfig
    from autobyteus.agent.streaming.parser.json_parsing_strategies import get_json_tool_parsing_profile
    from autobyteus.llm.providers import LLMProvider
    from autobyteus.llm.utils.response_types import ChunkResponse
    from autobyteus.llm.utils.tool_call_delta import ToolCallDelta


def handler_for(strategy, tool):
    if tool is not None:
        return ApiToolCallStreamingResponseHandler()
    if strategy == "json":
        profile = get_json_tool_parsing_profile(LLMProvider.OPENAI)
        config = ParserConfig(json_tool_patterns=profile.signature_patterns, json_tool_parser=profile.parser)
        return ParsingStreamingResponseHandler(config=config, parser_name="json")
    return ParsingStreamingResponseHandler(parser_name=strategy)


def input_of(chunks, tool):
    if tool is None:
        return [ChunkResponse(content=chunk) for chunk in chunks]
    deltas = [ToolCallDelta(index=0, call_id="call_1", name=tool, arguments_delta="")]
    deltas += [ToolCallDelta(index=0, arguments_delta=chunk) for chunk in chunks]
    return [ChunkResponse(content="", tool_calls=[delta]) for delta in deltas]


def segments_of(events):
    segments = {}
    for event in events:
        emitted = event.to_dict()
        if emitted["type"] == "SEGMENT_START":
            segments[emitted["segment_id"]] = [emitted["segment_type"], emitted["payload"].get("metadata", {}), []]
        elif emitted["type"] == "SEGMENT_CONTENT":
            segments[emitted["segment_id"]][2].append(emitted["payload"]["delta"])
    return [[kind, metadata, "".join(deltas)] for kind, metadata, deltas in segments.values()]


def main():
    task = json.load(sys.stdin)
    handler = handler_for(task["strategy"], task["tool"])
    chunks = input_of(task["chunks"], task["tool"])
    report = {"version": importlib.metadata.version("autobyteus"), "python": platform.python_version()}
    try:
        start = time.perf_counter()
        for chunk in chunks:
            handler.feed(chunk)
        handler.finalize()
        report["seconds"] = time.perf_counter() - start
        report["segments"] = segments_of(handler.get_all_events())
        report["invocations"] = [[one.name, one.arguments] for one in handler.get_all_invocations()]
    except Exception as error:
        report["failure"] = f"{type(error).__name__}: {error}"
    print(json.dumps(report))


main()
