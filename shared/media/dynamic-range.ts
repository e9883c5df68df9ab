import { UnreadableFile } from '../domain/failure';

/** Transfer functions of high dynamic range (ITU-R BT.2100). */
const HDR_TRANSFERS: ReadonlySet<string> = new Set(['pq', 'hlg']);

/**
 * Refuses HDR videos. Without tone mapping their frames look washed out, and the models were not trained on such images
 * and would miss objects.
 *
 * @throws UnreadableFile
 */
export const requireStandardRange = ({ transfer }: { readonly transfer?: string | null }): void => {
  if (!transfer || !HDR_TRANSFERS.has(transfer)) return;
  throw new UnreadableFile(
    `The video is in high dynamic range (${transfer.toUpperCase()}), which is not supported; convert it to standard range first.`,
  );
};
