/** `npm run models:build` writes the default models and their manifest. With `-- --check` it only compares. */
import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { endWhenOutputCloses } from '../../server/end-when-output-closes';
import { replaceFiles } from '../replace-files';
import { buildSet } from './build-set';
import { DEFAULT_SET } from './default-set/index';

endWhenOutputCloses();

const MODELS = join(import.meta.dirname, '..');
const isCheck = process.argv.includes('--check');

async function isOnDisk(path: string, bytes: Uint8Array): Promise<boolean> {
  const onDisk = await readFile(path).catch(() => undefined);
  return onDisk?.equals(bytes) ?? false;
}

const { manifest, files } = await buildSet(DEFAULT_SET, (file) => readFileSync(join(MODELS, file)));
const manifestText = `${JSON.stringify(manifest, undefined, 2)}\n`;
const changed = new Map<string, Uint8Array>();
const lines: string[] = [];
for (const [name, bytes] of [...files, ['manifest.json', Buffer.from(manifestText)] as const]) {
  const path = join(MODELS, name);
  const isSame = await isOnDisk(path, bytes);
  if (!isSame) changed.set(path, bytes);
  const outcome = isSame ? 'unchanged' : isCheck ? 'DIFFERS' : 'written';
  lines.push(`${name}: ${bytes.byteLength} bytes, ${outcome}`);
}
if (!isCheck) await replaceFiles(changed);
else if (changed.size > 0) process.exitCode = 1;
// Printed after the files are written, because a reader of the output may close it at any line.
for (const line of lines) console.log(line);
