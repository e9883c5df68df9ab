import { memo, type ReactElement } from 'react';
import { clamp } from '#shared/domain/clamp';
import type { SoundPeaks } from '../../workers/sound-peaks';
import styles from './mute-track.module.css';

/** Parts without a sound are drawn as a thin line. */
const MIN_LEVEL = 0.01;

/**
 * The loudest levels of a sound, mirrored around the middle, and where somebody may speak.
 *
 * @param durationS of the video, which the sound need not fill
 */
export const Waveform = memo(
  ({ sound, durationS }: { readonly sound: SoundPeaks; readonly durationS: number }): ReactElement | null => {
    const { peaks, speech } = sound;
    if (peaks.length === 0) return null;
    const levels = Array.from(peaks, (level) => clamp(level, MIN_LEVEL, 1));
    const upper = levels.map((level, i) => `${i},${(1 - level).toFixed(3)}`);
    const lower = levels.map((level, i) => `${i},${(1 + level).toFixed(3)}`).reverse();
    const last = Math.max(1, peaks.length - 1);
    const places = speech.map(({ start, end }) => [
      (start / sound.durationS) * last,
      ((Math.min(end, sound.durationS) - start) / sound.durationS) * last,
    ]);
    return (
      <svg
        className={styles['waveform']}
        style={{ width: `${(sound.durationS / durationS) * 100}%` }}
        viewBox={`0 0 ${last} 2`}
        preserveAspectRatio="none"
        aria-hidden="true"
        data-testid="waveform"
      >
        {places.map(([x, width]) => (
          <rect key={x} className={styles['speech']} x={x} width={width} y={0} height={2} />
        ))}
        <polygon points={[...upper, ...lower].join(' ')} />
      </svg>
    );
  },
);
