import type { DecisionsResponse } from '../api/contract/schemas-edits';
import type { Report } from '../api/contract/schemas-report';
import { canonicalJson } from '../report/signed-report';
import {
  jsonOf,
  must,
  mustBe,
  mustHaveStatus,
  mustRefuse,
  type Answer,
  type ConformanceCase,
  type Send,
} from './conformance';
import { putEdits } from './conformance-edits';
import { filePart, get, putJson, UNKNOWN_ID, uploadedId } from './conformance-steps';
import { RAMP_MP4 } from './video-files';

const path = (id: string): string => `/v1/task/${id}/decisions`;
const putDecisions = (send: Send, id: string, body: object): Promise<Answer> => putJson(send, path(id), body);
const reportOf = async (send: Send, id: string): Promise<Report> =>
  jsonOf<Report>(await get(send, `/v1/file/${id}/report`));
const decisionsOf = async (send: Send, id: string) =>
  jsonOf<DecisionsResponse>(await get(send, path(id))).decisions;

const PLACE = { decision: 'visible', type_label: 'face', bbox: [1, 2, 9, 8] } as const;
const HIDDEN_PLACE = { ...PLACE, decision: 'hidden' } as const;
const video = { parts: [filePart(RAMP_MP4, 'ramps.mp4', 'video/mp4')] };

/** The decisions without their times, as text that does not depend on the order of fields. */
const withoutTimes = (decisions: Report['edits']['decisions']): string =>
  canonicalJson(decisions.map(({ at: _at, ...one }) => one));

export const DECISION_CASES: readonly ConformanceCase[] = [
  {
    rule: 'decisions about an image are in its report at once, with reviewer and time, and change nothing else',
    run: async (send) => {
      const id = await uploadedId(send);
      const before = await reportOf(send, id);
      mustBe(before.edits.decisions, [], 'the decisions before');
      mustHaveStatus(await putDecisions(send, id, { decisions: [PLACE], reviewer: 'Zoë <Müller>' }), 200);
      const report = await reportOf(send, id);
      const { decisions } = report.edits;
      const expected = canonicalJson([{ ...PLACE, reviewer: 'Zoë <Müller>' }]);
      mustBe(withoutTimes(decisions), expected, 'the decisions');
      must(/^\d{4}-\d\d-\d\dT/.test(decisions[0]?.at ?? ''), 'a time', decisions);
      mustBe(canonicalJson(await decisionsOf(send, id)), canonicalJson(decisions), 'the same decisions');
      mustBe(report.result, before.result, 'the result');
      mustBe([report.edits.count, report.edits.applied], [0, []], 'the edits');
      const page = new TextDecoder().decode((await get(send, `/v1/file/${id}/report.html`)).body);
      must(page.includes('reviewer: Zoë &lt;Müller&gt;'), 'the reviewer on the page', page.slice(0, 200));
      must(page.includes('face at a place without a detection; visible'), 'the decision', page.slice(0, 200));
    },
  },
  {
    rule: 'decisions about tracks and places of a video are in its report at once',
    run: async (send) => {
      const id = await uploadedId(send, video);
      const decisions = [
        { decision: 'hidden', type_label: 'face', id: 0, bbox: [1, 2, 9, 8], time: 0.04 },
        { ...PLACE, time: 0.08 },
      ];
      mustHaveStatus(await putDecisions(send, id, { decisions }), 200);
      const { edits } = await reportOf(send, id);
      mustBe(withoutTimes(edits.decisions), canonicalJson(decisions), 'the decisions');
    },
  },
  {
    rule: 'a repeated decision keeps its reviewer, and a decision that is not repeated is dropped',
    run: async (send) => {
      const id = await uploadedId(send);
      mustHaveStatus(await putDecisions(send, id, { decisions: [PLACE], reviewer: 'Ada' }), 200);
      const both = { decisions: [PLACE, HIDDEN_PLACE], reviewer: 'Zoë' };
      mustHaveStatus(await putDecisions(send, id, both), 200);
      const reviewers = (await decisionsOf(send, id)).map(({ reviewer }) => reviewer);
      mustBe(reviewers, ['Ada', 'Zoë'], 'the reviewers');
      mustHaveStatus(await putDecisions(send, id, { decisions: [HIDDEN_PLACE] }), 200);
      const left = withoutTimes(await decisionsOf(send, id));
      mustBe(left, canonicalJson([{ ...HIDDEN_PLACE, reviewer: 'Zoë' }]), 'the last one');
    },
  },
  {
    rule: 'decisions stay where edits replace the result',
    run: async (send) => {
      const id = await uploadedId(send);
      mustHaveStatus(await putDecisions(send, id, { decisions: [PLACE] }), 200);
      const edits = { areas: [{ type_label: 'face', shape: 'box', bbox: [1, 1, 9, 9] }] };
      mustHaveStatus(await putEdits(send, id, edits), 200);
      mustBe((await reportOf(send, id)).edits.decisions.length, 1, 'the number of decisions');
    },
  },
  {
    rule: 'decisions that name nothing, an unknown object or unknown fields are refused, and change nothing',
    run: async (send) => {
      const id = await uploadedId(send);
      const refused: readonly (readonly [body: object, word: string])[] = [
        [{}, 'decisions'],
        [{ decisions: [{ decision: 'visible', type_label: 'face' }] }, 'decisions[0].bbox'],
        [{ decisions: [{ ...PLACE, id: 99 }] }, 'decisions[0].id'],
        [{ decisions: [{ ...PLACE, time: 1 }] }, 'decisions[0].time'],
        [{ decisions: [{ ...PLACE, decision: 'maybe' }] }, 'decisions[0].decision'],
        [{ decisions: [{ ...PLACE, bbox: [9, 9, 1, 1] }] }, 'decisions[0].bbox'],
        [{ decisions: [PLACE], reviewer: 'a\nb' }, 'reviewer'],
        [{ decisions: [PLACE], at: '2020-01-01' }, 'at'],
      ];
      for (const [body, word] of refused) mustRefuse(await putDecisions(send, id, body), 422, word);
      mustBe(await decisionsOf(send, id), [], 'the decisions');
    },
  },
  {
    rule: 'decisions about an unknown task are 404, and those of a task whose files were deleted are gone',
    run: async (send) => {
      mustRefuse(await putDecisions(send, UNKNOWN_ID, { decisions: [] }), 404);
      const id = await uploadedId(send);
      mustHaveStatus(await putDecisions(send, id, { decisions: [PLACE] }), 200);
      await send({ method: 'DELETE', url: `/v1/task/${id}?delete-scope=only-files` });
      mustRefuse(await get(send, path(id)), 422, 'deleted');
      mustRefuse(await putDecisions(send, id, { decisions: [PLACE] }), 422, 'deleted');
    },
  },
];
