"""
Writes models/object-outlines.onnx from checkpoint.pt, with weights as float16, and checks it against PyTorch.

PyTorch's outputs for a fixed pattern are written to parity.json, with which tests check the runtimes of the product.
"""

import argparse
import json
import sys
from pathlib import Path

import numpy as np
import onnxruntime
import torch
from torch import Tensor, nn

from network import FEATURES, OutlineNetwork
from photos import HERE, REPOSITORY

sys.path.append(str(HERE.parent))
from storing import fold_batch_norms, round_weights, to_onnx  # noqa: E402

OUTPUT = REPOSITORY / "models" / "object-outlines.onnx"
PATTERN_COLUMNS, PATTERN_ROWS = 40, 24
# Every so many-th value is enough to detect a different graph.
PARITY_STEP = 7


class ExportedOutlineNetwork(nn.Module):
    """The exported graph: probabilities instead of logits."""

    def __init__(self, network: OutlineNetwork):
        super().__init__()
        self.network = network

    def forward(self, features: Tensor) -> Tensor:
        return self.network(features)[:, None].sigmoid()


def export(network: OutlineNetwork) -> bytes:
    example = torch.rand(1, FEATURES, 24, 40)
    return to_onnx(ExportedOutlineNetwork(network), example, ["features"], ["outlines"], {2: "rows", 3: "columns"})


def pattern() -> np.ndarray:
    """A pattern that every language computes exactly: `((7 x + 3 y + 5 c + x y c) mod 64) / 64`, not negative."""
    c, y, x = np.mgrid[:FEATURES, :PATTERN_ROWS, :PATTERN_COLUMNS]
    return (((7 * x + 3 * y + 5 * c + x * y * c) % 64) / 64).astype(np.float32)[None]


def run_torch(network: OutlineNetwork, features: np.ndarray) -> np.ndarray:
    with torch.no_grad():
        return ExportedOutlineNetwork(network).eval()(torch.from_numpy(features)).numpy()


def largest_difference(network: OutlineNetwork, model: bytes) -> float:
    features = np.random.default_rng(1).uniform(0, 2, (1, FEATURES, 56, 40)).astype(np.float32)
    [actual] = onnxruntime.InferenceSession(model).run(["outlines"], {"features": features})
    return float(np.abs(actual - run_torch(network, features)).max())


def write_parity(network: OutlineNetwork) -> None:
    facts = {
        "rows": PATTERN_ROWS,
        "columns": PATTERN_COLUMNS,
        "step": PARITY_STEP,
        "outlines": [float(f"{value:.6g}") for value in run_torch(network, pattern()).ravel()[::PARITY_STEP]],
    }
    (HERE / "parity.json").write_text(json.dumps(facts) + "\n")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--checkpoint", type=Path, default=HERE / "checkpoint.pt")
    flags = parser.parse_args()
    network = OutlineNetwork()
    network.load_state_dict(torch.load(flags.checkpoint, weights_only=True))
    network.eval()
    fold_batch_norms(network)
    round_weights(network)
    model = export(network)
    difference = largest_difference(network, model)
    if difference > 1e-4:
        raise SystemExit(f"ONNX differs from PyTorch by {difference}")
    OUTPUT.write_bytes(model)
    write_parity(network)
    print(f"{OUTPUT.name}: {len(model)} bytes; differs by {difference:.1e}")


if __name__ == "__main__":
    main()
