import type { Raster, Size } from '../domain/raster';
import { createRaster } from './rasters';

type Rgb = readonly [number, number, number];
type Vector = readonly [number, number, number];

/** A flat thing that faces the camera of a panorama, upright as people stand: its upper end is nearer to the zenith. */
export interface SphereThing {
  /** Of its middle, in degrees; longitude 0 is the panorama's left edge, and grows to the right. */
  readonly longitude: number;
  readonly latitude: number;
  /** Half of its height, in degrees. */
  readonly halfAngle: number;
  /** Colour by its place, each -1..1 from left to right and from top to bottom. */
  readonly at: (x: number, y: number) => Rgb;
}

const radians = (degrees: number): number => (degrees * Math.PI) / 180;
const dot = (a: Vector, b: Vector): number => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
/** Forward, right and up on the sphere: longitude is clockwise, seen from above. */
const axesOf = (longitude: number, latitude: number): readonly [Vector, Vector, Vector] => {
  const [cosLon, sinLon] = [Math.cos(longitude), Math.sin(longitude)];
  const [cosLat, sinLat] = [Math.cos(latitude), Math.sin(latitude)];
  return [
    [cosLat * cosLon, cosLat * sinLon, sinLat],
    [-sinLon, cosLon, 0],
    [-sinLat * cosLon, -sinLat * sinLon, cosLat],
  ];
};

/** Where a px of a panorama lies on a thing, each -1..1 from left to right and from top to bottom; undefined next to it. */
export const placeOn = (
  { longitude, latitude, halfAngle }: SphereThing,
  x: number,
  y: number,
  { width, height }: Size,
): readonly [number, number] | undefined => {
  // Most px are far above or below: no need to look at them closely.
  if (Math.abs(90 - (180 * (y + 0.5)) / height - latitude) > 1.5 * halfAngle) return undefined;
  const [direction] = axesOf((2 * Math.PI * (x + 0.5)) / width, Math.PI * (0.5 - (y + 0.5) / height));
  const [forward, right, up] = axesOf(radians(longitude), radians(latitude));
  const depth = dot(direction, forward);
  if (depth <= 0) return undefined;
  const scale = depth * Math.tan(radians(halfAngle));
  const place = [dot(direction, right) / scale, -dot(direction, up) / scale] as const;
  return Math.max(Math.abs(place[0]), Math.abs(place[1])) <= 1 ? place : undefined;
};

/** Whether a px of a panorama shows a thing. */
export const showsThing = (thing: SphereThing, x: number, y: number, size: Size): boolean =>
  placeOn(thing, x, y, size) !== undefined;

/** An equirectangular panorama with things on a background. */
export const panoramaOf = (
  width: number,
  things: readonly SphereThing[],
  background: (x: number, y: number) => Rgb = () => [90, 90, 90],
): Raster => {
  const size = { width, height: width / 2 };
  return createRaster(size.width, size.height, (x, y) => {
    for (const thing of things) {
      const place = placeOn(thing, x, y, size);
      if (place) return thing.at(...place);
    }
    return background(x, y);
  });
};
