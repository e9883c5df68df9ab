import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import sharp from 'sharp';
import type { Box } from '#shared/domain/boxes';
import { RGBA, type Raster } from '#shared/domain/raster';
import { LIMITS } from '#shared/domain/limits';
import { readImageHeader } from '#shared/engine/formats/read-header';
import { MIN_AGREEING_FRAMES } from '#shared/engine/subjects/subject-limits';
import type { EngineMethods } from '#shared/ports/engine';
import { imageCodec } from '../../../server/adapters/image-codec';
import { encodeFrames } from '../video/encode-frames';
import { sourceOf } from '../video/memory-clip';
import { isTrackShown, type TrackCounts } from './compare-tracks';
import { isOther, subjectsOf } from './count-shows';
import { embedTracks, type EmbeddedFrame } from './embed-tracks';
import { DATA, LABELLED_PHOTOS, personAt, type Embed, type KnownFace } from './known-faces';

const FRAMES = 8;
const FRAME_S = 0.2;
/** Movement of the view in each frame. */
const STEP_PX = { x: 8, y: 4 } as const;
/** Loss of light in each frame. */
const DARKER = 0.04;

/** A track of a face in a clip of a view that moves over a photo. */
export interface MovingFace {
  readonly photo: string;
  readonly person: string | undefined;
  /** Of the face, in px of the photo. */
  readonly centre: readonly [x: number, y: number];
  readonly frames: readonly EmbeddedFrame[];
}

const frameAt = async ({ width, height, data }: Raster, index: number): Promise<Raster> => {
  const size = { width: width - FRAMES * STEP_PX.x, height: height - FRAMES * STEP_PX.y };
  const even = { width: size.width & ~1, height: size.height & ~1 };
  const seen = await sharp(data, { raw: { width, height, channels: RGBA } })
    .extract({ left: index * STEP_PX.x, top: index * STEP_PX.y, ...even })
    .removeAlpha()
    .linear(1 - index * DARKER, 0)
    .ensureAlpha()
    .raw()
    .toBuffer();
  return { ...even, data: seen };
};

const inPhoto = ({ index, box: { x1, y1, x2, y2 } }: EmbeddedFrame): Box => {
  const [x, y] = [index * STEP_PX.x, index * STEP_PX.y];
  return { x1: x1 + x, y1: y1 + y, x2: x2 + x, y2: y2 + y };
};

/** Tracks all faces while a view moves over each labelled photo. */
export const readMovingFaces = async (
  engine: EngineMethods,
  embed: Embed,
): Promise<readonly MovingFace[]> => {
  const faces: MovingFace[] = [];
  for (const photo of LABELLED_PHOTOS) {
    const bytes = await readFile(join(DATA, photo));
    const raster = await imageCodec.decode(bytes, await readImageHeader(bytes, LIMITS));
    const frames = await Promise.all(Array.from({ length: FRAMES }, (_, index) => frameAt(raster, index)));
    const clip = await encodeFrames(frames, FRAME_S);
    for (const track of (await embedTracks(engine, sourceOf(clip), embed)).values()) {
      const [first] = track;
      if (!first || track.length < MIN_AGREEING_FRAMES) continue;
      const box = inPhoto(first);
      const centre = [(box.x1 + box.x2) / 2, (box.y1 + box.y2) / 2] as const;
      faces.push({ photo, person: personAt(photo, box), centre, frames: track });
    }
  }
  return faces;
};

const isSameFace = ({ photo, centre: [x, y] }: MovingFace, { photo: other, box }: KnownFace): boolean =>
  photo === other && x > box.x1 && x < box.x2 && y > box.y1 && y < box.y2;

/** Compares each track with subjects of other photos of the person, and of all other persons. */
export const compareMovingFaces = (
  tracks: readonly MovingFace[],
  faces: readonly KnownFace[],
  photosOfSubject: number,
): TrackCounts => {
  const counts = { right: 0, rightShown: 0, wrong: 0, wrongShown: 0 };
  const count = (kind: 'right' | 'wrong', track: MovingFace, samples: readonly KnownFace[]): void => {
    if (samples.length < photosOfSubject) return;
    const photos = samples.map(({ embedding }) => embedding);
    const subjects = photos.length === photosOfSubject ? [photos] : subjectsOf(photos, photosOfSubject);
    counts[kind] += subjects.length;
    counts[`${kind}Shown`] += subjects.filter((subject) => isTrackShown(track.frames, subject)).length;
  };
  for (const person of new Set(faces.flatMap((face) => face.person ?? []))) {
    const own = faces.filter((face) => face.person === person);
    for (const track of tracks) {
      if (track.person === person) {
        count(
          'right',
          track,
          own.filter((face) => !isSameFace(track, face)),
        );
      } else if (isOther(track, own)) count('wrong', track, own);
    }
  }
  return counts;
};
