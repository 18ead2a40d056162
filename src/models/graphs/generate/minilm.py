"""The MiniLM sentence encoder: six BERT layers, then the mean over the tokens, scaled to length one."""

from pathlib import Path

import numpy
from builder import constant, external, save
from layout import Layout
from onnx import NodeProto, TensorProto, helper

WEIGHTS = "model.safetensors"
WIDTH = 384
HEADS = 12
HEAD_WIDTH = 32
LAYERS = 6


def build(layout: Layout, path: Path) -> None:
    """Creates the graph. Inputs are `[batch, seq]`, and the output is `sentence_embedding [batch, 384]`."""
    nodes: list[NodeProto] = []
    initializers: list[TensorProto] = []
    pointed: set[str] = set()

    def integers(name: str, *values: int) -> None:
        initializers.append(constant(name, numpy.array(values, numpy.int64)))

    def number(name: str, value: float) -> None:
        initializers.append(constant(name, numpy.float32(value)))

    def weight(key: str) -> str:
        if key not in pointed:
            pointed.add(key)
            initializers.append(external(key, WEIGHTS, layout[key]))
        return key

    def node(kind: str, inputs: list[str], output: str, **attributes: object) -> str:
        nodes.append(helper.make_node(kind, inputs, [output], name=output, **attributes))
        return output

    def normalised(value: str, key: str, output: str) -> str:
        inputs = [value, weight(key + ".weight"), weight(key + ".bias")]
        return node("LayerNormalization", inputs, output, axis=-1, epsilon=1e-12)

    def linear(value: str, key: str, output: str) -> str:
        return node("Gemm", [value, weight(key + ".weight"), weight(key + ".bias")], output, transB=1)

    def attention(value: str, key: str, prefix: str) -> str:
        for part, order in (("query", [0, 2, 1, 3]), ("key", [0, 2, 3, 1]), ("value", [0, 2, 1, 3])):
            linear(value, f"{key}attention.self.{part}", prefix + part)
            node("Reshape", [prefix + part, "sh4"], f"{prefix}{part}4")
            node("Transpose", [f"{prefix}{part}4"], f"{prefix}{part}T", perm=order)
        node("MatMul", [prefix + "queryT", prefix + "keyT"], prefix + "qk")
        node("Mul", [prefix + "qk", "scale"], prefix + "qks")
        node("Add", [prefix + "qks", "mask"], prefix + "qkm")
        node("Softmax", [prefix + "qkm"], prefix + "p", axis=-1)
        node("MatMul", [prefix + "p", prefix + "valueT"], prefix + "c4")
        node("Transpose", [prefix + "c4"], prefix + "cT", perm=[0, 2, 1, 3])
        node("Reshape", [prefix + "cT", "sh2"], prefix + "c")
        linear(prefix + "c", key + "attention.output.dense", prefix + "ao")
        node("Add", [prefix + "ao", value], prefix + "ar")
        return normalised(prefix + "ar", key + "attention.output.LayerNorm", prefix + "an")

    def layer(value: str, index: int) -> str:
        key, prefix = f"encoder.layer.{index}.", f"l{index}_"
        attended = attention(value, key, prefix)
        linear(attended, key + "intermediate.dense", prefix + "f")
        node("Gelu", [prefix + "f"], prefix + "g", approximate="none")
        linear(prefix + "g", key + "output.dense", prefix + "fo")
        node("Add", [prefix + "fo", attended], prefix + "fr")
        return normalised(prefix + "fr", key + "output.LayerNorm", prefix + "fn")

    integers("ax0", 0)
    integers("ax1", 1)
    integers("sh2", -1, WIDTH)
    integers("h384", WIDTH)
    integers("nhd", HEADS, HEAD_WIDTH)
    integers("ax12", 1, 2)
    number("scale", 1 / numpy.sqrt(HEAD_WIDTH))
    number("onef", 1)
    number("neg", -10000.0 * 1e4)
    number("eps9", 1e-9)
    number("eps12", 1e-12)
    integers("two", 2)

    node("Shape", ["input_ids"], "shp")
    node("Slice", ["shp", "ax0", "ax1"], "B")
    node("Slice", ["shp", "ax1", "two"], "S")
    node("Concat", ["B", "S", "nhd"], "sh4", axis=0)
    node("Concat", ["B", "S", "h384"], "sh3", axis=0)
    words = node("Gather", [weight("embeddings.word_embeddings.weight"), "input_ids"], "we", axis=0)
    types = node("Gather", [weight("embeddings.token_type_embeddings.weight"), "token_type_ids"], "te", axis=0)
    places = node("Slice", [weight("embeddings.position_embeddings.weight"), "ax0", "S", "ax0"], "pe")
    node("Add", [words, types], "e0")
    node("Add", ["e0", places], "e1")
    embedded = normalised("e1", "embeddings.LayerNorm", "emb")
    value = node("Reshape", [embedded, "sh2"], "emb2")
    node("Cast", ["attention_mask"], "mf", to=TensorProto.FLOAT)
    node("Unsqueeze", ["mf", "ax12"], "m4")
    node("Sub", ["onef", "m4"], "m5")
    node("Mul", ["m5", "neg"], "mask")
    for index in range(LAYERS):
        value = layer(value, index)
    node("Reshape", [value, "sh3"], "last_hidden")

    integers("ax2", 2)
    node("Unsqueeze", ["mf", "ax2"], "m3")
    node("Mul", ["last_hidden", "m3"], "mh")
    node("ReduceSum", ["mh", "ax1"], "sum", keepdims=0)
    node("ReduceSum", ["mf", "ax1"], "cnt", keepdims=1)
    node("Max", ["cnt", "eps9"], "cntc")
    node("Div", ["sum", "cntc"], "mean")
    node("ReduceL2", ["mean", "ax1"], "nrm", keepdims=1)
    node("Max", ["nrm", "eps12"], "nrmc")
    node("Div", ["mean", "nrmc"], "sentence_embedding")
    tokens = [(name, TensorProto.INT64, ["batch", "seq"]) for name in ("input_ids", "attention_mask", "token_type_ids")]
    save(
        path,
        "minilm_l6_v2_pooled",
        nodes,
        initializers,
        tokens,
        [("sentence_embedding", TensorProto.FLOAT, ["batch", WIDTH])],
        opset=20,
        ir=9,
    )
