import type { ReactElement } from 'react';
import { PARAMETERS, TICK_NAMES } from '#shared/catalogue/derive-parameters';
import { isTicked, withTick, type Settings } from '../../state/settings';
import { useMessages } from '../messages';
import { Tick } from '../ui/tick';

/** A tick for each parameter of these files that the table wants as one. */
export const ParameterTicks = ({
  on,
  settings,
  onChange,
}: {
  readonly on: 'all' | 'images' | 'videos';
  readonly settings: Settings;
  readonly onChange: (settings: Settings) => void;
}): ReactElement[] => {
  const { parameters } = useMessages();
  return TICK_NAMES.filter((name) => PARAMETERS[name].on === on).map((name) => {
    const { needs } = PARAMETERS[name];
    return (
      <Tick
        key={name}
        checked={isTicked(settings, name)}
        disabled={needs !== undefined && !settings.classes.includes(needs)}
        title={parameters[name].hint}
        onTick={(isOn) => onChange(withTick(settings, name, isOn))}
      >
        {parameters[name].name}
      </Tick>
    );
  });
};
