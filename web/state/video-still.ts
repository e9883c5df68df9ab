/** Time limit: a video that has not shown a frame by then never will. */
const LIMIT_MS = 10_000;
/** Position of the still: many videos begin black. */
const STILL_AT_S = 1;

/** Resolves with an event. Rejects if the video cannot be shown or takes too long. */
export const waitForEvent = (video: HTMLVideoElement, name: string): Promise<void> =>
  new Promise((resolve, reject) => {
    const signal = AbortSignal.timeout(LIMIT_MS);
    video.addEventListener(name, () => resolve(), { once: true, signal });
    video.addEventListener('error', () => reject(new Error('The browser cannot show this video.')), {
      once: true,
      signal,
    });
    signal.addEventListener('abort', () => reject(signal.reason as Error));
  });

/** Returns one frame of a video. Rejects if the browser cannot show the video. */
export const captureFrame = async (url: string): Promise<ImageBitmap> => {
  const video = document.createElement('video');
  video.muted = true;
  video.preload = 'auto';
  try {
    const loaded = waitForEvent(video, 'loadeddata');
    video.src = url;
    await loaded;
    const sought = waitForEvent(video, 'seeked');
    video.currentTime = Math.min(STILL_AT_S, video.duration / 2 || 0);
    await sought;
    return await createImageBitmap(video);
  } finally {
    video.removeAttribute('src');
    video.load();
  }
};
