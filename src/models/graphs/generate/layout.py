"""Positions of the tensors inside third-party weight files.

Each layout is a small table in `layouts/`, so the graphs can be made without the weights. The readers below make
those tables from the weight files.
"""

import csv
import json
import pickle
import struct
from collections import OrderedDict
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO

Layout = dict[str, "Tensor"]

HALF = 4  # The type of half-precision numbers in files of CTranslate2.

FIELDS = ("name", "dtype", "shape", "offset", "bytes")


@dataclass(frozen=True)
class Tensor:
    """A contiguous little-endian tensor inside a file."""

    dtype: str
    shape: tuple[int, ...]
    offset: int
    bytes: int


def load(path: Path) -> Layout:
    """Reads a layout from a table."""
    with path.open(newline="") as table:
        return {
            row["name"]: Tensor(
                row["dtype"],
                tuple(int(size) for size in row["shape"].split("x") if size),
                int(row["offset"]),
                int(row["bytes"]),
            )
            for row in csv.DictReader(table, dialect="excel-tab")
        }


def save(path: Path, layout: Layout) -> None:
    """Writes a layout as a table, in the order of the weight file."""
    with path.open("w", newline="") as table:
        writer = csv.writer(table, dialect="excel-tab", lineterminator="\n")
        writer.writerow(FIELDS)
        for name, tensor in sorted(layout.items(), key=lambda item: item[1].offset):
            writer.writerow((name, tensor.dtype, "x".join(map(str, tensor.shape)), tensor.offset, tensor.bytes))


def read_ctranslate2(path: Path) -> Layout:
    """Reads the positions of the half-precision tensors of a CTranslate2 Whisper model (`model.bin`, format 6)."""
    layout: Layout = {}
    with path.open("rb") as file:
        version = _integer(file, "I")
        specification = _text(file)
        revision = _integer(file, "I")
        if (version, specification, revision) != (6, "WhisperSpec", 3):
            raise ValueError(f"unknown format: {version} {specification} {revision}")
        for _ in range(_integer(file, "I")):
            name = _text(file)
            shape = tuple(_integer(file, "I") for _ in range(_integer(file, "B")))
            dtype, size = _integer(file, "B"), _integer(file, "I")
            if dtype == HALF:
                layout[name] = Tensor("f16", shape, file.tell(), size)
            file.seek(size, 1)
    return layout


def read_safetensors(path: Path) -> Layout:
    """Reads the positions of the single-precision tensors of a safetensors file."""
    with path.open("rb") as file:
        length = _integer(file, "Q")
        header = json.loads(file.read(length))
        start = file.tell()
    return {
        name: Tensor("f32", tuple(entry["shape"]), start + entry["data_offsets"][0], _extent(entry["data_offsets"]))
        for name, entry in header.items()
        if entry.get("dtype") == "F32"
    }


def read_torch(path: Path) -> Layout:
    """Reads a checkpoint in PyTorch's older format: five pickles, then raw storages. Keeps single-precision tensors."""
    with path.open("rb") as file:
        for _ in range(3):  # magic number, protocol version, system description
            _CheckpointReader(file).load()
        checkpoint = _CheckpointReader(file).load()
        starts: dict[str, int] = {}
        for key in _CheckpointReader(file).load():
            elements = _integer(file, "q")
            starts[key] = file.tell()
            file.seek(elements * 4, 1)
    tensors: dict[str, _TorchTensor] = checkpoint["model_state"]
    layout: Layout = {}
    for name, tensor in tensors.items():
        elements = 1
        for size in tensor.shape:
            elements *= size
        layout[name] = Tensor("f32", tensor.shape, starts[tensor.storage] + tensor.first * 4, elements * 4)
    return layout


@dataclass(frozen=True)
class _TorchTensor:
    storage: str
    first: int
    shape: tuple[int, ...]


class _CheckpointReader(pickle.Unpickler):
    """Reads the positions of a checkpoint's tensors.

    Replaces everything except tensors and plain containers by its name. So no code from the file runs.
    """

    def find_class(self, module: str, name: str) -> Any:
        if (module, name) == ("collections", "OrderedDict"):
            return OrderedDict
        if (module, name) == ("torch._utils", "_rebuild_tensor_v2"):
            return lambda storage, first, shape, *_: _TorchTensor(storage, first, tuple(shape))
        return f"{module}.{name}"

    def persistent_load(self, pid: tuple[Any, ...]) -> str:
        return pid[2]


def _extent(offsets: list[int]) -> int:
    return offsets[1] - offsets[0]


def _integer(file: BinaryIO, code: str) -> int:
    return struct.unpack("<" + code, file.read(struct.calcsize("<" + code)))[0]


def _text(file: BinaryIO) -> str:
    """Reads a zero-terminated string that is preceded by its length."""
    return file.read(_integer(file, "H"))[:-1].decode()
