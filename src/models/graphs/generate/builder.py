"""Builds a graph that reads its weights from another project's file."""

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import numpy
import onnx
from layout import Tensor
from onnx import TensorProto, helper, numpy_helper

ELEMENT_TYPES = {"f16": TensorProto.FLOAT16, "f32": TensorProto.FLOAT}

Port = tuple[str, int, Sequence[str | int]]
"""Name, element type and shape of an input or output."""


def external(name: str, file: str, tensor: Tensor) -> TensorProto:
    """Returns an initializer that refers to bytes of `file`."""
    initializer = TensorProto()
    initializer.name = name
    initializer.data_type = ELEMENT_TYPES[tensor.dtype]
    initializer.dims.extend(tensor.shape)
    initializer.data_location = TensorProto.EXTERNAL
    for key, value in (("location", file), ("offset", str(tensor.offset)), ("length", str(tensor.bytes))):
        entry = initializer.external_data.add()
        entry.key, entry.value = key, value
    return initializer


def constant(name: str, value: Any) -> TensorProto:
    """Returns an initializer that is stored in the graph itself."""
    return numpy_helper.from_array(numpy.asarray(value), name)


def save(
    path: Path,
    name: str,
    nodes: Iterable[onnx.NodeProto],
    initializers: Iterable[TensorProto],
    inputs: Iterable[Port],
    outputs: Iterable[Port],
    *,
    opset: int,
    ir: int,
    metadata: dict[str, Any] | None = None,
) -> None:
    """Writes a model. The same arguments give the same bytes."""

    def described(ports: Iterable[Port]) -> list[onnx.ValueInfoProto]:
        return [helper.make_tensor_value_info(port, element, shape) for port, element, shape in ports]

    graph = helper.make_graph(nodes, name, described(inputs), described(outputs), initializers)
    model = helper.make_model(
        graph, opset_imports=[helper.make_opsetid("", opset)], ir_version=ir, producer_name="skeleton"
    )
    for key, value in (metadata or {}).items():
        entry = model.metadata_props.add()
        entry.key, entry.value = key, str(value)
    path.write_bytes(model.SerializeToString())
