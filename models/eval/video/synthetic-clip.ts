import { createRandom } from './random';
import { renderScene, type RenderedFrame } from './render';
import { createScene, FRAMES_PER_SECOND, type Kind } from './scenario';

/** Renders a clip. In clips with a cut, the second half is another scene. */
export const renderClip = async (
  kind: Kind,
  frames: number,
  stock: Parameters<typeof createScene>[2],
  { firstIdentity, seed }: { readonly firstIdentity: number; readonly seed: number },
): Promise<(t: number) => RenderedFrame> => {
  const random = createRandom(seed);
  const cut = kind === 'cut' ? Math.floor(frames / 2) : frames;
  const first = createScene(kind, cut, stock, random);
  const before = await renderScene(first, firstIdentity, random);
  if (cut === frames) return before;
  const second = createScene(kind, frames - cut, stock, random);
  const after = await renderScene(second, firstIdentity + first.actors.length, random);
  return (t) => (t < cut ? before(t) : after(t - cut));
};

/** Frames are unevenly spaced, as those of a phone. */
export const timestampUs = (index: number): number =>
  Math.round(((index + 0.2 * Math.sin(index * 2.1)) * 1e6) / FRAMES_PER_SECOND);
