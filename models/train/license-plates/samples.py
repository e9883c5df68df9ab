"""Training windows around plates, around other text and at random places, with geometric and photometric changes."""

import json

import cv2
import numpy as np
from torch.utils.data import IterableDataset

from degrade import degrade
from labels import DATA, MOTORCYCLES, PROPOSALS, Photo, bounds, box_corners, read_motorcycles, read_photos, read_split
from paste import Pasted, Plates, paste
from windows import (
    CANVAS_HEIGHT_PX,
    CANVAS_WIDTH_PX,
    HEIGHT_PX,
    IGNORED,
    PLATE,
    STEP_PX,
    STEPS,
    WIDTH_PX,
    label_windows,
    window_of,
)

# Sampling probability of each set, independent of its size.
SET_WEIGHTS = {"mixed-300px": 0.26, "openimages": 0.21, "cars-cc0": 0.17, "dashcam-ro": 0.15, MOTORCYCLES: 0.21}
# Shares of windows around plates and around proposals of proposals.json; the others are at random places.
AROUND_PLATE, AROUND_TEXT = 0.55, 0.3
# Share of drawn plates among the windows around plates, and of those that replace a plate of the photo.
DRAWN, REPLACING = 0.25, 0.5
# Narrower plates, in px of the photo, are ignored: they are neither legible nor labelled consistently.
MIN_WIDTH_PX = 7.0
MIRRORED = 0.2
# Negative windows come less often from dash camera photos, because only some plates of the cars are labelled there.
NO_PLATE_WEIGHTS = {"mixed-300px": 0.28, "openimages": 0.22, "cars-cc0": 0.18, "dashcam-ro": 0.06, MOTORCYCLES: 0.26}
# Number of samples after which proposals.json is read again: mine.py adds to it during a training.
SAMPLES_PER_READ = 12_000
# The set of photos without plates.
BACKGROUND = "background"
BACKGROUND_SHARE = 0.35


# Standard deviations of a window's shift and scale: second passes of the product are well centred, first passes are not.
# Windows around plates alone have these.
PLATE_SCATTERS = CENTRED_SCATTER, USUAL_SCATTER = (0.05, 0.12), (0.16, 0.4)


class Training(IterableDataset):
    """
    Endless samples: image uint8 [96, 160, 3], labels of its nine windows [3, 3], and corners [3, 3, 4, 2] in units of
    the window.
    """

    def __init__(self, seed: int):
        self.seed = seed

    def __iter__(self):
        # Created here, because only the worker process needs it.
        maker = Samples(np.random.default_rng(self.seed))
        while True:
            yield maker.draw()


