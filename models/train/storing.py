"""Exports trained networks as small ONNX files."""

import io
import warnings

import numpy as np
import onnx
import torch
from onnx import helper, numpy_helper
from torch import Tensor, nn

OPSET = 13


def fold_batch_norms(network: nn.Module) -> None:
    """Folds each batch normalisation into the convolution before it, so that the folded weights are rounded."""
    for module in network.modules():
        if not isinstance(module, nn.Sequential):
            continue
        for index in range(1, len(module)):
            if isinstance(module[index], nn.BatchNorm2d):
                module[index - 1] = torch.nn.utils.fuse_conv_bn_eval(module[index - 1], module[index])
                module[index] = nn.Identity()


def round_weights(network: nn.Module) -> None:
    with torch.no_grad():
        for parameter in network.parameters():
            if parameter.ndim > 1:
                parameter.copy_(parameter.half().float())


def store_as_float16(model: onnx.ModelProto) -> None:
    """Halves the file size: weights with an exact float16 form are stored as float16, and cast when they are used."""
    casts = []
    for tensor in model.graph.initializer:
        array = numpy_helper.to_array(tensor)
        if array.dtype != np.float32 or array.ndim < 2 or not np.array_equal(array, array.astype(np.float16)):
            continue
        name = tensor.name
        tensor.CopyFrom(numpy_helper.from_array(array.astype(np.float16), f"{name}_float16"))
        casts.append(helper.make_node("Cast", [tensor.name], [name], to=onnx.TensorProto.FLOAT))
    nodes = [*casts, *model.graph.node]
    del model.graph.node[:]
    model.graph.node.extend(nodes)


def strip_names(model: onnx.ModelProto) -> None:
    """Removes names and source locations of nodes: runtimes do not need them, and paths are private."""
    for node in model.graph.node:
        node.doc_string = ""
        node.name = ""
        del node.metadata_props[:]
    del model.graph.value_info[:]


def to_onnx(network: nn.Module, example: Tensor, inputs: list[str], outputs: list[str], axes: dict[int, str]) -> bytes:
    """Exports a network with rounded weights as a small file. `axes`: names of variable axes of inputs and outputs."""
    file = io.BytesIO()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        torch.onnx.export(
            network.eval(),
            (example,),
            file,
            dynamo=False,
            opset_version=OPSET,
            input_names=inputs,
            output_names=outputs,
            dynamic_axes={name: axes for name in (*inputs, *outputs)},
        )
    model = onnx.load_from_string(file.getvalue())
    strip_names(model)
    store_as_float16(model)
    onnx.checker.check_model(model)
    return model.SerializeToString()
