import { DEFAULT_BAG_OPTIONS, type BagContents } from '#shared/domain/bag';
import { LIMITS } from '#shared/domain/limits';
import { openBagCodec } from '../adapters/bag-codec';
import { imageCodec } from '../adapters/image-codec';

const HUNDREDTHS = 100;

/** Reads a bag in pieces and says what is in it. @param onRead receives the share that was read. @throws UnreadableFile */
export const listBag = async (
  file: Blob,
  onRead: (share: number) => void,
  signal: AbortSignal,
): Promise<BagContents> => {
  let reported = 0;
  const source = {
    sizeBytes: file.size,
    read: async (start: number, end: number): Promise<Uint8Array> => {
      const share = Math.floor((HUNDREDTHS * end) / file.size);
      if (share > reported) onRead((reported = share) / HUNDREDTHS);
      return new Uint8Array(await file.slice(start, end).arrayBuffer());
    },
  };
  const codec = await openBagCodec();
  return codec.list(source, { options: DEFAULT_BAG_OPTIONS, limits: LIMITS, codec: imageCodec }, signal);
};
