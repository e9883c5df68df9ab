"""Compares a bag with its anonymised copy by readers of others, and prints what differs as JSON."""

import json
import sys
from pathlib import Path

from mcap.reader import NonSeekingReader, SeekingReader
from mcap_ros2.decoder import DecoderFactory
from rosbags.rosbag2 import Reader
from rosbags.typesys import Stores, get_typestore

source, copy = sys.argv[1:3]


def messages(path, reader):
    """All messages, with all checksums."""
    with open(path, "rb") as stream:
        opened = reader(stream, validate_crcs=True, decoder_factories=[DecoderFactory()])
        return [
            (channel.topic, schema.data, message.sequence, message.log_time, message.publish_time, message.data, decoded)
            for schema, channel, message, decoded in opened.iter_decoded_messages(log_time_order=False)
        ]


def header(message):
    stamp = message.header.stamp
    return stamp.sec, stamp.nanosec, message.header.frame_id


def changed(before, after):
    assert before[:5] == after[:5], (before[:5], after[:5])
    if before[5] == after[5]:
        return None
    assert header(before[6]) == header(after[6]), header(after[6])
    return before[0]


before, after = messages(source, NonSeekingReader), messages(copy, NonSeekingReader)
assert len(before) == len(after), (len(before), len(after))
topics = [changed(*pair) for pair in zip(before, after)]
assert [one[:6] for one in messages(copy, SeekingReader)] == [one[:6] for one in after]

typestore = get_typestore(Stores.ROS2_HUMBLE)
with Reader(Path(copy)) as bag:
    sizes = {}
    for connection, _, raw in bag.messages():
        message = typestore.deserialize_cdr(raw, connection.msgtype)
        sizes[connection.topic] = sizes.get(connection.topic, 0) + 1
        if connection.topic == "/rear":
            assert bytes(message.data[:2]) == b"\xff\xd8" and b"Exif" not in bytes(message.data)

with open(copy, "rb") as stream:
    reader = SeekingReader(stream)
    summary = reader.get_summary()
    print(
        json.dumps(
            {
                "changed": {topic: topics.count(topic) for topic in sorted({one for one in topics if one})},
                "rosbags": sizes,
                "counted": summary.statistics.message_count,
                "compressions": sorted({chunk.compression for chunk in summary.chunk_indexes}),
                "metadata": [one.metadata for one in reader.iter_metadata()],
            }
        )
    )
