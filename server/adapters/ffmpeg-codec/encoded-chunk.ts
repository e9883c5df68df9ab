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
