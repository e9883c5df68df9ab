/** What mediabunny looks for on `globalThis`, as it finds it in a browser. */
const CLASSES = [
  'VideoDecoder',
  'VideoEncoder',
  'VideoFrame',
  'VideoColorSpace',
  'EncodedVideoChunk',
  'EncodedAudioChunk',
  'AudioData',
  'AudioDecoder',
  'AudioEncoder',
] as const;

/** Classes of WebCodecs; undefined: the host has none. */
export type WebCodecs = Readonly<Record<(typeof CLASSES)[number], unknown>>;

/** Puts the classes where mediabunny finds them, in place of any that are there. */
export const installWebCodecs = (classes: WebCodecs): void => {
  for (const name of CLASSES) {
    Object.defineProperty(globalThis, name, { value: classes[name], configurable: true });
  }
};
