import {
  DEFAULT_BAG_OPTIONS,
  type BagContents,
  type BagOptions,
  type ListedTopic,
  type TopicKind,
} from '#shared/domain/bag';

/** What happens to a topic. */
export type TopicChoice = 'hide' | 'keep' | 'drop';

/** The possible ones of each kind; without a default, somebody has to choose: nothing passes by accident. */
const CHOICES: Readonly<
  Record<TopicKind, { readonly all: readonly TopicChoice[]; readonly usual?: TopicChoice }>
> = {
  images: { all: ['hide', 'drop', 'keep'], usual: 'hide' },
  depth: { all: ['drop', 'keep'] },
  unread: { all: ['drop', 'keep'] },
  other: { all: ['keep', 'drop'], usual: 'keep' },
};

/** By the names of topics; absent: as usual. */
export type TopicChoices = Readonly<Record<string, TopicChoice>>;

export const choicesOf = ({ kind }: Pick<ListedTopic, 'kind'>): readonly TopicChoice[] => CHOICES[kind].all;

/** @returns undefined: nobody has chosen, and somebody has to */
export const choiceOf = (
  { name, kind }: Pick<ListedTopic, 'name' | 'kind'>,
  chosen: TopicChoices,
): TopicChoice | undefined => (Object.hasOwn(chosen, name) ? chosen[name] : CHOICES[kind].usual);

/** Names of the topics for which somebody has to choose. */
export const undecided = (topics: readonly ListedTopic[], chosen: TopicChoices): readonly string[] =>
  topics.filter((topic) => choiceOf(topic, chosen) === undefined).map(({ name }) => name);

/** Part of a bag by time; absent: from its start, to its end. */
export type BagPart = Pick<BagOptions, 'startS' | 'endS'>;

/** Whether a part begins within the bag and before its own end: the result would have no messages otherwise. */
export const isPart = (
  { startS = 0, endS = Infinity }: BagPart,
  { durationS }: Pick<BagContents, 'durationS'>,
): boolean => startS >= 0 && startS <= durationS && startS < endS;

/** The options of the command line that say the same. */
export const bagOptionsOf = (
  topics: readonly ListedTopic[],
  chosen: TopicChoices,
  keepAttachments: boolean,
  part: BagPart = {},
): BagOptions => {
  const named = (choice: TopicChoice, some: readonly ListedTopic[]): readonly string[] =>
    some.filter((topic) => choiceOf(topic, chosen) === choice).map(({ name }) => name);
  return {
    ...DEFAULT_BAG_OPTIONS,
    ...part,
    dropTopics: named('drop', topics),
    keepTopics: named(
      'keep',
      topics.filter(({ kind }) => kind !== 'other'),
    ),
    keepAttachments,
  };
};
