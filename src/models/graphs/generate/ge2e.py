"""The GE2E speaker encoder: three LSTM layers and a linear layer. Its output is rectified and scaled to length one."""

from pathlib import Path

import numpy
from builder import constant, external, save
from layout import Layout, Tensor
from onnx import NodeProto, TensorProto, helper

WEIGHTS = "pretrained.pt"
HIDDEN = 256
LAYERS = 3
FLOAT_BYTES = 4

# ONNX expects the gates in the order input, output, forget, cell. The file has input, forget, cell, output.
GATES = (("i", 0), ("o", 3), ("f", 1), ("c", 2))


def build(layout: Layout, path: Path) -> None:
    """Creates the graph that maps `mels [batch, frames, 40]` to `embeds [batch, 256]`."""
    nodes: list[NodeProto] = []
    initializers = [
        constant("ax0", numpy.array([0], numpy.int64)),
        constant("ax1", numpy.array([1], numpy.int64)),
        constant("eps", numpy.float32(1e-12)),
    ]

    def node(kind: str, inputs: list[str], *outputs: str, **attributes: object) -> str:
        nodes.append(helper.make_node(kind, inputs, list(outputs), name=outputs[-1], **attributes))
        return outputs[0]

    def rows(name: str, key: str, block: int, shape: tuple[int, ...]) -> str:
        """Returns one block of rows of a tensor in the file."""
        size = FLOAT_BYTES
        for extent in shape:
            size *= extent
        tensor = Tensor("f32", shape, layout[key].offset + block * size, size)
        initializers.append(external(name, WEIGHTS, tensor))
        return name

    def lstm(index: int, sequence: str) -> str:
        prefix = f"l{index}_"
        biases: list[str] = []
        for side, letter in (("ih", "W"), ("hh", "R")):
            key = f"lstm.weight_{side}_l{index}"
            shape = (1, HIDDEN, layout[key].shape[1])
            gates = [rows(f"{prefix}{letter}_{gate}", key, block, shape) for gate, block in GATES]
            node("Concat", gates, prefix + letter, axis=1)
            key = f"lstm.bias_{side}_l{index}"
            biases += [rows(f"{prefix}B{letter}_{gate}", key, block, (1, HIDDEN)) for gate, block in GATES]
        node("Concat", biases, prefix + "B", axis=1)
        is_last = index == LAYERS - 1
        outputs = ("" if is_last else prefix + "Y", prefix + "Yh")
        node("LSTM", [sequence, prefix + "W", prefix + "R", prefix + "B"], *outputs, hidden_size=HIDDEN)
        return prefix + "Yh" if is_last else node("Squeeze", [prefix + "Y", "ax1"], prefix + "y")

    state = node("Transpose", ["mels"], "x0", perm=[1, 0, 2])
    for index in range(LAYERS):
        state = lstm(index, state)
    node("Squeeze", [state, "ax0"], "h")
    for key in ("linear.weight", "linear.bias"):
        # The file's offsets are odd. Joining two halves makes the runtime copy them into aligned memory during loading.
        shape = (HIDDEN // 2, *layout[key].shape[1:])
        node("Concat", [rows(f"{key}.{half}", key, half, shape) for half in (0, 1)], key, axis=0)
    node("Gemm", ["h", "linear.weight", "linear.bias"], "z", transB=1)
    node("Relu", ["z"], "r")
    node("ReduceL2", ["r", "ax1"], "n", keepdims=1)
    node("Max", ["n", "eps"], "nc")
    node("Div", ["r", "nc"], "embeds")
    save(
        path,
        "ge2e_speaker_encoder",
        nodes,
        initializers,
        [("mels", TensorProto.FLOAT, ["batch", "frames", 40])],
        [("embeds", TensorProto.FLOAT, ["batch", HIDDEN])],
        opset=18,
        ir=8,
    )
