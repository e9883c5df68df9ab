"""The labelled photos: their files, plates and split."""

import json
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np

REPOSITORY = Path(__file__).resolve().parents[3]
DATA = REPOSITORY.parent / "shared" / "data"
SPLIT = Path(__file__).with_name("split.json")
# Text that the product detects in the photos (propose.ts), and mistakes of the network (mine.py).
PROPOSALS = Path(__file__).with_name("proposals.json")
# Folders of the sets that are not in `plates`.
MOTORCYCLES = "motorcycles"
FOLDERS = {"coco128": "coco128", "everyday": "everyday", MOTORCYCLES: "plates-motorcycles"}


@dataclass(frozen=True)
class Photo:
    """`quads` is float32 [plates, 4, 2]: corners in px, clockwise from the upper left."""

    file: str
    set: str
    quads: np.ndarray

    def read(self) -> np.ndarray:
        """uint8 [height, width, 3], RGB."""
        return read_rgb(DATA / FOLDERS.get(self.set, "plates") / "images" / self.file)


def read_rgb(path: Path) -> np.ndarray:
    # Boxes are in px of the stored image, so its EXIF orientation is ignored.
    picture = cv2.imread(str(path), cv2.IMREAD_COLOR | cv2.IMREAD_IGNORE_ORIENTATION)
    if picture is None:
        raise ValueError(f"{path.name} cannot be decoded")
    return np.ascontiguousarray(picture[:, :, ::-1])


def box_corners(x1: float, y1: float, x2: float, y2: float) -> np.ndarray:
    return np.array([[x1, y1], [x2, y1], [x2, y2], [x1, y2]], np.float32)


def _quads(plates: list[dict]) -> np.ndarray:
    return np.stack([_quad(plate) for plate in plates]) if plates else np.zeros((0, 4, 2), np.float32)


def _quad(plate: dict) -> np.ndarray:
    """The labelled corners if there are four, else the corners of the box."""
    box = box_corners(*plate["bbox"])
    corners = np.array(plate.get("polygon", []), np.float32).reshape(-1, 2)
    if len(corners) == 5 and np.allclose(corners[0], corners[4]):
        corners = corners[:4]
    if len(corners) != 4:
        return box
    if _area(corners) < 0:
        corners = corners[::-1]
    turns = [np.roll(corners, -turn, axis=0) for turn in range(4)]
    best = min(turns, key=lambda turn: float(np.abs(turn - box).sum()))
    # Some label polygons cross themselves or do not fit the box; the box is more reliable then.
    return best if _area(best) > 0.4 * _area(box) else box


def _area(corners: np.ndarray) -> float:
    following = np.roll(corners, -1, axis=0)
    return float(np.sum(corners[:, 0] * following[:, 1] - following[:, 0] * corners[:, 1])) / 2


def read_photos() -> list[Photo]:
    """The photos of cars, in several sets."""
    entries = json.loads((DATA / "plates" / "annotations.json").read_text())
    return [
        Photo(entry["file"], entry["set"], _quads(entry["plates"]))
        for entry in entries
    ]


def read_motorcycles() -> list[Photo]:
    """Motorcycles with plates of two lines, often tilted; the labels are upright boxes."""
    entries = json.loads((DATA / "plates-motorcycles" / "annotations.json").read_text())
    return [
        Photo(Path(entry["file"]).name, MOTORCYCLES, _quads(entry["plates"]))
        for entry in entries
    ]


def read_split() -> dict:
    return json.loads(SPLIT.read_text())


def bounds(quads: np.ndarray) -> np.ndarray:
    """Boxes x1, y1, x2, y2 around quads: [..., 4, 2] to [..., 4]."""
    return np.concatenate([quads.min(-2), quads.max(-2)], -1)
