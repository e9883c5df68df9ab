import { layoutOf } from './frame-info';

interface ChunkInit {
  readonly type: 'key' | 'delta';
  readonly timestamp: number;
  readonly duration?: number | undefined;
  readonly data: Uint8Array | ArrayBuffer;
}

/** `EncodedVideoChunk` and `EncodedAudioChunk` of WebCodecs. */
export class RawEncodedChunk {
  readonly type: 'key' | 'delta';
  readonly timestamp: number;
  readonly duration: number | null;
  readonly data: Uint8Array;

  constructor({ type, timestamp, duration, data }: ChunkInit) {
    this.type = type;
    this.timestamp = timestamp;
    this.duration = duration ?? null;
    this.data = data instanceof ArrayBuffer ? new Uint8Array(data) : data;
  }

  get byteLength(): number {
    return this.data.byteLength;
  }

  copyTo(target: Uint8Array | ArrayBuffer): void {
    (target instanceof ArrayBuffer ? new Uint8Array(target) : target).set(this.data);
  }
}

/** A frame's pixels and their layout. */
interface Pixels {
  readonly bytes: Uint8Array;
  readonly planes: readonly PlaneLayout[];
}

export interface RawFrameInit {
  readonly format: string;
  readonly codedWidth: number;
  readonly codedHeight: number;
  readonly displayWidth?: number;
  readonly displayHeight?: number;
  readonly timestamp: number;
  readonly duration?: number | undefined;
  readonly colorSpace?: VideoColorSpaceInit | undefined;
  readonly layout?: readonly PlaneLayout[] | undefined;
}

type CopyOptions = { readonly format?: string };

const NOTHING = { format: '', codedWidth: 0, codedHeight: 0, timestamp: 0 } as const;

/** `VideoColorSpace` of WebCodecs. */
export class RawColorSpace {
  readonly primaries: NonNullable<VideoColorSpaceInit['primaries']> | null;
  readonly transfer: NonNullable<VideoColorSpaceInit['transfer']> | null;
  readonly matrix: NonNullable<VideoColorSpaceInit['matrix']> | null;
  readonly fullRange: boolean | null;

  constructor({ primaries, transfer, matrix, fullRange }: VideoColorSpaceInit = {}) {
    this.primaries = primaries ?? null;
    this.transfer = transfer ?? null;
    this.matrix = matrix ?? null;
    this.fullRange = fullRange ?? null;
  }

  toJSON(): VideoColorSpaceInit {
    const { primaries, transfer, matrix, fullRange } = this;
    return { primaries, transfer, matrix, fullRange };
  }
}

const notSupported = (what: string): DOMException => new DOMException(what, 'NotSupportedError');

/**
 * `VideoFrame` of WebCodecs in plain memory, as far as it is used here.
 *
 * The pixels are not copied: mediabunny, which creates frames, does not change them afterwards.
 */
export class RawVideoFrame {
  readonly format: string;
  readonly codedWidth: number;
  readonly codedHeight: number;
  readonly displayWidth: number;
  readonly displayHeight: number;
  readonly timestamp: number;
  readonly duration: number | null;
  readonly colorSpace: RawColorSpace;
  #pixels: Pixels | undefined;

  constructor(data: Uint8Array | RawVideoFrame, init: Partial<RawFrameInit> = {}) {
    const from = data instanceof RawVideoFrame ? data.#initWith(init) : init;
    const { format, codedWidth, codedHeight, timestamp, duration = null } = { ...NOTHING, ...from };
    const { displayWidth = codedWidth, displayHeight = codedHeight } = from;
    const layout = layoutOf(format, codedWidth, codedHeight);
    if (!layout) throw notSupported(`frames of the format ${format}`);
    this.format = format;
    this.codedWidth = codedWidth;
    this.codedHeight = codedHeight;
    this.displayWidth = displayWidth;
    this.displayHeight = displayHeight;
    this.timestamp = timestamp;
    this.duration = duration;
    this.colorSpace = new RawColorSpace(from.colorSpace);
    this.#pixels =
      data instanceof RawVideoFrame ? data.pixels() : { bytes: data, planes: from.layout ?? layout.planes };
  }

  /** Properties of this frame, with other times if they are given. */
  #initWith({ timestamp, duration }: Partial<RawFrameInit>): RawFrameInit {
    const { format, codedWidth, codedHeight, displayWidth, displayHeight, colorSpace } = this;
    const time =
      timestamp === undefined
        ? { timestamp: this.timestamp, duration: this.duration ?? undefined }
        : { timestamp, duration };
    return {
      ...{ format, codedWidth, codedHeight, displayWidth, displayHeight, ...time },
      colorSpace: colorSpace.toJSON(),
    };
  }

  get codedRect() {
    return { x: 0, y: 0, width: this.codedWidth, height: this.codedHeight };
  }

  get visibleRect() {
    return this.codedRect;
  }

  /** @throws where the frame is closed */
  pixels(): Pixels {
    if (!this.#pixels) throw new DOMException('The frame is closed.', 'InvalidStateError');
    return this.#pixels;
  }

  allocationSize({ format = this.format }: CopyOptions = {}): number {
    if (format !== this.format) throw notSupported(`conversion to ${format}`);
    return layoutOf(format, this.codedWidth, this.codedHeight)!.byteLength;
  }

  async copyTo(target: Uint8Array | ArrayBuffer, options: CopyOptions = {}): Promise<PlaneLayout[]> {
    const { bytes, planes } = this.pixels();
    const size = this.allocationSize(options);
    const view = target instanceof ArrayBuffer ? new Uint8Array(target) : target;
    view.set(bytes.subarray(0, size));
    return [...planes];
  }

  clone(): RawVideoFrame {
    return new RawVideoFrame(this);
  }

  close(): void {
    this.#pixels = undefined;
  }
}
