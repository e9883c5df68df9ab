import type { ReactElement } from 'react';
import { countObjects, type MediaItem } from '../../state/media-item';
import { toggleClass, type Settings } from '../../state/settings';
import { useMessages } from '../messages';
import { useServices } from '../services';
import styles from './class-choice.module.css';
import { Notice } from '../ui/notice';

/** Selects which object types are hidden, and shows how many of each the selected file has. */
export const ClassChoice = ({
  settings,
  picture,
  onChange,
}: {
  readonly settings: Settings;
  readonly picture: MediaItem | undefined;
  readonly onChange: (settings: Settings) => void;
}): ReactElement => {
  const messages = useMessages();
  const { classes } = useServices();
  const counts = countObjects(picture?.result?.objects ?? []);
  return (
    <fieldset>
      <legend className={styles['legend']}>{messages.panel.classes}</legend>
      <div className={styles['list']}>
        {classes.map((name) => (
          <label key={name} className={styles['row']} data-class={name}>
            <input
              type="checkbox"
              checked={settings.classes.includes(name)}
              onChange={() => onChange(toggleClass(settings, name, classes))}
            />
            <span className={styles['dot']} />
            {messages.classes[name]}
            <span className={styles['count']} aria-hidden="true">
              {counts.get(name) ?? ''}
            </span>
          </label>
        ))}
      </div>
      <Notice variant="line" isWarning role="status">
        {settings.classes.length === 0 && messages.panel.noClass}
      </Notice>
    </fieldset>
  );
};
