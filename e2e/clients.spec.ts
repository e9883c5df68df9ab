import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';
import { type Client, DOWNLOADS } from './clients/client';
import { CURL } from './clients/curl';
import { FETCH } from './clients/fetch';
import { GENERATED } from './clients/generated';
import { PYTHON } from './clients/python';
import { UNDICI } from './clients/undici';
import { expect, test } from './support/hosts';
import { TINY_PX, tinySample } from './support/samples';
import type { MetadataJson } from './support/upload';

const CLIENTS: readonly Client[] = [PYTHON, CURL, FETCH, UNDICI, GENERATED];

/** Checks the downloads of a client: the anonymised image, both masks and the metadata. */
const expectCompleteDownloads = async (folder: string, image: string): Promise<void> => {
  const { width, height } = await sharp(image).metadata();
  expect(width).toBe(TINY_PX);
  for (const [what, format] of [
    ['anonymised', 'jpeg'],
    ['binary-mask', 'png'],
    ['instance-mask', 'png'],
  ] as const) {
    expect(await sharp(join(folder, DOWNLOADS[what])).metadata()).toMatchObject({ format, width, height });
  }
  const metadata = JSON.parse(readFileSync(join(folder, DOWNLOADS.metadata), 'utf8')) as MetadataJson;
  expect(metadata.size).toEqual([width, height]);
  expect(metadata.detections.map((found) => found.type_label)).toContain('face');
  const { dominant, channels } = await sharp(join(folder, DOWNLOADS['binary-mask'])).stats();
  expect([dominant.r < 128, channels[0]?.max]).toEqual([true, 255]);
};

for (const client of CLIENTS) {
  const { name, missing, run } = client;
  for (const isAsync of [false, true]) {
    // Conformance cases test asynchronous uploads.
    const tag = isAsync ? '@slow' : [];
    const how = isAsync ? 'asynchronously' : 'synchronously';
    test(
      `${name} uploads an image ${how}, downloads all results, deletes the task`,
      { tag },
      async ({ origin }, info) => {
        const reason = missing?.();
        test.skip(reason !== undefined, reason);
        const folder = info.outputPath('downloads');
        mkdirSync(folder, { recursive: true });
        const image = info.outputPath('street.jpg');
        writeFileSync(image, await tinySample(1));
        const { id, ...end } = await run({ origin, image, folder, isAsync });
        expect(end).toEqual({ deleted: 'success', afterwards: 404 });
        await expectCompleteDownloads(folder, image);
        const tasks = (await (await fetch(`${origin}/v1/task/list`)).json()) as { id: string }[];
        expect(tasks.map((task) => task.id)).not.toContain(id);
      },
    );
  }
}
