#!/usr/bin/env node
import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

const SERVER = 'dist/server/main.js';

/** Built parts with their sources and their build configuration, which a published package does not contain. */
const PARTS = [
  {
    built: SERVER,
    config: 'server/vite.config.ts',
    sources: ['server', 'shared', 'package.json'],
  },
  {
    built: 'dist/web/index.html',
    config: 'vite.config.ts',
    sources: ['web', 'shared', 'models/manifest.json', 'models/installed', 'vite.config.ts', 'package.json'],
  },
];

/** Time of the last change below `path`, in ms; 0 if it does not exist. */
const changedAt = (path) => {
  const stat = statSync(path, { throwIfNoEntry: false });
  if (!stat?.isDirectory()) return stat?.mtimeMs ?? 0;
  return readdirSync(path)
    .filter((name) => !name.startsWith('.') && name !== 'test')
    .reduce((youngest, name) => Math.max(youngest, changedAt(join(path, name))), stat.mtimeMs);
};

/** Folder of the onnxruntime library next to the built server, with the library of one platform. */
const LIBRARIES = join(ROOT, 'dist/server/bin/napi-v6');
const isForAnotherMachine = () =>
  existsSync(LIBRARIES) && !existsSync(join(LIBRARIES, process.platform, process.arch));

const isStale = ({ built, config, sources }) => {
  if (!existsSync(join(ROOT, config))) return false;
  // Packing for another platform leaves a server that does not run here.
  if (built === SERVER && isForAnotherMachine()) return true;
  const builtAt = changedAt(join(ROOT, built));
  return sources.some((source) => changedAt(join(ROOT, source)) > builtAt);
};

const stale = PARTS.filter(isStale);
if (stale.length > 0) {
  process.stderr.write('Building, one moment …\n');
  const { build } = await import('vite');
  for (const { config } of stale) await build({ configFile: join(ROOT, config), logLevel: 'error' });
}

if (isForAnotherMachine()) {
  process.stderr.write(
    `This package of Veil does not run on ${process.platform}-${process.arch}: install the one for it.\n`,
  );
  process.exit(1);
}

const { main } = await import('../../dist/server/main.js');
await main(process.argv.slice(2), ROOT);
