import type { ImageEncoding } from '../../../ports/engine';
import { isKeptKind, METADATA_KINDS, type FileFacts, type MetadataKind } from '../../../domain/image-header';
import type { VideoLosses, Task, PendingEdit } from '../../../domain/task';
import { REPORT_FORMAT, type FileDigest, signReport, canonicalJson } from '../../../report/signed-report';
import { isoTime } from '../../../tasks/base/iso-time';
import type { Report } from '../../contract/schemas-report';
import { projectionWarning } from '../../../domain/projection';
import { isoTimeOrNull, projectionOf, toneMappedOf } from '../task-handlers';
import {
  type ReportedFile,
  type ReportedTask,
  type UnsignedReport,
  type ReportReading,
  readReportedTask,
  readResultImage,
} from './read-report';
import { bagChanges } from '../../../domain/bag';
import { namedClasses } from '../../../catalogue/classes';
import { camel, namesOn, PARAMETERS } from '../../../catalogue/derive-parameters';
import { thresholdIn, type ImageOptions, type RequestedTiling } from '../../../domain/options';
import { reportName } from '../../http/filename';
import { REPORT_PAGE_POLICY, reportPage } from './report-page';
import { describeLog, logFiles, redactionLog, type LogFiles } from './redaction-log';
import type { RedactionLog } from '../../contract/schemas-redactions';

type Parameters = Report['parameters'];

/** A tiling as the text that a query has for it. */
export const formatText = (tiling: RequestedTiling): string => {
  if (tiling.kind === 'pano') return `pano:${tiling.width}`;
  if (tiling.kind !== 'grid') return tiling.kind;
  return JSON.stringify({ number: tiling.number, overlap: tiling.overlap });
};

const ignoresText = ({ ignores }: ImageOptions): string =>
  JSON.stringify(ignores.map(({ x, y, width, height }) => ({ topLeftX: x, topLeftY: y, width, height })));

const classParameters = ({
  classes,
  thresholds,
  methods = {},
  margins = {},
  reasons,
  classReasons = {},
}: ImageOptions): Parameters =>
  Object.fromEntries([
    ...namedClasses(classes).flatMap((name) => [
      [name, classes.includes(name)],
      [`${name}-threshold`, thresholdIn(thresholds, name)],
    ]),
    ...Object.entries(methods).map(([name, own]) => [`${name}-method`, own]),
    ...Object.entries(margins).map(([name, own]) => [`${name}-margin`, own]),
    ...(reasons ? [['reasons', JSON.stringify(reasons)]] : []),
    ...Object.entries(classReasons).map(([name, code]) => [`${name}-reason`, code]),
  ]) as Parameters;

/** The query of an upload with the same options, with all defaults. @param keepMetadata as the service decided */
const reportParameters = (
  { options, video }: Pick<Task, 'options' | 'video'>,
  keepMetadata: boolean,
): Parameters => {
  const { hides } = options;
  const texts = {
    ...{ format: formatText(options.format), ignores: ignoresText(options), keepMetadata },
    ...(hides && { hides: JSON.stringify(hides) }),
  };
  const values: Readonly<Record<string, unknown>> = { ...options, ...video, ...texts };
  const names = namesOn('all', 'images', ...(video ? (['videos'] as const) : []));
  return {
    ...classParameters(options),
    ...(Object.fromEntries(
      names
        .filter((name) => !PARAMETERS[name].isUnreported && values[camel(name)] !== undefined)
        .map((name) => [name, values[camel(name)]]),
    ) as Parameters),
  };
};

type Facts = Omit<UnsignedReport, 'warnings'>;

/** Names of the facts that were not recorded. */
const unrecorded = ({ result, metadata, tracks, audio, edits }: Facts): string[] => [
  ...(metadata === null && result !== null ? ['metadata'] : []),
  ...(tracks === null && result !== null && audio !== null ? ['tracks'] : []),
  ...(edits.applied.length < edits.count ? ['edits.applied'] : []),
];

const aboutRecord = (facts: Facts): string[] => {
  const names = unrecorded(facts);
  return names.length > 0 ? [`Not recorded when the file was processed: ${names.join(', ')}.`] : [];
};

const aboutVisible = ({ counts, result }: Facts): string[] => {
  if (result === null) return ['Nothing was anonymised, because the method is `detect`.'];
  const visible = Object.values(counts).reduce((sum, count) => sum + count.detected - count.anonymised, 0);
  return visible > 0 ? [`Number of detections that are visible in the result: ${visible}.`] : [];
};

