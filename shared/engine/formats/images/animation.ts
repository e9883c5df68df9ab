import { UnreadableFile } from '../../../domain/unreadable-file';

/** @param name with its article: `an animated GIF` */
export const animation = (name: string, frames: number): UnreadableFile =>
  new UnreadableFile(`This is ${name} with ${frames} frames; only still pictures are supported.`);
