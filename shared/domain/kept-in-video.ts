import type { MetadataKind } from './image-header';

/** A place on the Earth (WGS 84), in degrees and m. */
export interface Place {
  /** −90..90. */
  readonly latitude: number;
  /** −180..180. */
  readonly longitude: number;
  readonly altitude?: number;
}

/** Where the camera was at a time of the video. */
export interface TimedPlace extends Required<Place> {
  /** From the start of the movie; 0 or later. */
  readonly seconds: number;
}

/** What a video's result keeps of its source on request. All other metadata is dropped. */
export interface KeptInVideo {
  /** Seconds since 1904, in UTC, as MP4 counts them; 1..2^32 − 1. */
  readonly createdAt?: number;
  /** The same moment or another, with its offset from UTC, as a text of ISO 8601. */
  readonly creationDate?: string;
  readonly place?: Place;
  /** In order. */
  readonly positions: readonly TimedPlace[];
}

/** Times of the track in results have 32 bits, in units of 1/90,000 s: 13 hours. */
const MAX_POSITION_SECONDS = 13 * 60 * 60;

/** The same without positions after the end of the video: parts that were cut off are not in the result. */
export const keptUntil = (kept: KeptInVideo, endSeconds: number): KeptInVideo => ({
  ...kept,
  positions: kept.positions.filter(({ seconds }) => seconds < Math.min(endSeconds, MAX_POSITION_SECONDS)),
});

/** What a result has kept. */
export interface KeptFacts {
  readonly kinds: readonly MetadataKind[];
  /** Number of samples in the track with positions; 0 where there is no such track. */
  readonly positions: number;
}

/** @param kept what was written */
export const keptFacts = ({ createdAt, creationDate, place, positions }: KeptInVideo): KeptFacts => ({
  kinds: [
    ...(place || positions.length > 0 ? (['place'] as const) : []),
    ...(createdAt !== undefined || creationDate !== undefined ? (['capture-time'] as const) : []),
  ],
  positions: positions.length,
});

/** No aeroplane, mine or diver leaves these bounds, in m. */
const [MIN_ALTITUDE, MAX_ALTITUDE] = [-12_000, 50_000] as const;

const isWithin = (value: number, min: number, max: number): boolean => value >= min && value <= max;

/** Whether all numbers are finite and in range. */
export const isPlace = ({ latitude, longitude, altitude = 0 }: Place): boolean =>
  isWithin(latitude, -90, 90) &&
  isWithin(longitude, -180, 180) &&
  isWithin(altitude, MIN_ALTITUDE, MAX_ALTITUDE);
