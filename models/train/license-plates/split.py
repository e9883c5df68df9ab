"""
Writes split.json: photos for training, photos for choosing thresholds (validation), and held-out photos for evaluation.

Photos form a group if their grey thumbnails are nearly equal, mirrored or not, or if they are consecutive frames of a
dash camera's video. Whole groups are kept aside, so that near duplicates stay together.
"""

import json
import random
import re
from pathlib import Path

import cv2
import numpy as np

from labels import DATA, SPLIT, Photo, read_motorcycles, read_photos

SEED = 20250607
HELD_OUT_SHARE = 0.15
# More, because this set is small and all of one kind.
HELD_OUT_SHARE_OF_MOTORCYCLES = 0.3
# Of the photos that are not held out.
VALIDATION_SHARE = 0.1
THUMBNAIL_PX = 16
# Cosine of two thumbnails without their mean; it is higher for photos of one car in one place.
ALIKE = 0.92
# Dash camera: frames this close together show the same street and cars.
SAME_SCENE_S = 20
VEHICLES = ("bicycle", "car", "motorcycle", "bus", "train", "truck")
FRAME = re.compile(r"^(?P<video>.*)#t=(?P<time>\d+)\.jpg$")


def thumbnail(picture: np.ndarray) -> np.ndarray:
    grey = cv2.cvtColor(picture, cv2.COLOR_RGB2GRAY)
    small = cv2.resize(grey, (THUMBNAIL_PX, THUMBNAIL_PX), interpolation=cv2.INTER_AREA).astype(np.float32)
    small -= small.mean()
    return small / (np.linalg.norm(small) + 1e-6)


class Groups:
    """Disjoint sets."""

    def __init__(self, count: int):
        self.parent = list(range(count))

    def root(self, item: int) -> int:
        while self.parent[item] != item:
            self.parent[item] = self.parent[self.parent[item]]
            item = self.parent[item]
        return item

    def join(self, a: int, b: int) -> None:
        self.parent[self.root(a)] = self.root(b)


def join_alike(groups: Groups, thumbnails: np.ndarray) -> None:
    flat = thumbnails.reshape(len(thumbnails), -1)
    for view in (thumbnails, thumbnails[:, :, ::-1]):
        alike = flat @ view.reshape(len(view), -1).T > ALIKE
        for a, b in zip(*np.nonzero(alike)):
            groups.join(int(a), int(b))


def join_scenes(groups: Groups, files: list[str]) -> None:
    frames = sorted(
        (match["video"], int(match["time"]), index)
        for index, file in enumerate(files)
        if (match := FRAME.match(file))
    )
    for (video, time, index), (next_video, next_time, next_index) in zip(frames, frames[1:]):
        if video == next_video and next_time - time <= SAME_SCENE_S:
            groups.join(index, next_index)


def keep_aside(groups: Groups, sets: list[str], candidates: list[int], share: float) -> set[int]:
    """Selects whole groups in random order, as long as they do not exceed the share of any set."""
    members: dict[int, list[int]] = {}
    for index in candidates:
        members.setdefault(groups.root(index), []).append(index)
    shuffled = sorted(members.values())
    random.Random(SEED).shuffle(shuffled)
    of_candidates = [sets[index] for index in candidates]
    room = {name: share * of_candidates.count(name) for name in set(sets)}
    aside: set[int] = set()
    for group in shuffled:
        need = {name: sum(sets[index] == name for index in group) for name in set(sets)}
        if all(need[name] <= room[name] for name in need):
            aside.update(group)
            for name in need:
                room[name] -= need[name]
    return aside


def divide(photos: list[Photo], held_out_share: float) -> dict[str, list[str]]:
    """File names for training, validation and held out."""
    groups = Groups(len(photos))
    join_alike(groups, np.stack([thumbnail(photo.read()) for photo in photos]))
    join_scenes(groups, [photo.file for photo in photos])
    sets, everything = [photo.set for photo in photos], list(range(len(photos)))
    held_out = keep_aside(groups, sets, everything, held_out_share)
    others = [index for index in everything if index not in held_out]
    validation = keep_aside(groups, sets, others, VALIDATION_SHARE)
    parts = {
        "training": [index for index in others if index not in validation],
        "validation": validation,
        "heldOut": held_out,
    }
    for name in sorted(set(sets)):
        print(name, *(f"{part} {sum(sets[index] == name for index in indices)}" for part, indices in parts.items()))
    sizes = np.bincount([groups.root(index) for index in range(len(photos))])
    print("groups", int((sizes > 0).sum()), "largest", sorted(sizes.tolist())[-5:])
    return {part: sorted(photos[index].file for index in indices) for part, indices in parts.items()}


def read_everyday_without_vehicles() -> list[str]:
    entries = json.loads((DATA / "everyday" / "annotations.json").read_text())
    return [
        Path(entry["file"]).name
        for entry in entries
        if all(name not in VEHICLES for name, *_ in entry["boxes"] + entry.get("crowds", []))
    ]


def main() -> None:
    cars = divide(read_photos(), HELD_OUT_SHARE)
    motorcycles = divide(read_motorcycles(), HELD_OUT_SHARE_OF_MOTORCYCLES)
    coco = sorted(path.name for path in (DATA / "coco128" / "images").iterdir())
    split = {
        "seed": SEED,
        **{part: cars[part] + motorcycles[part] for part in cars},
        # Every second photo of coco128 provides negative windows; the others are never used in training.
        "background": coco[::2],
        # Photos of everyday life, of which every second one without a vehicle provides negative windows, too.
        "everyday": sorted(read_everyday_without_vehicles())[::2],
    }
    SPLIT.write_text(json.dumps(split, indent=2) + "\n")


if __name__ == "__main__":
    main()