const aboutLosses = (
  { lostFrames, isLossUncertain, padding, bag }: VideoLosses,
  droppedAudioTracks: number,
): string[] => [
  ...(bag ? bagChanges(bag) : []),
  ...(lostFrames > 0 ? [`Number of frames that could not be decoded and are missing: ${lostFrames}.`] : []),
  ...(isLossUncertain ? ['More frames may be missing, because the source is damaged.'] : []),
  ...(droppedAudioTracks > 0 ? [`Number of audio tracks that are missing: ${droppedAudioTracks}.`] : []),
  ...(padding[0] + padding[1] > 0
    ? [`Pixels were added at the right and at the lower edge: ${padding[0]} and ${padding[1]}.`]
    : []),
];

const aboutProjection = (task: Task): string[] => {
  const warning = projectionWarning(projectionOf(task), task.options.format);
  return warning === undefined ? [] : [warning];
};

const aboutEdits = ({ status }: PendingEdit): string =>
  status === 'failed'
    ? 'The latest edits failed and are not in this result.'
    : 'Edits that were accepted are not applied yet and are not in this result.';

const aboutKept = ({ task, keepMetadata, kept }: ReportedTask): string[] => {
  if (task.video) {
    return kept?.kinds.length ? ['Date or positions of the source are kept in the result.'] : [];
  }
  return keepMetadata ? ['Camera, date, GPS and panorama fields of the source are kept in the result.'] : [];
};

const aboutAreas = ({ task: { options }, editsInForce }: ReportedTask): string[] => {
  const { ignores, hides: uploaded = [] } = options;
  const { hides = uploaded } = editsInForce;
  return [
    ...(ignores.length > 0
      ? [`Number of areas of the upload that are not anonymised: ${ignores.length}.`]
      : []),
    ...(hides.length > 0 ? [`Number of areas that are anonymised always: ${hides.length}.`] : []),
  ];
};

/** Sentences about what a reader of the report must not overlook. */
const reportWarnings = (facts: Facts, reported: ReportedTask): string[] => {
  const { task, sparedMemory } = reported;
  const { video, edit } = task;
  return [
    ...aboutRecord(facts),
    ...aboutVisible(facts),
    ...(task.given
      ? ['Nothing was searched: the objects are those of the detections that came with the file.']
      : []),
    ...aboutProjection(task),
    ...aboutAreas(reported),
    ...aboutKept(reported),
    ...(sparedMemory ? ['Memory was low: an object that two windows cut may not have been detected.'] : []),
    ...(video?.preview === undefined
      ? []
      : [`The result is a preview: it ends after ${video.preview} seconds of the source.`]),
    ...(video?.leftOut ? aboutLosses(video.leftOut, facts.audio?.dropped_tracks ?? 0) : []),
    ...(edit ? [aboutEdits(edit)] : []),
  ];
};

const digestOf = ({ sha256, sizeBytes }: FileFacts): FileDigest => ({ sha256, size: sizeBytes });

const variantOf = (encoding: ImageEncoding): NonNullable<Report['result']>['variant'] => {
  if (encoding.format === 'png') return { download: 'PNG', 'compress-level': encoding.compressLevel };
  return { ...(encoding.format === 'jpeg' && { download: 'JPEG' }), quality: encoding.quality };
};

const resultOf = ({ contentType, facts, variant }: ReportedFile): Report['result'] => ({
  content_type: contentType,
  ...digestOf(facts),
  variant: variant ? variantOf(variant) : null,
});

const metadataOf = ({ task, provenance, keepMetadata, kept, file }: ReportedTask): Report['metadata'] => {
  const found = provenance.sourceMetadata;
  if (!found || !file) return null;
  const projection = projectionOf(task);
  // Of a video it is known what was written; of an image, fields of these kinds are.
  const isKept = (kind: MetadataKind): boolean =>
    kept?.kinds.includes(kind) === true ||
    isKeptKind(kind, { keepMetadata: keepMetadata && !task.video, projection });
  // Positions of a track are noted only where they are kept.
  const known = METADATA_KINDS.filter((kind) => found.includes(kind) || kept?.kinds.includes(kind));
  return { removed: known.filter((kind) => !isKept(kind)), kept: known.filter(isKept) };
};

const tracksOf = ({ provenance, file, audioTracks, kept }: ReportedTask): Report['tracks'] => {
  const found = provenance.sourceTracks;
  if (!found || !file || audioTracks === undefined) return null;
  const { video, audio, subtitles, data } = found;
  // A damaged file may count fewer tracks than were read from it.
  const without = (count: number, kept: number): number => Math.max(0, count - kept);
  return {
    in_result: { video: 1, audio: audioTracks, ...(kept && kept.positions > 0 && { data: 1 }) },
    removed: { video: without(video, 1), audio: without(audio, audioTracks), subtitles, data },
  };
};

