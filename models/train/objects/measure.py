"""
Compares networks: `python measure.py A.onnx B.onnx`. Recall at a precision of .80, as `npm run eval` counts it.

A shorter form of the product's search: passes at 512 and 1024 px, fused and merged with the same constants. It serves
to choose; the figures of record are those of `npm run eval`.
"""

import argparse
import json
from dataclasses import dataclass, field
from pathlib import Path

import cv2
import numpy as np
import onnxruntime

from agreement import overlaps
from photos import DATA, REPOSITORY, read_rgb, read_vehicles

STRIDE, RIGHT_EDGE = 4, 1
# shared/catalogue/classes.ts
LOWEST, CONFIRMING = 0.12, 0.4
FUSED_IOU, MERGED_IOU, INSIDE, MIN_PART = 0.55, 0.5, (0.95, 0.92), 0.15
MIN_RELIABLE_PX = (10, 0)
MATCH_IOU, NEAR_IOU, SMALL_PX, PRECISION = 0.5, 0.3, 16, 0.8
PERSON, VEHICLE = 0, 1
COLUMNS = (
    "Network",
    "Objects",
    "Recall at precision .80",
    "At a score of",
    "Under 16 px",
    "Recall, precision at .25",
    "AP",
)
VEHICLE_IDS = (2, 3, 4, 6, 7, 8)


@dataclass
class Tally:
    """Scored detections with whether they are right; scores of found objects (0: missed) and object sizes."""

    found: list[tuple[float, bool]] = field(default_factory=list)
    objects: list[tuple[float, float]] = field(default_factory=list)

    def best(self) -> tuple[float, float]:
        """Highest recall at the precision, and its threshold."""
        found = np.array(sorted(self.found, reverse=True)).reshape(-1, 2)
        right = found[:, 1].cumsum()
        fine = np.flatnonzero(right / np.arange(1, len(found) + 1) >= PRECISION)
        return (right[fine[-1]] / len(self.objects), found[fine[-1], 0]) if len(fine) else (0.0, 1.0)

    def at(self, threshold: float) -> tuple[float, float]:
        right = [is_right for score, is_right in self.found if score >= threshold]
        return sum(right) / max(1, len(self.objects)), sum(right) / max(1, len(right))

    def small(self, threshold: float) -> float:
        scores = [score for score, size in self.objects if size < SMALL_PX]
        return sum(score >= threshold for score in scores) / max(1, len(scores))

    def area(self) -> float:
        """Average precision: the area under the curve, with precision made monotonic."""
        found = np.array(sorted(self.found, reverse=True)).reshape(-1, 2)
        precision = found[:, 1].cumsum() / np.arange(1, len(found) + 1)
        best = np.maximum.accumulate(precision[::-1])[::-1]
        return float((best * found[:, 1]).sum() / len(self.objects))


