"""Runs the operations of an ONNX file in PyTorch, with its float weights as parameters, so that they can be trained."""

from pathlib import Path

import numpy as np
import onnx
import torch
from onnx import helper, numpy_helper
from torch import Tensor, nn
from torch.nn import functional as F


def attributes(node: onnx.NodeProto) -> dict:
    return {one.name: helper.get_attribute_value(one) for one in node.attribute}


def double(x: Tensor) -> Tensor:
    """Doubles both sides as ONNX's `asymmetric` linear Resize: every second value is the mean of two neighbours."""
    for axis in (2, 3):
        last = x.narrow(axis, x.shape[axis] - 1, 1)
        following = torch.cat([x.narrow(axis, 1, x.shape[axis] - 1), last], axis)
        x = torch.stack([x, (x + following) / 2], axis + 1).flatten(axis, axis + 1)
    return x


def convolve(x: Tensor, weight: Tensor, bias: Tensor | None, facts: dict) -> Tensor:
    top, left, bottom, right = facts["pads"]
    if (top, left) == (bottom, right):
        return F.conv2d(x, weight, bias, facts["strides"], (top, left), groups=facts["group"])
    return F.conv2d(F.pad(x, (left, right, top, bottom)), weight, bias, facts["strides"], groups=facts["group"])


class Graph(nn.Module):
    """
    The nodes between `inputs` and `outputs` of an ONNX file.

    Each convolution's weights and bias are parameters, in the names of the file with `_` for other characters.
    """

    def __init__(self, path: Path, inputs: list[str], outputs: list[str]):
        super().__init__()
        model = onnx.load(path)
        self.inputs, self.outputs = inputs, outputs
        stored = {tensor.name: numpy_helper.to_array(tensor) for tensor in model.graph.initializer}
        self.nodes = self.needed([node for node in model.graph.node if node.op_type != "Cast"])
        casts = {node.output[0]: node.input[0] for node in model.graph.node if node.op_type == "Cast"}
        self.constants: dict[str, float] = {}
        self.weights = nn.ParameterDict()
        for node in self.nodes:
            for name in node.input:
                array = stored.get(casts.get(name, name))
                if array is None:
                    continue
                if array.ndim == 0:
                    self.constants[name] = float(array)
                elif node.op_type == "Conv":
                    self.weights[name] = nn.Parameter(torch.from_numpy(array.astype(np.float32)))
        self.facts = {node.output[0]: attributes(node) for node in self.nodes}

    def needed(self, nodes: list[onnx.NodeProto]) -> list[onnx.NodeProto]:
        wanted, kept = set(self.outputs), []
        for node in reversed(nodes):
            if node.output[0] in wanted and node.output[0] not in self.inputs:
                kept.append(node)
                wanted.update(node.input)
        return kept[::-1]

    def forward(self, *tensors: Tensor) -> list[Tensor]:
        values: dict[str, Tensor] = dict(zip(self.inputs, tensors))
        for node in self.nodes:
            values[node.output[0]] = self.run(node, [self.value(values, name) for name in node.input])
        return [values[name] for name in self.outputs]

    def value(self, values: dict[str, Tensor], name: str):
        if name in values:
            return values[name]
        if name in self.weights:
            return self.weights[name]
        return self.constants.get(name)

    def run(self, node: onnx.NodeProto, x: list) -> Tensor:
        match node.op_type:
            case "Conv":
                return convolve(x[0], x[1], x[2] if len(x) > 2 else None, self.facts[node.output[0]])
            case "Relu":
                return F.relu(x[0])
            case "Mul":
                return x[0] * x[1]
            case "Add":
                return x[0] + x[1]
            case "Clip":
                return x[0].clamp(x[1], x[2])
            case "Sigmoid":
                return x[0].sigmoid()
            case "GlobalAveragePool":
                return x[0].mean((2, 3), keepdim=True)
            case "Concat":
                return torch.cat(x, 1)
            case "Resize":
                return double(x[0])
            case "Identity":
                return x[0]
        raise ValueError(f"no such operation: {node.op_type}")
