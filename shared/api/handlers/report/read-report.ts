import type { ImageEncoding } from '../../../ports/engine';
import type { Task } from '../../../domain/task';
import { factsOfBytes, readPart } from '../../../tasks/base/digest';
import { FORMATS } from '../../../catalogue/formats';
import { isStoredEncoding } from '../../../tasks/files/results';
import type { StoredResult } from '../../../tasks/files/task-files';
import { FRAMES_PER_FILE, type StoredVideoResult } from '../../../tasks/files/video-files';
import type { ReportQuery, Report } from '../../contract/schemas-report';
import { orExplain, resultOf } from '../find-task';
import { wantedEncoding } from '../result-handlers';
import type { ApiService } from '../service';
import type { Edits } from '../../../domain/edits/edits';
import type { AppliedEdits, FileFacts, Provenance } from '../../../domain/image-header';
import type { KeptFacts } from '../../../domain/kept-in-video';
import type { ReportedDetection } from '../../../domain/plan';
import {
  createRedactionRuns,
  imageRedactions,
  type RedactedFile,
  type Redaction,
} from '../../../domain/redactions';
import {
  namedClasses,
  perClass,
  REPORTED_CLASSES,
  type ObjectClass,
  type ReportedClass,
} from '../../../catalogue/classes';
import type { ReportImage } from './report-page';

type SomeCounts = Partial<Record<ReportedClass, number>>;
type Run = Report['frames']['counts'][number];

/** Counts of detections, frame by frame. */
interface DetectionCounter {
  /** Adds the next frame. */
  add(detections: readonly ReportedDetection[]): void;
  end(): Pick<Report, 'counts'> & { readonly frames: Omit<Report['frames'], 'count'> };
}

const countsOf = (detections: readonly ReportedDetection[]): SomeCounts => {
  const counts: SomeCounts = {};
  for (const name of REPORTED_CLASSES) {
    const number = detections.filter(({ objectClass }) => objectClass === name).length;
    if (number > 0) counts[name] = number;
  }
  return counts;
};

const areEqual = (a: SomeCounts, b: SomeCounts): boolean =>
  REPORTED_CLASSES.every((name) => a[name] === b[name]);

const isEmpty = ({ detected }: Run): boolean => Object.keys(detected).length === 0;

/**
 * Starts to count. Memory grows with the number of runs, not with that of frames.
 *
 * @param selected classes that are counted even if none is detected, next to the default ones
 */
export const createDetectionCounter = (selected: readonly ObjectClass[] = []): DetectionCounter => {
  const runs: Run[] = [];
  const counts: Report['counts'] = perClass(() => ({ detected: 0, anonymised: 0 }), namedClasses(selected));
  let index = 0;
  return {
    add: (detections) => {
      const detected = countsOf(detections);
      const anonymised = countsOf(detections.filter(({ isAnonymised }) => isAnonymised));
      for (const name of REPORTED_CLASSES) {
        if (detected[name] === undefined) continue;
        const count = (counts[name] ??= { detected: 0, anonymised: 0 });
        count.detected += detected[name];
        count.anonymised += anonymised[name] ?? 0;
      }
      const last = runs.at(-1);
      if (last && areEqual(last.detected, detected) && areEqual(last.anonymised, anonymised)) {
        last.last = index;
      } else runs.push({ first: index, last: index, detected, anonymised });
      index += 1;
    },
    end: () => ({
      counts,
      frames: {
        counts: runs,
        without_detections: runs.filter(isEmpty).map(({ first, last }) => ({ first, last })),
      },
    }),
  };
};

/** A file that a report names as its result. */
export interface ReportedFile {
  readonly contentType: string;
  readonly facts: FileFacts;
  /** Of a download that differs from the stored result. */
  readonly variant?: ImageEncoding | undefined;
}

/** What a report states, as it was read. */
export interface ReportedTask {
  readonly task: Task;
  /** Undefined where nothing was anonymised. */
  readonly file: ReportedFile | undefined;
  /** The stored result, of which `file` may be another form. */
  readonly stored: FileFacts | undefined;
  readonly provenance: Provenance;
  readonly frameCount: number;
  /** In the result; undefined for images. */
  readonly audioTracks: number | undefined;
  /** Codecs of the audio tracks that were encoded again. */
  readonly encodedAudio?: readonly string[];
  readonly counted: ReturnType<DetectionCounter['end']>;
  readonly revision: number;
  readonly appliedEdits: readonly AppliedEdits[];
  readonly editsInForce: Edits;
  readonly redactions: readonly Redaction[];
  readonly keepMetadata: boolean;
  /** What a video has kept; absent for images, and where nothing was asked for. */
  readonly kept?: KeptFacts;
  readonly sparedMemory: boolean;
}

export type UnsignedReport = Omit<Report, 'signature'>;

/** What a report is read with. */
export interface ReportReading {
  readonly task: Task;
  readonly query: ReportQuery;
  readonly service: ApiService;
  readonly signal: AbortSignal;
}

const commonFacts = async (
  { task, service: { tasks } }: ReportReading,
  { revision = 0, appliedEdits = [], filePrefix, provenance, file: stored }: StoredResult | StoredVideoResult,
) => ({
  task,
  stored,
  provenance,
  revision,
  appliedEdits,
  editsInForce: await tasks.edits.applied(task.id, filePrefix),
});

