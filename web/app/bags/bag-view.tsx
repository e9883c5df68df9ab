import { useEffect, useState, type ReactElement } from 'react';
import { anonymisedName } from '#shared/api/http/filename';
import { hides } from '#shared/catalogue/methods';
import type { BagContents, ListedTopic } from '#shared/domain/bag';
import { bagOptionsOf, undecided, type TopicChoices } from '../../state/bags/bag-choices';
import { openBag, type BagHost, type BagState, type OpenBag } from '../../state/bags/open-bag';
import { saveFile } from '../../state/save';
import { useStore } from '../../state/store';
import { useBagTexts } from '../messages/bags';
import { ClassChoice, MethodChoice, QualityChoice } from '../panel/choices';
import panel from '../panel/panel.module.css';
import { ClassMethods, Thresholds } from '../panel/thresholds';
import { useServices, useSettings } from '../services';
import { useKeptFocus } from '../shell/use-kept-focus';
import { Button } from '../ui/button';
import { Checkbox } from '../ui/inputs';
import { Notice } from '../ui/notice';
import { useRead } from '../ui/use-loaded';
import styles from './bags.module.css';
import { TopicList } from './topic-list';

/** What a person has chosen. */
interface Chosen {
  readonly topics: TopicChoices;
  readonly keepsAttachments: boolean;
}

type StateOf<Kind extends BagState['kind']> = Extract<BagState, { readonly kind: Kind }>;

const withContents = (state: BagState): state is StateOf<'listed' | 'running' | 'done'> =>
  state.kind === 'listed' || state.kind === 'running' || state.kind === 'done';

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
  state: {
    result: { file, facts },
  },
  name,
  bag,
}: {
  readonly state: StateOf<'done'>;
  readonly name: string;
  readonly bag: OpenBag;
}): ReactElement => {
  const text = useBagTexts();
  const [hasFailed, setFailed] = useState(false);
  const images = facts.topics.reduce((sum, { frames }) => sum + frames, 0);
  const save = (): void => {
    setFailed(false);
    saveFile(file, anonymisedName(name, file.type), true).catch(() => setFailed(true));
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
      <Button variant="primary" data-main-focus onClick={save}>
        {text.download}
      </Button>
      <Notice isWarning role="alert">
        {hasFailed && text.notSaved}
      </Notice>
      <Button onClick={bag.again}>{text.again}</Button>
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
  const isMade = hides(settings.method);
  const canRun = isMade && open.length === 0 && settings.classes.length > 0;
  return (
    <>
      <Notice isWarning role="alert">
        {failure !== undefined && (failure === null ? text.failed : text.sentence(failure))}
      </Notice>
      <Notice role="status" data-testid="bag-undecided">
        {isMade ? open.length > 0 && text.undecided(open) : text.detect}
      </Notice>
      <Button
        variant="primary"
        className={styles['row']}
        data-main-focus
        disabled={!canRun}
        onClick={() => bag.run(settings, bagOptionsOf(topics, chosen.topics, chosen.keepsAttachments))}
      >
        {text.anonymise}
      </Button>
    </>
  );
};

const shows = ({ kind }: ListedTopic): boolean => kind !== 'other';

/** Settings of what is hidden, and what can be done now. */
const BagPanel = ({
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

/** Why there is nothing to choose. */
const Refusal = ({
  state,
  name,
}: {
  readonly state: StateOf<'reading' | 'refused' | 'too-large'>;
  readonly name: string;
}): ReactElement => {
  const text = useBagTexts();
  if (state.kind === 'reading') {
    return (
      <>
        <progress className={styles['progress']} value={state.share} aria-label={text.reading(state.share)} />
        <p className="soft">{text.reading(state.share)}</p>
      </>
    );
  }
  const sentence = state.kind === 'refused' ? state.sentence : text.tooLarge(state, name);
  return (
    <Notice variant="box" isWarning role="alert" heading={text.refused}>
      {sentence === null ? text.unknown : text.sentence(sentence)}
    </Notice>
  );
};

const BagHeader = ({
  file,
  contents,
}: {
  readonly file: File;
  readonly contents: BagContents | undefined;
}) => {
  const text = useBagTexts();
  const { server } = useServices();
  const { isOn } = useStore(server.use, (current) => current);
  return (
    <header className="stack tight">
      <h1 className={styles['name']}>{file.name}</h1>
      {contents && (
        <p className="soft">{text.summary(contents.topics.length, file.size, contents.durationS)}</p>
      )}
      {contents && <p>{text.lead}</p>}
      {contents && isOn && <Notice>{text.notOnServer}</Notice>}
    </header>
  );
};

const ShownBag = ({
  bag,
  file,
  onClose,
}: {
  readonly bag: OpenBag;
  readonly file: File;
  readonly onClose: () => void;
}) => {
  const text = useBagTexts();
  const state = useStore(bag.state, (current) => current);
  const [chosen, setChosen] = useState<Chosen>({ topics: {}, keepsAttachments: false });
  useKeptFocus(state.kind);
  const contents = withContents(state) ? state.contents : undefined;
  const hasImages = contents?.topics.some(shows) === true;
  return (
    <main className={styles['view']} aria-label={text.region} data-testid="bag" data-state={state.kind}>
      <section className={`card ${styles['topics']}`}>
        <BagHeader file={file} contents={contents} />
        {!withContents(state) && <Refusal state={state} name={file.name} />}
        {contents && !hasImages && <Notice variant="box">{text.noImages}</Notice>}
        {contents && (
          <TopicList
            topics={contents.topics}
            chosen={chosen.topics}
            isFixed={state.kind !== 'listed' || !hasImages}
            onChoose={(topic, choice) =>
              setChosen({ ...chosen, topics: { ...chosen.topics, [topic]: choice } })
            }
          />
        )}
        {state.kind !== 'running' && (
          <div className="row">
            <Button {...(!contents && { 'data-main-focus': true })} onClick={onClose}>
              {text.close}
            </Button>
          </div>
        )}
      </section>
      {withContents(state) && hasImages && (
        <BagPanel
          {...{ state, chosen, bag, name: file.name }}
          onChoose={(changed) => setChosen({ ...chosen, ...changed })}
        />
      )}
    </main>
  );
};

/** An opened bag, as long as it is on the screen. Leaving the page would lose a run, and a result. */
const useBag = (file: File, host: BagHost | undefined): OpenBag | undefined => {
  const [bag, setBag] = useState<OpenBag>();
  useEffect(() => {
    if (!host) return;
    const opened = openBag(file, host);
    setBag(opened);
    const controller = new AbortController();
    addEventListener(
      'beforeunload',
      (event) => {
        const { kind } = opened.state.get();
        if (kind === 'running' || kind === 'done') event.preventDefault();
      },
      { signal: controller.signal },
    );
    return () => {
      controller.abort();
      opened.close();
    };
  }, [file, host]);
  return bag;
};

/** The screen of a bag: its topics, what happens to each, and the result. */
export const BagView = ({ file }: { readonly file: File }): ReactElement | null => {
  const { store, openBags } = useServices();
  const host = useRead(openBags, [openBags]);
  const bag = useBag(file, host);
  return bag ? <ShownBag {...{ bag, file }} onClose={() => store.send({ type: 'bag-closed' })} /> : null;
};
