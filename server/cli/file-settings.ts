import { ApiError } from '#shared/api/contract/errors';
import { optionsWithAreas } from '#shared/api/handlers/options-with-areas';
import { formatText } from '#shared/api/handlers/report/build-report';
import { videoOptions } from '#shared/catalogue/derive-parameters';
import type { BatchConfig, Settings } from './config';
import { FlagError } from './flag';

/** Settings that decide what is hidden in a file. */
export type FileSettings = Pick<
  Settings,
  'upload' | 'cameras' | 'classes' | 'format' | 'reasons' | 'keepMetadata'
>;

/** The same as options of the engine. */
export type FileOptions = Pick<BatchConfig, 'options' | 'video' | 'request'>;

/** The query of an upload to a server with all classes and no other settings, for the same result. */
const requestOf = ({ upload, classes, format, reasons, keepMetadata }: FileSettings): string =>
  `?${new URLSearchParams({
    ...Object.fromEntries(Object.entries(upload).map(([name, value]) => [name, String(value)])),
    ...Object.fromEntries(classes.map((name) => [name, 'true'])),
    format: formatText(format),
    ...(reasons && { reasons: JSON.stringify(reasons) }),
    'keep-metadata': String(keepMetadata),
  })}`;

/** The name of a parameter in an error, which the command has as a flag; `[1]` names one of its areas. */
const PARAMETERS = /`(ignores|hides|reasons|[a-z-]+-reason)(\[\d+\])?`/g;

/** @throws FlagError */
export const fileOptions = (settings: FileSettings): FileOptions => {
  const { upload } = settings;
  try {
    return {
      options: optionsWithAreas(upload, settings),
      video: videoOptions(upload),
      request: requestOf(settings),
    };
  } catch (error) {
    if (error instanceof ApiError) throw new FlagError(error.message.replaceAll(PARAMETERS, '--$1$2'));
    throw error;
  }
};
