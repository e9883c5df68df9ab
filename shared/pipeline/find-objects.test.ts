import { describe, expect, it } from 'vitest';
import {
  blueTextNet,
  colourCenterNet,
  fakeSessions,
  FAKE_MANIFEST,
  modelEntry,
} from '../testing/fake-models';
import { optionsWith } from '../testing/plans';
import { createRaster } from '../testing/rasters';
import { findObjects } from './find-objects';
import type { ObjectClass } from './object-class';
import { createPyramid } from './pyramid';

const RED_CAR = createRaster(640, 320, (x, y) =>
  x >= 100 && x < 420 && y >= 60 && y < 280 ? [250, 0, 0] : [80, 80, 80],
);
const MANIFEST = {
  models: [
    modelEntry('objects', 'centernet', ['person', 'vehicle'], {
      multipleOf: 32,
      longSides: [512, 1024],
      maxEnlargement: 2,
    }),
    ...FAKE_MANIFEST.models.filter(({ id }) => id === 'text'),
  ],
};

/** Widths at which vehicles are looked for. */
const lookFor = async (classes: readonly ObjectClass[]): Promise<number[]> => {
  const widths: number[] = [];
  const objects = colourCenterNet(0.8);
  const sessions = fakeSessions({
    objects: (input) => {
      widths.push(input.dims[3]!);
      return objects(input);
    },
    text: blueTextNet(0.9),
  });
  const options = optionsWith({ classes });
  const ports = { sessions, manifest: MANIFEST };
  const signal = new AbortController().signal;
  await findObjects(createPyramid(RED_CAR), options, ports, () => undefined, signal);
  return widths.sort((a, b) => a - b);
};

describe('vehicles', () => {
  it('that are to be hidden are looked for at each scale of their model', async () => {
    expect(await lookFor(['vehicle', 'license-plate'])).toEqual([512, 1024]);
  });

  it('that only carry plates are looked for once', async () => {
    expect(await lookFor(['license-plate'])).toEqual([640]);
  });
});
