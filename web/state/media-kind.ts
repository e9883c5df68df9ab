const VIDEO_NAME = /\.(mp4|m4v|mov|webm|mkv|avi|wmv|mpe?g|m2ts|mts|flv|ogv)$/i;

/** Whether a file is probably a video, by type and name: some systems have no type for Matroska. */
export const isNamedLikeVideo = ({ type, name }: File): boolean =>
  type.startsWith('video/') || VIDEO_NAME.test(name);

const IMAGE_NAME = /\.(heic|heif|hif|avif|webp|tiff?|bmp|gif)$/i;

/** Whether a file is probably an image or a video, by type and name: some systems have no type for HEIC. */
export const isNamedLikeMedia = (file: File): boolean =>
  file.type.startsWith('image/') || IMAGE_NAME.test(file.name) || isNamedLikeVideo(file);
