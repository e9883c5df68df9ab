/** Width and height of an image, a window or an area of the screen, in px. */
export interface Size {
  readonly width: number;
  readonly height: number;
}
