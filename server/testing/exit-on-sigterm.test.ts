import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { expect, it } from 'vitest';

it('what tests have started is killed when Vitest ends their process', async () => {
  const program = `import ${JSON.stringify(join(import.meta.dirname, 'exit-on-sigterm.ts'))};
    process.once('exit', () => console.log('killed'));
    console.log('started');
    setInterval(() => {}, 60_000);`;
  const child = spawn(process.execPath, ['--import', 'tsx', '--input-type=module', '--eval', program]);
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (output += text));
  await once(child.stdout, 'data');
  child.kill('SIGTERM');
  await once(child, 'close');
  expect(output).toBe('started\nkilled\n');
  // The configuration of Vitest loads it in this process, too.
  expect(process.listenerCount('SIGTERM')).toBeGreaterThan(0);
});
