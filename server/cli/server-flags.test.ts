import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { parseCommand } from './cli';
import type { Config } from './config';
import { temporaryFolder } from '../testing/temporary-folder';

const configOf = (args: readonly string[], environment: Record<string, string> = {}): Config => {
  const command = parseCommand(args, environment);
  if (command.kind !== 'serve') throw new Error(`not serve but ${command.kind}`);
  return command.config;
};

it('no additional host name and no other site is allowed by default', () => {
  expect(configOf([])).toMatchObject({ allowHosts: [], allowOrigins: [] });
});

it('host names and origins are converted to the form that browsers send', () => {
  const args = ['--allow-host', 'Veil.LAN.', '--allow-host', 'bücher.example', '--allow-host', 'my_box'];
  expect(configOf(args).allowHosts).toEqual(['veil.lan', 'xn--bcher-kva.example', 'my_box']);
  const origins = [
    '--allow-origin',
    'HTTPS://App.example.org:443/',
    '--allow-origin',
    'http://localhost:3000',
  ];
  expect(configOf(origins).allowOrigins).toEqual(['https://app.example.org', 'http://localhost:3000']);
});

it('host names and origins are read from the environment and from a file', () => {
  const environment = { VEIL_ALLOW_HOST: 'a.example, b.example', VEIL_ALLOW_ORIGIN: 'https://a.example' };
  expect(configOf([], environment)).toMatchObject({
    allowHosts: ['a.example', 'b.example'],
    allowOrigins: ['https://a.example'],
  });
  const file = join(temporaryFolder(), 'veil.json');
  writeFileSync(file, JSON.stringify({ 'allow-host': ['c.example'], 'allow-origin': 'https://c.example' }));
  expect(configOf(['--config', file])).toMatchObject({
    allowHosts: ['c.example'],
    allowOrigins: ['https://c.example'],
  });
});

it.each([
  '',
  '*',
  'https://veil.example.org',
  'veil.example.org:7000',
  'veil.example.org/',
  'a b',
  'x@y',
  '[::1]',
])('--allow-host accepts only a host name, not %j', (text) => {
  expect(() => configOf([`--allow-host=${text}`])).toThrow(
    /^--allow-host must be a host name such as veil\.example\.org, not /,
  );
});

it.each([
  '',
  '*',
  'null',
  'app.example.org',
  'https://app.example.org/path',
  'https://u:p@a.example',
  'file:///x',
])('--allow-origin accepts only an origin, not %j', (text) => {
  expect(() => configOf([`--allow-origin=${text}`])).toThrow(
    /^--allow-origin must be an origin such as http:\/\/localhost:3000, not /,
  );
});
