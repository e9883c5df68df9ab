import { useEffect, useRef, useState, type ReactElement } from 'react';
import { LIMITS } from '#shared/domain/limits';
import { plainName, storeReviewer } from '../../state/stored-choice';
import { Button } from '../ui/button';
import { useUncertainTexts } from '../messages/uncertain';
import styles from './uncertain.module.css';

/** Asks for the name of the reviewer. */
export const ReviewerForm = ({
  before,
  onDone,
}: {
  readonly before: string;
  readonly onDone: (name: string) => void;
}): ReactElement => {
  const text = useUncertainTexts().reviewer;
  const [name, setName] = useState(before);
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => input.current?.focus(), []);
  return (
    <form
      className={styles['form']}
      onSubmit={(event) => {
        event.preventDefault();
        const plain = plainName(name);
        storeReviewer(plain);
        onDone(plain);
      }}
    >
      <label className="field">
        {text.label}
        <input
          ref={input}
          value={name}
          maxLength={LIMITS.maxReviewerChars}
          autoComplete="name"
          onChange={({ target }) => setName(target.value)}
        />
      </label>
      <p>{text.hint}</p>
      <Button type="submit" variant="primary">
        {text.start}
      </Button>
    </form>
  );
};

/** The name of the reviewer, and a button to change it. */
export const ReviewerLine = ({
  name,
  onChange,
}: {
  readonly name: string;
  readonly onChange: () => void;
}): ReactElement => {
  const text = useUncertainTexts().reviewer;
  return (
    <p className="row">
      {name ? text.current(name) : text.none}
      <Button variant="quiet" onClick={onChange}>
        {text.change}
      </Button>
    </p>
  );
};
