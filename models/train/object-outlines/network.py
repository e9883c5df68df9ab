"""Predicts for each cell of 4 px in a crop whether it belongs to the object, from CenterNet's features."""

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from crops import CONTEXT

# Channels of `features` in models/centernet.onnx, the last value from which all outputs of CenterNet are computed.
FEATURES = 128
STRIDE = 4
WIDTH = 32
# Width of a coarse cell in fine cells. The receptive field of coarse cells covers the whole object.
COARSE = 4
PLACES = 4


def layer(inputs: int, outputs: int, kernel: int = 3) -> nn.Sequential:
    return nn.Sequential(
        nn.Conv2d(inputs, outputs, kernel, 1, kernel // 2, bias=False), nn.BatchNorm2d(outputs), nn.ReLU()
    )


class Residual(nn.Module):
    def __init__(self, channels: int):
        super().__init__()
        self.layer = layer(channels, channels)

    def forward(self, x: Tensor) -> Tensor:
        return x + self.layer(x)


def places() -> Tensor:
    """[1, 4, 32, 32]: distance of each cell from the box's left, upper, right and lower side, in half box sides."""
    at = ((torch.arange(32) + 0.5) / 32 * (1 + 2 * CONTEXT) - CONTEXT) * 2 - 1
    y, x = torch.meshgrid(at, at, indexing="ij")
    return torch.stack([1 + x, 1 + y, 1 - x, 1 - y])[None].clamp(-0.5, 1)


def enlarge(x: Tensor, like: Tensor) -> Tensor:
    return F.interpolate(x, size=like.shape[2:], mode="bilinear", align_corners=False)


class OutlineNetwork(nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("places", places())
        self.reduce = layer(FEATURES, WIDTH, 1)
        self.coarse = nn.Sequential(layer(WIDTH + PLACES, 48), Residual(48), Residual(48), layer(48, WIDTH, 1))
        self.fine = nn.Sequential(
            layer(2 * WIDTH + PLACES, WIDTH, 1), layer(WIDTH, WIDTH), nn.Dropout2d(0.1), nn.Conv2d(WIDTH, 1, 1)
        )

    def forward(self, features: Tensor) -> Tensor:
        """Logits [n, h, w] for features [n, 128, h, w]."""
        reduced = self.reduce(features)
        pooled = F.avg_pool2d(reduced, COARSE)
        coarse = self.coarse(torch.cat([pooled, self.placed(pooled)], 1))
        return self.fine(torch.cat([reduced, enlarge(coarse, reduced), self.placed(reduced)], 1))[:, 0]

    def placed(self, like: Tensor) -> Tensor:
        return enlarge(self.places, like).expand(like.shape[0], -1, -1, -1)
