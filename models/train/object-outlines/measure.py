"""How well outlines fit in the held-out photos, at several thresholds, and how well a superellipse does."""

import argparse
from pathlib import Path

import cv2
import numpy as np
import torch

from crops import CONTEXT, SHAPES
from network import OutlineNetwork
from photos import OTHER
from train import Part

NAMES = ("person", "vehicle", "other")
THRESHOLDS = (0.1, 0.15, 0.2, 0.25, 0.3, 0.4, 0.5)


def superellipse(height: int, width: int, exponent: float, padding: float = 0.03) -> np.ndarray:
    y, x = np.mgrid[:height, :width] + 0.5
    half = (0.5 + padding) / (1 + 2 * CONTEXT)
    return np.abs(x / width - 0.5) ** exponent + np.abs(y / height - 0.5) ** exponent < half**exponent


def enlarged(said: np.ndarray, shape: tuple[int, int]) -> np.ndarray:
    return cv2.resize(said, shape[::-1], interpolation=cv2.INTER_LINEAR)


def fit(said: np.ndarray, truth: np.ndarray) -> tuple[float, float]:
    shared = truth[said].sum()
    return shared / (truth.sum() + said.sum() - shared), shared / truth.sum()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("features", type=Path)
    parser.add_argument("--checkpoint", type=Path, default=Path(__file__).with_name("checkpoint.pt"))
    parser.add_argument("--part", default="heldOut")
    flags = parser.parse_args()
    network = OutlineNetwork()
    network.load_state_dict(torch.load(flags.checkpoint, weights_only=True))
    network.eval()
    rows: dict[int, list] = {kind: [] for kind in range(OTHER + 1)}
    for shape in range(len(SHAPES)):
        part = Part(flags.features / flags.part, shape)
        for index in range(len(part.facts)):
            if part.facts[index, 1] == 0:
                continue
            with torch.no_grad():
                kind = int(part.facts[index, 0])
                said = network(part.read(np.array([index])))[0].sigmoid().numpy()
            truth = part.masks[index] / 255.0
            said = enlarged(said, truth.shape)
            if truth.sum() < 8:
                continue
            plain = superellipse(*truth.shape, 3 if kind else 2)
            rows[kind].append([fit(plain, truth), *(fit(said > least, truth) for least in THRESHOLDS)])
    for kind, measured in rows.items():
        means = np.array(measured).mean(0)
        cells = [f"{name} {iou:.3f} {recall:.3f}" for name, (iou, recall) in zip(("plain", *THRESHOLDS), means)]
        print(NAMES[kind], len(measured), " | ".join(cells))


if __name__ == "__main__":
    main()
