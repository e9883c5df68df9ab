/**
 * Program: runs a role of a cluster with intervals that suit tests. Arguments: the folder that contains `dist` and
 * `models`, then those of the product.
 */
import { parseCommand } from '../../cli/cli';
import type { Intervals } from '../../cluster/cluster-tasks';
import { serveApi, serveWorker } from '../../cluster/serve-roles';

/** Variable with intervals as JSON. */
const INTERVALS_VARIABLE = 'VEIL_TEST_INTERVALS';

const run = async ([root = '', ...args]: readonly string[]): Promise<void> => {
  const command = parseCommand(args, process.env);
  const text = process.env[INTERVALS_VARIABLE];
  const intervals = text === undefined ? undefined : (JSON.parse(text) as Intervals);
  if (command.kind === 'api') return serveApi(command.config, root, intervals);
  if (command.kind === 'worker') return serveWorker(command.config, root, intervals);
  throw new Error(`not a role that serves: ${command.kind}`);
};

run(process.argv.slice(2)).catch((error: unknown) => {
  console.error(error);
  process.exit(1);
});
