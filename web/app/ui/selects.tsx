import type { ReactElement } from 'react';
import type { ObjectClass } from '#shared/catalogue/classes';
import { HIDING_METHODS, type HidingMethod, type Method } from '#shared/catalogue/methods';
import { useMessages } from '../messages';
import { useServices } from '../services';
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
