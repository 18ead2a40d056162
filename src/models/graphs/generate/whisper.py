"""Whisper tiny.en as sherpa-onnx runs it: an encoder and a decoder over the half-precision weights of `model.bin`.

Nothing is converted on disk. Weights are widened, and those of the large products quantised to 8 bits, by nodes that
depend on constants only: the runtime evaluates them once while it loads the graph.

Beside the network itself the graphs hold three rules, because the runtime has none of them:
- audio is padded with what silence looks like, not with zeros;
- tokens that are not speech are never chosen;
- when the model gives a high probability of no speech, the transcript is empty.
"""

from collections.abc import Hashable, Sequence
from pathlib import Path
from typing import Any

import numpy
from builder import Port, constant, external, save
from layout import Layout
from onnx import NodeProto, TensorProto, helper

WEIGHTS = "model.bin"
WIDTH, HEADS, HEAD_WIDTH, LAYERS = 384, 6, 64, 4
BANDS, AUDIO_CONTEXT, TEXT_CONTEXT, VOCABULARY = 80, 1500, 448, 51_864

SPACE, END, START, NO_SPEECH = 220, 50_256, 50_257, 50_361
TRANSLATE, TRANSCRIBE, LANGUAGE_MODEL, PREVIOUS, NO_TIMESTAMPS = 50_357, 50_358, 50_359, 50_360, 50_362
ENGLISH = 50_258

# Tokens that Whisper's own decoder never chooses: punctuation that opens an annotation, notes, speaker marks.
NON_SPEECH = [
    1, 2, 7, 8, 9, 10, 14, 25, 26, 27, 28, 29, 31, 58, 59, 60, 61, 62, 63, 90, 91, 92, 93, 357, 366, 438, 532, 685, 705,
    796, 930, 1058, 1220, 1267, 1279, 1303, 1343, 1377, 1391, 1635, 1782, 1875, 2162, 2361, 2488, 3467, 4008, 4211, 4600,
    4808, 5299, 5855, 6329, 7203, 9609, 9959, 10563, 10786, 11420, 11709, 11907, 13163, 13697, 13700, 14808, 15306, 16410,
    16791, 17992, 19203, 19510, 20724, 22305, 22935, 27007, 30109, 30420, 33409, 34949, 40283, 40493, 40549, 47282, 49146,
]  # fmt: skip

# Layer and head of the decoder's attention to the audio that follow the speech in time, as the model's authors list them.
ALIGNMENT = [(1, 0), (2, 0), (2, 5), (3, 0), (3, 1), (3, 2), (3, 3), (3, 4)]

NEVER, ALWAYS = -1e9, 1e10


