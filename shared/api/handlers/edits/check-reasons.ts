import type { ImageOptions } from '../../../domain/options';
import type { ReasonCode } from '../../../domain/reasons';
import { statedReasons } from '../../../domain/stated-reasons';
import type { EditsBody } from '../../contract/schemas-edits';
import { badParameter } from '../../http/query';

/** Codes that a sentence lists. */
const MAX_LISTED = 12;

/** @throws ApiError 422 for a code that occurs twice */
export const requireDifferentCodes = (reasons: readonly ReasonCode[]): void => {
  const seen = new Set<string>();
  reasons.forEach(({ code }, i) => {
    if (seen.has(code)) throw badParameter(`reasons[${i}].code`, 'another code than those before it', code);
    seen.add(code);
  });
};

/** @throws ApiError 422 for a code that the list does not have */
export const requireCode = (name: string, code: string, reasons: readonly ReasonCode[]): void => {
  if (reasons.some((one) => one.code === code)) return;
  const codes = reasons.slice(0, MAX_LISTED).map((one) => one.code);
  const more = reasons.length > MAX_LISTED ? ', …' : '';
  throw badParameter(
    name,
    codes.length > 0 ? `one of the codes ${codes.join(', ')}${more}` : 'absent without `reasons`',
    code,
  );
};

/** Checks all codes that edits name, also those that the upload has named for its classes. @throws ApiError 422 */
export const checkReasons = (body: EditsBody, uploaded: ImageOptions): void => {
  if (body.reasons) requireDifferentCodes(body.reasons);
  const { codes, ofClasses } = statedReasons(body, uploaded);
  for (const [name, code] of Object.entries(ofClasses)) requireCode(`class_reasons.${name}`, code, codes);
  for (const field of ['objects', 'areas', 'hides'] as const) {
    body[field]?.forEach(({ reason }, i) => {
      if (reason !== undefined) requireCode(`${field}[${i}].reason`, reason, codes);
    });
  }
  body.mute?.forEach((range, i) => {
    if (!('reason' in range) || range.reason === undefined) return;
    requireCode(`mute[${i}].reason`, range.reason, codes);
  });
};
