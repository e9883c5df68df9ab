"""Draws license plates of many regions: embossed, dirty, with frames and bolts. `python draw.py sheet.png` shows some."""

import sys
from functools import cache
from itertools import groupby

import cv2
import numpy as np
from PIL import Image, ImageDraw, ImageFont

from regions import DIGITS, JAPANESE_PLACES, LATIN, LAYOUTS, Layout

# Fonts of the Debian packages fonts-noto-core, fonts-noto-cjk, fonts-dejavu, fonts-liberation and fonts-roboto.
NOTO = "/usr/share/fonts/truetype/noto/NotoSans{}-Bold.ttf"
CJK = "/usr/share/fonts/opentype/noto/NotoSansCJK-Bold.ttc"
LATIN_FONTS = (
    "/usr/share/fonts/truetype/dejavu/DejaVuSans-Bold.ttf",
    "/usr/share/fonts/truetype/dejavu/DejaVuSansMono-Bold.ttf",
    "/usr/share/fonts/truetype/liberation/LiberationSans-Bold.ttf",
    "/usr/share/fonts/truetype/liberation/LiberationSansNarrow-Bold.ttf",
    "/usr/share/fonts/truetype/roboto/unhinted/RobotoCondensed-Bold.ttf",
    "/usr/share/fonts/truetype/roboto/unhinted/RobotoCondensed-Regular.ttf",
)
FONTS = {
    "latin": LATIN_FONTS,
    "arabic": (NOTO.format("Arabic"), "/usr/share/fonts/truetype/noto/NotoKufiArabic-Bold.ttf",
               "/usr/share/fonts/truetype/noto/NotoNaskhArabic-Bold.ttf"),
    "devanagari": (NOTO.format("Devanagari"),),
    "bengali": (NOTO.format("Bengali"),),
    "thai": (NOTO.format("Thai"),),
    "khmer": (NOTO.format("Khmer"),),
    "lao": (NOTO.format("Lao"),),
    "cjk": (CJK,),
    "korean": (CJK,),
}
# Height of a drawn plate, px; windows show it at about half of that.
HEIGHT_PX = 120
FONT_PX = 96


@cache
def font(path: str) -> ImageFont.FreeTypeFont:
    return ImageFont.truetype(path, FONT_PX)


def draw_plate(random: np.random.Generator) -> np.ndarray:
    """A plate of a random region, uint8 [height, width, 3], RGB; its edges are the plate's edges."""
    layout = LAYOUTS[random.integers(len(LAYOUTS))]
    width = round(HEIGHT_PX * random.uniform(*layout.aspect))
    ink, ground = layout.colours[random.integers(len(layout.colours))]
    picture = np.empty((HEIGHT_PX, width, 3), np.uint8)
    picture[:] = ground
    left, top, right, bottom = draw_bands(picture, layout, random)
    draw_lines(picture[top:bottom, left:right], layout, ink, random)
    if random.random() < 0.7:
        draw_frame(picture, ink, random)
    draw_bolts(picture, random)
    return worn(emboss(picture, random), random)


def draw_bands(picture: np.ndarray, layout: Layout, random: np.random.Generator) -> tuple[int, int, int, int]:
    """Draws the coloured parts. Returns the rest: left, top, right, bottom, px."""
    height, width = picture.shape[:2]
    rest = [0, 0, width, height]
    for side, share, colour, text in layout.bands:
        size = round(share * (width if side in ("left", "right") else height))
        part = {
            "left": np.s_[:, :size],
            "right": np.s_[:, width - size :],
            "top": np.s_[:size, :],
            "bottom": np.s_[height - size :, :],
        }[side]
        picture[part] = colour
        if text:
            write(picture[part], text, layout, (250, 250, 250) if sum(colour) < 400 else (20, 40, 120), random)
        at = ("left", "top", "right", "bottom").index(side)
        rest[at] += size if at < 2 else -size
    return tuple(rest)


def draw_lines(area: np.ndarray, layout: Layout, ink: tuple, random: np.random.Generator) -> None:
    total, y = sum(height for _, height in layout.lines), 0.0
    for template, height in layout.lines:
        rows = area.shape[0] * height / total
        write(area[round(y) : round(y + rows)], template, layout, ink, random)
        y += rows


def filled(template: str, layout: Layout, random: np.random.Generator) -> str:
    """The template with random characters."""

    def pick(characters: str) -> str:
        return str(random.choice(list(characters)))

    by_sign = {
        "0": lambda: pick(layout.digits),
        "9": lambda: pick(DIGITS),
        "A": lambda: pick(layout.letters),
        "L": lambda: pick(LATIN),
        "J": lambda: str(random.choice(JAPANESE_PLACES)),
        "|": lambda: "  ",
    }
    return "".join(by_sign.get(sign, lambda sign=sign: sign)() for sign in template)


