import { ApiError } from '#shared/api/contract/errors';
import { readUpload } from '#shared/api/http/query';
import {
  type ParameterName,
  type UploadQuery,
  PARAMETER_NAMES,
  PARAMETERS,
} from '#shared/catalogue/derive-parameters';
import { BAG_FLAGS } from './bag-flags';
import { EXPORT_FORMATS } from '../batch/exports/exports';
import type { ParameterEntry } from '#shared/catalogue/parameter-entry';
import { PARAMETER_TABLE } from '#shared/catalogue/parameters';
import { readHides } from './camera-areas';
import { FlagError, type Flag, durationMs, flag, valueError, notEmpty, lastOf, oneOf, onOff } from './flag';

/** The entry's description as help, with the values and the default. */
const helpOf = ({ value, description }: ParameterEntry): string => {
  const said = `${description.charAt(0).toLowerCase()}${description.slice(1).replace(/\.$/, '').replaceAll('`', '')}`;
  const allowed = value.type === 'choice' ? value.of.join(', ') : value.type === 'text' && value.form;
  const byDefault = value.type === 'flag' || !('default' in value) ? '' : ` (${String(value.default)})`;
  return `${said}${allowed ? `: ${allowed}` : ''}${byDefault}`;
};

/** Reads a parameter with the API's parser, so that both accept the same values. */
const readParameter = (name: string, text: string, label: string): Partial<UploadQuery> => {
  try {
    return readUpload(`?${name}=${encodeURIComponent(notEmpty(text, label))}`);
  } catch (error) {
    if (error instanceof ApiError) throw new FlagError(error.message.replace(`\`${name}\``, label));
    throw error;
  }
};

const HIDES_HELP =
  'areas that are always hidden, as JSON or as a file with it; a file may name sets for the folders or file names of cameras';

/** Also reads a file, which may have the areas of several cameras. */
const readHidesFlag: Flag['read'] = (texts, label) => {
  const hides = readHides(texts.at(-1) ?? '', label);
  return typeof hides === 'string' ? { upload: readParameter('hides', hides, label) } : { cameras: hides };
};

const parameterFlag = (name: ParameterName): readonly Flag[] => {
  const { cli, ...entry }: ParameterEntry = PARAMETERS[name];
  if (!cli) return [];
  if (name === 'hides') return [{ name, ...cli, help: HIDES_HELP, read: readHidesFlag }];
  const read = lastOf(
    (text, label) => readParameter(name, text, label),
    (upload) => ({ upload }),
  );
  return [{ name, ...cli, help: helpOf(entry), read }];
};

const MAX_SUFFIX_CHARS = 64;

/** Parses a part of a file name that is valid on all systems. */
const suffix = (text: string, label: string): string => {
  if (!/^[^\p{C}\s/\\:*?"<>|]+$/u.test(text) || text.length > MAX_SUFFIX_CHARS || text.endsWith('.')) {
    const form = `a part of a file name of up to ${MAX_SUFFIX_CHARS} characters, such as _anonymised`;
    throw valueError(label, form, text);
  }
  return text;
};

/** Parses a duration in seconds that the parameter `preview` accepts. */
const seconds = (text: string, label: string): number => {
  const { min, max } = PARAMETER_TABLE.preview.value;
  const value = durationMs(text) / 1000;
  const isAllowed = value >= min && value <= max;
  if (!isAllowed) throw valueError(label, `a duration from ${min}s to ${max}s, such as 3s`, text);
  return value;
};

/** Flags of batch mode only. */
export const BATCH_FLAGS: readonly Flag[] = [
  ...PARAMETER_NAMES.flatMap(parameterFlag),
  flag(
    'save-metadata',
    'writes the detections of each image and frame as JSON next to the result',
    lastOf(onOff, (saveMetadata) => ({ saveMetadata })),
  ),
  flag(
    'save-report',
    'writes a report of each file next to the result, as JSON and as a page for printing; sign them with --report-key',
    lastOf(onOff, (saveReport) => ({ saveReport })),
  ),
  flag(
    'save-log',
    'writes a log of all redactions of each file next to the result, as JSON and CSV: where, class, method, reason',
    lastOf(onOff, (saveLog) => ({ saveLog })),
  ),
  flag(
    'suffix <text>',
    'text behind the name of each result, such as _anonymised; without --output, results are written next to their sources (none)',
    lastOf(suffix, (text) => ({ suffix: text })),
  ),
  flag(
    'export <format>',
    `writes the objects of each file for other tools, with boxes, masks and tracks: ${EXPORT_FORMATS.join(', ')}; repeat it for several (none)`,
    (texts, label) => {
      const chosen = texts.map((text) => oneOf(EXPORT_FORMATS)(text, label));
      return { exports: EXPORT_FORMATS.filter((format) => chosen.includes(format)) };
    },
    { repeated: true },
  ),
  flag(
    'from <file>',
    'JSON Lines or COCO file with the objects to hide, from another detector or --export: nothing is searched (none)',
    lastOf(notEmpty, (detectionsFile) => ({ detectionsFile })),
  ),
  flag(
    'edits <file>',
    'JSON file with edits for the result of a single file, in the form of the API (none)',
    lastOf(notEmpty, (editsFile) => ({ editsFile })),
  ),
  flag(
    'preview <duration>',
    'anonymises only the beginning of each video, such as 3s, and says so in the name of its result; images as usual (all)',
    lastOf(seconds, (preview) => ({ upload: { preview } })),
  ),
  flag(
    'fail-on-uncertain',
    'ends with exit code 3 if a score is near the threshold of its class, and lists these objects in --json',
    lastOf(onOff, (failOnUncertain) => ({ failOnUncertain })),
  ),
  flag(
    'folder-settings',
    'lets a veil.yaml in a folder set how its files are searched and hidden: never less than the command line',
    lastOf(onOff, (folderSettings) => ({ folderSettings })),
  ),
  flag(
    'watch',
    'also processes files that come into the folders later, once they are complete, until Ctrl-C',
    lastOf(onOff, (watch) => ({ watch })),
  ),
  ...BAG_FLAGS,
  flag(
    'json',
    'prints events as JSON, one object per line',
    lastOf(onOff, (json) => ({ json })),
  ),
];
