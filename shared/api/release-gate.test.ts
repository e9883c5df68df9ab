import { describe, expect, it } from 'vitest';
import type { TaskResponse } from './contract/schemas-tasks';
import { jsonOf, mustHaveStatus, mustRefuse, type Answer, type Send } from '../testing/conformance';
import { SCOPE_TOKENS } from '../testing/conformance-scopes';
import { filePart, get, putJson, uploadedId } from '../testing/conformance-steps';
import { createFakeVideoEngine } from '../testing/fake-video-engine';
import { createInProcessHost, type InProcessParts } from '../testing/in-process-host';
import { createMemoryTaskStore } from '../testing/memory-task-store';
import { createMemoryStorage } from '../testing/memory-storage';
import { RAMP_MP4, RAMP_VIDEO } from '../testing/video-files';
import { ROUTE_NAMES, ROUTES, type Route, type RouteName } from './contract/routes';

const access: NonNullable<InProcessParts['access']> = {
  scopesOf: (authorization = '') => {
    const found = SCOPE_TOKENS.find(({ token }) => authorization === `Bearer ${token}`);
    return found && new Set(found.scopes);
  },
};

/** Sends as the holder of the token with one scope. */
const as =
  (send: Send, scope: (typeof SCOPE_TOKENS)[number]['scopes'][number]): Send =>
  (request) => {
    const { token } = SCOPE_TOKENS.find(({ scopes }) => scopes[0] === scope)!;
    return send({ ...request, headers: { ...request.headers, authorization: `Bearer ${token}` } });
  };

const open = (parts: InProcessParts = {}, releaseGate = true) => {
  const engine = createFakeVideoEngine({ frameCount: RAMP_VIDEO.frames });
  const { send } = createInProcessHost({ releaseGate }, { engine, access, ...parts });
  const [uploader, reader, editor] = [as(send, 'upload'), as(send, 'read'), as(send, 'edit')];
  return { uploader, reader, editor, everything: as(send, 'all') };
};
type Host = ReturnType<typeof open>;

const VIDEO = { parts: [filePart(RAMP_MP4, 'ramps.mp4', 'video/mp4')] };
const AREA = { type_label: 'face', shape: 'box', bbox: [1, 1, 9, 9] };
const EDITS = { areas: [AREA] };
const editsOf = (id: string): string => `/v1/task/${id}/edits`;
const anonymisedOf = (id: string): string => `/v1/file/${id}/anonymised`;

const release = ({ editor }: Host, id: string, headers = {}, query = ''): Promise<Answer> =>
  editor({ method: 'POST', url: `/v1/file/${id}/release${query}`, headers });
const recordOf = async ({ reader }: Host, id: string): Promise<TaskResponse> =>
  jsonOf<TaskResponse>(await get(reader, `/v1/task/${id}`));

/** What a reviewer needs, what tells only of the task, and what has no result. A new endpoint is in no list, and is tested. */
const WITHOUT_RESULT: readonly RouteName[] = [
  ...([
    'getTask',
    'watchTask',
    'getSubject',
    'listSubjects',
    'listTasks',
    'getStatus',
    'getOpenApi',
  ] as const),
  ...(['getEdits', 'getCandidates', 'getDecisions'] as const),
];
const DOWNLOADS = ROUTE_NAMES.filter(
  (name) => ROUTES[name].method === 'GET' && !WITHOUT_RESULT.includes(name),
);

/** Asks for everything of a task that others may download. */
const statusesOf = async (send: Send, id: string, query = '') =>
  Promise.all(
    DOWNLOADS.map(async (name) => {
      const answer = await get(send, ROUTES[name].path.replace('{id}', id) + query);
      return [name, answer] as const;
    }),
  );

const NOT_RELEASED = 'a reviewer must release it first';

