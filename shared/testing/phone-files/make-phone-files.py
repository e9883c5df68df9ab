"""Makes the files next to this script: a short clip in codings that browsers and Node's packages cannot write.

Run it in this folder; it needs ffmpeg with libx264 and libx265. The picture and the sound are those of
`server/testing/phone-clips.ts`.
"""

import math
import struct
import subprocess

WIDTH, HEIGHT, FRAMES, RATE = 160, 120, 20, 20
MARK = 16
SOUND_RATE, BURST = 48000, (0.5, 0.6)


def colour(x, y, index):
    if y < MARK and x >= WIDTH - MARK:
        return 220, 30, 30
    if y >= HEIGHT - MARK and x < MARK:
        return 30, 200, 30
    if y >= HEIGHT - MARK and x >= WIDTH - MARK:
        return (30 + 10 * index,) * 3
    return (200,) * 3 if (x // 20 + y // 20) % 2 else (60,) * 3


def picture():
    frames = []
    for index in range(FRAMES):
        pixels = (colour(x, y, index) for y in range(HEIGHT) for x in range(WIDTH))
        frames.append(bytes(value for pixel in pixels for value in pixel))
    return b"".join(frames)


def sound():
    levels = []
    for at in range(SOUND_RATE * FRAMES // RATE):
        seconds = at / SOUND_RATE
        is_loud = BURST[0] <= seconds < BURST[1]
        levels.append(round(26000 * math.sin(2 * math.pi * 500 * seconds)) if is_loud else 0)
    return struct.pack(f"<{len(levels)}h", *levels)


def encode(name, *codec, sounds=1):
    open("sound.raw", "wb").write(sound())
    video = ["-f", "rawvideo", "-pix_fmt", "rgb24", "-s", f"{WIDTH}x{HEIGHT}", "-r", str(RATE), "-i", "-"]
    audio = ["-f", "s16le", "-ar", str(SOUND_RATE), "-ac", "1", "-i", "sound.raw"]
    tags = ["-color_primaries", "bt709", "-color_trc", "bt709", "-colorspace", "bt709", "-color_range", "tv"]
    scale = ["-vf", "scale=out_color_matrix=bt709:out_range=tv", "-sws_flags", "accurate_rnd+full_chroma_int"]
    exact = ["-fflags", "+bitexact", "-flags:v", "+bitexact", "-flags:a", "+bitexact"]
    tracks = ["-map", "0:v", *["-map", "1:a"] * sounds, "-c:a", "aac", "-b:a", "48k"]
    command = ["ffmpeg", "-loglevel", "error", "-y", *video, *audio, *scale, *codec, *tags, *tracks, *exact, name]
    subprocess.run(command, input=picture(), check=True)


if __name__ == "__main__":
    x265 = "log-level=error:info=0:crf=20:bframes=3"
    # As iPhones write it: HEVC Main 10 with reordered frames, a time code, and AAC whose first packet is hidden.
    main10 = ["-c:v", "libx265", "-x265-params", x265, "-pix_fmt", "yuv420p10le", "-tag:v", "hvc1"]
    encode("hevc.mov", *main10, "-timecode", "10:00:00:00", sounds=2)
    encode("avc-422.mp4", "-c:v", "libx264", "-profile:v", "high422", "-pix_fmt", "yuv422p10le", "-crf", "20", "-x264-params", "log=0")
    encode("prores.mov", "-c:v", "prores_ks", "-profile:v", "0", "-pix_fmt", "yuv422p10le", "-vendor", "apl0")
    subprocess.run(["rm", "sound.raw"], check=True)
