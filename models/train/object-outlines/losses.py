"""What is wrong with an outline: where the true one is known, and where only the object's box is."""

import torch
from torch import Tensor
from torch.nn import functional as F

# Of a box, as a share of its sides: a detector's box may be so far off.
TOLERANCE = 0.06
# Neighbours whose colours are at least this alike are of one object.
# @see BoxInst, https://arxiv.org/abs/2012.02310
ALIKE = 0.3
NEIGHBOUR_CELLS = 2
# How much more a cell counts that is left out than one that is hidden by mistake; of whole outlines the former's share.
MISSED_CELL_WEIGHT, MISSED_SHARE = 3.0, 0.7


def outline_loss(logits: Tensor, truth: Tensor) -> Tensor:
    """
    `logits`, `truth`: [n, h, w]. Cross entropy of cells, and what whole outlines miss (Tversky).

    What is the object's and is left out counts for more than what is not and is hidden: it would stay visible.
    @see Tversky loss, https://arxiv.org/abs/1706.05721
    """
    cells = F.binary_cross_entropy_with_logits(logits, truth, pos_weight=logits.new_tensor(MISSED_CELL_WEIGHT))
    said = logits.sigmoid()
    both, missed, added = (
        (a * b).sum((1, 2)) for a, b in ((said, truth), (1 - said, truth), (said, 1 - truth))
    )
    wholes = 1 - both / (both + MISSED_SHARE * missed + (1 - MISSED_SHARE) * added + 1)
    return cells + wholes.mean()


def box_loss(logits: Tensor, boxes: Tensor, likeness: Tensor, warmth: float) -> Tensor:
    """
    Nothing outside the box, something in each of its rows and columns, and edges where the picture has edges.

    `boxes` [n, 4] in cells; `likeness` [n, 8, h, w] as `neighbours_alike` gives it; `warmth` 0..1 of the last rule.
    """
    return _projections(logits, boxes) + warmth * _edges(logits, likeness)


def _projections(logits: Tensor, boxes: Tensor) -> Tensor:
    total = logits.new_zeros(())
    for across, (low, high) in ((1, (0, 2)), (2, (1, 3))):
        # Columns: the largest of each over its rows; then rows.
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
    """[n, c, h, w] to [n, 8, c, h, w]; what lies outside is 0."""
    step = NEIGHBOUR_CELLS
    padded = F.pad(value, (step, step, step, step))
    height, width = value.shape[2:]
    views = [padded[:, :, step + y : step + y + height, step + x : step + x + width] for y, x in _shifts()]
    return torch.stack(views, 1)


def neighbours_alike(colours: Tensor) -> Tensor:
    """`colours` [n, 3, h, w] in CIELAB. Likeness 0..1 of each cell and its eight neighbours, some cells away."""
    distance = (_neighbours(colours) - colours[:, None]).norm(dim=2)
    inside = _neighbours(torch.ones_like(colours[:, :1]))[:, :, 0]
    return torch.exp(-distance / 2) * inside


def _edges(logits: Tensor, likeness: Tensor) -> Tensor:
    """Neighbours of one colour are both inside or both outside."""
    inside, outside = F.logsigmoid(logits)[:, None], F.logsigmoid(-logits)[:, None]
    both_inside = _neighbours(inside)[:, :, 0] + inside
    both_outside = _neighbours(outside)[:, :, 0] + outside
    alike = (likeness >= ALIKE).float()
    return (-torch.logaddexp(both_inside, both_outside) * alike).sum() / alike.sum().clamp(min=1)
