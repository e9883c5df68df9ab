import type { ListGiven } from '#shared/engine/host-engine';

/** How long the last file is kept after its last use, in ms: a run over a folder uses it for one image after another. */
const KEPT_MS = 60_000;

/**
 * Reads each file of detections once for all images that follow each other: one file may list those of a whole folder.
 *
 * @param list reads a file
 */
export const createGivenFiles = (list: ListGiven): ListGiven => {
  let last: { readonly key: string; readonly listed: ReturnType<ListGiven> } | undefined;
  let forgetting: NodeJS.Timeout | undefined;
  return (given) => {
    const key = `${given.sha256} ${given.hasAreas === true}`;
    if (last?.key !== key) last = { key, listed: list(given) };
    clearTimeout(forgetting);
    forgetting = setTimeout(() => (last = undefined), KEPT_MS);
    forgetting.unref();
    return last.listed;
  };
};
