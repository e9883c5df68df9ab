import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createLog } from './adapters/log';
import { addressOf } from './app';
import { startBatch } from './batch/start-batch';
import { parseCommand } from './cli';
import { compose, type Server } from './compose';
import type { BatchConfig, Config } from './config';
import { endWhenOutputCloses } from './end-when-output-closes';
import { refuseOpenExposure } from './exposure';
import { FlagError } from './flags/flag';
import { HELP } from './flags/help';
import { printLicenses } from './print-licenses';
import { StartProblem } from './start-problem';

const EXIT_WRONG_FLAG = 2;
/** How long answers may still take when all work has ended. */
const SHUTDOWN_GRACE_MS = 3_000;

/** Problems that are the starter's to solve, in one sentence; all others are faults with a stack. */
const startProblem = (
  error: unknown,
  { host, port, inputFolder, outputFolder }: Config,
): string | undefined => {
  if (error instanceof StartProblem) return error.message;
  const { code } = error as NodeJS.ErrnoException;
  if (code === 'EADDRINUSE') {
    return `Port ${port} is in use: stop what listens there, or choose another with --port.`;
  }
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND') {
    return `This machine has no address ${host}: choose another with --host.`;
  }
  if (code === 'EACCES' && (error as NodeJS.ErrnoException).syscall === 'listen') {
    return `Port ${port} may not be listened on by this user: choose one above 1023 with --port.`;
  }
  if (code === 'EACCES' || code === 'EROFS' || code === 'ENOTDIR' || code === 'EEXIST') {
    return `The folders ${inputFolder} and ${outputFolder} cannot be written to: choose others with --input and --output.`;
  }
  return undefined;
};

/** Answers until its tasks have ended, so that those who wait for results still get them. */
const stop = async (
  { app, lifecycle, tasks, retention, engine, taskStore }: Server,
  graceMs: number,
): Promise<void> => {
  lifecycle.stopping();
  await retention?.stop();
  await tasks.stop(graceMs);
  const cut = setTimeout(() => app.server.closeAllConnections(), SHUTDOWN_GRACE_MS);
  await app.close();
  clearTimeout(cut);
  await engine.close();
  await taskStore.close();
};

/** The first signal ends politely; the second one ends. A reader of the log that went away is one, too. */
const stopOnSignals = (server: Server, graceMs: number): void => {
  let stopping = false;
  const onSignal = (): void => {
    if (stopping) process.exit(1);
    stopping = true;
    stop(server, graceMs).then(
      () => process.exit(0),
      () => process.exit(1),
    );
  };
  process.on('SIGINT', onSignal).on('SIGTERM', onSignal);
  endWhenOutputCloses(onSignal);
};

const serve = async (config: Config, packageRoot: string): Promise<void> => {
  await refuseOpenExposure(config);
  const log = createLog();
  const server = await compose(config, packageRoot, log);
  stopOnSignals(server, config.shutdownGraceMs);
  try {
    await server.app.listen({ host: config.host, port: config.port });
  } catch (error) {
    await stop(server, 0); // puts off what it has taken up already
    throw error;
  }
  process.stdout.write(`Veil is ready at ${addressOf(server.app)}\n`);
  // In the background: the page can be looked at while the models load.
  server.engine
    .load(config.classes, () => undefined)
    .then(server.lifecycle.modelsLoaded)
    .catch((error: unknown) => {
      log.error('The models could not be loaded; the next picture tries again.', error);
    });
};

const readVersion = async (packageRoot: string): Promise<string> => {
  const { version } = JSON.parse(await readFile(join(packageRoot, 'package.json'), 'utf8')) as {
    version: string;
  };
  return version;
};

const fail = (sentence: string, exitCode: number): void => {
  process.stderr.write(`${sentence}\n`);
  process.exit(exitCode);
};

const batch = async (config: BatchConfig, packageRoot: string): Promise<void> => {
  try {
    process.exitCode = await startBatch(config, packageRoot);
  } catch (error) {
    if (error instanceof FlagError) return fail(error.message, EXIT_WRONG_FLAG);
    if (error instanceof StartProblem) return fail(error.message, 1);
    throw error;
  }
};

/**
 * Runs the program.
 *
 * @param args without the program's name
 * @param packageRoot the folder that holds `dist` and `models`
 */
export const main = async (args: readonly string[], packageRoot: string): Promise<void> => {
  if (args.join(' ') === 'licenses') {
    endWhenOutputCloses();
    return printLicenses(packageRoot, (text) => void process.stdout.write(text));
  }
  let command;
  try {
    command = parseCommand(args, process.env);
  } catch (error) {
    if (error instanceof FlagError) return fail(error.message, EXIT_WRONG_FLAG);
    throw error;
  }
  if (command.kind === 'help' || command.kind === 'version') endWhenOutputCloses();
  if (command.kind === 'help') return void process.stdout.write(HELP);
  if (command.kind === 'version') return void process.stdout.write(`${await readVersion(packageRoot)}\n`);
  if (command.kind === 'batch') return batch(command.config, packageRoot);
  const { config } = command;
  try {
    await serve(config, packageRoot);
  } catch (error) {
    if (error instanceof FlagError) return fail(error.message, EXIT_WRONG_FLAG);
    const sentence = startProblem(error, config);
    if (sentence === undefined) throw error;
    fail(sentence, 1);
  }
};
