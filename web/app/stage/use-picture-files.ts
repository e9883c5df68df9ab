import { useState } from 'react';
import type { Size } from '#shared/domain/size';
import type { MediaItem } from '../../state/media-item';
import { useObjectUrl } from './use-object-url';
import { useResultFile } from './use-result-file';

/** What of a picture can be shown. */
export interface PictureFiles {
  readonly originalUrl: string | null;
  readonly resultUrl: string | null;
  /** In px; null until the result, or the original itself, tells. */
  readonly size: Size | null;
  /** The result is on the screen. */
  readonly canCompare: boolean;
  onOriginalLoaded(size: Size): void;
  onResultLoaded(): void;
}

/** Addresses for both sides of a picture. One that failed is not shown: its own size may be what it failed for. */
export const usePictureFiles = ({ file, status, result }: MediaItem): PictureFiles => {
  const isShown = status !== 'failed';
  const [originalSize, setOriginalSize] = useState<Size | null>(null);
  const [isResultLoaded, setResultLoaded] = useState(false);
  const originalUrl = useObjectUrl(isShown ? file : null);
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
