/**
 * How well a drawn box is tracked: faces and plates that move over photos at known positions.
 *
 * `npm run eval:follow`
 *
 * A box is drawn around each object in the first frame in which it is completely visible. The evaluation then measures
 * in each frame with the object: how much of its visible part is hidden, whether it is reported as lost, and whether
 * another place is hidden instead. Options: `--clips N` (8), `--frames N` of each (40), `--seed N` (1), `--data DIR`.
 */
import { parseArgs } from 'node:util';
import {
  boxArea,
  clipBox,
  growBox,
  intersectionArea,
  iou,
  outerPixels,
  type Box,
  toBbox,
} from '#shared/domain/boxes';
import { followDrawn } from '#shared/engine/edits/follow-drawn';
import type { FollowedArea } from '#shared/domain/edits/edits';
import { endWhenOutputCloses } from '../../../server/end-when-output-closes';
import { readBackgrounds, readFaces, readPlates } from './cut-outs';
import { LEAK_SHARE } from './leaks';
import { createRandom } from './random';
import { renderScene, type RenderedFrame, type TrueObject } from './render';
import { createScene, FRAME, FRAMES_PER_SECOND, KINDS, type Kind } from './scenario';

endWhenOutputCloses();

const { values: flags } = parseArgs({
  options: {
    clips: { type: 'string', default: '8' },
    frames: { type: 'string', default: '40' },
    seed: { type: 'string', default: '1' },
    data: { type: 'string', default: new URL('../../../../shared/data', import.meta.url).pathname },
  },
});
const FRAMES = Number(flags.frames);
const FRAME_US = 1e6 / FRAMES_PER_SECOND;
/** Margin of drawn boxes: users draw them slightly too large. */
const LOOSE = 0.05;
/** Minimum visible share of an object for a frame to count, and for drawing a box. */
const IN_VIEW = 0.2;
const WHOLE = 0.95;
/** With a smaller IoU, the box is on something else. */
const SAME_IOU = 0.2;

/** Number of visible pixels of an object, and number of them inside a box. */
const seenOf = (
  { owners, objects }: RenderedFrame,
  object: TrueObject,
  hiding: Box | undefined,
): { readonly seen: number; readonly hidden: number } => {
  const owner = objects.indexOf(object) + 1;
  const { x1, y1, x2, y2 } = outerPixels(clipBox(object.box, FRAME.width, FRAME.height));
  let [seen, hidden] = [0, 0];
  for (let y = y1; y < y2; y++) {
    for (let x = x1; x < x2; x++) {
      if (owners[y * FRAME.width + x] !== owner) continue;
      seen++;
      if (hiding && x >= hiding.x1 && x < hiding.x2 && y >= hiding.y1 && y < hiding.y2) hidden++;
    }
  }
  return { seen, hidden };
};

interface Drawn {
  readonly follower: ReturnType<typeof followDrawn>;
}

const createTally = () => ({ drawn: 0, frames: 0, hidden: 0, leaking: 0, silent: 0, wrong: 0 });
type Tally = ReturnType<typeof createTally>;

const draw = (object: TrueObject, index: number): Drawn => ({
  follower: followDrawn([
    {
      type_label: 'face',
      shape: 'box',
      bbox: toBbox(growBox(object.box, LOOSE)),
      at: (index * FRAME_US + FRAME_US / 2) / 1e6,
    },
  ]),
});

/** Whether the page would report the object as tracked up to the last frame. */
const isSaidToBeSeen = (report: FollowedArea | undefined, endUs: number): boolean =>
  report?.seen_until === endUs / 1e6;

const count = (
  tally: Tally,
  { frame, object, box }: { frame: RenderedFrame; object: TrueObject; box: Box | undefined },
  one: Drawn,
  endUs: number,
): void => {
  const { seen, hidden } = seenOf(frame, object, box);
  if (seen < IN_VIEW * object.areaPx) return;
  const isSeen = isSaidToBeSeen(one.follower.followed()[0], endUs);
  const share = hidden / seen;
  tally.frames++;
  tally.hidden += share;
  if (share < 1 - LEAK_SHARE) tally.leaking++;
  if (share < 1 - LEAK_SHARE && isSeen) tally.silent++;
  if (box && isSeen && iou(box, object.box) < SAME_IOU) tally.wrong++;
};

const runClip = async (
  kind: Kind,
  seed: number,
  stock: Parameters<typeof createScene>[2],
  tally: Tally,
): Promise<void> => {
  const random = createRandom(seed);
  const render = await renderScene(createScene(kind, FRAMES, stock, random), 0, random);
  const drawn = new Map<number, Drawn>();
  const inFrame = { x1: 0, y1: 0, x2: FRAME.width, y2: FRAME.height };
  for (let index = 0; index < FRAMES; index++) {
    const frame = render(index);
    for (const object of frame.objects) {
      const isWhole =
        intersectionArea(object.box, inFrame) > WHOLE * boxArea(object.box) &&
        seenOf(frame, object, undefined).seen > WHOLE * object.areaPx;
      if (!drawn.has(object.identity) && isWhole) {
        drawn.set(object.identity, draw(object, index));
        tally.drawn++;
      }
      const one = drawn.get(object.identity);
      if (!one) continue;
      const timestampUs = index * FRAME_US;
      const shown = { index, timestampUs, durationUs: FRAME_US, raster: frame.raster };
      const [place] = one.follower.step(shown, false);
      count(tally, { frame, object, box: place?.box }, one, timestampUs + FRAME_US);
    }
  }
};

const percent = (part: number, whole: number): string =>
  `${((100 * part) / Math.max(1, whole)).toFixed(1)} %`;

const stock = {
  faces: await readFaces(),
  plates: await readPlates(flags.data),
  backgrounds: readBackgrounds(flags.data),
};
console.log('kind          boxes  frames  hidden   leaking  unnoticed  wrong');
for (const kind of KINDS.filter((one) => one !== 'cut')) {
  const tally = createTally();
  for (let clip = 0; clip < Number(flags.clips); clip++) {
    await runClip(kind, Number(flags.seed) * 1_000 + clip, stock, tally);
  }
  const { frames } = tally;
  console.log(
    [
      kind.padEnd(13),
      String(tally.drawn).padStart(5),
      String(frames).padStart(7),
      percent(tally.hidden, frames).padStart(8),
      percent(tally.leaking, frames).padStart(9),
      percent(tally.silent, frames).padStart(10),
      percent(tally.wrong, frames).padStart(7),
    ].join(' '),
  );
}
