import { expect } from '@playwright/test';
import type { Answer, Send } from './send';

export interface Part {
  readonly name?: string;
  readonly filename?: string;
  readonly type?: string;
  readonly bytes: Uint8Array;
}

/** A multipart request as a browser would write it. */
export const postParts = async (send: Send, parts: readonly Part[], query = ''): Promise<Answer> => {
  const form = new FormData();
  for (const { name = 'fileobject', filename = 'photo.jpg', type = 'image/jpg', bytes } of parts) {
    form.append(name, new Blob([bytes as Uint8Array<ArrayBuffer>], { type }), filename);
  }
  const encoded = new Response(form);
  const headers = { 'content-type': encoded.headers.get('content-type') ?? '' };
  return send({
    method: 'POST',
    url: `/v1/file?${query}`,
    headers,
    body: new Uint8Array(await encoded.arrayBuffer()),
  });
};

export const json = <T>({ body }: Answer): T => JSON.parse(new TextDecoder().decode(body)) as T;

/** One object of the metadata, as far as tests look at it. */
export interface DetectionJson {
  readonly bbox: readonly [number, number, number, number];
  readonly score: number;
  readonly type_label: string;
  readonly is_anonymised: boolean;
}
export interface MetadataJson {
  readonly detections: readonly DetectionJson[];
  readonly size: readonly [number, number];
}

/** Posts a photo, expects success, and gives what can be asked about it afterwards. */
export const upload = async (send: Send, bytes: Uint8Array, query = '', part: Partial<Part> = {}) => {
  const answer = await postParts(send, [{ ...part, bytes }], query);
  expect(new TextDecoder().decode(answer.body.subarray(0, 300))).toContain('"id"');
  expect(answer.status).toBe(200);
  const { id } = json<{ id: string }>(answer);
  const get = async (what: string): Promise<Answer> => {
    const got = await send({ method: 'GET', url: `/v1/file/${id}/${what}` });
    expect(got.status, `${what}: ${new TextDecoder().decode(got.body.subarray(0, 200))}`).toBe(200);
    return got;
  };
  return {
    id,
    metadata: async () => json<MetadataJson>(await get('metadata')),
    anonymised: async (how = '') => (await get(`anonymised${how}`)).body,
    mask: async (kind: 'binary' | 'instance') => (await get(`${kind}-mask`)).body,
  };
};
