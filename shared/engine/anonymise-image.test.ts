import { imageHeader } from '../testing/sniffed-files';
import { describe, expect, it } from 'vitest';
import type { ImageJob, ImageResult } from '../ports/engine';
import { blueTextNet, colourCenterNet, FAKE_MANIFEST, fakeSessions, maskNet } from '../testing/fake-models';
import { createFakeSystem } from '../testing/fake-system';
import { rampPng } from '../testing/ramp-images';
import { boxOf } from '../testing/plans';
import { createRaster } from '../testing/rasters';
import { defaultImageOptions, DEFAULT_THRESHOLDS, type ImageOptions } from '../domain/options';
import { anonymiseImage } from './anonymise-image';

const SIZE = { width: 256, height: 160 };
const CAR = boxOf(20, 60, 150, 130);
const PLATE = boxOf(70, 100, 110, 110);

/** A blue plate on a red car: the fake networks read blue as text, and text on a car as a plate. */
const sceneAt = (x: number, y: number): readonly [number, number, number] => {
  const isIn = ({ x1, y1, x2, y2 }: typeof CAR): boolean => x >= x1 && x < x2 && y >= y1 && y < y2;
  if (isIn(PLATE)) return [0, 0, 255];
  return isIn(CAR) ? [255, 0, 0] : [90, 90, 90];
};

const anonymise = (
  options: Partial<ImageOptions>,
  { masks = [], ...job }: Partial<ImageJob> = {},
): Promise<ImageResult> => {
  const ports = {
    codec: {
      decode: async (_bytes: Uint8Array, { width, height }: Pick<ImageJob['header'], 'width' | 'height'>) =>
        createRaster(width, height, sceneAt),
      encodeLossy: async (_format: string, { data }: { data: Uint8Array | Uint8ClampedArray }) =>
        Uint8Array.from(data),
      encodePng: async ({ data }: { data: Uint8Array | Uint8ClampedArray }) => Uint8Array.from(data),
    },
    sessions: fakeSessions({
      objects: colourCenterNet(0.8),
      text: blueTextNet(0.9),
      selfie: maskNet('green'),
      pose: maskNet('green'),
    }),
    manifest: FAKE_MANIFEST,
    system: createFakeSystem(),
  };
  return anonymiseImage(
    {
      bytes: rampPng(SIZE.width, SIZE.height),
      options: defaultImageOptions(options),
      header: imageHeader({ format: 'png', ...SIZE }),
      encoding: { format: 'jpeg', quality: 90 },
      masks,
      ...job,
    },
    ports,
    () => undefined,
    new AbortController().signal,
  );
};
const classesIn = ({ report }: ImageResult): string[] =>
  report.detections.map(({ objectClass }) => objectClass);

it('given detections are hidden without a search, also of classes that the request does not name', async () => {
  const given = [{ objectClass: 'face', score: 0.1, box: boxOf(3, 4, 30, 40) }] as const;
  const { report, plan, models } = await anonymise({ classes: ['vehicle'] }, { given, candidateFloor: 0.25 });
  expect(report.detections).toMatchObject([{ objectClass: 'face', isAnonymised: true }]);
  expect([models, plan.candidates]).toEqual([[], undefined]);
});

describe('text on a plate', () => {
  const classes = ['license-plate', 'text'] as const;

  it('is reported as text if plates are not wanted, and not at all if text is not', async () => {
    expect(classesIn(await anonymise({ classes: ['text'] }))).toEqual(['text']);
    expect(classesIn(await anonymise({ classes: ['license-plate', 'vehicle'] }))).not.toContain('text');
  });

  it('is reported once: as the plate, or as text if the plate is not hidden', async () => {
    expect(classesIn(await anonymise({ classes }))).toEqual(['license-plate']);
    const thresholds = { ...DEFAULT_THRESHOLDS, 'license-plate': 0.99 };
    expect(classesIn(await anonymise({ classes, thresholds }))).toEqual(['text']);
  });

  it('is stored as a candidate, for edits that remove the plate', async () => {
    const { plan } = await anonymise({ classes }, { candidateFloor: 0.25 });
    expect(plan.candidates?.map(({ objectClass }) => objectClass)).toEqual(['text']);
    expect((await anonymise({ classes })).plan).not.toHaveProperty('candidates');
  });
});

it('text has the bit 8 in the blue channel of the instance mask', async () => {
  const { masks } = await anonymise({ classes: ['text'] }, { masks: ['instance'] });
  const blue = masks.instance!.filter((_, i) => i % 3 === 2);
  expect(new Set(blue)).toEqual(new Set([0, 8]));
  expect(blue.filter((value) => value === 8).length).toBeGreaterThan(40 * 10);
});

describe('a panorama', () => {
  const classes = ['text'] as const;
  const header = imageHeader({ format: 'png', ...SIZE, projection: 'sphere' });

  it('is not searched as one unless that is asked for', async () => {
    expect((await anonymise({ classes }, { header })).plan.wraps).toBeUndefined();
  });

  it('has a result that says so without kept metadata, whichever tiling is asked for', async () => {
    const size = { format: 'png', width: 256, height: 128 } as const;
    const resultOf = async (projection?: 'sphere' | 'part'): Promise<string> => {
      const header = imageHeader({ ...size, ...(projection && { projection }) });
      return new TextDecoder('latin1').decode((await anonymise({ classes }, { header })).anonymised!);
    };
    expect(await resultOf('sphere')).toContain('GPano:FullPanoWidthPixels="256"');
    for (const projection of ['part', undefined] as const) {
      expect(await resultOf(projection)).not.toContain('GPano');
    }
  });

  it('that is none by its own proportions is refused where its metadata decides', async () => {
    await expect(anonymise({ classes, format: { kind: 'auto' } }, { header })).rejects.toThrow(
      /contradicts itself/,
    );
  });

  it('is an ordinary image where its metadata says nothing', async () => {
    const plain = await anonymise({ classes, format: { kind: 'auto' } });
    expect(plain.plan).toEqual((await anonymise({ classes, format: { kind: 'whole' } })).plan);
  });
});
