import type { ReactElement } from 'react';
import type { BagPart } from '../../state/bags/bag-choices';
import { useBagTexts } from '../messages/bags';
import panel from '../panel/panel.module.css';
import styles from './bags.module.css';

const TIMES = ['startS', 'endS'] as const;

const changed = (part: BagPart, time: (typeof TIMES)[number], seconds: number): BagPart => {
  const { [time]: _before, ...other } = part;
  return Number.isNaN(seconds) ? other : { ...other, [time]: seconds };
};

/** Which part of the bag the result has. */
export const PartChoice = ({
  part,
  onChoose,
}: {
  readonly part: BagPart;
  readonly onChoose: (part: BagPart) => void;
}): ReactElement => {
  const text = useBagTexts();
  return (
    <details className={panel['folded']}>
      <summary>{text.part}</summary>
      {TIMES.map((time) => (
        <label key={time} className={panel['method']}>
          <span>{text.times[time]}</span>
          <input
            className={styles['seconds']}
            type="number"
            min={0}
            step="any"
            // Not controlled: what is typed may be no number yet.
            defaultValue={part[time]}
            onChange={({ currentTarget }) => onChoose(changed(part, time, currentTarget.valueAsNumber))}
          />
        </label>
      ))}
    </details>
  );
};
