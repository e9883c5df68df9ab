"""The labelled photos: their split, outlines and boxes."""

import json
import sys
from dataclasses import dataclass
from pathlib import Path

import numpy as np

HERE = Path(__file__).parent
sys.path.append(str(HERE.parent / "license-plates"))
from labels import DATA, REPOSITORY, read_rgb  # noqa: E402

SPLIT = HERE / "split.json"
# Vehicles that find-vehicles.ts detects in photos of plates.
BOXES = HERE / "boxes.json"
PERSON, VEHICLE, OTHER = range(3)
# Kind by COCO category; all other categories are OTHER.
CLASSES = {1: PERSON, **dict.fromkeys((2, 3, 4, 6, 7, 8), VEHICLE)}


@dataclass(frozen=True)
class Thing:
    """`box` is x1, y1, x2, y2 in px; `polygons` float32 [n, 2] each, or None if only the box is known."""

    photo: Path
    kind: int
    box: np.ndarray
    polygons: list[np.ndarray] | None


def read_outlines(part: str) -> list[Thing]:
    """All objects of COCO's 80 classes in the photos of a part of the split, without crowds."""
    coco = json.loads((DATA / "coco128" / "instances.json").read_text())
    wanted = set(json.loads(SPLIT.read_text())[part])
    files = {image["id"]: image["file_name"] for image in coco["images"]}
    things = []
    for label in coco["annotations"]:
        file = files[label["image_id"]]
        if label["iscrowd"] or file not in wanted:
            continue
        x, y, width, height = label["bbox"]
        polygons = [np.array(flat, np.float32).reshape(-1, 2) for flat in label["segmentation"]]
        box = np.array([x, y, x + width, y + height], np.float32)
        kind = CLASSES.get(label["category_id"], OTHER)
        things.append(Thing(DATA / "coco128" / "images" / file, kind, box, polygons))
    return things


def read_boxes() -> list[Thing]:
    folder = DATA / "plates" / "images"
    return [
        Thing(folder / file, VEHICLE, np.array(box, np.float32), None)
        for file, boxes in json.loads(BOXES.read_text()).items()
        for box in boxes
    ]
