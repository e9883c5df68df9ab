import { statedReasons } from '../../../domain/stated-reasons';
import { US_PER_SECOND } from '../../../domain/plan';
import type { Redaction } from '../../../domain/redactions';
import { canonicalJson } from '../../../report/signed-report';
import { factsOfBytes } from '../../../tasks/base/digest';
import type { System } from '../../../ports/system';
import type { Report } from '../../contract/schemas-report';
import { LOG_FORMAT, type RedactionLog } from '../../contract/schemas-redactions';
import type { ReportedTask } from './read-report';

type Row = RedactionLog['redactions'][number];

const MS_PER_SECOND = 1_000;
const padded = (value: number, digits: number): string => String(value).padStart(digits, '0');

/** `01:02:03.456` */
const timeCode = (us: number): string => {
  const ms = Math.round((us / US_PER_SECOND) * MS_PER_SECOND);
  const seconds = Math.floor(ms / MS_PER_SECOND);
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60];
  return `${padded(hours, 2)}:${padded(minutes, 2)}:${padded(seconds % 60, 2)}.${padded(ms % MS_PER_SECOND, 3)}`;
};

const placeOf = ({ frames, timesUs, trackId }: Redaction) => ({
  start_frame: frames ? frames[0] : null,
  end_frame: frames ? frames[1] : null,
  start_time: timesUs ? timeCode(timesUs[0]) : null,
  end_time: timesUs ? timeCode(timesUs[1]) : null,
  track_id: trackId ?? null,
});

const reasonOf = ({ reason }: Redaction) => ({
  reason: reason?.code ?? null,
  reason_label: reason?.label ?? null,
  legal_basis: reason?.legal_basis ?? null,
});

const rowOf = (file: string, redaction: Redaction, index: number): Row => ({
  number: index + 1,
  file,
  ...placeOf(redaction),
  type_label: redaction.objectClass,
  method: redaction.method,
  ...reasonOf(redaction),
  decided_by: redaction.isDecided ? 'reviewer' : 'automatic',
  reviewer: redaction.reviewer ?? null,
  score: redaction.score ?? null,
  share: redaction.share ?? null,
});

/** The log of a task's result. It depends on the task alone, so that it has the same bytes at each download. */
export const redactionLog = ({
  task,
  stored,
  editsInForce,
  redactions,
}: Pick<ReportedTask, 'task' | 'stored' | 'editsInForce' | 'redactions'>): RedactionLog => ({
  format: LOG_FORMAT,
  id: task.id,
  filename: task.filename,
  result_sha256: stored?.sha256 ?? null,
  case: { ...statedReasons(editsInForce, task.options).details },
  redactions: redactions.map((one, i) => rowOf(task.filename, one, i)),
});

const COLUMNS = [
  ...['number', 'file', 'start_frame', 'end_frame', 'start_time', 'end_time', 'track_id', 'type_label'],
  ...['method', 'reason', 'reason_label', 'legal_basis', 'decided_by', 'reviewer', 'score', 'share'],
] as readonly (keyof Row)[];

/** Scores are no more exact, and a table is read by people; JSON has all digits. */
const SCORE_STEPS = 1e4;

/** Spreadsheets take such a text for a formula. */
const FORMULA = /^[=+\-@\t\r]/;

const cell = (value: string | number | null): string => {
  if (value === null) return '';
  if (typeof value === 'number') return String(value);
  const text = FORMULA.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
};

const rounded = ({ score, ...row }: Row): Row => ({
  ...row,
  score: score === null ? null : Math.round(score * SCORE_STEPS) / SCORE_STEPS,
});

/** One line for each redaction, below the names of the columns. @see RFC 4180 */
export const logAsCsv = ({ redactions }: RedactionLog): string =>
  [COLUMNS, ...redactions.map(rounded).map((row) => COLUMNS.map((name) => cell(row[name])))]
    .map((line) => `${line.join(',')}\r\n`)
    .join('');

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);

/** Both forms of a log. */
export interface LogFiles {
  readonly json: Uint8Array;
  readonly csv: Uint8Array;
}

export const logFiles = (log: RedactionLog): LogFiles => ({
  json: bytesOf(canonicalJson(log)),
  csv: bytesOf(logAsCsv(log)),
});

/** By what a report names the log of its result. */
export const describeLog = async (
  log: RedactionLog,
  system: Pick<System, 'sha256'>,
): Promise<Report['redactions']> => {
  const { json, csv } = logFiles(log);
  const [ofJson, ofCsv] = await Promise.all([factsOfBytes(json, system), factsOfBytes(csv, system)]);
  return {
    count: log.redactions.length,
    json: { sha256: ofJson.sha256, size: ofJson.sizeBytes },
    csv: { sha256: ofCsv.sha256, size: ofCsv.sizeBytes },
  };
};
