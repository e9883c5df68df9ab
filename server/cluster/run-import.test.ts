import { afterAll, describe, expect, it } from 'vitest';
import { LIMITS } from '#shared/domain/limits';
import type { ImportConfig } from '../cli/cluster-commands';
import { killedServer } from '../testing/embedded-server';
import { findPostgres, startPostgres } from '../testing/services/postgres';
import { temporaryFolder } from '../testing/temporary-folder';
import { runImport } from './run-import';

const programs = await findPostgres();
const server = programs === undefined ? undefined : await startPostgres(programs);
afterAll(() => server?.stop());

const CLOSED_PORT = 9;
const configOf = async (): Promise<ImportConfig> => ({
  from: (await killedServer()).from,
  database: await server!.createDatabase(),
  queue: `redis://127.0.0.1:${CLOSED_PORT}`,
  files: temporaryFolder(),
  work: { saveMask: 'all', limits: LIMITS },
});
const linesOf = async (config: ImportConfig): Promise<string[]> => {
  const lines: string[] = [];
  await runImport(config, (line) => void lines.push(line));
  return lines;
};

describe.skipIf(!server)('the command import', () => {
  it(
    'ends with a summary, also if the queue cannot be reached or all tasks are there',
    { tags: ['slow'] },
    async () => {
      const config = await configOf();
      expect(await linesOf(config)).toEqual([
        'The queue cannot be reached: an API process queues the waiting tasks as soon as it can.',
        'Copied 7 tasks (1 MB); 2 wait for a worker.',
      ]);
      expect(await linesOf(config)).toEqual(['Copied 0 tasks (0 MB); 7 were there already.']);
    },
  );

  it('ends with one sentence if the database cannot be reached', async () => {
    const config = { ...(await configOf()), database: `postgres://veil@127.0.0.1:${CLOSED_PORT}/veil` };
    await expect(linesOf(config)).rejects.toThrow(
      'The database of the service cannot be reached: try again in a moment. Start the import again: it continues where it ended.',
    );
  });
});
