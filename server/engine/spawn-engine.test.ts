import { expect, it } from 'vitest';
import { engineEnvironment, findNetworkIsolation } from './spawn-engine';

it('the first command that works is used', async () => {
  const candidates = [['/no-such-program'], ['env', '--'], ['sh', '-c']];
  expect(await findNetworkIsolation('linux', candidates)).toEqual(['env', '--']);
});

it('where no command works there is no prefix', async () => {
  expect(await findNetworkIsolation('linux', [['/no-such-program']])).toEqual([]);
});

it('other systems than Linux have none', async () => {
  expect(await findNetworkIsolation('darwin', [['env', '--']])).toEqual([]);
});

it('the engine process gets no variable of the host but its folders and its memory limit', () => {
  const host = {
    PATH: '/usr/bin',
    TMPDIR: '/var/tmp',
    VEIL_TOKEN: 'secret',
    VEIL_DATABASE: 'postgres://user:secret@db',
    AWS_SECRET_ACCESS_KEY: 'secret',
    NODE_OPTIONS: '--require ./secret.js --max-old-space-size=512',
  };
  expect(engineEnvironment(host, [], 'linux')).toEqual({
    PATH: '/usr/bin',
    TMPDIR: '/var/tmp',
    NODE_OPTIONS: '--max-old-space-size=512',
  });
});

it('a memory limit among the arguments of Node holds for the engine process', () => {
  expect(engineEnvironment({}, ['--max-old-space-size=256', '--inspect'], 'linux')).toEqual({
    NODE_OPTIONS: '--max-old-space-size=256',
  });
});

it('on Windows it gets the variables without which no program starts', () => {
  const host = { SystemRoot: 'C:\\Windows', TEMP: 'C:\\Temp', VEIL_TOKEN: 'secret' };
  expect(engineEnvironment(host, [], 'win32')).toEqual({ SystemRoot: 'C:\\Windows', TEMP: 'C:\\Temp' });
});
