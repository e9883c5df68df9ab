import type { VideoSupport } from '#shared/ports/host-engine';
import type { RemoteCall } from '#shared/threads/calls';
import type { EngineProcess } from './engine-process';
import type { EngineProcessOptions, ServedProcess } from './served-process';

/** Methods that decode videos. */
const VIDEO_METHODS: ReadonlySet<string> = new Set([
  'anonymiseVideo',
  'surveyVideo',
  'renderVideo',
  'matchTracks',
] satisfies (keyof ServedProcess)[]);

/** Opens an engine process, which starts with its first call. */
type OpenProcess = (changes: Partial<EngineProcessOptions>) => EngineProcess;

/**
 * Processes that each work on one video at a time: an idle one, or a new one.
 *
 * They stay, and their threads end when they are idle: see `createPoolEngine`.
 */
const createVideoProcesses = (open: OpenProcess): Omit<EngineProcess, 'start'> => {
  const all: EngineProcess[] = [];
  const idle: EngineProcess[] = [];
  const add = (): EngineProcess => {
    const added = open({ workers: 1, startsLate: true });
    all.push(added);
    return added;
  };
  return {
    call: async (method, args) => {
      const process = idle.pop() ?? add();
      try {
        return await process.call(method, args);
      } finally {
        idle.push(process);
      }
    },
    isAnswering: () => all.every((each) => each.isAnswering()),
    close: async () => void (await Promise.all(all.map((each) => each.close()))),
  };
};

/**
 * The processes that work on tasks: with several workers, each video has one of its own, because two threads of a
 * process must not load the codecs (see `findVideoBackend`).
 */
export const createTaskProcesses = (open: OpenProcess, workers: number): EngineProcess => {
  const images = open({});
  if (workers === 1) return images;
  const videos = createVideoProcesses(open);
  const call: RemoteCall = (method, args) => (VIDEO_METHODS.has(method) ? videos : images).call(method, args);
  return {
    call,
    start: (): Promise<VideoSupport> => images.start(),
    isAnswering: () => images.isAnswering() && videos.isAnswering(),
    close: async () => void (await Promise.all([images.close(), videos.close()])),
  };
};
