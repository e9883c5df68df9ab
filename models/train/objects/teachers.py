"""Detectors of other projects that label photos: NanoDet-Plus-m and PicoDet-S by ncnn, and CenterNet as it was."""

import cv2
import ncnn
import numpy as np
import onnxruntime

from photos import ORIGINAL, TEACHERS

# COCO's class numbers of persons, and of bicycles, cars, motorcycles, buses, trains and trucks.
PERSON_IDS, VEHICLE_IDS = (0,), (1, 2, 3, 5, 6, 7)
PERSON, VEHICLE = 0, 1
STRIDES = (8, 16, 32, 64)
BINS = 8
CENTERNET_STRIDE = 4
LOWEST_SCORE = 0.1
MEAN, NORM = (103.53, 116.28, 123.675), (0.017429, 0.017507, 0.017125)


def boxed(picture: np.ndarray, side: int, multiple: int, fill: float) -> tuple[np.ndarray, float]:
    """The photo with its long side scaled to `side`, padded right and below. Returns it with its scale."""
    height, width = picture.shape[:2]
    scale = side / max(height, width)
    inner = (max(1, round(width * scale)), max(1, round(height * scale)))
    resized = cv2.resize(picture, inner, interpolation=cv2.INTER_AREA if scale < 1 else cv2.INTER_LINEAR)
    padded = np.full([-(-size // multiple) * multiple for size in inner[::-1]] + [3], fill, np.uint8)
    padded[: inner[1], : inner[0]] = resized
    return padded, scale


def best_of_classes(scores: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """[n, 80] -> highest score of a person's and of a vehicle's classes [n, 2]."""
    return np.stack([scores[:, PERSON_IDS].max(1), scores[:, VEHICLE_IDS].max(1)], 1)


def suppress(boxes: np.ndarray, scores: np.ndarray) -> np.ndarray:
    """Rows of the result after NMS, for scores [n, 2] of both classes."""
    rows = []
    for kind in (PERSON, VEHICLE):
        kept = np.flatnonzero(scores[:, kind] >= LOWEST_SCORE)
        if len(kept) == 0:
            continue
        sizes = np.concatenate([boxes[kept, :2], boxes[kept, 2:] - boxes[kept, :2]], 1)
        chosen = cv2.dnn.NMSBoxes(sizes.tolist(), scores[kept, kind].tolist(), LOWEST_SCORE, 0.6)
        for index in kept[np.asarray(chosen, int).ravel()]:
            rows.append([kind, scores[index, kind], *boxes[index]])
    return np.array(rows, np.float32).reshape(-1, 6)


def decode_bins(scores: np.ndarray, bins: np.ndarray, stride: int) -> tuple[np.ndarray, np.ndarray]:
    """Cells with a score, and their distances to four sides [n, 4] in px: expectations of a softmax over bins."""
    kept = np.flatnonzero(scores.max(1) >= LOWEST_SCORE)
    powers = np.exp(bins[kept].reshape(-1, 4, BINS))
    sides = (powers * np.arange(BINS)).sum(2) / powers.sum(2) * stride
    return kept, sides


class NcnnTeacher:
    """`offset`: place of a cell's point in the cell, in cells."""

    def __init__(self, name: str, input_name: str, offset: float):
        self.net = ncnn.Net()
        self.net.opt.num_threads = 1
        self.net.load_param(str(TEACHERS / f"{name}.param"))
        self.net.load_model(str(TEACHERS / f"{name}.bin"))
        self.input_name, self.offset = input_name, offset

    def read(self, extractor, shape: tuple[int, int]):
        """For each stride: scores of COCO's classes [n, 80], and bins of distances [n, 32]."""
        raise NotImplementedError

    def detect(self, picture: np.ndarray, side: int) -> np.ndarray:
        image, scale = boxed(picture, side, 64, 114)
        height, width = image.shape[:2]
        bgr = np.ascontiguousarray(image[:, :, ::-1])
        source = ncnn.Mat.from_pixels(bgr, ncnn.Mat.PixelType.PIXEL_BGR, width, height)
        source.substract_mean_normalize(list(MEAN), list(NORM))
        extractor = self.net.create_extractor()
        extractor.input(self.input_name, source)
        all_boxes, all_scores = [], []
        for stride, scores, bins in self.read(extractor, (height, width)):
            columns = width // stride
            best = best_of_classes(scores)
            kept, sides = decode_bins(best, bins, stride)
            x = (kept % columns + self.offset) * stride
            y = (kept // columns + self.offset) * stride
            all_boxes.append(np.stack([x - sides[:, 0], y - sides[:, 1], x + sides[:, 2], y + sides[:, 3]], 1))
            all_scores.append(best[kept])
        return suppress(np.concatenate(all_boxes) / scale, np.concatenate(all_scores))


class NanoDet(NcnnTeacher):
    def __init__(self):
        super().__init__("nanodet-plus-m-416", "data", 0.0)

    def read(self, extractor, shape):
        _, output = extractor.extract("output")
        rows, start = np.array(output), 0
        for stride in STRIDES:
            cells = (shape[0] // stride) * (shape[1] // stride)
            part = rows[start : start + cells]
            start += cells
            yield stride, part[:, :80], part[:, 80:]


class PicoDet(NcnnTeacher):
    def __init__(self):
        super().__init__("picodet-s-416", "image", 0.5)

    def read(self, extractor, shape):
        for level, stride in enumerate(STRIDES):
            _, scores = extractor.extract(f"save_infer_model/scale_{level}.tmp_1")
            _, bins = extractor.extract(f"save_infer_model/scale_{level + 4}.tmp_1")
            yield stride, np.array(scores), np.array(bins)


class CenterNet:
    """The network before this training, as the product uses it."""

    def __init__(self):
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = 1
        self.session = onnxruntime.InferenceSession(ORIGINAL, options)

    def detect(self, picture: np.ndarray, side: int) -> np.ndarray:
        image, scale = boxed(picture, side, 32, 0)
        batch = np.ascontiguousarray(image.transpose(2, 0, 1)[None], np.float32)
        peaks, sides = self.session.run(["peaks", "distances"], {"image": batch})
        columns = image.shape[1] // CENTERNET_STRIDE
        scores = np.stack([peaks[0, 0].ravel(), peaks[0, 1:].max(0).ravel()], 1)
        kept = np.flatnonzero(scores.max(1) >= LOWEST_SCORE)
        x, y = kept % columns * CENTERNET_STRIDE, kept // columns * CENTERNET_STRIDE
        left, top, right, bottom = sides[0].reshape(4, -1)[:, kept]
        boxes = np.stack([x - left, y - top, x + right + 1, y + bottom], 1) / scale
        return suppress(boxes, scores[kept])


def fuse_scales(passes: list[np.ndarray]) -> np.ndarray:
    """Detections of one teacher at several scales, without doubles; scores are the best ones."""
    rows = np.concatenate(passes)
    rows = rows[np.argsort(-rows[:, 1])]
    scores = np.zeros((len(rows), 2), np.float32)
    scores[np.arange(len(rows)), rows[:, 0].astype(int)] = rows[:, 1]
    return suppress(rows[:, 2:], scores)
