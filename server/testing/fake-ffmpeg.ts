import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from './temporary-folder';

interface Behaviour {
  /** First line of its output for `-version`. */
  readonly version?: string;
  /** Lines of its standard error. */
  readonly says?: readonly string[];
  /** Bytes of its standard output: the content of a file. */
  readonly writes?: Uint8Array;
  /** Whether it writes this content repeatedly without end. */
  readonly forEver?: boolean;
  /** Whether it never ends by itself. */
  readonly hangs?: boolean;
  /** JavaScript condition on `args` under which it writes nothing and never ends by itself. */
  readonly hangsWhere?: string;
  /** JavaScript condition on `args` under which it fails. */
  readonly failsWhere?: string;
}

export interface FakeFfmpeg {
  readonly path: string;
  readonly folder: string;
  /** Arguments and environment variables of each conversion. */
  readonly calls: () => { readonly args: readonly string[]; readonly env: Record<string, string> }[];
  /** Whether a call is still running. */
  readonly isRunning: () => boolean;
}

/** Creates a program that records its calls. */
export const createFakeFfmpeg = ({
  version = 'ffmpeg version 5.1.9-0+deb12u1 Copyright',
  says = [],
  writes = new Uint8Array(0),
  forEver = false,
  hangs = false,
  hangsWhere = 'false',
  failsWhere = 'false',
}: Behaviour = {}): FakeFfmpeg => {
  const folder = temporaryFolder();
  const [path, output, record] = ['ffmpeg', 'output.bin', 'calls.jsonl'].map((name) =>
    join(folder, name),
  ) as [string, string, string];
  writeFileSync(output, writes);
  writeFileSync(
    path,
    `#!${process.execPath}
const fs = require('node:fs');
const args = process.argv.slice(2);
if (args.includes('-version')) { console.log(${JSON.stringify(version)}); process.exit(0); }
fs.appendFileSync(${JSON.stringify(record)}, JSON.stringify({ args, env: process.env, pid: process.pid }) + '\\n');
if (${failsWhere}) { console.error('[error] a secret of the file'); process.exit(1); }
console.error(${JSON.stringify(says.join('\n'))});
if (${hangsWhere}) setInterval(() => undefined, 1000);
const bytes = ${hangsWhere} ? Buffer.alloc(0) : fs.readFileSync(${JSON.stringify(output)});
const write = () => process.stdout.write(bytes, () => { if (${forEver}) write(); });
write();
if (${hangs}) setInterval(() => undefined, 1000);
`,
  );
  chmodSync(path, 0o755);
  const calls = () =>
    existsSync(record)
      ? readFileSync(record, 'utf8')
          .trim()
          .split('\n')
          .map((line) => JSON.parse(line) as { args: string[]; env: Record<string, string>; pid: number })
      : [];
  const isAlive = (pid: number): boolean => {
    try {
      return process.kill(pid, 0);
    } catch {
      return false;
    }
  };
  return { path, folder, calls, isRunning: () => calls().some(({ pid }) => isAlive(pid)) };
};
