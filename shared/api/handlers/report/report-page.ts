import { mutedPartOf } from '../../../domain/edits/edits';
import type { Box } from '../../../domain/boxes';
import { REPORTED_CLASSES } from '../../../catalogue/classes';
import { base64 } from '../../../report/byte-text';
import type { RedactionLog } from '../../contract/schemas-redactions';
import type { Report } from '../../contract/schemas-report';

/** The anonymised image, and what was hidden in it. */
export interface ReportImage {
  readonly contentType: string;
  readonly bytes: Uint8Array;
  readonly width: number;
  readonly height: number;
  /** Boxes of anonymised detections. */
  readonly hidden: readonly Box[];
}

/** Longer tables are cut on the page; the JSON has all rows. */
const MAX_ROWS = 500;

/** What the page may load: nothing, apart from its own styles and the image that it contains. */
export const REPORT_PAGE_POLICY =
  "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

const STYLE = `
body { font: 11pt/1.45 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem; color: #111; background: #fff }
h1 { font-size: 18pt } h2 { font-size: 13pt; margin-top: 1.6em }
table { border-collapse: collapse; width: 100% } tr { break-inside: avoid }
th, td { border: 1px solid #999; padding: 0.25em 0.5em; text-align: left; vertical-align: top; overflow-wrap: anywhere }
th { width: 30% } code { font-size: 9pt; overflow-wrap: anywhere }
svg { max-width: 100%; height: auto; border: 1px solid #999 }
.log { font-size: 8.5pt } .log th { width: auto } .log thead { display: table-header-group }
@page { margin: 18mm 15mm; @bottom-right { content: counter(page) " / " counter(pages); font: 9pt system-ui, sans-serif } }`;

