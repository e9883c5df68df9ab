"""Makes the files next to this script: a chart in high dynamic range.

Run it in this folder; it needs numpy, and ffmpeg with libvpx, libaom and libx265.
"""

import json
import os
import struct
import subprocess
import zlib

import numpy as np

GREYS = [[i / 15] * 3 for i in range(16)]
SKIN = [
    [0.62, 0.48, 0.42], [0.55, 0.40, 0.33], [0.42, 0.30, 0.25], [0.70, 0.58, 0.52],
    [0.35, 0.25, 0.21], [0.50, 0.42, 0.38], [0.48, 0.36, 0.32], [0.66, 0.52, 0.45],
]
VIVID = [
    [level * (1 if on else low) for on in corner]
    for level, low in [(0.5, 0.4), (0.75, 0.5), (0.9, 0.7)]
    for corner in [(1, 0, 0), (0, 1, 0), (0, 0, 1), (1, 1, 0), (1, 0, 1), (0, 1, 1)]
]
PURE = [[0.75, 0, 0], [0, 0.75, 0], [0, 0, 0.75], [0.75, 0.75, 0], [0.75, 0, 0.75], [0, 0.75, 0.75]]
CHART = [[round(value, 4) for value in patch] for patch in GREYS + SKIN + VIVID + PURE]
COLUMNS, ROWS, PX = 8, 6, 16
WIDTH, HEIGHT = COLUMNS * PX, ROWS * PX
FRAMES = 3