class Detector:
    def __init__(self, path: Path, sides: tuple[int, ...]):
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = 1
        self.session, self.sides = onnxruntime.InferenceSession(path, options), sides

    def run(self, picture: np.ndarray, side: int) -> tuple[np.ndarray, float]:
        """Rows of kind, score, box in px of the photo; and the scale."""
        height, width = picture.shape[:2]
        scale = min(side / max(height, width), 2)
        inner = max(1, round(width * scale)), max(1, round(height * scale))
        image = np.zeros([-(-size // 32) * 32 for size in inner[::-1]] + [3], np.uint8)
        image[: inner[1], : inner[0]] = cv2.resize(
            picture, inner, interpolation=cv2.INTER_AREA if scale < 1 else cv2.INTER_LINEAR
        )
        peaks, sides = self.session.run(
            ["peaks", "distances"], {"image": np.ascontiguousarray(image.transpose(2, 0, 1)[None], np.float32)}
        )
        rows, columns = [], image.shape[1] // STRIDE
        for plane, heat in enumerate(peaks[0].reshape(len(peaks[0]), -1)):
            for cell in np.flatnonzero(heat >= LOWEST * CONFIRMING):
                left, top, right, bottom = sides[0].reshape(4, -1)[:, cell]
                x, y = cell % columns * STRIDE, cell // columns * STRIDE
                box = np.array([x - left, y - top, x + right + RIGHT_EDGE, y + bottom]) / scale
                rows.append([min(plane, 1), heat[cell], *box])
        return np.array(rows, np.float32).reshape(-1, 6), scale

    def detect(self, picture: np.ndarray) -> list[np.ndarray]:
        """For each class rows [n, 5] of score and box."""
        passes = [self.run(picture, side) for side in self.sides]
        height, width = picture.shape[:2]
        found = []
        for kind in (PERSON, VEHICLE):
            rows = fuse(passes, kind) if len(passes) > 1 else passes[0][0][passes[0][0][:, 0] == kind][:, 1:]
            rows = rows[rows[:, 0] >= LOWEST]
            rows[:, 1:] = rows[:, 1:].clip(0, [width, height, width, height])
            found.append(merge(rows, kind))
        return found


def fuse(passes: list[tuple[np.ndarray, float]], kind: int) -> np.ndarray:
    rows = [[number, *row[1:]] for number, (found, _) in enumerate(passes) for row in found if row[0] == kind]
    objects: list[dict] = []
    boxes = np.zeros((0, 4))
    for number, score, *box in sorted(rows, key=lambda row: -row[1]):
        if len(boxes) > 0:
            iou, _ = overlaps(np.array(box), boxes)
            if iou.max() >= FUSED_IOU:
                objects[int(iou.argmax())].setdefault(number, (score, np.array(box)))
                continue
        if score >= LOWEST:
            objects.append({number: (score, np.array(box))})
            boxes = np.concatenate([boxes, [box]])
    fused = []
    for seen in objects:
        scores, edges = np.array([score for score, _ in seen.values()]), np.array([box for _, box in seen.values()])
        root = np.sqrt(np.prod(edges[0, 2:] - edges[0, :2]))
        able = sum(n in seen or root * scale >= MIN_RELIABLE_PX[kind] for n, (_, scale) in enumerate(passes))
        mean = (edges * scores[:, None] ** 2).sum(0) / (scores**2).sum()
        outer = np.concatenate([edges[:, :2].min(0), edges[:, 2:].max(0)])
        box = (mean + outer) / 2 if len(seen) > 1 else edges[0]
        fused.append([(scores[0] + scores.sum() / able) / 2, *box])
    return np.array(fused, np.float32).reshape(-1, 5)


def merge(rows: np.ndarray, kind: int) -> np.ndarray:
    kept = np.zeros((0, 5), np.float32)
    for row in rows[np.argsort(-rows[:, 0])]:
        if len(kept) > 0:
            iou, inside = overlaps(row[1:], kept[:, 1:])
            share = np.prod(row[3:] - row[1:3]) / np.maximum((kept[:, 3:] - kept[:, 1:3]).prod(1), 1e-6)
            if ((iou > MERGED_IOU) | ((inside > INSIDE[kind]) & (share >= MIN_PART))).any():
                continue
        kept = np.concatenate([kept, row[None]])
    return kept


def match(found: np.ndarray, truth: np.ndarray, minimum: float) -> dict[int, int]:
    free, matched = list(range(len(truth))), {}
    for index, row in enumerate(found):
        if not free:
            break
        iou, _ = overlaps(row[1:], truth[free])
        if iou.max() >= minimum:
            matched[index] = free.pop(int(iou.argmax()))
    return matched


def count(tally: Tally, found: np.ndarray, truth: np.ndarray, uncounted: np.ndarray) -> None:
    matched, near = match(found, truth, MATCH_IOU), match(found, truth, NEAR_IOU)
    for index, row in enumerate(found):
        if index not in matched and index not in near and len(uncounted) > 0:
            iou, inside = overlaps(row[1:], uncounted)
            if (inside >= 0.5).any() or (iou >= NEAR_IOU).any():
                continue
        tally.found.append((float(row[0]), index in matched))
    score_of = {object_: float(found[index, 0]) for index, object_ in matched.items()}
    for index, box in enumerate(truth):
        tally.objects.append((score_of.get(index, 0.0), float(np.sqrt(np.prod(box[2:] - box[:2])))))


def coco_photos():
    """Photo, and for each class the boxes that count and those that do not."""
    file = json.loads((DATA / "coco128" / "instances.json").read_text())
    for image in file["images"]:
        parts = [[[], []], [[], []]]
        for one in file["annotations"]:
            if one["image_id"] != image["id"] or one["category_id"] not in (1, *VEHICLE_IDS):
                continue
            x, y, width, height = one["bbox"]
            parts[int(one["category_id"] != 1)][one["iscrowd"]].append([x, y, x + width, y + height])
        yield DATA / "coco128" / "images" / image["file_name"], parts


def camera_photos():
    doubtful = json.loads((REPOSITORY / "models" / "eval" / "doubtful-vehicles.json").read_text())
    for photo in read_vehicles("heldOut"):
        size = np.sqrt((photo.boxes[:, 2:] - photo.boxes[:, :2]).prod(1))
        counted = photo.boxes[size >= SMALL_PX]
        beyond = [[0, 0, 1e5, counted[:, 3].min()]] if len(counted) else []
        uncounted = [*photo.boxes[size < SMALL_PX].tolist(), *beyond, *doubtful.get(photo.path.name, [])]
        yield photo.path, [None, [counted.tolist(), uncounted]]


def as_boxes(boxes: list) -> np.ndarray:
    return np.array(boxes, np.float32).reshape(-1, 4)


def tally_of(detector: Detector, photos) -> list[Tally]:
    tallies = [Tally(), Tally()]
    for path, parts in photos:
        for kind, found in enumerate(detector.detect(read_rgb(path))):
            if parts[kind] is not None:
                count(tallies[kind], found, as_boxes(parts[kind][0]), as_boxes(parts[kind][1]))
    return tallies


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("networks", type=Path, nargs="+")
    parser.add_argument("--sides", type=int, nargs="+", default=[512, 1024])
    flags = parser.parse_args()
    cv2.setNumThreads(1)
    print("| " + " | ".join(COLUMNS) + " |")
    print("| " + " | ".join(["---"] * len(COLUMNS)) + " |")
    for path in flags.networks:
        detector = Detector(path, tuple(flags.sides))
        coco, cameras = tally_of(detector, coco_photos()), tally_of(detector, camera_photos())
        for name, tally in (("coco128 persons", coco[0]), ("coco128 vehicles", coco[1]), ("cameras", cameras[1])):
            recall, threshold = tally.best()
            small = f"{tally.small(threshold):.2f}" if name != "cameras" else ""
            figures = [f"{recall:.3f}", f"{threshold:.3f}", small, "%.3f, %.3f" % tally.at(0.25), f"{tally.area():.3f}"]
            print("| " + " | ".join([path.stem, name, *figures]) + " |", flush=True)


if __name__ == "__main__":
    main()
