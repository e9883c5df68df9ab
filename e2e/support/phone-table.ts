import type { Report } from '#shared/api/contract/schemas-report';
import { jsonOf, type Send } from '#shared/testing/conformance';
import { filePart, get } from '#shared/testing/conformance-steps';
import { MARK } from '../../server/testing/side-images';
import type { RefusedFile } from '../../server/testing/phone-clip';
import { expect, type Host } from './hosts';
import { json, postParts } from './upload';

const TITLE = [
  ...['File', 'Host', 'Result', 'Images', 'Size', 'Colours', 'Tone at', 'Removed', 'Kept', 'Hidden'],
] as const;
type Column = (typeof TITLE)[number];
/** One line of the table; what does not apply to a file is absent. */
export type Row = Readonly<Partial<Record<Column, string>>>;
const rows: Row[] = [];

export const addRow = (row: Row): void => void rows.push(row);

export const printRows = (): void => {
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  const lines = rows.map((row) => line(TITLE.map((column) => row[column] ?? '')));
  if (rows.length > 0) console.log([line(TITLE), line(TITLE.map(() => '---')), ...lines].join('\n'));
};

/** Name of a file on a disk. */
export const nameOf = (title: string, extension: string): string =>
  `${title.replaceAll(/\W+/g, '-')}.${extension}`;

/** What every accepted file states. */
export interface Expected {
  readonly projection?: string;
  readonly removed: readonly string[];
  readonly kept: readonly string[];
  readonly chart?: string;
}

/** Uploads a file, and checks what its report says. @returns the id of the task, and cells of the row */
export const accept = async (
  send: Send,
  [name, bytes]: readonly [name: string, bytes: Uint8Array],
  expected: Expected,
  what: string,
): Promise<{ readonly id: string; readonly report: Report; readonly row: Row }> => {
  const query = `format=auto${keeps(expected) ? '&keep-metadata=true' : ''}`;
  const answer = await postParts(send, [filePart(bytes, name)], query);
  expect(answer.status, `${what}: ${new TextDecoder().decode(answer.body.subarray(0, 500))}`).toBe(200);
  const { id } = jsonOf<{ id: string }>(answer);
  const report = jsonOf<Report>(await get(send, `/v1/file/${id}/report`));
  const { removed = [], kept = [] } = report.metadata ?? {};
  const found = [report.projection ?? undefined, report.tone_mapped ?? undefined, removed, kept];
  const { projection, chart } = expected;
  expect.soft(found, what).toEqual([projection, chart, expected.removed, expected.kept]);
  return {
    ...{ id, report },
    row: {
      ...{ Result: 'done', Removed: removed.join(', '), Kept: kept.join(', ') },
      ...(chart && { Colours: `${chart} → BT.709` }),
    },
  };
};

/** Kinds that stay without a request, because players need them. */
const ALWAYS_KEPT = ['panorama'];
/** Whether a file is uploaded with the request to keep metadata. */
export const keeps = ({ kept }: Pick<Expected, 'kept'>): boolean =>
  kept.some((kind) => !ALWAYS_KEPT.includes(kind));

/** Nothing that a source says next to its images is in a result. */
export const requireNoMark = (result: Uint8Array, what: string): void =>
  expect.soft(Buffer.from(result).includes(MARK), `${what}: a mark of the source`).toBe(false);

export const checkRefusal = async (
  title: string,
  { bytes, sentence, extension = 'mov' }: RefusedFile,
  host: Host,
  send: Send,
): Promise<void> => {
  const file = filePart(await bytes(), nameOf(title, extension));
  const answer = await postParts(send, [file], 'format=auto');
  const { detail } = json<{ detail: string }>(answer);
  expect.soft([answer.status, detail], `${title}, ${host}`).toEqual([422, expect.stringMatching(sentence)]);
  addRow({ File: title, Host: host, Result: detail });
};
