import { shorterSide } from '../domain/boxes';
import { DEFAULT_THRESHOLDS, defaultImageOptions } from '../domain/options';
import type { EngineMethods } from '../ports/engine';
import type { ImagePorts } from './anonymise-image';
import { readImageHeader } from './formats/read-header';
import { createPyramid } from './pixels/pyramid';
import { findObjects } from './search/find-objects';
import { embedFace, openRecogniser } from './subjects/embed-face';
import { MIN_SAMPLE_PX } from '../domain/subject';
import { isComparable, similarityTo } from './subjects/compare-faces';

/** Computes the embedding of the only face in a sample photo. @throws UnreadableFile */
export const embedSample = async (
  [bytes, limits, signal]: Parameters<EngineMethods['embedSample']>,
  { codec, manifest, sessions }: ImagePorts,
): ReturnType<EngineMethods['embedSample']> => {
  signal.throwIfAborted();
  const raster = await codec.decode(bytes, await readImageHeader(bytes, limits));
  signal.throwIfAborted();
  const pyramid = createPyramid(raster);
  const options = defaultImageOptions({ method: 'detect', classes: ['face'] });
  const found = await findObjects(pyramid, options, { sessions, manifest }, { signal });
  const faces = found.filter(({ score }) => score >= DEFAULT_THRESHOLDS.face);
  const [face] = faces;
  if (!face) return { kind: 'no-face' };
  if (faces.length > 1) return { kind: 'several-faces', faces: faces.length };
  const sidePx = Math.floor(shorterSide(face.box));
  if (sidePx < MIN_SAMPLE_PX) return { kind: 'small-face', sidePx };
  const embedding = await embedFace(pyramid, face.box, await openRecogniser(manifest, sessions));
  return embedding ? { kind: 'face', embedding } : { kind: 'turned-face' };
};

const NOT_COMPARED = -1;

/** Compares faces of an image that was searched before with a subject. Without a comparable face nothing is decoded. */
export const matchFaces = async (
  [bytes, { faces, samples }, header, signal]: Parameters<EngineMethods['matchFaces']>,
  { codec, manifest, sessions }: ImagePorts,
): ReturnType<EngineMethods['matchFaces']> => {
  signal.throwIfAborted();
  if (!faces.some(isComparable)) return faces.map(() => NOT_COMPARED);
  const pyramid = createPyramid(await codec.decode(bytes, header));
  const recogniser = await openRecogniser(manifest, sessions);
  const similarities: number[] = [];
  for (const face of faces) {
    signal.throwIfAborted();
    const embedding = isComparable(face) ? await embedFace(pyramid, face.box, recogniser) : undefined;
    similarities.push(embedding ? similarityTo(embedding, samples) : NOT_COMPARED);
  }
  return similarities;
};
