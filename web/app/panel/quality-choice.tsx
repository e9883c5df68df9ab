import type { ReactElement } from 'react';
import type { QualityPreset } from '#shared/domain/options';
import type { Settings } from '../../state/settings';
import { useMessages } from '../messages';
import { Segments } from '../ui/segments';
import { Tick } from '../ui/tick';

/** Selects the quality preset and shows its cost. */
export const QualityChoice = ({
  settings,
  onChange,
}: {
  readonly settings: Settings;
  readonly onChange: (settings: Settings) => void;
}): ReactElement => {
  const messages = useMessages();
  const { quality } = settings;
  const presets = Object.keys(messages.qualities) as QualityPreset[];
  return (
    <div>
      <Segments
        legend={messages.panel.quality}
        look="wide"
        options={presets.map((value) => ({ value, name: messages.qualities[value] }))}
        value={quality}
        hint={messages.panel.qualityHints[quality]}
        onChoose={(chosen) => onChange({ ...settings, quality: chosen })}
      />
      <Tick
        checked={settings.hidesHeads ?? false}
        disabled={!settings.classes.includes('face')}
        onTick={(hidesHeads) => onChange({ ...settings, hidesHeads })}
      >
        {messages.panel.hideHeads}
      </Tick>
    </div>
  );
};
