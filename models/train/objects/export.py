"""
Writes a trained network for `measure.py`: `python export.py checkpoint.pt OUT.onnx --share .5`.

The graph stays as the build makes it from the package. `--share` takes a mean of the weights before and after the
training, which keeps more of what the network knew (https://arxiv.org/abs/2109.01903). Several checkpoints are
averaged.
"""

import argparse
from pathlib import Path

import numpy as np
import onnx
import torch
from onnx import numpy_helper

from photos import ORIGINAL


def mean_of(checkpoints: list[Path]) -> dict[str, np.ndarray]:
    states = [torch.load(path, weights_only=True) for path in checkpoints]
    return {name: torch.stack([state[name] for state in states]).mean(0).numpy() for name in states[0]}


def replace_weights(model: onnx.ModelProto, weights: dict[str, np.ndarray], share: float) -> None:
    """Rounds them to the precision in which the file stores them."""
    casts = {node.output[0]: node.input[0] for node in model.graph.node if node.op_type == "Cast"}
    stored = {tensor.name: tensor for tensor in model.graph.initializer}
    for key, after in weights.items():
        name = key.removeprefix("weights.")
        tensor = stored[casts.get(name, name)]
        before = numpy_helper.to_array(tensor)
        mean = before.astype(np.float32) * (1 - share) + after * share
        tensor.CopyFrom(numpy_helper.from_array(mean.astype(before.dtype), tensor.name))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("checkpoints", type=Path, nargs="+")
    parser.add_argument("out", type=Path)
    parser.add_argument("--share", type=float, default=1.0, help="of the trained weights")
    flags = parser.parse_args()
    model = onnx.load(ORIGINAL)
    replace_weights(model, mean_of(flags.checkpoints), flags.share)
    onnx.checker.check_model(model)
    flags.out.write_bytes(model.SerializeToString())
    print(f"{flags.out.name}: {flags.out.stat().st_size} bytes")


if __name__ == "__main__":
    main()
