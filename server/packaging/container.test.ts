import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { Script } from 'node:vm';
import { describe, expect, it } from 'vitest';
import { variableOf } from '../cli/flag';
import { SERVER_FLAGS } from '../cli/server-flags';
import { COMMON_FLAGS } from '../cli/common-flags';
import { listOf, parseDockerfile } from '../testing/dockerfile';
import { PROBES } from '../http/serve-probes';

const ROOT = join(import.meta.dirname, '../..');
const read = (file: string): string => readFileSync(join(ROOT, file), 'utf8');

const instructions = parseDockerfile(read('Dockerfile'));
const restsOf = (name: string): readonly string[] =>
  instructions.filter((each) => each.name === name).map(({ rest }) => rest);
const lastStage = instructions.slice(instructions.findLastIndex(({ name }) => name === 'FROM'));

/** Sources that are copied from the checkout, not from another stage. */
const copied = restsOf('COPY')
  .filter((rest) => !rest.startsWith('--from='))
  .flatMap((rest) => rest.split(/\s+/).slice(0, -1));
const exists = (source: string): boolean => {
  if (!source.includes('*')) return existsSync(join(ROOT, source));
  const pattern = new RegExp(`^${basename(source).replaceAll('.', '\\.').replaceAll('*', '.*')}$`);
  return readdirSync(join(ROOT, dirname(source))).some((name) => pattern.test(name));
};

describe('the Dockerfile', () => {
  it('has only known instructions, in capitals', () => {
    const known = 'FROM ARG ENV WORKDIR COPY RUN USER VOLUME EXPOSE HEALTHCHECK ENTRYPOINT'.split(' ');
    for (const { name } of instructions) expect(known).toContain(name);
  });

  it('uses one base image, whose digest a release looks up, with a version of Node that package.json allows', () => {
    const images = restsOf('FROM').map((rest) => rest.split(' ')[0]);
    expect(new Set(images)).toEqual(new Set(['node:24-slim']));
    expect(read('.github/workflows/release.yml')).toContain(`imagetools inspect ${[...images][0]} `);
    const { engines } = JSON.parse(read('package.json')) as { engines: { node: string } };
    expect(engines.node).toBe('>=20.20');
  });

  it('copies only existing files', () => {
    expect(copied.length).toBeGreaterThan(8);
    expect(copied.filter((source) => !exists(source))).toEqual([]);
  });

  it('copies only files that .dockerignore does not exclude', () => {
    const allowed = read('.dockerignore')
      .split('\n')
      .filter((line) => line.startsWith('!'))
      .map((line) => line.slice(1));
    expect(copied.filter((source) => !allowed.includes(source.split('/')[0]!))).toEqual([]);
    expect(read('.dockerignore')).toMatch(/^\*$/m);
  });

  it('downloads nothing from an address, and contains no secret', () => {
    expect(restsOf('ADD')).toEqual([]);
    expect(read('Dockerfile')).not.toMatch(/https?:\/\/(?!127\.0\.0\.1)|TOKEN|SECRET|PASSWORD|curl|wget/i);
  });

  it('installs only packages of a lock: to build, and with the package that it built', () => {
    const runs = restsOf('RUN').join('\n');
    expect(runs.match(/npm (ci|i|install|update)\b.*/g)).toEqual(['npm ci --ignore-scripts', 'npm ci']);
    expect(runs).toContain('tar -xzf /app/veil.tgz --strip-components=1 && npm ci');
  });

  it('downloads model packs only where its argument names them, before the last stage', () => {
    expect(restsOf('ARG')).toEqual(['VEIL_MODELS']);
    const adding = restsOf('RUN').filter((rest) => rest.includes('models add'));
    expect(adding).toHaveLength(1);
    expect(lastStage.some(({ rest }) => rest.includes('models add'))).toBe(false);
    const run = (names: string): string =>
      execFileSync('sh', ['-ec', `node() { echo "$*"; }; ${adding[0]!}`], {
        encoding: 'utf8',
        env: { VEIL_MODELS: names },
      });
    expect(run('')).toBe('');
    expect(run('recommended yunet')).toBe(
      'server/bin/veil.mjs models add recommended\nserver/bin/veil.mjs models add yunet\n',
    );
  });

  it('contains no sources, because the last stage copies only the installed package', () => {
    const copies = lastStage.filter(({ name }) => name === 'COPY').map(({ rest }) => rest);
    expect(copies).toEqual(['--from=install /opt/veil /opt/veil']);
  });

  it('switches to an unprivileged user before the program starts', () => {
    const names = lastStage.map(({ name }) => name);
    expect(lastStage.find(({ name }) => name === 'USER')?.rest).toBe('node');
    expect(names.indexOf('USER')).toBeLessThan(names.indexOf('ENTRYPOINT'));
    expect(names.slice(names.indexOf('USER'))).not.toContain('RUN');
  });

  it('starts the installed program, and passes flags on', () => {
    const { bin } = JSON.parse(read('package.json')) as { bin: { veil: string } };
    expect(listOf(restsOf('ENTRYPOINT')[0]!)).toEqual(['node', `/opt/veil/${bin.veil}`]);
  });

  it('requests the health endpoint of the server', () => {
    const check = restsOf('HEALTHCHECK')[0]!;
    expect(check).toContain(`${PROBES.health}\``);
    const [program, , code] = listOf(check);
    expect(program).toBe('node');
    expect(() => new Script(code!)).not.toThrow();
  });

  it('sets only environment variables of existing flags', () => {
    const known = [...COMMON_FLAGS, ...SERVER_FLAGS].map(variableOf);
    const set = [...read('Dockerfile').matchAll(/\b(VEIL_\w+)=/g)].map(([, name]) => name);
    expect(set.length).toBeGreaterThan(2);
    for (const name of set) expect(known).toContain(name);
  });

  it('keeps uploads and results in volumes', () => {
    const volumes = listOf(restsOf('VOLUME')[0]!);
    const [environment] = restsOf('ENV');
    for (const name of ['VEIL_INPUT', 'VEIL_OUTPUT']) {
      expect(volumes).toContain(new RegExp(`${name}=(\\S+)`).exec(environment!)?.[1]);
    }
  });
});

describe('compose.yaml', () => {
  it.each([
    'read_only: true',
    'cap_drop:\n      - ALL',
    'no-new-privileges:true',
    'tmpfs:\n      - /tmp',
    'VEIL_TOKEN: ${VEIL_TOKEN:?',
    "'127.0.0.1:7000:7000'",
    ':/data/input',
    ':/data/output',
  ])('has %s', (line) => {
    expect(read('compose.yaml')).toContain(line);
  });
});
