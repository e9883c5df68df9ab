"""Writes a ROS 2 bag with images, JPEG files and texts, with the compression and the JPEG file of the arguments."""

import sys
from pathlib import Path

from mcap.writer import CompressionType
from mcap_ros2.writer import Writer

HEADER = """
================================================================================
MSG: std_msgs/Header
builtin_interfaces/Time stamp
string frame_id
================================================================================
MSG: builtin_interfaces/Time
int32 sec
uint32 nanosec
"""
IMAGE = f"""std_msgs/Header header
uint32 height
uint32 width
string encoding
uint8 is_bigendian
uint32 step
uint8[] data
{HEADER}"""
COMPRESSED = f"""std_msgs/Header header
string format
uint8[] data
{HEADER}"""
SIDE = 64
START = 1_700_000_000

path, compression, jpeg = sys.argv[1:4]
pixels = bytes((x * 3 + y * (channel + 1)) % 256 for y in range(SIDE) for x in range(SIDE) for channel in range(3))

with open(path, "wb") as output:
    writer = Writer(output, chunk_size=20_000, compression=CompressionType[compression])
    image = writer.register_msgdef("sensor_msgs/msg/Image", IMAGE)
    compressed = writer.register_msgdef("sensor_msgs/msg/CompressedImage", COMPRESSED)
    text = writer.register_msgdef("std_msgs/msg/String", "string data")
    for index in range(30):
        nanoseconds = index * 100_000_000
        stamp = {"sec": START + nanoseconds // 10**9, "nanosec": nanoseconds % 10**9}
        header = {"stamp": stamp, "frame_id": "optical"}
        messages = [
            ("/front", image, {"height": SIDE, "width": SIDE, "encoding": "rgb8", "is_bigendian": 0, "step": 3 * SIDE, "data": pixels}),
            ("/rear", compressed, {"format": "rgb8; jpeg compressed bgr8", "data": Path(jpeg).read_bytes()}),
            ("/note", text, {"data": f"note {index}"}),
        ]
        for topic, schema, message in messages:
            if schema is not text:
                message["header"] = header
            log_time = START * 10**9 + nanoseconds
            writer.write_message(topic, schema, message, log_time, log_time - 5, index)
    writer._writer.add_metadata("rig", {"vehicle": "7"})
    writer.finish()
