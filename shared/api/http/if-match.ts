import type { HandlerRequest } from './http';
import { entityTag, namesTag } from './respond';

/** Whether a request may change what has a tag. Without `If-Match`, the last request wins. @see RFC 9110, section 13.1.1 */
export const mayChange =
  ({ headers }: Pick<HandlerRequest, 'headers'>) =>
  (tag: string): boolean =>
    headers['if-match'] === undefined || namesTag(headers['if-match'], entityTag(tag));
