/** Images that can be processed. Some by their names: not every system knows a type for them. */
export const ACCEPTED_IMAGES =
  'image/jpeg,image/png,image/webp,image/avif,image/heic,image/heif,image/tiff,image/bmp,image/gif,.heic,.heif,.avif,.webp,.tif,.tiff,.bmp';

/** Images and videos that can be processed, for file inputs. */
export const ACCEPTED_FILES = `${ACCEPTED_IMAGES},video/mp4,video/quicktime,video/webm,video/x-matroska,.mkv,.avi,.wmv,.mpg,.mts,.m2ts,.flv,.ogv`;
