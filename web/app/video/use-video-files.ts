import { useState } from 'react';
import type { MediaItem } from '../../state/media-item';
import { useObjectUrl } from '../stage/use-object-url';
import { useResultFile } from '../stage/use-result-file';

/** Files of a video that can be displayed. */
export interface VideoFiles {
  readonly originalUrl: string | null;
  readonly resultUrl: string | null;
  /** Nothing can be played yet, as the browser does not know the original's coding. */
  readonly isUnplayable: boolean;
  onOriginalUnplayable(): void;
}

/** Addresses for both sides of a video; of one that failed there is nothing to show. */
export const useVideoFiles = ({ file, status, result }: MediaItem): VideoFiles => {
  const [isPlayable, setPlayable] = useState(true);
  const isShown = status !== 'failed';
  const resultUrl = useObjectUrl(useResultFile(isShown ? result : null));
  return {
    originalUrl: useObjectUrl(isShown && isPlayable ? file : null),
    resultUrl,
    isUnplayable: isShown && !isPlayable && resultUrl === null,
    onOriginalUnplayable: () => setPlayable(false),
  };
};
