/**
 * `npm run models -- <command>`: models that users install beside the default set.
 *
 * - `list`: the packs that are known, and those that are installed;
 * - `add <name | file | address>`: installs a pack by its name, from its description (JSON) or from an archive (zip);
 *   with `--from FILE` its model is taken from there instead of being loaded;
 * - `remove <name>`; `check` reads, hashes and runs everything that is installed.
 *
 * `--folder FOLDER` is where packs are installed (`models/installed`).
 */
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { Pack } from '#shared/catalogue/packs';
import { readManifest } from '../../server/adapters/model-files';
import { endWhenOutputCloses } from '../../server/end-when-output-closes';
import { addPack } from './add-pack';
import { checkPacks } from './check-packs';
import { findPack, KNOWN_PACKS } from './find-pack';
import { readInstalled, removePack } from './installed';
import { Refusal } from './refusal';

endWhenOutputCloses();

const MODELS = join(import.meta.dirname, '..');
const USAGE =
  'Usage: npm run models -- list | add <name, file or address> [--from FILE] | remove <name> | check';
const AFTER_A_CHANGE = 'A server that runs, and the page, take it up at their next start.';
const MEGABYTE = 1e6;

const sizeOf = ({ models }: Pack): string =>
  `${(models.reduce((sum, { bytes }) => sum + bytes, 0) / MEGABYTE).toFixed(1)} MB`;

const describe = (pack: Pack, state: string): string => {
  const classes = [...new Set(pack.models.flatMap((model) => model.classes))].join(', ');
  const licences = [...new Set(pack.models.map(({ licence }) => licence))].join('; ');
  return `${pack.id}${state}\n  ${pack.description}\n  ${classes}; ${sizeOf(pack)}; licence: ${licences}`;
};

const list = async (folder: string): Promise<void> => {
  const installed = await readInstalled(folder);
  const isInstalled = (pack: Pack): boolean => installed.some(({ id }) => id === pack.id);
  for (const pack of installed) console.log(describe(pack, ' (installed)'));
  for (const pack of KNOWN_PACKS.filter((known) => !isInstalled(known))) console.log(describe(pack, ''));
};

/** A line that is written over, on terminals alone. */
const showProgress = (received: number): void => {
  if (process.stderr.isTTY) process.stderr.write(`\r${(received / MEGABYTE).toFixed(1)} MB`);
};

const add = async (folder: string, named: string, from: string | undefined): Promise<void> => {
  const manifest = await readManifest(MODELS);
  const pack = await addPack(await findPack(named), { folder, manifest, from, onBytes: showProgress });
  if (process.stderr.isTTY) process.stderr.write('\r');
  console.log(`${describe(pack, ' is installed.')}\n${AFTER_A_CHANGE}`);
};

const check = async (folder: string): Promise<void> => {
  const checked = await checkPacks(folder);
  if (checked.length === 0) console.log('No packs are installed.');
  for (const { pack, model, problem } of checked) {
    console.log(`${pack}, ${model}: ${problem ?? 'as it should be'}`);
    if (problem !== undefined) process.exitCode = 1;
  }
};

const run = async (): Promise<void> => {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { from: { type: 'string' }, folder: { type: 'string', default: join(MODELS, 'installed') } },
  });
  const { folder, from } = values;
  const [command, named, ...more] = positionals;
  if (more.length > 0) throw new Refusal(USAGE);
  if (command === 'list' && named === undefined) return list(folder);
  if (command === 'check' && named === undefined) return check(folder);
  if (command === 'add' && named !== undefined) return add(folder, named, from);
  if (command === 'remove' && named !== undefined) {
    await removePack(folder, named);
    return console.log(`${named} is removed. ${AFTER_A_CHANGE}`);
  }
  throw new Refusal(USAGE);
};

try {
  await run();
} catch (error) {
  const isOurs =
    error instanceof Refusal || (error as NodeJS.ErrnoException).code?.startsWith('ERR_PARSE_ARGS');
  if (!isOurs) throw error;
  console.error((error as Error).message);
  process.exitCode = 1;
}