/** Edits can make it more: a track with a bleep cannot be copied. */
const reencodedTracks = (
  { reencodedAudioTracks }: Partial<VideoLosses>,
  encodedAudio: readonly string[] = [],
): number | null =>
  reencodedAudioTracks === undefined ? null : Math.max(reencodedAudioTracks, encodedAudio.length);

const audioOf = (
  wanted: NonNullable<Task['video']>,
  leftOut: Partial<VideoLosses> = {},
  { editsInForce: { mute = [], audio }, encodedAudio }: ReportedTask,
): Report['audio'] => ({
  is_muted: wanted.audio === 'mute' || audio === 'mute',
  // Of removed audio, no track is encoded again or missing.
  reencoded_tracks: audio === 'mute' ? 0 : reencodedTracks(leftOut, encodedAudio),
  dropped_tracks: audio === 'mute' ? 0 : (leftOut.droppedAudioTracks ?? null),
  ...(leftOut.droppedAudioCodecs && audio !== 'mute' && { dropped_codecs: [...leftOut.droppedAudioCodecs] }),
  ...(encodedAudio && { reencoded_codecs: [...encodedAudio] }),
  muted_ranges: mute.map((range) => ('start' in range ? range : [range[0], range[1]])),
});

/** The report of a task's result, without a signature. @param redactions what the log is recognised by */
export const buildReport = (reported: ReportedTask, redactions: Report['redactions']): UnsignedReport => {
  const { task, file, provenance, counted, frameCount } = reported;
  const { id, filename, contentType, video } = task;
  const toneMapped = toneMappedOf(task);
  const projection = projectionOf(task);
  const report = {
    format: REPORT_FORMAT,
    id,
    filename,
    content_type: contentType,
    created_at: isoTime(task.createdAtMs),
    started_at: isoTimeOrNull(task.startedAtMs),
    finished_at: isoTimeOrNull(task.finishedAtMs),
    version: provenance.version,
    models: provenance.models.map((model) => ({ ...model })),
    parameters: reportParameters(task, task.options.keepMetadata ?? reported.keepMetadata),
    ...(task.ignoredParameters && { ignored_parameters: [...task.ignoredParameters] }),
    source: digestOf(provenance.source),
    ...(task.given && { detections: digestOf(task.given) }),
    ...(toneMapped && { tone_mapped: toneMapped }),
    ...(projection && { projection }),
    result: file ? resultOf(file) : null,
    counts: counted.counts,
    frames: { count: frameCount, ...counted.frames },
    edits: {
      count: reported.revision,
      applied: reported.appliedEdits.map(({ atMs, ...recorded }) => ({ at: isoTime(atMs), ...recorded })),
      decisions: [...(task.decisions ?? [])],
      in_force: reported.editsInForce,
    },
    redactions,
    metadata: metadataOf(reported),
    tracks: tracksOf(reported),
    audio: video ? audioOf(video, video.leftOut, reported) : null,
  } as const satisfies Omit<UnsignedReport, 'warnings'>;
  return { ...report, warnings: reportWarnings(report, reported) };
};

/** A report as a file to download. */
interface ReportFile {
  readonly name: string;
  readonly file: Uint8Array;
}

/** The signed report, and the log that it names. */
const signedReport = async (
  reading: ReportReading,
): Promise<{ readonly report: Report; readonly log: RedactionLog }> => {
  const { reportSigner, system } = reading.service;
  const reported = await readReportedTask(reading);
  const log = redactionLog(reported);
  const report = await signReport(buildReport(reported, await describeLog(log, system)), reportSigner);
  return { report, log };
};

/** Both forms of the log of a task's result. */
export const readLog = async (reading: ReportReading): Promise<LogFiles> =>
  logFiles(redactionLog(await readReportedTask(reading)));

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);

/** The signed report as JSON, in the form that is signed. */
export const jsonReport = async (reading: ReportReading): Promise<ReportFile> => {
  const { report } = await signedReport(reading);
  return { name: reportName(report.filename, 'json'), file: bytesOf(canonicalJson(report)) };
};

/** The signed report as a printable page, and the content security policy of that page. */
export const pageReport = async (
  reading: ReportReading,
): Promise<ReportFile & { readonly policy: string }> => {
  const { report, log } = await signedReport(reading);
  return {
    name: reportName(report.filename, 'html'),
    file: bytesOf(reportPage(report, log, await readResultImage(reading, report))),
    policy: REPORT_PAGE_POLICY,
  };
};
