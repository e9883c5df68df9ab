"""Computes CenterNet's features of the training crops once, because its layers are not trained."""

import argparse
import json
import random
from pathlib import Path

import cv2
import numpy as np
import onnxruntime

from crops import MAP_STRIDE, Crop, cut, shape_for
from photos import OTHER, PERSON, REPOSITORY, SPLIT, VEHICLE, Thing, read_boxes, read_outlines, read_rgb
from samples import error_of, put_before, put_in_front, sample

SEED = 5
# Number of crops per object, by kind.
TIMES = {PERSON: 20, VEHICLE: 100, OTHER: 14}
TIMES_OF_BOXES = 2
# Three-fold cross-validation of hyperparameters. Objects without outlines belong to no fold.
FOLDS, NO_FOLD = 3, -1
# Smaller objects have too few pixels for an outline.
MIN_SIDE_PX = 12
FRONT_CHANCE, BEFORE_CHANCE = 0.2, 0.15


def open_trunk() -> onnxruntime.InferenceSession:
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    return onnxruntime.InferenceSession(REPOSITORY / "models" / "centernet.onnx", options)


def is_large(thing: Thing) -> bool:
    return min(thing.box[2:] - thing.box[:2]) >= MIN_SIDE_PX


def training_crops(chance: random.Random):
    outlines = [thing for thing in read_outlines("training") if is_large(thing)]
    photos = sorted({thing.photo for thing in outlines})
    latest: dict[int, Crop] = {}
    jobs = [thing for thing in outlines for _ in range(TIMES[thing.kind])]
    jobs += [thing for thing in read_boxes() for _ in range(TIMES_OF_BOXES)]
    # Ordered by photo, so that each is decoded once.
    jobs.sort(key=lambda thing: thing.photo)
    for thing in jobs:
        shape, crop = sample(thing, chance)
        if crop.mask is not None:
            if crop.mask.sum() == 0:
                continue
            draw, front = chance.random(), latest.get(shape)
            if front is not None and draw < FRONT_CHANCE:
                crop = put_in_front(crop, front, chance)
            elif draw > 1 - BEFORE_CHANCE:
                crop = put_before(crop, patch(chance.choice(photos), chance))
            elif chance.random() < 0.2:
                latest[shape] = crop
        yield thing, shape, crop


def fold_of(thing: Thing) -> int:
    photos = json.loads(SPLIT.read_text())["training"]
    return photos.index(thing.photo.name) % FOLDS if thing.photo.name in photos else NO_FOLD


def patch(photo: Path, chance: random.Random) -> np.ndarray:
    picture = read_rgb(photo)
    height, width = picture.shape[:2]
    side = int(min(height, width) * chance.uniform(0.3, 1))
    y, x = chance.randrange(height - side + 1), chance.randrange(width - side + 1)
    return picture[y : y + side, x : x + side]


def plain_crops(part: str, chance: random.Random):
    """Each object once, in a box with the errors of a detector."""
    for thing in read_outlines(part):
        if is_large(thing):
            size = np.tile(thing.box[2:] - thing.box[:2], 2)
            error = error_of(float(size.max()))
            seen = thing.box + size * np.clip([chance.gauss(0, error) for _ in range(4)], -0.2, 0.2)
            shape = shape_for(seen)
            yield thing, shape, cut(thing, seen.astype(np.float32), shape)


class Store:
    """Arrays that are written item by item, because they do not fit into memory."""

    def __init__(self, folder: Path):
        folder.mkdir(parents=True, exist_ok=True)
        self.folder = folder

    def add(self, **items: np.ndarray) -> None:
        for name, item in items.items():
            with (self.folder / f"{name}.bin").open("ab") as file:
                file.write(np.ascontiguousarray(item).tobytes())


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("out", type=Path, help="a folder that is not there yet; takes 4 GB")
    flags = parser.parse_args()
    flags.out.mkdir(parents=True)
    cv2.setNumThreads(1)
    trunk = open_trunk()
    for part, crops in (
        ("training", training_crops(random.Random(SEED))),
        ("tuning", plain_crops("training", random.Random(SEED))),
        ("heldOut", plain_crops("heldOut", random.Random(SEED))),
    ):
        for count, (thing, shape, crop) in enumerate(crops):
            image = np.ascontiguousarray(crop.picture.transpose(2, 0, 1)[None], np.float32)
            [features] = trunk.run(["features"], {"image": image})
            height, width = crop.picture.shape[:2]
            nothing = np.zeros((height // MAP_STRIDE, width // MAP_STRIDE), np.uint8)
            Store(flags.out / part / str(shape)).add(
                features=features[0].astype(np.float16),
                picture=crop.picture,
                mask=nothing if crop.mask is None else crop.mask,
                box=crop.box,
                facts=np.array([crop.kind, crop.mask is not None, fold_of(thing)], np.int64),
            )
            if count % 200 == 0:
                print(part, count, flush=True)


if __name__ == "__main__":
    main()
