import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { REVIEW_QUERY } from '#shared/domain/review';
import { createTokenAccess } from '../adapters/access';
import { createLog } from '../adapters/log';
import { createPrivateFolder, removeLeftOverFolders } from '../adapters/private-folder';
import type { StorageFolders } from '../adapters/storage';
import { addressOf } from '../app';
import { DiskFull, FileProblem } from '../batch/file-problem';
import { printable } from '../batch/terminal-report';
import { serverConfig, type Config, type ReviewConfig } from '../cli/config';
import { compose } from '../compose';
import { stopOnSignals, stopServer } from '../serve';
import { reviewedFile, type ReviewedFile } from './submit-results';
import { listResults, type ReviewedResult } from './list-results';
import { createSaver, serveReview } from './serve-review';
import { spawn } from 'node:child_process';

type Command = readonly [program: string, ...args: string[]];

/** The command that opens an address on this desktop; undefined where there is none. */
const openerOf = (platform: NodeJS.Platform, environment: NodeJS.ProcessEnv): Command | undefined => {
  if (platform === 'darwin') return ['open'];
  if (platform === 'win32') return ['rundll32', 'url.dll,FileProtocolHandler'];
  return environment['DISPLAY'] || environment['WAYLAND_DISPLAY'] ? ['xdg-open'] : undefined;
};

/** Opens an address in the user's browser, where a desktop is available. A failure is ignored: it is also printed. */
const openBrowser = (address: string): void => {
  const opener = openerOf(process.platform, process.env);
  if (!opener) return;
  const [program, ...args] = opener;
  const child = spawn(program, [...args, address], { detached: true, stdio: 'ignore' });
  child.on('error', () => undefined);
  child.unref();
};

const HOST = '127.0.0.1';
/** Preferred, so that browsers store the page's files only once; another one is chosen if it is in use. */
const USUAL_PORT = 7001;
const ANY_PORT = 0;
const TOKEN_BYTES = 24;

const isFree = async (port: number): Promise<boolean> => {
  const probe = createServer().listen(port, HOST);
  try {
    await once(probe, 'listening');
    return true;
  } catch {
    return false;
  } finally {
    probe.close();
  }
};

const configOf = ({ settings }: ReviewConfig, folders: StorageFolders, token: string): Config => ({
  ...serverConfig(settings),
  host: HOST,
  port: ANY_PORT,
  inputFolder: folders.input,
  outputFolder: folders.output,
  token,
  // The page can wait for a result that is being rendered.
  syncWhenBusy: 'queue',
});

const complain = (name: string, error: unknown): void => {
  const isKnown = error instanceof FileProblem || error instanceof DiskFull;
  const reason = isKnown ? error.message : 'An internal error occurred while its result was saved.';
  process.stderr.write(`${printable(name)}: ${reason}\n`);
};

const sayWhySearched = (name: string, reason: string): void => {
  process.stderr.write(`${printable(name)} is searched again: ${reason}.\n`);
};

/**
 * Prepares all sources that take long, as many at a time as there are workers. The queue is not filled with the others,
 * so that a file that the page asks for waits for none of them.
 */
const prepareAll = async (
  files: readonly ReviewedFile[],
  workers: number,
  signal: AbortSignal,
): Promise<void> => {
  const waiting = files.values();
  const prepare = async (): Promise<void> => {
    for (const one of waiting) {
      if (signal.aborted) return;
      if (one.takesLong()) await one.state();
      else await nextTurn(); // the page is not to wait for 10,000 of them
    }
  };
  await Promise.all(Array.from({ length: workers }, prepare));
};

const MAX_NAMED = 5;

/** Which results wait for a decision, as a line; empty: none. */
export const waitingLine = (results: readonly Pick<ReviewedResult, 'entry' | 'undecided'>[]): string => {
  const waiting = results.filter(({ undecided }) => undecided > 0);
  if (waiting.length === 0) return '';
  const names = waiting.slice(0, MAX_NAMED).map(({ entry }) => printable(entry.name));
  const more = waiting.length > MAX_NAMED ? `, and ${waiting.length - MAX_NAMED} more` : '';
  const begins = waiting.length === 1 ? '1 result waits' : `${waiting.length} results wait`;
  return `${begins} for a decision about uncertain objects: ${names.join(', ')}${more}.\n`;
};

/**
 * Serves the page with the results of a folder, and writes edited results back, until a signal.
 *
 * The server is an ordinary one whose data is in a private folder, which is removed at the end.
 *
 * @param packageRoot the folder that contains `dist` and `models`
 * @throws FlagError, StartProblem
 */
export const startReview = async (config: ReviewConfig, packageRoot: string): Promise<void> => {
  const { resultFolder: folder, sources, opensBrowser, settings } = config;
  const { results, manifest } = await listResults(folder, sources);
  await removeLeftOverFolders();
  const own = await createPrivateFolder();
  const folders = { input: join(own.path, 'input'), output: join(own.path, 'output') };
  try {
    const token = randomBytes(TOKEN_BYTES).toString('base64url');
    const log = createLog(settings);
    const server = await compose(configOf(config, folders, token), packageRoot, log);
    const saver = createSaver({ folder, manifest, service: server.service, onFailure: complain });
    const ending = new AbortController();
    stopOnSignals(async () => {
      ending.abort();
      await saver.idle();
      await stopServer(server, 0);
      await own.remove();
    }, log);
    const { limits, saveMask } = settings;
    const parts = { server, folder, folders, limits, saveMask, onSearched: sayWhySearched };
    const files = results.map((result) => reviewedFile(result, parts));
    serveReview(server.app, { files, saver, access: createTokenAccess([{ token, scopes: ['all'] }]) });
    await server.app.listen({ host: HOST, port: (await isFree(USUAL_PORT)) ? USUAL_PORT : ANY_PORT });
    const address = `${addressOf(server.app)}/${REVIEW_QUERY}#${token}`;
    const count = results.length === 1 ? '1 result' : `${results.length} results`;
    process.stdout.write(
      `Review ${count} at ${address}\n${waitingLine(results)}Edits are saved in ${folder}. Ctrl-C ends the review.\n`,
    );
    if (opensBrowser) openBrowser(address);
    void prepareAll(files, settings.workers, ending.signal);
  } catch (error) {
    await own.remove();
    throw error;
  }
};
