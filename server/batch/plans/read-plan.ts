import { createReadStream, lstatSync } from 'node:fs';
import { parseJson } from '#shared/api/http/parse-json';
import type { Size } from '#shared/domain/raster';
import { isFrame, isHead, PLAN_VERSION, type PlanHead, type StoredFrame } from './plan-schema';

/** A plan that cannot be used, with a clause that says why. */
export class UnusablePlan extends Error {
  override readonly name = 'UnusablePlan';
}

const damaged = (): UnusablePlan => new UnusablePlan('its stored plan is damaged');

/** Longest line: a frame with more objects than any crowd has. */
const MAX_LINE_CHARS = 64 * 1024 ** 2;

/** The lines of a text file, which may be larger than memory. @throws UnusablePlan for a line that is too long */
async function* linesOf(path: string): AsyncGenerator<string, void> {
  let [pieces, chars]: [string[], number] = [[], 0];
  for await (const chunk of createReadStream(path, 'utf8') as AsyncIterable<string>) {
    let start = 0;
    for (let end = chunk.indexOf('\n'); end >= 0; end = chunk.indexOf('\n', start)) {
      yield [...pieces, chunk.slice(start, end)].join('');
      [pieces, chars, start] = [[], 0, end + 1];
    }
    pieces.push(chunk.slice(start));
    chars += chunk.length - start;
    if (chars > MAX_LINE_CHARS) throw damaged();
  }
  if (chars > 0) throw damaged(); // its last line was cut off
}

const versionOf = (value: unknown): unknown =>
  typeof value === 'object' && value !== null && 'plan' in value ? value.plan : undefined;

/** A plan as it is read: each frame when it is asked for, because hours of a video fill any memory. */
export interface PlanReading {
  readonly head: PlanHead;
  /** @throws UnusablePlan where it does not have so many frames of this size, one after the other */
  frames(count: number, size: Size): AsyncGenerator<StoredFrame, void>;
  /** Closes the file. */
  close(): Promise<void>;
}

/** Whether there is a plan. Never a link or a pipe, which somebody may have put there. */
export const isPlanThere = (path: string): boolean =>
  lstatSync(path, { throwIfNoEntry: false })?.isFile() ?? false;

/**
 * Opens a plan, which may have been changed by anybody: all of it is checked before it is used.
 *
 * @throws UnusablePlan
 */
export const openPlan = async (path: string): Promise<PlanReading> => {
  const lines = linesOf(path);
  const first = await lines.next();
  const head = first.done ? undefined : parseJson(first.value);
  if (!isHead(head)) {
    await lines.return();
    const version = versionOf(head);
    if (typeof version !== 'number' || version === PLAN_VERSION) throw damaged();
    throw new UnusablePlan('its stored plan is of another version of Veil');
  }
  return {
    head,
    async *frames(count, size) {
      let index = 0;
      for await (const line of lines) {
        const frame = parseJson(line);
        if (index >= count || !isFrame(frame, size) || frame.index !== index) throw damaged();
        index += 1;
        yield frame;
      }
      if (index < count) throw damaged();
    },
    close: async () => void (await lines.return()),
  };
};
