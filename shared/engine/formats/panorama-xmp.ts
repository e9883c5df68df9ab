import type { Projection } from '../../domain/projection';
import { readXmp } from './xmp';

/** Sizes of a whole panorama and of the part that the file has of it, by the names of `GPano`; NaN where absent. */
export const projectionOfArea = (valueOf: (name: string) => string | undefined): Projection => {
  const pixels = (name: string): number => Number(valueOf(name) ?? NaN);
  const [width, height] = [pixels('FullPanoWidthPixels'), pixels('FullPanoHeightPixels')];
  const part = [pixels('CroppedAreaImageWidthPixels'), pixels('CroppedAreaImageHeightPixels')] as const;
  const left = pixels('CroppedAreaLeftPixels') || 0;
  const top = pixels('CroppedAreaTopPixels') || 0;
  const [across, down] = [left + (part[0] || 0), top + (part[1] || 0)];
  if (across > width || down > height) return 'contradictory';
  return part[0] < width || part[1] < height ? 'part' : 'sphere';
};

/** Projections that are no part of an equirectangular panorama, by their names in GPano and Spherical Video V1. */
export const OTHER_PROJECTIONS: Readonly<Record<string, Projection>> = { fisheye: 'lenses', cubemap: 'cube' };

/** What a packet of XMP says by `GPano`; undefined where it is no panorama. */
export const projectionOfXmp = (packet: Uint8Array): Projection | undefined => {
  const own = readXmp(packet).filter(({ prefix }) => prefix === 'GPano');
  const valueOf = (name: string): string | undefined => own.find((one) => one.name === name)?.value;
  const type = valueOf('ProjectionType');
  if (type === undefined) return undefined;
  return type === 'equirectangular' ? projectionOfArea(valueOf) : (OTHER_PROJECTIONS[type] ?? 'part');
};
