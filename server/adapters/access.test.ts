import { describe, expect, it } from 'vitest';
import { createTokenAccess } from './access';

const { admits } = createTokenAccess('correct-horse.battery~staple==');

describe('token access', () => {
  it.each([
    'Bearer correct-horse.battery~staple==',
    'bearer correct-horse.battery~staple==',
    'Bearer   correct-horse.battery~staple== ',
  ])('admits %j', (header) => {
    expect(admits(header)).toBe(true);
  });

  it.each([
    undefined,
    '',
    'Bearer',
    'Bearer ',
    'correct-horse.battery~staple==',
    'Basic correct-horse.battery~staple==',
    'Bearer correct-horse.battery~staple=',
    'Bearer correct-horse.battery~staple===',
    'Bearer Correct-horse.battery~staple==',
    'Bearer wrong, Bearer correct-horse.battery~staple==',
  ])('does not admit %j', (header) => {
    expect(admits(header)).toBe(false);
  });
});
