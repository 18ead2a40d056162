"""The file of weights of a Whisper model in the format of CTranslate2 (`model.bin`, format 6).

The file contains named variables, sorted by name. Their names and shapes follow from the dimensions of the network. So
the positions of all weights are known without the file. The order of the variables and their headers are those of
`ModelSpec._serialize` in CTranslate2. The exact size of the file, which the manifest has, confirms the positions.
"""

import struct
from collections.abc import Iterator
from pathlib import Path

import numpy
from layout import HALF, Layout, Tensor
from model import Model

HEADER = (6, "WhisperSpec", 3)
BYTE, SHORT = 1, 2
SIZES = {BYTE: 1, SHORT: 2, HALF: 2}

# Scalars that the graphs do not need.
SCALARS = {
    "decoder/activation": BYTE,
    "decoder/alibi": BYTE,
    "decoder/alignment_heads": SHORT,
    "decoder/alignment_layer": SHORT,
    "decoder/num_heads": SHORT,
    "decoder/pre_norm": BYTE,
    "decoder/scale_embeddings": BYTE,
    "decoder/start_from_zero_embedding": BYTE,
    "encoder/num_heads": SHORT,
}
ALIAS = ("decoder/projection/weight", "decoder/embeddings/weight")


def layout(model: Model) -> tuple[Layout, int]:
    """Returns the positions of the half-precision weights, and the size of the file."""
    tensors: Layout = {}
    offset = len(_start(model))
    for name, kind, shape in _variables(model):
        offset += len(_head(name, kind, shape))
        size = _bytes(kind, shape)
        if kind == HALF:
            tensors[name] = Tensor("f16", shape, offset, size)
        offset += size
    return tensors, offset + len(_aliases())


def write_random(model: Model, path: Path, seed: int) -> None:
    """Writes a file of random weights, small enough that the values in the network stay finite."""
    random = numpy.random.default_rng(seed)
    with path.open("wb") as file:
        file.write(_start(model))
        for name, kind, shape in _variables(model):
            file.write(_head(name, kind, shape))
            if kind == HALF:
                centre = 1 if name.endswith("gamma") else 0
                file.write((centre + 0.1 * random.standard_normal(shape)).astype("<f2").tobytes())
            else:
                file.write(bytes(_bytes(kind, shape)))
        file.write(_aliases())


def _variables(model: Model) -> Iterator[tuple[str, int, tuple[int, ...]]]:
    """Gives the name, the type and the shape of each variable, sorted by name."""
    shapes = dict(_shapes(model))
    kinds = {**dict.fromkeys(shapes, HALF), **SCALARS, **dict.fromkeys(model.attributes, BYTE)}
    for name in sorted(kinds):
        yield name, kinds[name], shapes.get(name, ())


def _shapes(model: Model) -> Iterator[tuple[str, tuple[int, ...]]]:
    width = model.width

    def norm(key: str) -> Iterator[tuple[str, tuple[int, ...]]]:
        yield key + "/beta", (width,)
        yield key + "/gamma", (width,)

    def linear(key: str, rows: int, columns: int = width) -> Iterator[tuple[str, tuple[int, ...]]]:
        yield key + "/bias", (rows,)
        yield key + "/weight", (rows, columns)

    def self_attention(key: str) -> Iterator[tuple[str, tuple[int, ...]]]:
        yield from norm(key + "/layer_norm")
        yield from linear(key + "/linear_0", 3 * width)
        yield from linear(key + "/linear_1", width)

    def feed_forward(key: str) -> Iterator[tuple[str, tuple[int, ...]]]:
        yield from norm(key + "/layer_norm")
        yield from linear(key + "/linear_0", 4 * width)
        yield from linear(key + "/linear_1", width, 4 * width)

    yield "decoder/embeddings/weight", (model.vocabulary, width)
    yield "decoder/position_encodings/encodings", (model.text_places, width)
    yield "encoder/position_encodings/encodings", (model.audio_places, width)
    for number, columns in ((1, model.bands), (2, width)):
        yield f"encoder/conv{number}/bias", (width,)
        yield f"encoder/conv{number}/weight", (width, columns, 3)
    for part, layers in (("encoder", model.encoder_layers), ("decoder", model.decoder_layers)):
        yield from norm(part + "/layer_norm")
        for index in range(layers):
            yield from self_attention(f"{part}/layer_{index}/self_attention")
            yield from feed_forward(f"{part}/layer_{index}/ffn")
    for index in range(model.decoder_layers):
        key = f"decoder/layer_{index}/attention"
        yield from norm(key + "/layer_norm")
        yield from linear(key + "/linear_0", width)
        yield from linear(key + "/linear_1", 2 * width)
        yield from linear(key + "/linear_2", width)


def _start(model: Model) -> bytes:
    version, specification, revision = HEADER
    count = sum(1 for _ in _variables(model))
    return struct.pack("<I", version) + _text(specification) + struct.pack("<II", revision, count)


def _head(name: str, kind: int, shape: tuple[int, ...]) -> bytes:
    dimensions = struct.pack(f"<B{len(shape)}I", len(shape), *shape)
    return _text(name) + dimensions + struct.pack("<BI", kind, _bytes(kind, shape))


def _bytes(kind: int, shape: tuple[int, ...]) -> int:
    size = SIZES[kind]
    for extent in shape:
        size *= extent
    return size


def _aliases() -> bytes:
    return struct.pack("<I", 1) + b"".join(map(_text, ALIAS))


def _text(value: str) -> bytes:
    data = value.encode() + b"\0"
    return struct.pack("<H", len(data)) + data
