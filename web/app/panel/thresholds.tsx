import type { ReactElement, CSSProperties } from 'react';
import type { MediaItem } from '../../state/media-item';
import { CANDIDATE_FLOOR, thresholdIn } from '#shared/domain/options';
import { setThreshold, setClassMethod } from '../../state/settings';
import { useMessages } from '../messages';
import { useServices, useSettings } from '../services';
import { Button } from '../ui/button';
import styles from './panel.module.css';
import type { NumberedDetection } from '#shared/domain/edits/edits';
import type { ObjectClass } from '#shared/catalogue/classes';
import { BAR_WIDTH, scoreHistogram } from '../../state/histogram';
import { hides } from '#shared/catalogue/methods';
import { MethodSelect } from '../ui/selects';

/** Methods of single classes that differ from the general method. */
export const ClassMethods = (): ReactElement | null => {
  const { settings, change } = useSettings();
  const messages = useMessages();
  const text = messages.panel;
  if (!hides(settings.method)) return null;
  return (
    <details className={styles['folded']}>
      <summary>{text.classMethods}</summary>
      {settings.classes.map((name) => (
        <div key={name} className={styles['method']}>
          <span>{messages.classes[name]}</span>
          <MethodSelect
            label={text.classMethod(messages.classes[name])}
            value={settings.methods?.[name]}
            onChoose={(method) => change(setClassMethod(settings, name, method))}
          />
        </div>
      ))}
    </details>
  );
};

/** Score histogram of one class, above the slider for its threshold. */
const Histogram = ({
  found,
  objectClass,
  threshold,
}: {
  readonly found: readonly NumberedDetection[];
  readonly objectClass: ObjectClass;
  readonly threshold: number;
}): ReactElement => {
  const messages = useMessages();
  const bars = scoreHistogram(found, objectClass, CANDIDATE_FLOOR);
  const max = Math.max(1, ...bars.map(({ count }) => count));
  const isHidden = (from: number): boolean => from + BAR_WIDTH / 2 > threshold;
  const total = bars.reduce((sum, { count }) => sum + count, 0);
  const hidden = bars.reduce((sum, { from, count }) => sum + (isHidden(from) ? count : 0), 0);
  return (
    <span
      className={styles['histogram']}
      data-class={objectClass}
      data-testid="histogram"
      role="img"
      aria-label={messages.panel.histogram(hidden, total)}
      title={messages.panel.histogram(hidden, total)}
    >
      {bars.map(({ from, count }) => (
        <span key={from} data-hidden={isHidden(from)} style={{ '--share': count / max } as CSSProperties} />
      ))}
    </span>
  );
};

/** Sliders for the minimum confidence of each hidden object type. */
export const Thresholds = ({ item }: { readonly item: MediaItem | undefined }): ReactElement => {
  const { settings, change } = useSettings();
  const messages = useMessages();
  const text = messages.panel;
  const { defaults } = useServices();
  const found = item?.result?.editable?.found;
  return (
    <details className={styles['folded']}>
      <summary>{text.thresholds}</summary>
      <p className={`soft ${styles['hint']}`}>{text.thresholdsHint}</p>
      <p className={`soft ${styles['ends']}`} aria-hidden="true">
        <span>← {text.thresholdLow}</span>
        <span>{text.thresholdHigh} →</span>
      </p>
      {settings.classes.map((name) => {
        const threshold = thresholdIn(settings.thresholds, name);
        return (
          <label key={name} className={styles['threshold']}>
            <span>{messages.classes[name]}</span>
            <output>{messages.percent(threshold)}</output>
            {found && <Histogram found={found} objectClass={name} threshold={threshold} />}
            <input
              type="range"
              min={CANDIDATE_FLOOR}
              max={0.95}
              step={0.05}
              value={threshold}
              aria-label={text.threshold(messages.classes[name])}
              aria-valuetext={messages.percent(threshold)}
              onChange={({ currentTarget }) =>
                change(setThreshold(settings, name, currentTarget.valueAsNumber))
              }
            />
          </label>
        );
      })}
      <Button variant="quiet" onClick={() => change({ ...settings, thresholds: defaults.thresholds })}>
        {text.reset}
      </Button>
    </details>
  );
};
