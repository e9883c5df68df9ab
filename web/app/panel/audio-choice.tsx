import type { ReactElement } from 'react';
import type { Settings } from '../../state/settings';
import { useMessages } from '../messages';
import { Tick } from '../ui/tick';

/** Selects whether videos keep their audio. */
export const AudioChoice = ({
  settings,
  onChange,
}: {
  readonly settings: Settings;
  readonly onChange: (settings: Settings) => void;
}): ReactElement => {
  const text = useMessages().video;
  return (
    <Tick
      checked={settings.mutesAudio ?? false}
      title={text.muteHint}
      onTick={(mutesAudio) => onChange({ ...settings, mutesAudio })}
    >
      {text.mute}
    </Tick>
  );
};
