/** What an image file says about itself, before anything is decoded. */
export interface ImageSource {
  readonly format: 'jpeg' | 'png';
  /** As stored: `orientation` 5..8 swaps the sides. */
  readonly width: number;
  readonly height: number;
  /** EXIF 1..8; 1 where absent or invalid. */
  readonly orientation: number;
}
