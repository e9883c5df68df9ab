/** Properties of an image file that are known from its header, before it is decoded. */
export interface ImageSource {
  readonly format: 'jpeg' | 'png';
  /** As stored: `orientation` 5..8 swaps the sides. */
  readonly width: number;
  readonly height: number;
  /** EXIF 1..8; 1 where absent or invalid. */
  readonly orientation: number;
}
