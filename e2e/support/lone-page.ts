import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { requireChromium } from '../run/find-chromium';
import { launchOptions } from '../run/launch-options';

/** A page in its own Chromium. The page is inspected, its service worker is not. */
export interface LonePage {
  /** Runs an expression in the page. @returns undefined while the page changes */
  evaluate(expression: string): Promise<unknown>;
  close(): Promise<void>;
}

interface Answer {
  readonly id?: number;
  readonly result?: {
    readonly targetId?: string;
    readonly sessionId?: string;
    readonly result?: { readonly value?: unknown };
  };
}
type Call = (method: string, params: object, sessionId?: string) => Promise<Answer['result']>;

/** Messages of the DevTools protocol end with a zero byte. */
const connect = (toBrowser: Writable, fromBrowser: Readable): Call => {
  const waiting = new Map<number, (answer: Answer) => void>();
  let received = '';
  fromBrowser.setEncoding('utf8').on('data', (text: string) => {
    const messages = (received + text).split('\0');
    received = messages.pop() ?? '';
    for (const answer of messages.map((message) => JSON.parse(message) as Answer)) {
      waiting.get(answer.id ?? 0)?.(answer);
      waiting.delete(answer.id ?? 0);
    }
  });
  let lastId = 0;
  return (method, params, sessionId) =>
    new Promise((resolve) => {
      const id = ++lastId;
      waiting.set(id, ({ result }) => resolve(result));
      toBrowser.write(`${JSON.stringify({ id, method, params, sessionId })}\0`);
    });
};

const startChromium = (folder: string) => {
  const { args, chromiumSandbox } = launchOptions();
  const flags = ['--headless=new', '--remote-debugging-pipe', `--user-data-dir=${folder}`, ...args];
  return spawn(requireChromium(), [...flags, ...(chromiumSandbox ? [] : ['--no-sandbox'])], {
    stdio: ['ignore', 'ignore', 'ignore', 'pipe', 'pipe'],
  });
};

/**
 * Opens a page without Playwright, which inspects all service workers.
 *
 * Chromium starts the next version of a worker after it has stopped the idle one. It does not stop a worker under
 * inspection, so that the next version can wait for five minutes.
 */
export const openLonePage = async (url: string): Promise<LonePage> => {
  const folder = mkdtempSync(join(tmpdir(), 'veil-e2e-chromium-'));
  const chromium = startChromium(folder);
  const ended = new Promise((resolve) => chromium.once('close', resolve));
  const call = connect(chromium.stdio[3] as Writable, chromium.stdio[4] as Readable);
  const target = await call('Target.createTarget', { url });
  const session = await call('Target.attachToTarget', { targetId: target?.targetId, flatten: true });
  const asValue = { awaitPromise: true, returnByValue: true };
  return {
    evaluate: async (expression) => {
      const answer = await call('Runtime.evaluate', { expression, ...asValue }, session?.sessionId);
      return answer?.result?.value;
    },
    close: async () => {
      await call('Browser.close', {});
      await ended;
      rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
    },
  };
};
