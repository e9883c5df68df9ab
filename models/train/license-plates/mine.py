"""
Adds false detections of the network in its training photos to proposals.json: lamps, badges, grilles, stickers.
`python mine.py --checkpoint checkpoint.pt`, during or after a training.

Dash camera photos are left out, because only some plates of the cars in a street are labelled.
"""

import argparse
import json
from pathlib import Path

import cv2
import numpy as np
import torch

from labels import PROPOSALS, Photo, bounds, read_motorcycles, read_photos, read_split
from network import PlateNetwork
from samples import read_backgrounds
from windows import HEIGHT_PX, STEP_PX, WIDTH_PX

LONG_SIDES_PX = (352, 768, 1280)
LARGEST_SCALE = 3.0
MIN_SCORE = 0.6
# Detections with a higher score are more often unlabelled plates than mistakes.
MAX_SCORE = 0.985
MAX_PER_PHOTO = 12
# Boxes with a larger overlap belong to one object.
ALIKE = 0.15


def overlap(a: np.ndarray, b: np.ndarray) -> float:
    """Shared area of two boxes, as a share of the smaller one."""
    shared = np.clip(np.minimum(a[2:], b[2:]) - np.maximum(a[:2], b[:2]), 0, None).prod()
    return float(shared / max(min((a[2:] - a[:2]).prod(), (b[2:] - b[:2]).prod()), 1e-6))


def scan(network: PlateNetwork, picture: np.ndarray, scale: float) -> list[tuple[float, np.ndarray]]:
    """Score and box (px of the image) of each window whose score is a local maximum."""
    height, width = (int(np.ceil(side * scale / STEP_PX)) * STEP_PX for side in picture.shape[:2])
    if height < HEIGHT_PX or width < WIDTH_PX:
        return []
    scaled = cv2.resize(picture, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA if scale < 1 else cv2.INTER_LINEAR)
    canvas = np.zeros((height, width, 3), np.uint8)
    canvas[: scaled.shape[0], : scaled.shape[1]] = scaled[:height, :width]
    with torch.no_grad():
        logits, corners = network(torch.from_numpy(canvas).permute(2, 0, 1)[None].float().sub(127.5).div(127.5))
    scores, corners = torch.sigmoid(logits)[0].numpy(), corners[0].numpy()
    peaks = (scores >= MIN_SCORE) & (scores == cv2.dilate(scores, np.ones((3, 3), np.uint8)))
    found = []
    for row, column in zip(*np.nonzero(peaks)):
        centre = np.array([WIDTH_PX / 2 + STEP_PX * column, HEIGHT_PX / 2 + STEP_PX * row])
        quad = corners[:, row, column].reshape(4, 2) * [WIDTH_PX, HEIGHT_PX] + centre
        found.append((float(scores[row, column]), bounds(quad) / scale))
    return found


def mistakes(network: PlateNetwork, photo: Photo) -> list[list[int]]:
    picture = photo.read()
    found = []
    for side in LONG_SIDES_PX:
        found += scan(network, picture, min(LARGEST_SCALE, side / max(picture.shape[:2])))
    kept: list[np.ndarray] = []
    plates = bounds(photo.quads)
    for score, box in sorted(found, key=lambda one: -one[0]):
        if score < MAX_SCORE and all(overlap(box, other) <= ALIKE for other in [*plates, *kept]):
            kept.append(box)
    return [[round(float(value)) for value in box] for box in kept[:MAX_PER_PHOTO]]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--checkpoint", type=Path, default=Path(__file__).with_name("checkpoint.pt"))
    flags = parser.parse_args()
    torch.set_num_threads(1)
    network = PlateNetwork()
    network.load_state_dict(torch.load(flags.checkpoint, weights_only=True))
    network.eval()
    split = read_split()
    training = set(split["training"])
    photos = [photo for photo in [*read_photos(), *read_motorcycles()] if photo.file in training and photo.set != "dashcam-ro"]
    proposals = json.loads(PROPOSALS.read_text())
    for photo in [*photos, *read_backgrounds(split)]:
        proposals.setdefault(photo.file, []).extend(mistakes(network, photo))
    lines = [f"{json.dumps(file)}: {json.dumps(boxes)}" for file, boxes in sorted(proposals.items())]
    # Replaced in one step, because a training may read the file at any time.
    written = PROPOSALS.with_suffix(".new")
    written.write_text("{\n" + ",\n".join(lines) + "\n}\n")
    written.replace(PROPOSALS)


if __name__ == "__main__":
    main()
