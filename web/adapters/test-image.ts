const WIDTH = 1280;
const HEIGHT = 720;
const PATCHES = 400;

/** Creates the image for speed measurements: as detailed as a photo, and identical on every machine. */
export const makeTestImage = async (): Promise<File> => {
  const canvas = new OffscreenCanvas(WIDTH, HEIGHT);
  const context = canvas.getContext('2d');
  if (!context) throw new Error('The browser provides no canvas');
  // A linear congruential generator; `Math.random` would measure another image each time.
  let seed = 1;
  const next = (below: number): number => {
    seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31;
    return (seed / 2 ** 31) * below;
  };
  for (let patch = 0; patch < PATCHES; patch++) {
    context.fillStyle = `hsl(${next(360)} ${next(60)}% ${next(100)}%)`;
    context.fillRect(next(WIDTH) - 60, next(HEIGHT) - 60, next(240), next(240));
  }
  const image = await canvas.convertToBlob({ type: 'image/jpeg', quality: 0.9 });
  return new File([image], 'test.jpg', { type: 'image/jpeg' });
};
