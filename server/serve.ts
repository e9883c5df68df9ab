import closeWithGrace from 'close-with-grace';
import { defaultImageOptions } from '#shared/domain/options';
import type { Log } from '#shared/ports/system';
import { createLog, type LogOptions } from './adapters/log';
import { addressOf, type App } from './app';
import { compose, type Server } from './compose';
import type { Config } from './cli/config';
import { endWhenOutputCloses } from './end-when-output-closes';
import { loadModels } from './lifecycle';
import { modelHint } from './model-hint';
import { StartProblem } from './cli/start-problem';
import { readableDuration } from '#shared/tasks/run/task-clock';
import { lookup } from 'node:dns/promises';
import { BlockList, isIPv4 } from 'node:net';
import { tokensOf, type TokenSettings } from './adapters/access';
import { FlagError } from './cli/flag';
import { tokenWarnings } from './cli/token-flags';

/** Addresses that only this machine reaches (RFC 6890); IPv4 written as IPv6 counts as IPv4. */
const LOOPBACK = new BlockList();
LOOPBACK.addSubnet('127.0.0.0', 8, 'ipv4');
LOOPBACK.addAddress('::1', 'ipv6');

const isLoopback = (address: string): boolean => LOOPBACK.check(address, isIPv4(address) ? 'ipv4' : 'ipv6');

/** All addresses of a name; where it has none, listening fails with a sentence of its own. */
const addressesOf = async (host: string): Promise<readonly string[]> => {
  const found = await lookup(host, { all: true }).catch(() => []);
  return found.map(({ address }) => address);
};

/** Tells the operator of weak tokens, on the standard error output. */
const warnOfTokens = (settings: TokenSettings): void => {
  for (const warning of tokenWarnings(settings)) process.stderr.write(`${warning}\n`);
};

/**
 * Prevents that files are served to a whole network by mistake.
 *
 * @throws FlagError where other machines could reach the server, and nothing says that they may
 */
export const requireTokenForPublicHost = async (
  config: Pick<Config, 'host' | 'token' | 'tokens' | 'insecure'>,
): Promise<void> => {
  const { host, insecure } = config;
  if (tokensOf(config).length > 0 || insecure) return;
  const addresses = await addressesOf(host);
  if (addresses.every(isLoopback)) return;
  throw new FlagError(
    `Other machines can reach ${host}: set a token with --token or VEIL_TOKEN, or allow access without a token with --insecure.`,
  );
};

/** What a server prints when it is ready: its address, and how long it keeps the files of other people. */
export const startMessage = (address: string, retentionMs: number | undefined): string => {
  const kept =
    retentionMs === undefined
      ? 'until their task is deleted; --data-retention deletes them after a time.'
      : `for ${readableDuration(retentionMs)} after their task has ended (--data-retention).`;
  return `Veil is ready at ${address}\nUploads and results are kept ${kept}\n`;
};

/** All events that close-with-grace listens to, except SIGINT and SIGTERM. */
const SKIPPED = [
  ...['SIGHUP', 'SIGQUIT', 'SIGILL', 'SIGTRAP', 'SIGABRT', 'SIGBUS', 'SIGFPE', 'SIGSEGV', 'SIGUSR2'],
  ...['uncaughtException', 'unhandledRejection', 'beforeExit'],
] as readonly closeWithGrace.AllEvents[];

/** Maximum time for open responses after all tasks have ended. */
const SHUTDOWN_GRACE_MS = 3_000;

/** The sentence if a server cannot listen, which the user can solve; undefined for faults. */
const listenProblem = (error: unknown, { host, port }: Pick<Config, 'host' | 'port'>): string | undefined => {
  const { code } = error as NodeJS.ErrnoException;
  if (code === 'EADDRINUSE') {
    return `Port ${port} is in use: stop the program that uses it, or choose another port with --port.`;
  }
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND') {
    return `This machine has no address ${host}: choose another with --host.`;
  }
  if (code === 'EACCES' && (error as NodeJS.ErrnoException).syscall === 'listen') {
    return `This user may not listen on port ${port}: choose a port above 1023 with --port.`;
  }
  return undefined;
};

