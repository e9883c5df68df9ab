"""Trains CenterNet further on the CPU: `python train.py labels --minutes 50`. Writes checkpoint.pt and curve.csv."""

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
from torch.utils.data import DataLoader

from graph import Graph
from label import all_photos
from losses import losses
from photos import HERE, ORIGINAL
from samples import DISTANCES, FEATURES, FROZEN, LOGITS, Training

sys.path.append(str(HERE.resolve().parent))
from loop import update_mean  # noqa: E402

SEED, BATCH = 7, 4
RATE, WARM_UP_STEPS, MEAN_OVER_STEPS = 2e-4, 40, 150
REPORT_STEPS, CHECKPOINT_STEPS = 20, 60


def limit_threads(_worker: int) -> None:
    cv2.setNumThreads(1)
    torch.set_num_threads(1)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("labels", type=Path)
    parser.add_argument("--minutes", type=float, default=50)
    parser.add_argument("--rate", type=float, default=1.0)
    parser.add_argument("--from", dest="checkpoint", type=Path)
    parser.add_argument("--seed", type=int, default=SEED)
    parser.add_argument("--out", type=Path, default=HERE)
    flags = parser.parse_args()
    flags.out.mkdir(parents=True, exist_ok=True)
    torch.set_num_threads(1)
    torch.manual_seed(flags.seed)
    photos = all_photos(flags.labels)
    crops = Training(photos, flags.labels, flags.seed)
    batches = iter(DataLoader(crops, BATCH, num_workers=1, prefetch_factor=3, worker_init_fn=limit_threads))
    network = Graph(ORIGINAL, FROZEN, [LOGITS, DISTANCES, FEATURES])
    if flags.checkpoint:
        network.load_state_dict(torch.load(flags.checkpoint, weights_only=True))
    mean = copy.deepcopy(network)
    optimiser = torch.optim.AdamW(network.parameters(), lr=0, weight_decay=0)
    began, step, done, sums = time.monotonic(), 0, 0.0, 0.0
    with (flags.out / "curve.csv").open("w", newline="") as file:
        curve = csv.writer(file)
        while done < 1:
            batch = next(batches)
            frozen = [one.float() for one in batch.pop("frozen")]
            with torch.autocast("cpu", torch.bfloat16):
                outputs = network(*frozen)
            parts = losses(outputs, batch)
            if step == 0:
                curve.writerow(["step", "seconds", *parts])
            optimiser.zero_grad()
            sum(parts.values()).backward()
            torch.nn.utils.clip_grad_norm_(network.parameters(), 5.0)
            rate = RATE * flags.rate * min((step + 1) / WARM_UP_STEPS, 0.5 + 0.5 * math.cos(math.pi * done))
            for part in optimiser.param_groups:
                part["lr"] = rate
            optimiser.step()
            update_mean(mean, network, step, MEAN_OVER_STEPS)
            sums = sums + np.array([loss.item() for loss in parts.values()])
            step, done = step + 1, (time.monotonic() - began) / (60 * flags.minutes)
            if step % REPORT_STEPS == 0:
                row = [step, round(time.monotonic() - began), *(sums / REPORT_STEPS).round(4)]
                curve.writerow(row)
                file.flush()
                print(*row, flush=True)
                sums = 0.0
            if step % CHECKPOINT_STEPS == 0 or done >= 1:
                torch.save(mean.state_dict(), flags.out / "checkpoint.pt")


if __name__ == "__main__":
    main()
