import { PARAMETER_TABLE } from '../../catalogue/parameters';
import { readsText, type ImageOptions } from '../../domain/options';
import { unreadableWord } from '../../domain/read-text';
import { isTextMatch } from '../../engine/reading/text-rules';
import { ApiError } from '../contract/errors';
import { badParameter } from '../http/query';

/** Checks what decides which text stays visible. @throws ApiError 422 */
export const checkText = (options: ImageOptions): void => {
  const { textMatch, textKeep } = options;
  if (!readsText(options)) return;
  if (textMatch !== undefined && !isTextMatch(textMatch)) {
    throw badParameter('text-match', PARAMETER_TABLE['text-match'].value.form, textMatch);
  }
  const unreadable = textKeep === undefined ? undefined : unreadableWord(textKeep);
  if (unreadable !== undefined) {
    throw badParameter('text-keep', 'words with letters that the reader knows', unreadable);
  }
  if (!options.classes.includes('text')) throw new ApiError('text_not_selected');
};
