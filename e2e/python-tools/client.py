"""Uploads an image, waits, hides one more area, and downloads the result, with the generated client."""

import sys
import time
from pathlib import Path

from veil_client import Client
from veil_client.api.results import get_anonymised, get_metadata
from veil_client.api.tasks import delete_task, get_task, put_edits
from veil_client.api.upload import upload_file
from veil_client.models import PutEditsBody, UploadFileBody
from veil_client.types import File

origin, image, folder = sys.argv[1:4]
client = Client(base_url=origin, raise_on_unexpected_status=True)

with open(image, "rb") as payload:
    file = File(payload=payload, file_name="street.jpg", mime_type="image/jpeg")
    upload = upload_file.sync(client=client, body=UploadFileBody(fileobject=file), x_is_async=True)

for _ in range(600):
    task = get_task.sync(upload.id, client=client)
    if task.status in ("done", "failed", "deleted"):
        break
    time.sleep(0.1)
assert task.status == "done", task

found = get_metadata.sync(upload.id, client=client).detections
area = {"type_label": "person", "shape": "box", "bbox": [0, 0, 40, 40]}
put_edits.sync(upload.id, client=client, body=PutEditsBody.from_dict({"areas": [area]}))
edited = get_metadata.sync(upload.id, client=client).detections
assert len(edited) == len(found) + 1, (found, edited)

result = get_anonymised.sync(upload.id, client=client)
Path(folder, "anonymised.jpg").write_bytes(result.payload.read())
print(delete_task.sync(upload.id, client=client).result)
