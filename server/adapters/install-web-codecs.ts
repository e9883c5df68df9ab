/** The WebCodecs classes that mediabunny expects on `globalThis`, as in a browser. */
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

/** Makes the classes global for mediabunny, replacing any that exist. */
export const installWebCodecs = (classes: WebCodecs): void => {
  for (const name of CLASSES) {
    Object.defineProperty(globalThis, name, { value: classes[name], configurable: true });
  }
};