class Graph:
    """Nodes in order, values numbered as they come, each constant and widened weight made once."""

    def __init__(self, layout: Layout) -> None:
        self.layout = layout
        self.nodes: list[NodeProto] = []
        self.initializers: list[TensorProto] = []
        self._values = 0
        self._shared: dict[Hashable, str] = {}
        self._pointed: set[str] = set()

    def node(self, kind: str, inputs: list[str], *, output: str | None = None, **attributes: Any) -> str:
        """A node with one output, named only where the outside world asks for the name."""
        if output is None:
            return self.several(kind, inputs, 1, **attributes)[0]
        self.nodes.append(helper.make_node(kind, inputs, [output], **attributes))
        return output

    def several(self, kind: str, inputs: list[str], count: int, **attributes: Any) -> list[str]:
        """A node with `count` outputs."""
        outputs = [f"v{self._values + index}" for index in range(count)]
        self._values += count
        self.nodes.append(helper.make_node(kind, inputs, outputs, **attributes))
        return outputs

    def constant(self, value: Any) -> str:
        array = numpy.asarray(value)
        key = (array.dtype.str, array.shape, array.tobytes())
        if key not in self._shared:
            self._shared[key] = f"c{len(self._shared)}"
            self.initializers.append(constant(self._shared[key], array))
        return self._shared[key]

    def number(self, value: float) -> str:
        return self.constant(numpy.float32(value))

    def scalar(self, value: int) -> str:
        return self.constant(numpy.int64(value))

    def integers(self, *values: int) -> str:
        return self.constant(numpy.array(values, numpy.int64))

    def half(self, key: str) -> str:
        """A weight as it lies in the file."""
        if key not in self._pointed:
            self._pointed.add(key)
            self.initializers.append(external(key, WEIGHTS, self.layout[key]))
        return key

    def weight(self, key: str) -> str:
        """A weight in single precision."""
        shared = ("weight", key)
        if shared not in self._shared:
            self._shared[shared] = self.node("Cast", [self.half(key)], to=TensorProto.FLOAT)
        return self._shared[shared]

    # Parts of a transformer

    def normalised(self, value: str, key: str) -> str:
        inputs = [value, self.weight(key + "/gamma"), self.weight(key + "/beta")]
        return self.node("LayerNormalization", inputs, axis=-1, epsilon=1e-5)

    def product(self, value: str, key: str) -> str:
        """`value` times the transposed weight: signed 8 bits by output row, activations in unsigned 8 bits as they come."""
        weight = self.weight(key + "/weight")
        highest = self.node("ReduceMax", [weight, self.integers(1)], keepdims=0)
        lowest = self.node("ReduceMin", [weight, self.integers(1)], keepdims=0)
        largest = self.node("Max", [highest, self.node("Neg", [lowest])])
        scale = self.node("Mul", [largest, self.number(1 / 127)])
        zero = self.node("Cast", [self.node("Mul", [scale, self.number(0)])], to=TensorProto.INT8)
        rows = self.node("QuantizeLinear", [weight, scale, zero], axis=0)
        columns = self.node("Transpose", [rows], perm=[1, 0])
        quantised, step, origin = self.several("DynamicQuantizeLinear", [value], 3)
        exact = self.node("MatMulInteger", [quantised, columns, origin])
        floating = self.node("Cast", [exact], to=TensorProto.FLOAT)
        return self.node("Mul", [floating, self.node("Mul", [step, scale])])

    def linear(self, value: str, key: str) -> str:
        product = self.product(value, key)
        return self.node("Add", [product, self.weight(key + "/bias")])

    def heads(self, value: str, order: list[int]) -> str:
        apart = self.node("Reshape", [value, self.integers(0, -1, HEADS, HEAD_WIDTH)])
        return self.node("Transpose", [apart], perm=order)

    def queries(self, value: str) -> str:
        return self.heads(value, [0, 2, 1, 3])

    def keys(self, value: str) -> str:
        return self.heads(value, [0, 2, 3, 1])

    def values(self, value: str) -> str:
        return self.heads(value, [0, 2, 1, 3])

    def attention(self, queries: str, keys: str, values: str, mask: str | None = None) -> str:
        return self.attended(self.shares(queries, keys, mask), values)

    def shares(self, queries: str, keys: str, mask: str | None = None) -> str:
        """`[N, HEADS, n, S]`: how much of each value every query takes, by head."""
        scores = self.node("MatMul", [queries, keys])
        scores = self.node("Mul", [scores, self.number(HEAD_WIDTH**-0.5)])
        if mask is not None:
            scores = self.node("Add", [scores, mask])
        return self.node("Softmax", [scores], axis=-1)

    def attended(self, shares: str, values: str) -> str:
        mixed = self.node("MatMul", [shares, values])
        together = self.node("Transpose", [mixed], perm=[0, 2, 1, 3])
        return self.node("Reshape", [together, self.integers(0, -1, WIDTH)])

    def feed_forward(self, value: str, key: str) -> str:
        inner = self.linear(self.normalised(value, key + "/layer_norm"), key + "/linear_0")
        outer = self.linear(self.node("Gelu", [inner]), key + "/linear_1")
        return self.node("Add", [value, outer])

    def split(self, value: str, count: int) -> list[str]:
        return self.several("Split", [value], count, axis=-1, num_outputs=count)

    def layers(self, stacked: str) -> list[str]:
        """What the layers of a stacked cache hold, apart."""
        parts = self.several("Split", [stacked], LAYERS, axis=0, num_outputs=LAYERS)
        return [self.node("Squeeze", [part, self.integers(0)]) for part in parts]

    def stack(self, parts: Sequence[str], output: str) -> None:
        self.node("Concat", list(parts), output=output, axis=0)

    def on_top(self, value: str) -> str:
        return self.node("Unsqueeze", [value, self.integers(0)])


