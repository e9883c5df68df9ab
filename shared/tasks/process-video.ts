import type { Storage, StoredFile } from '../ports/storage';
import type { ByteSource } from '../ports/video';
import type { ServiceSettings } from './settings';
import type { Task } from './task';
import { sourceKey } from './task-files';
import type { TaskPorts } from './task-ports';
import type { TaskRecords } from './task-records';
import { anonymisedVideoKey, FRAMES_PER_FILE, writeFrames, writeVideoResult } from './video-files';
import { videoFormatOf } from './video-formats';

/** Gathers the pieces of a reading. @throws where the file ends before its size says */
const readAllOf = async (file: StoredFile, start: number, end: number): Promise<Uint8Array> => {
  const bytes = new Uint8Array(end - start);
  let at = 0;
  for await (const piece of file.read(start, end)) {
    bytes.set(piece, at);
    at += piece.byteLength;
  }
  if (at !== bytes.byteLength) throw new Error('A stored file is shorter than it was.');
  return bytes;
};

const sourceOf = async (storage: Storage, task: Task): Promise<ByteSource> => {
  const file = await storage.open(sourceKey(task.id, videoFormatOf(task.contentType)));
  if (!file) throw new Error('The input file of a queued task is gone.');
  const { sizeBytes, handle } = file;
  return { sizeBytes, handle, read: (start, end) => readAllOf(file, start, end) };
};

/**
 * Anonymises a task's video. The result has a name only once all of it is written: of a run that fails or is stopped
 * nothing can be downloaded.
 */
export const processVideo = async (
  task: Task,
  { engine, storage, log }: TaskPorts,
  settings: ServiceSettings,
  records: TaskRecords,
  signal: AbortSignal,
): Promise<void> => {
  const { id, options, video } = task;
  if (!engine.anonymiseVideo || !video) throw new Error('A video was queued where none can be read.');
  const source = await sourceOf(storage, task);
  const target = await storage.create(anonymisedVideoKey(id));
  try {
    let files = 0;
    const { timings: _timings, ...report } = await engine.anonymiseVideo(
      {
        options,
        tracking: video.tracking,
        ...(video.detectEvery === undefined ? {} : { detectEvery: video.detectEvery }),
        keepBitRate: video.keepBitRate,
        limits: settings.limits,
        framesPerReport: FRAMES_PER_FILE,
      },
      { source, target, report: (frames) => writeFrames(storage, id, files++, frames) },
      ({ framesDone, framesTotal }) =>
        void records.apply(id, {
          type: 'progressed',
          progress: framesDone / framesTotal,
          frames: { done: framesDone, total: framesTotal },
        }),
      signal,
    );
    signal.throwIfAborted();
    const { lostFrames, reencodedAudioTracks, droppedAudioTracks } = report;
    if (lostFrames > 0 || droppedAudioTracks > 0) {
      log.info('Parts of a video were left out.', { id, lostFrames, droppedAudioTracks });
    }
    const anonymised = options.method !== 'detect';
    if (anonymised) await target.commit();
    await writeVideoResult(storage, id, { report, anonymised });
    await records.apply(id, {
      type: 'left-out',
      leftOut: { lostFrames, reencodedAudioTracks, droppedAudioTracks },
    });
  } finally {
    await target.discard();
  }
  signal.throwIfAborted();
};
