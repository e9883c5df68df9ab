import { boxHeight, boxWidth, iou } from '#shared/domain/boxes';
import type { Detection } from '#shared/domain/detection';
import type { Size } from '#shared/domain/raster';
import { rasteriseRegion, forEachCoveredSpan } from '#shared/engine/redact/coverage';
import type { ImageOptions } from '#shared/domain/options';
import { planRedaction } from '#shared/engine/redact/plan-redaction';
import type { RenderedFrame, TrueObject } from './render';
import { FRAME } from './scenario';

/** An object leaks in a frame if more than this share of it is visible. */
export const LEAK_SHARE = 0.2;
/** Objects whose longer side exceeds this in every frame are reported separately. */
export const LARGE_PX = 24;

/** Result of one identity over its scene. */
export interface IdentityOutcome {
  readonly objectClass: TrueObject['objectClass'];
  /** Smallest length of the longer side, px. */
  smallestPx: number;
  seenFrames: number;
  leakedFrames: number;
  switches: number;
  lastTrack: number | undefined;
  /** Number of changes between visible and hidden. */
  flicker: number;
  wasLeaking: boolean | undefined;
}

/** Pixel counts over all frames. */
export interface PixelCount {
  /** Visible pixels of objects, if nothing were hidden. */
  seen: number;
  /** Those of them that are hidden. */
  covered: number;
  /** Hidden pixels outside all objects, by regions of this class. */
  nextTo: number;
}

type EvalClass = TrueObject['objectClass'];

export interface Outcome {
  readonly identities: Map<number, IdentityOutcome>;
  readonly pixels: Readonly<Record<EvalClass, PixelCount>>;
}

export const createOutcome = (): Outcome => ({
  identities: new Map(),
  pixels: {
    face: { seen: 0, covered: 0, nextTo: 0 },
    'license-plate': { seen: 0, covered: 0, nextTo: 0 },
  },
});

/** The fully hidden pixels of the product's own plan, without soft edges: 1, others 0. @param size of the frame */
export const hiddenPixels = (
  detections: readonly Detection[],
  options: ImageOptions,
  size: Size = FRAME,
): Uint8Array => {
  const hidden = new Uint8Array(size.width * size.height);
  const plan = planRedaction(size, detections, new Map(), options);
  for (const region of plan.regions) {
    forEachCoveredSpan(rasteriseRegion({ ...region, featherPx: 0 }, plan), (y, from, to) =>
      hidden.fill(1, y * size.width + from, y * size.width + to),
    );
  }
  return hidden;
};

const outcomeOf = (outcome: Outcome, { identity, objectClass }: TrueObject): IdentityOutcome => {
  const known = outcome.identities.get(identity);
  if (known) return known;
  const fresh: IdentityOutcome = {
    objectClass,
    smallestPx: Number.POSITIVE_INFINITY,
    seenFrames: 0,
    leakedFrames: 0,
    switches: 0,
    lastTrack: undefined,
    flicker: 0,
    wasLeaking: undefined,
  };
  outcome.identities.set(identity, fresh);
  return fresh;
};

type MaybeTracked = Detection & { readonly trackId?: number };

/** Minimum IoU for a track to count as following an object. */
const FOLLOWS_IOU = 0.3;

const countSwitch = (object: TrueObject, own: IdentityOutcome, detections: readonly MaybeTracked[]): void => {
  const follower = detections
    .filter(({ objectClass, trackId }) => objectClass === object.objectClass && trackId !== undefined)
    .map(({ box, trackId }) => ({ overlap: iou(box, object.box), trackId }))
    .filter(({ overlap }) => overlap >= FOLLOWS_IOU)
    .sort((a, b) => b.overlap - a.overlap)[0]?.trackId;
  if (follower === undefined) return;
  if (own.lastTrack !== undefined && own.lastTrack !== follower) own.switches++;
  own.lastTrack = follower;
};

const countHidden = (
  { owners }: Pick<RenderedFrame, 'owners'>,
  detections: readonly Detection[],
  options: ImageOptions,
): number => {
  const hidden = hiddenPixels(detections, options);
  return owners.reduce((total, owner, at) => total + (owner === 0 ? (hidden[at] as number) : 0), 0);
};

const countLeak = (own: IdentityOutcome, isLeaking: boolean): void => {
  own.seenFrames++;
  if (isLeaking) own.leakedFrames++;
  if (own.wasLeaking !== undefined && own.wasLeaking !== isLeaking) own.flicker++;
  own.wasLeaking = isLeaking;
};

/** Compares the hidden pixels of a frame with the truth. */
export const scoreFrame = (
  outcome: Outcome,
  { objects, owners }: Omit<RenderedFrame, 'raster'>,
  detections: readonly MaybeTracked[],
  options: ImageOptions,
): void => {
  const hidden = hiddenPixels(detections, options);
  const seen = new Array<number>(objects.length + 1).fill(0);
  const visible = new Array<number>(objects.length + 1).fill(0);
  for (let at = 0; at < owners.length; at++) {
    const owner = owners[at] as number;
    seen[owner] = (seen[owner] as number) + 1;
    visible[owner] = (visible[owner] as number) + 1 - (hidden[at] as number);
  }
  for (const objectClass of ['face', 'license-plate'] as const) {
    const own = detections.filter((detection) => detection.objectClass === objectClass);
    outcome.pixels[objectClass].nextTo += countHidden({ owners }, own, options);
  }
  objects.forEach((object, index) => {
    const own = outcomeOf(outcome, object);
    const pixels = outcome.pixels[object.objectClass];
    const seenPx = seen[index + 1] as number;
    const visiblePx = visible[index + 1] as number;
    pixels.seen += seenPx;
    pixels.covered += seenPx - visiblePx;
    if (seenPx <= LEAK_SHARE * object.areaPx) return;
    own.smallestPx = Math.min(own.smallestPx, Math.max(boxWidth(object.box), boxHeight(object.box)));
    countLeak(own, visiblePx > LEAK_SHARE * object.areaPx);
    countSwitch(object, own, detections);
  });
};
