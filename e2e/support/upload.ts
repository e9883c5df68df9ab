import { expect } from '@playwright/test';
import type { Answer, Send, SentPart } from '#shared/testing/conformance';
import { filePart } from '#shared/testing/conformance-steps';

export const json = <T>({ body }: Answer): T => JSON.parse(new TextDecoder().decode(body)) as T;

export const postParts = (send: Send, parts: readonly SentPart[], query = ''): Promise<Answer> =>
  send({ method: 'POST', url: `/v1/file?${query}`, parts });

/** One detection of the metadata, with the fields that tests read. */
export interface DetectionJson {
  readonly bbox: readonly [number, number, number, number];
  readonly score: number;
  readonly type_label: string;
}
export interface MetadataJson {
  readonly detections: readonly DetectionJson[];
  readonly size: readonly [number, number];
}

const mustSucceed = (answer: Answer, what: string): Answer => {
  expect(answer.status, `${what}: ${new TextDecoder().decode(answer.body.subarray(0, 200))}`).toBe(200);
  return answer;
};

/** Uploads a photo, expects success, and returns functions that download the results. */
export const upload = async (send: Send, bytes: Uint8Array, query = '') => {
  const { id } = json<{ id: string }>(mustSucceed(await postParts(send, [filePart(bytes)], query), 'upload'));
  const get = async (what: string): Promise<Answer> =>
    mustSucceed(await send({ method: 'GET', url: `/v1/file/${id}/${what}` }), what);
  return {
    id,
    metadata: async () => json<MetadataJson>(await get('metadata')),
    anonymised: async (query = '') => (await get(`anonymised${query}`)).body,
    mask: async (kind: 'binary' | 'instance') => (await get(`${kind}-mask`)).body,
  };
};
