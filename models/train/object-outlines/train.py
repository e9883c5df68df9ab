"""Trains the network for masks of objects on the output folder of features.py: `python train.py FOLDER`."""

import argparse
import random
import sys
from pathlib import Path

import cv2
import numpy as np
import torch
from torch import Tensor
from torch.nn import functional as F

from crops import MAP_STRIDE, SHAPES
from features import FOLDS
from losses import box_loss, neighbours_alike, outline_loss
from network import FEATURES, STRIDE, OutlineNetwork
from photos import OTHER, PERSON, VEHICLE

HERE = Path(__file__).parent
sys.path.append(str(HERE.parent))
from loop import Course, train  # noqa: E402

SEED = 11
STEPS = 1600
RATE, WARM_UP_STEPS, MEAN_OVER_STEPS, WEIGHT_DECAY = 3e-3, 40, 100, 1e-2
# Number of objects per batch: with outlines (persons, vehicles, others) and with boxes only (vehicles).
SHARES = {(PERSON, True): 4, (VEHICLE, True): 2, (OTHER, True): 5, (VEHICLE, False): 4}
BOX_WEIGHT = 0.5
# The edge loss reaches its full weight at this share of the steps, because it needs a rough mask.
WARM_FROM = 0.3


class Part:
    """The crops of one shape."""

    def __init__(self, folder: Path, shape: int):
        width, height = SHAPES[shape]

        def read(name: str, kind: type, *item: int) -> np.ndarray:
            return np.memmap(folder / str(shape) / f"{name}.bin", kind, "r").reshape(-1, *item)

        self.features = read("features", np.float16, FEATURES, height // STRIDE, width // STRIDE)
        self.pictures = read("picture", np.uint8, height, width, 3)
        self.masks = read("mask", np.uint8, height // MAP_STRIDE, width // MAP_STRIDE)
        self.boxes = read("box", np.float32, 4)
        self.facts = read("facts", np.int64, 3)

    def of(self, kind: int, has_outline: bool, without: int | None) -> np.ndarray:
        """Indices of crops of one kind, except those of a fold."""
        kind_, outlined, fold = np.array(self.facts).T
        return np.flatnonzero((kind_ == kind) & (outlined == has_outline) & (fold != without))

    def read(self, chosen: np.ndarray) -> Tensor:
        return torch.from_numpy(self.features[chosen].astype(np.float32))

    def truths(self, chosen: np.ndarray) -> Tensor:
        masks = torch.from_numpy(self.masks[chosen].astype(np.float32) / 255)
        return F.avg_pool2d(masks[:, None], STRIDE // MAP_STRIDE)[:, 0]

    def colours(self, chosen: np.ndarray) -> Tensor:
        """CIELAB at a quarter of the crop's size, [n, 3, h / 4, w / 4]."""
        small = []
        for index in chosen:
            height, width = self.pictures[index].shape[:2]
            picture = cv2.resize(self.pictures[index], (width // 4, height // 4), interpolation=cv2.INTER_AREA)
            small.append(cv2.cvtColor(picture.astype(np.float32) / 255, cv2.COLOR_RGB2LAB).transpose(2, 0, 1))
        return torch.from_numpy(np.stack(small))


class Batches:
    """Random batches of crops of one shape each, without those of a fold."""

    def __init__(self, folder: Path, seed: int, without: int | None):
        self.chance = random.Random(seed)
        self.parts = [Part(folder, shape) for shape in range(len(SHAPES))]
        self.members = [{key: part.of(*key, without) for key in SHARES} for part in self.parts]
        self.weights = [sum(map(len, members.values())) for members in self.members]

    def draw(self) -> tuple[Part, np.ndarray]:
        [shape] = self.chance.choices(range(len(SHAPES)), self.weights)
        chosen = []
        for key, count in SHARES.items():
            members = self.members[shape][key]
            if len(members):
                chosen += [int(members[self.chance.randrange(len(members))]) for _ in range(count)]
        return self.parts[shape], np.array(chosen)


def losses(network: OutlineNetwork, part: Part, chosen: np.ndarray, warmth: float) -> dict[str, Tensor]:
    outlined = part.facts[chosen, 1] == 1
    logits = network(part.read(chosen))
    strong = outline_loss(logits[torch.from_numpy(outlined)], part.truths(chosen[outlined]))
    boxed = chosen[~outlined]
    if len(boxed) == 0:
        return {"outline loss": strong, "box loss": strong.new_zeros(())}
    boxes = torch.from_numpy(np.array(part.boxes[boxed])) / STRIDE
    weak = box_loss(logits[torch.from_numpy(~outlined)], boxes, neighbours_alike(part.colours(boxed)), warmth)
    return {"outline loss": strong, "box loss": BOX_WEIGHT * weak}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("features", type=Path)
    parser.add_argument("--steps", type=int, default=STEPS)
    parser.add_argument("--seed", type=int, default=SEED)
    parser.add_argument("--without-fold", type=int, choices=range(FOLDS), help="for measure.py --fold")
    parser.add_argument("--out", type=Path, default=HERE)
    flags = parser.parse_args()
    torch.set_num_threads(1)
    torch.manual_seed(flags.seed)
    flags.out.mkdir(parents=True, exist_ok=True)
    batches = Batches(flags.features / "training", flags.seed, flags.without_fold)
    network = OutlineNetwork()
    train(
        network,
        Course(flags.steps, RATE, WARM_UP_STEPS, MEAN_OVER_STEPS, WEIGHT_DECAY),
        lambda done: losses(network, *batches.draw(), min(1.0, done / WARM_FROM)),
        flags.out,
    )


if __name__ == "__main__":
    main()
