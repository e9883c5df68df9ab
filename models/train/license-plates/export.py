"""
Writes models/plate-windows.onnx from checkpoint.pt, with weights as float16, and checks it against PyTorch.

PyTorch's outputs for a fixed pattern are written to parity.json, with which tests check the runtimes of the product.
"""

import argparse
import json
import sys
from pathlib import Path

import numpy as np
import onnxruntime
import torch

from labels import REPOSITORY
from network import ExportedPlateNetwork, PlateNetwork

sys.path.append(str(Path(__file__).resolve().parents[1]))
from storing import fold_batch_norms, round_weights, to_onnx  # noqa: E402

OUTPUT = REPOSITORY / "models" / "plate-windows.onnx"
PARITY = Path(__file__).with_name("parity.json")
PATTERN_WIDTH, PATTERN_HEIGHT = 192, 96
# Every so many-th value of each output is enough to detect a different graph.
PARITY_STEP = 3


def load(checkpoint: Path) -> PlateNetwork:
    network = PlateNetwork()
    network.load_state_dict(torch.load(checkpoint, weights_only=True))
    return network.eval()


def export(network: PlateNetwork) -> bytes:
    example = torch.rand(2, 3, 96, 192) * 2 - 1
    axes = {0: "pictures", 2: "height", 3: "width"}
    return to_onnx(ExportedPlateNetwork(network), example, ["picture"], ["plate", "corners"], axes)


def pattern() -> np.ndarray:
    """A pattern that every language computes exactly: `(7 x + 3 y (c + 1) + x y) mod 256`, normalised."""
    c, y, x = np.mgrid[:3, :PATTERN_HEIGHT, :PATTERN_WIDTH]
    return ((((7 * x + 3 * y * (c + 1) + x * y) % 256) - 127.5) / 127.5).astype(np.float32)[None]


def run_torch(network: PlateNetwork, image: np.ndarray) -> list[np.ndarray]:
    with torch.no_grad():
        return [output.numpy() for output in ExportedPlateNetwork(network)(torch.from_numpy(image))]


def largest_differences(network: PlateNetwork, model: bytes) -> list[float]:
    image = np.random.default_rng(1).uniform(-1, 1, (3, 3, 80, 224)).astype(np.float32)
    actual = onnxruntime.InferenceSession(model).run(["plate", "corners"], {"picture": image})
    return [float(np.abs(a - e).max()) for a, e in zip(actual, run_torch(network, image))]


def write_parity(network: PlateNetwork) -> None:
    plate, corners = (output.ravel()[::PARITY_STEP] for output in run_torch(network, pattern()))
    facts = {
        "width": PATTERN_WIDTH,
        "height": PATTERN_HEIGHT,
        "step": PARITY_STEP,
        "plate": [float(f"{value:.6g}") for value in plate],
        "corners": [float(f"{value:.6g}") for value in corners],
    }
    PARITY.write_text(json.dumps(facts) + "\n")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--checkpoint", type=Path, default=Path(__file__).with_name("checkpoint.pt"))
    parser.add_argument("--out", type=Path, default=OUTPUT)
    flags = parser.parse_args()
    network = load(flags.checkpoint)
    fold_batch_norms(network)
    round_weights(network)
    model = export(network)
    plate, corners = largest_differences(network, model)
    if plate > 1e-4 or corners > 1e-2:
        raise SystemExit(f"ONNX differs from PyTorch: plate by {plate}, corners by {corners} px")
    flags.out.write_bytes(model)
    write_parity(network)
    print(f"{flags.out.name}: {len(model)} bytes; differs by {plate:.1e} and {corners:.1e} px")


if __name__ == "__main__":
    main()
