import type { WebhookCall, WebhookSigner } from '../../ports/webhook-sender';
import { moment } from '../base/moment';
import type { TaskEnding, WebhookTarget } from '../../domain/webhook';

const EVENT_TYPE = 'notification.processing.status.changed';

/** The same for every call of a task: receivers know a repetition by it. */
const messageId = (taskId: string): string => `msg_${taskId}`;

const messageBody = (taskId: string, { status, atMs }: TaskEnding): string =>
  JSON.stringify({ ts: moment(atMs), type: EVENT_TYPE, event: { id: taskId, status } });

/** @see https://www.standardwebhooks.com: header names, signed text, version prefix */
const signatureHeaders = (
  id: string,
  body: string,
  sentAtMs: number,
  signer: WebhookSigner,
): Record<string, string> => {
  const timestamp = String(Math.floor(sentAtMs / 1000));
  return {
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': `v1,${signer.sign(`${id}.${timestamp}.${body}`)}`,
  };
};

/**
 * The notification of a task's end, ready to be sent.
 *
 * Body and id are the same at each attempt; timestamp and signature are the attempt's own, because receivers refuse
 * signatures that are minutes old, and a retry may be hours later.
 */
export const webhookCall = (
  taskId: string,
  ending: TaskEnding,
  { url, header }: WebhookTarget,
  sentAtMs: number,
  signer: WebhookSigner | null,
): WebhookCall => {
  const body = messageBody(taskId, ending);
  return {
    url,
    headers: {
      'content-type': 'application/json',
      'user-agent': 'Veil',
      ...(header ? { [header.name]: header.value } : {}),
      ...(signer ? signatureHeaders(messageId(taskId), body, sentAtMs, signer) : {}),
    },
    body,
  };
};
