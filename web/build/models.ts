import { copyFile, mkdir, readFile, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { Plugin } from 'vite';
import { checkManifest, type Manifest } from '../../shared/domain/manifest';
import { parseInstalled, withPacks } from '../../shared/engine/packs/packs';

const MANIFEST = 'manifest.json';

/** Manifest with the default models, preceded by the models of installed packs. */
const readModels = async (folder: string): Promise<Manifest> => {
  const manifest = checkManifest(JSON.parse(await readFile(join(folder, MANIFEST), 'utf8')) as Manifest);
  const installed = await readFile(join(folder, 'installed/packs.json'), 'utf8').catch((error: unknown) => {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return '{"packs":[]}';
    throw error;
  });
  return withPacks(manifest, parseInstalled(JSON.parse(installed)));
};

/** Models of packs have unique names, so a name identifies its folder. */
const pathOf = (folder: string, file: string, { models }: Manifest): string | undefined => {
  const model = models.find((each) => each.file === file);
  if (!model) return undefined;
  const isOfPack = !('package' in model.source) && !('trained' in model.source);
  return join(folder, isOfPack ? 'installed' : '', file);
};

/**
 * Adds the models to the page: the default set, and the packs that are installed during the build.
 *
 * @param folder contains the manifest and the installed packs
 */
export const models = (folder: string): Plugin => ({
  name: 'veil-models',
  configureServer: (server) => {
    server.middlewares.use('/models', (request, response, next) => {
      const file = basename(new URL(request.url ?? '/', 'http://localhost').pathname);
      const answer = async (): Promise<void> => {
        const manifest = await readModels(folder);
        const path = pathOf(folder, file, manifest);
        if (file === MANIFEST) response.end(JSON.stringify(manifest));
        else if (path === undefined) next();
        else response.end(await readFile(path));
      };
      answer().catch(next);
    });
  },
  writeBundle: async ({ dir }) => {
    const target = join(dir ?? '', 'models');
    const manifest = await readModels(folder);
    await mkdir(target, { recursive: true });
    await writeFile(join(target, MANIFEST), `${JSON.stringify(manifest, undefined, 2)}\n`);
    for (const { file } of manifest.models) {
      await copyFile(pathOf(folder, file, manifest) ?? '', join(target, file));
    }
  },
});
