import type { ReactElement } from 'react';
import type { QualityPreset } from '#shared/pipeline/options';
import { useMessages } from '../messages';
import styles from './quality-choice.module.css';

/** How hard objects are looked for, and what that costs. */
export const QualityChoice = ({
  quality,
  onChange,
}: {
  readonly quality: QualityPreset;
  readonly onChange: (quality: QualityPreset) => void;
}): ReactElement => {
  const messages = useMessages();
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
              onChange={() => onChange(name)}
            />
            {messages.qualities[name]}
          </label>
        ))}
      </div>
      <p id="quality-hint" className={styles['hint']}>
        {messages.panel.qualityHints[quality]}
      </p>
    </fieldset>
  );
};