const ESCAPED: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};
const escape = (text: string): string => text.replaceAll(/[&<>"']/g, (each) => ESCAPED[each] ?? each);

type Cell = string | number | boolean | null | undefined;
const cellText = (value: Cell): string => escape(String(value ?? 'not recorded'));

const row = (head: string, ...cells: readonly Cell[]): string =>
  `<tr><th scope="row">${escape(head)}</th>${cells.map((cell) => `<td>${cellText(cell)}</td>`).join('')}</tr>`;
const table = (rows: readonly string[]): string => `<table>${rows.join('')}</table>`;
const section = (title: string, ...content: readonly string[]): string =>
  `<section><h2>${escape(title)}</h2>${content.join('')}</section>`;
const list = (items: readonly string[], none: string): string =>
  items.length === 0
    ? `<p>${escape(none)}</p>`
    : `<ul>${items.map((item) => `<li>${escape(item)}</li>`).join('')}</ul>`;

const fileRows = (name: string, { sha256, size }: Report['source']): string[] => [
  row(`SHA-256 of the ${name}`, sha256),
  row(`Size of the ${name} in bytes`, size),
];

const variantText = (variant: NonNullable<Report['result']>['variant']): string =>
  variant
    ? `variant with ${Object.entries(variant)
        .map(([name, value]) => `${name}=${value}`)
        .join(' and ')}`
    : 'stored result';

const filesSection = ({ source, detections, result, tone_mapped: toneMapped }: Report): string =>
  section(
    'Files',
    table([
      ...fileRows('source', source),
      ...(detections ? fileRows('detections', detections) : []),
      ...(toneMapped ? [row('Mapped to standard dynamic range', `from ${toneMapped.toUpperCase()}`)] : []),
      ...(result
        ? [
            row('Result', `${result.content_type}, ${variantText(result.variant)}`),
            ...fileRows('result', result),
          ]
        : [row('Result', 'none')]),
    ]),
  );

const imageSection = ({ contentType, bytes, width, height, hidden }: ReportImage): string => {
  const boxes = hidden.map(
    ({ x1, y1, x2, y2 }, index) =>
      `<g><title>${index + 1}</title><rect x="${x1}" y="${y1}" width="${x2 - x1}" height="${y2 - y1}" fill="none" stroke="#d00" stroke-width="${Math.max(1, Math.round(width / 500))}"/></g>`,
  );
  const image = `<image href="data:${contentType};base64,${base64(bytes)}" width="${width}" height="${height}"/>`;
  return section(
    'Result with anonymised detections',
    `<svg viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-label="The anonymised image">${image}${boxes.join('')}</svg>`,
  );
};

const countText = (counts: Readonly<Record<string, number>>): string =>
  Object.entries(counts)
    .map(([name, count]) => `${name}: ${count}`)
    .join(', ') || 'none';

const rangeText = ({ first, last }: { readonly first: number; readonly last: number }): string =>
  first === last ? `${first}` : `${first} to ${last}`;

const cut = (rows: readonly string[]): string =>
  rows.length > MAX_ROWS ? `<p>The JSON report has ${rows.length - MAX_ROWS} more rows.</p>` : '';

const countsSection = ({ counts, frames }: Report): string => {
  const runs = frames.counts.map((run) =>
    row(`Frames ${rangeText(run)}`, countText(run.detected), countText(run.anonymised)),
  );
  const classes = REPORTED_CLASSES.flatMap((name) => {
    const count = counts[name];
    return count ? [row(name, count.detected, count.anonymised)] : [];
  });
  const empty = frames.without_detections.slice(0, MAX_ROWS).map(rangeText).join(', ') || 'none';
  return section(
    'Detections',
    table(['<tr><th>Class</th><th>Detected</th><th>Anonymised</th></tr>', ...classes]),
    `<p>Number of frames: ${cellText(frames.count)}. Frames without detections: ${escape(empty)}.</p>`,
    table(['<tr><th>Frames</th><th>Detected</th><th>Anonymised</th></tr>', ...runs.slice(0, MAX_ROWS)]),
    cut(runs),
  );
};

const appliedText = ({ version, reviewer, decided }: Report['edits']['applied'][number]): string =>
  [
    `version ${version}`,
    ...(reviewer === undefined ? [] : [`reviewer: ${reviewer}`]),
    ...(decided === undefined ? [] : [`number of objects decided: ${decided}`]),
  ].join('; ');

const decisionText = ({
  decision,
  type_label: name,
  id,
  bbox,
  time,
  reviewer,
}: Report['edits']['decisions'][number]): string =>
  [
    id === undefined ? `${name} at a place without a detection` : `${name}, object ${id}`,
    decision,
    ...(bbox ? [`box: ${bbox.map(Math.round).join(', ')}`] : []),
    ...(time === undefined ? [] : [`time: ${time} s`]),
    ...(reviewer === undefined ? [] : [`reviewer: ${reviewer}`]),
  ].join('; ');

const editsSection = ({ edits: { count, applied, decisions } }: Report): string => {
  const decided = decisions.map((one) => row(one.at, decisionText(one)));
  return section(
    'Edits',
    `<p>Number of times that edits replaced the result: ${count}.</p>`,
    table(applied.map((one) => row(one.at, appliedText(one)))),
    `<p>Number of decisions about single objects and places: ${decisions.length}.</p>`,
    table(decided.slice(0, MAX_ROWS)),
    cut(decided),
  );
};

const audioText = ({
  is_muted: isMuted,
  reencoded_tracks: reencoded,
  dropped_tracks: dropped,
  dropped_codecs: codecs = [],
  reencoded_codecs: encodings = [],
  muted_ranges: ranges,
}: NonNullable<Report['audio']>): string => {
  if (isMuted) return 'muted';
  const names = codecs.length > 0 ? ` (${codecs.join(', ')})` : '';
  const as = encodings.length > 0 ? ` (as ${encodings.join(', ')})` : '';
  const kept = `kept; tracks encoded again: ${reencoded ?? 'not recorded'}${as}, tracks missing: ${dropped ?? 'not recorded'}${names}`;
  const muted = ranges
    .map((range) => {
      const { start, end, as, reason } = mutedPartOf(range);
      const about = [...(as ? [as] : []), ...(reason === undefined ? [] : [reason])];
      return `${start} s to ${end} s${about.length > 0 ? ` (${about.join(', ')})` : ''}`;
    })
    .join(', ');
  return muted ? `${kept}; muted: ${muted}` : kept;
};

const trackRows = (tracks: Report['tracks']): string[] =>
  tracks
    ? [
        row('Tracks in the result', countText(tracks.in_result)),
        row('Removed tracks', countText(tracks.removed)),
      ]
    : [row('Removed tracks', null)];

const keptRow = (metadata: Report['metadata']): string =>
  row('Kinds of which fields are kept', metadata ? metadata.kept.join(', ') || 'none' : null);

const keptInVideo = (metadata: Report['metadata']): string =>
  metadata?.kept.length ? keptRow(metadata) : row('Metadata', 'none in the result');

const removalsSection = ({ metadata, tracks, audio }: Report): string =>
  section(
    'Metadata and audio',
    table([
      row('Removed kinds of metadata', metadata ? metadata.removed.join(', ') || 'none found' : null),
      ...(audio
        ? [keptInVideo(metadata), ...trackRows(tracks), row('Audio', audioText(audio))]
        : [keptRow(metadata)]),
    ]),
  );

const CASE_ROWS = {
  number: 'Case number',
  requester: 'Requester',
  recipient: 'Recipient',
  operator: 'Operator',
} as const satisfies Record<keyof RedactionLog['case'], string>;

/** Absent where nothing is stated of a case. */
const caseSection = ({ case: details }: RedactionLog): readonly string[] => {
  const rows = (Object.keys(CASE_ROWS) as (keyof typeof CASE_ROWS)[]).flatMap((name) =>
    details[name] === undefined ? [] : [row(CASE_ROWS[name], details[name])],
  );
  return rows.length > 0 ? [section('Case', table(rows))] : [];
};

const spanText = (start: Cell, end: Cell): string => (start === end ? `${start}` : `${start} to ${end}`);

const placeText = (one: RedactionLog['redactions'][number]): string =>
  [
    ...(one.start_time === null ? [] : [spanText(one.start_time, one.end_time)]),
    ...(one.start_frame === null ? [] : [`frames ${spanText(one.start_frame, one.end_frame)}`]),
  ].join('; ');

const HEADS = ['No.', 'Where', 'Class', 'Method', 'Reason', 'Decided by', 'Score', 'Share of the frame'];
const PERCENT = 100;

const logRow = (one: RedactionLog['redactions'][number]): string => {
  const reason = [one.reason, one.reason_label, one.legal_basis].filter((part) => part !== null).join(', ');
  const share = one.share === null ? '' : `${(one.share * PERCENT).toFixed(2)} %`;
  const cells = [
    ...[one.number, placeText(one), one.type_label, one.method, reason, one.reviewer ?? one.decided_by],
    ...[one.score?.toFixed(2) ?? '', share],
  ];
  return `<tr>${cells.map((one) => `<td>${cellText(one)}</td>`).join('')}</tr>`;
};

/** Absent where no reason is stated: the table is for those who must state them. */
const logSection = ({ redactions }: RedactionLog): readonly string[] => {
  if (redactions.every(({ reason }) => reason === null)) return [];
  const head = `<thead><tr>${HEADS.map((one) => `<th scope="col">${one}</th>`).join('')}</tr></thead>`;
  const rows = redactions.map(logRow);
  const body = `<tbody>${rows.slice(0, MAX_ROWS).join('')}</tbody>`;
  const left = rows.length - MAX_ROWS;
  return [
    section(
      'Redactions',
      `<table class="log">${head}${body}</table>`,
      left > 0 ? `<p>The log has ${left} more rows.</p>` : '',
    ),
  ];
};

const processingSection = ({ version, models, parameters, ignored_parameters: ignored }: Report): string =>
  section(
    'Processing',
    table([
      row('Version of Veil', version),
      ...(models?.map(({ id, sha256 }) => row(`Model ${id}`, sha256)) ?? [row('Models', null)]),
      ...Object.entries(parameters).map(([name, value]) => row(name, value)),
      ...(ignored ? [row('Ignored parameters', ignored.join(', '))] : []),
    ]),
  );

const signatureSection = ({ signature }: Report): string =>
  section(
    'Signature',
    signature
      ? table([
          row('Algorithm', signature.algorithm),
          row('Public key', signature.public_key),
          row('Signature of the JSON report', signature.value),
        ])
      : '<p>The report is not signed.</p>',
  );

/** A printable page of a report, as one file. It contains no pixels of the source. */
export const reportPage = (report: Report, log: RedactionLog, image: ReportImage | undefined): string => {
  const { filename, id, created_at: created, started_at: started, finished_at: finished } = report;
  const body = [
    `<h1>Report: ${escape(filename)}</h1>`,
    table([
      row('Task', id),
      row('Uploaded (UTC)', created),
      row('Started (UTC)', started),
      row('Finished (UTC)', finished),
    ]),
    ...caseSection(log),
    section('Warnings', list(report.warnings, 'None.')),
    filesSection(report),
    ...(image ? [imageSection(image)] : []),
    countsSection(report),
    ...logSection(log),
    editsSection(report),
    removalsSection(report),
    processingSection(report),
    signatureSection(report),
  ];
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<meta name="robots" content="noindex"><title>Report: ${escape(filename)}</title><style>${STYLE}</style></head>
<body>${body.join('\n')}</body></html>
`;
};
