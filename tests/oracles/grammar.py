"""What real engines make of grammars: xgrammar of structural tags and GBNF, llguidance of Lark.

Reads a file of JSON lines, { "engine", "grammar", "accept", "write", "hints", "seed" }, and prints one for each:
{ "error" } or { "accepted": [...], "texts": [...] }, where `texts` were written at random along the engine's masks.
"""

import json
import random
import sys

import numpy

EOS = 256
BYTES = [bytes([byte]) for byte in range(256)]
# What a text at random is made of, where the grammar leaves the choice.
WANTED = sorted(set(b"<>/{}[]\"'\\ \n&:=,|abAB019_-|`!"))
CLOSING = sorted(b"]}\"'>")
LONGEST = 3000


def xgrammar():
    import tvm_ffi  # noqa: F401  (first, since it asks whether torch is there)

    # xgrammar imports torch and transformers, and needs neither for texts.
    class Tensor(numpy.ndarray):
        device = type("device", (), {"type": "cpu"})()

        def data_ptr(self):
            return self.ctypes.data

    torch = type(sys)("torch")
    torch.Tensor = torch.FloatTensor = torch.LongTensor = Tensor
    torch.int32 = numpy.int32
    torch.tensor = lambda value, dtype=None: numpy.asarray(value, dtype=dtype).view(Tensor)
    torch.full = lambda shape, value, dtype=None: numpy.full(shape, value, dtype=dtype).view(Tensor)
    transformers = type(sys)("transformers")
    for name in ("PreTrainedTokenizerBase", "PreTrainedTokenizerFast", "LogitsProcessor"):
        setattr(transformers, name, type(name, (), {}))
    sys.modules.update(torch=torch, transformers=transformers)
    import xgrammar

    compiler = xgrammar.GrammarCompiler(xgrammar.TokenizerInfo([*BYTES, b"</s>"], stop_token_ids=[EOS]))

    class Matcher:
        def __init__(self, kind, grammar):
            compiled = compiler.compile_structural_tag(grammar) if kind == "tag" else compiler.compile_grammar(grammar)
            self.matcher = xgrammar.GrammarMatcher(compiled)
            self.mask = xgrammar.allocate_token_bitmask(1, EOS + 1)

        def reset(self):
            self.matcher.reset()

        def accept(self, text):
            self.reset()
            for byte in text.encode("utf-8", "surrogatepass"):
                if not self.matcher.accept_token(byte):
                    return False
            return self.matcher.accept_token(EOS)

        def allowed(self):
            self.matcher.fill_next_token_bitmask(self.mask)
            bits = numpy.unpackbits(numpy.asarray(self.mask)[0].view(numpy.uint8), bitorder="little")
            return [token for token in range(EOS + 1) if bits[token]]

        def take(self, token):
            self.matcher.accept_token(token)

    return Matcher


def llguidance():
    import llguidance
    from llguidance.numpy import allocate_token_bitmask, fill_next_token_bitmask

    class Tokens:
        eos_token_id = EOS
        bos_token_id = None
        tokens = [*BYTES, b"</s>"]
        special_token_ids = [EOS]

        def __call__(self, text):
            return list(text if isinstance(text, bytes) else text.encode("utf-8"))

    tokenizer = llguidance.LLTokenizer(llguidance.TokenizerWrapper(Tokens()))

    class Matcher:
        def __init__(self, kind, grammar):
            self.grammar = grammar
            self.mask = allocate_token_bitmask(1, EOS + 1)
            self.reset()
            if self.matcher.is_error():
                raise ValueError(self.matcher.get_error())

        def reset(self):
            self.matcher = llguidance.LLMatcher(tokenizer, self.grammar)

        def accept(self, text):
            self.reset()
            tokens = list(text.encode("utf-8", "surrogatepass"))
            return self.matcher.try_consume_tokens(tokens) == len(tokens) and self.matcher.is_accepting()

        def allowed(self):
            fill_next_token_bitmask(self.matcher, self.mask)
            bits = numpy.unpackbits(self.mask[0].view(numpy.uint8), bitorder="little")
            return [token for token in range(EOS + 1) if bits[token]]

        def take(self, token):
            self.matcher.consume_token(token)

    return Matcher


def decoded(text):
    """None for halves of pairs, which engines let through and no server's text has."""
    try:
        return text.decode()
    except UnicodeDecodeError:
        return None


def write(matcher, next_, hints):
    """A text at random, which ends as soon as it may once it is long. `hints` are texts that end what is open."""
    matcher.reset()
    text = bytearray()
    late = next_.randrange(20, 160)
    hint = b""
    while len(text) < LONGEST:
        allowed = matcher.allowed()
        is_late = len(text) > late
        if EOS in allowed and (len(allowed) == 1 or is_late or next_.random() < 0.03):
            return decoded(text)
        allowed = [token for token in allowed if token != EOS]
        if not allowed:
            raise ValueError(f"nothing may follow {bytes(text)!r}")
        if not hint and next_.random() < (0.7 if is_late else 0.05):
            hint = next_.choice(hints).encode()
        if hint and hint[0] in allowed:
            token, hint = hint[0], hint[1:]
        else:
            hint = b""
            some = [token for token in allowed if token in (CLOSING if is_late else WANTED)] if next_.random() < 0.9 else []
            token = next_.choice(some or allowed)
        matcher.take(token)
        text.append(token)
    return None


def main():
    engines = {"tag": xgrammar, "gbnf": xgrammar, "lark": llguidance}
    loaded = {}
    with open(sys.argv[1], encoding="utf-8") as lines:
        for line in lines:
            case = json.loads(line)
            engine = engines[case["engine"]]
            if engine not in loaded:
                loaded[engine] = engine()
            try:
                grammar = case["grammar"]
                matcher = loaded[engine](case["engine"], grammar)
                next_ = random.Random(case.get("seed", 1))
                texts = [write(matcher, next_, case["hints"]) for _ in range(case.get("write", 0))]
                answer = {"accepted": [matcher.accept(text) for text in case["accept"]], "texts": texts}
            except Exception as error:  # noqa: BLE001  (whatever the engine says)
                answer = {"error": str(error)[:400]}
            print(json.dumps(answer), flush=True)


main()
