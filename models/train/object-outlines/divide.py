"""
Writes split.json: every second photo of coco128 is learnt from, as the network for plates does; the others are held out.

A photo that looks like one on the other side, mirrored or not, changes sides, so that near-duplicates stay together.
"""

import json

import numpy as np

from photos import DATA, SPLIT, read_rgb
from split import Groups, join_alike, thumbnail  # of the plates


def main() -> None:
    folder = DATA / "coco128" / "images"
    files = sorted(path.name for path in folder.iterdir())
    groups = Groups(len(files))
    join_alike(groups, np.stack([thumbnail(read_rgb(folder / file)) for file in files]))
    # Where a group has photos of both sides, the plates' background decides: they must not come to be held out.
    learnt = {groups.root(index) for index in range(0, len(files), 2)}
    parts: dict[str, list[str]] = {"training": [], "heldOut": []}
    for index, file in enumerate(files):
        parts["training" if groups.root(index) in learnt else "heldOut"].append(file)
    SPLIT.write_text(json.dumps(parts, indent=2) + "\n")
    print({part: len(members) for part, members in parts.items()})


if __name__ == "__main__":
    main()
