import type { ReactElement } from 'react';
import { hides, HIDING_METHODS, type HidingMethod } from '#shared/catalogue/methods';
import { setClassMethod, type Settings } from '../../state/settings';
import { useMessages } from '../messages';
import { Select } from '../ui/select';
import styles from './class-methods.module.css';
import folding from './thresholds.module.css';

/** Option for the general method. */
const SAME = 'same';

/** Methods of single classes that differ from the general method. */
export const ClassMethods = ({
  settings,
  onChange,
}: {
  readonly settings: Settings;
  readonly onChange: (settings: Settings) => void;
}): ReactElement | null => {
  const messages = useMessages();
  const text = messages.panel;
  if (!hides(settings.method)) return null;
  return (
    <details className={folding['thresholds']}>
      <summary>{text.classMethods}</summary>
      <p className={folding['hint']}>{text.classMethodsHint}</p>
      {settings.classes.map((name) => (
        <div key={name} className={styles['row']}>
          <span>{messages.classes[name]}</span>
          <Select<HidingMethod | typeof SAME>
            label={text.classMethod(messages.classes[name])}
            value={settings.methods?.[name] ?? SAME}
            options={[
              [SAME, messages.review.sameMethod],
              ...HIDING_METHODS.map((method) => [method, messages.methods[method]] as const),
            ]}
            onChoose={(method) =>
              onChange(setClassMethod(settings, name, method === SAME ? undefined : method))
            }
          />
        </div>
      ))}
    </details>
  );
};
