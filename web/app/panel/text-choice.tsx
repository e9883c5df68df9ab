import { useId, useState, type ReactElement } from 'react';
import { TEXT_KINDS, unreadableWord, type TextKind } from '#shared/domain/read-text';
import { plainName } from '../../state/stored-choice';
import { useTextChoiceTexts } from '../messages/text-choice';
import { useSettings } from '../services';
import { Checkbox } from '../ui/inputs';
import { Notice } from '../ui/notice';
import styles from './panel.module.css';

/** The kinds of lines that alone are hidden; without any, all text is. */
const Kinds = (): ReactElement => {
  const text = useTextChoiceTexts();
  const { settings, change } = useSettings();
  const { textMatch, ...others } = settings;
  const named = textMatch?.split(',').map((kind) => kind.trim());
  const tick = (kind: TextKind, isOn: boolean): void => {
    const kinds = TEXT_KINDS.filter((one) => (one === kind ? isOn : named?.includes(one)));
    change(kinds.length > 0 ? { ...settings, textMatch: kinds.join(',') } : others);
  };
  return (
    <fieldset>
      <legend className="soft">{text.kinds}</legend>
      {TEXT_KINDS.map((kind) => (
        <Checkbox key={kind} checked={named?.includes(kind) ?? false} variant={(isOn) => tick(kind, isOn)}>
          {text.kind[kind]}
        </Checkbox>
      ))}
    </fieldset>
  );
};

/** Words that stay visible. They count once the field is left: each change processes the files again. */
const Words = (): ReactElement => {
  const text = useTextChoiceTexts();
  const { settings, change } = useSettings();
  const [unreadable, setUnreadable] = useState<string>();
  const id = useId();
  const { textKeep = '', ...others } = settings;
  const enter = (entered: string): void => {
    const words = plainName(entered);
    const found = unreadableWord(words);
    setUnreadable(found);
    const kept = found === undefined ? words : '';
    if (kept !== textKeep) change(kept ? { ...settings, textKeep: kept } : others);
  };
  return (
    <>
      <label className="field">
        {text.words}
        <input
          defaultValue={textKeep}
          placeholder={text.example}
          autoComplete="off"
          aria-invalid={unreadable !== undefined}
          aria-describedby={id}
          onBlur={({ currentTarget }) => enter(currentTarget.value)}
          onKeyDown={({ key, currentTarget }) => key === 'Enter' && enter(currentTarget.value)}
        />
      </label>
      <Notice id={id} isWarning role="status">
        {unreadable !== undefined && text.unreadable(unreadable)}
      </Notice>
    </>
  );
};

/** Selects which lines of text are hidden. Folded, because most who hide text hide all of it. */
export const TextChoice = (): ReactElement => {
  const text = useTextChoiceTexts();
  return (
    <details className={styles['folded']}>
      <summary>{text.title}</summary>
      <div className="stack">
        <Kinds />
        <div className="stack tight">
          <Words />
          <p className="soft">{text.hint}</p>
        </div>
      </div>
    </details>
  );
};
