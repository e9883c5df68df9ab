import { useMemo, type ReactElement } from 'react';
import type { ListedTopic } from '#shared/domain/bag';
import { choiceOf, choicesOf, type TopicChoice, type TopicChoices } from '../../state/bags/bag-choices';
import { useBagTexts, type BagTexts } from '../messages/bags';
import { useObjectUrl } from '../stage/use-files';
import { Select } from '../ui/inputs';
import styles from './bags.module.css';

/** More topics than that are shown when they are asked for. */
const FEW = 8;

interface TopicProps {
  readonly topic: ListedTopic;
  readonly chosen: TopicChoices;
  readonly onChoose: (topic: string, choice: TopicChoice) => void;
}

/** Type, encoding and size of what a topic has. */
const factsOf = ({ schemas, encodings, format, size, messages, durationS }: ListedTopic, text: BagTexts) =>
  [
    ...schemas,
    [...encodings, ...(format ? [format] : [])].join(' · '),
    ...(size ? [text.size(size)] : []),
    text.messages(messages),
    text.duration(durationS),
  ].filter((fact) => fact !== '');

const Choice = ({ topic, chosen, onChoose }: TopicProps): ReactElement => {
  const text = useBagTexts();
  const { name, kind } = topic;
  const choice = choiceOf(topic, chosen);
  const nameOf = (one: TopicChoice): string =>
    kind === 'other' && one === 'keep' ? text.keepOther : text.choices[one];
  const options = choicesOf(topic).map((one) => [one, nameOf(one)] as const);
  return (
    <Select<TopicChoice | ''>
      label={text.choice(name)}
      value={choice ?? ''}
      options={choice ? options : [['', text.choose], ...options]}
      onChoose={(chosenNow) => chosenNow !== '' && onChoose(name, chosenNow)}
    />
  );
};

const Preview = ({ topic: { name, preview } }: Pick<TopicProps, 'topic'>): ReactElement => {
  const text = useBagTexts();
  const image = useMemo(
    () => preview && new Blob([preview as Uint8Array<ArrayBuffer>], { type: 'image/jpeg' }),
    [preview],
  );
  const url = useObjectUrl(image ?? null);
  return (
    <div className={`centred ${styles['preview']}`}>
      {url ? <img src={url} alt={text.preview(name)} /> : <span className="soft">{text.noPreview}</span>}
    </div>
  );
};

const Topic = (props: TopicProps): ReactElement => {
  const text = useBagTexts();
  const { topic, chosen } = props;
  const { name, kind, problem } = topic;
  const why = kind === 'depth' || kind === 'unread' ? text.whyAsked[kind] : undefined;
  return (
    <li
      className={styles['topic']}
      data-testid="topic"
      data-kind={kind}
      data-open={choiceOf(topic, chosen) === undefined}
    >
      {kind !== 'other' && <Preview topic={topic} />}
      <div className={styles['about']}>
        <h3 className={styles['long']}>{name}</h3>
        <ul className={`soft ${styles['facts']}`}>
          {factsOf(topic, text).map((fact) => (
            <li key={fact}>{fact}</li>
          ))}
        </ul>
        {why && (
          <p className={styles['why']}>
            {problem === undefined ? why : `${why}: ${text.sentence(problem)}.`}
          </p>
        )}
      </div>
      <Choice {...props} />
    </li>
  );
};

/** All topics of a bag: first those that may show something. */
export const TopicList = ({
  topics,
  isFixed,
  ...props
}: Omit<TopicProps, 'topic'> & {
  readonly topics: readonly ListedTopic[];
  /** Nothing can be chosen now. */
  readonly isFixed: boolean;
}): ReactElement => {
  const text = useBagTexts();
  const showing = topics.filter(({ kind }) => kind !== 'other');
  const others = topics.filter(({ kind }) => kind === 'other');
  return (
    <fieldset className={styles['list']} disabled={isFixed}>
      {showing.length > 0 && (
        <section>
          <h2>{text.images}</h2>
          <ul>
            {showing.map((topic) => (
              <Topic key={topic.name} topic={topic} {...props} />
            ))}
          </ul>
        </section>
      )}
      {others.length > 0 && (
        <details open={others.length <= FEW}>
          <summary>{text.others(others.length)}</summary>
          <ul>
            {others.map((topic) => (
              <Topic key={topic.name} topic={topic} {...props} />
            ))}
          </ul>
        </details>
      )}
    </fieldset>
  );
};
