import { installedPython } from '../run/find-clients';
import { type Client, type ClientReport } from './client';
import { runProgram } from './programs';

/** Written as users of `requests` write it: values in Python's notation, and URLs from the response. */
const SCRIPT = `
import json, sys, time
import requests

origin, picture, folder, mode = sys.argv[1:5]
headers = {'x-is-async': '1'} if mode == 'async' else {}
params = {
    'method': 'blur', 'debug': False, 'face': True, 'license_plate': True, 'person': False, 'vehicle': False,
    'save_mask': '', 'watermark': False, 'quality': 0, 'ignores': json.dumps([]), 'format': 'whole',
}

with requests.Session() as session:
    with open(picture, 'rb') as opened:
        files = [('fileobject', ('street.jpg', opened, 'image/jpg', {'Expires': '0'}))]
        response = session.post(f'{origin}/v1/file', params=params, headers=headers, files=files)
    response.raise_for_status()
    upload = response.json()

    while True:
        task = session.get(f'{origin}/v1/task/{upload["id"]}').json()
        if task['status'] in ('done', 'failed', 'deleted'):
            break
        time.sleep(0.1)

    for link, name in (
        ('anonymised_url', 'anonymised.jpg'),
        ('binary_mask_url', 'binary-mask.png'),
        ('instance_mask_url', 'instance-mask.png'),
        ('metadata_url', 'metadata.json'),
    ):
        response = session.get(upload[link])
        response.raise_for_status()
        with open(f'{folder}/{name}', 'wb') as saved:
            saved.write(response.content)

    deletion = session.delete(f'{origin}/v1/task/{upload["id"]}', params={'delete-scope': 'task-and-files'})
    deletion.raise_for_status()
    print(json.dumps({
        'id': upload['id'],
        'deleted': deletion.json()['result'],
        'afterwards': session.get(f'{origin}/v1/task/{upload["id"]}').status_code,
    }))
`;

export const PYTHON: Client = {
  name: 'Python requests',
  missing: () => (installedPython() ? undefined : 'There is no Python with `requests` (python3-requests).'),
  run: async ({ origin, image, folder, isAsync }) => {
    const args = ['-c', SCRIPT, origin, image, folder, isAsync ? 'async' : 'sync'];
    return JSON.parse(await runProgram(installedPython() ?? 'python3', args)) as ClientReport;
  },
};
