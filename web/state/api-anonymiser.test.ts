import { expect, it, vi } from 'vitest';
import { RefusedRequest, type ApiClient } from '#shared/api/client';
import type { MediaResult } from './media-item';
import { createAnonymiser } from './api-anonymiser';
import { loseDetections } from './add-files';
import { defaultSettings } from './settings';
import { NO_ITEM_EDITS } from './edit-history';

const VIDEO_RESULT: MediaResult = {
  ...{ taskId: '1', width: 1, height: 1, objects: [], durationS: 0, hasImage: true },
  video: {
    ...{
      frameCount: 9,
      framesLost: 0,
      isLossUncertain: false,
      audioTracksReencoded: 0,
      audioTracksDropped: 0,
    },
    appliedEdits: NO_ITEM_EDITS,
    followed: [],
  },
};

/** Edits a video on a host that works until it is asked to stop. */
const editAndStop = async (stopEdits: () => Promise<unknown>, record: object = {}) => {
  const controller = new AbortController();
  const client = {
    putEdits: vi.fn(async () => ({})),
    async *watch() {
      yield { status: 'done', edit: { status: 'processing', progress: 0.5, error: null } };
      controller.abort();
    },
    stopEdits: vi.fn(stopEdits),
    task: async () => record,
    edits: async () => ({}),
    videoMetadata: async () => [],
  };
  const anonymiser = createAnonymiser(client as unknown as ApiClient<File>, {});
  const edited = anonymiser.editVideo(VIDEO_RESULT, NO_ITEM_EDITS, () => undefined, controller.signal);
  return { edited: await edited.catch((cause: unknown) => cause), client, signal: controller.signal };
};

it('edits of a video that are stopped in the page are stopped on the host', async () => {
  const { edited, client, signal } = await editAndStop(async () => ({ stopped: true }));
  expect(client.stopEdits).toHaveBeenCalledWith('1');
  expect(edited).toBe(signal.reason);
});

it('edits of a video that the host applied before it could stop them are shown', async () => {
  const { edited } = await editAndStop(async () => ({ stopped: false }));
  expect(edited).toMatchObject({ taskId: '1', video: { appliedEdits: NO_ITEM_EDITS } });
});

it.each([
  ['have failed', async () => ({ stopped: false }), { edit: { status: 'failed' } }],
  ['belong to a deleted task', () => Promise.reject(new RefusedRequest(404, 'There is no task.')), {}],
])('stopped edits that %s leave the result in the page', async (_name, stopEdits, record) => {
  const { edited, signal } = await editAndStop(stopEdits, record);
  expect(edited).toBe(signal.reason);
});

it('edits of a video that the host refuses fail with its sentence', async () => {
  const sentence = '`mute` is not possible here.';
  const client = {
    putEdits: () => Promise.reject(new RefusedRequest(422, sentence)),
    videoMetadata: async () => [],
  };
  const anonymiser = createAnonymiser(client as unknown as ApiClient<File>, {});
  const { signal } = new AbortController();
  const edited = anonymiser.editVideo(VIDEO_RESULT, NO_ITEM_EDITS, () => undefined, signal);
  await expect(edited).rejects.toMatchObject({ name: 'ProcessingFailed', sentence });
});

it.each([
  ['Ada', { reviewer: 'Ada' }],
  ['', {}],
  [null, {}],
])('edits name the reviewer if there is one: %j', async (name, expected) => {
  const putEdits = vi.fn(async (_id: string, _edits: object) => ({}));
  const client = {
    ...{ putEdits, edits: async () => ({}), videoMetadata: async () => [] },
    async *watch() {
      yield { status: 'done' };
    },
  };
  const anonymiser = createAnonymiser(client as unknown as ApiClient<File>, {
    reviewer: () => name,
  });
  await anonymiser.editVideo(VIDEO_RESULT, NO_ITEM_EDITS, () => undefined, new AbortController().signal);
  expect(putEdits.mock.calls[0]?.[1]).toEqual({ objects: [], areas: [], ...expected });
});

/** The parameters of an upload. */
const queryOf = async (settings: ReturnType<typeof defaultSettings>, name = 'a.png'): Promise<unknown> => {
  const client = { upload: vi.fn().mockRejectedValue(new RefusedRequest(422, 'No.')) };
  const anonymiser = createAnonymiser(client as unknown as ApiClient<File>, {
    reviewer: () => null,
  });
  const { signal } = new AbortController();
  await anonymiser.process(new File([], name), settings, () => undefined, signal).catch(() => undefined);
  return client.upload.mock.calls[0]![1];
};

it('text is named in an upload only if it is enabled', async () => {
  const usual = await queryOf(defaultSettings());
  expect(usual).not.toHaveProperty('text');
  expect(usual).not.toHaveProperty('text-threshold');
  expect(await queryOf({ ...defaultSettings(), classes: ['text'] })).toEqual({
    ...(usual as object),
    face: false,
    'license-plate': false,
    text: true,
    'text-threshold': 0.5,
  });
});

