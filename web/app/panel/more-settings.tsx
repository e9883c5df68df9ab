import { useState, type ReactElement } from 'react';
import { parseReasons } from '#shared/api/handlers/image-options';
import { PARAMETERS } from '#shared/catalogue/derive-parameters';
import type { ObjectClass } from '#shared/catalogue/classes';
import type { CaseDetails } from '#shared/domain/reasons';
import type { StatedReasons } from '#shared/domain/stated-reasons';
import { NOTHING_STATED } from '../../state/settings';
import { plainName } from '../../state/stored-choice';
import { useMessages } from '../messages';
import { useMoreTexts } from '../messages/more';
import { useServices, useSettings } from '../services';
import { Button } from '../ui/button';
import { FileInput } from '../ui/file-picker';
import { Checkbox } from '../ui/inputs';
import { Notice } from '../ui/notice';
import { ReasonSelect } from '../ui/selects';
import styles from './panel.module.css';

const { min, max } = PARAMETERS.margin.value as { readonly min: number; readonly max: number };

const Margin = (): ReactElement => {
  const { settings, change } = useSettings();
  const text = useMoreTexts();
  const { margin = 1, ...others } = settings;
  const percent = useMessages().percent(margin);
  return (
    <label className={styles['threshold']} title={text.marginHint}>
      <span>{text.margin}</span>
      <output>{percent}</output>
      <input
        type="range"
        min={min}
        max={max}
        step={0.05}
        value={margin}
        aria-label={text.margin}
        aria-valuetext={percent}
        onChange={({ currentTarget: { valueAsNumber: wanted } }) =>
          change(wanted === 1 ? others : { ...settings, margin: wanted })
        }
      />
    </label>
  );
};

const useStated = () => {
  const { settings, change } = useSettings();
  const { stated = NOTHING_STATED } = settings;
  return {
    stated,
    state: (next: Partial<StatedReasons>) => change({ ...settings, stated: { ...stated, ...next } }),
  };
};

/** Reasons of classes that a list has. */
const known = ({ ofClasses }: StatedReasons, codes: StatedReasons['codes']): StatedReasons['ofClasses'] =>
  Object.fromEntries(Object.entries(ofClasses).filter(([, own]) => codes.some(({ code }) => code === own)));

const ReasonLabels = (): ReactElement => {
  const { settings, change } = useSettings();
  const text = useMoreTexts();
  return (
    <Checkbox
      checked={settings.reasonLabels}
      variant={(reasonLabels) => change({ ...settings, reasonLabels })}
    >
      {text.labels}
    </Checkbox>
  );
};

/** The codes of reasons, and those of classes. */
const Reasons = (): ReactElement => {
  const messages = useMessages();
  const text = useMoreTexts();
  const { classes } = useServices();
  const { stated, state } = useStated();
  const [problem, setProblem] = useState('');
  const { codes, ofClasses } = stated;
  const use = (next: StatedReasons['codes']): void => state({ codes: next, ofClasses: known(stated, next) });
  const load = async (file: File | undefined): Promise<void> => {
    if (!file) return;
    try {
      use(parseReasons(await file.text()));
      setProblem('');
    } catch (cause) {
      setProblem(cause instanceof Error ? cause.message : String(cause));
    }
  };
  const setReason = (name: ObjectClass, code: string | undefined): void => {
    const { [name]: _before, ...others } = ofClasses;
    state({ ofClasses: code === undefined ? others : { ...others, [name]: code } });
  };
  return (
    <fieldset className="stack tight">
      <legend className="title">{text.reasons}</legend>
      <p className={`soft ${styles['hint']}`}>{text.reasonsHint}</p>
      {codes.length > 0 &&
        classes.map((name) => (
          <div key={name} className={styles['method']}>
            <span>{messages.classes[name]}</span>
            <ReasonSelect
              label={text.ofClass(messages.classes[name])}
              value={ofClasses[name]}
              onChoose={(code) => setReason(name, code)}
            />
          </div>
        ))}
      {codes.length > 0 && <ReasonLabels />}
      <Notice isWarning role="status">
        {problem}
      </Notice>
      <FileInput
        accept=".json,application/json"
        data-testid="reasons-input"
        onFiles={([file]) => void load(file)}
        render={(open) => <Button onClick={open}>{codes.length > 0 ? text.replace : text.load}</Button>}
      />
      {codes.length > 0 && (
        <Button variant="quiet" onClick={() => use([])}>
          {text.remove}
        </Button>
      )}
    </fieldset>
  );
};

const DETAILS = ['number', 'requester', 'recipient', 'operator'] as const satisfies (keyof CaseDetails)[];

/** The case to which all files belong. Entries count once their field is left: each changes the files. */
const Case = (): ReactElement => {
  const text = useMoreTexts();
  const { stated, state } = useStated();
  const { details } = stated;
  const enter = (name: keyof CaseDetails, entered: string): void => {
    const { [name]: before, ...others } = details;
    const value = plainName(entered);
    if (value !== (before ?? '')) state({ details: value ? { ...others, [name]: value } : others });
  };
  return (
    <fieldset className="stack tight">
      <legend className="title">{text.case}</legend>
      <p className={`soft ${styles['hint']}`}>{text.caseHint}</p>
      {DETAILS.map((name) => (
        <label key={name} className="field">
          {text.details[name]}
          <input
            defaultValue={details[name] ?? ''}
            autoComplete="off"
            onBlur={({ currentTarget }) => enter(name, currentTarget.value)}
            onKeyDown={({ key, currentTarget }) => key === 'Enter' && enter(name, currentTarget.value)}
          />
        </label>
      ))}
    </fieldset>
  );
};

/** Settings that few need: the margin of all objects, reasons, and the case. */
export const MoreSettings = (): ReactElement => (
  <div className="stack">
    <Margin />
    <Reasons />
    <Case />
  </div>
);
