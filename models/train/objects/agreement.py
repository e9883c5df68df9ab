"""Labels from teachers: objects on which several agree, and places where only one detects something."""

import json
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from photos import Photo

TEACHERS = ("nanodet", "picodet", "centernet")
# Detections with lower scores are noise.
LOWEST = 0.15
# Score from which a single teacher's detection is doubtful, and from which two of them are an object.
DOUBTFUL, AGREED, AGREED_MEAN = 0.28, 0.3, 0.38
SAME_IOU, LABELLED_IOU = 0.5, 0.4
VEHICLE = 1


@dataclass(frozen=True)
class Labels:
    """`boxes` [n, 4] and `kinds` [n] (0 person, 1 vehicle); `ignored` boxes and their kinds in the same form."""

    boxes: np.ndarray
    kinds: np.ndarray
    ignored: np.ndarray
    ignored_kinds: np.ndarray


def overlaps(box: np.ndarray, others: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """IoU with each other box, and the share of this box that lies inside."""
    low, high = np.maximum(box[:2], others[:, :2]), np.minimum(box[2:], others[:, 2:])
    shared = np.clip(high - low, 0, None).prod(1)
    area, areas = np.prod(box[2:] - box[:2]), (others[:, 2:] - others[:, :2]).prod(1)
    return shared / np.maximum(area + areas - shared, 1e-6), shared / max(area, 1e-6)


def group(rows: np.ndarray) -> list[np.ndarray]:
    """Groups rows [n, 6] of teacher, score, box: the best score first, at most one of each teacher."""
    rows = rows[np.argsort(-rows[:, 1])]
    is_free, groups = np.ones(len(rows), bool), []
    for first in range(len(rows)):
        if not is_free[first]:
            continue
        iou, _ = overlaps(rows[first, 2:], rows[:, 2:])
        members = [first]
        for teacher in set(rows[:, 0]) - {rows[first, 0]}:
            fitting = np.flatnonzero(is_free & (rows[:, 0] == teacher) & (iou >= SAME_IOU))
            members += fitting[np.argsort(-iou[fitting])][:1].tolist()
        is_free[(iou >= SAME_IOU)] = False
        groups.append(rows[members])
    return groups


def is_agreed(members: np.ndarray, teachers: int) -> bool:
    scores = np.sort(members[:, 1])[::-1]
    return len(scores) >= teachers and scores[1] >= AGREED and scores[:2].mean() >= AGREED_MEAN


def rows_of(detections: dict, kind: int) -> np.ndarray:
    rows = [
        [number, *row[1:]]
        for number, name in enumerate(TEACHERS)
        for row in detections[name]
        if row[0] == kind and row[1] >= LOWEST
    ]
    return np.array(rows, np.float32).reshape(-1, 6)


def label(photo: Photo, detections: dict) -> Labels:
    boxes, kinds = [*photo.boxes], [VEHICLE] * len(photo.boxes)
    ignored, ignored_kinds = [], []
    # Frames of `atl` are labelled except for distant vehicles, and two teachers take its bollards for persons,
    # so all three have to agree there.
    teachers = 3 if photo.source == "atl" else 2
    for kind in (0, 1):
        for members in group(rows_of(detections, kind)):
            mean = (members[:, 2:] * members[:, 1:2]).sum(0) / members[:, 1].sum()
            if kind == VEHICLE and len(photo.boxes) > 0:
                iou, inside = overlaps(mean, photo.boxes)
                if iou.max() >= LABELLED_IOU or inside.max() >= 0.8:
                    continue
            if is_agreed(members, teachers):
                boxes.append(mean)
                kinds.append(kind)
            elif members[:, 1].max() >= DOUBTFUL or len(members) >= 2:
                ignored.append(mean)
                ignored_kinds.append(kind)
    as_boxes = lambda items: np.array(items, np.float32).reshape(-1, 4)  # noqa: E731
    return Labels(as_boxes(boxes), np.array(kinds, int), as_boxes(ignored), np.array(ignored_kinds, int))


def read_detections(folder: Path) -> dict[str, dict]:
    return {row["photo"]: row for row in map(json.loads, (folder / "detections.jsonl").open())}
