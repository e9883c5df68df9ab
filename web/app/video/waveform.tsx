import type { ReactElement } from 'react';
import styles from './mute-track.module.css';

/** Parts without a sound are drawn as a thin line. */
const MIN_LEVEL = 0.01;

/** The loudest levels of a sound, mirrored around the middle. @param share of the width that the sound fills */
export const Waveform = ({
  peaks,
  share,
}: {
  readonly peaks: Float32Array;
  readonly share: number;
}): ReactElement | null => {
  if (peaks.length === 0) return null;
  const levels = Array.from(peaks, (level) => Math.min(1, Math.max(MIN_LEVEL, level)));
  const upper = levels.map((level, i) => `${i},${(1 - level).toFixed(3)}`);
  const lower = levels.map((level, i) => `${i},${(1 + level).toFixed(3)}`).reverse();
  return (
    <svg
      className={styles['waveform']}
      style={{ width: `${share * 100}%` }}
      viewBox={`0 0 ${Math.max(1, peaks.length - 1)} 2`}
      preserveAspectRatio="none"
      aria-hidden="true"
      data-testid="waveform"
    >
      <polygon points={[...upper, ...lower].join(' ')} />
    </svg>
  );
};
