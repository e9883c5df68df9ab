"""
Labels photos by teachers: `python label.py labels`. Continues an interrupted run.

Writes each teacher's detections, one line of JSON a photo; `agreement.py` reads them. The files are not committed.
"""

import argparse
import json
from pathlib import Path

import cv2

from photos import DATA, NO_BOXES, Photo, read_others, read_rgb, read_vehicles
from teachers import CenterNet, NanoDet, PicoDet, fuse_scales

PLATE_PHOTOS = 120
# Long sides for each teacher, in network px, and the largest enlargement of a photo.
SIDES = {"nanodet": (416, 832), "picodet": (416, 832), "centernet": (512, 1024)}
MAX_ENLARGEMENT = 1.7
FRAME_SECONDS = 1.5


def write_frames(folder: Path) -> None:
    """Frames of the clips, which show persons and vehicles."""
    folder.mkdir(parents=True, exist_ok=True)
    for clip in sorted((DATA / "videos").glob("*.mp4")):
        film = cv2.VideoCapture(str(clip))
        step = max(1, round(film.get(cv2.CAP_PROP_FPS) * FRAME_SECONDS))
        number = 0
        while film.grab():
            if number % step == 0:
                _, frame = film.retrieve()
                side = max(frame.shape[:2])
                if side > 1280:
                    frame = cv2.resize(frame, None, fx=1280 / side, fy=1280 / side, interpolation=cv2.INTER_AREA)
                cv2.imwrite(str(folder / f"{clip.stem}-{number:05d}.jpg"), frame, [cv2.IMWRITE_JPEG_QUALITY, 95])
            number += 1


def all_photos(folder: Path) -> list[Photo]:
    frames = [Photo(path, "clips", NO_BOXES) for path in sorted((folder / "frames").glob("*.jpg"))]
    return [*read_vehicles("training"), *read_others(0), *frames, *read_others(PLATE_PHOTOS)]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("out", type=Path)
    flags = parser.parse_args()
    cv2.setNumThreads(1)
    if not (flags.out / "frames").exists():
        write_frames(flags.out / "frames")
    teachers = {"nanodet": NanoDet(), "picodet": PicoDet(), "centernet": CenterNet()}
    target = flags.out / "detections.jsonl"
    known = {json.loads(line)["photo"] for line in target.open()} if target.exists() else set()
    with target.open("a") as file:
        for photo in all_photos(flags.out):
            if photo.key in known:
                continue
            known.add(photo.key)
            picture = read_rgb(photo.path)
            row = {"photo": photo.key}
            for name, teacher in teachers.items():
                most = MAX_ENLARGEMENT * max(picture.shape)
                sides = [side for side in SIDES[name] if side <= most] or SIDES[name][:1]
                found = fuse_scales([teacher.detect(picture, side) for side in sides])
                row[name] = [
                    [int(kind), round(float(score), 3), *(round(float(edge), 1) for edge in box)]
                    for kind, score, *box in found
                ]
            file.write(json.dumps(row) + "\n")
            file.flush()


if __name__ == "__main__":
    main()