def text_mask(text: str, latin: ImageFont.FreeTypeFont, native: ImageFont.FreeTypeFont) -> np.ndarray:
    """Text on one line, uint8 [height, width]; a font of another script has no Latin letters."""
    runs = [("".join(signs), latin if is_latin else native) for is_latin, signs in groupby(text, lambda one: ord(one) < 256)]
    width = sum(drawn.getlength(run) for run, drawn in runs)
    mask = Image.new("L", (round(width) + FONT_PX, 2 * FONT_PX))
    x = FONT_PX / 2
    for run, drawn in runs:
        ImageDraw.Draw(mask).text((x, 1.3 * FONT_PX), run, 255, drawn, anchor="ls")
        x += drawn.getlength(run)
    left, top, right, bottom = mask.getbbox() or (0, 0, 1, 1)
    return np.asarray(mask)[top:bottom, left:right]


def write(area: np.ndarray, template: str, layout: Layout, ink: tuple, random: np.random.Generator) -> None:
    """Draws text so that it fills the area but for a margin."""
    fonts = FONTS[layout.fonts]
    mask = text_mask(
        filled(template, layout, random),
        font(str(LATIN_FONTS[random.integers(len(LATIN_FONTS))])),
        font(str(fonts[random.integers(len(fonts))])),
    )
    rows, columns = area.shape[:2]
    high = rows * random.uniform(0.62, 0.86)
    wide = min(columns * random.uniform(0.82, 0.95), high * mask.shape[1] / mask.shape[0] * random.uniform(0.75, 1.25))
    size = max(2, round(wide)), max(2, round(high))
    ink_share = cv2.resize(mask, size, interpolation=cv2.INTER_AREA)[..., None] / 255.0
    left, top = (columns - size[0]) // 2, (rows - size[1]) // 2
    place = area[top : top + size[1], left : left + size[0]]
    place[:] = (place * (1 - ink_share) + np.array(ink) * ink_share).astype(np.uint8)


def draw_frame(picture: np.ndarray, ink: tuple, random: np.random.Generator) -> None:
    colour = ink if random.random() < 0.6 else tuple(int(value) for value in random.integers(10, 220, 3))
    inset, line = int(random.integers(0, 4)), int(random.integers(2, 6))
    height, width = picture.shape[:2]
    cv2.rectangle(picture, (inset, inset), (width - 1 - inset, height - 1 - inset), tuple(map(int, colour)), line)


def draw_bolts(picture: np.ndarray, random: np.random.Generator) -> None:
    height, width = picture.shape[:2]
    y = int(height * random.choice([0.1, 0.5, 0.88]))
    for share in ((0.2, 0.8), (0.08, 0.92), ())[random.integers(3)]:
        grey = int(random.integers(60, 200))
        cv2.circle(picture, (int(width * share), y), int(random.integers(3, 7)), (grey, grey, grey), -1)


def emboss(picture: np.ndarray, random: np.random.Generator) -> np.ndarray:
    """Light from one side on raised letters."""
    if random.random() < 0.5:
        return picture
    grey = cv2.cvtColor(picture, cv2.COLOR_RGB2GRAY).astype(np.float32)
    angle = random.uniform(0, 2 * np.pi)
    shift = np.float32([[1, 0, 2 * np.cos(angle)], [0, 1, 2 * np.sin(angle)]])
    moved = cv2.warpAffine(grey, shift, grey.shape[::-1], borderMode=cv2.BORDER_REPLICATE)
    light = (grey - moved) * random.uniform(0.1, 0.4)
    return np.clip(picture + light[..., None], 0, 255).astype(np.uint8)


def worn(picture: np.ndarray, random: np.random.Generator) -> np.ndarray:
    """Dirt, shade and reflections as smooth noise, and a gradient of light."""
    height, width = picture.shape[:2]
    x = picture.astype(np.float32)
    if random.random() < 0.6:
        coarse = random.standard_normal((4, 6)).astype(np.float32)
        shade = cv2.resize(coarse, (width, height), interpolation=cv2.INTER_CUBIC)[..., None]
        x *= 1 + random.uniform(0.03, 0.18) * shade
    if random.random() < 0.35:
        coarse = random.uniform(0, 1, (14, 20)).astype(np.float32)
        dirt = np.clip(cv2.resize(coarse, (width, height), interpolation=cv2.INTER_CUBIC) - 0.55, 0, 0.4)[..., None]
        x += dirt * random.uniform(0.5, 2) * (np.array([110, 95, 75]) - x)
    return np.clip(x, 0, 255).astype(np.uint8)


def main() -> None:
    random = np.random.default_rng(1)
    sheet = np.full((8 * 130, 1200, 3), 90, np.uint8)
    for row in range(8):
        x = 4
        while True:
            plate = draw_plate(random)
            if x + plate.shape[1] > 1196:
                break
            sheet[row * 130 + 5 : row * 130 + 5 + HEIGHT_PX, x : x + plate.shape[1]] = plate
            x += plate.shape[1] + 10
    cv2.imwrite(sys.argv[1], sheet[..., ::-1])


if __name__ == "__main__":
    main()
