"""
Writes `models/eval/doubtful-vehicles.json`: vehicles in the held-out frames without a label, on which two detectors of
other projects agree. The network that is measured takes no part.
"""

import json

import cv2
import numpy as np

from agreement import LABELLED_IOU, LOWEST, VEHICLE, group, overlaps
from photos import REPOSITORY, read_rgb, read_vehicles
from teachers import NanoDet, PicoDet, fuse_scales

OUTPUT = REPOSITORY / "models" / "eval" / "doubtful-vehicles.json"
SIDES = (416, 832)
SCORE, PART = 0.28, 0.7


def touches_label(box: np.ndarray, labelled: np.ndarray) -> bool:
    """Whether it is a labelled vehicle, a part of one, or several of them."""
    iou, inside = overlaps(box, labelled)
    around = max(overlaps(other, box[None])[1][0] for other in labelled)
    return bool(iou.max() >= LABELLED_IOU or inside.max() >= PART or around >= PART)


def main() -> None:
    cv2.setNumThreads(1)
    teachers, doubtful = (NanoDet(), PicoDet()), {}
    for photo in read_vehicles("heldOut"):
        picture = read_rgb(photo.path)
        rows = []
        for number, teacher in enumerate(teachers):
            found = fuse_scales([teacher.detect(picture, side) for side in SIDES])
            rows += [[number, *row[1:]] for row in found if row[0] == VEHICLE and row[1] >= LOWEST]
        boxes = []
        for members in group(np.array(rows, np.float32).reshape(-1, 6)):
            box = (members[:, 2:] * members[:, 1:2]).sum(0) / members[:, 1].sum()
            is_labelled = len(photo.boxes) > 0 and touches_label(box, photo.boxes)
            if len(members) == len(teachers) and members[:, 1].min() >= SCORE and not is_labelled:
                boxes.append([round(float(edge)) for edge in box])
        if boxes:
            doubtful[photo.path.name] = boxes
    OUTPUT.write_text(json.dumps(doubtful) + "\n")
    print(sum(map(len, doubtful.values())), "doubtful vehicles in", len(doubtful), "frames")


if __name__ == "__main__":
    main()
