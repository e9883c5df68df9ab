import { spawn } from 'node:child_process';

type Command = readonly [program: string, ...args: string[]];

/** The command that opens an address on this desktop; undefined where there is none. */
const openerOf = (platform: NodeJS.Platform, environment: NodeJS.ProcessEnv): Command | undefined => {
  if (platform === 'darwin') return ['open'];
  if (platform === 'win32') return ['rundll32', 'url.dll,FileProtocolHandler'];
  return environment['DISPLAY'] || environment['WAYLAND_DISPLAY'] ? ['xdg-open'] : undefined;
};

/** Opens an address in the user's browser, where a desktop is available. A failure is ignored: it is also printed. */
export const openBrowser = (address: string): void => {
  const opener = openerOf(process.platform, process.env);
  if (!opener) return;
  const [program, ...args] = opener;
  const child = spawn(program, [...args, address], { detached: true, stdio: 'ignore' });
  child.on('error', () => undefined);
  child.unref();
};
