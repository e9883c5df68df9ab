import { joinMuted, type MutedRange } from '#shared/domain/edits/edits';
import type { ItemEdits } from './edit-history';

/** What a pointer or a key moves. */
export type PartGrip = 'start' | 'end' | 'whole';

/** Shorter parts are not kept: they are slips of the pointer. */
export const MIN_PART_S = 0.05;
/** Parts are kept in whole milliseconds. */
const PER_SECOND = 1000;
/** Errors of floating-point numbers, in milliseconds: a part must not grow each time it is moved. */
const ROUNDING = 1e-6;

/** Edits with exactly these parts, sorted and joined. Their ends are rounded outwards. */
export const withMutedParts = (
  { mute: _before, ...edits }: ItemEdits,
  parts: readonly MutedRange[],
): ItemEdits => {
  const steps = parts.map(
    ([start, end]) =>
      [Math.floor(start * PER_SECOND + ROUNDING), Math.ceil(end * PER_SECOND - ROUNDING)] as const,
  );
  const mute = joinMuted(steps).map(([start, end]) => [start / PER_SECOND, end / PER_SECOND] as const);
  return { ...edits, ...(mute.length > 0 && { mute }) };
};

const clamped = (value: number, min: number, max: number): number => Math.min(max, Math.max(min, value));

/** A part after one of its grips was moved, inside the video and not shorter than the minimum. */
export const movePart = (
  [start, end]: MutedRange,
  grip: PartGrip,
  byS: number,
  durationS: number,
): MutedRange => {
  if (grip === 'start') return [clamped(start + byS, 0, end - MIN_PART_S), end];
  if (grip === 'end') return [start, clamped(end + byS, start + MIN_PART_S, durationS)];
  const moved = clamped(byS, -start, Math.max(0, durationS - end));
  return [start + moved, end + moved];
};

/** The part between two moments in any order; undefined if they are too close. */
export const partBetween = (oneS: number, otherS: number): MutedRange | undefined => {
  const [start, end] = [Math.min(oneS, otherS), Math.max(oneS, otherS)];
  return end - start >= MIN_PART_S ? [start, end] : undefined;
};

export const isMutedAt = (parts: readonly MutedRange[], timeS: number): boolean =>
  parts.some(([start, end]) => timeS >= start && timeS < end);
