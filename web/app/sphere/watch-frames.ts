/** Calls back with the frame that a video shows, and with each later one. @returns what ends that */
export const watchFrames = (video: HTMLVideoElement, onFrame: () => void): (() => void) => {
  const isThere = (): boolean => video.readyState >= HTMLMediaElement.HAVE_CURRENT_DATA && !video.seeking;
  if (isThere()) onFrame();
  if ('requestVideoFrameCallback' in video) {
    const next = (): number =>
      video.requestVideoFrameCallback(() => {
        onFrame();
        handle = next();
      });
    let handle = next();
    // A seek within one frame need not present it again.
    const controller = new AbortController();
    video.addEventListener('seeked', onFrame, { signal: controller.signal });
    return () => {
      video.cancelVideoFrameCallback(handle);
      controller.abort();
    };
  }
  // Firefox before 132 does not say when it shows a frame.
  return watchTime(video, isThere, onFrame);
};

/** The same by looking at the time of the video whenever the screen is drawn. */
const watchTime = (video: HTMLVideoElement, isThere: () => boolean, onFrame: () => void): (() => void) => {
  let shown = '';
  const next = (): number =>
    requestAnimationFrame(() => {
      const now = `${video.currentSrc} ${video.currentTime}`;
      if (now !== shown && isThere()) {
        shown = now;
        onFrame();
      }
      handle = next();
    });
  let handle = next();
  return () => cancelAnimationFrame(handle);
};
