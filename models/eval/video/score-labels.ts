import type { Detection } from '#shared/domain/detection';
import type { ImageOptions } from '#shared/domain/options';
import { IGNORED, ownersIn, type LabelledClip } from './labelled-clip';
import { hiddenPixels, LEAK_SHARE } from './leaks';

/** An object is found in a frame if at least this share of it is hidden. */
export const FOUND_SHARE = 0.9;

/** Result of one labelled object. */
interface ObjectScore {
  readonly name: string;
  readonly objectClass: 'face' | 'license-plate';
  /** Frames with a label of the object. */
  frames: number;
  /** Those in which it is hidden to `FOUND_SHARE`. */
  found: number;
  /** Those in which more than `LEAK_SHARE` of it is visible. */
  leaked: number;
  /** Smallest hidden share of all frames, 0..1. */
  leastHidden: number;
  /** Pixels of the object in all frames. */
  pixels: number;
}

/** Result of one clip. */
export interface ClipScore {
  readonly objects: readonly ObjectScore[];
  /** Pixels hidden by regions of a class, outside of all objects and ignored places. */
  readonly nextTo: Record<ObjectScore['objectClass'], number>;
}

export const createScore = ({ objects }: LabelledClip): ClipScore => ({
  objects: objects.map(({ name, class: objectClass }) => ({
    name,
    objectClass,
    frames: 0,
    found: 0,
    leaked: 0,
    leastHidden: 1,
    pixels: 0,
  })),
  nextTo: { face: 0, 'license-plate': 0 },
});

const countObject = (object: ObjectScore, pixels: number, hidden: number): void => {
  if (pixels === 0) return;
  const share = hidden / pixels;
  object.frames++;
  object.pixels += pixels;
  object.leastHidden = Math.min(object.leastHidden, share);
  if (share >= FOUND_SHARE) object.found++;
  if (1 - share > LEAK_SHARE) object.leaked++;
};

/** Compares the hidden pixels of a frame with its labels. An object may be hidden by a region of another class. */
export const scoreLabelledFrame = (
  score: ClipScore,
  { clip, frame }: { readonly clip: LabelledClip; readonly frame: number },
  detections: readonly Detection[],
  options: ImageOptions,
): void => {
  const owners = ownersIn(clip, frame);
  const hidden = hiddenPixels(detections, options, clip);
  const pixels = new Float64Array(IGNORED + 1);
  const covered = new Float64Array(IGNORED + 1);
  owners.forEach((owner, at) => {
    pixels[owner] = (pixels[owner] as number) + 1;
    covered[owner] = (covered[owner] as number) + (hidden[at] as number);
  });
  score.objects.forEach((object, index) =>
    countObject(object, pixels[index + 1] as number, covered[index + 1] as number),
  );
  for (const objectClass of ['face', 'license-plate'] as const) {
    const own = hiddenPixels(
      detections.filter((detection) => detection.objectClass === objectClass),
      options,
      clip,
    );
    score.nextTo[objectClass] += own.reduce((sum, one, at) => sum + (owners[at] === 0 ? one : 0), 0);
  }
};
