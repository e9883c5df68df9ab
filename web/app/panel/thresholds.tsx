import type { ReactElement } from 'react';
import type { MediaItem } from '../../state/media-item';
import { CANDIDATE_FLOOR, thresholdIn } from '#shared/domain/options';
import { setThreshold, type Settings } from '../../state/settings';
import { useMessages } from '../messages';
import { useServices } from '../services';
import { Button } from '../ui/button';
import { Histogram } from './histogram';
import styles from './thresholds.module.css';

/** Sliders for the minimum confidence of each hidden object type. */
export const Thresholds = ({
  settings,
  picture,
  onChange,
}: {
  readonly settings: Settings;
  readonly picture: MediaItem | undefined;
  readonly onChange: (settings: Settings) => void;
}): ReactElement => {
  const messages = useMessages();
  const text = messages.panel;
  const { defaults } = useServices();
  const found = picture?.result?.revisable?.found;
  return (
    <details className={styles['thresholds']}>
      <summary>{text.thresholds}</summary>
      <p className={styles['hint']}>{text.thresholdsHint}</p>
      <p className={styles['ends']} aria-hidden="true">
        <span>← {text.thresholdLow}</span>
        <span>{text.thresholdHigh} →</span>
      </p>
      {settings.classes.map((name) => {
        const threshold = thresholdIn(settings.thresholds, name);
        return (
          <label key={name} className={styles['row']}>
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
                onChange(setThreshold(settings, name, currentTarget.valueAsNumber))
              }
            />
          </label>
        );
      })}
      <Button variant="quiet" onClick={() => onChange({ ...settings, thresholds: defaults.thresholds })}>
        {text.reset}
      </Button>
    </details>
  );
};