def planes():
    """Y, U and V of BT.2020 in 10 bits of limited range."""
    red, green, blue = np.array(CHART).reshape(ROWS, COLUMNS, 3).transpose(2, 0, 1)
    luma = 0.2627 * red + 0.678 * green + 0.0593 * blue
    codes = [64 + 876 * luma, 512 + 896 * (blue - luma) / 1.8814, 512 + 896 * (red - luma) / 1.4746]
    return [np.kron(np.rint(plane), np.ones((px, px))).astype("<u2") for plane, px in zip(codes, (PX, PX // 2, PX // 2))]


def encode(name, transfer, *codec):
    tags = ["-color_primaries", "bt2020", "-color_trc", transfer, "-colorspace", "bt2020nc", "-color_range", "tv"]
    source = ["-f", "rawvideo", "-pix_fmt", "yuv420p10le", "-s", f"{WIDTH}x{HEIGHT}", "-r", "10", *tags, "-i", "-"]
    raw = b"".join(plane.tobytes() for plane in planes()) * FRAMES
    command = ["ffmpeg", "-loglevel", "error", "-y", *source, *codec, *tags, "-fflags", "+bitexact", "-flags:v", "+bitexact", name]
    subprocess.run(command, input=raw, check=True)


def restate(source, name, change):
    """The same coded frames with other statements of their colours."""
    copy = ["-c", "copy", "-bsf:v", change, "-fflags", "+bitexact", name]
    subprocess.run(["ffmpeg", "-loglevel", "error", "-y", "-i", source, *copy], check=True)


def join(first, second, name):
    """Both one after the other, with the index of the first, as programs join files without coding them again."""
    open("parts.txt", "w").write(f"file {first}\nfile {second}\n")
    copy = ["-c", "copy", "-fflags", "+bitexact", name]
    subprocess.run(["ffmpeg", "-loglevel", "error", "-y", "-f", "concat", "-i", "parts.txt", *copy], check=True)
    os.remove("parts.txt")


def with_dolby(source, name, profile, compatibility, entry):
    """Adds the box that announces Dolby Vision to the description of an HEVC file, behind its media."""
    data = bytearray(open(source, "rb").read())
    box = bytes([1, 0, profile << 1, 0x0D, compatibility << 4]) + bytes(19)
    box = struct.pack(">I4s", 8 + len(box), b"dvvC" if profile > 7 else b"dvcC") + box
    at = data.index(b"hvc1")
    data[at : at + 4] = entry
    at -= 4
    end = at + struct.unpack_from(">I", data, at)[0]
    for parent in [b"moov", b"trak", b"mdia", b"minf", b"stbl", b"stsd"]:
        place = data.index(parent) - 4
        struct.pack_into(">I", data, place, struct.unpack_from(">I", data, place)[0] + len(box))
    struct.pack_into(">I", data, at, end - at + len(box))
    data[end:end] = box
    open(name, "wb").write(data)


def box(kind, *content):
    data = b"".join(content)
    return struct.pack(">I4s", 8 + len(data), kind) + data


def full_box(kind, version, *content):
    return box(kind, struct.pack(">I", version << 24), *content)


def as_heic(source, name, transfer):
    """The first frame of an HEVC file as an image, with the colours in numbers."""
    subprocess.run(["ffmpeg", "-loglevel", "error", "-y", "-i", source, "-frames:v", "1", "-c", "copy", "one.mp4"], check=True)
    data = open("one.mp4", "rb").read()
    os.remove("one.mp4")
    part = lambda kind: data[data.index(kind) - 4 :][: struct.unpack_from(">I", data, data.index(kind) - 4)[0]]
    frame = part(b"mdat")[8:]
    size = full_box(b"ispe", 0, struct.pack(">II", WIDTH, HEIGHT))
    colour = box(b"colr", b"nclx", struct.pack(">HHHB", 9, transfer, 9, 0))
    properties = box(b"iprp", box(b"ipco", part(b"hvcC"), size, colour), full_box(b"ipma", 0, struct.pack(">IHB3B", 1, 1, 3, 0x81, 2, 3)))
    kind = box(b"ftyp", b"heic", struct.pack(">I", 0), b"mif1heic")

    def meta(offset):
        items = full_box(b"iinf", 0, struct.pack(">H", 1), full_box(b"infe", 2, struct.pack(">HH4sB", 1, 0, b"hvc1", 0)))
        place = full_box(b"iloc", 0, struct.pack(">HHHHHII", 0x4400, 1, 1, 0, 1, offset, len(frame)))
        handler = full_box(b"hdlr", 0, struct.pack(">I4s12xB", 0, b"pict", 0))
        return full_box(b"meta", 0, handler, full_box(b"pitm", 0, struct.pack(">H", 1)), items, place, properties)

    start = len(kind) + len(meta(0)) + 8
    open(name, "wb").write(kind + meta(start) + box(b"mdat", frame))


def png(name, transfer, interlace=0):
    def chunk(kind, content):
        return struct.pack(">I", len(content)) + kind + content + struct.pack(">I", zlib.crc32(kind + content))

    samples = np.rint(np.array(CHART).reshape(ROWS, COLUMNS, 3) * 65535).astype(">u2")
    rows = np.kron(samples, np.ones((PX, PX, 1), samples.dtype)).astype(">u2").reshape(HEIGHT, WIDTH * 3)
    lines, above = b"", bytes(WIDTH * 6)
    for y, row in enumerate(rows):
        line = row.tobytes()
        left = bytes(6) + line[:-6]
        # Each of the filters in turn, but for the last, which predicts the same here.
        predicted = [bytes(len(line)), left, above, bytes((a + b) // 2 for a, b in zip(left, above))][y % 4]
        lines += bytes([y % 4]) + bytes((a - b) % 256 for a, b in zip(line, predicted))
        above = line
    header = struct.pack(">IIBBBBB", WIDTH, HEIGHT, 16, 2, 0, 0, interlace)
    chunks = [chunk(b"IHDR", header), chunk(b"cICP", bytes([9, transfer, 0, 1])), chunk(b"IDAT", zlib.compress(lines, 9)), chunk(b"IEND", b"")]
    open(name, "wb").write(b"\x89PNG\r\n\x1a\n" + b"".join(chunks))


def x265(*more):
    settings = ["lossless=1", "log-level=error", "info=0", "colorprim=bt2020", "colormatrix=bt2020nc", "range=limited", *more]
    return ["-c:v", "libx265", "-x265-params", ":".join(settings), "-tag:v", "hvc1"]


MASTERING = "master-display=G(13250,34500)B(7500,3000)R(34000,16000)WP(15635,16450)L(10000000,1)"

if __name__ == "__main__":
    json.dump(CHART, open("chart.json", "w"))
    encode("hlg-vp9.webm", "arib-std-b67", "-c:v", "libvpx-vp9", "-profile:v", "2", "-lossless", "1")
    encode("pq-av1.mp4", "smpte2084", "-c:v", "libaom-av1", "-crf", "0", "-aom-params", "lossless=1")
    unknown = ["-color_primaries", "unknown", "-colorspace", "unknown", "-fflags", "+bitexact"]
    without = ["-c", "copy", "-bsf:v", "av1_metadata=color_primaries=2:matrix_coefficients=2", *unknown]
    subprocess.run(["ffmpeg", "-loglevel", "error", "-y", "-i", "pq-av1.mp4", *without, "pq-no-primaries.mp4"], check=True)
    # Its second half states another transfer; the file goes on stating the first one.
    restate("pq-av1.mp4", "half.mp4", "av1_metadata=transfer_characteristics=1")
    join("pq-av1.mp4", "half.mp4", "pq-ends-av1.mp4")
    # The mastering display and the brightest pixel are stated, the latter absurdly.
    encode("pq-hevc.mp4", "smpte2084", *x265("transfer=smpte2084", MASTERING, "max-cll=65535,1", "hdr10=1"))
    encode("hlg-hevc.mp4", "arib-std-b67", *x265("transfer=arib-std-b67"))
    join("hlg-hevc.mp4", "pq-hevc.mp4", "hlg-ends-hevc.mp4")
    # Their second halves state another range.
    for kind, extension, codec, change in [
        ("h264", "mp4", ["libx264", "-x264-params", "log-level=none"], "h264_metadata=video_full_range_flag=1"),
        ("vp9", "webm", ["libvpx-vp9"], "vp9_metadata=color_range=pc"),
        ("av1", "mp4", ["libaom-av1"], "av1_metadata=color_range=pc"),
    ]:
        first, second = f"grey.{extension}", f"half.{extension}"
        grey = ["-f", "lavfi", "-i", "color=gray:s=64x48:r=10:d=0.3", "-c:v", *codec]
        subprocess.run(["ffmpeg", "-loglevel", "error", "-y", *grey, "-fflags", "+bitexact", "-flags:v", "+bitexact", first], check=True)
        restate(first, second, change)
        join(first, second, f"range-ends-{kind}.{extension}")
        os.remove(first)
        os.remove(second)
    # The base layer of profile 8.4 is HLG; profile 5 has none that others can show.
    with_dolby("hlg-hevc.mp4", "dolby-8-4.mp4", 8, 4, b"hvc1")
    with_dolby("hlg-hevc.mp4", "dolby-5.mp4", 5, 0, b"dvh1")
    with_dolby("hlg-hevc.mp4", "hvc1.mp4", 5, 0, b"hvc1")
    encode("hlg.avif", "arib-std-b67", "-frames:v", "1", "-c:v", "libaom-av1", "-still-picture", "1", "-crf", "0", "-aom-params", "lossless=1")
    encode("pq.avif", "smpte2084", "-frames:v", "1", "-c:v", "libaom-av1", "-still-picture", "1", "-crf", "0", "-aom-params", "lossless=1")
    as_heic("hlg-hevc.mp4", "hlg.heic", 18)
    as_heic("pq-hevc.mp4", "pq.heic", 16)
    png("pq.png", 16)
    png("hlg.png", 18)
    copy = ["-c", "copy", "-strict", "unofficial", "-fflags", "+bitexact"]
    subprocess.run(["ffmpeg", "-loglevel", "error", "-y", "-i", "hvc1.mp4", *copy, "dolby-5.mkv"], check=True)
    os.remove("hvc1.mp4")