/** The sentence if the folders cannot be used, which the user can solve; undefined for faults. */
const folderProblem = (error: unknown, { inputFolder, outputFolder }: Config): string | undefined =>
  ['EACCES', 'EROFS', 'ENOTDIR', 'EEXIST'].includes((error as NodeJS.ErrnoException).code ?? '')
    ? `The folders ${inputFolder} and ${outputFolder} are not writable: choose others with --input and --output.`
    : undefined;

/** Closes a web server, and its open connections after a while. */
export const closeApp = async (app: App): Promise<void> => {
  const cut = setTimeout(() => app.server.closeAllConnections(), SHUTDOWN_GRACE_MS);
  await app.close();
  clearTimeout(cut);
};

/** Stops a server. Keeps answering until running tasks have ended, so that clients receive their results. */
export const stopServer = async (
  { app, lifecycle, tasks, retention, engine, taskStore }: Server,
  graceMs: number,
): Promise<void> => {
  lifecycle.stopping();
  await retention?.stop();
  await tasks.stop(graceMs);
  await closeApp(app);
  await engine.close();
  await taskStore.close();
};

/**
 * Shuts down cleanly at the first signal, and ends at once with code 1 at the second. A closed output counts as a
 * signal.
 *
 * close-with-grace may handle only these two signals. After a fault the state is unreliable, so the process ends at
 * once and the next start resumes its tasks. A listener for SIGHUP would undo `nohup`, which ignores this signal.
 */
export const stopOnSignals = (stop: () => Promise<void>, log: Log): void => {
  let isEnding = false;
  const end = async (): Promise<void> => {
    isEnding = true;
    try {
      await stop();
    } catch (error) {
      log.error('The server did not shut down cleanly.', error);
      throw error;
    }
  };
  const { close } = closeWithGrace({ delay: false, logger: false, skip: [...SKIPPED] }, end);
  endWhenOutputCloses(() => {
    if (isEnding) process.exit(1);
    close();
  });
};

/** A process that answers requests until it is stopped. */
export interface Serving {
  readonly app: App;
  /** Ends it. @param graceMs how long running tasks, or clients that wait for results, may continue */
  stop(graceMs: number): Promise<void>;
}

/**
 * Opens a process and listens until a signal. Resolves when it answers.
 *
 * @throws FlagError, StartProblem if it cannot listen
 */
export const serveUntilSignal = async <Process extends Serving>(
  config: Pick<Config, 'host' | 'port' | 'shutdownGraceMs' | 'token' | 'tokens' | 'insecure'> & LogOptions,
  open: (log: Log) => Promise<Process>,
): Promise<{ readonly served: Process; readonly address: string; readonly log: Log }> => {
  await requireTokenForPublicHost(config);
  warnOfTokens(config);
  const log = createLog(config);
  const served = await open(log);
  stopOnSignals(() => served.stop(config.shutdownGraceMs), log);
  try {
    await served.app.listen({ host: config.host, port: config.port });
  } catch (cause) {
    await served.stop(0); // queues resumed tasks again
    const sentence = listenProblem(cause, config);
    throw sentence === undefined ? cause : new StartProblem(sentence, { cause });
  }
  return { served, address: addressOf(served.app), log };
};

/**
 * Serves the page and the API until a signal. Resolves when the server is ready.
 *
 * @param packageRoot the folder that contains `dist` and `models`
 * @throws FlagError, StartProblem
 */
export const serve = async (config: Config, packageRoot: string): Promise<void> => {
  const open = async (log: Log) => {
    const server = await compose(config, packageRoot, log);
    return { ...server, stop: (graceMs: number) => stopServer(server, graceMs) };
  };
  const { served, address, log } = await serveUntilSignal(config, open).catch((cause: unknown) => {
    const sentence = folderProblem(cause, config);
    throw sentence === undefined ? cause : new StartProblem(sentence, { cause });
  });
  process.stdout.write(startMessage(address, config.retentionMs) + (await modelHint(config, packageRoot)));
  // Not awaited, so that the page is available while the models load.
  const needs = defaultImageOptions({ classes: config.classes });
  const load = () => served.engine.load(needs, () => undefined, new AbortController().signal);
  void loadModels(load, served.lifecycle, log);
};
