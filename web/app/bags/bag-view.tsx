import { useEffect, useState, type ReactElement } from 'react';
import type { BagContents, ListedTopic } from '#shared/domain/bag';
import { openBag, type BagHost, type BagState, type OpenBag } from '../../state/bags/open-bag';
import { useStore } from '../../state/store';
import { useBagTexts } from '../messages/bags';
import { useServices } from '../services';
import { useKeptFocus } from '../shell/use-kept-focus';
import { Button } from '../ui/button';
import { Notice } from '../ui/notice';
import { useRead } from '../ui/use-loaded';
import { BagPanel, type Chosen, type StateOf } from './bag-panel';
import styles from './bags.module.css';
import { TopicList } from './topic-list';

const withContents = (state: BagState): state is StateOf<'listed' | 'running' | 'done'> =>
  state.kind === 'listed' || state.kind === 'running' || state.kind === 'done';

const shows = ({ kind }: ListedTopic): boolean => kind !== 'other';

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
  const [chosen, setChosen] = useState<Chosen>({ topics: {}, keepsAttachments: false, part: {} });
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
