"""A Whisper model: an encoder and decoders over half-precision weights in the format of CTranslate2.

No file on disk is converted. Some nodes depend only on constants. They widen the weights, and quantise weights of the
large products to 8 bits. The runtime evaluates these nodes once while it loads the graph.

In addition to the network itself, the graphs compute values that would cost more outside the graphs:
- the spectrum (`spectrum.py`), so that the input is samples and nothing is computed twice
- the choice of the next token, which is always a token of speech or the end of the text
- the probability that there is no speech, and of each language

Activations are quantised row by row, so the result of a row does not depend on other rows. Several texts, or several
tokens of one text, can therefore be decoded in one run.
"""

from collections.abc import Hashable, Sequence
from pathlib import Path
from typing import Any

import numpy
import weights
from builder import Port, constant, external, save
from model import Model
from onnx import NodeProto, TensorProto, helper
from spectrum import spectrum

NEVER = -1e9
MIDDLE = 128  # The middle of the unsigned 8-bit range.
LEAST_GELU = -0.17  # Lower bound of GELU's output.


class Graph:
    """A graph that is being built. It contains each constant and each widened weight only once."""

    def __init__(self, model: Model) -> None:
        self.model = model
        self.layout, _ = weights.layout(model)
        self.nodes: list[NodeProto] = []
        self.initializers: list[TensorProto] = []
        self._values = 0
        self._shared: dict[Hashable, str] = {}
        self._pointed: set[str] = set()

    def node(self, kind: str, inputs: list[str], *, output: str | None = None, **attributes: Any) -> str:
        """Adds a node with one output. Only outputs of the complete graph need a name."""
        if output is None:
            return self.several(kind, inputs, 1, **attributes)[0]
        self.nodes.append(helper.make_node(kind, inputs, [output], **attributes))
        return output

    def several(self, kind: str, inputs: list[str], count: int, **attributes: Any) -> list[str]:
        """Adds a node with `count` outputs."""
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
        """Returns a weight in the precision of the file."""
        if key not in self._pointed:
            self._pointed.add(key)
            self.initializers.append(external(key, self.model.weights, self.layout[key]))
        return key

    def weight(self, key: str) -> str:
        """Returns a weight in single precision."""
        shared = ("weight", key)
        if shared not in self._shared:
            self._shared[shared] = self.node("Cast", [self.half(key)], to=TensorProto.FLOAT)
        return self._shared[shared]

    # Parts of a transformer

    def normalised(self, value: str, key: str) -> str:
        inputs = [value, self.weight(key + "/gamma"), self.weight(key + "/beta")]
        return self.node("LayerNormalization", inputs, axis=-1, epsilon=1e-5)

    def quantised(self, key: str) -> tuple[str, str]:
        """Returns a transposed weight in signed 8 bits, and the scale of each of its columns."""
        shared = ("quantised", key)
        if shared not in self._shared:
            weight = self.weight(key + "/weight")
            highest = self.node("ReduceMax", [weight, self.integers(1)], keepdims=0)
            lowest = self.node("ReduceMin", [weight, self.integers(1)], keepdims=0)
            largest = self.node("Max", [highest, self.node("Neg", [lowest])])
            scale = self.node("Mul", [largest, self.number(1 / 127)])
            zero = self.node("Cast", [self.node("Mul", [scale, self.number(0)])], to=TensorProto.INT8)
            rows = self.node("QuantizeLinear", [weight, scale, zero], axis=0)
            self._shared[shared] = self.node("Transpose", [rows], perm=[1, 0])
            self._shared[(*shared, "scale")] = scale
        return self._shared[shared], self._shared[(*shared, "scale")]

    def product(self, value: str, key: str) -> str:
        """Multiplies `value [R, ...]` by the transposed weight. Quantises rows of `value` to 8 bits around 128."""
        columns, scale = self.quantised(key)
        largest = self.node("ReduceMax", [self.node("Abs", [value]), self.integers(1)], keepdims=0)
        step = self.node("Max", [self.node("Mul", [largest, self.number(1 / 127)]), self.number(1e-12)])
        middle = helper.make_tensor("middle", TensorProto.UINT8, [1], [MIDDLE])
        middles = self.node("ConstantOfShape", [self.node("Shape", [step])], value=middle)
        rows = self.node("QuantizeLinear", [value, step, middles], axis=0)
        exact = self.node("MatMulInteger", [rows, columns, self.constant(numpy.uint8(MIDDLE))])
        return self.rescaled(exact, step, scale)

    def product_of_gelu(self, value: str, key: str) -> str:
        """Like `product`, for outputs of GELU. They are hardly negative, so all 8 bits serve the positive range."""
        columns, scale = self.quantised(key)
        raised = self.node("Sub", [value, self.number(LEAST_GELU)])
        largest = self.node("ReduceMax", [raised, self.integers(1)], keepdims=0)
        step = self.node("Max", [self.node("Mul", [largest, self.number(1 / 255)]), self.number(1e-12)])
        zero = helper.make_tensor("zero", TensorProto.UINT8, [1], [0])
        zeros = self.node("ConstantOfShape", [self.node("Shape", [step])], value=zero)
        rows = self.node("QuantizeLinear", [raised, step, zeros], axis=0)
        exact = self.node("MatMulInteger", [rows, columns])
        # Corrects the product: every element was raised by a constant, which added that constant times the weights.
        sums = self.node("ReduceSum", [self.node("Cast", [columns], to=TensorProto.FLOAT), self.integers(0)], keepdims=0)
        added = self.node("Mul", [self.node("Mul", [sums, scale]), self.number(LEAST_GELU)])
        return self.node("Add", [self.rescaled(exact, step, scale), added])

    def rescaled(self, exact: str, step: str, scale: str) -> str:
        floating = self.node("Mul", [self.node("Cast", [exact], to=TensorProto.FLOAT), scale])
        return self.node("Mul", [floating, self.node("Unsqueeze", [step, self.integers(1)])])

    def linear(self, value: str, key: str) -> str:
        return self.node("Add", [self.product(value, key), self.weight(key + "/bias")])

    def heads(self, value: str, order: list[int]) -> str:
        """Splits `[n, width]` into heads, and reorders the axes (position, head, element)."""
        apart = self.node("Reshape", [value, self.integers(-1, self.model.heads, self.model.head_width)])
        return self.node("Transpose", [apart], perm=order)

    def queries(self, value: str) -> str:
        """Returns the queries as `[heads, n, head width]`, scaled."""
        return self.heads(self.node("Mul", [value, self.number(self.model.head_width**-0.5)]), [1, 0, 2])

    def keys(self, value: str) -> str:
        """Returns the keys as `[heads, head width, n]`."""
        return self.heads(value, [1, 2, 0])

    def values(self, value: str) -> str:
        """Returns the values as `[heads, n, head width]`."""
        return self.heads(value, [1, 0, 2])

    def shares(self, queries: str, keys: str, mask: str | None = None) -> str:
        """Returns `[heads, n, S]`: the attention weight of each value for every query, by head."""
        scores = self.node("MatMul", [queries, keys])
        if mask is not None:
            scores = self.node("Add", [scores, mask])
        return self.node("Softmax", [scores], axis=-1)

    def attended(self, shares: str, values: str) -> str:
        """Returns the attended values as `[n, width]`."""
        mixed = self.node("Transpose", [self.node("MatMul", [shares, values])], perm=[1, 0, 2])
        return self.node("Reshape", [mixed, self.integers(-1, self.model.width)])

    def feed_forward(self, value: str, key: str) -> str:
        inner = self.node("Gelu", [self.linear(self.normalised(value, key + "/layer_norm"), key + "/linear_0")])
        outer = self.node("Add", [self.product_of_gelu(inner, key + "/linear_1"), self.weight(key + "/linear_1/bias")])
        return self.node("Add", [value, outer])

    def split(self, value: str, count: int) -> list[str]:
        return self.several("Split", [value], count, axis=-1, num_outputs=count)

    def on_top(self, value: str) -> str:
        return self.node("Unsqueeze", [value, self.integers(0)])


