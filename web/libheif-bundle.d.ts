declare module 'libheif-js/libheif-wasm/libheif-bundle.mjs' {
  import type { HeifLibrary } from '#shared/engine/decode/decode-heic';

  const create: (options: { print(): void; printErr(): void }) => HeifLibrary;
  export default create;
}
