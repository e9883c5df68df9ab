import type { ReactElement } from 'react';
import type { QualityPreset } from '#shared/domain/options';
import { isChecked, withChecked, toggleClass } from '../../state/settings';
import { useMessages } from '../messages';
import { Segments, Checkbox } from '../ui/inputs';
import { PARAMETERS, CHECKBOX_NAMES } from '#shared/catalogue/derive-parameters';
import { countObjects, type MediaItem } from '../../state/media-item';
import { useServices, useSettings } from '../services';
import { Notice } from '../ui/notice';
import styles from './panel.module.css';
import { METHODS, type Method } from '#shared/catalogue/methods';

/** Drawing of a face hidden by each method. */
const SWATCHES = {
  blur: (
    <>
      <filter id="swatch-blur" x="-50%" y="-50%" width="200%" height="200%">
        <feGaussianBlur stdDeviation="2.4" />
      </filter>
      <g filter="url(#swatch-blur)">
        <circle cx="16" cy="16" r="9" fill="#e2a883" />
        <path d="M7 15a9 9 0 0118 0q-9-5-18 0z" fill="#4b332d" />
      </g>
    </>
  ),
  pixelate: (
    <g shapeRendering="crispEdges">
      <path d="M8 8h16v16H8z" fill="#e2a883" />
      <path d="M8 8h16v4H8zM12 12h4v4h-4z" fill="#5c3f35" />
      <path d="M20 12h4v4h-4zM8 20h4v4H8zM16 16h4v4h-4z" fill="#cf8f6c" />
      <path d="M16 8h4v4h-4z" fill="#7a5a4b" />
    </g>
  ),
  blacken: <circle cx="16" cy="16" r="9" fill="#14110f" />,
  detect: (
    <>
      <circle cx="16" cy="17" r="7" fill="#e2a883" />
      <path d="M9 16a7 7 0 0114 0q-7-4-14 0z" fill="#4b332d" />
      <path d="M7 7h18v19H7z" fill="none" stroke="#ffb224" strokeWidth="2" />
    </>
  ),
} as const satisfies Record<Method, ReactElement>;

/** Selects how objects are hidden. */
export const MethodChoice = (): ReactElement => {
  const messages = useMessages();
  const { settings, change } = useSettings();
  return (
    <Segments
      legend={messages.panel.method}
      variant="wide"
      options={METHODS.map((value) => ({
        value,
        name: messages.methods[value],
        drawing: (
          <svg viewBox="0 0 32 32" width="36" height="36" aria-hidden="true">
            <rect width="32" height="32" rx="5" fill="#b9d2d0" />
            {SWATCHES[value]}
          </svg>
        ),
      }))}
      value={settings.method}
      onChoose={(method) => change({ ...settings, method })}
    />
  );
};

/** Selects which object types are hidden, and shows how many of each the selected file has. */
export const ClassChoice = ({ item }: { readonly item: MediaItem | undefined }): ReactElement => {
  const { settings, change } = useSettings();
  const messages = useMessages();
  const { classes } = useServices();
  const counts = countObjects(item?.result?.objects ?? []);
  return (
    <fieldset>
      <legend className="title">{messages.panel.classes}</legend>
      <div className={styles['classes']}>
        {classes.map((name) => (
          <label key={name} className="option" data-class={name}>
            <input
              type="checkbox"
              checked={settings.classes.includes(name)}
              onChange={() => change(toggleClass(settings, name, classes))}
            />
            <span className={styles['dot']} />
            {messages.classes[name]}
            <span className={styles['count']} aria-hidden="true">
              {counts.get(name) ?? ''}
            </span>
          </label>
        ))}
      </div>
      <Notice isWarning role="status">
        {settings.classes.length === 0 && messages.panel.noClass}
      </Notice>
    </fieldset>
  );
};

/** A checkbox for each parameter of these files, or of this section, that the table wants as one. */
export const ParameterCheckboxes = ({
  on,
}: {
  readonly on: 'all' | 'videos' | 'metadata';
}): ReactElement[] => {
  const { settings, change } = useSettings();
  const { parameters } = useMessages();
  return CHECKBOX_NAMES.filter((name) => (PARAMETERS[name].section ?? PARAMETERS[name].on) === on).map(
    (name) => {
      const { needs } = PARAMETERS[name];
      return (
        <Checkbox
          key={name}
          checked={isChecked(settings, name)}
          disabled={needs !== undefined && !settings.classes.includes(needs)}
          title={parameters[name].hint}
          variant={(isOn) => change(withChecked(settings, name, isOn))}
        >
          {parameters[name].name}
        </Checkbox>
      );
    },
  );
};

/** Selects the quality preset and shows its cost; below it, what else the search may do. */
export const QualityChoice = (): ReactElement => {
  const { settings, change } = useSettings();
  const messages = useMessages();
  const { qualityPreset } = settings;
  const presets = Object.keys(messages.qualities) as QualityPreset[];
  return (
    <div>
      <Segments
        legend={messages.panel.quality}
        variant="wide"
        options={presets.map((value) => ({ value, name: messages.qualities[value] }))}
        value={qualityPreset}
        hint={messages.panel.qualityHints[qualityPreset]}
        onChoose={(chosen) => change({ ...settings, qualityPreset: chosen })}
      />
      <ParameterCheckboxes on="all" />
    </div>
  );
};