def build(model: Model, folder: Path) -> None:
    """Creates the graphs of a model, with the names that the manifest gives them."""
    build_encoder(model, folder / model.encoder)
    for texts, graph in model.decoders:
        build_decoder(model, folder / graph, texts)


def build_encoder(model: Model, path: Path) -> None:
    """Creates the encoder. It maps `samples [1, 1, L]` to keys and values for every decoder layer, split into heads.

    `silence` is the number of frames of silence that are added after the samples.
    """
    graph = Graph(model)
    value = spectrum(graph, model.bands)
    for number, stride in ((1, 1), (2, 2)):
        key = f"encoder/conv{number}"
        inputs = [value, graph.weight(key + "/weight"), graph.weight(key + "/bias")]
        value = graph.node("Conv", inputs, kernel_shape=[3], pads=[1, 1], strides=[stride])
        value = graph.node("Gelu", [value])
    value = graph.node("Transpose", [graph.node("Squeeze", [value, graph.integers(0)])], perm=[1, 0])
    places = graph.weight("encoder/position_encodings/encodings")
    length = graph.node("Shape", [value], start=0, end=1)
    places = graph.node("Slice", [places, graph.integers(0), length, graph.integers(0)])
    value = graph.node("Add", [value, places])
    for index in range(model.encoder_layers):
        key = f"encoder/layer_{index}/self_attention"
        joined = graph.linear(graph.normalised(value, key + "/layer_norm"), key + "/linear_0")
        queries, keys, values = graph.split(joined, 3)
        shares = graph.shares(graph.queries(queries), graph.keys(keys))
        attended = graph.attended(shares, graph.values(values))
        value = graph.node("Add", [value, graph.linear(attended, key + "/linear_1")])
        value = graph.feed_forward(value, f"encoder/layer_{index}/ffn")
    value = graph.normalised(value, "encoder/layer_norm")
    outputs: list[Port] = []
    for index in range(model.decoder_layers):
        keys, values = graph.split(graph.linear(value, f"decoder/layer_{index}/attention/linear_1"), 2)
        # The decoder gets these outputs unchanged, so they have the shape of its inputs.
        for port, made in zip(_looked_up(model, index), (graph.keys(keys), graph.values(values)), strict=True):
            graph.node("Identity", [made], output=port[0])
            outputs.append(port)
    inputs: list[Port] = [("samples", TensorProto.FLOAT, [1, 1, "L"]), ("silence", TensorProto.INT64, [1])]
    save(path, "encoder", graph.nodes, graph.initializers, inputs, outputs, opset=20, ir=9)


