import type { ReactElement } from 'react';
import type { ShownSpan } from '../../state/media-item';
import { useSubjectTexts } from '../messages/subjects';
import styles from './subjects.module.css';

/** Longer lists show as well that the face is not visible all the time. */
const MAX_SPANS = 3;

/** When a track of a video is visible because of the person who stays visible. */
export const ShownSpans = ({ spans }: { readonly spans: readonly ShownSpan[] }): ReactElement => {
  const text = useSubjectTexts();
  const first = spans.slice(0, MAX_SPANS).map(({ fromS, untilS }) => text.span(fromS, untilS));
  return (
    <p className={`soft figures ${styles['spans']}`} data-testid="shown-track">
      {text.visibleAt(first, spans.length - first.length)}
    </p>
  );
};
