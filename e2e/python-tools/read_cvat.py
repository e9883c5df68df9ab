"""Reads an export with datumaro, and prints its items with their boxes as JSON."""

import json
import sys

from datumaro.components.annotation import AnnotationType
from datumaro.plugins.data_formats.cvat.base import CvatBase

data = CvatBase(sys.argv[1])
labels = data.categories()[AnnotationType.label]


def described(one):
    attributes = one.attributes
    return {
        "label": labels[one.label].name,
        "box": [int(side) for side in one.get_bbox()],
        "score": attributes["score"],
        "hidden": attributes["hidden"],
        **({"track": attributes["track_id"], "outside": attributes["outside"]} if "track_id" in attributes else {}),
    }


print(
    json.dumps(
        [
            {"id": item.id, "objects": [described(one) for one in item.annotations]}
            for item in sorted(data, key=lambda item: item.attributes["frame"])
        ]
    )
)
