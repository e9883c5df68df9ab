"""Training loop: learning rate schedule, running mean of the weights, loss curve, checkpoints."""

import copy
import csv
import math
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
from torch import Tensor, nn

REPORT_STEPS = 20
CHECKPOINT_STEPS = 100


@dataclass(frozen=True)
class Course:
    """`rate`: maximum learning rate; the saved weights are a running mean over about `mean_over_steps`."""

    steps: int
    rate: float
    warm_up_steps: int
    mean_over_steps: int
    weight_decay: float

    def rate_at(self, step: int) -> float:
        """Learning rate: a short warm-up, then half a cosine."""
        return self.rate * min((step + 1) / self.warm_up_steps, 0.5 + 0.5 * math.cos(math.pi * step / self.steps))


def update_mean(mean: nn.Module, network: nn.Module, step: int, over_steps: int) -> None:
    keep = min(1 - 1 / over_steps, (1 + step) / (10 + step))
    with torch.no_grad():
        for kept, current in zip(mean.state_dict().values(), network.state_dict().values()):
            if kept.dtype.is_floating_point:
                kept.lerp_(current, 1 - keep)
            else:
                kept.copy_(current)


def train(
    network: nn.Module,
    course: Course,
    losses: Callable[[float], dict[str, Tensor]],
    out: Path,
) -> None:
    """
    Trains the network, and writes curve.csv and checkpoint.pt to `out`.

    `losses` gets the share of finished steps, and returns the losses of one batch, whose sum is minimised.
    """
    mean = copy.deepcopy(network)
    optimiser = torch.optim.AdamW(network.parameters(), weight_decay=course.weight_decay)
    began, sums = time.monotonic(), 0.0
    with (out / "curve.csv").open("w", newline="") as file:
        curve = csv.writer(file)
        for step in range(course.steps):
            parts = losses(step / course.steps)
            if step == 0:
                curve.writerow(["step", "seconds", *parts])
            optimiser.zero_grad()
            sum(parts.values()).backward()
            torch.nn.utils.clip_grad_norm_(network.parameters(), 5.0)
            for group in optimiser.param_groups:
                group["lr"] = course.rate_at(step)
            optimiser.step()
            update_mean(mean, network, step, course.mean_over_steps)
            sums = sums + np.array([loss.item() for loss in parts.values()])
            if (step + 1) % REPORT_STEPS == 0:
                row = [step + 1, round(time.monotonic() - began), *(sums / REPORT_STEPS).round(4)]
                curve.writerow(row)
                file.flush()
                print(*row, flush=True)
                sums = 0.0
            if (step + 1) % CHECKPOINT_STEPS == 0 or step + 1 == course.steps:
                torch.save(mean.state_dict(), out / "checkpoint.pt")
