import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import openapiTS, { astToString } from 'openapi-typescript';
import type { Client, ClientReport } from './client';
import { runProgram } from './programs';

const ROOT = join(import.meta.dirname, '../..');
const FOLDER = join(ROOT, 'test-results/generated-client');
const CLIENT = join(FOLDER, 'client.ts');

/**
 * Calls each operation by its generated types, so that an error in the OpenAPI description does not compile, or fails.
 */
const SOURCE = `
import { openAsBlob, writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import createClient from 'openapi-fetch';
import type { paths } from './api';

const [origin = '', picture = '', folder = '', mode = ''] = process.argv.slice(2);
const client = createClient<paths>({ baseUrl: origin });
const had = <T>(answer: { data?: T; error?: { detail: string } }): T => {
  if (answer.data === undefined) throw new Error(answer.error?.detail ?? 'no answer');
  return answer.data;
};

const form = new FormData();
form.append('fileobject', await openAsBlob(picture, { type: 'image/jpg' }), 'street.jpg');
const { id } = had(
  await client.POST('/v1/file', {
    params: {
      header: { 'x-is-async': mode === 'async' },
      query: { method: 'blur', face: true, 'license-plate': true, person: false, vehicle: false, format: 'whole' },
    },
    body: { fileobject: '' },
    bodySerializer: () => form,
  }),
);
const path = { id };
const isEnd = { done: true, failed: true, deleted: true, queued: false, processing: false };
for (;;) {
  const { status, progress } = had(await client.GET('/v1/task/{id}', { params: { path } }));
  if (progress < 0 || progress > 1) throw new Error('progress ' + progress);
  if (isEnd[status]) break;
  await sleep(100);
}
const image = await client.GET('/v1/file/{id}/anonymised', {
  params: { path, query: { download: 'JPEG', quality: 80 } },
  parseAs: 'arrayBuffer',
});
writeFileSync(folder + '/anonymised.jpg', Buffer.from(image.data as ArrayBuffer));
const binary = await client.GET('/v1/file/{id}/binary-mask', { params: { path }, parseAs: 'arrayBuffer' });
writeFileSync(folder + '/binary-mask.png', Buffer.from(binary.data as ArrayBuffer));
const instance = await client.GET('/v1/file/{id}/instance-mask', { params: { path }, parseAs: 'arrayBuffer' });
writeFileSync(folder + '/instance-mask.png', Buffer.from(instance.data as ArrayBuffer));
const metadata = had(await client.GET('/v1/file/{id}/metadata', { params: { path } }));
writeFileSync(folder + '/metadata.json', JSON.stringify(metadata));
const { result } = had(
  await client.DELETE('/v1/task/{id}', { params: { path, query: { 'delete-scope': 'task-and-files' } } }),
);
const gone = await client.GET('/v1/task/{id}', { params: { path } });
console.log(JSON.stringify({ id, deleted: result, afterwards: gone.response.status }));
`;

const generate = async (): Promise<void> => {
  const types = await openapiTS(new URL('../../shared/api/contract/openapi.json', import.meta.url));
  await mkdir(FOLDER, { recursive: true });
  await writeFile(join(FOLDER, 'api.ts'), astToString(types));
  await writeFile(CLIENT, SOURCE);
  await writeFile(
    join(FOLDER, 'tsconfig.json'),
    JSON.stringify({
      extends: '../../tsconfig.base.json',
      compilerOptions: {
        types: ['node'],
        lib: ['ES2023', 'DOM'],
        noEmit: true,
        exactOptionalPropertyTypes: false,
      },
      include: ['*.ts'],
    }),
  );
  await runProgram(process.execPath, [join(ROOT, 'node_modules/typescript/bin/tsc'), '-p', FOLDER]);
};

let generated: Promise<void> | undefined;

export const GENERATED: Client = {
  name: 'a client generated from the description by openapi-typescript',
  run: async ({ origin, image, folder, isAsync }) => {
    await (generated ??= generate());
    const args = ['--import', 'tsx', CLIENT, origin, image, folder, isAsync ? 'async' : 'sync'];
    return JSON.parse(await runProgram(process.execPath, args)) as ClientReport;
  },
};
