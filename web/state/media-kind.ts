const VIDEO_NAME = /\.(mp4|m4v|mov|webm|mkv|avi|wmv|mpe?g|m2ts|mts|flv|ogv)$/i;

/** Whether a file looks like a video before anybody has read it: some systems know no type for Matroska. */
export const isNamedLikeVideo = ({ type, name }: File): boolean =>
  type.startsWith('video/') || VIDEO_NAME.test(name);

/** Whether a file looks like something that can be anonymised. */
export const isNamedLikeMedia = (file: File): boolean =>
  file.type.startsWith('image/') || isNamedLikeVideo(file);
