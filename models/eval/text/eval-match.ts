/**
 * `npm run eval:text-match`: which lines of generated documents, screens and photos of them stay visible when only e-mail
 * addresses, numbers and dates are to be hidden, and what reading costs.
 *
 * Options: `--seed N` (7), `--only PATTERN` of groups, `--missed` for the lines that are shown or hidden by mistake.
 */
import { parseArgs } from 'node:util';
import { readImageHeader } from '#shared/engine/formats/read-header';
import { LIMITS } from '#shared/domain/limits';
import { defaultImageOptions } from '#shared/domain/options';
import { TEXT_KINDS } from '#shared/domain/read-text';
import { imageCodec } from '../../../server/adapters/image-codec';
import { endWhenOutputCloses } from '../../../server/end-when-output-closes';
import { openEngine } from '../open-engine';
import { createRandom } from '../video/random';
import { makeMatchImages, type MatchImage } from './match-images';
import { hiddenPixels, planWith } from './measure-text';

endWhenOutputCloses();

const { values: flags } = parseArgs({
  options: {
    seed: { type: 'string', default: '7' },
    only: { type: 'string', default: '' },
    missed: { type: 'boolean', default: false },
  },
});

/** Maximum share of its ink that may be hidden in a visible line: a neighbour's margin touches it. */
const MAX_HIDDEN = 0.05;

interface Score {
  sensitive: number;
  hidden: number;
  others: number;
  visible: number;
  /** Lines that were found, and processor time for reading them, in ms. */
  read: number;
  readMs: number;
}

const emptyScore = (): Score => ({ sensitive: 0, hidden: 0, others: 0, visible: 0, read: 0, readMs: 0 });

const engine = await openEngine();

const search = async (bytes: Uint8Array, textMatch?: string) =>
  engine.anonymiseImage(
    {
      bytes,
      options: defaultImageOptions({
        method: 'detect',
        classes: ['text'],
        ...(textMatch !== undefined && { textMatch }),
      }),
      header: await readImageHeader(bytes, LIMITS),
      encoding: { format: 'png', compressLevel: 1 },
      masks: [],
    },
    () => undefined,
    new AbortController().signal,
  );

const scoreImage = async ({ raster, lines, group }: MatchImage): Promise<Score> => {
  const bytes = await imageCodec.encodePng({ ...raster, channels: 4 }, 1);
  const started = process.cpuUsage();
  const all = await search(bytes);
  const without = process.cpuUsage(started);
  const { plan } = await search(bytes, TEXT_KINDS.join(','));
  const both = process.cpuUsage(started);
  const readUs = both.user + both.system - 2 * (without.user + without.system);
  const detections = plan.regions.map(({ detection }) => detection);
  const hidden = hiddenPixels(planWith(raster, detections, 'blacken'));
  const score = { ...emptyScore(), read: all.plan.regions.length, readMs: readUs / 1000 };
  for (const { ink, kind, text } of lines) {
    const share = ink.filter((at) => hidden[at] === 1).length / ink.length;
    const isRight = kind ? share === 1 : share <= MAX_HIDDEN;
    if (kind) {
      score.sensitive++;
      score.hidden += isRight ? 1 : 0;
    } else {
      score.others++;
      score.visible += isRight ? 1 : 0;
    }
    if (flags.missed && !isRight) {
      console.log(`  ${group}: ${kind ?? 'other'}, ${text}, ${share.toFixed(2)} hidden`);
    }
  }
  return score;
};

const row = (group: string, { sensitive, hidden, others, visible, read, readMs }: Score): string =>
  `| ${[
    group,
    sensitive,
    (hidden / sensitive).toFixed(3),
    others,
    (visible / others).toFixed(3),
    (readMs / read).toFixed(0),
  ].join(' | ')} |`;

console.log(
  '| Images | Sensitive | Hidden | Others | Visible | ms a line |\n| --- | --- | --- | --- | --- | --- |',
);
const total = emptyScore();
for await (const image of makeMatchImages(createRandom(Number(flags.seed)))) {
  if (!new RegExp(flags.only).test(image.group)) continue;
  const score = await scoreImage(image);
  console.log(row(image.group, score));
  for (const key of Object.keys(total) as (keyof Score)[]) total[key] += score[key];
}
console.log(row('all', total));
