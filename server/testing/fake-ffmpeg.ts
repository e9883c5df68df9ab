import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from './temporary-folder';

interface Behaviour {
  /** First line of what it says of its version. */
  readonly version?: string;
  /** Lines that go to its standard error. */
  readonly says?: readonly string[];
  /** Goes to its standard output: a file's content. */
  readonly writes?: Uint8Array;
  /** Writes that again and again. */
  readonly forEver?: boolean;
  /** Never ends by itself. */
  readonly hangs?: boolean;
  /** Arguments at which it never ends by itself, and writes nothing, as JavaScript. */
  readonly hangsWhere?: string;
  /** Arguments at which it fails, as JavaScript. */
  readonly failsWhere?: string;
}

export interface FakeFfmpeg {
  readonly path: string;
  readonly folder: string;
  /** The arguments of each conversion, and the environment it saw. */
  readonly calls: () => { readonly args: readonly string[]; readonly env: Record<string, string> }[];
  /** Where nothing is running any more. */
  readonly isRunning: () => boolean;
}

/** A program that records how it is called. */
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
