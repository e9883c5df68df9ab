import { useState, type ReactElement } from 'react';
import { anonymisedName } from '#shared/api/http/filename';
import { hides } from '#shared/catalogue/methods';
import {
  bagOptionsOf,
  isPart,
  undecided,
  type BagPart,
  type TopicChoices,
} from '../../state/bags/bag-choices';
import type { BagState, OpenBag } from '../../state/bags/open-bag';
import { saveFile, saveReports } from '../../state/save';
import { useMessages } from '../messages';
import { useBagTexts } from '../messages/bags';
import { ClassChoice, MethodChoice, QualityChoice } from '../panel/choices';
import panel from '../panel/panel.module.css';
import { ClassMethods, Thresholds } from '../panel/thresholds';
import { useSettings } from '../services';
import { Button } from '../ui/button';
import { Checkbox } from '../ui/inputs';
import { Notice } from '../ui/notice';
import styles from './bags.module.css';
import { PartChoice } from './part-choice';

/** What a person has chosen. */
export interface Chosen {
  readonly topics: TopicChoices;
  readonly keepsAttachments: boolean;
  readonly part: BagPart;
}

export type StateOf<Kind extends BagState['kind']> = Extract<BagState, { readonly kind: Kind }>;

/** How far a run is, and how it is stopped. */
const Running = ({
  state: { progress },
  bag,
}: {
  readonly state: StateOf<'running'>;
  readonly bag: OpenBag;
}) => {
  const text = useBagTexts();
  const said = progress ? text.progress(progress.done, progress.total) : text.waiting;
  return (
    <>
      <progress
        className={styles['progress']}
        aria-label={text.anonymise}
        {...(progress && { value: progress.done, max: progress.total })}
      />
      <p className={`soft ${styles['row']}`} data-testid="bag-progress">
        {said}
      </p>
      <Button className={styles['row']} data-main-focus onClick={bag.stop}>
        {text.stop}
      </Button>
    </>
  );
};

/** What became of the bag, and the result. */
const Done = ({
  state: { result },
  name,
  bag,
}: {
  readonly state: StateOf<'done'>;
  readonly name: string;
  readonly bag: OpenBag;
}): ReactElement => {
  const text = useBagTexts();
  const { checkFirst } = useMessages().panel;
  const [problem, setProblem] = useState<string>();
  const { file, facts } = result;
  const images = facts.topics.reduce((sum, { frames }) => sum + frames, 0);
  const save = (saved: Promise<{ readonly isUnsigned: boolean } | void>): void => {
    setProblem(undefined);
    saved.then(
      (about) => about?.isUnsigned && setProblem(text.unsigned),
      () => setProblem(text.notSaved),
    );
  };
  return (
    <>
      <div className={`stack tight ${styles['row']}`} data-testid="bag-done">
        <strong>{text.done(images, facts.topics.length)}</strong>
        {text.changes(facts).map((change) => (
          <p key={change} className={styles['long']}>
            {change}
          </p>
        ))}
      </div>
      <p className={`soft ${styles['row']}`}>{checkFirst}</p>
      <Button
        variant="primary"
        className={styles['row']}
        data-main-focus
        onClick={() => save(saveFile(file, anonymisedName(name, file.type), true))}
      >
        {text.download}
      </Button>
      <Button className={styles['row']} onClick={() => save(saveReports(name, result, bag.reports))}>
        {text.downloadReport}
      </Button>
      <Notice isWarning role="alert">
        {problem}
      </Notice>
      <Button className={styles['row']} onClick={bag.again}>
        {text.again}
      </Button>
    </>
  );
};

/** Starts a run, or says why none can be started. */
const Start = ({
  state: { contents, failure },
  chosen,
  bag,
}: {
  readonly state: StateOf<'listed'>;
  readonly chosen: Chosen;
  readonly bag: OpenBag;
}): ReactElement => {
  const text = useBagTexts();
  const { settings } = useSettings();
  const { topics } = contents;
  const open = undecided(topics, chosen.topics);
  const problems = [
    ...(hides(settings.method) ? [] : [text.detect]),
    ...(isPart(chosen.part, contents) ? [] : [text.noPart]),
    ...(open.length > 0 ? [text.undecided(open)] : []),
  ];
  return (
    <>
      <Notice isWarning role="alert">
        {failure !== undefined && (failure === null ? text.failed : text.sentence(failure))}
      </Notice>
      <Notice role="status" data-testid="bag-undecided">
        {problems[0]}
      </Notice>
      <Button
        variant="primary"
        className={styles['row']}
        data-main-focus
        disabled={problems.length > 0 || settings.classes.length === 0}
        onClick={() =>
          bag.run(settings, bagOptionsOf(topics, chosen.topics, chosen.keepsAttachments, chosen.part))
        }
      >
        {text.anonymise}
      </Button>
    </>
  );
};

/** Settings of what is hidden, and what can be done now. */
export const BagPanel = ({
  state,
  name,
  chosen,
  onChoose,
  bag,
}: {
  readonly state: StateOf<'listed' | 'running' | 'done'>;
  readonly name: string;
  readonly chosen: Chosen;
  readonly onChoose: (changed: Partial<Chosen>) => void;
  readonly bag: OpenBag;
}): ReactElement => {
  const text = useBagTexts();
  const { unkeptAttachments } = state.contents;
  return (
    <aside className={`card ${panel['panel']} ${styles['panel']}`} aria-label={text.anonymise}>
      {state.kind === 'listed' && (
        <div className={panel['settings']}>
          <ClassChoice item={undefined} />
          <MethodChoice />
          <ClassMethods />
          <QualityChoice />
          <Thresholds item={undefined} />
          <PartChoice part={chosen.part} onChoose={(part) => onChoose({ part })} />
          {unkeptAttachments.length > 0 && (
            <Checkbox
              checked={chosen.keepsAttachments}
              variant={(keepsAttachments) => onChoose({ keepsAttachments })}
            >
              <span className={styles['long']}>{text.attachments(unkeptAttachments)}</span>
            </Checkbox>
          )}
        </div>
      )}
      <div className={`stack ${panel['actions']}`}>
        {state.kind === 'listed' && <Start {...{ state, chosen, bag }} />}
        {state.kind === 'running' && <Running {...{ state, bag }} />}
        {state.kind === 'done' && <Done {...{ state, name, bag }} />}
      </div>
    </aside>
  );
};