class Samples:
    def __init__(self, random: np.random.Generator):
        self.random = random
        split = read_split()
        training = set(split["training"])
        photos = [photo for photo in [*read_photos(), *read_motorcycles()] if photo.file in training]
        self.by_set = {name: [photo for photo in photos if photo.set == name] for name in SET_WEIGHTS}
        self.with_plate = {name: [photo for photo in some if len(photo.quads) > 0] for name, some in self.by_set.items()}
        self.by_set[BACKGROUND] = read_backgrounds(split)
        self.plates = Plates(random)
        self.read_proposals()
        self.drawn = 0
        self.pictures: dict[str, np.ndarray] = {}

    def read_proposals(self) -> None:
        self.text = json.loads(PROPOSALS.read_text())
        self.with_text = {
            name: [photo for photo in photos if len(self.text.get(photo.file, [])) > 0]
            for name, photos in self.by_set.items()
        }

    def draw(self):
        self.drawn += 1
        if self.drawn % SAMPLES_PER_READ == 0:
            self.read_proposals()
        while True:
            photo, box, scatter = self.subject()
            pasted = None
            if scatter in PLATE_SCATTERS and self.random.random() < DRAWN:
                photo, pasted = self.drawn_plate(photo, box)
                box = bounds(pasted.quad)
            window = self.scattered(window_of(box), *scatter)
            sample = self.render(photo, window, pasted)
            if sample[1][1, 1] != IGNORED:
                return sample

    def subject(self) -> tuple[Photo, np.ndarray, tuple[float, float]]:
        """A photo, a box in it, and the standard deviations of the window's shift and scale."""
        random = self.random
        kind = random.random()
        if kind < AROUND_PLATE:
            photo = self.photo(self.with_plate, SET_WEIGHTS, 0)
            box = bounds(photo.quads[random.integers(len(photo.quads))])
            return photo, box, CENTRED_SCATTER if random.random() < 0.4 else USUAL_SCATTER
        if kind < AROUND_PLATE + AROUND_TEXT:
            photo = self.photo(self.with_text, NO_PLATE_WEIGHTS, BACKGROUND_SHARE)
            boxes = self.text[photo.file]
            return photo, np.array(boxes[random.integers(len(boxes))][:4]), (0.08, 0.2)
        photo = self.photo(self.by_set, NO_PLATE_WEIGHTS, BACKGROUND_SHARE)
        height, width = self.picture(photo).shape[:2]
        side = np.exp(random.uniform(np.log(0.03), np.log(0.6))) * width / 2
        x, y = random.uniform(0, width), random.uniform(0, height)
        return photo, np.array([x - side, y - side / 2, x + side, y + side / 2]), (0.0, 0.0)

    def drawn_plate(self, photo: Photo, box: np.ndarray) -> tuple[Photo, Pasted]:
        """A drawn plate over the plate of the photo, or anywhere in a photo without plates."""
        if self.random.random() < REPLACING:
            return photo, self.plates.over(box)
        backgrounds = self.by_set[BACKGROUND]
        other = backgrounds[self.random.integers(len(backgrounds))]
        height, width = self.picture(other).shape[:2]
        return other, self.plates.anywhere(width, height)

    def photo(self, by_set: dict[str, list[Photo]], weights: dict[str, float], background: float) -> Photo:
        name = self.random.choice(list(weights), p=list(weights.values()))
        # Text may be known of few photos, while propose.ts is running.
        if self.random.random() < background or len(by_set[name]) == 0:
            name = BACKGROUND
        photos = by_set[name]
        return photos[self.random.integers(len(photos))]

    def picture(self, photo: Photo) -> np.ndarray:
        if photo.file not in self.pictures:
            self.pictures[photo.file] = photo.read()
        return self.pictures[photo.file]

    def scattered(self, window: np.ndarray, shift: float, scale: float) -> np.ndarray:
        x, y, width = window
        width *= np.exp(np.clip(self.random.normal(0, scale), -0.9, 0.9))
        dx, dy = np.clip(self.random.normal(0, shift, 2), -0.45, 0.45)
        return np.array([x + dx * width, y + dy * width / 2, width])

    def render(self, photo: Photo, window: np.ndarray, pasted: Pasted | None):
        """The window with a random perspective and degradations, its labels and corners."""
        picture = self.picture(photo)
        matrix = self.view(window)
        canvas = warp(picture, matrix)
        quads = np.zeros((0, 4, 2), np.float32)
        if len(photo.quads) > 0:
            quads = cv2.perspectiveTransform(photo.quads.reshape(1, -1, 2), matrix).reshape(-1, 4, 2)
        if pasted is not None:
            quad = cv2.perspectiveTransform(pasted.quad.reshape(1, -1, 2).astype(np.float32), matrix)[0]
            paste(canvas, quad, pasted.picture, self.random)
            quads = np.stack([one for one in [*quads, quad] if one is quad or not is_covered(one, quad)])
        if self.random.random() < MIRRORED:
            canvas = np.ascontiguousarray(canvas[:, ::-1])
            quads = np.stack([CANVAS_WIDTH_PX - quads[..., 0], quads[..., 1]], -1)[:, [1, 0, 3, 2]]
        centres = np.array([CANVAS_WIDTH_PX, CANVAS_HEIGHT_PX]) / 2 + STEP_PX * STEPS
        labels, corners = label_windows((quads[None] - centres[:, None, None]) / [WIDTH_PX, HEIGHT_PX])
        is_tiny = np.ptp(corners[..., 0], 1) * WIDTH_PX < MIN_WIDTH_PX * scale_of(matrix)
        labels[(labels == PLATE) & is_tiny] = IGNORED
        return degrade(canvas, self.random), labels.reshape(3, 3), corners.reshape(3, 3, 4, 2)

    def view(self, window: np.ndarray) -> np.ndarray:
        """Matrix from photo px to window px with a small random rotation, shear and tilt."""
        random = self.random
        x, y, width = window
        scale = WIDTH_PX / width
        angle = np.deg2rad(np.clip(random.normal(0, 6), -30, 30)) if random.random() < 0.7 else 0
        aspect = np.exp(random.normal(0, 0.15))
        shear = random.normal(0, 0.08)
        turn = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
        linear = turn @ np.array([[1, shear], [0, 1]]) @ np.diag([scale * np.sqrt(aspect), scale / np.sqrt(aspect)])
        to = np.array([CANVAS_WIDTH_PX, CANVAS_HEIGHT_PX]) / 2
        matrix = np.eye(3)
        matrix[:2, :2] = linear
        matrix[:2, 2] = to - linear @ [x, y]
        tilt = np.eye(3)
        tilt[2, :2] = random.normal(0, 0.1, 2) / WIDTH_PX
        return about(to) @ tilt @ about(-to) @ matrix


