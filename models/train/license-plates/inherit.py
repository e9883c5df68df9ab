"""
Starts a training from an exported network, which may be smaller: known layers keep their function, and new ones have
little effect at first.
"""

from pathlib import Path

import onnx
import torch
from onnx import numpy_helper
from torch import Tensor, nn

from network import PlateNetwork, Residual

# Initial gain of a new residual layer: small, but large enough for a gradient.
NEW_LAYER_GAIN = 0.1


def inherit(network: PlateNetwork, file: Path, pictures: Tensor) -> None:
    """
    Copies the weights of `file`, whose normalisations are folded into its convolutions.

    `pictures`: [n, 3, h, w]. The statistics of the normalisations are set for these, so that they change nothing.
    """
    known = read_weights(file)
    for name, module in network.named_modules():
        if isinstance(module, nn.Conv2d) and f"{name}.weight" in known:
            take_over(module, known[f"{name}.weight"], known.get(f"{name}.bias"))
    hooks = [
        module[1].register_forward_pre_hook(
            neutralise(known.get(f"{name}.0.bias"), is_new_residual(network, name, known))
        )
        for name, module in network.named_modules()
        if isinstance(module, nn.Sequential) and len(module) > 1 and isinstance(module[1], nn.BatchNorm2d)
    ]
    network.eval()
    with torch.no_grad():
        network(pictures)
    for hook in hooks:
        hook.remove()
    network.train()


def read_weights(file: Path) -> dict[str, Tensor]:
    """Weights by their names in PlateNetwork."""
    return {
        tensor.name.removeprefix("network.").removesuffix("_float16"): torch.from_numpy(
            numpy_helper.to_array(tensor).copy()
        ).float()
        for tensor in onnx.load(file).graph.initializer
    }


def take_over(convolution: nn.Conv2d, weight: Tensor, bias: Tensor | None) -> None:
    """Known outputs read only known inputs. The next layer ignores new channels at first."""
    outputs, inputs = weight.shape[:2]
    with torch.no_grad():
        convolution.weight[:, inputs:] = 0 if outputs == convolution.out_channels else convolution.weight[:, inputs:]
        convolution.weight[:outputs, inputs:] = 0
        convolution.weight[:outputs, :inputs] = weight
        if convolution.bias is not None and bias is not None:
            convolution.bias[:outputs] = bias


def is_new_residual(network: PlateNetwork, name: str, known: dict[str, Tensor]) -> bool:
    parent = network.get_submodule(name.rpartition(".")[0])
    return isinstance(parent, Residual) and f"{name}.0.weight" not in known


def neutralise(bias: Tensor | None, is_new: bool):
    """Makes a normalisation return its input plus `bias`; in a new layer, the input with a small gain."""

    def set_statistics(norm: nn.BatchNorm2d, inputs: tuple[Tensor, ...]) -> None:
        variance, mean = torch.var_mean(inputs[0], (0, 2, 3))
        norm.running_mean.copy_(mean)
        norm.running_var.copy_(variance)
        if is_new:
            norm.weight.fill_(NEW_LAYER_GAIN)
        elif bias is not None:
            norm.weight[: len(bias)] = torch.sqrt(variance + norm.eps)[: len(bias)]
            norm.bias[: len(bias)] = bias + mean[: len(bias)]

    return set_statistics