def build_decoder(model: Model, path: Path, texts: int) -> None:
    """Creates the decoder for one step of `texts` texts. Each text has at least one new token. Together they have `R`.

    Inputs: the new tokens, their positions in their texts, and the number of new tokens of each text (`counts`). The
    rows of the new tokens whose predictions are needed (`needed`), because each prediction is expensive. For each of
    these rows, a token that might follow (`asked`). For each text: keys and values of earlier tokens, where only the
    first `kept` are valid, and keys and values of its audio.
    Outputs: the token that follows each needed token (`chosen`), and its log probability among the tokens that may
    follow (`likelihoods`). The log probability of each asked token (`answers`). At each needed start of a text: the
    probability of no speech (`silence`) and, if the model knows several languages, the probability of each
    (`languages`). For each text: the extended keys and values, and its new tokens' attention to the audio (`shares`).
    """
    graph = Graph(model)
    value = graph.node("Gather", [graph.half("decoder/embeddings/weight"), "tokens"], axis=0)
    value = graph.node("Cast", [value], to=TensorProto.FLOAT)
    places = graph.node("Gather", [graph.weight("decoder/position_encodings/encodings"), "places"], axis=0)
    value = graph.node("Add", [value, places])

    def apart(rows: str) -> list[str]:
        return [rows] if texts == 1 else graph.several("Split", [rows, "counts"], texts, axis=0)

    def together(parts: list[str]) -> str:
        return parts[0] if texts == 1 else graph.node("Concat", parts, axis=0)

    def grown(name: str, text: int, index: int, new: str, axis: int) -> str:
        old = f"{name}_{text}_{index}"
        old = graph.node("Slice", [old, graph.integers(0), f"kept_{text}", graph.integers(axis)])
        return graph.node("Concat", [old, new], axis=axis, output=f"new_{name}_{text}_{index}")

    masks = [_causal_mask(graph, rows, f"kept_{text}") for text, rows in enumerate(apart("places"))]
    aligned: list[list[str]] = [[] for _ in range(texts)]
    for index in range(model.decoder_layers):
        key = f"decoder/layer_{index}/self_attention"
        joined = graph.linear(graph.normalised(value, key + "/layer_norm"), key + "/linear_0")
        parts: list[str] = []
        for text, rows in enumerate(apart(joined)):
            queries, keys, values = graph.split(rows, 3)
            keys = grown("keys", text, index, graph.keys(keys), axis=2)
            values = grown("values", text, index, graph.values(values), axis=1)
            parts.append(graph.attended(graph.shares(graph.queries(queries), keys, masks[text]), values))
        value = graph.node("Add", [value, graph.linear(together(parts), key + "/linear_1")])
        key = f"decoder/layer_{index}/attention"
        queries = graph.linear(graph.normalised(value, key + "/layer_norm"), key + "/linear_0")
        parts = []
        for text, rows in enumerate(apart(queries)):
            shares = graph.shares(graph.queries(rows), f"cross_keys_{text}_{index}")
            for head in (head for layer, head in model.alignment if layer == index):
                bounds = [graph.integers(head), graph.integers(head + 1), graph.integers(0)]
                aligned[text].append(graph.node("Slice", [shares, *bounds]))
            parts.append(graph.attended(shares, f"cross_values_{text}_{index}"))
        value = graph.node("Add", [value, graph.linear(together(parts), key + "/linear_2")])
        value = graph.feed_forward(value, f"decoder/layer_{index}/ffn")
    for text in range(texts):
        graph.node("Concat", aligned[text], output=f"shares_{text}", axis=0)
    value, tokens = (graph.node("Gather", [rows, "needed"], axis=0) for rows in (value, "tokens"))
    _choose(graph, tokens, graph.product(graph.normalised(value, "decoder/layer_norm"), "decoder/embeddings"))
    inputs: list[Port] = [(name, TensorProto.INT64, ["R"]) for name in ("tokens", "places")]
    inputs += [(name, TensorProto.INT64, ["N"]) for name in ("needed", "asked")]
    outputs: list[Port] = [
        ("chosen", TensorProto.INT64, ["N"]),
        ("likelihoods", TensorProto.FLOAT, ["N"]),
        ("answers", TensorProto.FLOAT, ["N"]),
        ("silence", TensorProto.FLOAT, ["B"]),
    ]
    if model.languages is not None:
        outputs.append(("languages", TensorProto.FLOAT, ["B", model.languages[1]]))
    if texts > 1:
        inputs.append(("counts", TensorProto.INT64, [texts]))
    for text in range(texts):
        inputs.append((f"kept_{text}", TensorProto.INT64, [1]))
        for index in range(model.decoder_layers):
            inputs += _remembered(model, "", text, index, f"C{text}")
            outputs += _remembered(model, "new_", text, index, f"D{text}")
            inputs += _looked_up(model, index, text)
        outputs.append((f"shares_{text}", TensorProto.FLOAT, [len(model.alignment), f"n{text}", f"S{text}"]))
    save(path, "decoder", graph.nodes, graph.initializers, inputs, outputs, opset=20, ir=9)


