import { readImageHeader } from '#shared/engine/formats/read-header';
import { LIMITS } from '#shared/domain/limits';
import type { ImageOptions } from '#shared/domain/options';
import type { RedactionPlan } from '#shared/domain/plan';
import type { EngineMethods } from '#shared/ports/engine';

/** How the product would hide the objects of an image. */
export const planImage = async (
  engine: EngineMethods,
  bytes: Uint8Array,
  options: ImageOptions,
): Promise<RedactionPlan> => {
  const job = {
    bytes,
    header: await readImageHeader(bytes, LIMITS),
    options,
    encoding: { format: 'jpeg', quality: 90 },
    masks: [],
  } as const;
  const { plan } = await engine.anonymiseImage(job, () => undefined, new AbortController().signal);
  return plan;
};
