/**
 * Ends a process that leads its own group, with all programs that it has started.
 *
 * By SIGKILL: threads in native code heed nothing else.
 */
export const endProcessGroup = (pid: number): void => {
  try {
    // Windows has no process groups.
    process.kill(process.platform === 'win32' ? pid : -pid, 'SIGKILL');
  } catch {
    // It has ended.
  }
};
