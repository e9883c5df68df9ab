/**
 * `npm run notices` writes NOTICE.md and THIRD-PARTY-LICENSES.txt, and the lists of bundled packages.
 * `npm run sbom` writes dist/sbom.cdx.json.
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { endWhenOutputCloses } from '../end-when-output-closes';
import { noticePackages } from './notice-packages';
import { renderLicenceTexts, renderNotice } from './render-notices';
import { readSbomParts, renderSbom } from './render-sbom';

endWhenOutputCloses();

const ROOT = join(import.meta.dirname, '../..');

/** Builds a bundle only to list its packages; the built files are deleted. */
const listBundledPackages = (config: string): void => {
  const folder = mkdtempSync(join(tmpdir(), 'veil-notices-'));
  try {
    const vite = join(ROOT, 'node_modules/vite/bin/vite.js');
    execFileSync(
      process.execPath,
      [vite, 'build', '--config', config, '--logLevel=error', '--outDir', folder],
      {
        cwd: ROOT,
        stdio: ['ignore', 'inherit', 'inherit'],
        env: { ...process.env, VEIL_WRITE_BUNDLED: '1' },
      },
    );
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
};

const writeNotices = (): void => {
  listBundledPackages('vite.config.ts');
  listBundledPackages('server/vite.config.ts');
  const packages = noticePackages(ROOT);
  writeFileSync(join(ROOT, 'NOTICE.md'), renderNotice());
  writeFileSync(join(ROOT, 'THIRD-PARTY-LICENSES.txt'), renderLicenceTexts(packages));
  console.log(`Wrote the notices of ${packages.length} packages.`);
};

const writeSbom = (): void => {
  mkdirSync(join(ROOT, 'dist'), { recursive: true });
  writeFileSync(join(ROOT, 'dist/sbom.cdx.json'), renderSbom(readSbomParts(ROOT)));
  console.log('Wrote dist/sbom.cdx.json.');
};

if (process.argv[2] === 'sbom') writeSbom();
else writeNotices();
