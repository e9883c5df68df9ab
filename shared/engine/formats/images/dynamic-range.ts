import { UnreadableFile } from '../../../domain/failure';

/** Transfer functions of high dynamic range, by their numbers in ITU-T H.273: PQ and HLG. */
const HDR_TRANSFERS: readonly number[] = [16, 18];

/**
 * Refuses pictures in high dynamic range, as videos are refused: without tone mapping they look washed out, and the
 * models miss objects in them.
 *
 * @param name of the format
 * @throws UnreadableFile
 */
export const requireStandardRange = (transfer: number | undefined, name: string): void => {
  if (transfer === undefined || !HDR_TRANSFERS.includes(transfer)) return;
  throw new UnreadableFile(
    `This ${name} picture is in high dynamic range, which is not supported; convert it to standard range first.`,
  );
};
