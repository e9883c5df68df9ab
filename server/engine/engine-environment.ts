/** Variables that programs need on Windows to start at all. */
const OF_WINDOWS = ['SystemRoot', 'TEMP', 'TMP'] as const;

/** Memory limits of Node among its options, and nothing else of them. */
const MEMORY_LIMIT = /--max[-_]old[-_]space[-_]size[= ]\d+/g;

/**
 * The environment of an engine process: the folder of temporary files, the path of programs, and the memory limit.
 *
 * Everything else may be a secret of the host: tokens, keys, addresses of databases.
 */
export const engineEnvironment = (
  host: NodeJS.ProcessEnv,
  nodeArguments: readonly string[],
  platform: NodeJS.Platform = process.platform,
): NodeJS.ProcessEnv => {
  const names = ['PATH', 'TMPDIR', ...(platform === 'win32' ? OF_WINDOWS : [])];
  const kept = names.flatMap((name) => (host[name] === undefined ? [] : [[name, host[name]] as const]));
  const limits = [host['NODE_OPTIONS'] ?? '', ...nodeArguments].join(' ').match(MEMORY_LIMIT);
  return { ...Object.fromEntries(kept), ...(limits && { NODE_OPTIONS: limits.join(' ') }) };
};
