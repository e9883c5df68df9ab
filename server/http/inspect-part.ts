import { createHash } from 'node:crypto';
import { HEAD_BYTES } from '#shared/engine/formats/recognise';
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
  /** Of the whole part. */
  readonly sha256: string;
  /** Undefined where it was not asked for. */
  readonly digest: string | undefined;
}

export const inspectPart = (withDigest: boolean): PartInspection => {
  const head = new Uint8Array(HEAD_BYTES);
  let headBytes = 0;
  const whole = createHash('sha256');
  const running = withDigest ? createRunningDigest(() => createHash('sha256')) : undefined;
  return {
    take: (chunk) => {
      const start = chunk.subarray(0, head.byteLength - headBytes);
      head.set(start, headBytes);
      headBytes += start.byteLength;
      whole.update(chunk);
      running?.update(chunk);
    },
    end: () => ({
      head: head.subarray(0, headBytes),
      sha256: whole.digest('hex'),
      digest: running?.digest(),
    }),
  };
};
