import { join } from 'node:path';
import { parseCommand, type Command } from './cli/cli';
import { isRoleCommand } from './cli/cluster-commands';
import { endWhenOutputCloses } from './end-when-output-closes';
import { FlagError } from './cli/flag';
import { printLicenses } from './cli/print-licenses';
import type { VerifyTask } from './cli/verify-command';
import { StartProblem } from './cli/start-problem';

const EXIT_FAILED = 1;
const EXIT_WRONG_FLAG = 2;

type ModelsCommand = Extract<Command, { readonly kind: 'models' }>;

/** Runs a command of model packs. Its code is loaded only here, because it uses the network. */
const models = async ({ task, folder }: ModelsCommand, packageRoot: string): Promise<void> => {
  const [{ runModels }, { Refusal }] = await Promise.all([
    import('../models/packs/run-models'),
    import('../models/packs/refusal'),
  ]);
  const modelsFolder = join(packageRoot, 'models');
  try {
    const isFine = await runModels(task, { modelsFolder, folder: folder ?? join(modelsFolder, 'installed') });
    if (!isFine) process.exitCode = EXIT_FAILED;
  } catch (error) {
    throw error instanceof Refusal ? new StartProblem(error.message, { cause: error }) : error;
  }
};

/** Prints one sentence. It is loaded only here: the server does not need it. */
const verify = async (task: VerifyTask): Promise<void> => {
  const { exitCodeOf, verifyFiles } = await import('./cli/verify-command');
  const verification = await verifyFiles(task);
  process.stdout.write(`${verification.sentence}\n`);
  process.exitCode = exitCodeOf(verification, task);
};

/** Runs a command. The code of a kind is loaded only here: it takes longer than a short command. */
const run = async (command: Command, packageRoot: string): Promise<void> => {
  if (isRoleCommand(command)) return (await import('./cluster/run-role')).runRole(command, packageRoot);
  switch (command.kind) {
    case 'serve':
      return (await import('./serve')).serve(command.config, packageRoot);
    case 'batch':
      process.exitCode = await (await import('./batch/start-batch')).startBatch(command.config, packageRoot);
      return;
    case 'review':
      return (await import('./review/start-review')).startReview(command.config, packageRoot);
    case 'models':
      endWhenOutputCloses();
      return models(command, packageRoot);
    case 'verify':
      endWhenOutputCloses();
      return verify(command.task);
    case 'licenses':
      endWhenOutputCloses();
      return printLicenses(packageRoot, (text) => void process.stdout.write(text));
    case 'help':
    case 'version':
    case 'completion':
      endWhenOutputCloses();
      process.stdout.write(`${command.text}\n`);
  }
};

const fail = (sentence: string, exitCode: number): void => {
  process.stderr.write(`${sentence}\n`);
  process.exit(exitCode);
};

/**
 * Runs the program.
 *
 * @param args without the program's name
 * @param packageRoot the folder that contains `dist` and `models`
 */
export const main = async (args: readonly string[], packageRoot: string): Promise<void> => {
  try {
    await run(parseCommand(args, process.env), packageRoot);
  } catch (error) {
    if (error instanceof FlagError) return fail(error.message, EXIT_WRONG_FLAG);
    if (error instanceof StartProblem) return fail(error.message, EXIT_FAILED);
    throw error;
  }
};
