import type { Report } from '../api/contract/schemas-report';
import type { RedactionLog } from '../api/contract/schemas-redactions';
import { toHex } from '../report/byte-text';
import { canonicalJson } from '../report/signed-report';
import {
  jsonOf,
  mustBe,
  mustHaveStatus,
  mustHaveType,
  mustRefuse,
  type ConformanceCase,
  type Send,
} from './conformance';
import { editsPath, putEdits } from './conformance-edits';
import { filePart, get, remove, UNKNOWN_ID, upload, uploadedId } from './conformance-steps';
import { RAMP_MP4 } from './video-files';

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

const text = (bytes: Uint8Array): string => new TextDecoder().decode(bytes);
const logPath = (id: string): string => `/v1/file/${id}/redactions`;
const logOf = async (send: Send, id: string): Promise<RedactionLog> => jsonOf(await get(send, logPath(id)));
const digestOf = async (bytes: Uint8Array) => {
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes.slice()));
  return { sha256: toHex(digest), size: bytes.byteLength };
};

const LOG_CASES: readonly ConformanceCase[] = [
  {
    rule: 'the log has a row for each anonymised object, with its reason and by whom it was decided',
    run: async (send) => {
      const id = await uploadWith(send, { 'face-reason': 'b6', 'case-number': '2026/17' });
      const { detections } = jsonOf<{ detections: readonly { score: number }[] }>(
        await get(send, `/v1/file/${id}/metadata`),
      );
      const areas = [
        { ...AREA, reason: 'b7', method: 'blacken' },
        { ...AREA, type_label: 'text' },
      ];
      mustHaveStatus(await putEdits(send, id, { areas, reviewer: 'Zoë' }), 200);
      const log = await logOf(send, id);
      mustBe(log.case, { number: '2026/17' }, 'the case');
      mustBe(log.redactions.length, detections.length + 2, 'the number of rows');
      mustBe(
        log.redactions.map(({ number }) => number),
        log.redactions.map((_, i) => i + 1),
        'the numbers',
      );
      const found = log.redactions.find(({ type_label: name }) => name === 'face');
      mustBe([found?.reason, found?.decided_by], ['b6', 'automatic'], 'a detected face');
      const facts = log.redactions
        .slice(-2)
        .map((one) => [one.reason, one.legal_basis, one.method, one.decided_by, one.reviewer, one.score]);
      const expected = [
        ['b7', null, 'blacken', 'reviewer', 'Zoë', null],
        [null, null, 'blur', 'reviewer', 'Zoë', null],
      ];
      mustBe(facts, expected, 'the drawn areas');
      const { result } = jsonOf<Report>(await get(send, `/v1/file/${id}/report`));
      mustBe(log.result_sha256, result?.sha256, 'the result');
    },
  },
  {
    rule: 'an object keeps its reason in the log when others are shown',
    run: async (send) => {
      const id = await uploadWith(send);
      const [first, second] = jsonOf<{ candidates: readonly { id: number; score: number }[] }>(
        await get(send, `/v1/task/${id}/candidates`),
      ).candidates;
      if (!first || !second) return; // the file has too few objects on this host
      const objects = [
        { id: first.id, hidden: false },
        { id: second.id, method: 'blacken', reason: 'b7' },
      ];
      mustHaveStatus(await putEdits(send, id, { objects }), 200);
      const reasons = (await logOf(send, id)).redactions.filter(({ reason }) => reason !== null);
      mustBe(
        reasons.map((one) => [one.reason, one.score, one.method]),
        [['b7', second.score, 'blacken']],
        'the rows with a reason',
      );
    },
  },
  {
    rule: 'the log as CSV has a line for each row, and no text in it is a formula',
    run: async (send) => {
      const reasons = [{ code: '=1+1', label: 'a, "b"', legal_basis: '@x' }];
      const id = await uploadedId(send, { query: reasonQuery({ 'face-reason': '=1+1' }, reasons) });
      mustHaveStatus(await putEdits(send, id, { areas: [AREA], reviewer: '-1' }), 200);
      const asked = await get(send, `${logPath(id)}?format=csv`);
      mustHaveType(asked, 'text/csv');
      mustBe(asked.headers['content-disposition'], 'inline; filename="ramps-redactions.csv"', 'the name');
      const lines = text(asked.body).split('\r\n');
      const { redactions } = await logOf(send, id);
      mustBe(lines.length, redactions.length + 2, 'the number of lines');
      mustBe(lines[0]?.startsWith('number,file,start_frame,'), true, 'the names of the columns');
      const last = redactions.at(-1);
      const cells = `face,blur,'=1+1,"a, ""b""",'@x,reviewer,'-1,,${last?.share}`;
      mustBe(lines.at(-2), `${last?.number},ramps.jpg,,,,,,${cells}`, 'the last line');
      const accepted = await send({ method: 'GET', url: logPath(id), headers: { accept: 'text/csv' } });
      mustBe(text(accepted.body), text(asked.body), 'the answer by `Accept`');
      mustRefuse(await get(send, `${logPath(id)}?format=xml`), 422, '`format` must be one of json, csv');
    },
  },
  {
    rule: 'the report contains the digests of both forms of the log, also for another download',
    run: async (send) => {
      for (const parts of [undefined, [filePart(RAMP_MP4, 'ramps.mp4', 'video/mp4')]]) {
        const id = await uploadedId(send, { ...(parts && { parts }), query: reasonQuery() });
        const [json, csv] = [await get(send, logPath(id)), await get(send, `${logPath(id)}?format=csv`)];
        mustBe(text(json.body), canonicalJson(jsonOf(json)), 'the text');
        for (const query of parts ? [''] : ['', '?download=PNG']) {
          const { redactions } = jsonOf<Report>(await get(send, `/v1/file/${id}/report${query}`));
          mustBe(canonicalJson(redactions.json), canonicalJson(await digestOf(json.body)), 'the JSON');
          mustBe(canonicalJson(redactions.csv), canonicalJson(await digestOf(csv.body)), 'the CSV');
          mustBe(redactions.count, jsonOf<RedactionLog>(json).redactions.length, 'the number of rows');
        }
      }
    },
  },
  {
    rule: 'the log of a video names frames and times of tracks and drawn areas',
    run: async (send) => {
      const parts = [filePart(RAMP_MP4, 'ramps.mp4', 'video/mp4')];
      const id = await uploadedId(send, { parts, query: reasonQuery({ 'face-reason': 'b6' }) });
      const area = { ...AREA, type_label: 'text', frame: 1, from: 1, to: 2, reason: 'b7' };
      mustHaveStatus(await putEdits(send, id, { areas: [area] }), 200);
      const { redactions } = await logOf(send, id);
      const drawn = redactions.find(({ reason }) => reason === 'b7');
      // Fakes follow no area.
      if (drawn) mustBe([drawn.type_label, drawn.decided_by, drawn.score], ['text', 'reviewer', null], 'it');
      for (const { start_time: start, end_time: end, start_frame: first, end_frame: last } of redactions) {
        const isCode = [start, end].every((time) => /^00:00:0\d\.\d{3}$/.test(time ?? ''));
        mustBe(isCode, true, 'time codes');
        mustBe((first ?? 0) <= (last ?? -1) && (start ?? '') <= (end ?? ''), true, 'a start before the end');
      }
    },
  },
  {
    rule: 'the printed report has the case and the redactions only where they are stated',
    run: async (send) => {
      const pageOf = async (query?: string) => {
        const id = await uploadedId(send, query === undefined ? {} : { query });
        mustHaveStatus(await putEdits(send, id, { areas: [AREA] }), 200);
        return text((await get(send, `/v1/file/${id}/report.html`)).body);
      };
      const plain = await pageOf();
      const stated = await pageOf(reasonQuery({ 'face-reason': 'b6', requester: 'Zoë <x>' }));
      for (const title of ['<h2>Case</h2>', '<h2>Redactions</h2>']) {
        mustBe([plain.includes(title), stated.includes(title)], [false, true], title);
      }
      mustBe(stated.includes('Zoë &lt;x&gt;'), true, 'the requester');
      mustBe(stated.includes('b6, Personal privacy, 5 U.S.C. § 552(b)(6)'), true, 'the reason');
    },
  },
  {
    rule: 'a log is refused for a task that is unknown, and after its files were deleted',
    run: async (send) => {
      mustRefuse(await get(send, logPath(UNKNOWN_ID)), 404, 'no task');
      const id = await uploadWith(send);
      await remove(send, `/v1/task/${id}?delete-scope=only-files`);
      mustRefuse(await get(send, logPath(id)), 422, 'deleted');
    },
  },
];

export const REASON_CASES: readonly ConformanceCase[] = [
  ...LOG_CASES,
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
