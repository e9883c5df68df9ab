"""
The window that the network looks through at a proposal, and what is to be said about it.

The engine lays windows by the same numbers, `plates.window` of models/manifest.json.
"""

import json
from pathlib import Path

import numpy as np

MANIFEST = Path(__file__).parents[2] / "manifest.json"
(WINDOW,) = (model["plates"]["window"] for model in json.loads(MANIFEST.read_text())["models"] if "plates" in model)
WIDTH_PX, HEIGHT_PX = WINDOW["widthPx"], WINDOW["heightPx"]
# A window is this much wider than a proposal, so that one that sits badly still shows the whole plate.
ENLARGED = WINDOW["enlargement"]

# A plate is told from a window when its centre lies this near to the window's, in window widths and heights …
LARGEST_SHIFT = (0.3, 0.35)
# … it takes this share of the window's width or height …
SIZES = (0.15, 1.25)
# … and this much of it is seen.
LEAST_VISIBLE = 0.65
# What a plate's width or height is of a window that was laid around it.
USUAL_SIZE = 1 / ENLARGED

# Training looks at windows around the middle one, too, a step apart: as the network does that scans a vehicle.
STEP_PX = WINDOW["stepPx"]
STEPS = np.array([(x, y) for y in (-1, 0, 1) for x in (-1, 0, 1)])
CANVAS_WIDTH_PX, CANVAS_HEIGHT_PX = WIDTH_PX + 2 * STEP_PX, HEIGHT_PX + 2 * STEP_PX

PLATE, NO_PLATE, UNASKED = 1, 0, -1


def window_of(box: np.ndarray) -> np.ndarray:
    """Centre x, y and width, px; a window is twice as wide as high."""
    x1, y1, x2, y2 = box
    return np.array([(x1 + x2) / 2, (y1 + y2) / 2, ENLARGED * max(x2 - x1, 2 * (y2 - y1), 2.0)])


def judge(quads: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """
    What there is in windows, of the plates [windows, plates, 4, 2] in each window's units.

    Yields what is to be said [windows], and of plates, their corners [windows, 4, 2].
    """
    said = np.full(len(quads), NO_PLATE)
    corners = np.zeros((len(quads), 4, 2), np.float32)
    if quads.shape[1] == 0:
        return said, corners
    low, high = quads.min(2), quads.max(2)
    size, centre = high - low, (high + low) / 2
    area = size.prod(2)
    seen = np.clip(np.minimum(high, 0.5) - np.maximum(low, -0.5), 0, None).prod(2)
    largest = size.max(2)
    fits = (
        (np.abs(centre) <= LARGEST_SHIFT).all(2)
        & (largest >= SIZES[0])
        & (largest <= SIZES[1])
        & (seen >= LEAST_VISIBLE * area)
    )
    # Of two plates, the one that sits better is told.
    distance = np.abs(centre / LARGEST_SHIFT).max(2) + np.abs(np.log(largest / USUAL_SIZE))
    best = np.argmin(np.where(fits, distance, np.inf), 1)
    said[(seen > 0.15 * area).any(1)] = UNASKED
    said[fits.any(1)] = PLATE
    corners[:] = quads[np.arange(len(quads)), best]
    return said, corners
