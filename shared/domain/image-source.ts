/** The image formats that are read. Results are written in fewer: see `ImageFormat` in `ports/engine.ts`. */
export const IMAGE_SOURCE_FORMATS = ['jpeg', 'png', 'webp', 'avif', 'heic', 'tiff', 'bmp', 'gif'] as const;
export type ImageSourceFormat = (typeof IMAGE_SOURCE_FORMATS)[number];

/** Properties of an image file that are known from its header, before it is decoded. */
export interface ImageSource {
  readonly format: ImageSourceFormat;
  /** As stored: `orientation` 5..8 swaps the sides. */
  readonly width: number;
  readonly height: number;
  /** 1..8 as in EXIF; 1 where absent or invalid. HEIF files state it by properties of their own, not by EXIF. */
  readonly orientation: number;
  /** Whether pixels may be transparent, by the file's own statement. */
  readonly hasAlpha: boolean;
}
