import { imageOptions } from '#shared/api/handlers/image-options';
import { sanitiseFilename } from '#shared/api/http/filename';
import { videoOptions, type UploadQuery } from '#shared/catalogue/derive-parameters';
import { FORMATS } from '#shared/catalogue/formats';
import type { BagOptions } from '#shared/domain/bag';
import { anonymisedVideoKey } from '#shared/tasks/files/video-files';
import { listBag } from '../adapters/previews';
import type { BagHost, BagResult } from '../state/bags/open-bag';
import { createResultFiles } from '../state/result-files';
import { withReadText, type Settings } from '../state/settings';
import { uploadParameters } from '../state/upload-parameters';
import { ProcessingFailed } from '../state/work';
import type { Host } from './compose';

const FORMAT = 'mcap';
/** Images that are encoded again are often larger, because their quality is higher than that of cameras. */
const RESULT_SHARE = 1.5;
/** Free space that must remain for the browser. */
const SPARE_BYTES = 64 * 1024 ** 2;

const lackOfRoom: BagHost['lackOfRoom'] = async ({ size }) => {
  // Absent on pages that are not secure.
  const storage = navigator.storage as StorageManager | undefined;
  const { quota, usage = 0 } = (await storage?.estimate()) ?? {};
  if (quota === undefined) return undefined;
  const [neededBytes, freeBytes] = [Math.ceil(size * RESULT_SHARE), Math.max(0, quota - usage - SPARE_BYTES)];
  return neededBytes > freeBytes ? { neededBytes, freeBytes } : undefined;
};

type BagService = Pick<Host, 'client' | 'service' | 'storage'>;

const submit = async (file: File, settings: Settings, bag: BagOptions, { service, storage }: BagService) => {
  const {
    format,
    ignores: _none,
    hides: _nowhere,
    ...others
  } = uploadParameters(withReadText(settings, true), file);
  const given: Partial<UploadQuery> = { ...others, ...(typeof format === 'string' && { format }) };
  return service.tasks.submit({
    ...{ format: FORMAT, file: storage.receive(file), webhook: null, isAwaited: false },
    filename: sanitiseFilename(file.name, `bag.${FORMATS[FORMAT].extensions[0]}`),
    options: imageOptions(given, service.settings),
    video: { ...videoOptions(given), bag },
  });
};

const resultOf = async (taskId: string, { service, storage }: BagService): Promise<BagResult> => {
  const [task, file] = await Promise.all([
    service.tasks.get(taskId),
    storage.file(anonymisedVideoKey(taskId)),
  ]);
  const facts = task?.video?.leftOut?.bag;
  if (!file || !facts) throw new Error('The result of a bag is missing.');
  return { taskId, facts, file: file.slice(0, file.size, FORMATS[FORMAT].mediaType) };
};

/** Processes bags in this tab, as tasks like those of videos: the same queue, storage and engine. */
export const createBags = (host: BagService): BagHost => {
  const { tasks } = host.service;
  const forget = (id: string): void => void tasks.delete(id, 'task-and-files');
  return {
    lackOfRoom,
    list: listBag,
    anonymise: async (file, { settings, bag }, onProgress, signal) => {
      const { task, outcome } = await submit(file, settings, bag, host);
      const stop = (): void => forget(task.id);
      signal.addEventListener('abort', stop, { once: true });
      try {
        signal.throwIfAborted();
        for await (const { video } of tasks.watch(task.id, signal)) {
          if (video?.framesTotal) onProgress({ done: video.framesDone, total: video.framesTotal });
        }
        const ended = await outcome;
        signal.throwIfAborted();
        if (ended.kind === 'done') return await resultOf(task.id, host);
        throw new ProcessingFailed(ended.kind === 'failed' ? ended.failure.sentence : null);
      } catch (cause) {
        stop();
        throw cause;
      } finally {
        signal.removeEventListener('abort', stop);
      }
    },
    forget,
    reports: createResultFiles(host.client),
  };
};
