import type { FrameInfo } from './frame-info';
import { rawLayout, type RawLayout } from './raw-formats';

export interface DecodedFrame {
  readonly timestampUs: number;
  readonly width: number;
  readonly height: number;
  readonly layout: RawLayout;
  readonly colorSpace: VideoColorSpaceInit;
  readonly bytes: Uint8Array;
}

interface Assembling {
  readonly info: FrameInfo;
  readonly layout: RawLayout;
  readonly bytes: Uint8Array;
  filled: number;
}

/** Joins the descriptions and the pixels of frames, which arrive in separate pipes. */
export const createAssembler = (
  onFrame: (frame: DecodedFrame) => void,
  onError: (reason: string) => void,
) => {
  const infos: FrameInfo[] = [];
  const pieces: Buffer[] = [];
  let first: FrameInfo | undefined;
  let current: Assembling | undefined;
  const begin = (info: FrameInfo): Assembling | undefined => {
    first ??= info;
    const layout = rawLayout(info.pixelFormat, info.width, info.height);
    // After a change of size, ffmpeg scales frames to the size of the first one.
    const isSameSize = info.width === first.width && info.height === first.height;
    if (layout && isSameSize) return { info, layout, bytes: new Uint8Array(layout.byteLength), filled: 0 };
    onError('The frames change their size or format.');
    return undefined;
  };
  const finish = ({ info, layout, bytes }: Assembling): void => {
    const { timestampUs, width, height } = info;
    if (timestampUs === undefined) return onError('A frame has no timestamp.');
    const colorSpace = { ...info.colorSpace, ...(layout.isFullRange && { fullRange: true }) };
    onFrame({ timestampUs, width, height, layout, colorSpace, bytes });
  };
  const fill = (): void => {
    while (pieces.length > 0) {
      const info = current ? undefined : infos.shift();
      current ??= info && begin(info);
      if (!current) return;
      const piece = pieces.shift() as Buffer;
      const part = piece.subarray(0, current.bytes.length - current.filled);
      current.bytes.set(part, current.filled);
      current.filled += part.length;
      if (part.length < piece.length) pieces.unshift(piece.subarray(part.length));
      if (current.filled < current.bytes.length) continue;
      const whole = current;
      current = undefined;
      finish(whole);
    }
  };
  return {
    addBytes: (piece: Buffer): void => {
      pieces.push(piece);
      fill();
    },
    addInfo: (info: FrameInfo): void => {
      infos.push(info);
      fill();
    },
  };
};