def is_covered(plate: np.ndarray, quad: np.ndarray) -> bool:
    """Whether the middle of a plate lies in the box around `quad`."""
    middle = plate.mean(0)
    return bool((quad.min(0) <= middle).all() and (middle <= quad.max(0)).all())


def read_backgrounds(split: dict) -> list[Photo]:
    """Photos without large vehicles, which may have unlabelled plates: of coco128 and of everyday life."""
    coco = json.loads((DATA / "coco128" / "instances.json").read_text())
    names = {image["id"]: image["file_name"] for image in coco["images"]}
    vehicles = {names[one["image_id"]] for one in coco["annotations"] if one["category_id"] in (3, 4, 6, 8)}
    none = np.zeros((0, 4, 2), np.float32)
    without = [Photo(file, "coco128", none) for file in split["background"] if file not in vehicles]
    return without + [Photo(file, "everyday", none) for file in split["everyday"]]


def scale_of(matrix: np.ndarray) -> float:
    return float(np.sqrt(abs(np.linalg.det(matrix[:2, :2]))))


def about(shift) -> np.ndarray:
    matrix = np.eye(3)
    matrix[:2, 2] = shift
    return matrix


def warp(picture: np.ndarray, matrix: np.ndarray) -> np.ndarray:
    """Warps the image after shrinking it by averaging, like the product's pyramid."""
    low, high = visible_part(picture, matrix)
    picture = picture[low[1] : high[1], low[0] : high[0]]
    matrix = matrix @ about(low)
    scale = scale_of(matrix)
    while scale < 0.6 and min(picture.shape[:2]) > 8:
        rows, columns = picture.shape[0] // 2, picture.shape[1] // 2
        matrix = matrix @ np.diag([picture.shape[1] / columns, picture.shape[0] / rows, 1])
        picture = cv2.resize(picture, (columns, rows), interpolation=cv2.INTER_AREA)
        scale *= 2
    size = (CANVAS_WIDTH_PX, CANVAS_HEIGHT_PX)
    return cv2.warpPerspective(picture, matrix, size, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)


def visible_part(picture: np.ndarray, matrix: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Bounds of the part of the photo that the window shows, with a margin: only that part is processed."""
    canvas = box_corners(0, 0, CANVAS_WIDTH_PX, CANVAS_HEIGHT_PX)[None].astype(np.float64)
    corners = cv2.perspectiveTransform(canvas, np.linalg.inv(matrix))[0]
    size = np.array(picture.shape[1::-1])
    margin = 0.1 * np.ptp(corners, 0) + 4
    low = np.clip(np.floor(corners.min(0) - margin), 0, size - 16).astype(int)
    high = np.clip(np.ceil(corners.max(0) + margin), low + 16, size).astype(int)
    return low, high
