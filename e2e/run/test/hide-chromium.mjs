/**
 * Preloaded with `--import`, makes a process see a machine without any Chromium, whatever is installed on this one.
 *
 * `CHROME_PATH` alone cannot: it only names another browser, it does not take away the installed ones.
 */
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';

/** Names of browsers, and not of sources such as `find-chromium.ts`: loaders may look for those by the same function. */
const CHROMIUM = /[/\\](chromium(-browser|-headless-shell)?|(google[ -])?chrome)([.]exe)?$/i;

const { existsSync } = fs;
fs.existsSync = (path) => !CHROMIUM.test(String(path)) && existsSync(path);
syncBuiltinESMExports();
delete process.env.CHROME_PATH;
