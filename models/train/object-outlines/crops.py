"""Cuts objects out of photos as the product does, and draws what is to be said of each pixel."""

from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import cv2
import numpy as np

from photos import Thing, read_rgb

# The network sees this much around the box on each side, as a share of the box's sides.
CONTEXT = 0.2
# Width and height of what it sees, px; the one nearest to the object's proportions is taken. All are multiples of 32.
SHAPES = ((192, 96), (160, 128), (128, 128), (128, 160), (96, 192))
# Outlines are learnt at half of that.
MAP_STRIDE = 2


@dataclass(frozen=True)
class Crop:
    """
    `picture` uint8 [h, w, 3] RGB; `mask` uint8 [h / 2, w / 2], share of each cell that is the object's, 0..255;
    `box` is where the object's true box is, in px of the picture, as `picture` shows it.
    """

    picture: np.ndarray
    mask: np.ndarray | None
    box: np.ndarray
    kind: int


def shape_for(box: np.ndarray) -> int:
    proportion = np.log((box[2] - box[0]) / (box[3] - box[1]))
    return int(np.argmin([abs(proportion - np.log(width / height)) for width, height in SHAPES]))


@lru_cache(maxsize=24)
def _pyramid(photo: Path) -> list[np.ndarray]:
    levels = [read_rgb(photo)]
    while min(levels[-1].shape[:2]) > 64:
        levels.append(cv2.pyrDown(levels[-1]) if len(levels) > 3 else _halve(levels[-1]))
    return levels


def _halve(picture: np.ndarray) -> np.ndarray:
    height, width = picture.shape[:2]
    return cv2.resize(picture, ((width + 1) // 2, (height + 1) // 2), interpolation=cv2.INTER_AREA)


def cut(thing: Thing, seen: np.ndarray, shape: int, mirrored: bool = False, turn: float = 0.0) -> Crop:
    """`seen`: the box that a detector would give, in px of the photo; `turn` in radians, around its centre."""
    width, height = SHAPES[shape]
    levels = _pyramid(thing.photo)
    centre, extent = (seen[:2] + seen[2:]) / 2, (seen[2:] - seen[:2]) * (1 + 2 * CONTEXT)
    scale = np.array([width, height]) / extent
    level = int(np.clip(np.floor(np.log2(1 / min(1.0, scale.max()))), 0, len(levels) - 1))
    # From px of the photo to px of the crop.
    cosine, sine = np.cos(turn), np.sin(turn)
    linear = np.diag(scale) @ np.array([[cosine, -sine], [sine, cosine]])
    if mirrored:
        linear[0] = -linear[0]
    matrix = np.column_stack([linear, np.array([width, height]) / 2 - linear @ centre])
    source = levels[level]
    shrunk = levels[0].shape[1] / source.shape[1]
    of_level = matrix.copy()
    of_level[:, :2] *= shrunk
    # Pixel middles lie at halves.
    of_level[:, 2] += of_level[:, :2] @ [0.5, 0.5] - 0.5
    picture = cv2.warpAffine(source, of_level, (width, height), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    corners = np.array([[thing.box[i], thing.box[j]] for i in (0, 2) for j in (1, 3)])
    placed = corners @ matrix[:, :2].T + matrix[:, 2]
    box = np.concatenate([placed.min(0), placed.max(0)]).astype(np.float32)
    return Crop(picture, _draw(thing, matrix, width, height), box, thing.kind)


def _draw(thing: Thing, matrix: np.ndarray, width: int, height: int) -> np.ndarray | None:
    if thing.polygons is None:
        return None
    fine = np.zeros((2 * height, 2 * width), np.uint8)
    outlines = [polygon @ matrix[:, :2].T + matrix[:, 2] for polygon in thing.polygons]
    for outline in outlines:
        drawn = np.zeros_like(fine)
        cv2.fillPoly(drawn, [np.round((2 * outline - 0.5) * 16).astype(np.int32)], 255, shift=4)
        fine |= drawn
    return cv2.resize(fine, (width // MAP_STRIDE, height // MAP_STRIDE), interpolation=cv2.INTER_AREA)
