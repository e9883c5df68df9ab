"""Trains the plate classifier on the CPU: `python train.py --steps 20000`. Writes checkpoint.pt and curve.csv."""

import argparse
import copy
import csv
import math
import sys
import time
from pathlib import Path

import cv2
import numpy as np
import torch
from torch import Tensor
from torch.nn import functional as F
from torch.utils.data import DataLoader

from inherit import inherit
from network import PlateNetwork
from samples import Training
from windows import IGNORED, PLATE, STEP_PX

HERE = Path(__file__).parent
sys.path.append(str(HERE.resolve().parent))
from loop import update_mean  # noqa: E402

SEED = 11
BATCH = 48
RATE = 2e-3
WARM_UP_STEPS = 60
# The saved weights are a running mean over about this many steps.
MEAN_OVER_STEPS = 400
REPORT_STEPS = 20
# Processors without these instructions compute with bfloat16 ten times as slowly as with float32.
HAS_BFLOAT16 = torch.cpu._is_avx512_bf16_supported() or torch.cpu._is_amx_tile_supported()
CORNER_WEIGHT = 1.0
# Focusing parameter of the focal loss: correctly classified windows count less.
# @see https://arxiv.org/abs/1708.02002
FOCUS = 1.0


def collate(samples):
    pictures, labels, corners = zip(*samples)
    images = torch.from_numpy(np.stack(pictures)).permute(0, 3, 1, 2)
    return images, torch.from_numpy(np.stack(labels)), torch.from_numpy(np.stack(corners))


def limit_threads(_worker: int) -> None:
    cv2.setNumThreads(1)
    torch.set_num_threads(1)


def normalise(images: Tensor) -> Tensor:
    return ((images.float() - 127.5) / 127.5).contiguous(memory_format=torch.channels_last)


def middle_alone(images: Tensor, labels: Tensor, corners: Tensor) -> tuple[Tensor, Tensor, Tensor]:
    """The central window without its surroundings, like the crop of a proposal."""
    inner = images[:, :, STEP_PX:-STEP_PX, STEP_PX:-STEP_PX]
    return inner, labels[:, 1:2, 1:2], corners[:, 1:2, 1:2]


def plate_loss(logits: Tensor, labels: Tensor) -> Tensor:
    """Focal loss, so that many easy windows do not outweigh the few hard ones."""
    asked = labels != IGNORED
    loss = F.binary_cross_entropy_with_logits(logits[asked], (labels[asked] == PLATE).float(), reduction="none")
    return (loss * (1 - torch.exp(-loss)) ** FOCUS).mean() * (1 + FOCUS)


def of_plates(regressed: Tensor, corners: Tensor, labels: Tensor) -> tuple[Tensor, Tensor]:
    """Regressed and labelled corners [plates, 4, 2]."""
    shown = labels == PLATE
    return regressed.permute(0, 2, 3, 1)[shown].view(-1, 4, 2), corners[shown]


def corner_loss(corners: Tensor, truth: Tensor) -> Tensor:
    """Distance of corners in plate widths and heights, and generalised IoU of their bounding boxes."""
    low, high = truth.amin(1), truth.amax(1)
    size = (high - low).clamp(min=0.02)
    distance = F.smooth_l1_loss(corners / size[:, None], truth / size[:, None], beta=0.05, reduction="none").mean()
    return 2 * distance + (1 - generalised_iou(corners.amin(1), corners.amax(1), low, high)).mean()


def generalised_iou(low: Tensor, high: Tensor, true_low: Tensor, true_high: Tensor) -> Tensor:
    area, true_area = (high - low).prod(1), (true_high - true_low).prod(1)
    shared = (torch.minimum(high, true_high) - torch.maximum(low, true_low)).clamp(min=0).prod(1)
    joined = area + true_area - shared
    hull = (torch.maximum(high, true_high) - torch.minimum(low, true_low)).prod(1)
    return shared / joined.clamp(min=1e-5) - (hull - joined) / hull.clamp(min=1e-5)


def rate(step: int, done: float) -> float:
    """Share of the full learning rate: a short warm-up, then half a cosine. `done`: share of the training."""
    return min((step + 1) / WARM_UP_STEPS, 0.5 + 0.5 * math.cos(math.pi * done))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--steps", type=int, default=20000)
    parser.add_argument("--minutes", type=float, default=math.inf, help="end earlier than after all steps")
    parser.add_argument("--from", dest="checkpoint", type=Path, help="go on from this checkpoint, or ONNX file")
    parser.add_argument("--rate", type=float, default=1.0, help="of the full learning rate")
    parser.add_argument("--seed", type=int, default=SEED)
    parser.add_argument("--out", type=Path, default=HERE)
    flags = parser.parse_args()
    torch.set_num_threads(1)
    torch.manual_seed(flags.seed)

    batches = iter(
        DataLoader(
            Training(flags.seed),
            BATCH,
            num_workers=1,
            collate_fn=collate,
            prefetch_factor=4,
            worker_init_fn=limit_threads,
        )
    )
    network = PlateNetwork()
    if flags.checkpoint and flags.checkpoint.suffix == ".onnx":
        inherit(network, flags.checkpoint, normalise(next(batches)[0]))
    elif flags.checkpoint:
        network.load_state_dict(torch.load(flags.checkpoint, weights_only=True))
    network = network.to(memory_format=torch.channels_last)
    mean = copy.deepcopy(network)
    optimiser = torch.optim.AdamW(network.parameters(), lr=RATE * flags.rate, weight_decay=1e-3)
    began, sums = time.monotonic(), np.zeros(2)
    with (flags.out / "curve.csv").open("w", newline="") as file:
        curve = csv.writer(file)
        curve.writerow(["step", "seconds", "plate loss", "corner loss"])
        step, done = 0, 0.0
        while done < 1:
            images, labels, corners = next(batches)
            if step % 2 == 1:
                images, labels, corners = middle_alone(images, labels, corners)
            with torch.autocast("cpu", torch.bfloat16, enabled=HAS_BFLOAT16):
                logits, regressed = network(normalise(images))
            losses = plate_loss(logits, labels), corner_loss(*of_plates(regressed, corners, labels))
            optimiser.zero_grad()
            (losses[0] + CORNER_WEIGHT * losses[1]).backward()
            torch.nn.utils.clip_grad_norm_(network.parameters(), 5.0)
            for group in optimiser.param_groups:
                group["lr"] = RATE * flags.rate * rate(step, done)
            optimiser.step()
            update_mean(mean, network, step, MEAN_OVER_STEPS)
            sums += [loss.item() for loss in losses]
            step += 1
            done = max(step / flags.steps, (time.monotonic() - began) / (60 * flags.minutes))
            if step % REPORT_STEPS == 0:
                row = [step, round(time.monotonic() - began), *(sums / REPORT_STEPS).round(4)]
                curve.writerow(row)
                file.flush()
                print(*row, flush=True)
                sums[:] = 0
            if step % 200 == 0 or done >= 1:
                torch.save(mean.state_dict(), flags.out / "checkpoint.pt")


if __name__ == "__main__":
    main()
