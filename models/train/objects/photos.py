"""The photos, their labels, and which of them may be learnt from."""

import json
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np

HERE = Path(__file__).parent
REPOSITORY = HERE.resolve().parents[2]
DATA = REPOSITORY.parent / "shared" / "data"
TEACHERS = REPOSITORY.parent / "shared" / "reference-models"
SPLIT = HERE / "split.json"
PLATES_SPLIT = HERE.parent / "license-plates" / "split.json"
# Training starts from this network, and it is a teacher.
ORIGINAL = REPOSITORY / "models" / "centernet.onnx"
NO_BOXES = np.zeros((0, 4), np.float32)


@dataclass(frozen=True)
class Photo:
    """`boxes`: labelled vehicles [n, 4] as x1, y1, x2, y2 in px. `source`: `atl`, `open-images` or another set."""

    path: Path
    source: str
    boxes: np.ndarray

    @property
    def key(self) -> str:
        return str(self.path.relative_to(DATA)) if self.path.is_relative_to(DATA) else self.path.name


def read_rgb(path: Path) -> np.ndarray:
    picture = cv2.imread(str(path), cv2.IMREAD_COLOR)
    if picture is None:
        raise ValueError(f"no photo: {path.name}")
    return cv2.cvtColor(picture, cv2.COLOR_BGR2RGB)


def boxes_of(rows: list) -> np.ndarray:
    return np.array([row[1:] for row in rows], np.float32).reshape(-1, 4)


def read_vehicles(part: str) -> list[Photo]:
    """Photos of `vehicles` without the cameras that are held out, or only those (`heldOut`)."""
    held_out = set(json.loads(SPLIT.read_text())["heldOut"])
    rows = json.loads((DATA / "vehicles" / "annotations.json").read_text())
    return [
        Photo(DATA / "vehicles" / "images" / row["file"], row["set"], boxes_of(row["boxes"]))
        for row in rows
        if (row["file"] in held_out) == (part == "heldOut")
    ]


def read_others(plates: int) -> list[Photo]:
    """Photos without labels of vehicles: crowds, and so many photos of plates that are not held out there."""
    faces = DATA / "faces"
    crowds = sorted((faces / "crowds").glob("*.jpg")) + sorted((faces / "dlib" / "faces").glob("*.jpg"))
    rows = json.loads((DATA / "plates" / "annotations.json").read_text())
    learnt = set(json.loads(PLATES_SPLIT.read_text())["training"])
    wide = [row for row in rows if row["file"] in learnt and row["set"] in ("openimages", "dashcam-ro", "cars-cc0")]
    chosen = [wide[index * len(wide) // plates] for index in range(plates)]
    return [Photo(path, "crowds", NO_BOXES) for path in crowds] + [
        Photo(DATA / "plates" / "images" / row["file"], row["set"], NO_BOXES) for row in chosen
    ]
