"""Training crops: a window of a photo at a random scale, what the network had found there, and the labels as maps."""

import random
from pathlib import Path

import cv2
import numpy as np
import onnx
import onnxruntime
from torch.utils.data import IterableDataset

from agreement import Labels, label, read_detections
from photos import ORIGINAL, Photo, read_rgb

WIDTH, HEIGHT, STRIDE = 512, 384, 4
# Share of crops from each kind of photo.
SOURCES = {"atl": 0.2, "open-images": 0.42, "crowds": 0.13, "clips": 0.1, "plates": 0.15}
# Range of a photo's long side in network px; the product uses 512 and 1024.
LONG_SIDES, MAX_ENLARGEMENT = (360, 1280), 2.0
# Photos of `open-images` were stretched to squares, and most were wider than high.
UNSTRETCH = (1.0, 1.5)
SMALLEST_PX, MIN_VISIBLE = 5, 0.4
# Share of a box that one sigma of its peak takes, after TTFNet (https://arxiv.org/abs/1909.00700).
SIGMA = 0.54 / 6
# Names of values in centernet.onnx: the last ones that are not trained, at strides of 4, 8, 16 and 32 px; logits;
# distances; features.
FROZEN = ["Conv_25", "Conv_56", "Conv_158", "Add_227"]
LOGITS, DISTANCES, FEATURES = "Conv_254", "Mul_261", "Relu_246"
# So many channels of the features come from frozen layers.
UNCHANGED = 64
# Larger doubtful boxes are ignored only in their middle, where the object's centre would be.
WHOLLY_IGNORED_PX = 48


def open_original() -> onnxruntime.InferenceSession:
    model = onnx.load(ORIGINAL)
    del model.graph.output[:]
    for name in (*FROZEN, LOGITS, DISTANCES, FEATURES):
        model.graph.output.append(onnx.helper.make_tensor_value_info(name, onnx.TensorProto.FLOAT, None))
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    return onnxruntime.InferenceSession(model.SerializeToString(), options)


def change_light(picture: np.ndarray, chance: random.Random) -> np.ndarray:
    if chance.random() < 0.5:
        gain, offset = chance.uniform(0.7, 1.3), chance.uniform(-20, 20)
        tint = np.array([chance.uniform(0.93, 1.07) for _ in range(3)])
        picture = np.clip(picture * (gain * tint) + offset, 0, 255).astype(np.uint8)
    if chance.random() < 0.15:
        picture = cv2.GaussianBlur(picture, (0, 0), chance.uniform(0.4, 0.9))
    if chance.random() < 0.2:
        noise = np.random.default_rng(chance.randrange(2**31)).normal(0, chance.uniform(2, 8), picture.shape)
        picture = np.clip(picture + noise, 0, 255).astype(np.uint8)
    if chance.random() < 0.2:
        _, coded = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, chance.randrange(40, 90)])
        picture = cv2.imdecode(coded, cv2.IMREAD_COLOR)
    return picture


def scale_for(photo: Photo, size: tuple[int, int], chance: random.Random) -> tuple[float, float]:
    """Factors on width and height."""
    height, width = size
    stretch = chance.uniform(*UNSTRETCH) if photo.source == "open-images" else chance.uniform(0.92, 1.08)
    low, high = LONG_SIDES
    high = min(high, MAX_ENLARGEMENT * max(width, height))
    side = low * (high / low) ** chance.random()
    scale = side / max(width * stretch, height)
    return scale * stretch, scale


def window(picture: np.ndarray, labels: Labels, factors: tuple[float, float], chance: random.Random):
    """The picture scaled and cut to the input's size, and the function that moves boxes into it."""
    x_factor, y_factor = factors
    size = max(1, round(picture.shape[1] * x_factor)), max(1, round(picture.shape[0] * y_factor))
    scaled = cv2.resize(picture, size, interpolation=cv2.INTER_AREA if y_factor < 1 else cv2.INTER_LINEAR)
    if len(labels.boxes) > 0 and chance.random() < 0.75:
        x1, y1, x2, y2 = labels.boxes[chance.randrange(len(labels.boxes))]
        middle = (x1 + x2) / 2 * x_factor, (y1 + y2) / 2 * y_factor
        left = int(middle[0] - chance.uniform(0.1, 0.9) * WIDTH)
        top = int(middle[1] - chance.uniform(0.1, 0.9) * HEIGHT)
    else:
        left, top = chance.randint(0, max(0, size[0] - WIDTH)), chance.randint(0, max(0, size[1] - HEIGHT))
    left = min(max(left, 0), max(0, size[0] - WIDTH))
    top = min(max(top, 0), max(0, size[1] - HEIGHT))
    cut = scaled[top : top + HEIGHT, left : left + WIDTH]
    image = np.zeros((HEIGHT, WIDTH, 3), np.uint8)
    image[: cut.shape[0], : cut.shape[1]] = cut
    is_mirrored, shown = chance.random() < 0.5, cut.shape[1]
    if is_mirrored:
        image[:, :shown] = image[:, :shown][:, ::-1].copy()

    def move(boxes: np.ndarray) -> np.ndarray:
        moved = boxes * [x_factor, y_factor, x_factor, y_factor] - [left, top, left, top]
        if not is_mirrored:
            return moved
        return np.stack([shown - moved[:, 2], moved[:, 1], shown - moved[:, 0], moved[:, 3]], 1)

    return image, move, (shown, cut.shape[0])


