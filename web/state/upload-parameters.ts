import type { UploadParameters } from '#shared/api/client';
import { namedClasses } from '#shared/catalogue/classes';
import { thresholdIn } from '#shared/domain/options';
import { isNamedLikeVideo } from './media-item';
import { namedParameters, withReadText, type Settings } from './settings';

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

/** The parameters of an upload of a file with these settings. */
export const uploadParameters = (settings: Settings, file: File): UploadParameters => {
  const { methods = {}, classes, thresholds } = settings;
  return {
    ...namedParameters(withReadText(settings, isNamedLikeVideo(file))), // hosts refuse another choice of text
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
