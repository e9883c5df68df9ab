import { useEffect, useState } from 'react';
import { useServices } from '../services';
import { useRead } from '../ui/use-loaded';
import type { MediaResult, MediaItem } from '../../state/media-item';
import type { Size } from '#shared/domain/raster';

/** Addresses for both sides of a video; of one that failed there is nothing to show. */
export const useVideoFiles = ({ file, status, result }: MediaItem) => {
  const [isPlayable, setPlayable] = useState(true);
  const isShown = status !== 'failed';
  const resultUrl = useObjectUrl(useResultFile(isShown ? result : null));
  return {
    originalUrl: useObjectUrl(isShown && isPlayable ? file : null),
    resultUrl,
    /** Nothing can be played yet, as the browser does not know the original's coding. */
    isUnplayable: isShown && !isPlayable && resultUrl === null,
    onOriginalUnplayable: () => setPlayable(false),
  };
};
export type VideoFiles = ReturnType<typeof useVideoFiles>;

/** Object URLs for both sides of an image. A failed image is not shown, because its size may be the reason. */
export const useImageFiles = ({ file, status, result }: MediaItem) => {
  const isShown = status !== 'failed';
  const [originalSize, setOriginalSize] = useState<Size | null>(null);
  const [isResultLoaded, setResultLoaded] = useState(false);
  const originalUrl = useObjectUrl(useDisplayable(isShown ? file : null));
  const resultUrl = useObjectUrl(useResultFile(result));
  return {
    originalUrl,
    resultUrl,
    /** In px; null until the result or the original is loaded. */
    size: result ?? originalSize,
    /** Whether the result is on the screen. */
    canCompare: resultUrl !== null && isResultLoaded,
    onOriginalLoaded: setOriginalSize,
    onResultLoaded: () => setResultLoaded(true),
  };
};
export type ImageFiles = ReturnType<typeof useImageFiles>;

/** The anonymised file of a result. The previous file stays until the next one is loaded. */
export const useResultFile = (result: MediaResult | null): Blob | null => {
  const { anonymiser } = useServices();
  const read = () => (result?.hasImage ? anonymiser.file(result) : undefined);
  return useRead(read, [anonymiser, result], true) ?? null;
};

/** An image that browsers can show: the file itself, or a preview of it; null until that is known. */
export const useDisplayable = (file: File | null): Blob | null => {
  const { displayable } = useServices();
  return useRead(() => (file ? displayable(file) : undefined), [displayable, file]) ?? null;
};

/**
 * Creates an object URL for a file while it is displayed. The browser holds the file in memory until the URL is
 * revoked.
 */
export const useObjectUrl = (file: Blob | null): string | null => {
  const [url, setUrl] = useState<string | null>(null);
  useEffect(() => {
    if (!file) return setUrl(null);
    const made = URL.createObjectURL(file);
    setUrl(made);
    return () => URL.revokeObjectURL(made);
  }, [file]);
  return url;
};
