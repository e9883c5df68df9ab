import { useState } from 'react';
import type { Size } from '#shared/domain/boxes';
import type { MediaItem } from '../../state/media-item';
import { useDisplayable } from './use-displayable';
import { useObjectUrl } from './use-object-url';
import { useResultFile } from './use-result-file';

/** Files of an image that can be displayed. */
export interface PictureFiles {
  readonly originalUrl: string | null;
  readonly resultUrl: string | null;
  /** In px; null until the result or the original is loaded. */
  readonly size: Size | null;
  /** Whether the result is on the screen. */
  readonly canCompare: boolean;
  onOriginalLoaded(size: Size): void;
  onResultLoaded(): void;
}

/** Object URLs for both sides of an image. A failed image is not shown, because its size may be the reason. */
export const usePictureFiles = ({ file, status, result }: MediaItem): PictureFiles => {
  const isShown = status !== 'failed';
  const [originalSize, setOriginalSize] = useState<Size | null>(null);
  const [isResultLoaded, setResultLoaded] = useState(false);
  const originalUrl = useObjectUrl(useDisplayable(isShown ? file : null));
  const resultUrl = useObjectUrl(useResultFile(result));
  return {
    originalUrl,
    resultUrl,
    size: result ?? originalSize,
    canCompare: resultUrl !== null && isResultLoaded,
    onOriginalLoaded: setOriginalSize,
    onResultLoaded: () => setResultLoaded(true),
  };
};
