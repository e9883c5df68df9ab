"""Losses of peaks and boxes, and of the difference from the network before training."""

import torch
from torch import Tensor
from torch.nn import functional as F

STRIDE = 4
# The product moves right edges outwards by this (`shared/engine/heads/head-centernet.ts`).
RIGHT_EDGE = 1
# Crops with fewer objects count as if they had so many.
LEAST_OBJECTS = 3
WEIGHTS = {"peaks": 1.0, "boxes": 2.0, "unasked": 2.0, "features": 0.5}


def of_both(logits: Tensor) -> Tensor:
    """Logits [n, 7, h, w] -> [n, 2, h, w] of person and vehicle: the best of its classes, as the product takes it."""
    return torch.cat([logits[:, :1], logits[:, 1:].amax(1, keepdim=True)], 1)


def peak_loss(logits: Tensor, heat: Tensor, asked: Tensor) -> Tensor:
    """
    Focal loss of CenterNet (https://arxiv.org/abs/1904.07850), per object of a crop, and the mean over crops: frames
    with many vehicles would outweigh all other photos.
    """
    score = logits.sigmoid()
    is_centre = heat >= 0.999
    right = -F.logsigmoid(logits) * (1 - score) ** 2 * is_centre
    wrong = -F.logsigmoid(-logits) * score**2 * (1 - heat) ** 4 * asked * ~is_centre
    return ((right + wrong).sum((1, 2, 3)) / is_centre.sum((1, 2, 3)).clamp(min=LEAST_OBJECTS)).mean()


def box_loss(distances: Tensor, box: Tensor, weight: Tensor) -> Tensor:
    """1 - generalised IoU, each object with the same weight."""
    rows, columns = distances.shape[2:]
    y = torch.arange(rows).view(1, -1, 1) * STRIDE
    x = torch.arange(columns).view(1, 1, -1) * STRIDE
    left, top, right, bottom = distances.unbind(1)
    x1, y1, x2, y2 = x - left, y - top, x + right + RIGHT_EDGE, y + bottom
    u1, v1, u2, v2 = box.unbind(1)
    shared = (torch.minimum(x2, u2) - torch.maximum(x1, u1)).clamp(min=0) * (
        torch.minimum(y2, v2) - torch.maximum(y1, v1)
    ).clamp(min=0)
    joined = ((x2 - x1).clamp(min=0) * (y2 - y1).clamp(min=0) + (u2 - u1) * (v2 - v1) - shared).clamp(min=1)
    hull_width = torch.maximum(x2, u2) - torch.minimum(x1, u1)
    hull = (hull_width * (torch.maximum(y2, v2) - torch.minimum(y1, v1))).clamp(min=1)
    fit = shared / joined - (hull - joined) / hull
    return ((1 - fit) * weight).sum() / weight.sum().clamp(min=1)


def losses(outputs: list[Tensor], batch: dict[str, Tensor]) -> dict[str, Tensor]:
    logits, distances, features = (output.float() for output in outputs)
    both, before = of_both(logits), of_both(batch["logits"])
    asked, before_score = batch["asked"], before.sigmoid()
    drift = F.binary_cross_entropy_with_logits(both, before_score, reduction="none")
    drift = drift - F.binary_cross_entropy_with_logits(before, before_score, reduction="none")
    unasked = (drift * (1 - asked)).sum() / (1 - asked).sum().clamp(min=100) * 5
    known = batch["features"].float()
    features = features[:, -known.shape[1] :]
    change = (features - known).abs().mean() / known.abs().mean()
    parts = {
        "peaks": peak_loss(both, batch["heat"], asked),
        "boxes": box_loss(distances, batch["box"], batch["box_weight"]),
        "unasked": unasked,
        "features": change,
    }
    return {name: loss * WEIGHTS[name] for name, loss in parts.items()}
