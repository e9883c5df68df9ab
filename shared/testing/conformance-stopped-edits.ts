import {
  jsonOf,
  mustBe,
  mustHaveStatus,
  mustRefuse,
  type Answer,
  type ConformanceCase,
  type Send,
} from './conformance';
import { editsPath, putEdits } from './conformance-edits';
import { filePart, get, MAX_ATTEMPTS, remove, uploadedId, WORK } from './conformance-steps';
import { RAMP_MP4 } from './video-files';

const IMAGE_EDITS = { areas: [{ type_label: 'face', shape: 'box', bbox: [1, 1, 9, 9] }] } as const;
const VIDEO_EDITS = { areas: [{ ...IMAGE_EDITS.areas[0], frame: 1 }] } as const;

/** Edits are applied one at a time, so that those of other tasks let later ones wait. @returns ids of these tasks */
const keepEditing = async (send: Send): Promise<readonly string[]> => {
  const ids: string[] = [];
  for (let each = 0; each < 2; each += 1) ids.push(await uploadedId(send, { parts: [WORK] }));
  for (const id of ids) {
    mustHaveStatus(await putEdits(send, id, IMAGE_EDITS, { 'x-is-async': 'true' }), 200);
  }
  return ids;
};

const untilEdited = async (send: Send, ids: readonly string[]): Promise<void> => {
  for (const id of ids) mustHaveStatus(await get(send, `/v1/task/${id}/events`), 200);
};

/** Stops edits that wait or run, again if they are applied before. */
const editAndStop = async (send: Send, id: string, edits: object, attempt = 1): Promise<void> => {
  const others = await keepEditing(send);
  mustHaveStatus(await putEdits(send, id, edits, { 'x-is-async': 'true' }), 200);
  const answer = await remove(send, editsPath(id));
  mustHaveStatus(answer, 200);
  const { stopped, ...rest } = jsonOf<{ result: string; message: string; stopped: boolean }>(answer);
  mustBe([rest.result, Object.keys(rest)], ['success', ['result', 'message']], 'the answer');
  await untilEdited(send, others);
  if (stopped) return;
  if (attempt === MAX_ATTEMPTS) throw new Error('Edits are always applied before they can be stopped.');
  mustHaveStatus(await putEdits(send, id, {}), 200);
  await editAndStop(send, id, edits, attempt + 1);
};

const stateOf = async (send: Send, id: string, download: string) => ({
  tag: (await get(send, `/v1/file/${id}/${download}`)).headers['etag'],
  edits: jsonOf<{ areas: object[] }>(await get(send, editsPath(id))),
  record: jsonOf<{ edit?: object }>(await get(send, `/v1/task/${id}`)).edit,
});

export const STOPPED_EDIT_CASES: readonly ConformanceCase[] = [
  ...(
    [
      ['an image', 'anonymised', [filePart()], IMAGE_EDITS],
      ['a video', 'video/anonymised', [filePart(RAMP_MP4, 'ramps.mp4', 'video/mp4')], VIDEO_EDITS],
    ] as const
  ).map(([name, download, parts, edits]): ConformanceCase => ({
    rule: `edits of ${name} that are stopped leave the result and its edits, and can be sent again`,
    run: async (send) => {
      const id = await uploadedId(send, { parts, query: 'face=true' });
      const before = await stateOf(send, id, download);
      await editAndStop(send, id, edits);
      const after = await stateOf(send, id, download);
      mustBe([after.edits, after.record], [before.edits, undefined], 'the edits, and those of the record');
      mustHaveStatus(await get(send, `/v1/file/${id}/${download}`), 200);
      mustHaveStatus(await putEdits(send, id, edits), 200);
      mustBe((await stateOf(send, id, download)).edits.areas, edits.areas, 'the areas');
    },
  })),
  {
    rule: 'edits that are applied are not stopped any more, and stay',
    run: async (send) => {
      const id = await uploadedId(send);
      for (const edits of [{}, IMAGE_EDITS]) {
        mustHaveStatus(await putEdits(send, id, edits), 200);
        const before = await stateOf(send, id, 'anonymised');
        const stop = await remove(send, editsPath(id));
        mustHaveStatus(stop, 200);
        mustBe(jsonOf<{ stopped: boolean }>(stop).stopped, false, 'stopped');
        mustBe(await stateOf(send, id, 'anonymised'), before, 'the result and its edits');
      }
    },
  },
  {
    rule: 'edits with another ETag than that of If-Match are not stopped',
    run: async (send) => {
      const id = await uploadedId(send);
      const { etag = '' } = (await get(send, editsPath(id))).headers;
      mustHaveStatus(await putEdits(send, id, IMAGE_EDITS), 200);
      const stop = (tag: string): Promise<Answer> =>
        send({ method: 'DELETE', url: editsPath(id), headers: { 'if-match': tag } });
      mustRefuse(await stop(etag), 412, 'changed in the meantime');
      mustHaveStatus(await stop('*'), 200);
    },
  },
];
