import type { ReactElement } from 'react';
import type { ObjectClass } from '#shared/catalogue/classes';
import { HIDING_METHODS, type HidingMethod, type Method } from '#shared/catalogue/methods';
import { useMessages } from '../messages';
import { useServices, useSettings } from '../services';
import styles from './controls.module.css';
import { Select, type SelectProps } from './inputs';

/** Selects an object type. */
export const ClassSelect = (props: SelectProps<ObjectClass>): ReactElement => {
  const { classes } = useServices();
  const { objectName } = useMessages();
  return <Select {...props} options={classes.map((name) => [name, objectName(name)])} />;
};

/** Option for the method of the settings. */
const SAME = 'same';

/** Selects a method of hiding; undefined for the one that applies otherwise. */
export const MethodSelect = ({
  label,
  value,
  onChoose,
}: {
  readonly label: string;
  readonly value: Method | undefined;
  readonly onChoose: (method: HidingMethod | undefined) => void;
}): ReactElement => {
  const { review, methods } = useMessages();
  return (
    <Select<Method | typeof SAME>
      label={label}
      value={value ?? SAME}
      options={[
        [SAME, review.sameMethod],
        ...HIDING_METHODS.map((method) => [method, methods[method]] as const),
      ]}
      onChoose={(method) => onChoose(HIDING_METHODS.find((name) => name === method))}
    />
  );
};

/** Codes that keys select, in the order of their list. */
const KEYS = 9;

/** Selects a reason; undefined for that of the class. Nothing while no codes are loaded. */
export const ReasonSelect = ({
  label,
  objectClass,
  value,
  onChoose,
}: {
  readonly label?: string;
  readonly objectClass?: ObjectClass | undefined;
  readonly value: string | undefined;
  readonly onChoose: (code: string | undefined) => void;
}): ReactElement | null => {
  const text = useMessages().review;
  const { stated } = useSettings().settings;
  if (!stated || stated.codes.length === 0) return null;
  const ofClass = objectClass && stated.ofClasses[objectClass];
  const inForce = stated.codes.find(({ code }) => code === (value ?? ofClass));
  return (
    <span className={styles['reason']}>
      {inForce?.colour && <span className={styles['chip']} style={{ background: inForce.colour }} />}
      <Select
        label={label ?? text.reason}
        value={stated.codes.some(({ code }) => code === value) ? (value ?? '') : ''}
        options={[
          ['', ofClass ? text.reasonOfClass(ofClass) : text.noReason],
          ...stated.codes.map(
            ({ code, label: meaning }, i) =>
              [code, `${i < KEYS ? `${i + 1}: ` : ''}${code}, ${meaning}`] as const,
          ),
        ]}
        onChoose={(code) => onChoose(code || undefined)}
      />
    </span>
  );
};
