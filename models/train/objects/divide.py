"""
Writes split.json: the frames of `atl` by camera, some cameras for training and others held out.

Frames of one camera are alike, and their file names do not name it, so the cameras were told apart by eye. Photos of
`open-images` show one place each; all are for training.
"""

import json

from photos import DATA, SPLIT

# Numbers of the first and the last frame of each run of frames.
CAMERAS = {
    "sunny road": [(0, 0), (7, 15), (181, 208), (223, 243)],
    "busy road": [(1, 3)],
    "wide motorway": [(4, 6)],
    "junction": [(16, 18), (114, 180)],
    "motorway at night": [(19, 97), (109, 113)],
    "motorway with a bridge": [(98, 103)],
    "motorway with a bend": [(104, 105)],
    "blurred queue": [(106, 107)],
    "motorway with a title": [(108, 108)],
    "dense queue": [(209, 212)],
    "news at night": [(213, 221)],
    "crossing": [(222, 222)],
}
HELD_OUT = ("sunny road", "wide motorway", "motorway with a bend", "dense queue")


def main() -> None:
    frames = {
        camera: [f"traffic-{frame:03d}.jpg" for first, last in runs for frame in range(first, last + 1)]
        for camera, runs in CAMERAS.items()
    }
    rows = json.loads((DATA / "vehicles" / "annotations.json").read_text())
    held_out = sorted(file for camera in HELD_OUT for file in frames[camera])
    training = sorted(row["file"] for row in rows if row["file"] not in held_out)
    assert sum(map(len, frames.values())) == sum(row["set"] == "atl" for row in rows)
    SPLIT.write_text(json.dumps({"cameras": frames, "heldOut": held_out, "training": training}, indent=1) + "\n")
    print(len(training), "photos for training,", len(held_out), "held out")


if __name__ == "__main__":
    main()
