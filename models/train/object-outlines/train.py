"""Trains the network that outlines objects, on features that features.py computed: `python train.py FOLDER`."""

import argparse
import copy
import csv
import math
import random
import time
from pathlib import Path

import cv2
import numpy as np
import torch
from torch import Tensor
from torch.nn import functional as F

from crops import MAP_STRIDE, SHAPES
from losses import box_loss, neighbours_alike, outline_loss
from network import FEATURES, STRIDE, OutlineNetwork
from photos import OTHER, PERSON, VEHICLE

HERE = Path(__file__).parent
SEED = 11
RATE = 3e-3
WARM_UP_STEPS = 40
MEAN_OVER_STEPS = 100
REPORT_STEPS = 20
# Of a batch: outlines of persons, vehicles and others, and boxes of vehicles.
SHARES = {(PERSON, True): 4, (VEHICLE, True): 2, (OTHER, True): 5, (VEHICLE, False): 4}
BOX_WEIGHT = 0.5


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
        self.facts = read("facts", np.int64, 2)

    def of(self, kind: int, has_outline: bool) -> np.ndarray:
        return np.flatnonzero((self.facts[:, 0] == kind) & (self.facts[:, 1] == has_outline))

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


def draw(part: Part, chance: random.Random) -> np.ndarray:
    chosen = []
    for (kind, has_outline), count in SHARES.items():
        members = part.of(kind, has_outline)
        if len(members):
            chosen += [int(members[chance.randrange(len(members))]) for _ in range(count)]
    return np.array(chosen)


def losses(network: OutlineNetwork, part: Part, chosen: np.ndarray, warmth: float) -> tuple[Tensor, Tensor]:
    facts = torch.from_numpy(np.array(part.facts[chosen]))
    with torch.autocast("cpu", torch.bfloat16):
        logits = network(part.read(chosen)).float()
    outlined = facts[:, 1] == 1
    strong = outline_loss(logits[outlined], part.truths(chosen[outlined.numpy()]))
    if bool(outlined.all()):
        return strong, strong.new_zeros(())
    boxed = chosen[~outlined.numpy()]
    boxes = torch.from_numpy(np.array(part.boxes[boxed])) / STRIDE
    return strong, box_loss(logits[~outlined], boxes, neighbours_alike(part.colours(boxed)), warmth)


def update_mean(mean: OutlineNetwork, network: OutlineNetwork, step: int) -> None:
    keep = min(1 - 1 / MEAN_OVER_STEPS, (1 + step) / (10 + step))
    with torch.no_grad():
        for kept, current in zip(mean.state_dict().values(), network.state_dict().values()):
            if kept.dtype.is_floating_point:
                kept.lerp_(current, 1 - keep)
            else:
                kept.copy_(current)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("features", type=Path)
    parser.add_argument("--steps", type=int, default=3000)
    parser.add_argument("--minutes", type=float, default=math.inf, help="end earlier than after all steps")
    parser.add_argument("--seed", type=int, default=SEED)
    parser.add_argument("--out", type=Path, default=HERE)
    parser.add_argument("--from", dest="checkpoint", type=Path, help="go on from this checkpoint")
    parser.add_argument("--rate", type=float, default=1.0, help="of the full learning rate")
    flags = parser.parse_args()
    torch.set_num_threads(1)
    torch.manual_seed(flags.seed)
    chance = random.Random(flags.seed)
    parts = {shape: Part(flags.features / "training", shape) for shape in range(len(SHAPES))}
    weights = [len(part.facts) for part in parts.values()]
    network = OutlineNetwork()
    if flags.checkpoint:
        network.load_state_dict(torch.load(flags.checkpoint, weights_only=True))
    mean = copy.deepcopy(network)
    optimiser = torch.optim.AdamW(network.parameters(), lr=RATE, weight_decay=1e-2)
    began, sums = time.monotonic(), np.zeros(2)
    with (flags.out / "curve.csv").open("w", newline="") as file:
        curve = csv.writer(file)
        curve.writerow(["step", "seconds", "outline loss", "box loss"])
        step, done = 0, 0.0
        while done < 1:
            part = parts[chance.choices(range(len(SHAPES)), weights)[0]]
            both = losses(network, part, draw(part, chance), min(1.0, done / 0.3 + bool(flags.checkpoint)))
            optimiser.zero_grad()
            (both[0] + BOX_WEIGHT * both[1]).backward()
            torch.nn.utils.clip_grad_norm_(network.parameters(), 5.0)
            for group in optimiser.param_groups:
                group["lr"] = RATE * flags.rate * min((step + 1) / WARM_UP_STEPS, 0.5 + 0.5 * math.cos(math.pi * done))
            optimiser.step()
            update_mean(mean, network, step)
            sums += [loss.item() for loss in both]
            step += 1
            done = max(step / flags.steps, (time.monotonic() - began) / (60 * flags.minutes))
            if step % REPORT_STEPS == 0:
                row = [step, round(time.monotonic() - began), *(sums / REPORT_STEPS).round(4)]
                curve.writerow(row)
                file.flush()
                print(*row, flush=True)
                sums[:] = 0
            if step % 100 == 0 or done >= 1:
                torch.save(mean.state_dict(), flags.out / "checkpoint.pt")


if __name__ == "__main__":
    main()
