"""
The window around a proposal, and the labels of windows.

The engine uses the same numbers, `plates.window` in models/manifest.json.
"""

import json
from pathlib import Path

import numpy as np

MANIFEST = Path(__file__).parents[2] / "manifest.json"
(WINDOW,) = (model["plates"]["window"] for model in json.loads(MANIFEST.read_text())["models"] if "plates" in model)
WIDTH_PX, HEIGHT_PX = WINDOW["widthPx"], WINDOW["heightPx"]
# Width of a window ÷ width of its proposal: the window of an inexact proposal still shows the whole plate.
ENLARGED = WINDOW["enlargement"]

# A window is labelled as a plate if the plate's centre is this near to the window's, in window widths and heights, …
LARGEST_SHIFT = (0.3, 0.35)
# … the larger of its relative width and height is in this range, …
SIZES = (0.15, 1.25)
# … and at least this share of it is visible.
MIN_VISIBLE = 0.65
# Relative size of a plate in the window around it.
USUAL_SIZE = 1 / ENLARGED

# Training also uses the windows around the central one, a step apart, like the scan of a vehicle.
STEP_PX = WINDOW["stepPx"]
STEPS = np.array([(x, y) for y in (-1, 0, 1) for x in (-1, 0, 1)])
CANVAS_WIDTH_PX, CANVAS_HEIGHT_PX = WIDTH_PX + 2 * STEP_PX, HEIGHT_PX + 2 * STEP_PX

PLATE, NO_PLATE, IGNORED = 1, 0, -1


def window_of(box: np.ndarray) -> np.ndarray:
    """Centre x, y and width of the window around a box, px. A window is twice as wide as high."""
    x1, y1, x2, y2 = box
    return np.array([(x1 + x2) / 2, (y1 + y2) / 2, ENLARGED * max(x2 - x1, 2 * (y2 - y1), 2.0)])


def label_windows(quads: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """
    Labels windows by the plates in them: quads [windows, plates, 4, 2] in units of each window.

    Returns labels [windows], and the corners of the plates [windows, 4, 2].
    """
    labels = np.full(len(quads), NO_PLATE)
    corners = np.zeros((len(quads), 4, 2), np.float32)
    if quads.shape[1] == 0:
        return labels, corners
    low, high = quads.min(2), quads.max(2)
    size, centre = high - low, (high + low) / 2
    area = size.prod(2)
    seen = np.clip(np.minimum(high, 0.5) - np.maximum(low, -0.5), 0, None).prod(2)
    largest = size.max(2)
    fits = (
        (np.abs(centre) <= LARGEST_SHIFT).all(2)
        & (largest >= SIZES[0])
        & (largest <= SIZES[1])
        & (seen >= MIN_VISIBLE * area)
    )
    # Of several plates, the best centred one with the most usual size counts.
    distance = np.abs(centre / LARGEST_SHIFT).max(2) + np.abs(np.log(largest / USUAL_SIZE))
    best = np.argmin(np.where(fits, distance, np.inf), 1)
    labels[(seen > 0.15 * area).any(1)] = IGNORED
    labels[fits.any(1)] = PLATE
    corners[:] = quads[np.arange(len(quads)), best]
    return labels, corners
