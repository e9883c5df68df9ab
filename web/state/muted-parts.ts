import { joinMuted } from '#shared/domain/edits/muted-ranges';
import type { ItemEdits } from './edit-history';

/** A part of a video without sound, in seconds. */
export interface MutedPart {
  readonly startS: number;
  readonly endS: number;
}

/** What a pointer or a key moves. */
export type PartGrip = 'start' | 'end' | 'whole';

/** Shorter parts are not kept: they are slips of the pointer. */
export const MIN_PART_S = 0.05;
/** Parts are kept in whole milliseconds. */
const PER_SECOND = 1000;
/** Errors of floating-point numbers, in milliseconds: a part must not grow each time it is moved. */
const ROUNDING = 1e-6;

export const mutedParts = ({ mute = [] }: ItemEdits): readonly MutedPart[] =>
  mute.map(([startS, endS]) => ({ startS, endS }));

/** Edits with exactly these parts, sorted and joined. Their ends are rounded outwards. */
export const withMutedParts = (
  { mute: _before, ...edits }: ItemEdits,
  parts: readonly MutedPart[],
): ItemEdits => {
  const steps = parts.map(
    ({ startS, endS }) =>
      [Math.floor(startS * PER_SECOND + ROUNDING), Math.ceil(endS * PER_SECOND - ROUNDING)] as const,
  );
  const mute = joinMuted(steps).map(([start, end]) => [start / PER_SECOND, end / PER_SECOND] as const);
  return { ...edits, ...(mute.length > 0 && { mute }) };
};

const clamped = (value: number, min: number, max: number): number => Math.min(max, Math.max(min, value));

/** A part after one of its grips was moved, inside the video and not shorter than the minimum. */
export const movePart = (
  { startS, endS }: MutedPart,
  grip: PartGrip,
  byS: number,
  durationS: number,
): MutedPart => {
  if (grip === 'start') return { startS: clamped(startS + byS, 0, endS - MIN_PART_S), endS };
  if (grip === 'end') return { startS, endS: clamped(endS + byS, startS + MIN_PART_S, durationS) };
  const moved = clamped(byS, -startS, Math.max(0, durationS - endS));
  return { startS: startS + moved, endS: endS + moved };
};

/** The part between two moments in any order; undefined if they are too close. */
export const partBetween = (oneS: number, otherS: number): MutedPart | undefined => {
  const [startS, endS] = [Math.min(oneS, otherS), Math.max(oneS, otherS)];
  return endS - startS >= MIN_PART_S ? { startS, endS } : undefined;
};

export const isMutedAt = (parts: readonly MutedPart[], timeS: number): boolean =>
  parts.some(({ startS, endS }) => timeS >= startS && timeS < endS);