def build_encoder(layout: Layout, path: Path) -> None:
    """`mel [N, 80, T]` to the keys and values that every decoder layer looks up, already split into heads."""
    graph = Graph(layout)
    value = _silent_padding(graph)
    for number, stride in ((1, 1), (2, 2)):
        key = f"encoder/conv{number}"
        inputs = [value, graph.weight(key + "/weight"), graph.weight(key + "/bias")]
        value = graph.node("Conv", inputs, kernel_shape=[3], pads=[1, 1], strides=[stride])
        value = graph.node("Gelu", [value])
    value = graph.node("Transpose", [value], perm=[0, 2, 1])
    length = graph.node("Shape", [value], start=1, end=2)
    places = graph.weight("encoder/position_encodings/encodings")
    places = graph.node("Slice", [places, graph.integers(0), length, graph.integers(0)])
    value = graph.node("Add", [value, places])
    for index in range(LAYERS):
        key = f"encoder/layer_{index}/self_attention"
        joined = graph.linear(graph.normalised(value, key + "/layer_norm"), key + "/linear_0")
        queries, keys, values = graph.split(joined, 3)
        attended = graph.attention(graph.queries(queries), graph.keys(keys), graph.values(values))
        value = graph.node("Add", [value, graph.linear(attended, key + "/linear_1")])
        value = graph.feed_forward(value, f"encoder/layer_{index}/ffn")
    value = graph.normalised(value, "encoder/layer_norm")
    all_keys: list[str] = []
    all_values: list[str] = []
    for index in range(LAYERS):
        keys, values = graph.split(graph.linear(value, f"decoder/layer_{index}/attention/linear_1"), 2)
        # The runtime hands these to the decoder unseen, so they are kept in the shape the decoder wants.
        keys, values = graph.keys(keys), graph.values(values)
        all_keys.append(graph.on_top(keys))
        all_values.append(graph.on_top(values))
    graph.stack(all_keys, "n_layer_cross_k")
    graph.stack(all_values, "n_layer_cross_v")
    inputs: list[Port] = [("mel", TensorProto.FLOAT, ["N", BANDS, "T"])]
    save(path, "encoder", graph.nodes, graph.initializers, inputs, _looked_up(), opset=20, ir=9, metadata=_metadata())


