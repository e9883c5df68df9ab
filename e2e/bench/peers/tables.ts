import { MATCH_IOU, NEAR_IOU, SIZES } from '../../../models/eval/score';
import { head, row } from '../markdown';
import type { Failure, Rounds } from './alternate';
import { clipFigures, photoFigures, withRatio, type PhotoRound } from './figures';
import type { Program } from './programs';
import type { CommandRun } from './run-command';
import type { FaceScore } from './score-faces';

/** The figures or the failure of each program. */
export type Findings<Figures> = ReadonlyMap<Program, { readonly figures: Figures } | Failure>;

/** Formats a figure as a cell, with its ratio to the same figure of the reference. */
type Cell<Figures> = (figure: (figures: Figures) => number, digits: number) => string;

/** One row per program. The row of the reference has no ratios; if the reference failed, no row has any. */
const lines = <Figures>(
  findings: Findings<Figures>,
  cellsOf: (figures: Figures, cell: Cell<Figures>) => readonly string[],
): readonly string[] => {
  const found = [...findings].find(([{ isReference }]) => isReference)?.[1];
  const reference = found && 'figures' in found ? found.figures : undefined;
  return [...findings].map(([{ name, isReference }, finding]) => {
    if ('problem' in finding) return row([name, `failed: ${finding.problem}`]);
    const { figures } = finding;
    const cell: Cell<Figures> = (figure, digits) =>
      withRatio(figure(figures), isReference || !reference ? undefined : figure(reference), digits);
    return row([name, ...cellsOf(figures, cell)]);
  });
};

const medians = <Run, Figures>(
  measured: ReadonlyMap<Program, Rounds<Run>>,
  figuresOf: (runs: readonly Run[]) => Figures,
): Findings<Figures> =>
  new Map(
    [...measured].map(([program, rounds]) => [
      program,
      'runs' in rounds ? { figures: figuresOf(rounds.runs) } : rounds,
    ]),
  );

/** Time and memory for a number of photos. */
export const photoTable = (
  measured: ReadonlyMap<Program, Rounds<PhotoRound>>,
  photos: number,
): readonly string[] => [
  head(['Program', 'All photos, s', 'Start and first photo, s', 'Each photo after it, ms', 'Peak MiB']),
  ...lines(
    medians(measured, (rounds) => photoFigures(rounds, photos)),
    (_, cell) => [
      cell(({ seconds }) => seconds, 2),
      cell(({ firstSeconds }) => firstSeconds, 2),
      cell(({ msPerPhoto }) => msPerPhoto, 0),
      cell(({ peakMiB }) => peakMiB, 0),
    ],
  ),
];

/** Speed and memory for one clip. @param frames number of frames; NaN if unknown */
export const clipTable = (
  measured: ReadonlyMap<Program, Rounds<CommandRun>>,
  frames: number,
): readonly string[] => [
  head(['Program', 'Clip, s', 'Frames/s', 'Peak MiB']),
  ...lines(
    medians(measured, (rounds) => clipFigures(rounds, frames)),
    (_, cell) => [
      cell(({ seconds }) => seconds, 2),
      cell(({ framesPerSecond }) => framesPerSecond, 1),
      cell(({ peakMiB }) => peakMiB, 0),
    ],
  ),
];

const sizeName = (from: number, i: number): string => {
  const to = SIZES[i + 1];
  if (to === undefined) return `from ${from} px`;
  return from === 0 ? `under ${to} px` : `${from}–${to} px`;
};

/** Recall, precision and false faces, and recall by face size (root of the area). */
export const faceTable = (scores: Findings<FaceScore>): readonly string[] => [
  head([
    'Program',
    'Faces',
    `Recall (IoU ${MATCH_IOU})`,
    `Precision (IoU ${NEAR_IOU})`,
    `False (IoU ${NEAR_IOU})`,
    ...SIZES.map((from, i) => `Recall ${sizeName(from, i)}`),
  ]),
  ...lines(scores, ({ faces }, cell) => [
    String(faces),
    cell(({ recall }) => recall, 3),
    cell(({ precision }) => precision, 3),
    cell(({ falseFaces }) => falseFaces, 0),
    ...SIZES.map((_, i) => cell(({ bySize }) => bySize[i]?.recall ?? Number.NaN, 3)),
  ]),
];
