import { namedClasses, perClass } from '../../../catalogue/classes';
import { DEFAULT_QUALITY, thresholdIn, type ImageOptions, type Tiling } from '../../../domain/options';
import type { Task, VideoTask } from '../../../domain/task';
import type { Report } from '../../contract/schemas-report';

type Parameters = Report['parameters'];

const formatText = (tiling: Tiling): string => {
  if (tiling.kind === 'whole') return 'whole';
  if (tiling.kind === 'pano') return `pano:${tiling.width}`;
  return JSON.stringify({ number: tiling.number, overlap: tiling.overlap });
};

const ignoresText = ({ ignores }: ImageOptions): string =>
  JSON.stringify(ignores.map(({ x, y, width, height }) => ({ topLeftX: x, topLeftY: y, width, height })));

const videoParameters = ({ tracking, detectEvery, keepBitRate, mutesAudio = false }: VideoTask) => ({
  'no-object-tracking': !tracking,
  'detect-every': detectEvery,
  'keep-bit-rate': keepBitRate,
  audio: mutesAudio ? 'mute' : 'keep',
});

/** The query of an upload with the same options, with all defaults. @param keepsMetadata as the service decided */
export const reportParameters = (
  { options, video }: Pick<Task, 'options' | 'video'>,
  keepsMetadata: boolean,
): Parameters => ({
  method: options.method,
  ...perClass((name) => options.classes.includes(name), namedClasses(options.classes)),
  ...Object.fromEntries(
    namedClasses(options.classes).map((name) => [`${name}-threshold`, thresholdIn(options.thresholds, name)]),
  ),
  ...Object.fromEntries(Object.entries(options.methods ?? {}).map(([name, own]) => [`${name}-method`, own])),
  bbox: options.wholeBoxes,
  debug: options.debug,
  score: options.score,
  plates: options.plateSearch === 'plates-and-text' ? 'thorough' : 'usual',
  'quality-preset': options.quality ?? DEFAULT_QUALITY,
  'head-fallback': options.hidesHeads ?? false,
  format: formatText(options.tiling),
  ignores: ignoresText(options),
  'keep-metadata': keepsMetadata,
  ...(video && videoParameters(video)),
});