def build_decoder(layout: Layout, path: Path, no_speech: float = 0.6) -> None:
    """One step: tokens and caches to logits, grown caches, and where in the audio each token looks, for the times of words.

    `no_speech` is the probability of the no-speech token above which the transcript is empty.
    """
    graph = Graph(layout)
    count = graph.node("Shape", ["tokens"], start=1, end=2)
    end = graph.node("Add", ["offset", count])
    value = graph.node("Gather", [graph.half("decoder/embeddings/weight"), "tokens"], axis=0)
    value = graph.node("Cast", [value], to=TensorProto.FLOAT)
    places = graph.weight("decoder/position_encodings/encodings")
    value = graph.node("Add", [value, graph.node("Slice", [places, "offset", end, graph.integers(0)])])
    mask = _causal_mask(graph, end)
    # Only the first `offset` rows of a cache matter, and only they and the new ones are given back.
    past = [
        graph.node("Slice", [cache, graph.integers(0), "offset", graph.integers(2)])
        for cache in ("in_n_layer_self_k_cache", "in_n_layer_self_v_cache")
    ]
    past_keys, past_values = (graph.layers(cache) for cache in past)
    cross_keys, cross_values = (graph.layers(cache) for cache in ("n_layer_cross_k", "n_layer_cross_v"))
    new_keys: list[str] = []
    new_values: list[str] = []
    aligned: list[str] = []
    for index in range(LAYERS):
        key = f"decoder/layer_{index}/self_attention"
        joined = graph.linear(graph.normalised(value, key + "/layer_norm"), key + "/linear_0")
        queries, keys, values = graph.split(joined, 3)
        keys = graph.node("Concat", [past_keys[index], keys], axis=1)
        values = graph.node("Concat", [past_values[index], values], axis=1)
        new_keys.append(graph.on_top(keys))
        new_values.append(graph.on_top(values))
        attended = graph.attention(graph.queries(queries), graph.keys(keys), graph.values(values), mask)
        value = graph.node("Add", [value, graph.linear(attended, key + "/linear_1")])
        key = f"decoder/layer_{index}/attention"
        queries = graph.queries(graph.linear(graph.normalised(value, key + "/layer_norm"), key + "/linear_0"))
        shares = graph.shares(queries, cross_keys[index])
        for head in (head for layer, head in ALIGNMENT if layer == index):
            bounds = [graph.integers(head), graph.integers(head + 1), graph.integers(1)]
            aligned.append(graph.node("Slice", [shares, *bounds]))
        attended = graph.attended(shares, cross_values[index])
        value = graph.node("Add", [value, graph.linear(attended, key + "/linear_2")])
        value = graph.feed_forward(value, f"decoder/layer_{index}/ffn")
    graph.stack(new_keys, "out_n_layer_self_k_cache")
    graph.stack(new_values, "out_n_layer_self_v_cache")
    graph.node("Concat", aligned, output="cross_attention_weights", axis=1)
    value = graph.normalised(value, "decoder/layer_norm")
    _guard(graph, graph.product(value, "decoder/embeddings"), no_speech)
    given = [LAYERS, "N", "C", WIDTH]
    grown = [LAYERS, "N", "C2", WIDTH]
    inputs: list[Port] = [
        ("tokens", TensorProto.INT64, ["N", "n"]),
        ("in_n_layer_self_k_cache", TensorProto.FLOAT, given),
        ("in_n_layer_self_v_cache", TensorProto.FLOAT, given),
        *_looked_up(),
        ("offset", TensorProto.INT64, [1]),
    ]
    outputs: list[Port] = [
        ("logits", TensorProto.FLOAT, ["N", "n", VOCABULARY]),
        ("out_n_layer_self_k_cache", TensorProto.FLOAT, grown),
        ("out_n_layer_self_v_cache", TensorProto.FLOAT, grown),
        ("cross_attention_weights", TensorProto.FLOAT, ["N", len(ALIGNMENT), "n", "S"]),
    ]
    save(path, "decoder", graph.nodes, graph.initializers, inputs, outputs, opset=20, ir=9)


def _silent_padding(graph: Graph) -> str:
    """The runtime pads with zeros after it has normalised, which is not silence: that is two below the loudest."""
    loudest_of_frame = graph.node("ReduceMax", [graph.node("Abs", ["mel"]), graph.integers(1)], keepdims=1)
    padded = graph.node("Equal", [loudest_of_frame, graph.number(0)])
    loudest = graph.node("ReduceMax", ["mel", graph.integers(1, 2)], keepdims=1)
    return graph.node("Where", [padded, graph.node("Sub", [loudest, graph.number(2)]), "mel"])


def _causal_mask(graph: Graph, end: str) -> str:
    """`[n, offset + n]`: no token looks at a later one."""
    zero, one = graph.scalar(0), graph.scalar(1)

    def plain(value: str) -> str:
        return graph.node("Squeeze", [value, graph.integers(0)])

    rows = graph.node("Range", [plain("offset"), plain(end), one])
    rows = graph.node("Unsqueeze", [rows, graph.integers(1)])
    columns = graph.node("Range", [zero, plain(end), one])
    return graph.node("Where", [graph.node("Greater", [columns, rows]), graph.number(NEVER), graph.number(0)])


