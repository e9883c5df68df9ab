import { mkdirSync, readdirSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { taskRecord } from '#shared/testing/task-store-contract';
import { whenAborted } from '../adapters/postgres/task-store';
import { openTaskStore } from '../adapters/task-store';
import type { AuditConfig } from '../cli/cluster-commands';
import { StartProblem } from '../cli/start-problem';
import {
  accept,
  acceptDone,
  claimed,
  openStore,
  startServerForFile,
} from '../testing/services/postgres-stores';
import { temporaryFolder } from '../testing/temporary-folder';
import { audit, runAudit, type AuditSource } from './run-audit';

const HOUR_MS = 3_600_000;
const id = (number: number): string => `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`;
const NOW_MS = Date.UTC(2026, 0, 10);

/** @param files age in hours by key @param tasks ids with a record */
const fakeSource = (
  files: Readonly<Record<string, number>>,
  tasks: readonly string[],
  attempts?: string[],
) => {
  const removed: string[] = [];
  const lines: string[] = [];
  const source: AuditSource = {
    nowMs: async () => NOW_MS,
    async *files() {
      for (const [key, hours] of Object.entries(files)) {
        yield { key, sizeBytes: 1_000_000, modifiedMs: NOW_MS - hours * HOUR_MS };
      }
    },
    known: async () => ({ tasks: new Set(tasks), attempts: attempts && new Set(attempts) }),
    keepOthersOut: async () => undefined,
    remove: async (prefix) => void removed.push(prefix),
    close: async () => undefined,
  };
  const run = (removes: boolean, isConfirmed = false) =>
    audit(source, { removes, isConfirmed }, (line) => void lines.push(line));
  return { source, run, removed, lines };
};

describe('an audit', () => {
  const FILES = {
    [`input/${id(1)}/source.jpg`]: 48,
    [`output/${id(1)}/result.json`]: 48,
    [`input/${id(2)}/source.jpg`]: 48,
    [`output/${id(2)}/result.json`]: 25,
    [`output/${id(2)}/anonymised.jpg`]: 23,
  };

  it('lists folders without a record, and removes nothing', async () => {
    const { run, lines, removed } = fakeSource(FILES, [id(1)]);
    await run(false);
    expect(lines).toEqual([
      `input/${id(2)}/: 1 file, 1.0 MB, changed 2026-01-08T00:00:00.000Z`,
      `output/${id(2)}/: 2 files, 2.0 MB, changed 2026-01-09T01:00:00.000Z (younger than a day)`,
      '2 of 4 folders have no record (3 files, 3.0 MB).',
      'Nothing was removed: --remove removes those that are older than a day.',
    ]);
    expect(removed).toEqual([]);
  });

  it('removes no folder in which a file is younger than a day', async () => {
    const { run, removed, lines } = fakeSource(FILES, [id(1)]);
    await run(true);
    expect(removed).toEqual([`input/${id(2)}/`]);
    expect(lines.at(-1)).toBe('Removed 1 of them (1 file, 1.0 MB).');
  });

  it('removes nothing if no folder belongs to a record, unless that is confirmed', async () => {
    const { run, removed } = fakeSource(FILES, []);
    await expect(run(true)).rejects.toThrow(StartProblem);
    expect(removed).toEqual([]);
    await run(true, true);
    expect(removed).toHaveLength(3);
  });

  it('removes not more than a tenth of many folders, unless that is confirmed', async () => {
    const files = Object.fromEntries(
      Array.from({ length: 100 }, (_, number) => [`input/${id(number)}/source.jpg`, 48]),
    );
    const tasks = Array.from({ length: 79 }, (_, number) => id(number));
    const { run, removed } = fakeSource(files, tasks);
    await expect(run(true)).rejects.toThrow('--confirm-sweep');
    expect(removed).toEqual([]);
    await run(true, true);
    expect(removed).toHaveLength(21);
  });

  it('removes nothing while another process works', async () => {
    const { source, removed } = fakeSource(FILES, [id(1)]);
    const busy = { ...source, keepOthersOut: () => Promise.reject(new StartProblem('Others work.')) };
    const config = { removes: true, isConfirmed: true };
    await expect(audit(busy, config, () => undefined)).rejects.toThrow('Others work.');
    expect(removed).toEqual([]);
  });

  it('finds folders of attempts that belong to no result, no claim and no later removal', async () => {
    const [kept, lost] = [id(8), id(9)];
    const files = {
      [`output/${id(1)}/${kept}/result.json`]: 48,
      [`output/${id(1)}/${lost}/result.json`]: 48,
      [`output/${id(2)}/${kept}/result.json`]: 48,
    };
    const { run, removed } = fakeSource(files, [id(1)], [`${id(1)}/${kept}`, `${id(2)}/${kept}`]);
    await run(true);
    expect(removed).toEqual([`output/${id(1)}/${lost}/`]);
  });
});

/** Writes a file whose folder was not changed for so long. */
const writeOld = (path: string, hours: number): void => {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, 'x');
  utimesSync(path, Date.now() / 1000, Date.now() / 1000 - hours * 3600);
};

