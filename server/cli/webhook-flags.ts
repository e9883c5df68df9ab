import { parseAddressRange, type AddressRange } from '../adapters/address-guard';
import { WEBHOOK_SECRET_FORM, webhookKey } from '../adapters/webhook-signer';
import { FlagError, type Flag } from './flag';
import { fromFile, secretFileFlag } from './secret-files';
import { must, one } from './values';

const addressRange = (text: string, label: string): AddressRange => {
  const range = parseAddressRange(text);
  if (!range) throw must(label, 'an address or a range such as 192.168.7.0/24 or fd00::/8', text);
  return range;
};

const secret = (text: string, label: string): Uint8Array => {
  const key = webhookKey(text);
  // The message does not contain the text, which is a secret even if it is wrong.
  if (!key) throw new FlagError(`${label} must be ${WEBHOOK_SECRET_FORM}.`);
  return key;
};

/** Flags of notifications. */
export const WEBHOOK_FLAGS: readonly Flag[] = [
  {
    name: 'webhook-secret',
    value: '<secret>',
    help: `signs notifications according to Standard Webhooks: ${WEBHOOK_SECRET_FORM}; other users can see flags, so prefer VEIL_WEBHOOK_SECRET or --webhook-secret-file (none)`,
    read: one(secret, (key) => ({ webhookKey: key })),
  },
  {
    name: secretFileFlag('webhook-secret'),
    value: '<file>',
    help: 'file that contains only the secret (none)',
    read: one(fromFile(secret), (key) => ({ webhookKey: key })),
  },
  {
    name: 'webhook-allow',
    value: '<range>',
    help: 'private address range to which notifications may be sent, such as 192.168.7.0/24; repeat it for several (public addresses only)',
    repeated: true,
    read: (texts, label) => ({ webhookAllow: texts.map((text) => addressRange(text, label)) }),
  },
];
