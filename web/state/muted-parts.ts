import { isSameKind, joinMuted, mutedRangeOf, type MutedPart } from '#shared/domain/edits/edits';
import type { ItemEdits } from './edit-history';

/** What a pointer or a key moves. */
export type PartGrip = 'start' | 'end' | 'whole';

/** Shorter parts are not kept: they are slips of the pointer. */
export const MIN_PART_S = 0.05;
/** Parts are kept in whole milliseconds. */
const PER_SECOND = 1000;
/** Errors of floating-point numbers, in milliseconds: a part must not grow each time it is moved. */
const ROUNDING = 1e-6;

/** Where parts of different kinds overlap, the later one begins when the earlier one ends. */
const apart = (parts: readonly MutedPart[]): readonly MutedPart[] => {
  const kept: MutedPart[] = [];
  for (const part of parts) {
    const before = kept.findLast((one) => !isSameKind(one, part));
    const start = Math.max(part.start, before?.end ?? 0);
    if (start < part.end) kept.push({ ...part, start });
  }
  return kept;
};

/** Edits with exactly these parts, sorted, apart and joined. Their ends are rounded outwards. */
export const withMutedParts = (
  { mute: _before, ...edits }: ItemEdits,
  parts: readonly MutedPart[],
): ItemEdits => {
  const steps = parts.map(({ start, end, ...kind }) => ({
    ...kind,
    start: Math.floor(start * PER_SECOND + ROUNDING),
    end: Math.ceil(end * PER_SECOND - ROUNDING),
  }));
  const mute = apart(joinMuted(steps)).map(({ start, end, ...kind }) =>
    mutedRangeOf({ ...kind, start: start / PER_SECOND, end: end / PER_SECOND }),
  );
  return { ...edits, ...(mute.length > 0 && { mute }) };
};

const clamped = (value: number, min: number, max: number): number => Math.min(max, Math.max(min, value));

/** A part after one of its grips was moved, inside the video and not shorter than the minimum. */
export const movePart = (part: MutedPart, grip: PartGrip, byS: number, durationS: number): MutedPart => {
  const { start, end } = part;
  if (grip === 'start') return { ...part, start: clamped(start + byS, 0, end - MIN_PART_S) };
  if (grip === 'end') return { ...part, end: clamped(end + byS, start + MIN_PART_S, durationS) };
  const moved = clamped(byS, -start, Math.max(0, durationS - end));
  return { ...part, start: start + moved, end: end + moved };
};

/** The part between two moments in any order; undefined if they are too close. */
export const partBetween = (oneS: number, otherS: number): MutedPart | undefined => {
  const [start, end] = [Math.min(oneS, otherS), Math.max(oneS, otherS)];
  return end - start >= MIN_PART_S ? { start, end } : undefined;
};

export const isMutedAt = (parts: readonly MutedPart[], timeS: number): boolean =>
  parts.some(({ start, end }) => timeS >= start && timeS < end);