def draw(labels: Labels, move, shown: tuple[int, int]) -> dict[str, np.ndarray]:
    """
    Maps of cells: `heat` [2, h, w], 1 at centres; `asked` [2, h, w], whether a cell's heat is known; `box` [4, h, w]
    edges of the object in px, with `box_weight` [h, w].
    """
    rows, columns = HEIGHT // STRIDE, WIDTH // STRIDE
    heat, asked = np.zeros((2, rows, columns), np.float32), np.ones((2, rows, columns), np.float32)
    box_map, weight = np.zeros((4, rows, columns), np.float32), np.zeros((rows, columns), np.float32)
    y, x = np.mgrid[:rows, :columns]

    def ignore(box: np.ndarray, kind: int) -> None:
        middle, half = (box[:2] + box[2:]) / 2, (box[2:] - box[:2]) / 2
        half = np.where(half > WHOLLY_IGNORED_PX / 2, np.maximum(half / 3, WHOLLY_IGNORED_PX / 2), half)
        edges = np.concatenate([middle - half, middle + half]) / STRIDE + [-1, -1, 1, 1]
        x1, y1, x2, y2 = edges.round().astype(int).clip(0)
        asked[kind, y1 : y2 + 1, x1 : x2 + 1] = 0

    for box, kind in zip(move(labels.ignored), labels.ignored_kinds):
        ignore(box, kind)
    moved = move(labels.boxes)
    order = np.argsort(-(moved[:, 2:] - moved[:, :2]).prod(1))
    for index in order:
        box, kind = moved[index], labels.kinds[index]
        clipped = np.clip(box, 0, [*shown, *shown])
        size = clipped[2:] - clipped[:2]
        if (size <= 1).any():
            continue
        if np.sqrt(size.prod()) < SMALLEST_PX or size.prod() < MIN_VISIBLE * (box[2:] - box[:2]).prod():
            ignore(clipped, kind)
            continue
        column, row = ((clipped[:2] + clipped[2:]) / 2 // STRIDE).astype(int)
        column, row = min(column, columns - 1), min(row, rows - 1)
        sigma = np.maximum(size / STRIDE * SIGMA, 0.35)
        peak = np.exp(-((x - column) ** 2) / (2 * sigma[0] ** 2) - ((y - row) ** 2) / (2 * sigma[1] ** 2))
        peak[peak < 0.01] = 0
        heat[kind] = np.maximum(heat[kind], peak)
        asked[kind, row, column] = 1
        near = peak > 0.1
        box_map[:, near] = clipped[:, None]
        weight[near] = (peak / peak.sum())[near]
    return {"heat": heat, "asked": asked, "box": box_map, "box_weight": weight}


class Training(IterableDataset):
    """Endless crops. `photos` with detections of the teachers in `folder`."""

    def __init__(self, photos: list[Photo], folder: Path, seed: int):
        self.photos, self.folder, self.seed = photos, folder, seed

    def __iter__(self):
        cv2.setNumThreads(1)
        chance, original = random.Random(self.seed), open_original()
        detections = read_detections(self.folder)
        by_source: dict[str, list[tuple[Photo, Labels]]] = {source: [] for source in SOURCES}
        for photo in self.photos:
            if photo.key in detections:
                source = photo.source if photo.source in SOURCES else "plates"
                by_source[source].append((photo, label(photo, detections[photo.key])))
        sources = [source for source in SOURCES if by_source[source]]
        while True:
            [source] = chance.choices(sources, [SOURCES[source] for source in sources])
            photo, labels = chance.choice(by_source[source])
            picture = change_light(read_rgb(photo.path), chance)
            image, move, shown = window(picture, labels, scale_for(photo, picture.shape[:2], chance), chance)
            batch = np.ascontiguousarray(image.transpose(2, 0, 1)[None], np.float32)
            *frozen, logits, distances, features = original.run(None, {"image": batch})
            yield {
                "frozen": [one[0].astype(np.float16) for one in frozen],
                "logits": logits[0],
                "distances": distances[0],
                "features": features[0, UNCHANGED:].astype(np.float16),
                **draw(labels, move, shown),
            }
