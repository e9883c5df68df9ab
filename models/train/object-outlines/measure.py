"""
Measures the fit of masks at several thresholds, and that of a superellipse.

`python measure.py FEATURES CHECKPOINT` uses the held-out photos. With a checkpoint for each fold (`train.py
--without-fold`) it uses the training photos, each with the network that was trained without it, to choose thresholds.
"""

import argparse
from pathlib import Path

import cv2
import numpy as np
import torch

from crops import CONTEXT, SHAPES
from features import FOLDS
from network import OutlineNetwork
from photos import OTHER
from train import Part

NAMES = ("person", "vehicle", "other")
THRESHOLDS = (0.03, 0.05, 0.08, 0.1, 0.13, 0.16, 0.2, 0.3, 0.4, 0.5)
MIN_CELLS = 8


def superellipse(height: int, width: int, exponent: float, padding: float = 0.03) -> np.ndarray:
    y, x = np.mgrid[:height, :width] + 0.5
    half = (0.5 + padding) / (1 + 2 * CONTEXT)
    return np.abs(x / width - 0.5) ** exponent + np.abs(y / height - 0.5) ** exponent < half**exponent


def enlarged(predicted: np.ndarray, shape: tuple[int, int]) -> np.ndarray:
    return cv2.resize(predicted, shape[::-1], interpolation=cv2.INTER_LINEAR)


def fit(predicted: np.ndarray, truth: np.ndarray) -> tuple[float, float]:
    shared = truth[predicted].sum()
    return shared / (truth.sum() + predicted.sum() - shared), shared / truth.sum()


def load(checkpoint: Path) -> OutlineNetwork:
    network = OutlineNetwork()
    network.load_state_dict(torch.load(checkpoint, weights_only=True))
    return network.eval()


def measure(network: OutlineNetwork, part: Part, indices: np.ndarray, rows: dict[int, list]) -> None:
    for index in indices:
        truth = part.masks[index] / 255.0
        if truth.sum() < MIN_CELLS:
            continue
        with torch.no_grad():
            predicted = network(part.read(np.array([index])))[0].sigmoid().numpy()
        predicted, kind = enlarged(predicted, truth.shape), int(part.facts[index, 0])
        plain = superellipse(*truth.shape, 3 if kind else 2)
        rows[kind].append([fit(plain, truth), *(fit(predicted > threshold, truth) for threshold in THRESHOLDS)])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("features", type=Path)
    parser.add_argument("checkpoints", type=Path, nargs="+", metavar="CHECKPOINT")
    flags = parser.parse_args()
    networks = [load(checkpoint) for checkpoint in flags.checkpoints]
    if len(networks) not in (1, FOLDS):
        parser.error(f"takes one checkpoint, or {FOLDS}")
    rows: dict[int, list] = {kind: [] for kind in range(OTHER + 1)}
    for shape in range(len(SHAPES)):
        part = Part(flags.features / ("heldOut" if len(networks) == 1 else "tuning"), shape)
        for fold, network in enumerate(networks):
            is_asked = np.full(len(part.facts), True) if len(networks) == 1 else part.facts[:, 2] == fold
            measure(network, part, np.flatnonzero(is_asked), rows)
    for kind, measured in rows.items():
        means = np.array(measured).mean(0)
        cells = [f"{name} {iou:.3f} {recall:.3f}" for name, (iou, recall) in zip(("plain", *THRESHOLDS), means)]
        print(NAMES[kind], len(measured), " | ".join(cells))


if __name__ == "__main__":
    main()
