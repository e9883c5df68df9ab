import { hasExtensionOf, IMAGE_SOURCE_FORMATS, VIDEO_FORMATS } from '#shared/catalogue/formats';

/** Whether a file is probably a video, by type and name: some systems have no type for Matroska. */
export const isNamedLikeVideo = ({ type, name }: File): boolean =>
  type.startsWith('video/') || hasExtensionOf(VIDEO_FORMATS, name);

/** Whether a file is probably an image or a video, by type and name: some systems have no type for HEIC. */
export const isNamedLikeMedia = (file: File): boolean =>
  file.type.startsWith('image/') || hasExtensionOf(IMAGE_SOURCE_FORMATS, file.name) || isNamedLikeVideo(file);
