"""Reads an export with the reader of LabelMe, and prints its shapes as JSON.

Of the package only the module with the reader is loaded: all others need a desktop.
"""

import importlib.metadata
import importlib.util
import io
import json
import sys
import types
from pathlib import Path

import PIL.Image

package = types.ModuleType("labelme")
package.__version__ = importlib.metadata.version("labelme")
utils = types.ModuleType("labelme.utils")
utils.apply_exif_orientation = lambda image: image
utils.img_data_to_pil = lambda img_data: PIL.Image.open(io.BytesIO(img_data))
package.utils = utils
sys.modules.update({"labelme": package, "labelme.utils": utils})
place = importlib.metadata.distribution("labelme").locate_file("labelme/_label_file.py")
spec = importlib.util.spec_from_file_location("labelme._label_file", Path(place))
reader = importlib.util.module_from_spec(spec)
sys.modules[spec.name] = reader
spec.loader.exec_module(reader)

data = reader.read_label_file(sys.argv[1])
print(
    json.dumps(
        {
            "image": data.image_path,
            "shapes": [
                {
                    "label": one["label"],
                    "points": one["points"],
                    "type": one["shape_type"],
                    "description": one["description"],
                    "flags": one["flags"],
                }
                for one in data.shapes
            ],
        }
    )
)
