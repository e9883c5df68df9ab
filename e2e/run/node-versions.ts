import { spawnSync } from 'node:child_process';

/** Major versions of Node on which page and server are tested. */
export const NODE_VERSIONS = [20, 22, 24, 26] as const;

/** Whether this process runs on a version. */
export const isThis = (version: number): boolean => process.versions.node.startsWith(`${version}.`);

const LIMIT_MS = 300_000;

/**
 * Returns the path of the program of another version of Node, a package of the npm registry that npm keeps in its cache.
 *
 * @throws with the output of npm if it cannot be had
 */
export const nodeProgram = (version: number): string => {
  const args = ['--yes', '--package', `node@${version}`, '--', 'node', '-p', 'process.execPath'];
  const { stdout, stderr } = spawnSync('npx', args, { encoding: 'utf8', timeout: LIMIT_MS });
  const path = stdout.trim();
  if (path === '') throw new Error(`Node ${version} cannot be had from the npm registry:\n${stderr}`);
  return path;
};
