"""
Says of a window whether it shows a license plate, and where its corners are.

Plain 3 × 3 convolutions: on a CPU they run as fast as depthwise ones of a third of the arithmetic, and are trained six
times as fast.
"""

import torch
from torch import Tensor, nn

from windows import HEIGHT_PX, WIDTH_PX

CORNERS = 8
# Rows and columns of features, each of 16 px.
WINDOW_CELLS = (4, 8)


def layer(inputs: int, outputs: int, stride: int = 1, kernel: int = 3) -> nn.Sequential:
    return nn.Sequential(
        nn.Conv2d(inputs, outputs, kernel, stride, kernel // 2, bias=False), nn.BatchNorm2d(outputs), nn.ReLU()
    )


class Residual(nn.Module):
    def __init__(self, channels: int):
        super().__init__()
        self.layer = layer(channels, channels)

    def forward(self, x: Tensor) -> Tensor:
        return x + self.layer(x)


class PlateNetwork(nn.Module):
    def __init__(self):
        super().__init__()
        self.features = nn.Sequential(
            layer(3, 16, 2),
            layer(16, 32, 2),
            Residual(32),
            layer(32, 48, 2),
            Residual(48),
            Residual(48),
            layer(48, 72, 2),
            Residual(72),
            Residual(72),
            Residual(72),
        )
        # Where a feature is tells where the corners are: a window's features are read each with a weight of its own.
        self.head = nn.Sequential(
            layer(72, 48, kernel=1), nn.Conv2d(48, 112, WINDOW_CELLS), nn.ReLU(), nn.Conv2d(112, 1 + CORNERS, 1)
        )
        with torch.no_grad():
            self.head[-1].weight.mul_(0.2)
            self.head[-1].bias.copy_(torch.tensor([-1.0, -0.27, -0.2, 0.27, -0.2, 0.27, 0.2, -0.27, 0.2]))

    def forward(self, picture: Tensor) -> tuple[Tensor, Tensor]:
        """
        `picture`: [n, 3, h, w], (RGB 0..255 − 127.5) ÷ 127.5; a window is 64 high and 128 wide, and there is one for
        every 16 px that the picture is larger.

        Yields for each window the logit of there being a plate [n, h / 16 − 3, w / 16 − 7], and its corners
        [n, 8, …]: x, y of upper left, upper right, lower right, lower left, from the window's centre in window widths
        and heights.
        """
        says = self.head(self.features(picture)).float()
        return says[:, 0], says[:, 1:]


class ExportedPlateNetwork(nn.Module):
    """The graph that ships: probabilities, and corners in px of its input."""

    def __init__(self, network: PlateNetwork):
        super().__init__()
        self.network = network
        self.register_buffer("window", torch.tensor([WIDTH_PX, HEIGHT_PX] * 4).float().view(1, CORNERS, 1, 1))

    def forward(self, picture: Tensor) -> tuple[Tensor, Tensor]:
        logits, corners = self.network(picture)
        return torch.sigmoid(logits)[:, None], corners * self.window
