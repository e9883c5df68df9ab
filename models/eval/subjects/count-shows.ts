import type { Embedding } from '#shared/domain/subject';
import { similarityTo } from '#shared/engine/subjects/compare-faces';
import type { KnownFace } from './known-faces';

/** Similarities of faces to subjects: of the right person, and of other persons. */
export interface Pairs {
  readonly right: readonly number[];
  readonly wrong: readonly number[];
}

/** Each run of `count` photos of one person, in a circle. */
export const subjectsOf = (photos: readonly Embedding[], count: number): readonly (readonly Embedding[])[] =>
  photos.map((_, from) =>
    Array.from({ length: count }, (_each, i) => photos[(from + i) % photos.length] as Embedding),
  );

/**
 * Whether a face surely belongs to another person. Unlabelled faces of photos with the person may be the person, too, but
 * only in other photos of the same source.
 *
 * @param own faces of the person
 */
export const isOther = (
  face: Pick<KnownFace, 'person' | 'photo'>,
  own: readonly Pick<KnownFace, 'person' | 'photo'>[],
): boolean => {
  if (face.person !== undefined) return own.every(({ person }) => person !== face.person);
  const photos = new Set(own.map(({ photo }) => photo));
  return photos.has(face.photo) || !isLabelledFolder(face, photos);
};

/**
 * Subjects of a number of different photos of one person, compared with another photo of the person, and with all other
 * persons.
 */
export const compareIdentities = (faces: readonly KnownFace[], photosOfSubject: number): Pairs => {
  const right: number[] = [];
  const wrong: number[] = [];
  for (const person of new Set(faces.flatMap((face) => face.person ?? []))) {
    const own = faces.filter((face) => face.person === person);
    if (own.length < photosOfSubject) continue;
    for (const face of own) {
      const others = own.filter((one) => one !== face).map(({ embedding }) => embedding);
      if (others.length < photosOfSubject) continue;
      const subjects = others.length === photosOfSubject ? [others] : subjectsOf(others, photosOfSubject);
      right.push(...subjects.map((subject) => similarityTo(face.embedding, subject)));
    }
    const subjects = subjectsOf(
      own.map(({ embedding }) => embedding),
      photosOfSubject,
    );
    for (const face of faces.filter((one) => isOther(one, own))) {
      wrong.push(...subjects.map((subject) => similarityTo(face.embedding, subject)));
    }
  }
  return { right, wrong };
};

/** Photos of one source may show the same unlabelled persons. */
const sourceOf = (photo: string): string => photo.replace(/\d+\.jpe?g$/i, '');
const isLabelledFolder = ({ photo }: Pick<KnownFace, 'photo'>, photos: ReadonlySet<string>): boolean =>
  [...photos].some((labelled) => sourceOf(labelled) === sourceOf(photo));

/** Copies of one photo: they are not other photos of the person. */
export const compareCopies = (faces: readonly KnownFace[], copy: keyof KnownFace['copies']): Pairs => ({
  right: faces.map(({ embedding, copies }) => similarityTo(copies[copy] ?? [], [embedding])),
  wrong: [],
});

/** Each face and the most similar face of the same photo, which is another person. */
export const compareLookAlikes = (faces: readonly KnownFace[]): Pairs => ({
  right: [],
  wrong: faces.flatMap((face) => {
    const others = faces.filter(
      (other) =>
        other !== face &&
        other.photo === face.photo &&
        (face.person === undefined || other.person !== face.person),
    );
    if (others.length === 0) return [];
    return [Math.max(...others.map(({ embedding }) => similarityTo(embedding, [face.embedding])))];
  }),
});
