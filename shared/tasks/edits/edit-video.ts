import pLimit from 'p-limit';
import type { FollowedBox, VideoEdits } from '../../domain/video-edits';
import type { VideoProgress } from '../../ports/engine';
import type { ServiceSettings } from '../base/settings';
import type { Task } from '../../domain/task';
import { US_PER_SECOND } from '../../domain/time-units';
import { removeTaskFiles } from '../files/task-files';
import type { TaskPorts } from '../base/task-ports';
import {
  anonymisedVideoKey,
  openVideoSource,
  readFramePlans,
  readFrames,
  readVideoResult,
  writeVideoResult,
} from '../files/video-files';

/** Changes the results of done video tasks as a person wants them. */
export interface VideoEditor {
  /** When frames are shown, in seconds, from `first` to `last`, both counted in: the contract's metadata do not say. */
  times(id: string, first: number, last: number): Promise<readonly number[]>;
  /**
   * Puts a new result in the place of the task's. Each revision starts from what was found at first, so that one can
   * be taken back.
   *
   * @returns what became of the drawn boxes; undefined where there is no such result (any more)
   * @throws what went wrong; the result is as it was, then
   */
  applyEdits(
    id: string,
    edits: VideoEdits,
    onProgress: (progress: VideoProgress) => void,
    signal: AbortSignal,
  ): Promise<readonly FollowedBox[] | undefined>;
}

type RevisingPorts = Pick<TaskPorts, 'engine' | 'storage' | 'system' | 'taskStore'>;

/** One at a time: they must not multiply memory, and the last one asked for is the one that stays. */
export const createVideoEditor = (
  { engine, storage, system, taskStore }: RevisingPorts,
  { limits }: Pick<ServiceSettings, 'limits'>,
): VideoEditor => {
  const running = pLimit(1);
  const find = async (id: string): Promise<Task | undefined> => {
    const task = await taskStore.get(id);
    return task?.status === 'done' && task.kind === 'video' ? task : undefined;
  };

  /** @returns false where the task was deleted meanwhile: what was just written must go as well */
  const isKept = async (id: string): Promise<boolean> => {
    if (await find(id)) return true;
    await removeTaskFiles(storage, id);
    return false;
  };

  const applyEdits: VideoEditor['applyEdits'] = async (id, edits, onProgress, signal) => {
    const [task, stored] = await Promise.all([find(id), readVideoResult(storage, id)]);
    if (!task?.video || !stored?.anonymised) return undefined;
    const { options, video } = task;
    const target = await storage.create(anonymisedVideoKey(id));
    try {
      const { followed, shown } = await engine.renderVideo(
        { options, keepBitRate: video.keepBitRate, limits, edits },
        {
          source: await openVideoSource(storage, task),
          target,
          plans: (part) => readFramePlans(storage, id, part),
        },
        onProgress,
        signal,
      );
      signal.throwIfAborted();
      if (!(await find(id))) return undefined;
      await target.commit();
      const revision = (stored.revision ?? 0) + 1;
      await writeVideoResult({ storage, system }, id, { ...stored, shown, revision });
      return (await isKept(id)) ? followed : undefined;
    } finally {
      await target.discard();
    }
  };
  return {
    times: async (id, first, last) => {
      const frames = (await readFrames(storage, id, first, last)) ?? [];
      return frames.map(({ timestampUs }) => timestampUs / US_PER_SECOND);
    },
    applyEdits: (...args) => running(() => applyEdits(...args)),
  };
};
