"""Places drawn plates in photos: over a plate of the photo, or anywhere."""

from dataclasses import dataclass

import cv2
import numpy as np

from draw import draw_plate

# Drawn plates are used several times, because drawing takes longer than pasting.
POOL = 400
REDRAWN = 0.05
# Attempts to find a plate of about the same proportions as the one that it replaces.
TRIES = 12
# Plates that replace others are larger, so that nothing of the others stays visible.
COVER = 1.08
# Standard deviations of the angle in degrees, and of each corner in plate heights.
TURN, BEND = 9.0, 0.03
# Brightness of a white plate as it is drawn, and of the darkest and brightest surroundings that are followed.
PAPER, DARKEST, BRIGHTEST = 190.0, 0.3, 1.15


@dataclass(frozen=True)
class Pasted:
    """A drawn plate, uint8 [height, width, 3], and its corners in the photo, [4, 2], px."""

    picture: np.ndarray
    quad: np.ndarray


class Plates:
    def __init__(self, random: np.random.Generator):
        self.random = random
        self.pool: list[np.ndarray] = []

    def any(self) -> np.ndarray:
        if len(self.pool) < POOL:
            self.pool.append(draw_plate(self.random))
            return self.pool[-1]
        index = self.random.integers(POOL)
        if self.random.random() < REDRAWN:
            self.pool[index] = draw_plate(self.random)
        return self.pool[index]

    def over(self, box: np.ndarray) -> Pasted:
        """A plate that covers a box x1, y1, x2, y2, px."""
        width, height = box[2] - box[0], box[3] - box[1]
        some = [self.any() for _ in range(TRIES)]
        plate = min(some, key=lambda one: abs(np.log(one.shape[1] / one.shape[0] * height / width)))
        aspect = plate.shape[1] / plate.shape[0]
        wide = COVER * max(width, aspect * height)
        return Pasted(plate, self.turned((box[:2] + box[2:]) / 2, wide, wide / aspect, 0.3))

    def anywhere(self, width: int, height: int) -> Pasted:
        """A plate in a photo of this size, px."""
        random, plate = self.random, self.any()
        aspect = plate.shape[1] / plate.shape[0]
        high = np.exp(random.uniform(np.log(0.02), np.log(0.25))) * height
        middle = random.uniform(0.1, 0.9, 2) * [width, height]
        return Pasted(plate, self.turned(middle, high * aspect, high, 1.0))

    def turned(self, middle: np.ndarray, width: float, height: float, amount: float) -> np.ndarray:
        angle = np.deg2rad(self.random.normal(0, amount * TURN))
        corners = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * [width / 2, height / 2]
        corners = corners + self.random.normal(0, amount * BEND * height, (4, 2))
        turn = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
        return (corners @ turn.T + middle).astype(np.float32)


def paste(canvas: np.ndarray, quad: np.ndarray, plate: np.ndarray, random: np.random.Generator) -> None:
    """Draws a plate at its corners `quad` [4, 2], in px of the canvas, in about the light of its place."""
    high = max(4.0, float(np.linalg.norm(quad[3] - quad[0])))
    if high < plate.shape[0] / 2:
        share = 1.5 * high / plate.shape[0]
        plate = cv2.resize(plate, None, fx=share, fy=share, interpolation=cv2.INTER_AREA)
    rows, columns = plate.shape[:2]
    corners = np.array([[0, 0], [columns, 0], [columns, rows], [0, rows]], np.float32)
    matrix = cv2.getPerspectiveTransform(corners, quad.astype(np.float32))
    size = canvas.shape[1::-1]
    drawn = cv2.warpPerspective(plate, matrix, size, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    share = cv2.warpPerspective(np.full((rows, columns), 255, np.uint8), matrix, size, flags=cv2.INTER_LINEAR)
    share = share[..., None].astype(np.float32) / 255
    covered = share[..., 0] > 0.5
    if not covered.any():
        return
    light = np.clip((float(canvas[covered].mean()) + 50) / PAPER, DARKEST, BRIGHTEST) * np.exp(random.normal(0, 0.2))
    canvas[:] = np.clip(canvas * (1 - share) + drawn * light * share, 0, 255).astype(np.uint8)
