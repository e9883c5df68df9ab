import { UnreadableFile } from '../../domain/failure';

/** Types of the boxes, and of the additions to Matroska blocks, that contain a configuration of Dolby Vision. */
export const DOLBY_VISION: readonly string[] = ['dvcC', 'dvvC', 'dvwC'];

/** Bytes of a configuration that are read. */
export const DOLBY_VISION_BYTES = 5;

/**
 * Refuses Dolby Vision whose images have no common colours, as in profile 5: any other decoder shows them green and
 * violet. Other profiles have a base layer in HLG, HDR10 or standard range, which is used; their enhancement is ignored.
 *
 * @param configuration at least `DOLBY_VISION_BYTES`
 * @throws UnreadableFile
 * @see Dolby Vision Streams within the ISO Base Media File Format, section 3.2
 */
export const requireBaseLayer = (configuration: Uint8Array): void => {
  const [, , profileAndLevel = 0, , compatibility = 0] = configuration;
  if (compatibility >> 4 !== 0) return;
  throw new UnreadableFile(
    `The video is in Dolby Vision profile ${profileAndLevel >> 1}, which only Dolby's own decoders can show; export it in standard range, HLG or HDR10 first.`,
  );
};
