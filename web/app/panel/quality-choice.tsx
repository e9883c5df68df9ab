import type { ReactElement } from 'react';
import type { QualityPreset } from '#shared/domain/options';
import { qualityOf, type Settings } from '../../state/settings';
import { useMessages } from '../messages';
import { Tick } from '../ui/tick';
import styles from './quality-choice.module.css';

/** Selects the quality preset and shows its cost. */
export const QualityChoice = ({
  settings,
  onChange,
}: {
  readonly settings: Settings;
  readonly onChange: (settings: Settings) => void;
}): ReactElement => {
  const messages = useMessages();
  const quality = qualityOf(settings);
  const presets = Object.keys(messages.qualities) as QualityPreset[];
  return (
    <fieldset aria-describedby="quality-hint">
      <legend className={styles['legend']}>{messages.panel.quality}</legend>
      <div className={styles['grid']}>
        {presets.map((name) => (
          <label key={name} className={styles['choice']}>
            <input
              type="radio"
              name="quality"
              value={name}
              checked={quality === name}
              onChange={() => onChange({ ...settings, quality: name })}
            />
            {messages.qualities[name]}
          </label>
        ))}
      </div>
      <p id="quality-hint" className={styles['hint']}>
        {messages.panel.qualityHints[quality]}
      </p>
      <Tick
        checked={settings.hidesHeads ?? false}
        disabled={!settings.classes.includes('face')}
        onTick={(hidesHeads) => onChange({ ...settings, hidesHeads })}
      >
        {messages.panel.hideHeads}
      </Tick>
    </fieldset>
  );
};
