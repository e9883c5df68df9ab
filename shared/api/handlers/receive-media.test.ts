import { expect, it, vi } from 'vitest';
import { createInProcessHost } from '../../testing/in-process-host';
import { createMemoryStorage, receivedInMemory } from '../../testing/memory-storage';
import { jpegFile } from '../../testing/picture-files';
import { RAMP_MP4 } from '../../testing/video-files';
import { receiveMedia } from './receive-media';

const PDF = new TextEncoder().encode('%PDF-1.7');

const readingsOf = async (bytes: Uint8Array) => {
  const file = receivedInMemory(bytes, createMemoryStorage());
  const read = vi.spyOn(file.source, 'read');
  const parts = [{ name: 'fileobject', filename: 'a', contentType: '', file }];
  const request = {
    method: 'POST',
    url: '/v1/file',
    headers: {},
    receiveUpload: async () => parts,
    receiveBody: async () => new Uint8Array(0),
    signal: new AbortController().signal,
  };
  const { api } = createInProcessHost();
  const end = await receiveMedia(request, api, { withDigest: false }).then(
    ({ format }) => format,
    (error: Error) => error.name,
  );
  return { end, readings: read.mock.calls.length };
};

it('an image is read once before its task, because only its end proves that it is complete', async () => {
  expect(await readingsOf(jpegFile(64, 64))).toEqual({ end: 'jpeg', readings: 1 });
});

it('a video or a file that is refused is not read: its first bytes decide', async () => {
  expect(await readingsOf(RAMP_MP4)).toMatchObject({ readings: 0 });
  expect(await readingsOf(PDF)).toEqual({ end: 'UnreadableFile', readings: 0 });
});
