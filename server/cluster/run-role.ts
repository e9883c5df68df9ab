import type { RoleCommand } from '../cli/cluster-commands';
import { runAudit } from '../audit/run-audit';
import { runImport } from './run-import';
import { runMigrations, serveApi, serveWorker } from './serve-roles';

/**
 * Runs a command of a role. Loaded only for these commands, because it loads the clients of all services.
 *
 * @param packageRoot the folder that contains `dist` and `models`
 * @throws FlagError, StartProblem
 */
export const runRole = async (command: RoleCommand, packageRoot: string): Promise<void> => {
  switch (command.kind) {
    case 'api':
      return serveApi(command.config, packageRoot);
    case 'worker':
      return serveWorker(command.config, packageRoot);
    case 'migrate':
      return runMigrations(command.database, command.grants);
    case 'import':
      return runImport(command.config);
    case 'audit':
      return runAudit(command.config);
  }
};
