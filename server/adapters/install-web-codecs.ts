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

/** Classes of WebCodecs; undefined where the host has no such class. */
export type WebCodecs = Readonly<Record<(typeof CLASSES)[number], unknown>>;

/** Makes the classes global for mediabunny, replacing any that exist. */
export const installWebCodecs = (classes: WebCodecs): void => {
  for (const name of CLASSES) {
    Object.defineProperty(globalThis, name, { value: classes[name], configurable: true });
  }
};