def _guard(graph: Graph, logits: str, no_speech: float) -> None:
    """Suppresses what is not speech, and ends at once when P(no speech) at the first step is over `no_speech`."""

    def bias(tokens: list[int], value: float) -> str:
        zeros = helper.make_tensor("z", TensorProto.FLOAT, [1], [0.0])
        flat = graph.node("ConstantOfShape", [graph.integers(VOCABULARY)], value=zeros)
        where = graph.node("Cast", [graph.constant(numpy.array(tokens, numpy.int32))], to=TensorProto.INT64)
        values = graph.node("Expand", [graph.number(value), graph.integers(len(tokens))])
        return graph.node("ScatterElements", [flat, where, values], axis=0)

    tokens = graph.node("Range", [graph.scalar(0), graph.scalar(VOCABULARY), graph.scalar(1)])
    is_control = graph.node("Greater", [tokens, graph.scalar(END)])
    control = graph.node("Where", [is_control, graph.number(NEVER), graph.number(0)])
    always = graph.node("Add", [bias(NON_SPEECH, NEVER), control])
    at_first = bias([SPACE, END], NEVER)
    is_first = graph.node("Equal", ["offset", graph.integers(0)])
    is_first = graph.node("Cast", [is_first], to=TensorProto.FLOAT)
    first = graph.node("Slice", [logits, graph.integers(0), graph.integers(1), graph.integers(1)])
    probabilities = graph.node("Softmax", [first], axis=-1)
    bounds = [graph.integers(NO_SPEECH), graph.integers(NO_SPEECH + 1), graph.integers(2)]
    silence = graph.node("Slice", [probabilities, *bounds])
    is_silent = graph.node("Greater", [silence, graph.number(no_speech)])
    is_silent = graph.node("Cast", [is_silent], to=TensorProto.FLOAT)
    ends = graph.node("Mul", [is_silent, is_first])
    guarded = graph.node("Add", [logits, always])
    guarded = graph.node("Add", [guarded, graph.node("Mul", [at_first, is_first])])
    end = bias([END], ALWAYS)
    graph.node("Add", [guarded, graph.node("Mul", [ends, end])], output="logits")


def _looked_up() -> list[Port]:
    return [
        ("n_layer_cross_k", TensorProto.FLOAT, [LAYERS, "N", HEADS, HEAD_WIDTH, "S"]),
        ("n_layer_cross_v", TensorProto.FLOAT, [LAYERS, "N", HEADS, "S", HEAD_WIDTH]),
    ]


def _metadata() -> dict[str, Any]:
    """What sherpa-onnx reads from an encoder."""
    return {
        "model_type": "whisper-tiny.en",
        "version": 1,
        "maintainer": "k2-fsa",
        "n_mels": BANDS,
        "n_audio_ctx": AUDIO_CONTEXT,
        "n_audio_state": WIDTH,
        "n_audio_head": HEADS,
        "n_audio_layer": LAYERS,
        "n_vocab": VOCABULARY,
        "n_text_ctx": TEXT_CONTEXT,
        "n_text_state": WIDTH,
        "n_text_head": HEADS,
        "n_text_layer": LAYERS,
        "sot_sequence": START,
        "all_language_tokens": ENGLISH,
        "all_language_codes": "en",
        "sot": START,
        "sot_index": 0,
        "eot": END,
        "blank_id": SPACE,
        "is_multilingual": 0,
        "no_speech": NO_SPEECH,
        "non_speech_tokens": ",".join(map(str, NON_SPEECH)),
        "transcribe": TRANSCRIBE,
        "translate": TRANSLATE,
        "sot_prev": PREVIOUS,
        "sot_lm": LANGUAGE_MODEL,
        "no_timestamps": NO_TIMESTAMPS,
    }
