import type { RedactionLog } from '#shared/api/contract/schemas-redactions';
import { jsonOf, mustHaveStatus, type Answer, type Send, type SentPart } from '#shared/testing/conformance';
import { putEdits } from '#shared/testing/conformance-edits';
import { filePart, get, uploadedId } from '#shared/testing/conformance-steps';
import { createRaster } from '#shared/testing/rasters';
import { encodeClip, framesOf } from '../../server/testing/clips';

/**
 * The story of an office: a clip of a reception desk with a screen, two persons and a voice. The screen is hidden by an
 * area, the visitor for a reason, and a name is bleeped; the clerk stays visible.
 */

const [WIDTH, HEIGHT] = [192, 128] as const;
const FRAMES = 8;
const FRAME_SECONDS = 0.04;
export const CLIP_NAME = 'reception.mp4';

export const SCREEN = { topLeftX: 112, topLeftY: 72, width: 64, height: 40, method: 'blacken' } as const;
const VISITOR = { class: 'person', bbox: [16, 16, 48, 120], track: 1 } as const;
const CLERK = { class: 'person', bbox: [64, 16, 96, 120], track: 2 } as const;
const REASONS = [
  { code: 'b6', label: 'Personal privacy', legal_basis: '5 U.S.C. § 552(b)(6)', colour: '#45c4ff' },
];
const CASE = { number: '2026/17', requester: 'Zoë' };
/** The name is said here, in seconds. */
const NAME_SAID = { start: 0.1, end: 0.2 } as const;

const isIn = ([x1, y1, x2, y2]: readonly [number, number, number, number], x: number, y: number): boolean =>
  x >= x1 && x < x2 && y >= y1 && y < y2;

/** Persons are darker than the wall. */
const colourAt = (x: number, y: number): readonly [number, number, number] => {
  const isPerson = isIn(VISITOR.bbox, x, y) || isIn(CLERK.bbox, x, y);
  return isPerson ? [60 + y, 40, 160] : [200, 120 + x / 4, 90 + y];
};

export const receptionClip = (): Promise<Uint8Array> =>
  encodeClip({
    frames: Array.from(
      { length: FRAMES },
      (_, i) => [i * FRAME_SECONDS, createRaster(WIDTH, HEIGHT, colourAt)] as const,
    ),
    sounds: [
      {
        ...{ codec: 'aac', sampleRate: 48_000, numberOfChannels: 1, seconds: 0.4 },
        levelAt: (seconds) => 0.4 * Math.sin(2 * Math.PI * 220 * seconds),
      },
    ],
  });

/** What another detector found: one line for each frame. */
export const FOUND = Array.from({ length: FRAMES }, (_, frame) =>
  JSON.stringify({ width: WIDTH, height: HEIGHT, frame, objects: [VISITOR, CLERK] }),
)
  .join('\n')
  .concat('\n');

/** What the reviewer decides. */
export const EDITS = {
  objects: [
    { id: VISITOR.track, reason: 'b6' },
    { id: CLERK.track, hidden: false },
  ],
  mute: [{ ...NAME_SAID, as: 'bleep', reason: 'b6' }],
  reasons: REASONS,
  case: CASE,
  reviewer: 'Ada',
} as const;

const text = (bytes: Uint8Array): string => new TextDecoder().decode(bytes);

/**
 * Uploads the clip with its detections and the area, and edits it.
 *
 * @param clerk sends as one who may upload @param reviewer as one who may edit
 * @returns the id
 */
export const redactReception = async (clerk: Send, reviewer: Send): Promise<string> => {
  const detections: SentPart = {
    ...{ name: 'detections', filename: 'found.jsonl', contentType: 'application/jsonl' },
    bytes: new TextEncoder().encode(FOUND),
  };
  const parts = [filePart(await receptionClip(), CLIP_NAME, 'video/mp4'), detections];
  const query = new URLSearchParams({ person: 'true', hides: JSON.stringify([SCREEN]) }).toString();
  const id = await uploadedId(clerk, { parts, query });
  mustHaveStatus(await putEdits(reviewer, id, EDITS), 200);
  return id;
};

/** The files of a result by their addresses. */
export const FILES = ['video/anonymised', 'report', 'report.html', 'redactions', 'redactions?format=csv'];

export interface Reception {
  readonly video: Uint8Array;
  readonly report: Uint8Array;
  readonly page: string;
  readonly log: RedactionLog;
  readonly csv: Uint8Array;
}

const bodyOf = async (answer: Promise<Answer>): Promise<Uint8Array> => {
  const got = await answer;
  mustHaveStatus(got, 200);
  return got.body;
};

export const receptionOf = async (send: Send, id: string): Promise<Reception> => {
  const read = (file: string): Promise<Answer> => get(send, `/v1/file/${id}/${file}`);
  return {
    video: await bodyOf(read(FILES[0]!)),
    report: await bodyOf(read(FILES[1]!)),
    page: text(await bodyOf(read(FILES[2]!))),
    log: jsonOf(await read(FILES[3]!)),
    csv: await bodyOf(read(FILES[4]!)),
  };
};

/** The rows of the log that both hosts must write: class, method, reason, and the first and last time. */
export const EXPECTED_ROWS = [
  ['area', 'blacken', null, '00:00:00.000', '00:00:00.280'],
  ['audio', 'bleep', 'b6', '00:00:00.100', '00:00:00.200'],
  ['person', 'blur', 'b6', '00:00:00.000', '00:00:00.280'],
] as const;

export const rowsOf = ({ log }: Reception): readonly (readonly unknown[])[] =>
  log.redactions
    .map((row) => [row.type_label, row.method, row.reason, row.start_time, row.end_time] as const)
    .sort(([a], [b]) => (a < b ? -1 : 1));

/** The mean difference of a result from the clip, per channel, in the places of the story. */
export const changesOf = async (video: Uint8Array): Promise<Readonly<Record<string, number>>> => {
  const [before] = await framesOf(await receptionClip());
  const [after] = await framesOf(video);
  const meanIn = (x1: number, y1: number, x2: number, y2: number): number => {
    let sum = 0;
    for (let y = y1; y < y2; y += 1) {
      for (let x = x1; x < x2; x += 1) {
        for (let c = 0; c < 3; c += 1) {
          const at = 4 * (y * WIDTH + x) + c;
          sum += Math.abs(before!.raster.data[at]! - after!.raster.data[at]!);
        }
      }
    }
    return sum / (3 * (x2 - x1) * (y2 - y1));
  };
  const { topLeftX: x, topLeftY: y } = SCREEN;
  return {
    screen: meanIn(x + 4, y + 4, x + SCREEN.width - 4, y + SCREEN.height - 4),
    visitor: meanIn(16, 16, 48, 120),
    clerk: meanIn(68, 20, 92, 116),
  };
};
