import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { boxWidth, type Box } from '#shared/domain/boxes';
import { defaultImageOptions } from '#shared/domain/options';
import type { RedactionPlan, Region } from '#shared/domain/plan';
import { isComparable } from '#shared/engine/subjects/compare-faces';
import { showFaces } from '#shared/engine/subjects/show-faces';
import type { EngineMethods } from '#shared/ports/engine';
import { DATA_SETS, type DataSetName } from '../data-sets';
import type { LabelledImage } from '../labelled-image';
import { areaOf, drawHidden } from '../pixels';
import { DATA } from './known-faces';
import { planImage } from './plan-image';

/** Photos with several persons. `coco128` has their outlines. */
const SETS: readonly DataSetName[] = ['faces', 'crowds', 'coco128'];

/** What other hidden regions permit, if each face in turn belongs to the subject. */
export interface ShowableCounts {
  readonly faces: number;
  /** Those that could be shown, with the default classes, and if only faces are hidden. */
  readonly withPersons: number;
  readonly facesOnly: number;
  /** For each other person of a photo with outlines: the share that only the shown regions hide, 0..1. */
  readonly exposed: readonly number[];
}

const isShown = ({ shown }: Region): boolean => shown !== undefined;
const showOne = (face: Region, regions: readonly Region[]): readonly Region[] =>
  showFaces(regions, (region) => (region === face ? 1 : undefined));

/** The pixels of each labelled person, as indices into the image. */
const personsOf = ({ truth }: LabelledImage, plan: RedactionPlan): readonly (readonly number[])[] =>
  truth
    .filter(({ objectClass, outline }) => objectClass === 'person' && outline)
    .map((person) => {
      const { box, alpha } = areaOf(person, plan);
      const indices = [...alpha.keys()].filter((i) => alpha[i] === 255);
      const width = boxWidth(box);
      return indices.map((i) => (box.y1 + Math.floor(i / width)) * plan.width + box.x1 + (i % width));
    });

const isIn = ({ x1, y1, x2, y2 }: Box, index: number, width: number): boolean => {
  const [x, y] = [index % width, Math.floor(index / width)];
  return x >= x1 && x < x2 && y >= y1 && y < y2;
};

/** The shares of other persons that become visible with a face, whose owner has most pixels in its box. */
const exposedBy = (
  face: Region,
  shown: readonly Region[],
  plan: RedactionPlan,
  image: LabelledImage,
): readonly number[] => {
  const before = drawHidden(plan.regions, plan);
  const hidden = shown.filter((region) => !isShown(region));
  const after = drawHidden(hidden, plan);
  const persons = personsOf(image, plan);
  const inFace = persons.map(
    (pixels) => pixels.filter((at) => isIn(face.detection.box, at, plan.width)).length,
  );
  const others = persons.filter((_, i) => i !== inFace.indexOf(Math.max(...inFace)));
  return others.map((pixels) => pixels.filter((at) => before[at] && !after[at]).length / pixels.length);
};

/** Counts the faces that could be shown in photos with several persons. No face is compared. */
export const countShowable = async (engine: EngineMethods): Promise<ShowableCounts> => {
  const counts = { faces: 0, withPersons: 0, facesOnly: 0, exposed: new Array<number>() };
  const images = existsSync(DATA) ? SETS.flatMap((set) => DATA_SETS[set].read(DATA)) : [];
  for (const image of images) {
    const plan = await planImage(engine, await readFile(image.path), defaultImageOptions());
    const faces = plan.regions.filter(({ detection }) => detection.objectClass === 'face');
    for (const face of faces.filter(({ detection }) => isComparable(detection))) {
      counts.faces++;
      if (showOne(face, faces).some(isShown)) counts.facesOnly++;
      const shown = showOne(face, plan.regions);
      if (!shown.some(isShown)) continue;
      counts.withPersons++;
      counts.exposed.push(...exposedBy(face, shown, plan, image));
    }
  }
  return counts;
};
