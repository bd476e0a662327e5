"""Reads replies by response templates of Hugging Face, with the parser of transformers.

    response_template.py --documents FILE

FILE has a JSON line for each document, `{"template": …, "text": …, "prefix": …}`, after one that describes it. Prints each with
`theirs`: the message, or the kind of error.

transformers itself is not imported, since that needs much more: its parser needs a logger and `regex`.
"""

import importlib.util
import json
import logging
import sys
from types import ModuleType


def parser():
    """The function `parse_response`."""
    places = importlib.util.find_spec("transformers").submodule_search_locations
    for name, folders in [("transformers", list(places)), ("transformers.utils", [f"{place}/utils" for place in places])]:
        module = ModuleType(name)
        module.__path__ = folders
        sys.modules[name] = module
    logs = ModuleType("transformers.utils.logging")
    logs.get_logger = logging.getLogger
    sys.modules["transformers.utils"].logging = logs
    # Of tools that are Python functions, which none is here.
    schemas = ModuleType("transformers.utils.chat_template_utils")
    schemas.get_json_schema = None
    sys.modules[schemas.__name__] = schemas
    from transformers.utils.chat_parsing import parse_response

    return parse_response


def main():
    parse_response = parser()
    option, path = sys.argv[1:]
    assert option == "--documents"
    with open(path, encoding="utf-8") as lines:
        for line in lines:
            document = json.loads(line)
            if "about" in document:
                continue
            try:
                theirs = parse_response(document["text"], document["template"], prefix=document["prefix"])
            except (ValueError, KeyError) as error:
                theirs = {"error": type(error).__name__}
            print(json.dumps({**document, "theirs": theirs}))


main()
