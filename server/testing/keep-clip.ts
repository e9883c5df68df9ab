import { keptUntil, type KeptInVideo } from '#shared/domain/kept-in-video';
import { US_PER_SECOND } from '#shared/domain/plan';
import { readKeptInVideo } from '#shared/engine/formats/keep-in-video';
import { memoryTarget, openClip, sourceOf } from './clips';

const NEVER = new AbortController().signal;

export const keptOf = (bytes: Uint8Array): Promise<KeptInVideo> => readKeptInVideo(sourceOf(bytes), NEVER);

/** Decodes a clip and encodes it again, as the engine does where metadata are kept. */
export const keepClip = async (bytes: Uint8Array): Promise<Uint8Array> => {
  const reader = await openClip(bytes);
  const target = memoryTarget();
  try {
    const kept = keptUntil(await keptOf(bytes), reader.endUs / US_PER_SECOND);
    const writer = await reader.createWriter(target, { keepBitRate: false, kept });
    for await (const frame of reader.frames(NEVER)) await writer.add(frame);
    await writer.finish();
    return target.bytes();
  } finally {
    reader.close();
  }
};
