import * as fc from 'fast-check';
import { BROKEN_BODIES, type UPLOADS } from './api-values';

const area = { topLeftX: 1, topLeftY: 1, width: 3, height: 3 };
const text = (value: string): Uint8Array => new TextEncoder().encode(value);

const WHOLE_EDITS = [
  {},
  { objects: [], areas: [], ignores: [area], hides: [{ ...area, method: 'blur' }] },
  { method: 'pixelate', methods: { face: 'blacken' }, thresholds: { face: 0.9 }, keep_metadata: true },
  { areas: [{ type_label: 'face', shape: 'box', bbox: [0, 0, 9, 9], method: 'blur', hidden: false }] },
  { areas: [{ type_label: 'person', shape: 'stroke', points: [[1, 1], [9.5, 9]], radius: 0.5 }] }, // oxfmt-ignore
];
const WRONG_EDITS = [
  [],
  null,
  { areas: [{}] },
  { objects: [{ id: -1 }] },
  { __proto__x: 1 },
  { classes: [] },
  { thresholds: { face: 2 } },
  { areas: [{ type_label: 'face', shape: 'box', bbox: [0, 0, 0, 0] }] },
  { mute: [[0, 1]] },
];

const jsonBody = (value: unknown) => ({
  body: text(JSON.stringify(value)),
  headers: { 'content-type': 'application/json' },
});

const WHOLE_DECISIONS = [
  { decisions: [] },
  { decisions: [{ decision: 'visible', type_label: 'face', bbox: [1, 2, 9, 8] }], reviewer: 'Zoë' },
];
const WRONG_DECISIONS = [
  {},
  [],
  { decisions: [{}] },
  { decisions: [{ decision: 'visible', type_label: 'face' }] },
  { decisions: [{ decision: 'maybe', type_label: 'face', bbox: [1, 2, 9, 8] }] },
  { decisions: [{ decision: 'hidden', type_label: 'face', bbox: [9, 9, 1, 1] }] },
  { decisions: [], at: '2020-01-01' },
];

/** @param field which any JSON value is put into */
const bodies = (whole: readonly object[], wrong: readonly unknown[], field: string): typeof UPLOADS =>
  fc.oneof(
    { arbitrary: fc.constantFrom(...whole).map((one) => ({ ...jsonBody(one), isWhole: true })), weight: 4 },
    { arbitrary: fc.constantFrom(...wrong).map((one) => ({ ...jsonBody(one), isWhole: false })), weight: 4 },
    {
      arbitrary: fc.jsonValue().map((value) => ({ ...jsonBody({ [field]: value }), isWhole: false })),
      weight: 2,
    },
    { arbitrary: BROKEN_BODIES.map((broken) => ({ ...broken, isWhole: false })), weight: 1 },
  );

const EDIT_BODIES = bodies(WHOLE_EDITS, WRONG_EDITS, 'areas');
const DECISION_BODIES = bodies(WHOLE_DECISIONS, WRONG_DECISIONS, 'decisions');

/** JSON bodies of an operation: right, wrong, and whatever else JSON or bytes can hold. */
export const jsonBodies = (operationId: string): typeof UPLOADS =>
  operationId === 'putDecisions' ? DECISION_BODIES : EDIT_BODIES;
