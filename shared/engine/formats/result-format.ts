import type { ImageSource } from '../../domain/image-source';
import type { ImageFormat } from '../../ports/engine';

/**
 * The format in which an image's result is written unless a client asks for another.
 *
 * JPEG for photographs. PNG where the source is PNG, or has transparency: that is drawn material, whose edges JPEG
 * would blur.
 */
export const resultFormatOf = ({ format, hasAlpha }: ImageSource): ImageFormat =>
  format === 'png' || hasAlpha ? 'png' : 'jpeg';