def _causal_mask(graph: Graph, places: str, kept: str) -> str:
    """`[n, kept + n]`: masks the attention of each token to later tokens."""
    end = graph.node("Add", [kept, graph.node("Shape", [places])])
    end = graph.node("Squeeze", [end, graph.integers(0)])
    columns = graph.node("Range", [graph.scalar(0), end, graph.scalar(1)])
    is_later = graph.node("Greater", [columns, graph.node("Unsqueeze", [places, graph.integers(1)])])
    return graph.node("Where", [is_later, graph.number(NEVER), graph.number(0)])


def _choose(graph: Graph, tokens: str, logits: str) -> None:
    """Chooses the likeliest token of speech or the end. The first token of a text is neither a space nor the end.

    `logits [N, vocabulary]` are the predictions after `tokens [N]`.
    """
    model = graph.model

    def against(tokens: list[int]) -> str:
        zeros = helper.make_tensor("z", TensorProto.FLOAT, [1], [0.0])
        flat = graph.node("ConstantOfShape", [graph.integers(model.vocabulary)], value=zeros)
        where = graph.node("Cast", [graph.constant(numpy.array(tokens, numpy.int32))], to=TensorProto.INT64)
        values = graph.node("Expand", [graph.number(NEVER), graph.integers(len(tokens))])
        return graph.node("ScatterElements", [flat, where, values], axis=0)

    is_start = graph.node("Equal", [tokens, graph.scalar(model.start)])
    at_starts = graph.node("Compress", [logits, is_start], axis=0)
    starts = graph.node("Softmax", [at_starts], axis=-1)
    graph.node("Gather", [starts, graph.scalar(model.no_speech)], axis=1, output="silence")
    if model.languages is not None:
        first, count = model.languages
        bounds = [graph.integers(first), graph.integers(first + count), graph.integers(1)]
        graph.node("Softmax", [graph.node("Slice", [at_starts, *bounds])], axis=-1, output="languages")
    candidates = graph.node("Range", [graph.scalar(0), graph.scalar(model.vocabulary), graph.scalar(1)])
    is_control = graph.node("Greater", [candidates, graph.scalar(model.end)])
    control = graph.node("Where", [is_control, graph.number(NEVER), graph.number(0)])
    always = graph.node("Add", [against(model.suppressed), control])
    at_first = graph.node("Add", [always, against([model.space, model.end])])
    table = graph.node("Concat", [graph.on_top(always), graph.on_top(at_first)], axis=0)
    # The words begin after this token, however many other tokens are before it.
    is_first = graph.node("Equal", [tokens, graph.scalar(model.no_timestamps)])
    is_first = graph.node("Cast", [is_first], to=TensorProto.INT64)
    guarded = graph.node("Add", [logits, graph.node("Gather", [table, is_first], axis=0)])
    graph.node("ArgMax", [guarded], axis=-1, keepdims=0, output="chosen")
    # The largest exponent is zero, so the sum cannot overflow.
    most = graph.node("ReduceMax", [guarded, graph.integers(-1)])
    exponents = graph.node("Exp", [graph.node("Sub", [guarded, most])])
    sums = graph.node("ReduceSum", [exponents, graph.integers(-1)], keepdims=0)
    logarithms = graph.node("Log", [sums])
    graph.node("Neg", [logarithms], output="likelihoods")
    asked = graph.node("Unsqueeze", ["asked", graph.integers(-1)])
    asked = graph.node("Sub", [graph.node("GatherElements", [guarded, asked], axis=-1), most])
    asked = graph.node("Squeeze", [asked, graph.integers(-1)])
    graph.node("Sub", [asked, logarithms], output="answers")


def _remembered(model: Model, prefix: str, text: int, index: int, places: str) -> list[Port]:
    """Keys and values of the tokens of a text."""
    return [
        (f"{prefix}keys_{text}_{index}", TensorProto.FLOAT, [model.heads, model.head_width, places]),
        (f"{prefix}values_{text}_{index}", TensorProto.FLOAT, [model.heads, places, model.head_width]),
    ]


def _looked_up(model: Model, index: int, text: int | None = None) -> list[Port]:
    """Keys and values of the audio: outputs of the encoder, or inputs of the decoder for one text."""
    of, places = (f"{index}", "S") if text is None else (f"{text}_{index}", f"S{text}")
    return [
        (f"cross_keys_{of}", TensorProto.FLOAT, [model.heads, model.head_width, places]),
        (f"cross_values_{of}", TensorProto.FLOAT, [model.heads, places, model.head_width]),
    ]