const lines: string[] = [];
const run = (place: AuditConfig['place'], removes: boolean): Promise<void> => {
  lines.length = 0;
  return runAudit({ place, removes, isConfirmed: false }, (line) => void lines.push(line));
};

describe('the audit of a server', () => {
  const open = async () => {
    const folder = temporaryFolder();
    const folders = { input: join(folder, 'input'), output: join(folder, 'output') };
    for (const number of [1, 2, 3]) writeOld(join(folders.input, id(number), 'source.jpg'), 48);
    writeOld(join(folders.input, id(4), 'source.jpg'), 1);
    writeOld(join(folders.input, 'holiday', 'beach.jpg'), 48);
    mkdirSync(folders.output, { recursive: true });
    const store = await openTaskStore(folders.output);
    await store.put(taskRecord(id(1)));
    await store.setFilesInDoubt(id(2), true);
    return { folders, store, place: { kind: 'server', folders } as const };
  };
  const inputsOf = ({ input }: { readonly input: string }): string[] => readdirSync(input).sort();

  it('removes old folders of unknown tasks, and nothing that is known, in doubt, young or of others', async () => {
    const { folders, store, place } = await open();
    await store.close();
    await run(place, true);
    expect(lines.join('\n')).toContain(`input/${id(3)}/`);
    expect(inputsOf(folders)).toEqual([id(1), id(2), id(4), 'holiday']);
  });

  it('follows no links', async () => {
    const { folders, store, place } = await open();
    await store.close();
    const elsewhere = temporaryFolder();
    writeFileSync(join(elsewhere, 'mine.jpg'), 'x');
    symlinkSync(elsewhere, join(folders.input, id(5)));
    await run(place, true);
    expect(lines.join('\n')).not.toContain(id(5));
    expect(readdirSync(elsewhere)).toEqual(['mine.jpg']);
  });

  it('is refused while the server runs', async () => {
    const { folders, store, place } = await open();
    onTestFinished(() => store.close());
    await expect(run(place, true)).rejects.toThrow(/is in use by another Veil/);
    expect(inputsOf(folders)).toContain(id(3));
  });

  it('is refused in a folder without records, and creates none there', async () => {
    const output = temporaryFolder();
    const folders = { input: temporaryFolder(), output };
    writeOld(join(folders.input, id(1), 'source.jpg'), 48);
    await expect(run({ kind: 'server', folders }, true)).rejects.toThrow('has no file veil.sqlite');
    expect(readdirSync(output)).toEqual([]);
    expect(inputsOf(folders)).toEqual([id(1)]);
  });
});

const postgres = await startServerForFile();

describe.skipIf(!postgres)('the audit of a cluster', () => {
  it(
    'removes old files without a record, once all other processes have ended',
    { tags: ['slow'] },
    async () => {
      const [database, files] = [await postgres!.createDatabase(), temporaryFolder()];
      const store = await openStore(database);
      const { token } = await acceptDone(store, id(1));
      await accept(store, id(2));
      const running = await claimed(store, id(2));
      await store.setFilesInDoubt(id(3), true);
      const kept = [
        `input/${id(1)}/source.jpg`,
        `input/${id(2)}/source.jpg`,
        `input/${id(3)}/source.jpg`,
        `output/${id(1)}/${token}/result.json`,
        `output/${id(2)}/${running.token}/result.json`,
      ];
      const lost = [`input/${id(4)}/source.jpg`, `output/${id(1)}/${id(5)}/result.json`];
      for (const key of [...kept, ...lost]) writeOld(join(files, key), 48);
      const place = { kind: 'cluster', database, files } as const;

      await run(place, false); // only lists, also while others work
      expect(lines.slice(0, -2).map((line) => line.split(':')[0])).toEqual([
        `input/${id(4)}/`,
        `output/${id(1)}/${id(5)}/`,
      ]);
      await expect(run(place, true)).rejects.toThrow('Other processes use the database');
      const isThere = (key: string): boolean =>
        readdirSync(files, { recursive: true, encoding: 'utf8' }).includes(key);
      expect([...kept, ...lost].filter((key) => !isThere(key))).toEqual([]);

      await store.close();
      await run(place, true);
      expect([...kept, ...lost].filter(isThere).sort()).toEqual([...kept].sort());
    },
  );

  it('is refused while an API process is elected', async () => {
    const [database, files] = [await postgres!.createDatabase(), temporaryFolder()];
    const store = await openStore(database);
    await new Promise<void>((resolve) => {
      store.whenElected(async (signal) => {
        resolve();
        await whenAborted(signal);
      });
    });
    await expect(run({ kind: 'cluster', database, files }, true)).rejects.toThrow(StartProblem);
  });
});
