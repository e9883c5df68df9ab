import type { Asked } from '../http/http';
import { badParameter, parseFlag } from '../http/query';

const ASYNC_HEADER = 'x-is-async';

/** Whether the client wants the answer at once, and not when the work is done. @throws ApiError 422 */
export const wantsAsync = ({ headers }: Pick<Asked, 'headers'>): boolean => {
  const text = headers[ASYNC_HEADER]?.trim() ?? '';
  const value = text === '' ? false : parseFlag(text);
  if (value === undefined) throw badParameter(ASYNC_HEADER, 'true or false', text);
  return value;
};
