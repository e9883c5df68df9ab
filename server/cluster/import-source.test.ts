import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { openTaskStore } from '../adapters/task-store';
import { killedServer } from '../testing/embedded-server';
import { temporaryFolder } from '../testing/temporary-folder';
import { openImportSource } from './import-source';

describe('the folder of an import', () => {
  it('must contain the records of a server', async () => {
    const folder = temporaryFolder();
    await expect(openImportSource(folder)).rejects.toThrow(
      `${folder} has no file output/veil.sqlite: name the data folder of a server, with its folders input and output.`,
    );
  });

  it('must not be in use', async () => {
    const { from } = await killedServer();
    const running = await openTaskStore(join(from, 'output'));
    onTestFinished(() => running.close());
    await expect(openImportSource(from)).rejects.toThrow(
      `The folder ${join(from, 'output')} is in use by another Veil: stop that one first.`,
    );
  });

  it('cannot be used by a server meanwhile', async () => {
    const { from } = await killedServer();
    const source = await openImportSource(from);
    onTestFinished(() => source.close());
    await expect(openTaskStore(join(from, 'output'))).rejects.toThrow('is in use by another Veil');
  });

  it('must not contain records of another program', async () => {
    const { from } = await killedServer();
    rmSync(join(from, 'output/veil.sqlite-wal'));
    writeFileSync(
      join(from, 'output/veil.sqlite'),
      'not a database, but a text that is long enough'.repeat(20),
    );
    await expect(openImportSource(from)).rejects.toThrow(
      `${join(from, 'output/veil.sqlite')} is not a file of Veil: choose another folder.`,
    );
  });
});
