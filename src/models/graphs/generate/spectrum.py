"""The spectrum that Whisper was trained with, as a part of a graph."""

from typing import TYPE_CHECKING

import numpy
from onnx import TensorProto

if TYPE_CHECKING:
    from whisper import Graph

RATE, TAPS, HOP = 16_000, 400, 160
BINS = TAPS // 2 + 1
RANGE = 8  # Powers of ten below the loudest value. Quieter values count as silence.


def spectrum(graph: "Graph", bands: int) -> str:
    """Maps `samples [1, 1, L]` to `[1, bands, T]`: the logarithmic power in mel bands, bounded and scaled.

    The first frame covers the first `TAPS` samples. Each next frame begins `HOP` samples later. Appends `silence`
    frames.
    """
    bins = graph.node("Unsqueeze", [_numbers(graph, BINS), graph.integers(1)])
    value = graph.node("Conv", ["samples", _waves(graph, bins)], kernel_shape=[TAPS], strides=[HOP])
    value = graph.node("Mul", [value, value])
    power = graph.node("Add", graph.several("Split", [value], 2, axis=1, num_outputs=2))
    value = graph.node("MatMul", [_bands(graph, bins, bands), power])
    value = graph.node("Log", [graph.node("Max", [value, graph.number(1e-10)])])
    value = graph.node("Mul", [value, graph.number(1 / numpy.log(10))])
    loudest = graph.node("ReduceMax", [value, graph.integers(1, 2)], keepdims=1)
    least = graph.node("Sub", [loudest, graph.number(RANGE)])
    value = graph.node("Max", [value, least])
    pads = graph.node("Concat", [graph.integers(0, 0, 0, 0, 0), "silence"], axis=0)
    value = graph.node("Pad", [value, pads, graph.node("Squeeze", [least, graph.integers(0, 1, 2)])])
    return graph.node("Mul", [graph.node("Add", [value, graph.number(4)]), graph.number(0.25)])


def _numbers(graph: "Graph", count: int) -> str:
    return graph.node("Range", [graph.scalar(0), graph.scalar(count), graph.scalar(1)])


def _angles(graph: "Graph", steps: str) -> str:
    """Converts integers to angles. `TAPS` is a full turn."""
    steps = graph.node("Cast", [graph.node("Mod", [steps, graph.scalar(TAPS)])], to=TensorProto.FLOAT)
    return graph.node("Mul", [steps, graph.number(2 * numpy.pi / TAPS)])


def _waves(graph: "Graph", bins: str) -> str:
    """Returns `[2 * BINS, 1, TAPS]`: a cosine and a sine for each bin, multiplied by a Hann window."""
    taps = _numbers(graph, TAPS)
    window = graph.node("Mul", [graph.node("Cos", [_angles(graph, taps)]), graph.number(-0.5)])
    window = graph.node("Add", [window, graph.number(0.5)])
    angles = _angles(graph, graph.node("Mul", [bins, taps]))
    waves = graph.node("Concat", [graph.node("Cos", [angles]), graph.node("Sin", [angles])], axis=0)
    return graph.node("Unsqueeze", [graph.node("Mul", [waves, window]), graph.integers(1)])


def _bands(graph: "Graph", bins: str, count: int) -> str:
    """Returns `[count, BINS]`: triangles that are evenly spaced on Slaney's mel scale. Each has an area of one."""

    def hertz(mel: numpy.ndarray) -> numpy.ndarray:
        return numpy.where(mel < 15, mel * 200 / 3, 1000 * numpy.exp((mel - 15) * numpy.log(6.4) / 27))

    def given(values: numpy.ndarray) -> str:
        return graph.constant(values.astype(numpy.float32))

    highest = 15 + numpy.log(RATE / 2 / 1000) * 27 / numpy.log(6.4)
    edges = hertz(numpy.linspace(0, highest, count + 2))
    low, middle, high = (edges[index : index + count, None] for index in range(3))
    frequency = graph.node("Transpose", [graph.node("Cast", [bins], to=TensorProto.FLOAT)], perm=[1, 0])
    frequency = graph.node("Mul", [frequency, graph.number(RATE / TAPS)])
    rising = graph.node("Mul", [graph.node("Sub", [frequency, given(low)]), given(1 / (middle - low))])
    falling = graph.node("Mul", [graph.node("Sub", [given(high), frequency]), given(1 / (high - middle))])
    triangles = graph.node("Max", [graph.node("Min", [rising, falling]), graph.number(0)])
    return graph.node("Mul", [triangles, given(2 / (high - low))])
