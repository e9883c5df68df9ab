/** `npm run models:build` writes the default models and their manifest; with `-- --check` it only compares. */
import { readFileSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { buildSet } from './build-set';
import { DEFAULT_SET } from './default-set/index';

const modelsFolder = new URL('../', import.meta.url);
const isCheck = process.argv.includes('--check');

async function isOnDisk(name: string, bytes: Uint8Array): Promise<boolean> {
  const onDisk = await readFile(new URL(name, modelsFolder)).catch(() => undefined);
  return onDisk?.equals(bytes) ?? false;
}

const { manifest, files } = await buildSet(DEFAULT_SET, (file) => readFileSync(new URL(file, modelsFolder)));
const manifestText = `${JSON.stringify(manifest, undefined, 2)}\n`;
for (const [name, bytes] of [...files, ['manifest.json', Buffer.from(manifestText)] as const]) {
  const isSame = await isOnDisk(name, bytes);
  if (!isSame && isCheck) process.exitCode = 1;
  if (!isSame && !isCheck) await writeFile(new URL(name, modelsFolder), bytes);
  const outcome = isSame ? 'unchanged' : isCheck ? 'DIFFERS' : 'written';
  console.log(`${name}: ${bytes.byteLength} bytes, ${outcome}`);
}
