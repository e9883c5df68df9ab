import type { ImageEncoding } from '../../../ports/engine';
import type { FileFacts } from '../../../domain/provenance';
import type { MetadataKind } from '../../../domain/metadata-kind';
import type { LeftOut, Task } from '../../../domain/task';
import { REPORT_FORMAT, type FileDigest } from '../../../report/signed-report';
import { moment } from '../../../tasks/base/moment';
import type { Report } from '../../contract/schemas-report';
import { reportParameters } from './report-parameters';
import { reportWarnings } from './report-warnings';
import type { ReportedFile, ReportedTask, UnsignedReport } from './reported-task';

const digestOf = ({ sha256, sizeBytes }: FileFacts): FileDigest => ({ sha256, size: sizeBytes });

const variantOf = (encoding: ImageEncoding): NonNullable<Report['result']>['variant'] =>
  encoding.format === 'jpeg'
    ? { download: 'JPEG', quality: encoding.quality }
    : { download: 'PNG', 'compress-level': encoding.compressLevel };

const resultOf = ({ contentType, facts, variant }: ReportedFile): Report['result'] => ({
  content_type: contentType,
  ...digestOf(facts),
  variant: variant ? variantOf(variant) : null,
});

/** Kinds of which some fields stay if metadata is kept. */
const KEPT: ReadonlySet<MetadataKind> = new Set(['place', 'exif']);

const metadataOf = ({ provenance, keepMetadata, file }: ReportedTask): Report['metadata'] => {
  const found = provenance.sourceMetadata;
  if (!found || !file) return null;
  const isKept = (kind: MetadataKind): boolean => keepMetadata && KEPT.has(kind);
  return { removed: found.filter((kind) => !isKept(kind)), kept: found.filter(isKept) };
};

const tracksOf = ({ provenance, file, audioTracks }: ReportedTask): Report['tracks'] => {
  const found = provenance.sourceTracks;
  if (!found || !file || audioTracks === undefined) return null;
  const { video, audio, subtitles, data } = found;
  // A damaged file may count fewer tracks than were read from it.
  const without = (count: number, kept: number): number => Math.max(0, count - kept);
  return {
    in_result: { video: 1, audio: audioTracks },
    removed: { video: without(video, 1), audio: without(audio, audioTracks), subtitles, data },
  };
};

const audioOf = (
  wanted: NonNullable<Task['video']>,
  leftOut: Partial<LeftOut> = {},
  { mute = [], audio }: ReportedTask['editsInForce'],
): Report['audio'] => ({
  is_muted: wanted.audio === 'mute' || audio === 'mute',
  // Of removed audio, no track is encoded again or missing.
  reencoded_tracks: audio === 'mute' ? 0 : (leftOut.reencodedAudioTracks ?? null),
  dropped_tracks: audio === 'mute' ? 0 : (leftOut.droppedAudioTracks ?? null),
  ...(leftOut.droppedAudioCodecs && audio !== 'mute' && { dropped_codecs: [...leftOut.droppedAudioCodecs] }),
  muted_ranges: mute.map(([start, end]) => [start, end]),
});

const momentOrNull = (ms: number | null): string | null => (ms === null ? null : moment(ms));

/** The report of a task's result, without a signature. */
export const buildReport = (reported: ReportedTask): UnsignedReport => {
  const { task, file, provenance, counted, frameCount } = reported;
  const { id, filename, contentType, video } = task;
  const report = {
    format: REPORT_FORMAT,
    id,
    filename,
    content_type: contentType,
    created_at: moment(task.createdAtMs),
    started_at: momentOrNull(task.startedAtMs),
    finished_at: momentOrNull(task.finishedAtMs),
    version: provenance.version,
    models: provenance.models.map((model) => ({ ...model })),
    parameters: reportParameters(task, task.options.keepMetadata ?? reported.keepMetadata),
    ...(task.ignoredParameters && { ignored_parameters: [...task.ignoredParameters] }),
    source: digestOf(provenance.source),
    result: file ? resultOf(file) : null,
    counts: counted.counts,
    frames: { count: frameCount, ...counted.frames },
    edits: {
      count: reported.revision,
      applied: reported.appliedEdits.map(({ atMs, ...recorded }) => ({ at: moment(atMs), ...recorded })),
      decisions: [...(task.decisions ?? [])],
      in_force: reported.editsInForce,
    },
    metadata: metadataOf(reported),
    tracks: tracksOf(reported),
    audio: video ? audioOf(video, video.leftOut, reported.editsInForce) : null,
  } as const satisfies Omit<UnsignedReport, 'warnings'>;
  return { ...report, warnings: reportWarnings(report, reported) };
};