const redactedFile = ({
  task: { options, decisions = [] },
  editsInForce: edits,
}: Pick<ReportedTask, 'task' | 'editsInForce'>): RedactedFile => ({ options, edits, decisions });

/** The facts of the wanted download. Undefined where the result was replaced meanwhile. */
const imageFile = async (
  { task, query, service, signal }: ReportReading,
  result: StoredResult,
): Promise<ReportedTask['file'] | 'replaced'> => {
  if (!result.file) return undefined;
  const encoding: ImageEncoding = wantedEncoding(query, result.format);
  const { mediaType: contentType } = FORMATS[encoding.format];
  if (isStoredEncoding(encoding, result.format)) return { contentType, facts: result.file };
  const file = await service.tasks.anonymised(task.id, result, encoding, signal);
  if (!(file instanceof Uint8Array)) return 'replaced';
  return { contentType, facts: await factsOfBytes(file, service.system), variant: encoding };
};

const readImage = async (reading: ReportReading, result: StoredResult): Promise<ReportedTask | undefined> => {
  const { task, service } = reading;
  const file = await imageFile(reading, result);
  if (file === 'replaced') return undefined;
  const counter = createDetectionCounter(task.options.classes);
  counter.add(result.report.detections);
  const facts = await commonFacts(reading, result);
  return {
    ...facts,
    redactions: imageRedactions(result.report, redactedFile(facts)),
    file,
    frameCount: 1,
    audioTracks: undefined,
    counted: counter.end(),
    keepMetadata: result.keepMetadata ?? task.options.keepMetadata ?? service.settings.keepMetadata ?? false,
    sparedMemory: result.sparedMemory ?? false,
  };
};

/** Bags are tasks of videos, too. */
const videoType = ({ video }: Task): string => FORMATS[video?.leftOut?.bag ? 'mcap' : 'mp4'].mediaType;

const readVideo = async (
  reading: ReportReading,
  result: StoredVideoResult,
): Promise<ReportedTask | undefined> => {
  const { task, service, signal } = reading;
  const { frameCount, audioTracks } = result.report;
  const encodedAudio = result.encodedAudio ?? result.report.encodedAudio;
  const counter = createDetectionCounter(task.options.classes);
  const facts = await commonFacts(reading, result);
  const { followed = [] } = result;
  const isMuted = task.video?.audio === 'mute';
  const runs = createRedactionRuns(redactedFile(facts), followed, isMuted && result.anonymised);
  for (let first = 0; first < frameCount; first += FRAMES_PER_FILE) {
    signal.throwIfAborted();
    const last = Math.min(first + FRAMES_PER_FILE, frameCount) - 1;
    const frames = await service.tasks.frames(task.id, first, last);
    if (!frames) return undefined;
    for (const frame of frames) {
      counter.add(frame.detections);
      runs.add(frame);
    }
  }
  return {
    ...facts,
    redactions: runs.end(),
    file: result.file && { contentType: videoType(task), facts: result.file },
    frameCount,
    audioTracks,
    ...(encodedAudio && { encodedAudio }),
    counted: counter.end(),
    keepMetadata: result.kept !== undefined,
    ...(result.kept && { kept: result.kept }),
    sparedMemory: false,
  };
};

/**
 * Reads what the report of a done task states. Edits may replace the result in between: then all is read again.
 *
 * @throws ApiError 404, 422
 */
export const readReportedTask = async (reading: ReportReading): Promise<ReportedTask> => {
  const { task, service } = reading;
  const { tasks } = service;
  const resultNow = (): Promise<StoredResult | StoredVideoResult | undefined> =>
    task.kind === 'video' ? tasks.videoResult(task.id) : tasks.result(task.id);
  const result = await resultOf(service, task, resultNow);
  const reported = 'masks' in result ? await readImage(reading, result) : await readVideo(reading, result);
  const after = await orExplain(await resultNow(), service, task.id);
  if (after.filePrefix !== result.filePrefix) return readReportedTask(reading);
  return orExplain(reported, service, task.id);
};

/** Larger images are left out of the page, which is in memory as a whole. */
const MAX_IMAGE_BYTES = 32 * 1024 ** 2;

/**
 * Reads the image that a report names as its result.
 *
 * @returns undefined for videos, for large images, and where there is no such result any more
 */
export const readResultImage = async (
  { task, query, service, signal }: ReportReading,
  { result: reported }: Pick<Report, 'result'>,
): Promise<ReportImage | undefined> => {
  if (!reported || task.kind !== 'image') return undefined;
  const result = await service.tasks.result(task.id);
  if (!result) return undefined;
  const encoding = wantedEncoding(query, result.format);
  const file = await service.tasks.anonymised(task.id, result, encoding, signal);
  if (!file) return undefined;
  const size = file instanceof Uint8Array ? file.byteLength : file.sizeBytes;
  if (size > MAX_IMAGE_BYTES) return undefined;
  const bytes = file instanceof Uint8Array ? file : await readPart(file, 0, size);
  const { sha256 } = await factsOfBytes(bytes, service.system);
  // Edits may have replaced the result meanwhile.
  if (reported.sha256 !== null && reported.sha256 !== sha256) return undefined;
  const { width, height, detections } = result.report;
  const hidden = detections.filter(({ isAnonymised }) => isAnonymised).map(({ box }) => box);
  return { contentType: reported.content_type, bytes, width, height, hidden };
};
