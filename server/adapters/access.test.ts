import { describe, expect, it } from 'vitest';
import { accessOf, createTokenAccess } from './access';

const access = createTokenAccess([{ token: 'correct-horse.battery~staple==', scopes: ['all'] }]);
const admits = (authorization: string | undefined): boolean => access.scopesOf(authorization) !== undefined;

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

  it('gives each token its own scopes', () => {
    const { scopesOf } = createTokenAccess([
      { token: 'one', scopes: ['upload', 'read'] },
      { token: 'two', scopes: ['metrics'] },
    ]);
    expect(scopesOf('Bearer one')).toEqual(new Set(['upload', 'read']));
    expect(scopesOf('Bearer two')).toEqual(new Set(['metrics']));
    expect(scopesOf('Bearer three')).toBeUndefined();
  });
});

describe('settings', () => {
  it('without a token admit everybody', () => {
    expect(accessOf({ token: undefined, tokens: [] })).toBeUndefined();
  });

  it('with one token admit it to everything, next to tokens with scopes', () => {
    const both = accessOf({ token: 'one', tokens: [{ token: 'two', scopes: ['list'] }] });
    expect(both?.scopesOf('Bearer one')).toEqual(new Set(['all']));
    expect(both?.scopesOf('Bearer two')).toEqual(new Set(['list']));
  });
});
