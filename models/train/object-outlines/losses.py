"""Losses of a mask: with a labelled outline, and with a labelled box only."""

import torch
from torch import Tensor
from torch.nn import functional as F

# Tolerance of a detector's box, as a share of its sides.
TOLERANCE = 0.06
# Neighbours with at least this colour similarity are assumed to belong to one object.
# @see BoxInst, https://arxiv.org/abs/2012.02310
ALIKE = 0.3
NEIGHBOUR_CELLS = 2
# Weight of a missed cell relative to an added one; weight of missed cells in the Tversky loss.
MISSED_CELL_WEIGHT, MISSED_SHARE = 3.0, 0.7


def outline_loss(logits: Tensor, truth: Tensor) -> Tensor:
    """
    Cross entropy per cell plus Tversky loss per mask. `logits`, `truth`: [n, h, w].

    Missed cells count more than added cells, because they would stay visible.
    @see Tversky loss, https://arxiv.org/abs/1706.05721
    """
    cells = F.binary_cross_entropy_with_logits(logits, truth, pos_weight=logits.new_tensor(MISSED_CELL_WEIGHT))
    predicted = logits.sigmoid()
    both, missed, added = (
        (a * b).sum((1, 2)) for a, b in ((predicted, truth), (1 - predicted, truth), (predicted, 1 - truth))
    )
    wholes = 1 - both / (both + MISSED_SHARE * missed + (1 - MISSED_SHARE) * added + 1)
    return cells + wholes.mean()


def box_loss(logits: Tensor, boxes: Tensor, likeness: Tensor, warmth: float) -> Tensor:
    """
    BoxInst losses: the mask lies in the box, reaches each of its rows and columns, and has edges where the image has.

    `boxes` [n, 4] in cells; `likeness` [n, 8, h, w] from `neighbours_alike`; `warmth`: weight 0..1 of the edge loss.
    """
    return _projections(logits, boxes) + warmth * _edges(logits, likeness)


def _projections(logits: Tensor, boxes: Tensor) -> Tensor:
    total = logits.new_zeros(())
    for across, (low, high) in ((1, (0, 2)), (2, (1, 3))):
        # Maximum of each column over its rows; then of each row.
        largest = logits.amax(across)
        at = torch.arange(largest.shape[1], device=logits.device)[None] + 0.5
        first, last = boxes[:, low, None], boxes[:, high, None]
        slack = TOLERANCE * (last - first)
        inside = (at > first + slack) & (at < last - slack)
        outside = (at < first - slack) | (at > last + slack)
        loss = F.binary_cross_entropy_with_logits(largest, inside.float(), reduction="none")
        total = total + (loss * (inside | outside)).sum() / (inside | outside).sum().clamp(min=1)
    return total


def _shifts() -> list[tuple[int, int]]:
    step = NEIGHBOUR_CELLS
    return [(y, x) for y in (-step, 0, step) for x in (-step, 0, step) if (y, x) != (0, 0)]


def _neighbours(value: Tensor) -> Tensor:
    """[n, c, h, w] to [n, 8, c, h, w]; cells outside are 0."""
    step = NEIGHBOUR_CELLS
    padded = F.pad(value, (step, step, step, step))
    height, width = value.shape[2:]
    views = [padded[:, :, step + y : step + y + height, step + x : step + x + width] for y, x in _shifts()]
    return torch.stack(views, 1)


def neighbours_alike(colours: Tensor) -> Tensor:
    """Similarity 0..1 of each cell and its eight neighbours, `NEIGHBOUR_CELLS` away. `colours` [n, 3, h, w]: CIELAB."""
    distance = (_neighbours(colours) - colours[:, None]).norm(dim=2)
    inside = _neighbours(torch.ones_like(colours[:, :1]))[:, :, 0]
    return torch.exp(-distance / 2) * inside


def _edges(logits: Tensor, likeness: Tensor) -> Tensor:
    """Loss for neighbours of similar colour that are not both inside or both outside the mask."""
    inside, outside = F.logsigmoid(logits)[:, None], F.logsigmoid(-logits)[:, None]
    both_inside = _neighbours(inside)[:, :, 0] + inside
    both_outside = _neighbours(outside)[:, :, 0] + outside
    alike = (likeness >= ALIKE).float()
    return (-torch.logaddexp(both_inside, both_outside) * alike).sum() / alike.sum().clamp(min=1)
