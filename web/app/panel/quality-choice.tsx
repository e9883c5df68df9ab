import type { ReactElement } from 'react';
import type { QualityPreset } from '#shared/domain/options';
import type { Settings } from '../../state/settings';
import { useMessages } from '../messages';
import { Segments } from '../ui/segments';
import { ParameterTicks } from './parameter-ticks';

/** Selects the quality preset and shows its cost; below it, what else the search may do. */
export const QualityChoice = ({
  settings,
  onChange,
}: {
  readonly settings: Settings;
  readonly onChange: (settings: Settings) => void;
}): ReactElement => {
  const messages = useMessages();
  const { qualityPreset } = settings;
  const presets = Object.keys(messages.qualities) as QualityPreset[];
  return (
    <div>
      <Segments
        legend={messages.panel.quality}
        look="wide"
        options={presets.map((value) => ({ value, name: messages.qualities[value] }))}
        value={qualityPreset}
        hint={messages.panel.qualityHints[qualityPreset]}
        onChoose={(chosen) => onChange({ ...settings, qualityPreset: chosen })}
      />
      <ParameterTicks on="all" settings={settings} onChange={onChange} />
    </div>
  );
};
