import type { UploadQuery } from '../../catalogue/derive-parameters';
import type { WebhookTarget } from '../../domain/webhook';
import { ApiError } from '../contract/errors';
import { complainAbout, quoted } from '../http/query';
import { uploadSchema } from '../contract/schemas-upload';
import type { ApiService } from './service';

/**
 * Headers that say how a request is framed or routed, and those the notification has itself.
 *
 * A client that could set them would write the request that goes out in our name, not a credential beside it.
 */
const OWN_HEADERS =
  /^(host|connection|keep-alive|te|trailer|transfer-encoding|upgrade|expect|user-agent|via|forwarded|(content|proxy|webhook|x-forwarded)-.*)$/i;

const parseUrl = (text: string): URL => {
  try {
    return new URL(text);
  } catch {
    throw complainAbout('webhook', uploadSchema.properties.webhook, text);
  }
};

const headerOf = ({
  'webhook-auth-header-name': name,
  'webhook-auth-header-value': value,
}: Partial<UploadQuery>): WebhookTarget['header'] => {
  if (name === undefined && value === undefined) return null;
  if (name === undefined || value === undefined) throw new ApiError('webhook_header_incomplete');
  return { name, value };
};

/**
 * Whom an upload wants to be called; null: nobody.
 *
 * @throws ApiError 422
 */
export const webhookTarget = (
  given: Partial<UploadQuery>,
  { webhookSender }: Pick<ApiService, 'webhookSender'>,
): WebhookTarget | null => {
  const name = given['webhook-auth-header-name'];
  if (name !== undefined && OWN_HEADERS.test(name)) {
    throw new ApiError('webhook_header_refused', quoted(name));
  }
  if (given.webhook === undefined) return null;
  const header = headerOf(given);
  const { href, username, password } = parseUrl(given.webhook);
  if (username !== '' || password !== '') throw new ApiError('webhook_with_credentials');
  if (!webhookSender) throw new ApiError('webhook_not_offered');
  if (!webhookSender.mayCall(href)) throw new ApiError('webhook_address_refused');
  return { url: href, header };
};
