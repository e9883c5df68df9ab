import type { UploadParameters } from '#shared/api/client';
import { namedClasses } from '#shared/catalogue/classes';
import { thresholdIn } from '#shared/domain/options';
import { isNamedLikeVideo } from './media-item';
import { namedParameters, type Settings } from './settings';

/** The reasons and the case of an upload. */
const statedParameters = ({ stated }: Settings): UploadParameters => {
  if (!stated) return {};
  const { number, ...persons } = stated.details;
  return {
    ...(stated.codes.length > 0 && { reasons: JSON.stringify(stated.codes) }),
    ...Object.fromEntries(Object.entries(stated.ofClasses).map(([name, code]) => [`${name}-reason`, code])),
    ...(number !== undefined && { 'case-number': number }),
    ...persons,
  };
};

/** Without the choice of text that no host accepts: text is read in images alone, and only where it is hidden. */
const withReadableText = (settings: Settings, file: File): Settings => {
  if (settings.classes.includes('text') && !isNamedLikeVideo(file)) return settings;
  const { textMatch: _match, textKeep: _keep, ...others } = settings;
  return others;
};

/** The parameters of an upload of a file with these settings. */
export const uploadParameters = (settings: Settings, file: File): UploadParameters => {
  const { methods = {}, classes, thresholds } = settings;
  return {
    ...namedParameters(withReadableText(settings, file)),
    ...statedParameters(settings),
    format: settings.guessesSpheres === false ? 'auto' : 'guess',
    ...Object.fromEntries(Object.entries(methods).map(([name, own]) => [`${name}-method`, own])),
    ...Object.fromEntries(
      namedClasses(classes).flatMap((name) => [
        [name, classes.includes(name)],
        [`${name}-threshold`, thresholdIn(thresholds, name)],
      ]),
    ),
  };
};
