"""Image degradations by cameras, light and compression."""

import cv2
import numpy as np


def degrade(picture: np.ndarray, random: np.random.Generator) -> np.ndarray:
    """Applies occlusion, light, colour, distance, blur, noise and compression, each with some probability."""
    if random.random() < 0.12:
        picture = occlude(picture, random)
    tone = np.repeat(np.arange(256, dtype=np.float32)[:, None], 3, 1)
    if random.random() < 0.7:
        tone = 255 * np.power(tone / 255, np.exp(random.normal(0, 0.35)))
        tone = (tone - 128) * np.exp(random.normal(0, 0.2)) + 128 + random.normal(0, 15)
    if random.random() < 0.4:
        tone = tone * np.exp(random.normal(0, 0.15, 3))
    is_night = random.random() < 0.15
    if is_night:
        tone = tone * random.uniform(0.12, 0.5)
    x = cv2.LUT(picture, np.clip(tone, 0, 255).astype(np.uint8)[None])
    if random.random() < 0.12:
        x = cv2.cvtColor(cv2.cvtColor(x, cv2.COLOR_RGB2GRAY), cv2.COLOR_GRAY2RGB)
    blur = random.random()
    if blur < 0.15:
        x = cv2.GaussianBlur(x, (0, 0), random.uniform(0.4, 2.0))
    elif blur < 0.3:
        x = cv2.filter2D(x, -1, motion(random.integers(3, 13), random.uniform(0, np.pi)))
    if random.random() < 0.3:
        x = seen_from_far(x, random)
    if random.random() < (0.6 if is_night else 0.2):
        noise = random.standard_normal(x.shape, np.float32) * np.float32(random.uniform(2, 14))
        x = np.clip(x + noise, 0, 255).astype(np.uint8)
    return compress(x, 25, 90, random) if random.random() < 0.35 else x


def occlude(picture: np.ndarray, random: np.random.Generator) -> np.ndarray:
    """Covers a part near the centre, like a post or a tow bar, with a piece of the same image or with one colour."""
    height, width = picture.shape[:2]
    across, down = random.integers(6, 34), random.integers(6, 40)
    x = int(np.clip(random.normal(width / 2, width / 6), 0, width - across))
    y = int(np.clip(random.normal(height / 2, height / 6), 0, height - down))
    from_x, from_y = random.integers(0, width - across), random.integers(0, height - down)
    piece = picture[from_y : from_y + down, from_x : from_x + across].copy()
    occluded = picture.copy()
    occluded[y : y + down, x : x + across] = piece if random.random() < 0.7 else piece.mean((0, 1)).astype(np.uint8)
    return occluded


def seen_from_far(picture: np.ndarray, random: np.random.Generator) -> np.ndarray:
    """Shrinks the image, sometimes compresses it, and enlarges it: like a plate of 20 to 60 px in a video."""
    share = np.exp(random.uniform(np.log(0.28), np.log(0.9)))
    small = cv2.resize(picture, None, fx=share, fy=share, interpolation=cv2.INTER_AREA)
    if random.random() < 0.5:
        small = compress(small, 30, 95, random)
    return cv2.resize(small, picture.shape[1::-1], interpolation=cv2.INTER_LINEAR)


def compress(picture: np.ndarray, min_quality: int, max_quality: int, random: np.random.Generator) -> np.ndarray:
    coded = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, int(random.integers(min_quality, max_quality))])[1]
    return cv2.imdecode(coded, cv2.IMREAD_COLOR)


def motion(length: int, angle: float) -> np.ndarray:
    kernel = np.zeros((length, length), np.float32)
    middle = (length - 1) / 2
    for t in np.linspace(-middle, middle, 3 * length):
        kernel[round(middle + t * np.sin(angle)), round(middle + t * np.cos(angle))] = 1
    return kernel / kernel.sum()
