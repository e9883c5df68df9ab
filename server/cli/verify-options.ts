import type { NamedOption } from './flag';

export const KEY_OPTION = {
  name: 'key',
  value: '<file>',
  help: "PEM file with the signer's Ed25519 public key",
} as const satisfies NamedOption;

export const ANY_SIGNER_OPTION = {
  name: 'any-signer',
  help: 'succeeds without --key, whoever signed the report (exit code 3)',
} as const satisfies NamedOption;

export const LOG_OPTION = {
  name: 'log',
  value: '<file>',
  help: 'log of the redactions of the result, as JSON or CSV, which is checked, too',
} as const satisfies NamedOption;
