"""Draws a folder's curve.csv as curve.png with OpenCV alone: `draw_curve.py FOLDER`."""

import csv
import sys
from pathlib import Path

import cv2
import numpy as np

WIDTH, HEIGHT, MARGIN = 640, 320, 40
COLOURS = ((180, 90, 20), (30, 60, 200))
NO_LOSSES = ("step", "seconds")
HIGHEST_LOSS = 1.0


def main() -> None:
    folder = Path(sys.argv[1])
    with (folder / "curve.csv").open() as file:
        rows = list(csv.DictReader(file))
    canvas = np.full((HEIGHT, WIDTH, 3), 255, np.uint8)
    steps = np.array([float(row["step"]) for row in rows])
    across = MARGIN + steps / steps.max() * (WIDTH - 2 * MARGIN)
    for line in np.linspace(0, HIGHEST_LOSS, 5):
        y = round(HEIGHT - MARGIN - line / HIGHEST_LOSS * (HEIGHT - 2 * MARGIN))
        cv2.line(canvas, (MARGIN, y), (WIDTH - MARGIN, y), (220, 220, 220), 1)
        cv2.putText(canvas, f"{line:.1f}", (6, y + 4), cv2.FONT_HERSHEY_SIMPLEX, 0.4, (90, 90, 90), 1, cv2.LINE_AA)
    names = [name for name in rows[0] if name not in NO_LOSSES]
    for number, (name, colour) in enumerate(zip(names, COLOURS)):
        losses = np.clip([float(row[name]) for row in rows], 0, HIGHEST_LOSS)
        down = HEIGHT - MARGIN - losses / HIGHEST_LOSS * (HEIGHT - 2 * MARGIN)
        points = np.stack([across, down], 1).round().astype(np.int32)
        cv2.polylines(canvas, [points], False, colour, 2, cv2.LINE_AA)
        at = (WIDTH - 160, MARGIN + 20 + 20 * number)
        cv2.putText(canvas, name, at, cv2.FONT_HERSHEY_SIMPLEX, 0.5, colour, 1, cv2.LINE_AA)
    label = f"steps, to {int(steps.max())}"
    cv2.putText(canvas, label, (MARGIN, HEIGHT - 12), cv2.FONT_HERSHEY_SIMPLEX, 0.4, (90, 90, 90), 1, cv2.LINE_AA)
    cv2.imwrite(str(folder / "curve.png"), canvas)


if __name__ == "__main__":
    main()
