import { withAppliedEdits } from '../../domain/provenance';
import type { Task } from '../../domain/task';
import type { VideoEdits } from '../../domain/video-edits';
import { workDone } from '../../engine/video/video-progress';
import {
  anonymisedVideoKey,
  openVideoSource,
  readFramePlans,
  readVideoResult,
  removeReplacedVideo,
  writeVideoResult,
} from '../files/video-files';
import { nextPrefix } from '../files/task-files';
import type { EditPorts } from './edit-image';
import { appliedNow, areInForce, writeAppliedEdits } from './wanted-edits';

/**
 * Replaces a video's result by one with these edits. No detector runs: all frames are rendered by the plans of the first run.
 *
 * @param body the edits as a client sent them
 * @returns false where there is no such result (any more)
 */
export const editVideo = async (
  id: string,
  body: object,
  edits: VideoEdits,
  { ports, settings: { limits }, onProgress, signal }: EditPorts,
): Promise<boolean> => {
  const { engine, storage, system, taskStore } = ports;
  const find = async (): Promise<Task | undefined> => {
    const task = await taskStore.get(id);
    return task?.status === 'done' ? task : undefined;
  };
  const [task, before] = await Promise.all([find(), readVideoResult(storage, id)]);
  if (!task?.video || !before?.anonymised) return false;
  if (await areInForce(storage, id, before, body)) return true;
  const { options, video } = task;
  const filePrefix = nextPrefix(before);
  const target = await storage.create(anonymisedVideoKey(id, filePrefix));
  try {
    const { followed, shown } = await engine.renderVideo(
      { options, keepBitRate: video.keepBitRate, mutesAudio: video.mutesAudio ?? false, limits, edits },
      {
        source: await openVideoSource(storage, task),
        target,
        plans: (part) => readFramePlans(storage, id, part),
      },
      (progress) => onProgress(workDone(progress)),
      signal,
    );
    signal.throwIfAborted();
    if (!(await find())) return false;
    await target.commit();
    await writeAppliedEdits(storage, id, filePrefix, body);
    const revision = (before.revision ?? 0) + 1;
    const { hiding: _hiding, confirmedTracks: _confirmed, ...rest } = before;
    await writeVideoResult({ storage, system }, id, {
      ...rest,
      shown,
      followed,
      ...(edits.hiding && { hiding: edits.hiding }),
      ...(edits.trackMethods && { confirmedTracks: edits.trackMethods.map(({ trackId }) => trackId) }),
      revision,
      appliedEdits: withAppliedEdits(before.appliedEdits, appliedNow(body, system)),
      filePrefix,
    });
    await removeReplacedVideo(storage, id, before);
    return true;
  } finally {
    await target.discard();
  }
};
