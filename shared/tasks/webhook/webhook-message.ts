import type { WebhookCall, WebhookSigner } from '../../ports/webhook-sender';
import { moment } from '../base/moment';
import type { TaskEnding, WebhookTarget } from '../../domain/webhook';

const EVENT_TYPE = 'notification.processing.status.changed';

/** What a notification reports: the end of a task, or of an edit of its result. */
export interface Reported {
  readonly taskId: string;
  /** Number of the edit; undefined for the task's own end. */
  readonly edit: number | undefined;
  readonly ending: TaskEnding;
}

/** The same for each call of a notification: receivers recognise a repetition by it. */
const messageId = ({ taskId, edit }: Reported): string =>
  edit === undefined ? `msg_${taskId}` : `msg_${taskId}_edit_${edit}`;

const messageBody = ({ taskId, edit, ending: { status, atMs } }: Reported): string =>
  JSON.stringify({
    ts: moment(atMs),
    type: EVENT_TYPE,
    event: { id: taskId, status, ...(edit === undefined ? {} : { edited: true }) },
  });

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
 * A notification, ready to be sent.
 *
 * Body and id are the same at each attempt; timestamp and signature are the attempt's own, because receivers refuse
 * signatures that are minutes old, and a retry may be hours later.
 */
export const webhookCall = (
  reported: Reported,
  { url, header }: WebhookTarget,
  sentAtMs: number,
  signer: WebhookSigner | null,
): WebhookCall => {
  const body = messageBody(reported);
  return {
    url,
    headers: {
      'content-type': 'application/json',
      'user-agent': 'Veil',
      ...(header ? { [header.name]: header.value } : {}),
      ...(signer ? signatureHeaders(messageId(reported), body, sentAtMs, signer) : {}),
    },
    body,
  };
};
