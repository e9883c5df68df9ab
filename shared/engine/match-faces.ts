import type { EngineMethods } from '../ports/engine';
import type { ImagePorts } from './anonymise-image';
import { createPyramid } from './pixels/pyramid';
import { isComparable, similarityTo } from './subjects/compare-faces';
import { embedFace, openRecogniser } from './subjects/embed-face';

const NOT_COMPARED = -1;

/** Compares faces of an image that was searched before with a subject. Without a comparable face nothing is decoded. */
export const matchFaces = async (
  [bytes, faces, samples, header, signal]: Parameters<EngineMethods['matchFaces']>,
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
