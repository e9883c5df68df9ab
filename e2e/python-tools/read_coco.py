"""Reads an export with pycocotools, and prints the area and the box of each mask as JSON."""

import contextlib
import json
import os
import sys

from pycocotools import mask
from pycocotools.coco import COCO

with contextlib.redirect_stdout(open(os.devnull, "w")):
    coco = COCO(sys.argv[1])
annotations = coco.loadAnns(coco.getAnnIds())
print(
    json.dumps(
        [
            {
                "category": coco.loadCats(one["category_id"])[0]["name"],
                "image": coco.loadImgs(one["image_id"])[0]["file_name"],
                "area": int(mask.area(coco.annToRLE(one))),
                "pixels": int(coco.annToMask(one).sum()),
                "box": [int(side) for side in mask.toBbox(coco.annToRLE(one))],
            }
            for one in annotations
        ]
    )
)
