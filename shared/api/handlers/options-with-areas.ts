import type { UploadQuery } from '../../catalogue/derive-parameters';
import type { ImageOptions } from '../../domain/options';
import type { ServiceSettings } from '../../tasks/base/settings';
import { HiddenAreas } from '../contract/schemas-areas';
import { parseAreas } from './areas';
import { checkHides } from './check-hides';
import { requireCode } from './edits/check-reasons';
import { checkText } from './check-text';
import { imageOptions } from './image-options';

/**
 * What an upload's query asks for, with the areas that are always hidden (`hides`), and the text that is read.
 *
 * Apart from `imageOptions`, because the page loads this only with such areas or text.
 *
 * @throws ApiError 422
 */
export const optionsWithAreas = (
  given: Partial<UploadQuery>,
  settings: Pick<ServiceSettings, 'classes' | 'format' | 'reasons'>,
): ImageOptions => {
  const options = imageOptions(given, settings);
  checkText(options);
  const hides = given.hides === undefined ? [] : checkHides(parseAreas(HiddenAreas, 'hides', given.hides));
  hides.forEach(({ reason }, i) => {
    if (reason !== undefined) requireCode(`hides[${i}].reason`, reason, options.reasons ?? []);
  });
  return hides.length > 0 ? { ...options, hides } : options;
};
