import type { Report } from '../api/contract/schemas-report';
import { canonicalJson } from '../report/signed-report';
import { jsonOf, mustBe, mustHaveStatus, mustRefuse, type ConformanceCase, type Send } from './conformance';
import { editsPath, putEdits } from './conformance-edits';
import { get, upload, uploadedId } from './conformance-steps';

const B6 = { code: 'b6', label: 'Personal privacy', legal_basis: '5 U.S.C. § 552(b)(6)', colour: '#45c4ff' };
const B7 = { code: 'b7', label: 'Law enforcement' };
const AREA = { type_label: 'face', shape: 'box', bbox: [1, 1, 9, 9] } as const;

/** The query of an upload with reasons. */
export const reasonQuery = (
  parameters: Readonly<Record<string, string>> = {},
  reasons: readonly object[] = [B6, B7],
): string => new URLSearchParams({ reasons: JSON.stringify(reasons), ...parameters }).toString();

const uploadWith = (send: Send, ...query: Parameters<typeof reasonQuery>): Promise<string> =>
  uploadedId(send, { query: reasonQuery(...query) });

const REFUSED_UPLOADS: readonly (readonly [query: string, sentence: string])[] = [
  ['reasons=b6', '`reasons` must be a JSON array'],
  [`reasons=${encodeURIComponent('{"code":"b6"}')}`, '`reasons` must be a JSON array'],
  [reasonQuery({}, [{ code: 'b6' }]), '`reasons[0].label` is missing'],
  [reasonQuery({}, [{ ...B6, colour: 'red' }]), '`reasons[0].colour` must be a colour'],
  [reasonQuery({}, [{ ...B6, basis: 'x' }]), '"basis"'],
  [reasonQuery({}, [{ ...B6, label: 'a\nb' }]), '`reasons[0].label`'],
  [reasonQuery({}, [B6, B7, B6]), '`reasons[2].code` must be another code than those before it, not "b6"'],
  [
    reasonQuery(
      {},
      Array.from({ length: 201 }, (_, i) => ({ code: `${i}`, label: 'x' })),
    ),
    'at most 200',
  ],
  [reasonQuery({ 'face-reason': 'b5' }), '`face-reason` must be one of the codes b6, b7, not "b5"'],
  [`reasons=${encodeURIComponent('[]')}&face-reason=b6`, '`face-reason` must be absent without `reasons`'],
  [`operator=${'a'.repeat(201)}`, '`operator`'],
  [`case-number=${encodeURIComponent('a\u202eb')}`, '`case-number`'],
];

const REFUSED_EDITS: readonly (readonly [edits: object, sentence: string])[] = [
  [{ objects: [{ id: 0, reason: 'b5' }] }, '`objects[0].reason` must be one of the codes b6, b7, not "b5"'],
  [{ areas: [AREA, { ...AREA, reason: 'b5' }] }, '`areas[1].reason`'],
  [{ class_reasons: { person: 'b5' } }, '`class_reasons.person`'],
  [{ class_reasons: { cat: 'b6' } }, '"cat"'],
  // The upload gave faces the reason b6.
  [{ reasons: [B7] }, '`class_reasons.face` must be one of the codes b7, not "b6"'],
  [{ reasons: [B6, B6] }, '`reasons[1].code`'],
  [{ reasons: [], class_reasons: {}, areas: [{ ...AREA, reason: 'b6' }] }, 'absent without `reasons`'],
  [{ case: { number: '' } }, '`case.number`'],
  [{ case: { name: 'x' } }, '"name"'],
];

export const REASON_CASES: readonly ConformanceCase[] = [
  {
    rule: 'reasons of an upload, its classes and its case are parameters of its report',
    run: async (send) => {
      const given = {
        ...{ 'face-reason': 'b6', 'case-number': '2026/17', requester: 'Zoë', recipient: 'A & B' },
        operator: 'Ada',
      };
      const id = await uploadWith(send, given);
      const { parameters } = jsonOf<Report>(await get(send, `/v1/file/${id}/report`));
      for (const [name, value] of Object.entries(given)) mustBe(parameters[name], value, name);
      mustBe(parameters['reasons'], JSON.stringify([B6, B7]), 'the reasons');
    },
  },
  {
    rule: 'edits keep the reasons of objects, areas and classes, and their own list of reasons',
    run: async (send) => {
      const id = await uploadWith(send);
      for (const edits of [
        { areas: [{ ...AREA, reason: 'b7' }], class_reasons: { face: 'b6' } },
        { areas: [{ ...AREA, reason: 'x' }], reasons: [{ code: 'x', label: 'X' }], case: { number: '1' } },
        { areas: [{ ...AREA, reason: 'b6' }] },
      ]) {
        mustHaveStatus(await putEdits(send, id, edits), 200);
        const expected = canonicalJson({ objects: [], ...edits });
        mustBe(canonicalJson(jsonOf(await get(send, editsPath(id)))), expected, 'the edits');
      }
    },
  },
  {
    rule: 'a reason alone changes no pixel',
    run: async (send) => {
      const id = await uploadWith(send);
      const image = async () => [...(await get(send, `/v1/file/${id}/anonymised`)).body];
      mustHaveStatus(await putEdits(send, id, { areas: [AREA] }), 200);
      const before = await image();
      mustHaveStatus(await putEdits(send, id, { areas: [{ ...AREA, reason: 'b6' }] }), 200);
      mustBe(await image(), before, 'the image');
    },
  },
  {
    rule: 'reasons that are unknown, removed, repeated or malformed are refused with one sentence, and change nothing',
    run: async (send) => {
      for (const [query, sentence] of REFUSED_UPLOADS) {
        mustRefuse(await upload(send, { query }), 422, sentence);
      }
      const id = await uploadWith(send, { 'face-reason': 'b6' });
      for (const [edits, sentence] of REFUSED_EDITS) {
        mustRefuse(await putEdits(send, id, edits), 422, sentence);
      }
      mustBe(jsonOf(await get(send, editsPath(id))), { objects: [], areas: [] }, 'the edits');
    },
  },
];
