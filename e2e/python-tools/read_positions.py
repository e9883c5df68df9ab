"""Reads the position, heading and time of images as Panoramax does, and prints them as JSON."""

import json
import sys

from geopic_tag_reader import reader

positions = []
for path in sys.argv[1:]:
    with open(path, "rb") as file:
        tags = reader.readPictureMetadata(file.read())
    positions.append([round(tags.lat, 5), round(tags.lon, 5), tags.heading, tags.ts.isoformat()])
print(json.dumps(positions))
