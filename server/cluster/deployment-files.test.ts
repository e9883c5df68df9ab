import { readdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { parseCommand } from '../cli/cli';
import { readCompose, readPods, readSample as read, SAMPLES } from '../testing/cluster/samples';
import { createClusterMetrics } from './cluster-metrics';

const files = readdirSync(SAMPLES, { recursive: true, encoding: 'utf8' });
const yamlFiles = files.filter((file) => file.endsWith('.yaml'));
const unitFiles = files.filter((file) => file.endsWith('.service'));

const SERVICES = {
  VEIL_DATABASE: 'postgres://db/veil',
  VEIL_QUEUE: 'redis://queue',
  VEIL_FILES: '/files',
};

/** The command lines of `veil` in all files. */
const commandLines: readonly (readonly [file: string, args: readonly string[]])[] = [
  ...unitFiles.flatMap((file) =>
    [...read(file).matchAll(/^ExecStart=\S+ (.*)$/gm)].map(
      ([, line = '']) => [file, line.replaceAll('%i', '7001').split(' ')] as const,
    ),
  ),
  ...readPods().flatMap(({ containers }) =>
    containers.map(({ args }) => ['kubernetes/veil.yaml', args] as const),
  ),
  ...Object.values(readCompose())
    .filter(({ image }) => image === 'veil')
    .map(({ command = [] }) => ['compose.yaml', command] as const),
];

describe('files for operators', () => {
  it.each(yamlFiles)('are valid YAML: %s', (file) => {
    for (const document of parseAllDocuments(read(file), { merge: true })) {
      expect([document.errors, document.warnings]).toEqual([[], []]);
    }
  });

  it.each(unitFiles)('are unit files with sections and settings only: %s', (file) => {
    const lines = read(file)
      .split('\n')
      .filter((line) => line !== '' && !line.startsWith('#'));
    expect(lines[0]).toBe('[Unit]');
    for (const line of lines) expect(line).toMatch(/^(?:\[\w+\]|[A-Z]\w*=.+)$/);
  });

  it.each(commandLines)('start the program with flags that exist: %s %j', (_file, args) => {
    expect(parseCommand(args, SERVICES).kind).toBe(args[0]);
  });

  it('set variables that exist', () => {
    const names = new Set(
      files
        .filter((file) => /\.(?:yaml|service|md)$/.test(file))
        .flatMap((file) => read(file).match(/VEIL_[A-Z_]+/g) ?? []),
    );
    const helps = ['api', 'worker', 'migrate', 'import', 'audit'].map((role) => {
      const command = parseCommand([role, '--help']);
      return 'text' in command ? command.text : '';
    });
    expect([...names].filter((name) => !helps.some((help) => help.includes(`[${name}]`)))).toEqual([]);
  });

  it('use metrics that exist, and describe all of a cluster', async () => {
    const available = { isAvailable: async () => true };
    const work = { waiting: 0, active: 0, oldestWaitingMs: 0, lostHeartbeats: 0, attempts: 0 };
    const store = {
      countByStatus: async () => ({}),
      workCounts: async () => work,
      get: async () => undefined,
    };
    const services = { store, queue: available, files: available };
    const { text } = await createClusterMetrics(services, 'worker').render();
    const existing = [...text.matchAll(/^# TYPE (veil_\w+)/gm)].map(([, name]) => name);
    const used = [...(read('alerts.yaml') + read('README.md')).matchAll(/\bveil_[a-z_]+/g)].map(
      ([name]) => name,
    );
    const others = ['veil_owner', 'veil_api', 'veil_worker'];
    expect(used.filter((name) => !existing.includes(name) && !others.includes(name))).toEqual([]);
    expect(existing.filter((name) => !used.includes(name!))).toEqual([]);
  });
});