it('the choice of text is named in uploads of images whose text is hidden, and in no other', async () => {
  const settings = { ...defaultSettings(), textMatch: 'email,date', textKeep: 'Exit' };
  const classes = [...settings.classes, 'text'] as const;
  const chosen = { 'text-match': 'email,date', 'text-keep': 'Exit' };
  expect(await queryOf({ ...settings, classes })).toMatchObject(chosen);
  for (const query of [await queryOf(settings), await queryOf({ ...settings, classes }, 'a.mp4')]) {
    for (const name of Object.keys(chosen)) expect(query).not.toHaveProperty(name);
  }
});

it.each(['upload', 'watch'] as const)(
  'a file whose %s the token does not allow fails with the sentence of the server, and does not stay there',
  async (refused) => {
    const refusal = new RefusedRequest(403, 'The token lacks a scope.');
    const client = {
      upload: async () => (refused === 'upload' ? Promise.reject(refusal) : { id: '1' }),
      async *watch() {
        throw refusal;
      },
      deleteTask: vi.fn(async () => ({})),
    };
    const { process } = createAnonymiser(client as unknown as ApiClient<File>, {});
    const file = new File([], 'a.jpg');
    const processed = process(file, defaultSettings(), () => undefined, new AbortController().signal);
    await expect(processed).rejects.toMatchObject({
      name: 'ProcessingFailed',
      sentence: 'The token lacks a scope.',
    });
    expect(client.deleteTask.mock.calls.length).toBe(refused === 'watch' ? 1 : 0);
  },
);

it('detections of a video are those of all its frames, also if the host is asked several times', async () => {
  const videoMetadata = vi.fn(async (_id: string, { start_frame: id }: { start_frame: number }) => [{ id }]);
  const anonymiser = createAnonymiser({ videoMetadata } as unknown as ApiClient<File>, {});
  const long = { ...VIDEO_RESULT, video: { ...VIDEO_RESULT.video!, frameCount: 501 } };
  expect(await anonymiser.detections(long)).toEqual([{ id: 0 }, { id: 500 }]);
});

/** Processes an image on a host whose results wait for a release. */
const processGated = (edits: () => Promise<string>, records: readonly object[]) => {
  const [first, ...later] = records;
  const client = {
    upload: async () => ({ id: '1' }),
    async *watch() {
      yield { id: '1', content_type: 'image/png', status: 'done', ...first };
    },
    editsTag: edits,
    task: vi.fn(async () => ({ id: '1', content_type: 'image/png', status: 'done', ...later[0] })),
    metadata: async () => ({ size: [1, 1], detections: [], duration: 0 }),
    candidates: () => Promise.reject(new RefusedRequest(403, 'The token lacks the scope `edit`.')),
    deleteTask: vi.fn(async () => ({})),
    release: vi.fn(async () => ({})),
  };
  const onProgress = vi.fn();
  const { signal } = new AbortController();
  const anonymiser = createAnonymiser(client as unknown as ApiClient<File>, {});
  const processed = anonymiser.process(new File([], 'a.png'), defaultSettings(), onProgress, signal);
  return { processed, client, onProgress, anonymiser };
};

it('a reviewer gets a result before its release, and it says so', async () => {
  const { processed } = processGated(async () => '"1"', [{ released_at: null }]);
  expect(await processed).toMatchObject({ waitsForRelease: true });
});

it('a release names the edits that the reviewer saw', async () => {
  const { processed, client, anonymiser } = processGated(async () => '"1"', [{ released_at: null }]);
  await anonymiser.release(await processed);
  expect(client.release).toHaveBeenCalledWith('1', {}, '"1"');
});

it('a release after a reload of the page names the edits that the reviewer saw before it', async () => {
  const { processed } = processGated(async () => '"1"', [{ released_at: null }]);
  const stored = structuredClone(await processed);
  const other = processGated(async () => '"2"', [{ released_at: null }]);
  await other.anonymiser.release(stored);
  expect(other.client.release).toHaveBeenCalledWith('1', {}, '"1"');
  const { seenTag: _ofEarlierVersions, ...untagged } = stored;
  await other.anonymiser.release(untagged);
  expect(other.client.release).toHaveBeenLastCalledWith('1', {}, '"2"');
});

it('others wait until a reviewer has released the result', async () => {
  vi.useFakeTimers();
  try {
    const refuse = () => Promise.reject(new RefusedRequest(403, 'The token lacks the scope `edit`.'));
    const { processed, onProgress } = processGated(refuse, [
      { released_at: null },
      { released_at: '2026-01-01' },
    ]);
    await vi.waitFor(() =>
      expect(onProgress).toHaveBeenCalledWith(expect.objectContaining({ waitsForRelease: true })),
    );
    await vi.runAllTimersAsync();
    expect(await processed).toMatchObject({ waitsForRelease: false });
  } finally {
    vi.useRealTimers();
  }
});

it('a result of a host without a gate says nothing of a release', async () => {
  const { processed } = processGated(async () => '"1"', [{}]);
  expect(await processed).not.toHaveProperty('waitsForRelease');
});

it('a file whose detections are lost is not sent to be searched instead', async () => {
  const upload = vi.fn();
  const anonymiser = createAnonymiser({ upload } as unknown as ApiClient<File>, {});
  const file = loseDetections(new File([], 'a.jpg'));
  const { signal } = new AbortController();
  await expect(anonymiser.process(file, defaultSettings(), () => undefined, signal)).rejects.toThrow(
    'The detections that came with this file are not stored',
  );
  expect(upload).not.toHaveBeenCalled();
});