describe.each([
  ['an image', undefined, EDITS],
  ['a video', VIDEO, { areas: [{ ...AREA, frame: 1 }] }],
])('of %s behind the gate', (_, upload, edits) => {
  it('nothing can be downloaded before the release, and all of it afterwards', async () => {
    const host = open();
    const id = await uploadedId(host.uploader, upload);
    for (const send of [host.reader, host.everything]) {
      for (const [, answer] of await statusesOf(send, id)) mustRefuse(answer, 422, NOT_RELEASED);
    }
    mustHaveStatus(await release(host, id), 200);
    const answers = (await statusesOf(host.reader, id)).map(([, { status }]) => status);
    expect(answers.filter((status) => status === 200).length).toBeGreaterThanOrEqual(5);
    for (const [, answer] of await statusesOf(host.reader, id)) {
      expect(new TextDecoder().decode(answer.body)).not.toContain(NOT_RELEASED);
    }
  });

  it('a reviewer sees the result before, and nobody else does', async () => {
    const host = open();
    const id = await uploadedId(host.uploader, upload);
    // Downloads require the scope `read`, too: that of everything has both.
    const reviewed = (await statusesOf(host.everything, id, '?for-review=true')).map(([, one]) => one.status);
    mustHaveStatus(await release(host, id), 200);
    expect(reviewed).toEqual((await statusesOf(host.reader, id)).map(([, one]) => one.status));
    for (const [, answer] of await statusesOf(host.reader, id, '?for-review=true')) {
      mustRefuse(answer, 403, '`edit`');
    }
  });

  it('an edit revokes the release at once, and so does a decision', async () => {
    const host = open();
    const id = await uploadedId(host.uploader, upload);
    mustHaveStatus(await release(host, id), 200);
    mustHaveStatus(await putJson(host.editor, editsOf(id), edits), 200);
    for (const [, answer] of await statusesOf(host.reader, id)) mustRefuse(answer, 422, NOT_RELEASED);
    mustHaveStatus(await release(host, id), 200);
    const decisions = [{ decision: 'visible', type_label: 'face', bbox: [1, 2, 9, 8] }];
    mustHaveStatus(await putJson(host.editor, `/v1/task/${id}/decisions`, { decisions }), 200);
    for (const [, answer] of await statusesOf(host.reader, id)) mustRefuse(answer, 422, NOT_RELEASED);
  });
});

it('every download of a result is one that waits for a release', () => {
  expect(DOWNLOADS.filter((name) => !(ROUTES[name] as Route).isDownload)).toEqual([]);
  expect(WITHOUT_RESULT.filter((name) => (ROUTES[name] as Route).isDownload)).toEqual([]);
});

it('of two reviewers at once, the one who saw an earlier result releases nothing', async () => {
  const host = open();
  const id = await uploadedId(host.uploader);
  const { etag = '' } = (await get(host.editor, editsOf(id))).headers;
  mustHaveStatus(await putJson(host.editor, editsOf(id), EDITS), 200);
  mustRefuse(await release(host, id, { 'if-match': etag }), 412, 'The edits were changed');
  mustRefuse(await get(host.reader, anonymisedOf(id)), 422, NOT_RELEASED);
  const now = (await get(host.editor, editsOf(id))).headers['etag'] ?? '';
  mustHaveStatus(await release(host, id, { 'if-match': now }), 200);
  mustHaveStatus(await get(host.reader, anonymisedOf(id)), 200);
});

it('the record says who released a result and when, also after a restart', async () => {
  const parts = { taskStore: createMemoryTaskStore(), storage: createMemoryStorage() };
  const host = open(parts);
  const id = await uploadedId(host.uploader);
  expect(await recordOf(host, id)).toMatchObject({ released_at: null });
  mustHaveStatus(await release(host, id, {}, '?reviewer=Zo%C3%AB'), 200);
  const released = { released_at: expect.stringMatching(/^\d{4}-/) as string, released_by: 'Zoë' };
  expect(await recordOf(host, id)).toMatchObject(released);
  const next = open(parts);
  expect(await recordOf(next, id)).toMatchObject(released);
  mustHaveStatus(await get(next.reader, anonymisedOf(id)), 200);
});

it('a release ends with the files', async () => {
  const host = open();
  const id = await uploadedId(host.uploader);
  mustHaveStatus(await release(host, id), 200);
  await host.uploader({ method: 'DELETE', url: `/v1/task/${id}?delete-scope=only-files` });
  expect(await recordOf(host, id)).toMatchObject({ released_at: null });
  mustRefuse(await release(host, id), 422, 'deleted');
});

it('a reviewer whose name is no line is refused, and nothing is released', async () => {
  const host = open();
  const id = await uploadedId(host.uploader);
  mustRefuse(await release(host, id, {}, '?reviewer=a%0Ab'), 422, '`reviewer`');
  mustRefuse(await get(host.reader, anonymisedOf(id)), 422, NOT_RELEASED);
});

it('without the gate, records and downloads are as before, and there is nothing to release', async () => {
  const host = open({}, false);
  const id = await uploadedId(host.uploader);
  expect(await recordOf(host, id)).not.toHaveProperty('released_at');
  mustHaveStatus(await get(host.reader, anonymisedOf(id)), 200);
  mustRefuse(await release(host, id), 422, '--release-gate');
});
