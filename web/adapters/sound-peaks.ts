import type { SoundPeaks } from '../workers/sound-peaks';
import { startWorker } from './engine-bridge';

const read = async (file: File): Promise<SoundPeaks> => {
  const { worker, end } = startWorker({ avoidsGpu: true, avoidsOwnModels: true }, () => undefined);
  try {
    return await worker.soundPeaks(file);
  } finally {
    end('the sound is read');
  }
};

/** By file: peaks are read once while the file is in the list. */
const known = new WeakMap<File, Promise<SoundPeaks>>();

/** Reads the sound of a video in a worker of its own, so that neither the page nor the engine waits. */
export const soundPeaks = (file: File): Promise<SoundPeaks> => {
  const peaks = known.get(file) ?? read(file);
  known.set(file, peaks);
  return peaks;
};
