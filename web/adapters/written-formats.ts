import { FORMATS, IMAGE_RESULT_FORMATS, type ImageFormat } from '#shared/catalogue/formats';

/** All browsers write JPEG, and PNG is written without them. */
const ALWAYS: readonly ImageFormat[] = ['jpeg', 'png'];

/** Formats that this browser writes. Chromium and Firefox have an encoder of WebP, and none has one of AVIF. */
export const writtenFormats = (): readonly ImageFormat[] => {
  const canvas = document.createElement('canvas');
  [canvas.width, canvas.height] = [1, 1];
  return IMAGE_RESULT_FORMATS.filter((format) => {
    const { mediaType } = FORMATS[format];
    // A canvas silently writes PNG if it does not support the requested type.
    return ALWAYS.includes(format) || canvas.toDataURL(mediaType).startsWith(`data:${mediaType}`);
  });
};
