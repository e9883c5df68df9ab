import { describe, expect, test } from 'vitest';
import { CONFORMANCE_CASES } from '../testing/conformance-cases';
import type { Engine } from '../ports/host-engine';
import { createFakeEngine } from '../testing/fake-engine';
import { createFakeVideoEngine } from '../testing/fake-video-engine';
import { SPEC_ROWS } from '../testing/spec-rows';
import { ROUTE_NAMES, ROUTES } from './contract/routes';
import { matchRoute } from './http/match-route';
import { createInProcessHost } from '../testing/in-process-host';
import { RAMP_VIDEO } from '../testing/video-files';

/** Processing time that is long enough for the next request to arrive before queued tasks start. */
const workFor = () => new Promise<void>((resolve) => setTimeout(resolve, 5));

const createEngine = (): Engine => {
  const engine = createFakeVideoEngine({ frameCount: RAMP_VIDEO.frames }, createFakeEngine(workFor));
  return {
    ...engine,
    renderImage: (...job) => workFor().then(() => engine.renderImage(...job)),
    renderVideo: (...job) => workFor().then(() => engine.renderVideo(...job)),
  };
};

describe('conformance, in process', () => {
  /** Names of the routes that answered a case with 200. */
  const answered = new Set<string>();

  test.each(CONFORMANCE_CASES)('$rule', async ({ run, host }) => {
    const { send, log, received } = createInProcessHost(host, { engine: createEngine() });
    await run(async (request) => {
      const answer = await send(request);
      const { name } = answer.status === 200 ? matchRoute(request.method, request.url) : { name: '' };
      answered.add(name);
      return answer;
    });
    expect(log.causes).toEqual([]);
    expect(received.filter((file) => file.isHeld())).toEqual([]);
  });

  test('every route was answered with 200 in at least one case', () => {
    // These need a photo of a face: `subjects.test.ts` checks them.
    for (const name of ['createSubject', 'getSubject', 'deleteSubject']) answered.add(name);
    answered.add('releaseFile'); // only behind a gate, with tokens: `release-gate.test.ts`
    const silent = ROUTE_NAMES.filter((name) => !answered.has(name)).map((name) => ROUTES[name].path);
    expect(silent).toEqual([]);
  });

  test('every row of the tables of the contract has a case', () => {
    const rules = CONFORMANCE_CASES.map(({ rule }) => rule);
    const bare = Object.entries(SPEC_ROWS).flatMap(([table, rows]) =>
      rows
        .filter(([, wanted]) => !rules.some((rule) => wanted.test(rule)))
        .map(([row]) => `${table}: ${row}`),
    );
    expect(bare).toEqual([]);
  });

  test('the names of cases are unique', () => {
    const rules = CONFORMANCE_CASES.map(({ rule }) => rule);
    expect(new Set(rules).size).toBe(rules.length);
  });
});
