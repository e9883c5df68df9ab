import { createHash } from 'node:crypto';
import { VIDEO_HEAD_BYTES } from '#shared/engine/formats/sniff-video';
import { createRunningDigest } from '#shared/tasks/base/digest';

/** Collects facts about a part while it is written, so that the file need not be read for them. */
export interface PartInspection {
  /** Takes the part's next bytes. */
  take(chunk: Uint8Array): void;
  /** Ends it. */
  end(): PartFacts;
}

export interface PartFacts {
  /** See `ReceivedFile`. */
  readonly head: Uint8Array;
  /** Undefined where it was not asked for. */
  readonly digest: string | undefined;
}

export const inspectPart = (withDigest: boolean): PartInspection => {
  const head = new Uint8Array(VIDEO_HEAD_BYTES);
  let headBytes = 0;
  const running = withDigest ? createRunningDigest(() => createHash('sha256')) : undefined;
  return {
    take: (chunk) => {
      const start = chunk.subarray(0, head.byteLength - headBytes);
      head.set(start, headBytes);
      headBytes += start.byteLength;
      running?.update(chunk);
    },
    end: () => ({ head: head.subarray(0, headBytes), digest: running?.digest() }),
  };
};
