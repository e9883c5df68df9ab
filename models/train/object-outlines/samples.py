"""Training crops with inexact boxes, changes of light, other backgrounds, and objects in front."""

import math
import random

import cv2
import numpy as np

from crops import CONTEXT, SHAPES, Crop, cut, shape_for
from photos import Thing

# Standard deviation of a box's sides, as a share of its width or height, plus a part for small objects in px; and the
# deviation and probability of larger errors.
SIDE_ERROR, SIDE_ERROR_PX, WORSE_ERROR, WORSE_CHANCE = 0.045, 1.2, 0.14, 0.2
LARGEST_TURN = 0.12
# Probability and longer side, px, of objects that are made coarse as if they were far away.
DISTANT_CHANCE, DISTANT_PX = 0.35, (12, 60)


def error_of(side_px: float) -> float:
    return SIDE_ERROR + SIDE_ERROR_PX / side_px


def jitter(box: np.ndarray, side_px: float, chance: random.Random) -> np.ndarray:
    """`side_px`: longer side of the object in the detector's image."""
    size = np.tile(box[2:] - box[:2], 2)
    error = WORSE_ERROR if chance.random() < WORSE_CHANCE else error_of(side_px)
    moved = box + size * np.clip([chance.gauss(0, error) for _ in range(4)], -0.3, 0.3)
    return moved.astype(np.float32)


def coarsen(picture: np.ndarray, share: float) -> np.ndarray:
    """Reduces the resolution to this share, at the same size."""
    height, width = picture.shape[:2]
    size = (max(2, round(width * share)), max(2, round(height * share)))
    return cv2.resize(cv2.resize(picture, size, interpolation=cv2.INTER_AREA), (width, height))


def degrade(picture: np.ndarray, chance: random.Random) -> np.ndarray:
    """Changes exposure, colours, sharpness and noise."""
    image = picture.astype(np.float32)
    grey = image.mean(2, keepdims=True)
    image = grey + (image - grey) * chance.uniform(0.3, 1.5)
    image = image * np.array([chance.uniform(0.85, 1.15) for _ in range(3)], np.float32)
    mean = image.mean()
    image = mean + (image - mean) * chance.uniform(0.6, 1.35)
    image = 255 * np.clip(image / 255, 0, 1) ** chance.uniform(0.6, 1.6)
    if chance.random() < 0.25:
        image = cv2.GaussianBlur(image, (0, 0), chance.uniform(0.4, 1.6))
    if chance.random() < 0.3:
        noise = np.random.default_rng(chance.getrandbits(32)).standard_normal(image.shape, np.float32)
        image = image + noise * chance.uniform(2, 12)
    return np.clip(image, 0, 255).astype(np.uint8)


def sample(thing: Thing, chance: random.Random) -> tuple[int, Crop]:
    """The index of the crop's shape in SHAPES, and the crop."""
    side = float((thing.box[2:] - thing.box[:2]).max())
    shown = min(side, math.exp(chance.uniform(*np.log(DISTANT_PX)))) if chance.random() < DISTANT_CHANCE else side
    seen = jitter(thing.box, shown, chance)
    shape = shape_for(seen)
    turn = chance.uniform(-LARGEST_TURN, LARGEST_TURN) if thing.polygons and chance.random() < 0.3 else 0.0
    crop = cut(thing, seen, shape, chance.random() < 0.5, turn)
    picture = degrade(crop.picture, chance)
    across = max(SHAPES[shape]) / (1 + 2 * CONTEXT)
    if shown < min(side, across):
        picture = coarsen(picture, shown / across)
    return shape, Crop(picture, crop.mask, crop.box, crop.kind)


def _full_mask(crop: Crop) -> np.ndarray:
    height, width = crop.picture.shape[:2]
    return cv2.resize(crop.mask, (width, height), interpolation=cv2.INTER_LINEAR)[:, :, None].astype(np.float32) / 255


def put_in_front(behind: Crop, front: Crop, chance: random.Random) -> Crop:
    """Covers a part of an object with another one. Returns `behind` unchanged if less than half would stay visible."""
    height, width = behind.picture.shape[:2]
    away = np.float32([[1, 0, chance.choice((-1, 1)) * width * chance.uniform(0.3, 0.6)],
                       [0, 1, height * chance.uniform(-0.4, 0.4)]])
    shown = cv2.warpAffine(front.picture, away, (width, height))
    mask = cv2.warpAffine(_full_mask(front), away, (width, height))[:, :, None]
    free = cv2.resize(1 - mask, behind.mask.shape[::-1], interpolation=cv2.INTER_AREA)
    left = (behind.mask * free).astype(np.uint8)
    if left.sum() < 0.5 * behind.mask.sum():
        return behind
    picture = (behind.picture * (1 - mask) + shown * mask).astype(np.uint8)
    return Crop(picture, left, behind.box, behind.kind)


def put_before(crop: Crop, background: np.ndarray) -> Crop:
    """Replaces the background of an object by that of another photo."""
    mask = cv2.GaussianBlur(_full_mask(crop), (0, 0), 1)[:, :, None]
    height, width = crop.picture.shape[:2]
    behind = cv2.resize(background, (width, height), interpolation=cv2.INTER_AREA)
    return Crop((crop.picture * mask + behind * (1 - mask)).astype(np.uint8), crop.mask, crop.box, crop.kind)
