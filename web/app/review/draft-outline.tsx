import type { ReactElement } from 'react';
import type { DrawnShape } from '#shared/domain/edits/edits';
import type { Size } from '#shared/domain/size';
import styles from './object-layer.module.css';
import type { Draft } from './use-review-gestures';

type DrawnDraft = Exclude<Draft, { readonly kind: 'object' }>;

const Drawn = ({ outline }: { readonly outline: DrawnShape }): ReactElement => {
  switch (outline.kind) {
    case 'stroke': {
      const { points, radiusPx } = outline;
      const [[x, y] = [0, 0]] = points;
      // SVG does not draw a line of zero length.
      const line = points.length > 1 ? points : [...points, [x + 0.01, y]];
      return <polyline points={line.map((point) => point.join()).join(' ')} strokeWidth={2 * radiusPx} />;
    }
    case 'ellipse': {
      const { x1, y1, x2, y2 } = outline.box;
      return <ellipse cx={(x1 + x2) / 2} cy={(y1 + y2) / 2} rx={(x2 - x1) / 2} ry={(y2 - y1) / 2} />;
    }
    case 'box': {
      const { x1, y1, x2, y2 } = outline.box;
      return <rect x={x1} y={y1} width={x2 - x1} height={y2 - y1} />;
    }
  }
};

/** Preview of the area that is being drawn. */
export const DraftOutline = ({
  draft,
  picture: { width, height },
}: {
  readonly draft: DrawnDraft;
  readonly picture: Size;
}): ReactElement => (
  <svg
    className={styles['draft']}
    viewBox={`0 0 ${width} ${height}`}
    data-kind={draft.kind}
    aria-hidden="true"
  >
    <Drawn outline={draft.kind === 'kept' ? { kind: 'box', box: draft.box } : draft.outline} />
  </svg>
);
