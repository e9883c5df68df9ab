"""Makes the image files next to this script: ramps of colour, 48 x 32 pixels, in formats that tests cannot write themselves.

Run it in this folder, with these versions for the same bytes:
    pip install pillow==13.0.0 pillow-heif==1.8.1 tifffile==2026.3.3 imagecodecs==2026.3.6
"""

import os
import struct

import numpy as np
import pillow_heif
import tifffile
from PIL import Image

WIDTH, HEIGHT = 48, 32
Y, X = np.mgrid[0:HEIGHT, 0:WIDTH]
RGB = np.stack([X * 255 // WIDTH, Y * 255 // HEIGHT, np.full_like(X, 128)], -1).astype(np.uint8)
ALPHA = np.where(X < WIDTH // 2, 255, 0).astype(np.uint8)
RGBA = np.dstack([RGB, ALPHA])
IMAGE = Image.fromarray(RGB)


def fixed(value):
    return struct.pack(">i", round(value * 65536))


def profile(space, pcs, tags):
    """An ICC profile of version 4."""
    table, body = b"", b""
    start = 128 + 4 + 12 * len(tags)
    for name, data in tags:
        data += b"\0" * (-len(data) % 4)
        table += name + struct.pack(">II", start + len(body), len(data))
        body += data
    header = bytearray(128)
    struct.pack_into(">I", header, 0, start + len(body))
    header[8] = 4
    header[12:24] = b"prtr" + space + pcs if space == b"CMYK" else b"mntr" + space + pcs
    header[36:40] = b"acsp"
    header[68:80] = fixed(0.9642) + fixed(1) + fixed(0.8249)
    return bytes(header) + struct.pack(">I", len(tags)) + table + body


def text(words):
    data = words.encode("utf-16-be")
    return b"mluc\0\0\0\0" + struct.pack(">IIHHII", 1, 12, 0x656E, 0x5553, len(data), 28) + data


def xyz(*values):
    return b"XYZ \0\0\0\0" + b"".join(fixed(value) for value in values)


def matrix_profile(name, red, green, blue, curve):
    trc = b"para\0\0\0\0" + struct.pack(">HH", 3, 0) + b"".join(fixed(value) for value in curve)
    return profile(
        b"RGB ",
        b"XYZ ",
        [
            (b"desc", text(name)),
            (b"cprt", text("none")),
            (b"wtpt", xyz(0.9642, 1, 0.8249)),
            (b"rXYZ", xyz(*red)),
            (b"gXYZ", xyz(*green)),
            (b"bXYZ", xyz(*blue)),
            (b"rTRC", trc),
            (b"gTRC", trc),
            (b"bTRC", trc),
        ],
    )


SRGB_CURVE = (2.4, 1 / 1.055, 0.055 / 1.055, 1 / 12.92, 0.04045)
DISPLAY_P3 = matrix_profile(
    "P3", (0.51512, 0.2412, -0.00105), (0.29198, 0.69225, 0.04189), (0.1571, 0.06657, 0.78407), SRGB_CURVE
)
ADOBE_RGB = matrix_profile(
    "Adobe", (0.60974, 0.31111, 0.01947), (0.20528, 0.62567, 0.06087), (0.14919, 0.06322, 0.74457), (2.2, 1, 0, 1, 0)
)


def ink_profile():
    """Inks that are no ideal ones: a table of 3 points for each, to L*a*b*."""
    curve = bytes(range(256))
    grid = bytearray()
    for index in range(3**4):
        cyan, magenta, yellow, black = [(index // 3**power) % 3 / 2 for power in (3, 2, 1, 0)]
        light = (1 - 0.9 * black) * (1 - 0.35 * cyan) * (1 - 0.5 * magenta) * (1 - 0.1 * yellow)
        a = (1 - black) * (-35 * cyan + 70 * magenta - 5 * yellow)
        b = (1 - black) * (-45 * cyan - 5 * magenta + 85 * yellow)
        grid += bytes([round(light * 255), round(min(max(a, -128), 127) + 128), round(min(max(b, -128), 127) + 128)])
    identity = b"".join(fixed(value) for value in (1, 0, 0, 0, 1, 0, 0, 0, 1))
    table = b"mft1\0\0\0\0" + bytes([4, 3, 3, 0]) + identity + curve * 4 + bytes(grid) + curve * 3
    return profile(b"CMYK", b"Lab ", [(b"desc", text("inks")), (b"cprt", text("none")), (b"A2B0", table)])


INKS = ink_profile()


def exif(orientation):
    data = Image.Exif()
    data[0x010F] = "Maker"
    data[0x0112] = orientation
    data[0x8825] = {1: "N", 2: (47.0, 22.0, 30.0), 3: "E", 4: (8.0, 32.0, 15.0)}
    return data.tobytes()


def heic():
    best = {"quality": 100, "chroma": 444}
    IMAGE.save("p3.heic", exif=exif(6), icc_profile=DISPLAY_P3, **best)
    described = {"color_primaries": 12, "transfer_characteristics": 13, "matrix_coefficients": 6, "full_range_flag": 1}
    pillow_heif.options.SAVE_NCLX_PROFILE = True
    IMAGE.save("p3-by-numbers.heic", **described, **best)
    pillow_heif.options.SAVE_NCLX_PROFILE = False
    Image.fromarray(RGBA).save("transparent.heic", **best)
    levels = np.stack([X * 65535 // WIDTH, Y * 65535 // HEIGHT, np.full_like(X, 32896)], -1).astype("<u2")
    deep = pillow_heif.from_bytes(mode="RGB;16", size=(WIDTH, HEIGHT), data=levels.tobytes())
    deep.save("10-bits.heic", **best)
    several = pillow_heif.from_pillow(Image.new("RGB", (64, 64), (255, 0, 0)))
    several.add_from_pillow(IMAGE)
    several.save("second-of-two.heic", primary_index=1, thumbnails=[16], **best)


def avif():
    best = {"quality": 100, "subsampling": "4:4:4"}
    IMAGE.save("turned.avif", exif=exif(6), **best)
    IMAGE.save("plain.avif", **best)
    data = bytearray(open("plain.avif", "rb").read())
    struct.pack_into(">H", data, data.index(b"nclx") + 4, 12)
    open("p3-by-numbers.avif", "wb").write(data)
    frames = [Image.new("RGB", (16, 16), (shade, 0, 0)) for shade in (0, 120, 240)]
    frames[0].save("3-frames.avif", save_all=True, append_images=frames[1:], duration=100, quality=50)
    os.remove("plain.avif")


def tiff():
    write = tifffile.imwrite
    IMAGE.save("adobe.tif", icc_profile=ADOBE_RGB, compression="tiff_lzw", tiffinfo={0x010F: "Maker"})
    IMAGE.save("turned.tif", compression="packbits", tiffinfo={0x0112: 8})
    IMAGE.save("jpeg.tif", compression="jpeg", quality=95)
    inks = np.dstack([255 - RGB, np.zeros_like(ALPHA)])
    Image.fromarray(inks, "CMYK").save("inks.tif", icc_profile=INKS, compression="tiff_adobe_deflate")
    Image.fromarray(inks, "CMYK").save("plain-inks.tif")
    IMAGE.quantize(16).save("palette.tif")
    IMAGE.convert("L").convert("1").save("two-levels.tif", compression="packbits")
    write("planes-16.tif", np.moveaxis(RGB.astype(np.uint16) * 257, -1, 0), planarconfig="separate", photometric="rgb",
          byteorder=">", compression="lzw", predictor=True, metadata=None, software=None)
    write("tiles.tif", RGB, tile=(16, 32), photometric="rgb", compression="deflate", predictor=True, metadata=None,
          software=None)
    write("transparent.tif", RGBA, extrasamples=["unassalpha"], photometric="rgb", metadata=None, software=None)
    multiplied = np.dstack([RGB * (ALPHA[..., None] // 255), ALPHA])
    write("multiplied.tif", multiplied, extrasamples=["assocalpha"], photometric="rgb", metadata=None, software=None)
    write("white-is-zero.tif", 255 - RGB[..., 0], photometric="miniswhite", metadata=None, software=None)
    IMAGE.resize((8, 8)).save("3-pages.tif", save_all=True, append_images=[Image.new("RGB", (8, 8))] * 2)
    write("fractions.tif", RGB[..., 0].astype(np.float32), metadata=None, software=None)


def jpeg():
    inks = np.dstack([255 - RGB, np.zeros_like(ALPHA)])
    Image.fromarray(inks, "CMYK").save("inks.jpg", quality=95, icc_profile=INKS)
    Image.fromarray(inks, "CMYK").save("plain-inks.jpg", quality=95)


pillow_heif.register_heif_opener()
heic()
avif()
tiff()
jpeg()
open("display-p3.icc", "wb").write(DISPLAY_P3)
open("adobe-rgb.icc", "wb").write(ADOBE_RGB)
