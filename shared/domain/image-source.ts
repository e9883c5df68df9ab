import { FORMATS, type ImageSourceFormat } from '../catalogue/formats';

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

/**
 * The format in which an image's result is written unless a client asks for another.
 *
 * JPEG for photographs. PNG where the source is PNG, or has transparency: that is drawn material, whose edges JPEG
 * would blur.
 */
export const resultFormatOf = ({
  format,
  hasAlpha,
}: Pick<ImageSource, 'format' | 'hasAlpha'>): 'jpeg' | 'png' => (hasAlpha ? 'png' : FORMATS[format].result);
