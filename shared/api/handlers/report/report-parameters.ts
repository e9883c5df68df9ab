import { namedClasses } from '../../../catalogue/classes';
import { camel, namesOn, PARAMETERS } from '../../../catalogue/derive-parameters';
import { thresholdIn, type ImageOptions, type Tiling } from '../../../domain/options';
import type { Task } from '../../../domain/task';
import type { Report } from '../../contract/schemas-report';

type Parameters = Report['parameters'];

/** A tiling as the text that a query has for it. */
export const formatText = (tiling: Tiling): string => {
  if (tiling.kind === 'whole') return 'whole';
  if (tiling.kind === 'pano') return `pano:${tiling.width}`;
  return JSON.stringify({ number: tiling.number, overlap: tiling.overlap });
};

const ignoresText = ({ ignores }: ImageOptions): string =>
  JSON.stringify(ignores.map(({ x, y, width, height }) => ({ topLeftX: x, topLeftY: y, width, height })));

const classParameters = ({ classes, thresholds, methods = {} }: ImageOptions): Parameters =>
  Object.fromEntries([
    ...namedClasses(classes).flatMap((name) => [
      [name, classes.includes(name)],
      [`${name}-threshold`, thresholdIn(thresholds, name)],
    ]),
    ...Object.entries(methods).map(([name, own]) => [`${name}-method`, own]),
  ]) as Parameters;

/** The query of an upload with the same options, with all defaults. @param keepMetadata as the service decided */
export const reportParameters = (
  { options, video }: Pick<Task, 'options' | 'video'>,
  keepMetadata: boolean,
): Parameters => {
  const texts = { format: formatText(options.format), ignores: ignoresText(options), keepMetadata };
  const values: Readonly<Record<string, unknown>> = { ...options, ...video, ...texts };
  const names = namesOn('all', 'images', ...(video ? (['videos'] as const) : []));
  return {
    ...classParameters(options),
    ...(Object.fromEntries(
      names.filter((name) => !PARAMETERS[name].isUnreported).map((name) => [name, values[camel(name)]]),
    ) as Parameters),
  };
};
