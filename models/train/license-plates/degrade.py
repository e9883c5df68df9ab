"""What cameras, light and compression do to a picture."""

import cv2
import numpy as np


def degrade(picture: np.ndarray, random: np.random.Generator) -> np.ndarray:
    """Light, colour, focus, motion, noise and compression, each now and then."""
    tone = np.repeat(np.arange(256, dtype=np.float32)[:, None], 3, 1)
    if random.random() < 0.7:
        tone = 255 * np.power(tone / 255, np.exp(random.normal(0, 0.35)))
        tone = (tone - 128) * np.exp(random.normal(0, 0.2)) + 128 + random.normal(0, 15)
    if random.random() < 0.4:
        tone = tone * np.exp(random.normal(0, 0.15, 3))
    if random.random() < 0.12:
        tone = tone * random.uniform(0.15, 0.5)
    x = cv2.LUT(picture, np.clip(tone, 0, 255).astype(np.uint8)[None])
    if random.random() < 0.12:
        x = cv2.cvtColor(cv2.cvtColor(x, cv2.COLOR_RGB2GRAY), cv2.COLOR_GRAY2RGB)
    blur = random.random()
    if blur < 0.15:
        x = cv2.GaussianBlur(x, (0, 0), random.uniform(0.4, 1.6))
    elif blur < 0.25:
        x = cv2.filter2D(x, -1, motion(random.integers(3, 8), random.uniform(0, np.pi)))
    elif blur < 0.4:
        small = random.uniform(0.4, 0.9)
        x = cv2.resize(cv2.resize(x, None, fx=small, fy=small), picture.shape[1::-1])
    if random.random() < 0.25:
        noise = random.standard_normal(x.shape, np.float32) * np.float32(random.uniform(2, 14))
        x = np.clip(x + noise, 0, 255).astype(np.uint8)
    if random.random() < 0.4:
        coded = cv2.imencode(".jpg", x, [cv2.IMWRITE_JPEG_QUALITY, int(random.integers(25, 90))])[1]
        x = cv2.imdecode(coded, cv2.IMREAD_COLOR)
    return x


def motion(length: int, angle: float) -> np.ndarray:
    kernel = np.zeros((length, length), np.float32)
    middle = (length - 1) / 2
    for t in np.linspace(-middle, middle, 3 * length):
        kernel[round(middle + t * np.sin(angle)), round(middle + t * np.cos(angle))] = 1
    return kernel / kernel.sum()
