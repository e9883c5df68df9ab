/**
 * Builds the contents of a package. `npm pack` runs it.
 *
 * VEIL_PACK_PLATFORM, for example linux-arm64, sets the platform of the onnxruntime library; the default is this
 * machine's.
 */
import { join } from 'node:path';
import { build } from 'vite';
import { endWhenOutputCloses } from '../end-when-output-closes';
import { compressAgain } from './compress-again';
import { refusePacks } from './refuse-packs';

endWhenOutputCloses();

const ROOT = join(import.meta.dirname, '../..');

try {
  await refusePacks(join(ROOT, 'models/installed'));
  for (const configFile of ['vite.config.ts', 'server/vite.config.ts']) {
    await build({ configFile: join(ROOT, configFile), logLevel: 'error' });
  }
  await compressAgain(join(ROOT, 'dist/web/assets'));
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
