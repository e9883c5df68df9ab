/**
 * What is called of libheif, as Emscripten exports it: pointers are numbers, and a function that returns a structure
 * gets a pointer to write it to first.
 *
 * @see https://github.com/strukturag/libheif/blob/master/libheif/api/libheif/heif.h
 */
export interface HeifLibrary {
  /** Replaced when the memory grows: to be read anew after each call. */
  readonly HEAPU8: Uint8Array;
  _malloc(bytes: number): number;
  _heif_context_alloc(): number;
  _heif_context_get_security_limits(context: number): number;
  _heif_context_read_from_memory_without_copy(
    error: number,
    context: number,
    bytes: number,
    length: number,
    options: number,
  ): void;
  _heif_context_get_primary_image_handle(error: number, context: number, handle: number): void;
  _heif_image_handle_is_premultiplied_alpha(handle: number): number;
  _heif_decoding_options_alloc(): number;
  _heif_decode_image(
    error: number,
    handle: number,
    image: number,
    colourSpace: number,
    chroma: number,
    options: number,
  ): void;
  _heif_image_get_width(image: number, channel: number): number;
  _heif_image_get_height(image: number, channel: number): number;
  _heif_image_get_plane_readonly(image: number, channel: number, stride: number): number;
}

/**
 * Loads the library with memory of its own.
 *
 * One for each image: memory of WebAssembly never shrinks, and what a hostile file may have done to it ends with it.
 */
export type LoadHeifLibrary = () => Promise<HeifLibrary>;
