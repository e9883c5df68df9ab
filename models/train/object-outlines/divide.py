"""
Writes split.json: every second photo of coco128 is for training, as for the plate classifier; the others are held out.

Similar photos, mirrored or not, are put on one side, so that near duplicates stay together.
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
    # A group with a training photo is for training, because the plate classifier uses that photo as background.
    learnt = {groups.root(index) for index in range(0, len(files), 2)}
    parts: dict[str, list[str]] = {"training": [], "heldOut": []}
    for index, file in enumerate(files):
        parts["training" if groups.root(index) in learnt else "heldOut"].append(file)
    SPLIT.write_text(json.dumps(parts, indent=2) + "\n")
    print({part: len(members) for part, members in parts.items()})


if __name__ == "__main__":
    main()
