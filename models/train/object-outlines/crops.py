"""Cuts objects out of photos like the product, and draws their masks as the training target."""

from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import cv2
import numpy as np

from photos import Thing, read_rgb

# Margin around the box on each side, as a share of the box's sides.
CONTEXT = 0.2
# Width and height of crops, px; the one with the nearest proportions is used. All are multiples of 32.
SHAPES = ((192, 96), (160, 128), (128, 128), (128, 160), (96, 192))
# Masks have half of that resolution.
MAP_STRIDE = 2


@dataclass(frozen=True)
class Crop:
    """
    `picture` uint8 [h, w, 3] RGB; `mask` uint8 [h / 2, w / 2], share of each cell that belongs to the object, 0..255;
    `box`: the object's labelled box, in px of `picture`.
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
    """`seen`: box as from a detector, in px of the photo; `turn`: rotation around its centre, in radians."""
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
    # Pixel centres have half-integer coordinates.
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
